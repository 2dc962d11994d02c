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
    const item = entryAt(rows, n) ?? optionAt(rows, n, leading);
    if (item !== null) {
      endGroup();
      blocks.push(item.block);
      n = item.end;
      continue;
    }
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

/** The end of a line of a table of contents: dots lead to the number of a page. */
const LEADER =
  /(?:(?:[.·…]\s?){4,200}|…{2,200}|_{4,200}\s?)\s{0,9}((?:\d{1,5}|[ivxlcdm]{1,8}|[A-Z]-?\d{1,4})(?:,\s?\d{1,5}){0,20})$/iu;
const OF_LEADER = new Set(' .·…');
/** The number of a chapter or section at the beginning of an entry. */
const SECTION_NUMBER = /^(?:\d|[A-Z]\.|appendix|chapter|part)/i;

interface FoundItem {
  readonly block: PdfParagraph;
  /** The row after it. */
  readonly end: number;
}

const rowText = (row: PdfRow): string => withoutMarks(joinFragments(row).text);

/** The title and the page of an entry; null: the text is none. */
function entryOf(text: string): string | null {
  const match = LEADER.exec(text);
  if (match === null) return null;
  let end = match.index;
  while (end > 0 && OF_LEADER.has(text[end - 1]!)) end--;
  return end === 0 ? null : `${text.slice(0, end)} … ${match[1]}`;
}

const isEntry = (row: PdfRow | undefined): boolean => row !== undefined && entryOf(rowText(row)) !== null;

/** The entry of a table of contents that begins at a row. One whose title is long has two rows. */
function entryAt(rows: readonly PdfRow[], start: number): FoundItem | null {
  const row = rows[start]!;
  const text = rowText(row);
  const goesOn =
    !isEntry(row) &&
    start > 0 &&
    isEntry(rows[start - 1]) &&
    SECTION_NUMBER.test(text) &&
    isEntry(rows[start + 1]) &&
    !SECTION_NUMBER.test(rowText(rows[start + 1]!));
  const entry = entryOf(goesOn ? `${text} ${rowText(rows[start + 1]!)}` : text);
  if (entry === null) return null;
  return {
    block: { kind: 'item', lines: [{ text: entry, breaks: false }], size: row[0]!.size },
    end: start + (goesOn ? 2 : 1),
  };
}

/** An option of a command: `-x`, `--long=VALUE`, `+x`, `[-+]x`, `--`; the hyphen may be a minus. */
const OPTION = /^(?:(?:[-−–]{1,2}|\+|\[[-−–+]{1,2}\])[\p{L}?#@](?:[\p{L}\p{N}_−–-]|$|[ ,=[<])|--$|−−$)/u;
/** Texts that stand further to the right by this many font sizes belong to the option. */
const OPTION_INDENT = 0.8;

/** The option that begins at a row, with what is said about it: beside it, and below it further to the right. */
function optionAt(rows: readonly PdfRow[], start: number, leading: number): FoundItem | null {
  const row = rows[start]!;
  const [{ x, size }] = row as [PdfFragment];
  if (row.length > 2 || !OPTION.test(withoutMarks(row[0]!.text))) return null;
  const follows = (n: number) => {
    const [last, next] = [rows[n - 1]![0]!, rows[n]?.[0]];
    if (next === undefined || next.y >= last.y || last.y - next.y > PARAGRAPH_GAP * leading * size)
      return false;
    return next.x > x + OPTION_INDENT * size && !OPTION.test(withoutMarks(next.text));
  };
  let end = start + 1;
  while (end < rows.length && rows[end]!.length === 1 && follows(end)) end++;
  const isOption = (n: number) => {
    const other = rows[n];
    return other !== undefined && Math.abs(other[0]!.x - x) < 1 && OPTION.test(withoutMarks(other[0]!.text));
  };
  // Alone, a line that begins so is part of a text.
  if (row.length === 1 && end === start + 1 && !isOption(end) && !isOption(start - 1)) return null;
  const lines = rows.slice(start, end).map((each) => ({ text: joinFragments(each).text, breaks: false }));
  // The option has a line of its own.
  if (row.length === 1 && lines.length > 1 && row[0]!.right < rows[start + 1]![0]!.right - size)
    lines[0]!.breaks = isShortTerm(lines[0]!.text);
  return { block: { kind: 'item', lines, size }, end };
}

const MAX_TERM_WORDS = 4;
const isShortTerm = (text: string) => text.trim().split(/\s+/).length <= MAX_TERM_WORDS;

const BARE_BULLET = /^[•◦▪‣●○■□➢✓\uf0b7]$/;
/** Whether a row is an item of a list, and not of a table. */
const isOfList = (row: PdfRow): boolean =>
  isEntry(row) ||
  (row.length === 2 && (BARE_BULLET.test(row[0]!.text.trim()) || OPTION.test(withoutMarks(row[0]!.text))));

const NUMBERED = /^\(?(\d{1,3})[.)]\s+\S/;

/** The number of an item at the beginning of a line; null: there is none. */
function itemNumber({ text }: PdfFragment): number | null {
  const match = NUMBERED.exec(withoutMarks(text));
  return match === null ? null : Number(match[1]);
}

/** What the lines of a list hang on. */
interface ItemStart {
  /** Where the bullet or number stands: what stands further to the right goes on with the item. */
  readonly x: number;
  readonly number: number | null;
}

/** Divides lines that follow one another closely: at bullets and numbers, and where a sentence ends before the end of its line. */
function toParagraphs(group: readonly PdfFragment[]): PdfParagraph[] {
  const paragraphs: PdfParagraph[] = [];
  const edge = group.reduce((most, { right }) => Math.max(most, right), 0);
  let last: PdfFragment | null = null;
  let item: ItemStart | null = null;
  for (const line of group) {
    const bullet = BULLET.exec(line.text);
    const number = itemNumber(line);
    const breaks = last !== null && line.y < last.y && hasRoomFor(last, line, edge);
    const ended =
      last !== null && SENTENCE_END.test(withoutMarks(last.text)) && (breaks || isIndented(last, line));
    const paragraph = paragraphs.at(-1);
    const text = bullet === null ? line.text : line.text.slice(bullet[0].length);
    const hangs = item !== null && line.y < last!.y && line.x > item.x + MIN_HANG * line.size;
    const isNext =
      number !== null && number - 1 === item?.number && Math.abs(line.x - item.x) < MIN_HANG * line.size;
    if (paragraph === undefined || bullet !== null || isNext || (ended && !hangs)) {
      item = bullet === null && number === null ? null : { x: line.x, number };
      const kind = bullet === null ? 'paragraph' : 'item';
      paragraphs.push({ kind, lines: [{ text, breaks: false }], size: line.size });
    } else {
      paragraph.lines.at(-1)!.breaks = breaks && !hangs;
      paragraph.lines.push({ text, breaks: false });
    }
    last = line;
  }
  return paragraphs;
}

/** In font sizes. */
const MIN_HANG = 0.3;

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
  for (; end < rows.length && rows[end]!.length > 1 && !isOfList(rows[end]!); end++) {
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
