import type { PdfDirection, PdfRow } from './pdf-lines.ts';
import { withoutMarks } from './pdf-links.ts';

/** A page without its running head and foot. */
export interface FramedPage {
  readonly head: readonly string[];
  readonly rows: PdfRow[];
  readonly foot: readonly string[];
}

type Edge = 'head' | 'foot';

/** The lines at one edge of a page: all that stand on the outermost baseline. */
interface EdgeLine {
  readonly page: number;
  readonly rows: readonly PdfRow[];
  /** Without the number of the page. */
  readonly text: string;
  /** The number of the page; null: there is none. */
  readonly number: number | null;
}

/** So many lines are looked at, one after the other from the edge. */
const MAX_LINES = 3;
/** A running head stands on at least so many pages. */
const MIN_PAGES = 3;
/** This share of the lines at a place must be like those of other pages. */
const MIN_ALIKE = 0.6;
/** Lines at one place differ by less than this in points. */
const PLACE_STEP = 3;
/** A larger text is a title that many pages have, as slides do. */
const MAX_SIZE = 1.15;
const MAX_LENGTH = 200;

const ROMAN = /^(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/i;
const ROMAN_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };
const NUMBER = '(\\d{1,5}|[ivxlcdm]{1,8})';
/** "12", "– 12 –", "Page 12", "12 of 90", "Seite 12/90" at the beginning or the end of a line. */
const AROUND = '(?:[-–—|·•]\\s*)?';
const PAGE_WORD = '(?:(?:page|seite|página|pagina|pág\\.|p\\.|s\\.|стр\\.)\\s*)?';
const OF_PAGES = '(?:\\s*(?:of|/|von|de|sur|di|из)\\s*\\d{1,5})?';
const AT_END = new RegExp(`(?:^|\\s)${AROUND}${PAGE_WORD}${NUMBER}${OF_PAGES}(?:\\s*[-–—|])?$`, 'iu');
const AT_START = new RegExp(`^${AROUND}${PAGE_WORD}${NUMBER}${OF_PAGES}(?:\\s*[-–—|·•])?(?=\\s)`, 'iu');

/**
 * Takes running heads, running feet and the numbers of pages from the pages: lines at an edge that say the same as those at the
 * same place of other pages, but for a number that counts with the pages. Left and right pages may differ, and chapters too.
 */
export function framedPages(pages: readonly (readonly PdfDirection[])[]): FramedPage[] {
  const left = pages.map((directions) => directions.map(({ rows }) => new Set(rows)));
  const framed = pages.map(() => ({ head: [] as string[], foot: [] as string[] }));
  const maxSize = MAX_SIZE * usualSize(pages);
  const angles = new Set(pages.flatMap((directions) => directions.map(({ angle }) => angle)));
  for (const angle of angles)
    for (const edge of ['head', 'foot'] as const)
      for (let line = 0, above = new Map<number, number>(); line < MAX_LINES; line++) {
        const lines = pages.flatMap((directions, page) => {
          const index = directions.findIndex((direction) => direction.angle === angle);
          const found = index === -1 ? [] : edgeLine(left[page]![index]!, edge, page, maxSize);
          // A head of several lines stands together; what stands apart from it is the text of the page.
          return line === 0 ? found : found.filter((each) => isNear(each, above.get(page)));
        });
        const found = [...Map.groupBy(lines, placeOf).values()].flatMap(frameLines);
        if (found.length === 0) break;
        above = new Map(found.map(({ page, rows }) => [page, rows[0]![0]!.y]));
        for (const { page, rows } of found) {
          for (const row of rows) for (const set of left[page]!) set.delete(row);
          framed[page]![edge].push(lineText(rows));
        }
      }
  return pages.map((_, page) => ({
    head: framed[page]!.head,
    rows: left[page]!.flatMap((rows) => [...rows]),
    foot: framed[page]!.foot.toReversed(),
  }));
}

