import { parseCsv } from 'hucre/csv';
import { readOds } from 'hucre/ods';
import {
  type CellValue,
  type MergeRange,
  type ReadOptions,
  readXls,
  readXlsx,
  type Sheet,
  type Workbook,
} from 'hucre/xlsx';
import { checkArchive } from './archive.ts';
import type { HtmlAttributes, HtmlWriter } from './html-writer.ts';
import {
  cleanDate,
  cleanProperty,
  pageLimit,
  type ReadLimits,
  type ReadPart,
  TIME_IS_UP,
} from './read-part.ts';

/** Rows of a sheet that are read. */
const MAX_ROWS = 100_000;
const ROW_LIMIT = `at most ${MAX_ROWS} rows of a sheet are read`;
/** What is read of a workbook that has cells so far away that the sheet cannot be read as a whole. */
const NARROW_RANGE = 'A1:IV50000';
const NARROW_LIMIT = 'only 256 columns and 50000 rows of so wide a sheet are read';

export function readXlsxSheets(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): Promise<ReadPart> {
  checkArchive(bytes);
  return readSheets(readXlsx, bytes, writer, limits);
}

export function readOdsSheets(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): Promise<ReadPart> {
  checkArchive(bytes);
  return readSheets(readOds, bytes, writer, limits);
}

export function readXlsSheets(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): Promise<ReadPart> {
  return readSheets(readXls, bytes, writer, limits);
}

type ReadWorkbook = (bytes: Buffer, options: ReadOptions) => Promise<Workbook>;

async function readSheets(
  read: ReadWorkbook,
  bytes: Buffer,
  writer: HtmlWriter,
  limits: ReadLimits,
): Promise<ReadPart> {
  let workbook: Workbook;
  let truncation: string | null = null;
  try {
    workbook = await read(bytes, { maxRows: MAX_ROWS });
  } catch {
    // If the sheet is not too wide, this fails in the same way.
    workbook = await read(bytes, { range: NARROW_RANGE });
    truncation = NARROW_LIMIT;
  }
  const part = writeWorkbook(workbook, writer, limits);
  return { ...part, truncation: truncation ?? part.truncation };
}

/** @param bytes UTF-8 */
export function readCsvTable(bytes: Buffer, writer: HtmlWriter): ReadPart {
  const rows = parseCsv(bytes.toString(), { maxRows: MAX_ROWS });
  writeTable({ name: '', rows }, writer);
  const truncation = rows.length >= MAX_ROWS ? ROW_LIMIT : null;
  return { title: null, author: null, created: null, pages: null, pagesRead: null, truncation };
}

/** A heading and a table for each sheet. */
function writeWorkbook(workbook: Workbook, writer: HtmlWriter, limits: ReadLimits): ReadPart {
  const { sheets, properties } = workbook;
  let truncation: string | null = null;
  let pagesRead = 0;
  for (const sheet of sheets) {
    if (pagesRead >= limits.maxPages) truncation = pageLimit(limits.maxPages);
    else if (limits.isTimeUp()) truncation = TIME_IS_UP;
    if (pagesRead >= limits.maxPages || limits.isTimeUp()) break;
    pagesRead++;
    if (sheet.rows.length >= MAX_ROWS) truncation = ROW_LIMIT;
    writer.element('h2', sheet.name);
    writeTable(sheet, writer);
  }
  return {
    title: cleanProperty(properties?.title),
    author: cleanProperty(properties?.creator),
    created: cleanDate(properties?.created),
    pages: sheets.length,
    pagesRead,
    truncation,
  };
}

function writeTable(
  { rows, merges = [] }: Pick<Sheet, 'name' | 'rows' | 'merges'>,
  writer: HtmlWriter,
): void {
  const lastRow = rows.findLastIndex((row) => row.some((value) => cellText(value) !== ''));
  if (lastRow === -1) return;
  const width = rows.reduce((most, row) => Math.max(most, usedWidth(row)), 0);
  const spans = new CellSpans(merges, lastRow + 1, width);
  const hasHeader = rows[0]!.slice(0, width).every((value) => typeof value === 'string' && value !== '');
  writer.open('table');
  for (let row = 0; row <= lastRow && !writer.isFull; row++) {
    writer.open('tr');
    for (let column = 0; column < width; column++) {
      const attributes = spans.attributes(row, column);
      if (attributes === null) continue;
      writer.element(row === 0 && hasHeader ? 'th' : 'td', cellText(rows[row]![column]), attributes);
    }
    writer.close('tr');
  }
  writer.close('table');
}

/** The number of cells up to the last one that is not empty. */
function usedWidth(row: readonly CellValue[]): number {
  return row.findLastIndex((value) => cellText(value) !== '') + 1;
}

function cellText(value: CellValue | undefined): string {
  if (value == null) return '';
  if (!(value instanceof Date)) return String(value);
  // A date without a time of day is stored as midnight.
  return Number.isNaN(value.getTime())
    ? ''
    : value
        .toISOString()
        .replace(/T00:00:00\.000Z$|\.000Z$/, '')
        .replace('T', ' ');
}

/** Merged cells of a sheet. */
class CellSpans {
  readonly #spans = new Map<string, HtmlAttributes>();
  readonly #covered = new Set<string>();

  constructor(merges: readonly MergeRange[], rows: number, columns: number) {
    for (const { startRow, startCol, endRow, endCol } of merges) {
      const lastRow = Math.min(endRow, rows - 1);
      const lastColumn = Math.min(endCol, columns - 1);
      const colspan = lastColumn - startCol + 1;
      const rowspan = lastRow - startRow + 1;
      // A merge of a million cells is a way of formatting, not a table.
      if (colspan < 1 || rowspan < 1 || colspan * rowspan > 10_000) continue;
      this.#spans.set(`${startRow},${startCol}`, {
        colspan: colspan > 1 ? colspan : undefined,
        rowspan: rowspan > 1 ? rowspan : undefined,
      });
      for (let row = startRow; row <= lastRow; row++)
        for (let column = startCol; column <= lastColumn; column++)
          if (row !== startRow || column !== startCol) this.#covered.add(`${row},${column}`);
    }
  }

  /** @returns null: the cell belongs to another one */
  attributes(row: number, column: number): HtmlAttributes | null {
    const key = `${row},${column}`;
    return this.#covered.has(key) ? null : (this.#spans.get(key) ?? {});
  }
}
