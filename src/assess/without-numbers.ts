/** Refusals differ by the number of the incident, or the address that they name, if by anything. At most so much is compared. */
const COMPARED = 1_500;
const SPACE = 0x20;
const SLASH = 0x2f;
const NINE = 0x39;
const ROOM = Buffer.allocUnsafeSlow(COMPARED);

/**
 * The beginning of a text without the words that hold a digit or a slash, in small letters; words are apart by spaces.
 * @returns of ASCII, which is read several times as fast, its bytes: good until the next call
 */
export function withoutNumbers(text: string): Uint8Array | string {
  const length = ROOM.write(text, 'utf8');
  // Not all of it was written: a letter beyond ASCII had no room.
  if (length < text.length && length < COMPARED) return ofAnyText(text);
  let size = 0;
  /** Where the word begins that is read, and whether it goes. */
  let word = 0;
  let goes = false;
  for (let at = 0; at < length; at++) {
    const byte = ROOM[at]!;
    if (byte >= 0x80) return ofAnyText(text);
    if (byte === SPACE && goes) {
      size = word;
      goes = false;
      continue;
    }
    // What was read is overwritten.
    ROOM[size++] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (byte === SPACE) word = size;
    else if (byte >= SLASH && byte <= NINE) goes = true;
  }
  if (goes) size = word;
  let from = 0;
  while (from < size && isSpace(ROOM[from]!)) from++;
  while (size > from && isSpace(ROOM[size - 1]!)) size--;
  return ROOM.subarray(from, size);
}

const isSpace = (byte: number): boolean => byte === SPACE || (byte >= 0x09 && byte <= 0x0d);

function ofAnyText(text: string): string {
  const compared = text.slice(0, COMPARED).toLowerCase();
  const { length } = compared;
  let kept = '';
  /** Where the words begin that are kept next, where the word does that is read, and whether it goes. */
  let from = 0;
  let word = 0;
  let goes = false;
  for (let at = 0; at <= length; at++) {
    const code = at === length ? SPACE : compared.charCodeAt(at);
    if (code === SPACE) {
      if (goes) {
        kept += compared.slice(from, word);
        from = at + 1;
      }
      goes = false;
      word = at + 1;
    } else if (code >= SLASH && code <= NINE) goes = true;
  }
  return (kept + compared.slice(from)).trim();
}
