/** Finds places for marks where Markdown can have them. */
import { type Neighbour, neighbourOf } from './escape.ts';
import {
  CODE,
  DELETED,
  EMPHASIS,
  isGap,
  KEYBOARD,
  type Piece,
  STRONG,
  SUBSCRIPT,
  SUPERSCRIPT,
} from './inline-content.ts';

/** Marks that are written as tags. */
const TAGS = KEYBOARD | SUBSCRIPT | SUPERSCRIPT;
const STARS = STRONG | EMPHASIS;

/** Marks that may be around this one, and are written with other characters. */
const others = (mark: number): number => (mark === DELETED ? TAGS : TAGS | DELETED);

/**
 * Makes the marks of pieces such that their delimiters work (CommonMark §6.2). A gap has only the marks that both of its
 * neighbours have. Punctuation at the edge of a mark goes outside where a delimiter beside it would not work: `a**(b)**`
 * is not bold, `a(**b**)` is. Then equal neighbours are joined.
 */
export function settleMarks(pieces: readonly Piece[]): Piece[] {
  let settled = pieces.map((piece, index) => (isGap(piece) ? settleGap(pieces, index) : piece));
  for (const mark of [DELETED, STRONG, EMPHASIS])
    if (settled.some(({ marks }) => marks & mark)) settled = loosenEdges(settled, mark);
  return joinEqual(separateStars(settled));
}

/**
 * Where one of bold and italic ends and the other begins or goes on without a blank between them, a parser sees one run of
 * stars and may pair them differently. There the text is not italic.
 */
function separateStars(pieces: readonly Piece[]): readonly Piece[] {
  const strongStarts = runStarts(pieces, STRONG);
  const emphasisStarts = runStarts(pieces, EMPHASIS);
  const dropped = new Set<number>();
  for (let index = 0; index + 1 < pieces.length; index++) {
    const before = pieces[index]!.marks;
    const after = pieces[index + 1]!.marks;
    const ends = before & ~after & STARS;
    if (ends === 0 || isGap(pieces[index]!) || isGap(pieces[index + 1]!)) continue;
    const begins = after & ~before & STARS;
    const goesOn = before & after & STARS;
    const isCrossing =
      (goesOn === EMPHASIS && emphasisStarts[index]! > strongStarts[index]!) ||
      (goesOn === STRONG && strongStarts[index]! > emphasisStarts[index]!);
    if (begins === 0 && !isCrossing) continue;
    for (const edge of [index, index + 1])
      if (pieces[edge]!.marks & EMPHASIS) dropped.add(emphasisStarts[edge]!);
  }
  if (dropped.size === 0) return pieces;
  return pieces.map((piece, index) =>
    piece.marks & EMPHASIS && dropped.has(emphasisStarts[index]!)
      ? { ...piece, marks: piece.marks & ~EMPHASIS }
      : piece,
  );
}

/** For each piece with the mark the index of the first piece of its run. */
function runStarts(pieces: readonly Piece[], mark: number): Int32Array {
  const starts = new Int32Array(pieces.length);
  for (const [index, { marks }] of pieces.entries())
    starts[index] = index > 0 && marks & pieces[index - 1]!.marks & mark ? starts[index - 1]! : index;
  return starts;
}

function settleGap(pieces: readonly Piece[], index: number): Piece {
  const gap = pieces[index]!;
  const before = pieces[index - 1];
  const after = pieces[index + 1];
  if (before === undefined || after === undefined) return { ...gap, marks: 0, link: null };
  const link = before.link === after.link && gap.link === before.link ? gap.link : null;
  return { ...gap, marks: gap.marks & before.marks & after.marks, link };
}

function loosenEdges(pieces: readonly Piece[], mark: number): Piece[] {
  const result: Piece[] = [];
  let index = 0;
  while (index < pieces.length) {
    let end = index;
    while (end < pieces.length && pieces[end]!.marks & mark) end++;
    if (end === index) {
      result.push(pieces[index++]!);
      continue;
    }
    const left = loosenEdge(pieces.slice(index, end), mark, result.at(-1), 'left');
    for (const piece of left.outside) result.push(piece);
    const right = loosenEdge(left.inside.reverse(), mark, pieces[end], 'right');
    for (const piece of right.inside.reverse()) result.push(piece);
    for (const piece of right.outside.reverse()) result.push(piece);
    index = end;
  }
  return result;
}

/**
 * @param run pieces with the mark, from this edge on
 * @param outer the piece beyond the edge
 */
