/** The text of one block, while it is collected: pieces with their marks, as a word processor keeps them. */

/** Marks of a piece, as bits. Where several begin and end together, those with higher bits are outside. */
export const NO_MARKS = 0;
export const CODE = 1;
export const EMPHASIS = 2;
export const STRONG = 4;
export const DELETED = 8;
export const KEYBOARD = 16;
export const SUBSCRIPT = 32;
export const SUPERSCRIPT = 64;

/** A link. Each `a` of the page has an object of its own. */
export interface InlineLink {
  readonly url: string;
  /** A text of this link has been written. A link around several blocks is written once. */
  isWritten: boolean;
}

export interface Piece {
  /** `raw` is finished Markdown, which is not escaped; a gap is white space; a break begins a new line. */
  readonly kind: 'text' | 'raw' | 'gap' | 'break';
  readonly text: string;
  readonly marks: number;
  readonly link: InlineLink | null;
}

export const isGap = ({ kind }: Piece): boolean => kind === 'gap' || kind === 'break';

const COLLAPSIBLE = /[ \t\n\f\r]+/g;
const LEADING_SPACE = /^\s+/;
/** Looks only at the end: `/\s+$/` would try every blank. */
function trailingSpace(text: string): number {
  let index = text.length;
  while (index > 0 && /\s/.test(text[index - 1]!)) index--;
  return index;
}

/** Pieces in which no two gaps are side by side. Gaps at the beginning are left out. */
export class InlineContent {
  #pieces: Piece[] = [];
  /** There is something that a block may consist of: text or an image. */
  hasContent = false;
  hasText = false;

  /** Adds text whose white space collapses. */
  addText(text: string, marks: number, link: InlineLink | null): void {
    const plain = text.replace(COLLAPSIBLE, ' ');
    const from = LEADING_SPACE.exec(plain)?.[0].length ?? 0;
    const to = trailingSpace(plain);
    if (from > 0) this.#addGap({ kind: 'gap', text: plain.slice(0, from), marks, link });
    if (from >= to) return;
    this.hasContent = true;
    this.hasText = true;
    this.#pieces.push({ kind: 'text', text: plain.slice(from, to), marks, link });
    if (to < plain.length) this.#addGap({ kind: 'gap', text: plain.slice(to), marks, link });
  }

  /** Adds finished Markdown. @param options `counts`: a block may consist of it alone */
  addRaw(text: string, marks: number, link: InlineLink | null, { counts = true } = {}): void {
    this.hasContent ||= counts;
    this.#pieces.push({ kind: 'raw', text, marks: marks & ~CODE, link });
  }

  addBreak(marks: number, link: InlineLink | null): void {
    this.#addGap({ kind: 'break', text: '\n', marks, link });
  }

  /** Whether the last thing added was a line break. */
  get endsWithBreak(): boolean {
    return this.#pieces.at(-1)?.kind === 'break';
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Takes all pieces out. */
  take(): Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.hasContent = false;
    this.hasText = false;
    while (pieces.length > 0 && isGap(pieces.at(-1)!)) pieces.pop();
    return pieces;
  }

  #addGap(gap: Piece): void {
    const last = this.#pieces.at(-1);
    if (last === undefined) return;
    if (!isGap(last)) {
      this.#pieces.push(gap);
      return;
    }
    const both: Piece = {
      kind: last.kind === 'break' || gap.kind === 'break' ? 'break' : 'gap',
      // A blank after a blank is not seen; a no-break space is.
      text: last.text.endsWith(' ') ? last.text + gap.text.replace(/^ /, '') : last.text + gap.text,
      marks: last.marks & gap.marks,
      link: last.link === gap.link ? last.link : null,
    };
    this.#pieces[this.#pieces.length - 1] = both;
  }
}
