import type { DatasetRow, StoredRow } from '../domain/datasets.ts';
import type { CellRange, DatasetCell, DatasetStore } from '../ports/datasets.ts';
import {
  afterPrefix,
  cellOf,
  FIRST_VALUE,
  type IndexedColumn,
  NULL_CELL,
  TEXT_BYTES,
  timeOf,
  valueAt,
} from './columns.ts';

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'contains',
  'starts',
  'null',
  'not_null',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export interface RowFilter {
  readonly column: IndexedColumn;
  readonly op: FilterOperator;
  /** Of the type of the column; of `null` and `not_null` null. */
  readonly value: string | number | boolean | null;
}

export interface RowSort {
  readonly column: IndexedColumn;
  readonly isDescending: boolean;
}

/** Where a page continues. */
export interface RowCursor {
  /** Of the sorted column, in hexadecimal; null: the order is that of rows, or the rows without a value have come. */
  readonly value: string | null;
  readonly row: number;
  /** Rows without an entry in the index have come. */
  readonly isLast: boolean;
}

export interface RowQuery {
  readonly filters: readonly RowFilter[];
  /** null: the newest rows first. */
  readonly sort: RowSort | null;
  /** Rows of a run; those of all runs. */
  readonly range: { readonly first: number; readonly last: number };
  readonly cursor: RowCursor | null;
  readonly limit: number;
}

export interface RowPage {
  readonly rows: readonly StoredRow[];
  /** null: there are no more. */
  readonly next: RowCursor | null;
}

/** Rows of which a filter or a run has no more are read together and sorted here. */
const MAX_COLLECTED = 2_000;
/** Rows, and entries of an index, that one page looks at. Then it ends, and may have fewer rows than were asked for. */
const MAX_READ_ROWS = 3_000;
const MAX_READ_CELLS = 20_000;
const BATCH = 250;

/** Whether a value passes a filter. */
export function passes({ column, op, value }: RowFilter, found: unknown): boolean {
  const isNull = found === null || found === undefined;
  if (op === 'null') return isNull;
  if (op === 'not_null') return !isNull;
  if (isNull) return op === 'ne';
  if (op === 'contains' || op === 'starts') {
    const text = (typeof found === 'string' ? found : JSON.stringify(found)).normalize('NFC').toLowerCase();
    const part = String(value).normalize('NFC').toLowerCase();
    return op === 'contains' ? text.includes(part) : text.startsWith(part);
  }
  const order = compared(column, found, value);
  switch (op) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
  }
}

/** Texts without regard to case. */
function compared({ type }: IndexedColumn, found: unknown, value: unknown): number {
  if (type === 'date-time') return (timeOf(String(found)) ?? 0) - (timeOf(String(value)) ?? 0);
  if (type !== 'text') return Number(found) - Number(value);
  const [a, b] = [found, value].map((text) => Buffer.from(String(text).normalize('NFC').toLowerCase())) as [
    Buffer,
    Buffer,
  ];
  return Buffer.compare(a, b);
}

/** The entries of the index that may pass a filter; null: the index does not tell. */
export function rangeOf({ column: { index, type }, op, value }: RowFilter): CellRange | null {
  if (type === 'json') return null;
  const range = (from: Uint8Array, to: Uint8Array | null): CellRange => ({ column: index, from, to });
  if (op === 'not_null') return range(FIRST_VALUE, null);
  if (op === 'ne' || op === 'contains' || op === 'null' || value === null) return null;
  const cell = cellOf(type, value);
  // Longer texts are in the index with their first bytes only.
  const isCut = type === 'text' && cell.length > TEXT_BYTES;
  const after = afterPrefix(cell);
  switch (op) {
    case 'starts':
      return type === 'text' ? range(cell, after) : null;
    case 'eq':
      return range(cell, isCut ? after : Uint8Array.from([...cell, 0]));
    case 'lt':
    case 'le':
      return range(FIRST_VALUE, isCut || type === 'text' ? after : Uint8Array.from([...cell, 0]));
    case 'gt':
    case 'ge':
      return range(cell, null);
  }
}

