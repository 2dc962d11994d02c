/** So many bytes of UTF-8, or units of a string, give at most 256 KiB of JSON: the worst becomes 6 bytes (`\u001f`). */
const UNITS = 43_000;
/** A multiple of 3, so that the pieces of base64 join without padding between; gives 64 KiB. */
const BYTES = 48 * 1024;

/** JSON strings of UTF-8, piece by piece, with the quotation marks. Joined they are `JSON.stringify` of the text. */
export function* utf8Pieces(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  yield '"';
  for (let from = 0; from < buffer.length; ) {
    let to = Math.min(from + UNITS, buffer.length);
    // Back to the first byte of a character; it has at most four.
    for (let back = 0; back < 3 && to < buffer.length && (buffer[to]! & 0xc0) === 0x80; back++) to--;
    yield JSON.stringify(buffer.toString('utf8', from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** A JSON string of the bytes in base64 (RFC 4648 §4). */
export function* base64Pieces(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  yield '"';
  for (let from = 0; from < buffer.length; from += BYTES) {
    yield buffer.toString('base64', from, Math.min(from + BYTES, buffer.length));
  }
  yield '"';
}

/** Long text in slices that are each safe to encode on their own. */
export function* slices(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = boundary(text, from + UNITS);
    yield text.slice(from, to);
    from = to;
  }
}

/** Not between the halves of a surrogate pair: each alone would be escaped, or lost. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const split = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return split ? at - 1 : at;
}
