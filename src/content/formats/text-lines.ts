/** White space that collapses (CSS Text §4.1.1); a no-break space is a character like any other. */
const WHITE = /[ \t\n\r\f]+/g;

/**
 * Text as it is put together for `innerText` (WHATWG HTML, "get the text steps"): white space collapses over the borders
 * of elements, and of line breaks that are required between two texts the most count.
 */
export class TextLines {
  readonly #pieces: string[] = [];
  readonly #most: number;
  #length = 0;
  /** Required line breaks before the next text. */
  #breaks = 0;
  /** Collapsed white space before the next text. */
  #space = false;
  #lineStart = true;
  /** Something was left out. */
  full = false;

  /** @param most characters; what is more is left out */
  constructor(most: number) {
    this.#most = most;
  }

  /** Text whose white space collapses. */
  flowing(text: string): void {
    const plain = text.replace(WHITE, ' ');
    if (plain === '') return;
    if (plain === ' ') {
      this.#space = !this.#lineStart;
      return;
    }
    const from = plain.startsWith(' ') ? 1 : 0;
    const to = plain.endsWith(' ') ? plain.length - 1 : plain.length;
    if (from === 1) this.#space = !this.#lineStart;
    this.#put(plain.slice(from, to));
    this.#space = to < plain.length;
  }

  /** Text of which every character counts. */
  preserved(text: string): void {
    if (text === '') return;
    this.#put(text.replaceAll(/\r\n?/g, '\n'));
    this.#lineStart = text.endsWith('\n') || text.endsWith('\r');
  }

  /** A line break, tabulator or the like that stands in the text. */
  mark(character: string): void {
    this.#space = false;
    this.#put(character);
    this.#lineStart = true;
  }

  /** The next text begins on a new line, after `breaks - 1` empty ones; at the beginning and the end there are none. */
  separate(breaks: number): void {
    if (this.#length > 0) this.#breaks = Math.max(this.#breaks, breaks);
    this.#space = false;
    this.#lineStart = true;
  }

  /** All of it. */
  text(): string {
    return this.#pieces.join('');
  }

  #put(text: string): void {
    if (this.#breaks > 0) this.#add('\n'.repeat(this.#breaks));
    else if (this.#space) this.#add(' ');
    this.#breaks = 0;
    this.#space = false;
    this.#lineStart = false;
    this.#add(text);
  }

  #add(text: string): void {
    if (this.full) return;
    const room = this.#most - this.#length;
    if (text.length > room) this.full = true;
    const kept = text.length > room ? wholeCharacters(text, room) : text;
    this.#pieces.push(kept);
    this.#length += kept.length;
  }
}

/** The first `most` UTF-16 units, but never half of a pair. */
export function wholeCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}
