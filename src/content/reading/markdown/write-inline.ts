/** Writes the text of a block: marks become delimiters, text is escaped. */
import { lastCharacter, settleMarks } from './emphasis.ts';
import { type EscapeContext, escapeLineStart, escapeText } from './escape.ts';
import {
  CODE,
  DELETED,
  EMPHASIS,
  type InlineLink,
  isGap,
  KEYBOARD,
  NO_MARKS,
  type Piece,
  STRONG,
  SUBSCRIPT,
  SUPERSCRIPT,
} from './inline-content.ts';

export interface InlineContext {
  readonly place: 'paragraph' | 'heading' | 'cell';
  readonly hasFormulas: boolean;
  readonly hasFootnotes: boolean;
  /** Links as references: the label of a URL. Otherwise null. */
  readonly labelOf: ((url: string) => string) | null;
}

const DELIMITERS: readonly [mark: number, open: string, close: string][] = [
  [SUPERSCRIPT, '<sup>', '</sup>'],
  [SUBSCRIPT, '<sub>', '</sub>'],
  [KEYBOARD, '<kbd>', '</kbd>'],
  [DELETED, '~~', '~~'],
  [STRONG, '**', '**'],
  [EMPHASIS, '*', '*'],
];

/** @returns the lines of the block, or null if there is nothing to see */
export function writeInline(pieces: readonly Piece[], context: InlineContext): string[] | null {
  const [only] = pieces;
  if (pieces.length === 1 && only!.kind === 'text' && only!.marks === NO_MARKS && only!.link === null)
    return [writePlain(only!.text, pieces, context)];
  const settled = settleMarks(pieces).map(asAutolink);
  if (settled.length === 0) return null;
  return new InlineWriter(settled, context).write();
}

/** A block of plain text, as most are: in a tenth of the time. */
function writePlain(text: string, pieces: readonly Piece[], context: InlineContext): string {
  const escaped = escapeText(text, { before: '', after: '', inLink: false }, escapesOf(pieces, context));
  return context.place === 'paragraph' ? escapeLineStart(escaped, { isFirst: true }) : escaped;
}

function escapesOf(pieces: readonly Piece[], context: InlineContext): EscapeContext {
  return {
    pairs: pairsIn(pieces),
    inCell: context.place === 'cell',
    hasFormulas: context.hasFormulas,
    hasDefinitions: context.labelOf !== null,
    hasFootnotes: context.hasFootnotes,
  };
}

/** A link whose text is its URL. */
function asAutolink(piece: Piece, index: number, pieces: readonly Piece[]): Piece {
  const { link, text, kind, marks } = piece;
  if (link === null || kind !== 'text' || text !== link.url || marks & CODE) return piece;
  if (pieces[index - 1]?.link === link || pieces[index + 1]?.link === link) return piece;
  return /^https?:[^\s<>&\\]+$/.test(text) ? { kind: 'raw', text: `<${text}>`, marks, link: null } : piece;
}

interface OpenMark {
  readonly mark: number;
  readonly link: InlineLink | null;
  readonly close: string;
}

class InlineWriter {
  readonly #pieces: readonly Piece[];
  readonly #context: InlineContext;
  readonly #escapes: EscapeContext;
  /** By mark: the index of the last piece of the run that has it. */
  readonly #ends: ReadonlyMap<number, Int32Array>;
  readonly #linkEnds: Int32Array;
  readonly #open: OpenMark[] = [];
  readonly #lines: string[] = [];
  #line = '';
  /** The last character of the line. Asking the line itself would copy it each time. */
  #last = '';
  #beginsWithText = false;

