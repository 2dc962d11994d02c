import type { PDFPageProxy } from 'unpdf/pdfjs';
import { joinAccents, type TurnedItem } from './pdf-accents.ts';
import type { PdfValue } from './pdf-annotations.ts';
import { markLinks, type PdfLink, type PdfLinkTable } from './pdf-links.ts';

/** The texts of a page in the order of the content stream, with spaces and the ends of lines. */
export type PdfTextItems = Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'];

/** A piece of text on one baseline without a wide gap. Lengths are in points, and y grows upwards. */
export interface PdfFragment {
  text: string;
  readonly x: number;
  readonly y: number;
  right: number;
  /** Font size. */
  readonly size: number;
}

/** The fragments on one baseline, from left to right. */
export type PdfRow = readonly PdfFragment[];

/** The rows of a page that run in one direction, in reading order. */
export interface PdfDirection {
  /** In degrees against the clock. */
  readonly angle: number;
  readonly rows: readonly PdfRow[];
}

/** A gap wider than this many font sizes separates columns or cells. Between words it is up to .6, if justified up to .9. */
const WIDE_GAP = 1;
/** Fragments whose baselines differ by less than this many font sizes are in one row, such as superscripts. */
const ROW_TOLERANCE = 0.5;

/** What lies on a page besides its own text. */
interface PageExtras {
  readonly values: readonly PdfValue[];
  readonly links: readonly PdfLink[];
  /** Numbers the URLs of the links, which become marks in the texts. */
  readonly table: PdfLinkTable;
}

/**
 * The rows of a page in reading order. Text that runs upwards, downwards or aslant is read by itself, as if the page were turned; the
 * direction with the most text comes first.
 */
export function readingOrder(items: PdfTextItems, extras: PageExtras): PdfDirection[] {
  const directions = new Map<number, TurnedItem[]>();
  for (const item of items) {
    if (!('str' in item)) continue;
    const angle = directionOf(item.transform);
    const group = directions.get(angle) ?? [];
    group.push(turned(item, angle));
    directions.set(angle, group);
  }
  if (directions.size === 0) directions.set(0, []);
  const length = (group: readonly TurnedItem[]) =>
    group.reduce((sum, { text }) => sum + text.trim().length, 0);
  const byLength = [...directions].sort(([, a], [, b]) => length(b) - length(a));
  return byLength.map(([angle, group], index) => {
    const fragments = toFragments(withLinks(joinLetters(joinAccents(spokenOnce(group))), angle, extras));
    if (index === 0) placeValues(fragments, extras.values, angle);
    return { angle, rows: separateColumns(toRows(orderFragments(fragments)), 0) };
  });
}

/** Directions that differ by less are one: scans lie a little aslant. */
const DIRECTION_STEP = 15;

/** Where text runs, in degrees from 0 to 345 against the clock. */
function directionOf([a, b, , d]: readonly number[]): number {
  // Mirrored text is read as it lies.
  if (b === 0 && (a! >= 0 || d! >= 0)) return 0;
  const degrees = (Math.atan2(b!, a!) * 180) / Math.PI;
  return (Math.round(degrees / DIRECTION_STEP) * DIRECTION_STEP + 360) % 360;
}

type PdfTextItem = Extract<PdfTextItems[number], { readonly str: string }>;

function turned(item: PdfTextItem, angle: number): TurnedItem {
  const [, , c, d, e, f] = item.transform as [number, number, number, number, number, number];
  const [x, y] = turnPoint(e, f, angle);
  const size = Math.hypot(c, d) || item.height;
  return { text: item.str, x, y, width: item.width, size, endsLine: item.hasEOL };
}

/** Where a point lies when the page is turned so that a direction runs to the right. */
function turnPoint(x: number, y: number, angle: number): [number, number] {
  if (angle === 0) return [x, y];
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [cos * x + sin * y, cos * y - sin * x];
}

