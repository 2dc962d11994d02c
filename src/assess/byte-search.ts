/** A call of the machine's own search costs as much as so many bytes that are looked at here. */
const NEAR = 200;

/** What is looked for: one or more letters of ASCII. */
export interface Mark {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export const markOf = (text: string): Mark => ({ text, bytes: Buffer.from(text, 'latin1') });

/**
 * Where `mark` comes next; the length of the bytes when it does not. By hand as long as it may be near, so that a page
 * full of marks costs no more a byte than others.
 */
export function find(bytes: Uint8Array, mark: Mark, from: number): number {
  const { length } = bytes;
  const near = Math.min(length, from + NEAR);
  const first = mark.bytes[0]!;
  for (let at = from; at < near; at++) if (bytes[at] === first && standsAt(bytes, mark.bytes, at)) return at;
  if (near >= length) return length;
  // Takes any view of bytes.
  const found: number = Buffer.prototype.indexOf.call(bytes, mark.text, near, 'latin1');
  return found === -1 ? length : found;
}

function standsAt(bytes: Uint8Array, mark: Uint8Array, at: number): boolean {
  for (let n = 1; n < mark.length; n++) if (bytes[at + n] !== mark[n]) return false;
  return true;
}
