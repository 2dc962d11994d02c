/** Bytes in JSON: `decode(x, 'hex')` in SQL. */
export const hexOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** What JSON writes for NUL and for half a character, which a text of PostgreSQL cannot have, and an escaped backslash. */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * Rows as the parameter of `json_to_recordset`: one parameter and one statement for any number of rows. Characters that a text
 * of PostgreSQL cannot have become U+FFFD.
 */
export function jsonRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  return text.includes('\\u')
    ? text.replace(ESCAPES, (found) => (found === '\\\\' ? found : '\\ufffd'))
    : text;
}