function turnRect([left, bottom, right, top]: PdfLink['rect'], angle: number): PdfLink['rect'] {
  const [x1, y1] = turnPoint(left, bottom, angle);
  const [x2, y2] = turnPoint(right, top, angle);
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** Text that is drawn again at a distance below this many font sizes is bold or has a shadow. */
const OVERPRINT = 0.2;

/** Without texts that lie on the same text. */
function spokenOnce(items: readonly TurnedItem[]): TurnedItem[] {
  const seen = new Map<string, TurnedItem[]>();
  return items.filter((item) => {
    if (item.text.trim() === '') return true;
    const same = seen.get(item.text) ?? [];
    const limit = OVERPRINT * item.size;
    const isAgain = same.some(
      ({ x, y, size }) =>
        Math.abs(x - item.x) <= Math.min(limit, item.width / 2) &&
        Math.abs(y - item.y) <= limit &&
        Math.abs(size - item.size) <= limit,
    );
    if (!isAgain) seen.set(item.text, [...same.slice(-MAX_SAME), item]);
    return !isAgain;
  });
}

/** Of equal texts only the last ones are compared, so that the time stays linear. */
const MAX_SAME = 100;

/** Letters that are set apart, at least so many in a row, are a word: `C H A P T E R`. */
const MIN_SPACED_LETTERS = 4;
/** Letters are not set apart by more than this many font sizes: those are cells of a table. */
const MAX_LETTER_GAP = 1.3;
/** The distance between words is larger than that between letters by this factor. */
const WORD_GAP = 1.5;
const SPACED_LETTERS = /^\p{L}(?: \p{L})+$/u;

/** Joins the letters of words that are set with space between the letters. The package puts a space into each. */
function joinLetters(items: readonly TurnedItem[]): TurnedItem[] {
  const joined: TurnedItem[] = [];
  for (let n = 0; n < items.length; ) {
    const end = spacedEnd(items, n);
    const letters = items.slice(n, end).filter(({ text }) => text.trim() !== '');
    const word = letters.map(({ text }) => text.replaceAll(' ', '')).join('');
    if (word.length < MIN_SPACED_LETTERS || isAlphabet(word)) {
      joined.push(items[n]!);
      n++;
      continue;
    }
    joined.push(...spacedWords(items.slice(n, end)));
    n = end;
  }
  return joined;
}

/** Letters in their order are an index, or the columns of a table. */
function isAlphabet(letters: string): boolean {
  return Array.from(letters).every(
    (letter, n, all) => n === 0 || letter.charCodeAt(0) === all[n - 1]!.charCodeAt(0) + 1,
  );
}

/** Where the items of single letters on one baseline end that begin at an item. */
function spacedEnd(items: readonly TurnedItem[], start: number): number {
  const { y, size } = items[start]!;
  let end = start;
  let last = start;
  for (; end < items.length; end++) {
    const item = items[end]!;
    const isLetter = /^\p{L}$/u.test(item.text) || SPACED_LETTERS.test(item.text);
    if (isLetter && Math.abs(item.y - y) < 0.1 * size && Math.abs(item.size - size) < 0.1 * size)
      last = end + 1;
    else if (item.text.trim() !== '') break;
    if (item.endsLine) {
      end++;
      break;
    }
  }
  return last;
}

/** Words of single letters: the letters of an item belong together, and others by their distance. */
function spacedWords(items: readonly TurnedItem[]): TurnedItem[] {
  const letters = items.filter(({ text }) => text.trim() !== '');
  const gaps = letters.slice(1).map(({ x }, n) => x - letters[n]!.x - letters[n]!.width);
  const isSingle = letters.every(({ text }) => text.length === 1);
  const letterGap = isSingle ? gaps.toSorted((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)]! : 0;
  if (letterGap > MAX_LETTER_GAP * letters[0]!.size) return [...items];
  const words: TurnedItem[] = [];
  for (const [n, letter] of letters.entries()) {
    const word = words.at(-1);
    const text = letter.text.replaceAll(' ', '');
    if (word !== undefined && isSingle && gaps[n - 1]! <= WORD_GAP * letterGap)
      words[words.length - 1] = { ...word, text: word.text + text, width: letter.x + letter.width - word.x };
    else words.push({ ...letter, text: word === undefined ? text : ` ${text}`, endsLine: false });
  }
  return words.map((word, n) =>
    n === words.length - 1 ? { ...word, endsLine: letters.at(-1)!.endsLine } : word,
  );
}

function withLinks(
  items: readonly TurnedItem[],
  angle: number,
  { links, table }: PageExtras,
): readonly TurnedItem[] {
  const places = links.flatMap(({ url, rect }) => {
    const number = table.numberOf(url);
    const [left, bottom, right, top] = turnRect(rect, angle);
    return number === null ? [] : [{ number, left, bottom, right, top }];
  });
  if (places.length === 0) return items;
  return items.map((item) => {
    const middle = item.y + 0.3 * item.size;
    const right = item.x + item.width;
    const here = places.filter(
      (place) => place.bottom <= middle && place.top >= middle && place.left < right && place.right > item.x,
    );
    return here.length === 0 ? item : { ...item, text: markLinks(item.text, item.x, right, here) };
  });
}

function toFragments(items: readonly TurnedItem[]): PdfFragment[] {
  const fragments: PdfFragment[] = [];
  let current: PdfFragment | null = null;
  for (const { text, x, y, width, size, endsLine } of items) {
    const isSpace = text.trim() === '';
    if (isSpace) {
      if (current !== null && width > WIDE_GAP * current.size) current = null;
      else if (current !== null && text !== '') current.text += ' ';
    } else if (current !== null && continues(current, x, y)) {
      current.text += text;
      current.right = Math.max(current.right, x + width);
    } else {
      current = { text, x, y, right: x + width, size };
      fragments.push(current);
    }
    if (endsLine) current = null;
  }
  return fragments;
}

/** Puts values of forms and notes where a reader comes upon them: beside the text of their row, else below the text above. */
function placeValues(fragments: PdfFragment[], values: readonly PdfValue[], angle: number): void {
  for (const { text, size, x: left, y: base, right: end } of values) {
    const [x, y] = turnPoint(left, base, angle);
    const value = { text, x, y, right: x + (end - left), size };
    const inRow = fragments.filter((fragment) => isSameRow(fragment, value));
    const before = inRow.filter((fragment) => fragment.x <= x).sort((a, b) => b.x - a.x)[0];
    const after = inRow.filter((fragment) => fragment.x > x).sort((a, b) => a.x - b.x)[0];
    const above = fragments.filter((fragment) => fragment.y > y).sort((a, b) => a.y - b.y)[0];
    const isBoxOfNext =
      after !== undefined && (before === undefined || after.x - value.right < x - before.right);
    if (isBoxOfNext) fragments.splice(fragments.indexOf(after), 0, value);
    else if (before !== undefined) fragments.splice(fragments.indexOf(before) + 1, 0, value);
    else if (above !== undefined) fragments.splice(fragments.lastIndexOf(above) + 1, 0, value);
    else fragments.unshift(value);
  }
}

function continues(fragment: PdfFragment, x: number, y: number): boolean {
  const gap = x - fragment.right;
  const { size } = fragment;
  return Math.abs(y - fragment.y) < ROW_TOLERANCE * size && gap < WIDE_GAP * size && gap > -size;
}

/** Fragments that follow one another downwards or to the right in the content stream. */
interface Run {
  readonly fragments: PdfFragment[];
  left: number;
  right: number;
  readonly top: number;
  bottom: number;
}

/** With more runs than this, and few fragments in each, the order of the content stream means nothing. */
const MAX_RUNS = 8;
const MIN_RUN_LENGTH = 4;

/**
 * Most programs write in reading order, column by column, and then the order of the stream is better than any guess. So
 * parts that lie side by side keep their order. But a part that stands above another comes before it: some programs write
 * the title last. If there are hardly any parts, as in forms with all labels first, the place on the page decides.
 */
function orderFragments(fragments: readonly PdfFragment[]): PdfFragment[] {
  const runs = toRuns(fragments);
  if (runs.length > Math.max(MAX_RUNS, fragments.length / MIN_RUN_LENGTH)) return fromTopToBottom(fragments);
  if (runs.length > MAX_SORTED_RUNS) return fragments.slice();
  const ordered = new Set<Run>();
  for (const run of runs) {
    const above = runs.filter((other) => !ordered.has(other) && isAbove(other, run));
    for (const other of above.sort((a, b) => b.top - a.top)) ordered.add(other);
    ordered.add(run);
  }
  return [...ordered].flatMap((run) => run.fragments);
}

/** Sorting takes time with the square of their number. */
const MAX_SORTED_RUNS = 200;

function toRuns(fragments: readonly PdfFragment[]): Run[] {
  const runs: Run[] = [];
  let last: PdfFragment | undefined;
  for (const fragment of fragments) {
    const { x, right, y, size } = fragment;
    const run = runs.at(-1);
    if (run === undefined || y > last!.y + ROW_TOLERANCE * size) {
      runs.push({ fragments: [fragment], left: x, right, top: y + size, bottom: y });
    } else {
      run.fragments.push(fragment);
      run.left = Math.min(run.left, x);
      run.right = Math.max(run.right, right);
      run.bottom = y;
    }
    last = fragment;
  }
  return runs;
}

/** Whether all of `a` is above `b`, and not beside it. */
function isAbove(a: Run, b: Run): boolean {
  return a !== b && a.bottom >= b.top - 1 && a.left < b.right && b.left < a.right;
}

function fromTopToBottom(fragments: readonly PdfFragment[]): PdfFragment[] {
  const sorted = fragments.toSorted((a, b) => b.y - a.y);
  // Baselines of one row may differ a little, so rows are formed before they are sorted by x.
  const result: PdfFragment[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && isSameRow(sorted[start]!, sorted[end]!)) end++;
    result.push(...sorted.slice(start, end).sort((a, b) => a.x - b.x));
    start = end;
  }
  return result;
}

