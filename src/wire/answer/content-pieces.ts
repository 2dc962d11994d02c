/**
 * So many bytes give at most 256 KiB of JSON: the worst becomes 6 characters (`\u001f`).
 *
 * All here are byte strings: text whose characters 0–255 each stand for one byte of UTF-8, to be written as `latin1`.
 * JSON escapes only quotation marks, backslashes and controls (RFC 8259 §7), which are bytes of their own in UTF-8; so
 * UTF-8 is escaped as it is, without decoding it to text of twice the size and encoding it again.
 */
const UNITS = 43_000;
/** A multiple of 3, so that the pieces of base64 join without padding between; gives 64 KiB. */
const BYTES = 48 * 1024;

/** A JSON string of UTF-8, with the quotation marks. */
export function utf8Json(bytes: Uint8Array): string {
  return JSON.stringify(bufferOf(bytes).toString('latin1'));
}

/** The same, piece by piece. */
export function* utf8Pieces(bytes: Uint8Array): Generator<string> {
  const buffer = bufferOf(bytes);
  yield '"';
  for (let from = 0; from < buffer.length; from += UNITS) {
    yield JSON.stringify(buffer.toString('latin1', from, Math.min(from + UNITS, buffer.length))).slice(1, -1);
  }
  yield '"';
}

/** A JSON string of the bytes in base64 (RFC 4648 §4). */
export function base64Json(bytes: Uint8Array): string {
  return `"${bufferOf(bytes).toString('base64')}"`;
}

/** The same, piece by piece. */
export function* base64Pieces(bytes: Uint8Array): Generator<string> {
  const buffer = bufferOf(bytes);
  yield '"';
  for (let from = 0; from < buffer.length; from += BYTES) {
    yield buffer.toString('base64', from, Math.min(from + BYTES, buffer.length));
  }
  yield '"';
}

/** Text as a byte string. */
export function byteString(text: string): string {
  // As many bytes as characters: it is ASCII.
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** Long text as byte strings. */
export function* slices(text: string): Generator<string> {
  const bytes = byteString(text);
  for (let from = 0; from < bytes.length; from += UNITS) yield bytes.slice(from, from + UNITS);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