function loosenEdge(
  run: readonly Piece[],
  mark: number,
  outer: Piece | undefined,
  side: 'left' | 'right',
): { outside: Piece[]; inside: Piece[] } {
  const outside: Piece[] = [];
  const common = run.reduce((marks, piece) => marks & piece.marks, others(mark));
  let neighbour = outer;
  let index = 0;
  let edge = run[0];
  while (edge !== undefined && !worksAt(run, edge, neighbour, side, mark, common)) {
    const text = edge.kind === 'text' && (edge.marks & CODE) === 0 ? edge.text : '';
    const character = side === 'left' ? firstCharacter(text) : lastCharacter(text);
    const cut = { ...edge, marks: edge.marks & ~mark };
    if (text.length > character.length) {
      neighbour = { ...cut, text: character };
      outside.push(neighbour);
      const rest = side === 'left' ? text.slice(character.length) : text.slice(0, -character.length);
      edge = trimmed({ ...edge, text: rest }, mark, side, outside);
    } else {
      neighbour = cut;
      outside.push(neighbour);
      edge = run[++index];
    }
    neighbour = outside.at(-1);
  }
  return { outside, inside: edge === undefined ? [] : [edge, ...run.slice(index + 1)] };
}

/** Moves blanks at the edge outside. */
function trimmed(piece: Piece, mark: number, side: 'left' | 'right', outside: Piece[]): Piece {
  const text = side === 'left' ? piece.text.trimStart() : piece.text.trimEnd();
  if (text === piece.text) return piece;
  const blanks = side === 'left' ? piece.text.slice(0, -text.length) : piece.text.slice(text.length);
  outside.push({ ...piece, kind: 'gap', text: blanks, marks: piece.marks & ~mark });
  return { ...piece, text };
}

/** @param common other marks that all pieces of the run have: they may be around this one */
function worksAt(
  run: readonly Piece[],
  edge: Piece,
  outer: Piece | undefined,
  side: 'left' | 'right',
  mark: number,
  common: number,
): boolean {
  if (isGap(edge)) return false;
  const isOuterBoundary = isBoundary(outerNeighbour(edge, outer, side, mark, common));
  // Around a whole link the mark is inside of its brackets. Otherwise a bracket is inside of the mark.
  if (edge.link !== null && edge.link !== outer?.link)
    return run.at(-1)!.link === edge.link || isOuterBoundary;
  const inside = mark === DELETED ? STARS & ~(outer?.marks ?? 0) : 0;
  const inner = edge.marks & (inside | (others(mark) & ~common)) ? 'punctuation' : innerNeighbour(edge, side);
  return inner === 'word' || (inner !== 'space' && isOuterBoundary);
}

const isBoundary = (neighbour: Neighbour): boolean => neighbour === 'space' || neighbour === 'punctuation';

function innerNeighbour(edge: Piece, side: 'left' | 'right'): Neighbour {
  if (edge.kind !== 'text' || edge.marks & CODE) return 'punctuation';
  return neighbourOf(side === 'left' ? firstCharacter(edge.text) : lastCharacter(edge.text));
}

function outerNeighbour(
  edge: Piece,
  outer: Piece | undefined,
  side: 'left' | 'right',
  mark: number,
  common: number,
): Neighbour {
  if (outer === undefined || isGap(outer)) return 'space';
  if (outer.link !== edge.link && outer.link !== null) return 'punctuation';
  if (outer.marks & others(mark) & ~edge.marks || edge.marks & common & ~outer.marks) return 'punctuation';
  if (outer.kind !== 'text' || outer.marks & CODE) return 'punctuation';
  return neighbourOf(side === 'left' ? lastCharacter(outer.text) : firstCharacter(outer.text));
}

function firstCharacter(text: string): string {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0)!);
}

/** The last code point. */
export function lastCharacter(text: string): string {
  const last = text.slice(-2);
  return last.length === 2 && last.codePointAt(0)! > 0xffff ? last : text.slice(-1);
}

/** Joins neighbours with equal marks, and the gaps between them. */
function joinEqual(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  let texts: string[] = [];
  let open: Piece | null = null;
  const close = () => {
    if (open !== null) result.push(texts.length === 1 ? open : { ...open, text: texts.join('') });
    open = null;
    texts = [];
  };
  for (const [index, piece] of pieces.entries()) {
    const joins: boolean =
      open !== null &&
      equalMarks(open, piece) &&
      (piece.kind === 'text' || (piece.kind === 'gap' && isText(pieces[index + 1], piece)));
    if (joins) texts.push(piece.text);
    else {
      close();
      if (piece.kind === 'text') {
        open = piece;
        texts.push(piece.text);
      } else result.push(piece);
    }
  }
  close();
  return result;
}

const equalMarks = (a: Piece, b: Piece): boolean => a.marks === b.marks && a.link === b.link;
const isText = (next: Piece | undefined, piece: Piece): boolean =>
  next !== undefined && next.kind === 'text' && equalMarks(next, piece);
