import type { HtmlAttributes, HtmlWriter } from './html-writer.ts';

/** What a cell shows; null: nothing. */
export type SheetCell = {
  readonly text: string;
  readonly isNumber?: boolean;
  readonly href?: string | undefined;
} | null;

/** Merged cells; rows and columns count from 0, and the last ones belong to it. */
export interface SheetMerge {
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly lastColumn: number;
}

export interface SheetTable {
  /** Rows and cells may be missing. */
  readonly rows: readonly (readonly (SheetCell | undefined)[] | undefined)[];
  readonly merges?: readonly SheetMerge[];
  /** By index, from 0. */
  readonly hiddenRows?: ReadonlySet<number>;
  readonly hiddenColumns?: ReadonlySet<number>;
}

/** Rows of a sheet that are read. */
export const MAX_ROWS = 100_000;
export const ROW_LIMIT = `at most ${MAX_ROWS} rows of a sheet are read`;
/** Most cells of a table. A sheet with a cell at its far end has 17,000 million of them. */
const MAX_CELLS = 2_000_000;
/** Columns that are read of a larger table. */
const MAX_WIDE_COLUMNS = 256;

/**
 * Writes a table up to the last row and column in use. Its first row is a header if all of its cells have text that is no number.
 * @returns why only a part was written; null: all was
 */
export function writeSheet(sheet: SheetTable, writer: HtmlWriter): string | null {
  const { rows, merges } = shownPart(sheet, writer);
  const used = rows.map((row) => (row === undefined ? 0 : row.findLastIndex(isUsed) + 1));
  const height = used.findLastIndex((count) => count > 0) + 1;
  if (height === 0) return null;
  const fullWidth = used.reduce((most, count) => Math.max(most, count), 0);
  const isWide = fullWidth > MAX_WIDE_COLUMNS && fullWidth * height > MAX_CELLS;
  const width = isWide ? MAX_WIDE_COLUMNS : fullWidth;
  const spans = new CellSpans(merges, height, width);
  const first = rows[0] ?? [];
  const isHeader = (column: number) => isUsed(first[column]) && first[column]!.isNumber !== true;
  const hasHeader = Array.from({ length: width }, (_, column) => column).every(isHeader);
  writer.open('table');
  for (let row = 0; row < height && !writer.isFull; row++) {
    writer.open('tr');
    for (let column = 0; column < width; column++) {
      const attributes = spans.attributes(row, column);
      if (attributes === null) continue;
      const tag = row === 0 && hasHeader ? 'th' : 'td';
      const cell = rows[row]?.[column];
      writer.open(tag, attributes);
      if (cell?.href === undefined) writer.text(cell?.text ?? '');
      else writer.element('a', cell.text, { href: cell.href });
      writer.close(tag);
    }
    writer.close('tr');
  }
  writer.close('table');
  return isWide ? `only ${MAX_WIDE_COLUMNS} columns of so wide a sheet are read` : null;
}

const isUsed = (cell: SheetCell | undefined): boolean => cell != null && cell.text !== '';

/** The table without hidden rows and columns. */
function shownPart(sheet: SheetTable, writer: HtmlWriter): Required<Pick<SheetTable, 'rows' | 'merges'>> {
  const { rows, merges = [], hiddenRows = new Set(), hiddenColumns = new Set() } = sheet;
  if (hiddenRows.size === 0 && hiddenColumns.size === 0) return { rows, merges };
  const isShown = (hidden: ReadonlySet<number>) => (_: unknown, index: number) => !hidden.has(index);
  const used = rows.map((row) => row?.some(isUsed) ?? false);
  writer.hide('rows', [...hiddenRows].filter((row) => used[row]).length);
  const usedColumns = new Set(
    rows.flatMap((row) => row?.flatMap((cell, column) => (isUsed(cell) ? [column] : [])) ?? []),
  );
  writer.hide('columns', [...hiddenColumns].filter((column) => usedColumns.has(column)).length);
  // Rows are sparse, and `filter` leaves out what is missing.
  const shownRows = Array.from(rows).filter(isShown(hiddenRows));
  const shown = shownRows.map((row) => row && Array.from(row).filter(isShown(hiddenColumns)));
  const [rowPlaces, columnPlaces] = [places(hiddenRows), places(hiddenColumns)];
  const moved = merges.map(({ row, column, lastRow, lastColumn }) => ({
    row: rowPlaces(row),
    column: columnPlaces(column),
    lastRow: rowPlaces(lastRow + 1) - 1,
    lastColumn: columnPlaces(lastColumn + 1) - 1,
  }));
  return {
    rows: shown,
    merges: moved.filter((merge) => merge.lastRow >= merge.row && merge.lastColumn >= merge.column),
  };
}

/** Where an index comes to lie when the hidden ones before it are left out. */
function places(hidden: ReadonlySet<number>): (index: number) => number {
  const sorted = [...hidden].sort((a, b) => a - b);
  return (index) => {
    const before = sorted.findIndex((one) => one >= index);
    return index - (before === -1 ? sorted.length : before);
  };
}

/** Merged cells of a sheet. */
class CellSpans {
  readonly #spans = new Map<string, HtmlAttributes>();
  readonly #covered = new Set<string>();

  constructor(merges: readonly SheetMerge[], rows: number, columns: number) {
    for (const merge of merges) {
      const { row: firstRow, column: firstColumn } = merge;
      const lastRow = Math.min(merge.lastRow, rows - 1);
      const lastColumn = Math.min(merge.lastColumn, columns - 1);
      const colspan = lastColumn - firstColumn + 1;
      const rowspan = lastRow - firstRow + 1;
      // A merge of a million cells is a way of formatting, not a table.
      if (colspan < 1 || rowspan < 1 || colspan * rowspan > 10_000) continue;
      this.#spans.set(`${firstRow},${firstColumn}`, {
        colspan: colspan > 1 ? colspan : undefined,
        rowspan: rowspan > 1 ? rowspan : undefined,
      });
      for (let row = firstRow; row <= lastRow; row++)
        for (let column = firstColumn; column <= lastColumn; column++)
          if (row !== firstRow || column !== firstColumn) this.#covered.add(`${row},${column}`);
    }
  }

  /** @returns null: the cell belongs to another one */
  attributes(row: number, column: number): HtmlAttributes | null {
    const key = `${row},${column}`;
    return this.#covered.has(key) ? null : (this.#spans.get(key) ?? {});
  }
}
