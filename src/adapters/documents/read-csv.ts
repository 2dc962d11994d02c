import { parseCsv } from 'hucre/csv';
import type { HtmlWriter } from './html-writer.ts';
import type { ReadPart } from './read-part.ts';
import { MAX_ROWS, ROW_LIMIT, writeSheet } from './sheet-table.ts';

/** @param bytes UTF-8 */
export function readCsv(bytes: Buffer, writer: HtmlWriter): ReadPart {
  const rows = parseCsv(bytes.toString(), { maxRows: MAX_ROWS });
  writeSheet({ rows: rows.map((row) => row.map((value) => ({ text: String(value ?? '') }))) }, writer);
  const truncation = rows.length >= MAX_ROWS ? ROW_LIMIT : null;
  return { title: null, author: null, created: null, pages: null, pagesRead: null, truncation };
}
