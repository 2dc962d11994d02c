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
import { rowsInOrder } from './rows-in-order.ts';

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
const MAX_COLLECTED = 1_000;
/**
 * Calls that read whole rows (250, or about 1 MiB) and parts of an index (250 entries) for one page. Then it ends, and may have fewer
 * rows than were asked for.
 */
const MAX_ROW_READS = 8;
const MAX_INDEX_READS = 80;
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

/** The store, as far as one page may read it. */
class PageReads {
  readonly #store: DatasetStore;
  readonly #dataset: number;
  #rowReads = 0;
  #indexReads = 0;

  constructor(store: DatasetStore, dataset: number) {
    this.#store = store;
    this.#dataset = dataset;
  }

  get areSpent(): boolean {
    return this.#rowReads >= MAX_ROW_READS || this.#indexReads >= MAX_INDEX_READS;
  }

  rows(first: number, last: number, limit: number): Promise<readonly StoredRow[]> {
    this.#rowReads++;
    return this.#store.rows(this.#dataset, { first, last, isDescending: true }, limit);
  }

  /** The rows with these numbers, in this order, in steps of at most `size`; `placeOf` of a row is where the page continues after it. */
  async *rowsOf(
    numbers: readonly number[],
    size: number,
    placeOf: (row: number) => RowCursor,
  ): AsyncGenerator<Step> {
    const read = (part: readonly number[]) => {
      this.#rowReads++;
      return this.#store.rowsOf(this.#dataset, part);
    };
    for await (const rows of rowsInOrder(read, numbers, size))
      if (rows.length > 0) yield { rows, place: placeOf(rows.at(-1)!.row) };
  }

  /** @param limit counts as one read, because the entries are few bytes */
  cells(range: CellRange, isDescending: boolean, after: DatasetCell | null, limit = BATCH) {
    this.#indexReads++;
    return this.#store.cells(this.#dataset, range, { isDescending, after }, limit);
  }

  rowsWith(column: number, value: Uint8Array, before: number): Promise<readonly number[]> {
    this.#indexReads++;
    return this.#store.rowsWith(this.#dataset, column, value, before, BATCH);
  }
}

/** Rows in the order of the page, and where it continues after them. */
interface Step {
  readonly rows: readonly StoredRow[];
  readonly place: RowCursor;
}

/** The rows of a page. It looks at a bounded number of rows, whatever the size of the dataset. */
export async function queryRows(
  store: DatasetStore,
  { number }: Pick<DatasetRow, 'number'>,
  query: RowQuery,
): Promise<RowPage> {
  const { filters, sort, limit } = query;
  const fits = (row: StoredRow) =>
    filters.every((filter) => passes(filter, valueAt(row.data, filter.column.index)));
  const first = new PageReads(store, number);
  const few = await collected(first, query);
  const page = few === null ? null : await pageOfCollected(first, few, query, fits);
  if (page !== null) return page;
  const reads = new PageReads(store, number);
  const steps = sort === null ? newestRows(reads, query) : sortedRows(reads, query, sort);
  const placeOf = (row: StoredRow): RowCursor =>
    sort === null ? placeAt(row.row) : placeOfRow(row, sort.column);
  return await pageOfSteps(reads, steps, limit, fits, placeOf);
}

/** The first `limit` rows that fit. */
async function pageOfSteps(
  reads: PageReads,
  steps: AsyncIterable<Step>,
  limit: number,
  fits: (row: StoredRow) => boolean,
  placeOf: (row: StoredRow) => RowCursor,
): Promise<RowPage> {
  const rows: StoredRow[] = [];
  for await (const step of steps) {
    rows.push(...step.rows.filter(fits));
    if (rows.length > limit) {
      const page = rows.slice(0, limit);
      return { rows: page, next: placeOf(page.at(-1)!) };
    }
    if (reads.areSpent) return { rows, next: step.place };
  }
  return { rows, next: null };
}

