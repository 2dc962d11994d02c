/** The rows of a table, with its spans repeated into their cells. */
import { attributeOf, type TreeNode } from '../../document/page-tree.ts';

/** Repeated cells of one table. More are not for a reader. */
const MAX_REPEATED_CELLS = 10_000;
/** Characters of repeated cells of one table. */
const MAX_REPEATED_LENGTH = 200_000;
const MAX_COLUMNS = 1000;

interface PendingSpan {
  readonly text: string;
  /** Rows that are still to be filled. */
  rows: number;
}

export class TableRows {
  readonly #rows: string[][] = [];
  #hasHeader = false;
  #row: string[] = [];
  #rowIsHeader = false;
  /** By column: the cell above that reaches down. */
  readonly #spans = new Map<number, PendingSpan>();
  #repeatedCells = 0;
  #repeatedLength = 0;

  /** @param isHeader the row is in the head of the table, or has nothing but header cells */
  openRow(isHeader: boolean): void {
    this.#row = [];
    this.#rowIsHeader = isHeader;
  }

  addCell(text: string, columns: number, rows: number): void {
    this.#fillSpans();
    for (let column = 0; column < Math.max(columns, 1); column++) {
      const index = this.#row.length;
      if (column > 0 && (this.#spans.has(index) || !this.#mayRepeat(text))) break;
      this.#row.push(text);
      if (rows > 1) this.#spans.set(index, { text, rows: rows - 1 });
    }
  }

  closeRow(): void {
    this.#fillSpans();
    for (const column of this.#spans.keys()) if (column >= this.#row.length) this.#spans.delete(column);
    if (this.#row.every((text) => text === '')) return;
    if (this.#rows.length === 0) this.#hasHeader = this.#rowIsHeader;
    this.#rows.push(this.#row);
  }

  /** Spans end with the section of the table (WHATWG HTML §4.9.12.1). */
  endSection(): void {
    this.#spans.clear();
  }

  /** The lines of a GFM table; null if no cell has content. A table without a header gets an empty one. */
  lines(): string[] | null {
    if (this.#rows.length === 0) return null;
    const columns = this.#rows.reduce((most, row) => Math.max(most, row.length), 0);
    const [first, ...others] = this.#rows;
    const header = this.#hasHeader ? [...first!] : [];
    while (header.length < columns) header.push('');
    const rows = this.#hasHeader ? others : this.#rows;
    return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  }

  /** Fills the columns that cells of the rows above reach into, up to the next free one. */
  #fillSpans(): void {
    for (
      let span = this.#spans.get(this.#row.length);
      span !== undefined;
      span = this.#spans.get(this.#row.length)
    ) {
      const column = this.#row.length;
      span.rows--;
      if (span.rows === 0) this.#spans.delete(column);
      if (!this.#mayRepeat(span.text)) {
        this.#spans.clear();
        return;
      }
      this.#row.push(span.text);
    }
  }

  #mayRepeat(text: string): boolean {
    if (this.#repeatedCells >= MAX_REPEATED_CELLS || this.#row.length >= MAX_COLUMNS) return false;
    if (this.#repeatedLength + text.length > MAX_REPEATED_LENGTH) return false;
    this.#repeatedCells++;
    this.#repeatedLength += text.length;
    return true;
  }
}

/** `0` reaches to the end of the section (WHATWG HTML §4.9.11). */
export function spanOf(cell: TreeNode, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  if (value === 0 && name === 'rowspan') return 65_534;
  return value >= 1 ? Math.min(value, name === 'colspan' ? 1000 : 65_534) : 1;
}
