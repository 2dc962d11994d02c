import type { CellValue } from 'hucre/xlsx';

/** Limits of a sheet of Excel. Rows beyond the first are on further sheets; the other two are cut. */
const MAX_COLUMNS = 16_384;
const MAX_CELL_CHARS = 32_767;

/**
 * A workbook (Office Open XML) as it is written: the rows go on further sheets where a sheet is full, each with the first row, and no
 * sheet is in memory. Texts are cells of the type text, so that nothing in them is a formula.
 * @param name of the first sheet
 * @param rows the first one are the names of the columns
 * @param maxRows of a sheet; absent: what Excel can read
 */
export async function* xlsxFile(
  name: string,
  rows: AsyncIterable<readonly unknown[]>,
  maxRows?: number,
): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  async function* cells(): AsyncGenerator<CellValue[]> {
    for await (const row of rows) yield row.slice(0, MAX_COLUMNS).map(cellOf);
  }
  const limit = maxRows === undefined ? {} : { maxRowsPerSheet: maxRows };
  yield* writeXlsxStream(cells(), { name, freezePane: { rows: 1 }, ...limit });
}

/** A plain value as a cell, others as JSON. */
function cellOf(value: unknown): CellValue {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return textCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Characters that XML 1.0 §2.2 does not allow. */
const NO_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
/** What Excel reads as the escape of a character (ECMA-376 part 1 §22.9.2.19). */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** A text that a sheet can hold: a lone surrogate is replaced, what is too long ends with an ellipsis. */
function textCell(text: string): string {
  const whole =
    text.length <= MAX_CELL_CHARS
      ? text
      : `${text.slice(0, MAX_CELL_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  return whole.toWellFormed().replace(NO_XML, '').replace(ESCAPE, '_x005F_');
}
