import type { HtmlWriter } from './html-writer.ts';
import { hidingStyles, odfProperties, openOdf } from './odf-archive.ts';
import { pageLimit, type ReadLimits, type ReadPart, TIME_IS_UP } from './read-part.ts';
import { MAX_ROWS, ROW_LIMIT, type SheetCell, type SheetMerge, writeSheet } from './sheet-table.ts';
import { readXml, type XmlAttributes } from './xml-events.ts';

/** Reads the sheets of OpenDocument (ISO/IEC 26300): each cell has the text that it shows beside its value. */
export function readOds(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): ReadPart {
  const { archive, content } = openOdf(bytes);
  let truncation: string | null = null;
  let pages = 0;
  let pagesRead = 0;
  const hiding = hidingStyles([content]);
  const body = new OdsBody((sheet) => {
    if (hiding.has(sheet.style)) {
      writer.hide('sheets', 1);
      return;
    }
    pages++;
    if (pagesRead >= limits.maxPages) truncation = pageLimit(limits.maxPages);
    else if (limits.isTimeUp()) truncation = TIME_IS_UP;
    if (pagesRead >= limits.maxPages || limits.isTimeUp()) return;
    pagesRead++;
    writer.element('h2', sheet.name);
    truncation = writeSheet(sheet, writer) ?? sheet.truncation ?? truncation;
  });
  readXml(content, {
    open: (name, attributes) => body.open(name, attributes),
    close: (name) => body.close(name),
    text: (text) => body.text(text),
  });
  return { ...odfProperties(archive), pages, pagesRead, truncation };
}

interface OdsSheet {
  readonly name: string;
  readonly style: string;
  readonly hiddenRows: Set<number>;
  readonly hiddenColumns: Set<number>;
  readonly rows: (readonly SheetCell[] | undefined)[];
  readonly merges: SheetMerge[];
  truncation: string | null;
}

/** Cells and rows that repeat without text fill the sheet to its end; those with text are written out so often. */
const MAX_REPEATED = 1000;
const MAX_CELLS = 2_000_000;
/** Elements whose text is not that of the cell: comments, drawings, forms, deleted cells. */
const SKIPPED = new Set(['office:annotation', 'table:shapes', 'office:forms', 'table:tracked-changes']);
const NUMBERS = new Set(['float', 'percentage', 'currency', 'date', 'time', 'boolean']);

class OdsBody {
  readonly #onSheet: (sheet: OdsSheet) => void;
  #sheet: OdsSheet | null = null;
  #row: SheetCell[] = [];
  #rowIndex = 0;
  #columnIndex = 0;
  #rowAttributes: XmlAttributes = {};
  #column = 0;
  #cells = 0;
  #cellAttributes: XmlAttributes | null = null;
  #text = '';
  #paragraphs = 0;
  #paragraphDepth = 0;
  #href: string | undefined;
  #skipDepth = 0;

  constructor(onSheet: (sheet: OdsSheet) => void) {
    this.#onSheet = onSheet;
  }

  open(name: string, attributes: XmlAttributes): void {
    // A drawing lies on the cell. A table may be inside of one.
    if (this.#skipDepth > 0 || SKIPPED.has(name) || (name.startsWith('draw:') && this.#sheet !== null)) {
      this.#skipDepth++;
      return;
    }
    switch (name) {
      case 'table:table':
        this.#sheet = {
          name: attributes['table:name'] ?? '',
          style: attributes['table:style-name'] ?? '',
          hiddenRows: new Set(),
          hiddenColumns: new Set(),
          rows: [],
          merges: [],
          truncation: null,
        };
        this.#rowIndex = 0;
        this.#columnIndex = 0;
        break;
      case 'table:table-column': {
        const count = Number(attributes['table:number-columns-repeated'] ?? 1) || 1;
        if (isCollapsed(attributes)) addRange(this.#sheet?.hiddenColumns, this.#columnIndex, count);
        this.#columnIndex += count;
        break;
      }
      case 'table:table-row':
        this.#row = [];
        this.#column = 0;
        this.#rowAttributes = attributes;
        break;
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.#cellAttributes = attributes;
        this.#text = '';
        this.#href = undefined;
        this.#paragraphs = 0;
        break;
      case 'text:p':
      case 'text:h':
        if (this.#paragraphs++ > 0) this.#text += '\n';
        this.#paragraphDepth++;
        break;
      case 'text:s':
        this.#text += ' '.repeat(repeated(attributes['text:c']));
        break;
      case 'text:tab':
        this.#text += ' ';
        break;
      case 'text:line-break':
        this.#text += '\n';
        break;
      case 'text:a': {
        const href = attributes['xlink:href'] ?? '';
        if (/^(?:https?|mailto):/i.test(href)) this.#href ??= href;
        break;
      }
    }
  }

  close(name: string): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth--;
      return;
    }
    switch (name) {
      case 'text:p':
      case 'text:h':
        this.#paragraphDepth--;
        break;
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.#endCell(this.#cellAttributes ?? {}, name === 'table:covered-table-cell');
        this.#cellAttributes = null;
        break;
      case 'table:table-row':
        this.#endRow();
        break;
      case 'table:table':
        if (this.#sheet !== null) this.#onSheet(this.#sheet);
        this.#sheet = null;
        break;
    }
  }

  text(text: string): void {
    if (this.#skipDepth === 0 && this.#paragraphDepth > 0) this.#text += text.replace(/\s+/g, ' ');
  }

  #endCell(attributes: XmlAttributes, isCovered: boolean): void {
    const type = attributes['office:value-type'] ?? '';
    const text = isCovered ? '' : this.#text || (attributes['office:value'] ?? '');
    const count = Number(attributes['table:number-columns-repeated'] ?? 1) || 1;
    const columns = Number(attributes['table:number-columns-spanned'] ?? 1) || 1;
    const rows = Number(attributes['table:number-rows-spanned'] ?? 1) || 1;
    if (columns > 1 || rows > 1)
      this.#sheet?.merges.push({
        row: this.#rowIndex,
        column: this.#column,
        lastRow: this.#rowIndex + rows - 1,
        lastColumn: this.#column + columns - 1,
      });
    if (text !== '')
      for (let n = 0; n < Math.min(count, MAX_REPEATED); n++)
        this.#row[this.#column + n] = { text, isNumber: NUMBERS.has(type), href: this.#href };
    this.#column += count;
  }

  #endRow(): void {
    const count = Number(this.#rowAttributes['table:number-rows-repeated'] ?? 1) || 1;
    const sheet = this.#sheet;
    if (isCollapsed(this.#rowAttributes)) addRange(sheet?.hiddenRows, this.#rowIndex, count);
    if (sheet !== null && this.#row.length > 0) {
      for (let n = 0; n < Math.min(count, MAX_REPEATED); n++) {
        this.#cells += this.#row.length;
        if (this.#rowIndex + n >= MAX_ROWS || this.#cells > MAX_CELLS) sheet.truncation = ROW_LIMIT;
        else sheet.rows[this.#rowIndex + n] = this.#row;
      }
    }
    this.#rowIndex += count;
  }
}

function repeated(value: string | undefined): number {
  return Math.min(MAX_REPEATED, Number(value ?? 1) || 1);
}

/** Rows and columns that are hidden, or that a filter hides (part 3, §19.749). */
const isCollapsed = (attributes: XmlAttributes): boolean =>
  /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '');

function addRange(set: Set<number> | undefined, first: number, count: number): void {
  for (let n = first; n < Math.min(first + count, MAX_ROWS); n++) set?.add(n);
}