/** Numbers of all rows that may pass, if a filter or the run leaves few of them; null: there may be many. */
async function collected(
  reads: PageReads,
  { filters, range: { first, last }, sort }: RowQuery,
): Promise<readonly number[] | null> {
  for (const filter of filters) {
    const range = rangeOf(filter);
    if (range === null) continue;
    const cells = await reads.cells(range, false, null, MAX_COLLECTED + 1);
    if (cells.length <= MAX_COLLECTED)
      return cells.map(({ row }) => row).filter((row) => row >= first && row <= last);
  }
  // Without a sort, the rows of a run are read one after the other.
  if (sort === null || last - first >= MAX_COLLECTED) return null;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** After a row without a value, or in the order of rows. */
const placeAt = (row: number, isLast = false): RowCursor => ({ value: null, row, isLast });

const placeOfCell = ({ value, row }: DatasetCell): RowCursor => ({
  value: value.length === 0 ? null : hex(value),
  row,
  isLast: false,
});

const placeOfRow = ({ row, data }: StoredRow, { type, index, fromRow }: IndexedColumn): RowCursor =>
  row < fromRow ? placeAt(row, true) : placeOfCell({ row, value: cellOf(type, valueAt(data, index)) });

/**
 * Sorts rows: those without a value come last, the newest first. Only the page is in memory as a whole.
 * @returns null: the rows are too large to read them all
 */
async function pageOfCollected(
  reads: PageReads,
  few: readonly number[],
  { sort, cursor, limit }: RowQuery,
  fits: (row: StoredRow) => boolean,
): Promise<RowPage | null> {
  const cellOfRow = (row: StoredRow) =>
    sort === null ? NULL_CELL : cellOf(sort.column.type, valueAt(row.data, sort.column.index));
  const sign = sort?.isDescending === true ? -1 : 1;
  const order = (a: DatasetCell, b: DatasetCell): number => {
    if (a.value.length === 0 || b.value.length === 0)
      return a.value.length === b.value.length ? b.row - a.row : b.value.length - a.value.length;
    return sign * (Buffer.compare(a.value, b.value) || a.row - b.row);
  };
  const entries: DatasetCell[] = [];
  for await (const { rows } of reads.rowsOf(few, BATCH, placeAt)) {
    for (const row of rows) if (fits(row)) entries.push({ row: row.row, value: cellOfRow(row) });
    if (reads.areSpent) return null;
  }
  const after = cursor && {
    value: cursor.value === null ? NULL_CELL : bytesOf(cursor.value),
    row: cursor.row,
  };
  const rest = entries.filter((entry) => after === null || order(entry, after) > 0).toSorted(order);
  const byRow = new Map(rest.map((entry) => [entry.row, entry]));
  const numbers = rest.slice(0, limit + 1).map(({ row }) => row);
  const placeOf = (row: number) => placeOfCell(byRow.get(row)!);
  const steps = reads.rowsOf(numbers, BATCH, placeOf);
  return await pageOfSteps(
    reads,
    steps,
    limit,
    () => true,
    ({ row }) => placeOf(row),
  );
}

/** Rows that one step reads: without filters no more than the page has. */
const rowsPerStep = ({ filters, limit }: RowQuery): number =>
  filters.length === 0 ? Math.min(BATCH, limit + 1) : BATCH;

async function* newestRows(reads: PageReads, query: RowQuery): AsyncGenerator<Step> {
  const { range, filters, cursor } = query;
  let before = cursor === null ? range.last + 1 : Math.min(cursor.row, range.last + 1);
  const equal = filters.find((filter) => filter.op === 'eq' && isExact(filter));
  while (before > range.first) {
    if (equal === undefined) {
      const rows = await reads.rows(range.first, before - 1, rowsPerStep(query));
      if (rows.length === 0) return;
      before = rows.at(-1)!.row;
      yield { rows, place: placeAt(before) };
    } else {
      const { column, value } = equal;
      const numbers = await reads.rowsWith(column.index, cellOf(column.type, value), before);
      if (numbers.length === 0) return;
      before = numbers.at(-1)!;
      const inRange = numbers.filter((row) => row >= range.first);
      yield* reads.rowsOf(inRange, BATCH, placeAt);
    }
  }
}

/** Whether the index holds the whole value. */
const isExact = ({ column: { type }, value }: RowFilter): boolean =>
  type !== 'json' && (type !== 'text' || cellOf(type, value).length <= TEXT_BYTES);

/** Follows the index of the sorted column: first the values, then null, then the rows before the column was there. */
async function* sortedRows(
  reads: PageReads,
  query: RowQuery,
  { column, isDescending }: RowSort,
): AsyncGenerator<Step> {
  const { range, filters } = query;
  const size = rowsPerStep(query);
  const isInRange = (row: number) => row >= range.first && row <= range.last;
  const own = filters.map((filter) => (filter.column.index === column.index ? rangeOf(filter) : null));
  const bound = own.find((one) => one !== null) ?? { column: column.index, from: FIRST_VALUE, to: null };
  let place = query.cursor;
  while (place === null || place.value !== null) {
    const after = place === null ? null : { value: bytesOf(place.value!), row: place.row };
    const cells = await reads.cells(bound, isDescending, after);
    const byRow = new Map(cells.map((cell) => [cell.row, cell]));
    const numbers = cells.map(({ row }) => row).filter(isInRange);
    yield* reads.rowsOf(numbers, size, (row) => placeOfCell(byRow.get(row)!));
    place = cells.length < BATCH ? placeAt(range.last + 1) : placeOfCell(cells.at(-1)!);
    yield { rows: [], place };
  }
  while (!place.isLast) {
    const numbers = await reads.rowsWith(column.index, NULL_CELL, place.row);
    yield* reads.rowsOf(numbers.filter(isInRange), size, placeAt);
    const isEnd = numbers.length < BATCH || numbers.at(-1)! < range.first;
    place = isEnd ? placeAt(Math.min(column.fromRow, range.last + 1), true) : placeAt(numbers.at(-1)!);
    yield { rows: [], place };
  }
  while (place.row > range.first) {
    const rows = await reads.rows(range.first, place.row - 1, size);
    if (rows.length === 0) return;
    place = placeAt(rows.at(-1)!.row, true);
    yield { rows, place };
  }
}
