import type { ContentSelection } from './content-selection.ts';
import { attributeOf, elementsOf, type TreeNode } from './page-tree.ts';
import type { ParsedPage } from './parsed-page.ts';
import { ElementTexts, visitElements } from './visit-elements.ts';

/** A table with data. Each row has as many cells as the table has columns; a cell that spans others is repeated in them. */
export interface DataTable {
  readonly caption: string | null;
  /** A name for each column; empty if the table has none. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table as it is found. */
export interface FoundTable {
  readonly data: DataTable;
  /** The first cell of each row is marked as the name of the cells beside it. */
  readonly namesRows: boolean;
}

const MAX_TABLES = 500;
const MAX_ROWS = 20_000;
const MAX_COLUMNS = 200;
/** Limit of all tables together, in characters. Repeated cells count: `colspan` and `rowspan` multiply what a page sends. */
const MAX_OUTPUT_LENGTH = 3 * 2 ** 20;
/** Characters that a cell adds to its text in JSON. */
const CELL_OVERHEAD = 3;
/** Most rows of column names. If there are more rows of `th` only, they are data. */
const MAX_HEADER_ROWS = 5;
/** A table without header cells or caption, and with a longer cell, only arranges the page. */
const MAX_UNMARKED_CELL = 1000;

/** How many elements of a cell are searched for bold text. */
const MAX_ELEMENTS_BEFORE_BOLD = 10;

interface TableRow {
  readonly inHead: boolean;
  readonly cells: TreeNode[];
}

interface OpenTable {
  readonly element: TreeNode;
  caption: TreeNode | null;
  readonly rows: TableRow[];
  containsTables: boolean;
}

interface TableState {
  readonly table: OpenTable | null;
  readonly inHead: boolean;
  /** null: outside of rows, or in a cell. */
  readonly row: TableRow | null;
}

/** The data tables of a selection. Tables that only arrange the page are left out, but not the tables inside of them. */
export function dataTables(page: ParsedPage, selection: ContentSelection): FoundTable[] {
  const { found, textOf } = findTables(page, selection);
  let remaining = MAX_OUTPUT_LENGTH;
  const tables: FoundTable[] = [];
  for (const open of found) {
    const grid = cellGrid(open.rows, textOf, remaining);
    const table = arrangesPage(open, grid) ? null : toDataTable(open, grid, textOf);
    if (table === null) continue;
    remaining -= lengthOf(table.data.rows);
    tables.push(table);
  }
  return tables;
}

/**
 * The table that an element is, or else the first one inside of it, whatever its purpose is.
 * @returns null: there is none, or it has no rows with text
 */
export function tableOf(page: ParsedPage, element: TreeNode): DataTable | null {
  const { found, textOf } = findTables(page, { roots: [element], excluded: new Set() });
  const [first] = found;
  if (first === undefined) return null;
  return toDataTable(first, cellGrid(first.rows, textOf, MAX_OUTPUT_LENGTH), textOf)?.data ?? null;
}

function findTables(page: ParsedPage, { roots, excluded }: ContentSelection) {
  const found: OpenTable[] = [];
  // The text of a nested table is not text of the cell around it.
  const notRead = new Set(excluded);
  visitElements<TableState>(roots, { table: null, inHead: false, row: null }, (element, state) => {
    if (excluded.has(element)) return null;
    if (element.tagName === 'table' && state.table !== null) notRead.add(element);
    return enter(element, state, found);
  });
  const texts = new ElementTexts(page);
  const textOf = (element: TreeNode) => texts.of(element, notRead).replace(/\s+/g, ' ');
  return { found, textOf };
}

function enter(element: TreeNode, state: TableState, found: OpenTable[]): TableState {
  const { table, row } = state;
  switch (element.tagName) {
    case 'table': {
      if (table !== null) table.containsTables = true;
      const opened = { element, caption: null, rows: [], containsTables: false };
      if (found.length < MAX_TABLES) found.push(opened);
      return { table: opened, inHead: false, row: null };
    }
    case 'caption':
      if (table !== null) table.caption ??= element;
      return state;
    case 'thead':
    case 'tbody':
    case 'tfoot':
      return { ...state, inHead: element.tagName === 'thead' };
    case 'tr': {
      if (table === null || table.rows.length >= MAX_ROWS) return { ...state, row: null };
      const opened = { inHead: state.inHead, cells: [] };
      table.rows.push(opened);
      return { ...state, row: opened };
    }
    case 'td':
    case 'th':
      if (row !== null && row.cells.length < MAX_COLUMNS) row.cells.push(element);
      return { ...state, row: null };
    default:
      return state;
  }
}

type CellText = (cell: TreeNode) => string;
type Grid = readonly (readonly string[])[];

const columnsOf = (grid: Grid): number => grid.reduce((most, row) => Math.max(most, row.length), 0);

function arrangesPage(table: OpenTable, grid: Grid): boolean {
  const role = attributeOf(table.element, 'role')?.trim().toLowerCase();
  if (role === 'presentation' || role === 'none') return true;
  const isMarked =
    table.caption !== null || table.rows.some(({ cells }) => cells.some(({ tagName }) => tagName === 'th'));
  if (isMarked) return false;
  if (table.containsTables || grid.some((row) => row.some(isLong))) return true;
  // A single row or column without names is a list, or one text beside another.
  return columnsOf(grid) < 2 || grid.length < 2;
}

/** @returns null if the table is empty */
function toDataTable(table: OpenTable, grid: string[][], textOf: CellText): FoundTable | null {
  const columns = columnsOf(grid);
  if (columns === 0) return null;
  for (const row of grid) while (row.length < columns) row.push('');
  const { header, title, used } = headerOf(table.rows, grid, textOf);
  const rows = grid.slice(used).filter((row) => row.some((cell) => cell !== ''));
  if (rows.length === 0) return null;
  const caption = table.caption === null ? title : textOf(table.caption) || title;
  const namesRows = table.rows
    .slice(used)
    .every(
      ({ cells: [first] }) => first === undefined || isName(first, textOf) || textOf(first).endsWith(':'),
    );
  return { data: { caption, header, rows }, namesRows };
}

/** Whether a cell is marked as the name of others: by its tag, or all its text is bold. */
function isName(cell: TreeNode, textOf: CellText): boolean {
  if (cell.tagName === 'th') return true;
  let visited = 0;
  for (const element of elementsOf(cell)) {
    if (element.tagName === 'b' || element.tagName === 'strong')
      return textOf(element) === textOf(cell) && textOf(cell) !== '';
    if (++visited > MAX_ELEMENTS_BEFORE_BOLD) return false;
  }
  return false;
}

const isLong = (text: string) => text.length > MAX_UNMARKED_CELL;

/** The texts of the cells by row and column (WHATWG HTML §4.9.12, "forming a table"). Rows may be shorter than others. */
function cellGrid(rows: readonly TableRow[], textOf: CellText, maxLength: number): string[][] {
  const grid: string[][] = [];
  /** By column: a cell of an earlier row that spans this row, and the number of rows that it still spans. */
  let reaching: { readonly text: string; readonly rows: number }[] = [];
  let length = 0;
  for (const { cells } of rows) {
    const row: string[] = [];
    const next: typeof reaching = [];
    const fill = () => {
      for (let from = reaching[row.length]; from !== undefined; from = reaching[row.length]) {
        if (from.rows > 1) next[row.length] = { text: from.text, rows: from.rows - 1 };
        row.push(from.text);
      }
    };
    for (const cell of cells) {
      fill();
      const text = textOf(cell);
      const height = spanOf(cell, 'rowspan', MAX_ROWS);
      for (let width = spanOf(cell, 'colspan', MAX_COLUMNS); width > 0 && row.length < MAX_COLUMNS; width--) {
        if (height > 1) next[row.length] = { text, rows: height - 1 };
        row.push(text);
      }
    }
    for (fill(); row.length < reaching.length; fill()) row.push('');
    length += lengthOf([row]);
    if (length > maxLength) break;
    grid.push(row);
    reaching = next;
  }
  return grid;
}

function lengthOf(rows: readonly (readonly string[])[]): number {
  let length = 0;
  for (const row of rows) for (const text of row) length += text.length + CELL_OVERHEAD;
  return length;
}

function spanOf(cell: TreeNode, name: string, max: number): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  return span >= 1 ? Math.min(span, max) : 1;
}