function isSameRow(a: PdfFragment, b: PdfFragment): boolean {
  return Math.abs(a.y - b.y) < ROW_TOLERANCE * Math.max(a.size, b.size);
}

function toRows(fragments: readonly PdfFragment[]): PdfRow[] {
  const rows: PdfFragment[][] = [];
  let row: PdfFragment[] = [];
  for (const fragment of fragments) {
    const last = row.at(-1);
    if (last !== undefined && isSameRow(last, fragment) && fragment.x >= last.right - last.size / 2) {
      row.push(fragment);
    } else {
      row = [fragment];
      rows.push(row);
    }
  }
  return rows;
}

/** Columns are taken for columns if this many rows in succession have text on both sides of a gutter. */
const MIN_COLUMN_ROWS = 5;
/** Shorter texts on average are cells of a table, which is read row by row. */
const MIN_PROSE_LENGTH = 20;
const MAX_COLUMN_DEPTH = 3;

interface Gutter {
  readonly left: number;
  readonly right: number;
}

/**
 * Takes columns apart that were written row by row across the page: where rows in succession leave the same gutter free
 * and have prose on both sides, all of the left side comes before the right side.
 */
function separateColumns(rows: readonly PdfRow[], depth: number): PdfRow[] {
  if (depth >= MAX_COLUMN_DEPTH) return [...rows];
  const result: PdfRow[] = [];
  for (let start = 0; start < rows.length; ) {
    const { end, gutter } = columnRun(rows, start);
    if (gutter === null) {
      result.push(rows[start]!);
      start++;
      continue;
    }
    const run = rows.slice(start, end);
    const side = (isLeft: boolean) =>
      run.map((row) => row.filter(({ x }) => x < gutter.right === isLeft)).filter((row) => row.length > 0);
    result.push(...separateColumns(side(true), depth + 1), ...separateColumns(side(false), depth + 1));
    start = end;
  }
  return result;
}

