/** How many bytes are on the page at once. */
export const HEX_PART_BYTES = 8 * 1024;
const ROW_BYTES = 16;

/** Rows such as `00000010  48 65 6c 6c 6f …  |Hello…|`. @param offset of the first byte in the whole */
export function hexRows(bytes: Uint8Array, offset: number): string {
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += ROW_BYTES) {
    const row = bytes.subarray(at, at + ROW_BYTES);
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, 8).join(' ').padEnd(23);
    const right = hex.slice(8).join(' ').padEnd(23);
    const letters = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    rows.push(`${(offset + at).toString(16).padStart(8, '0')}  ${left}  ${right}  |${letters.join('')}|`);
  }
  return rows.join('\n');
}