  constructor(pieces: readonly Piece[], context: InlineContext) {
    this.#pieces = pieces;
    this.#context = context;
    this.#escapes = escapesOf(pieces, context);
    const used = pieces.reduce((marks, piece) => marks | piece.marks, 0);
    this.#ends = new Map(
      DELIMITERS.filter(([mark]) => used & mark).map(([mark]) => [
        mark,
        runEnds(pieces, (a, b) => (a.marks & b.marks & mark) !== 0),
      ]),
    );
    this.#linkEnds = runEnds(pieces, (a, b) => a.link === b.link);
  }

  write(): string[] {
    let gap: Piece | null = null;
    for (const [index, piece] of this.#pieces.entries()) {
      this.#closeMarks(index, piece);
      if (isGap(piece)) {
        gap = piece;
        continue;
      }
      // Closing delimiters stand before white space, opening ones behind it.
      if (gap?.kind === 'break') this.#break();
      else if (gap !== null) this.#put(gap.text);
      gap = null;
      this.#openMarks(index, piece);
      this.#put(this.#pieceText(index, piece));
    }
    this.#closeDownTo(0);
    this.#endLine();
    return this.#lines;
  }

  #put(text: string): void {
    if (text === '') return;
    this.#line += text;
    this.#last = lastCharacter(text);
  }

  #closeMarks(index: number, { marks, link }: Piece): void {
    let keep = this.#open.findIndex((open) =>
      open.mark === 0 ? open.link !== link : (marks & open.mark) === 0,
    );
    if (keep === -1) keep = this.#open.length;
    // A link cannot be interrupted. Marks that end within it are opened inside of it.
    if (link !== null && !this.#open.some((open) => open.link === link)) {
      const linkEnd = this.#linkEnds[index]!;
      const shorter = this.#open.findIndex(
        ({ mark }) => mark !== 0 && this.#ends.get(mark)![index]! < linkEnd,
      );
      if (shorter !== -1) keep = Math.min(keep, shorter);
    }
    this.#closeDownTo(keep);
  }

  #closeDownTo(depth: number): void {
    while (this.#open.length > depth) this.#put(this.#open.pop()!.close);
  }

  #openMarks(index: number, { marks, link }: Piece): void {
    const missing: { end: number; order: number; open: string; entry: OpenMark }[] = [];
    if (link !== null && !this.#open.some((open) => open.link === link)) {
      const entry: OpenMark = { mark: 0, link, close: `]${this.#target(link.url)}` };
      missing.push({ end: this.#linkEnds[index]!, order: -1, open: '[', entry });
    }
    for (const [order, [mark, open, close]] of DELIMITERS.entries())
      if (marks & mark && !this.#open.some((other) => other.mark === mark))
        missing.push({ end: this.#ends.get(mark)![index]!, order, open, entry: { mark, link: null, close } });
    missing.sort((a, b) => b.end - a.end || a.order - b.order);
    for (const { open, entry } of missing) {
      this.#put(open);
      this.#open.push(entry);
    }
  }

  #target(url: string): string {
    const { labelOf } = this.#context;
    return labelOf === null ? `(${linkDestination(url)})` : `[${labelOf(url)}]`;
  }

  #break(): void {
    const { place } = this.#context;
    if (place === 'heading') this.#put(' ');
    else if (place === 'cell') this.#put('<br>');
    else {
      this.#put('\\');
      this.#endLine();
    }
  }

  #endLine(): void {
    // The first line of a block may be of any kind; further lines can turn it into a heading or a table.
    const isFirst = this.#lines.length === 0;
    const escapes = this.#beginsWithText && this.#context.place === 'paragraph';
    this.#lines.push(escapes ? escapeLineStart(this.#line, { isFirst }) : this.#line);
    this.#line = '';
    this.#last = '';
    this.#beginsWithText = false;
  }

  #pieceText(index: number, { kind, text, marks, link }: Piece): string {
    const { inCell } = this.#escapes;
    if (kind === 'raw') return text;
    if (marks & CODE) {
      if (!inCell) return codeSpan(text);
      if (!text.includes('\\|')) return codeSpan(text).replaceAll('|', '\\|');
      // In a cell, no code span can have a backslash in front of a pipe (GFM §4.10).
      const escapes = { ...this.#escapes, pairs: new Set(['*', '_', '~', '`']) };
      return `<code>${escapeText(text, { before: '>', after: '<', inLink: true }, escapes)}</code>`;
    }
    this.#beginsWithText ||= this.#line === '';
    const before = this.#last;
    const after = this.#characterAfter(index);
    return escapeText(text, { before, after, inLink: link !== null }, this.#escapes);
  }

  /** The character after a text. If a delimiter follows, `*` stands for any delimiter: which one makes no difference. */
  #characterAfter(index: number): string {
    const piece = this.#pieces[index]!;
    const next = this.#pieces[index + 1];
    const { place } = this.#context;
    if (next === undefined) return this.#open.length > 0 ? '*' : '';
    if (next.link !== piece.link && next.link !== null) return '[';
    if (next.marks !== piece.marks || next.link !== piece.link) return '*';
    if (next.kind === 'break' && place !== 'heading') return place === 'cell' ? '<' : '\\';
    if (isGap(next)) return this.#open.length > 0 ? '*' : ' ';
    return next.kind === 'raw' ? next.text[0]! : '*';
  }
}

