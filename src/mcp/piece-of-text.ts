interface Piece {
  readonly text: string;
  /** Where the rest begins; null: there is none. */
  readonly next: number | null;
}

/**
 * The piece of a text from `offset` on, of at most `maxChars` UTF-16 units. It ends after an empty line or a line, if there is
 * one in its second half, and never within a character. The pieces together are the text.
 */
export function pieceOfText(text: string, offset: number, maxChars: number): Piece {
  const end = offset + maxChars;
  if (end >= text.length) return { text: text.slice(offset), next: null };
  const middle = offset + maxChars / 2;
  const afterLast = (mark: string) => text.lastIndexOf(mark, end - mark.length) + mark.length;
  const ends = ['\n\n', '\n'].map(afterLast);
  const next = ends.find((place) => place > middle) ?? (splitsCharacter(text, end) ? end - 1 : end);
  return { text: text.slice(offset, next), next };
}

/** Whether a place is between the two halves of a surrogate pair. */
const splitsCharacter = (text: string, place: number): boolean => text.codePointAt(place - 1)! > 0xffff;