/** The rows of a page. It looks at a bounded number of rows, whatever the size of the dataset. */
export async function queryRows(
  store: DatasetStore,
  { number }: Pick<DatasetRow, 'number'>,
  query: RowQuery,
): Promise<RowPage> {
  const { range, filters } = query;
  const fits = (row: StoredRow) =>
    filters.every((filter) => passes(filter, valueAt(row.data, filter.column.index)));
  const isInRange = (row: number) => row >= range.first && row <= range.last;
  const few = await collected(store, number, query);
  if (few !== null) return pageOfCollected(await loaded(store, number, few), query, fits);
  return query.sort === null
    ? await newestRows(store, number, query, fits)
    : await sortedRows(store, number, query, query.sort, { fits, isInRange });
}

/** Numbers of all rows that may pass, if a filter or the run leaves few of them; null: there may be many. */
async function collected(
  store: DatasetStore,
  dataset: number,
  { filters, range: { first, last }, sort }: RowQuery,
): Promise<readonly number[] | null> {
  for (const filter of filters) {
    const range = rangeOf(filter);
    if (range === null) continue;
    const cells = await store.cells(dataset, range, { isDescending: false, after: null }, MAX_COLLECTED + 1);
    if (cells.length <= MAX_COLLECTED)
      return cells.map(({ row }) => row).filter((row) => row >= first && row <= last);
  }
  // Without a sort, the rows of a run are read one after the other.
  if (sort === null || last - first >= MAX_COLLECTED) return null;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

async function loaded(
  store: DatasetStore,
  dataset: number,
  numbers: readonly number[],
): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = [];
  for (let at = 0; at < numbers.length; at += BATCH)
    rows.push(...(await store.rowsOf(dataset, numbers.slice(at, at + BATCH))));
  return rows;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** Sorts rows: those without a value come last, the newest first. */
function pageOfCollected(
  rows: readonly StoredRow[],
  { sort, cursor, limit }: RowQuery,
  fits: (row: StoredRow) => boolean,
): RowPage {
  const cellOfRow = (row: StoredRow) =>
    sort === null ? NULL_CELL : cellOf(sort.column.type, valueAt(row.data, sort.column.index));
  const sign = sort?.isDescending === true ? -1 : 1;
  const order = (a: DatasetCell, b: DatasetCell): number => {
    if (a.value.length === 0 || b.value.length === 0)
      return a.value.length === b.value.length ? b.row - a.row : b.value.length - a.value.length;
    return sign * (Buffer.compare(a.value, b.value) || a.row - b.row);
  };
  const after = cursor && {
    value: cursor.value === null ? NULL_CELL : bytesOf(cursor.value),
    row: cursor.row,
  };
  const entries = rows
    .filter(fits)
    .map((row) => ({ row: row.row, value: cellOfRow(row), stored: row }))
    .filter((entry) => after === null || order(entry, after) > 0)
    .sort(order);
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  const hasMore = entries.length > limit && last !== undefined;
  const value = last === undefined || last.value.length === 0 ? null : hex(last.value);
  return {
    rows: page.map(({ stored }) => stored),
    next: hasMore ? { value, row: last.row, isLast: false } : null,
  };
}

async function newestRows(
  store: DatasetStore,
  dataset: number,
  { range, filters, cursor, limit }: RowQuery,
  fits: (row: StoredRow) => boolean,
): Promise<RowPage> {
  const rows: StoredRow[] = [];
  let before = cursor === null ? range.last + 1 : Math.min(cursor.row, range.last + 1);
  const equal = filters.find((filter) => filter.op === 'eq' && isExact(filter));
  const next = async (): Promise<readonly StoredRow[]> => {
    if (equal === undefined)
      return await store.rows(dataset, { first: range.first, last: before - 1, isDescending: true }, BATCH);
    const { column, value } = equal;
    const numbers = await store.rowsWith(dataset, column.index, cellOf(column.type, value), before, BATCH);
    const found = await store.rowsOf(
      dataset,
      numbers.filter((row) => row >= range.first),
    );
    return found.toSorted((a, b) => b.row - a.row);
  };
  for (let read = 0; read < MAX_READ_ROWS; ) {
    const batch = await next();
    for (const row of batch) {
      before = row.row;
      if (!fits(row)) continue;
      rows.push(row);
      if (rows.length === limit + 1) {
        const page = rows.slice(0, limit);
        return { rows: page, next: { value: null, row: page.at(-1)!.row, isLast: false } };
      }
    }
    if (batch.length < BATCH) return { rows, next: null };
    read += batch.length;
  }
  return { rows, next: { value: null, row: before, isLast: false } };
}

/** Whether the index holds the whole value. */
const isExact = ({ column: { type }, value }: RowFilter): boolean =>
  type !== 'json' && (type !== 'text' || cellOf(type, value).length <= TEXT_BYTES);

/** Follows the index of the sorted column: first the values, then null, then the rows before the column was there. */
async function sortedRows(
  store: DatasetStore,
  dataset: number,
  { range, filters, cursor, limit }: RowQuery,
  { column, isDescending }: RowSort,
  { fits, isInRange }: { fits: (row: StoredRow) => boolean; isInRange: (row: number) => boolean },
): Promise<RowPage> {
  const rows: StoredRow[] = [];
  let place = cursor;
  let readRows = 0;
  let readCells = 0;
  const isFull = () => rows.length > limit || readRows >= MAX_READ_ROWS || readCells >= MAX_READ_CELLS;
  const ended = (): RowPage => {
    if (rows.length <= limit) return { rows, next: place };
    const page = rows.slice(0, limit);
    const last = page.at(-1)!;
    const cell = cellOf(column.type, valueAt(last.data, column.index));
    const isLast = last.row < column.fromRow;
    return { rows: page, next: { value: cell.length === 0 ? null : hex(cell), row: last.row, isLast } };
  };
  const take = async (numbers: readonly number[]) => {
    const found = new Map((await store.rowsOf(dataset, numbers)).map((row) => [row.row, row]));
    readRows += numbers.length;
    for (const number of numbers) {
      const row = found.get(number);
      if (row !== undefined && fits(row)) rows.push(row);
    }
  };
  const own = filters.map((filter) => (filter.column.index === column.index ? rangeOf(filter) : null));
  const bound = own.find((one) => one !== null) ?? { column: column.index, from: FIRST_VALUE, to: null };
  while (place === null || place.value !== null) {
    const after = place === null ? null : { value: bytesOf(place.value!), row: place.row };
    const cells = await store.cells(dataset, bound, { isDescending, after }, BATCH);
    readCells += cells.length;
    await take(cells.map(({ row }) => row).filter(isInRange));
    const last = cells.at(-1);
    place =
      last === undefined || cells.length < BATCH
        ? { value: null, row: range.last + 1, isLast: false }
        : { value: hex(last.value), row: last.row, isLast: false };
    if (isFull()) return ended();
  }
  while (!place.isLast) {
    const numbers = await store.rowsWith(dataset, column.index, NULL_CELL, place.row, BATCH);
    readCells += numbers.length;
    await take(numbers.filter(isInRange));
    const last = numbers.at(-1);
    const isEnd = last === undefined || numbers.length < BATCH || last < range.first;
    const row = isEnd ? Math.min(column.fromRow, range.last + 1) : last;
    place = { value: null, row, isLast: isEnd };
    if (isFull()) return ended();
  }
  for (;;) {
    const span = { first: range.first, last: place.row - 1, isDescending: true };
    const batch: readonly StoredRow[] = span.last < span.first ? [] : await store.rows(dataset, span, BATCH);
    readRows += batch.length;
    rows.push(...batch.filter(fits));
    if (batch.length < BATCH) {
      if (rows.length <= limit) return { rows, next: null };
      return ended();
    }
    place = { value: null, row: batch.at(-1)!.row, isLast: true };
    if (isFull()) return ended();
  }
}