interface TableHeader {
  readonly header: string[];
  /** A first row that is one cell over all columns. */
  readonly title: string | null;
  /** How many of the first rows of the grid are not data. */
  readonly used: number;
}

/**
 * The names of the columns: the rows in `thead`, else the first rows that only have `th`, else a first row of names in bold,
 * if the second row is not all bold. Several rows are joined.
 */
function headerOf(rows: readonly TableRow[], grid: readonly string[][], textOf: CellText): TableHeader {
  const isHeaderRow = ({ inHead, cells }: TableRow) =>
    inHead || (cells.length > 0 && cells.every(({ tagName }) => tagName === 'th'));
  const hasNames = ({ cells }: TableRow) =>
    cells.some((cell) => textOf(cell) !== '') &&
    cells.every((cell) => isName(cell, textOf) || textOf(cell) === '');
  let count = 0;
  while (count < Math.min(grid.length, MAX_HEADER_ROWS) && isHeaderRow(rows[count]!)) count++;
  // A table whose cells are all `th` has one row of names.
  if (count === grid.length) count = Math.min(count, 1);
  if (count === 0 && grid.length > 1 && hasNames(rows[0]!) && !hasNames(rows[1]!)) count = 1;
  const [first] = grid;
  const columns = first!.length;
  const spansAll = columns > 1 && rows[0]!.cells.length === 1 && first!.every((text) => text === first![0]);
  const title = count > 0 && spansAll ? first![0]! : null;
  const named = grid.slice(title === null ? 0 : 1, count);
  const names = Array.from({ length: columns }, (_, column) =>
    [...new Set(named.map((row) => row[column]!))].filter((text) => text !== '').join(' '),
  );
  return { header: names.some((name) => name !== '') ? names : [], title, used: count };
}
