import type { HtmlWriter } from '../html-writer.ts';

/** A place of a page that leads to a URL. `rect` is left, bottom, right, top, in points. */
export interface PdfLink {
  readonly url: string;
  readonly rect: readonly [number, number, number, number];
}

// Marks around the text of a link: characters that no text has (Unicode 16, §23.7), the first with the number of the URL behind it.
const START = '\ufdd0';
const END = '\ufdd1';
const FIRST_NUMBER = 0xe000;
const MAX_LINKS = 0x1900;
const MARKS = /\ufdd0[\ue000-\uf8ff]|\ufdd1/g;
const LINKED = /\ufdd0([\ue000-\uf8ff])([^\ufdd0\ufdd1]*)\ufdd1/g;
/** A link that goes on in the next line, which has marks of its own. */
const GOES_ON = /\ufdd0([\ue000-\uf8ff])([^\ufdd0\ufdd1]*)\ufdd1(\s*)\ufdd0\1/g;

/** URLs of a document by the numbers in its marks. */
export class PdfLinkTable {
  readonly #urls: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** @returns null: there are too many */
  numberOf(url: string): number | null {
    const known = this.#numbers.get(url);
    if (known !== undefined) return known;
    if (this.#urls.length >= MAX_LINKS) return null;
    this.#numbers.set(url, this.#urls.length);
    return this.#urls.push(url) - 1;
  }

  /** Writes text with marks as text and links. */
  write(text: string, writer: HtmlWriter): void {
    let joined = text;
    for (let before = ''; before !== joined; ) {
      before = joined;
      joined = joined.replace(GOES_ON, `${START}$1$2$3`);
    }
    let at = 0;
    for (const match of joined.matchAll(LINKED)) {
      if (match.index > at) writer.text(withoutMarks(joined.slice(at, match.index)));
      writer.element('a', match[2]!, { href: this.#urls[match[1]!.charCodeAt(0) - FIRST_NUMBER] });
      at = match.index + match[0].length;
    }
    if (at < joined.length) writer.text(withoutMarks(joined.slice(at)));
  }
}

export const withoutMarks = (text: string): string => text.replace(MARKS, '');

/** A place that leads to the URL with this number. */
interface NumberedPlace {
  readonly number: number;
  readonly left: number;
  readonly right: number;
}

/** Marks the words of a text that lie in the places of links. @param left where the text begins, `right` where it ends */
export function markLinks(
  text: string,
  left: number,
  right: number,
  places: readonly NumberedPlace[],
): string {
  let marked = '';
  let at = 0;
  const words = wordsOf(text, left, right);
  for (const place of places.toSorted((a, b) => a.left - b.left)) {
    const inside = words.filter(
      ({ start, middle }) => start >= at && middle >= place.left && middle <= place.right,
    );
    if (inside.length === 0) continue;
    const [start, end] = [inside[0]!.start, inside.at(-1)!.end];
    const code = String.fromCharCode(FIRST_NUMBER + place.number);
    marked += `${text.slice(at, start)}${START}${code}${text.slice(start, end)}${END}`;
    at = end;
  }
  return marked + text.slice(at);
}

/** The words of a text with about where their middles are: the package tells only the width of the whole. */
function wordsOf(text: string, left: number, right: number) {
  const words: { start: number; end: number; middle: number }[] = [];
  const total = Array.from(text, charWidth).reduce((sum, width) => sum + width, 0);
  const scale = (right - left) / Math.max(1, total);
  let x = left;
  let at = 0;
  for (const [word] of text.matchAll(/\s+|\S+/g)) {
    const width = Array.from(word, charWidth).reduce((sum, one) => sum + one, 0) * scale;
    if (word.trim() !== '') words.push({ start: at, end: at + word.length, middle: x + width / 2 });
    x += width;
    at += word.length;
  }
  return words;
}

/** About how wide a character is beside others. */
function charWidth(char: string): number {
  if (/[\s.,:;'|!ijlItf()[\]]/.test(char)) return 0.5;
  if (/[mwMW@%]/.test(char)) return 1.5;
  return /\p{Lu}/u.test(char) ? 1.25 : 1;
}