/** For each piece the index of the last piece of its run. */
function runEnds(pieces: readonly Piece[], sameRun: (a: Piece, b: Piece) => boolean): Int32Array {
  const ends = new Int32Array(pieces.length);
  for (let index = pieces.length - 1; index >= 0; index--) {
    const next = pieces[index + 1];
    ends[index] = next !== undefined && sameRun(pieces[index]!, next) ? ends[index + 1]! : index;
  }
  return ends;
}

const NO_PAIRS: ReadonlySet<string> = new Set();
const MAY_DELIMIT = /[*_~`]/;

/** The characters of which a block has at least two runs, in its text or as delimiters of ours. */
function pairsIn(pieces: readonly Piece[]): ReadonlySet<string> {
  if (
    pieces.every(
      ({ text, marks, kind }) => marks === NO_MARKS && (kind !== 'text' || !MAY_DELIMIT.test(text)),
    )
  )
    return NO_PAIRS;
  const counts = new Map<string, number>();
  const count = (character: string, runs: number) =>
    counts.set(character, (counts.get(character) ?? 0) + runs);
  for (const { kind, text, marks } of pieces) {
    if (marks & (STRONG | EMPHASIS)) count('*', 2);
    if (marks & DELETED) count('~', 2);
    if (kind !== 'text') continue;
    if (marks & CODE) count('`', 2);
    else
      for (const { 0: run, index } of text.matchAll(/\*+|_+|~+|`+/g)) {
        const isBetweenBlanks = text[index - 1] === ' ' && text[index + run.length] === ' ';
        // Between blanks only backticks mean something.
        if (run[0] === '`' || !isBetweenBlanks) count(run[0]!, 1);
      }
  }
  return new Set([...counts].filter(([, runs]) => runs > 1).map(([character]) => character));
}

/** CommonMark §6.1: delimiters longer or shorter than every run of backticks inside. */
function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text, '`') + 1);
  const padded = /^`|`$/.test(text) ? ` ${text} ` : text;
  return fence + padded + fence;
}

export function longestRun(text: string, character: string): number {
  let longest = 0;
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    length = text[index] === character ? length + 1 : 0;
    if (length > longest) longest = length;
  }
  return longest;
}

/** CommonMark §6.3. What would end the destination or be taken for a character reference is percent-encoded. */
export function linkDestination(url: string): string {
  const safe = url
    .replace(/[\s<>\\`|]/g, (character) => encodeURIComponent(character))
    .replace(/&(?=[a-z0-9#]+;)/gi, '&amp;');
  return hasBalancedParentheses(safe) ? safe : `<${safe}>`;
}

function hasBalancedParentheses(url: string): boolean {
  let depth = 0;
  for (const character of url) {
    if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return false;
    // Parsers need not follow more.
    if (depth > 3) return false;
  }
  return depth === 0;
}