/** Lines of one head are apart by at most so many font sizes. */
const MAX_LEADING = 2;

function isNear({ rows }: EdgeLine, y: number | undefined): boolean {
  const [first] = rows[0]! as [PdfRow[number]];
  return y !== undefined && Math.abs(first.y - y) <= MAX_LEADING * first.size;
}

/** The font size of most of the text. */
function usualSize(pages: readonly (readonly PdfDirection[])[]): number {
  const lengths = new Map<number, number>();
  for (const directions of pages)
    for (const { rows } of directions)
      for (const row of rows)
        for (const { text, size } of row) {
          const rounded = Math.round(size * 2) / 2;
          lengths.set(rounded, (lengths.get(rounded) ?? 0) + text.length);
        }
  return [...lengths].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}

/** The outermost line of a page; none if it is too large or too long to run through the pages. */
function edgeLine(rows: ReadonlySet<PdfRow>, edge: Edge, page: number, maxSize: number): EdgeLine[] {
  let outermost: PdfRow | null = null;
  for (const row of rows) {
    const further = outermost === null ? 0 : row[0]!.y - outermost[0]!.y;
    if (outermost === null || (edge === 'head' ? further > 0 : further < 0)) outermost = row;
  }
  if (outermost === null) return [];
  const { y, size } = outermost[0]!;
  const line = [...rows].filter((row) => Math.abs(row[0]!.y - y) < size / 2);
  const text = lineText(line);
  if (line.some((row) => row.some((fragment) => fragment.size > maxSize)) || text.length > MAX_LENGTH)
    return [];
  return [{ page, rows: line, ...numbered(text) }];
}

const lineText = (rows: readonly PdfRow[]): string =>
  rows
    .flat()
    .toSorted((a, b) => a.x - b.x)
    .map(({ text }) => withoutMarks(text).trim())
    .join(' ')
    .replace(/\s+/g, ' ');

/** Divides a line into its text and the number of the page. */
function numbered(line: string): { readonly text: string; readonly number: number | null } {
  for (const pattern of [AT_END, AT_START]) {
    const match = pattern.exec(line);
    const value = match === null ? null : pageNumberOf(match[1]!);
    if (value === null) continue;
    const rest = `${line.slice(0, match!.index)} ${line.slice(match!.index + match![0].length)}`;
    return { text: rest.trim(), number: value };
  }
  return { text: line, number: null };
}

function pageNumberOf(numeral: string): number | null {
  if (/^\d/.test(numeral)) return Number(numeral);
  if (!ROMAN.test(numeral)) return null;
  const values = Array.from(numeral.toLowerCase(), (letter) => ROMAN_VALUES[letter]!);
  return values.reduce((sum, value, n) => sum + (value < (values[n + 1] ?? 0) ? -value : value), 0);
}

const placeOf = ({ rows }: EdgeLine): string => {
  const [{ y, size }] = rows[0]! as [PdfRow[number]];
  return `${Math.round(y / PLACE_STEP)} ${Math.round(size)}`;
};

/** The lines at one place that belong to the frame. */
function frameLines(lines: readonly EdgeLine[]): readonly EdgeLine[] {
  if (lines.length < MIN_PAGES) return [];
  const count = (key: (line: EdgeLine) => unknown) => Map.groupBy(lines, key);
  const sameText = count(({ text }) => text);
  const counted = count(({ page, number }) => (number === null ? null : number - page));
  const repeats = ({ text }: EdgeLine) => text !== '' && sameText.get(text)!.length >= 2;
  // A number that stands alone, or beside the title of a chapter that has one page.
  const counts = ({ page, number }: EdgeLine) =>
    number !== null && counted.get(number - page)!.length >= MIN_PAGES;
  const alike = lines.filter((line) => repeats(line) || counts(line));
  if (alike.length < MIN_PAGES || alike.length < MIN_ALIKE * lines.length) return [];
  return lines.filter((line) => repeats(line) || counts(line) || (line.text === '' && line.number !== null));
}
