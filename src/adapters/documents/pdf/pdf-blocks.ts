import type { PdfFragment, PdfRow } from './pdf-lines.ts';
import { withoutMarks } from './pdf-links.ts';

/** A line of a paragraph. */
export interface PdfLine {
  readonly text: string;
  /** A deliberate line break follows (an address, a poem, a receipt): the first word of the next line would have fitted. */
  breaks: boolean;
}

/** Lines of one paragraph, heading or item of a list. */
export interface PdfParagraph {
  readonly kind: 'paragraph' | 'item';
  readonly lines: PdfLine[];
  readonly size: number;
}

export interface PdfTable {
  readonly kind: 'table';
  readonly rows: readonly (readonly string[])[];
  readonly size: number;
}

export type PdfBlock = PdfParagraph | PdfTable;

/** This many successive rows with several fragments each are a table. With three or more columns, two rows are enough. */
const MIN_TABLE_ROWS = 3;
/** A distance of more than this many usual line distances separates paragraphs. */
const PARAGRAPH_GAP = 1.25;
/** Sizes in one paragraph differ by less than this factor. */
const SIZE_TOLERANCE = 1.1;
const BULLET = /^[•◦▪‣●○■□➢✓\uf0b7]\s*/;
const STARTS_LOWER_CASE = /^\p{Ll}/u;
const SENTENCE_END = /[.!?:;"”’)\]]$/;

/** The paragraphs, items and tables of a page. @param rows in reading order */
export function toBlocks(rows: readonly PdfRow[]): PdfBlock[] {
  const blocks: PdfBlock[] = [];
  const leading = usualLeading(rows);
  /** Lines that belong together by their distance and size. */
  let group: PdfFragment[] = [];
  const endGroup = () => {
    blocks.push(...toParagraphs(group));
    group = [];
  };
  for (let n = 0; n < rows.length; ) {
    const table = tableAt(rows, n);
    if (table !== null) {
      endGroup();
      blocks.push(table.block);
      n = table.end;
      continue;
    }
    const line = joinFragments(rows[n]!);
    n++;
    if (line.text === '') continue;
    const last = group.at(-1);
    if (last !== undefined && startsGroup(last, line, leading)) endGroup();
    group.push(line);
  }
  endGroup();
  return blocks;
}

/** Divides lines that follow one another closely: at bullets, and where a sentence ends before the end of its line. */
function toParagraphs(group: readonly PdfFragment[]): PdfParagraph[] {
  const paragraphs: PdfParagraph[] = [];
  const edge = group.reduce((most, { right }) => Math.max(most, right), 0);
  let last: PdfFragment | null = null;
  for (const line of group) {
    const bullet = BULLET.exec(line.text);
    const breaks = last !== null && line.y < last.y && hasRoomFor(last, line, edge);
    const ended =
      last !== null && SENTENCE_END.test(withoutMarks(last.text)) && (breaks || isIndented(last, line));
    const paragraph = paragraphs.at(-1);
    const text = bullet === null ? line.text : line.text.slice(bullet[0].length);
    if (paragraph === undefined || bullet !== null || ended) {
      const kind = bullet === null ? 'paragraph' : 'item';
      paragraphs.push({ kind, lines: [{ text, breaks: false }], size: line.size });
    } else {
      paragraph.lines.at(-1)!.breaks = breaks;
      paragraph.lines.push({ text, breaks: false });
    }
    last = line;
  }
  return paragraphs;
}

/**
 * Whether the first word of a line would have fitted at the end of the line before. False in the middle of a sentence: there
 * the room is by chance.
 */
function hasRoomFor(last: PdfFragment, { text, x, right }: PdfFragment, edge: number): boolean {
  if (STARTS_LOWER_CASE.test(withoutMarks(text))) return false;
  const wordLength = text.search(/\s|$/) + 1;
  const charWidth = (right - x) / text.length;
  return last.right + wordLength * charWidth < edge;
}

function isIndented(last: PdfFragment, { x, size }: PdfFragment): boolean {
  const indent = x - last.x;
  return indent > 0.8 * size && indent < 5 * size;
}

function joinFragments(row: PdfRow): PdfFragment {
  const text = row.map((fragment) => fragment.text.trim()).join(' ');
  const [first] = row;
  return { ...first!, text, right: row.at(-1)!.right };
}

/** The most frequent distance between baselines of a page, in font sizes. */
function usualLeading(rows: readonly PdfRow[]): number {
  const counts = new Map<number, number>();
  for (let n = 1; n < rows.length; n++) {
    const { y, size } = rows[n]![0]!;
    const ratio = Math.round(((rows[n - 1]![0]!.y - y) / size) * 20) / 20;
    if (ratio > 0.8 && ratio < 3) counts.set(ratio, (counts.get(ratio) ?? 0) + 1);
  }
  let usual = 1.2;
  let most = 1;
  for (const [ratio, count] of counts) {
    if (count <= most) continue;
    usual = ratio;
    most = count;
  }
  return usual;
}

/** Whether a line is too far from the last one, or too different, to be of the same paragraph. */
function startsGroup(last: PdfFragment, line: PdfFragment, leading: number): boolean {
  const { size } = line;
  if (Math.max(last.size, size) / Math.min(last.size, size) > SIZE_TOLERANCE) return true;
  const down = last.y - line.y;
  // The next column: a sentence may go on there.
  if (down < 0)
    return SENTENCE_END.test(withoutMarks(last.text)) || !STARTS_LOWER_CASE.test(withoutMarks(line.text));
  return down > PARAGRAPH_GAP * leading * size;
}

/** The table that begins at a row: its fragments fall into the same columns, and no two of one row into one. */
function tableAt(rows: readonly PdfRow[], start: number): { block: PdfTable; end: number } | null {
  let columns: [left: number, right: number][] = [];
  let end = start;
  for (; end < rows.length && rows[end]!.length > 1; end++) {
    const extended = extendColumns(columns, rows[end]!);
    // A fragment across several columns: what follows is not of this table.
    if (extended.length < 2 || !rows.slice(start, end + 1).every((row) => isApart(row, extended))) break;
    columns = extended;
    if (end - start >= MAX_TABLE_ROWS) break;
  }
  if (end - start < (columns.length > 2 ? 2 : MIN_TABLE_ROWS)) return null;
  const cells = rows.slice(start, end).map((row) =>
    columns.map(([left, right]) => {
      const fragment = row.find(({ x }) => x >= left && x <= right);
      return fragment?.text.trim() ?? '';
    }),
  );
  return { block: { kind: 'table', rows: cells, size: rows[start]![0]!.size }, end };
}

/** Larger tables are read in parts, so that the time stays linear in the rows of a page. */
const MAX_TABLE_ROWS = 200;

/** Unites the extents of the fragments with those of the columns that they overlap. */
function extendColumns(columns: readonly [number, number][], row: PdfRow): [number, number][] {
  const extents = [...columns, ...row.map(({ x, right }): [number, number] => [x, right])];
  extents.sort((a, b) => a[0] - b[0]);
  const united: [number, number][] = [];
  for (const [left, right] of extents) {
    const last = united.at(-1);
    if (last !== undefined && left <= last[1]) last[1] = Math.max(last[1], right);
    else united.push([left, right]);
  }
  return united;
}

function isApart(row: PdfRow, columns: readonly [number, number][]): boolean {
  const used = row.map(({ x }) => columns.findIndex(([left, right]) => x >= left && x <= right));
  return new Set(used).size === used.length;
}