/** The rows from `start` that leave a common gutter free; `gutter` is null if they are not columns of prose. */
function columnRun(rows: readonly PdfRow[], start: number): { end: number; gutter: Gutter | null } {
  let gutter: Gutter | null = firstGutter(rows[start]!);
  if (gutter === null) return { end: start + 1, gutter: null };
  let end = start;
  let both = 0;
  const lengths = { left: 0, right: 0 };
  for (; end < rows.length; end++) {
    const narrowed = narrowGutter(gutter, rows[end]!);
    if (narrowed === null) break;
    gutter = narrowed;
    let left = 0;
    let right = 0;
    for (const { x, text } of rows[end]!) {
      if (x < gutter.right) left += text.length;
      else right += text.length;
    }
    if (left === 0 || right === 0) continue;
    both++;
    lengths.left += left;
    lengths.right += right;
  }
  const isProse = Math.min(lengths.left, lengths.right) >= MIN_PROSE_LENGTH * both;
  return { end, gutter: both >= MIN_COLUMN_ROWS && isProse ? gutter : null };
}

/** The widest gap of a row. */
function firstGutter(row: PdfRow): Gutter | null {
  let widest: Gutter | null = null;
  for (let n = 1; n < row.length; n++) {
    const gap = { left: row[n - 1]!.right, right: row[n]!.x };
    if (widest === null || gap.right - gap.left > widest.right - widest.left) widest = gap;
  }
  return widest;
}

/** What is left of the gutter beside the texts of a row; null: a text lies across it. */
function narrowGutter({ left, right }: Gutter, row: PdfRow): Gutter | null {
  const middle = (left + right) / 2;
  for (const fragment of row) {
    if (fragment.x < middle && fragment.right > middle) return null;
    if (fragment.right <= middle) left = Math.max(left, fragment.right);
    else right = Math.min(right, fragment.x);
  }
  return left < right ? { left, right } : null;
}
