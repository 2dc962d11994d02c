import {
  type ColumnType,
  type DatasetColumn,
  MAX_COLUMN_NAME_CHARS,
  MAX_COLUMNS,
  type RowData,
} from '../domain/datasets.ts';
import { parseDateTime } from '../wire/date-time.ts';

/** Columns that every row has. They come first in the index. */
export const OWN_COLUMNS = [
  { name: '$url', type: 'text' },
  { name: '$status', type: 'number' },
  { name: '$title', type: 'text' },
] as const satisfies readonly { name: string; type: ColumnType }[];

/** A column of the index. */
export interface IndexedColumn {
  readonly index: number;
  readonly type: ColumnType;
  /** Rows before have no entry: their value is null. */
  readonly fromRow: number;
}

/** The column of a name; null: there is none. */
export function columnNamed(columns: readonly DatasetColumn[], name: string): IndexedColumn | null {
  const own = OWN_COLUMNS.findIndex((column) => column.name === name);
  if (own !== -1) return { index: own, type: OWN_COLUMNS[own]!.type, fromRow: 0 };
  const at = columns.findIndex((column) => column.name === name);
  return at === -1 ? null : { index: OWN_COLUMNS.length + at, ...columns[at]! };
}

export function valueAt({ url, status, title, values }: RowData, index: number): unknown {
  const own = [url, status, title];
  return index < own.length ? own[index] : (values[index - own.length] ?? null);
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** ms since the epoch; null: the text is neither an RFC 3339 time nor a date. */
export function timeOf(text: string): number | null {
  if (text.length > 40) return null;
  return DATE.test(text) ? nullIfNaN(Date.parse(`${text}T00:00:00Z`)) : parseDateTime(text);
}

const nullIfNaN = (ms: number): number | null => (Number.isNaN(ms) ? null : ms);

/** The type of a column whose first value this is. */
export function typeOf(value: unknown): ColumnType {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return timeOf(value) === null ? 'text' : 'date-time';
  return 'json';
}

/** Longer values are null, and counted. */
const MAX_VALUE_CHARS = 65_536;
const MAX_ROW_CHARS = 1_048_576;

/** The value as a column of the type holds it; undefined: it cannot. */
function held(type: ColumnType, value: unknown): unknown {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'date-time':
      return typeof value === 'string' && timeOf(value) !== null ? value : undefined;
    case 'text':
      return typeof value === 'object' ? undefined : String(value);
    case 'json':
      return value;
  }
}

/** Takes the fields of rows into columns: those of new names are added, with the type of their first value. */
export class ColumnTaker {
  readonly #columns: { name: string; type: ColumnType; nulls: number; fromRow: number }[];
  readonly #positions: Map<string, number>;
  dropped: number;
  /** Of the values of the last row. */
  chars = 0;

  constructor(columns: readonly DatasetColumn[], dropped: number) {
    this.#columns = columns.map((column) => ({ ...column }));
    this.#positions = new Map(columns.map(({ name }, at) => [name, at]));
    this.dropped = dropped;
  }

  get columns(): readonly DatasetColumn[] {
    return this.#columns;
  }

  /** @returns the values by column */
  take(fields: ReadonlyMap<string, unknown>, row: number): unknown[] {
    const values: unknown[] = [];
    this.chars = 0;
    for (const [name, value] of fields) {
      if (value === null || value === undefined) continue;
      const at = this.#positionOf(name, value, row);
      if (at === null) continue;
      const column = this.#columns[at]!;
      const kept = held(column.type, value);
      const length =
        kept === undefined ? 0 : typeof kept === 'string' ? kept.length : JSON.stringify(kept).length;
      if (kept === undefined || length > MAX_VALUE_CHARS || this.chars + length > MAX_ROW_CHARS) {
        column.nulls++;
        continue;
      }
      this.chars += length;
      while (values.length < at) values.push(null);
      values[at] = kept;
    }
    return values;
  }

  #positionOf(name: string, value: unknown, row: number): number | null {
    const known = this.#positions.get(name);
    if (known !== undefined) return known;
    if (this.#columns.length >= MAX_COLUMNS || name.length > MAX_COLUMN_NAME_CHARS) {
      this.dropped++;
      return null;
    }
    this.#columns.push({ name, type: typeOf(value), nulls: 0, fromRow: row });
    this.#positions.set(name, this.#columns.length - 1);
    return this.#columns.length - 1;
  }
}

/** Null in the index; other values begin with a byte, so they come after it. */
export const NULL_CELL = new Uint8Array(0);
/** All values that are not null are from here on. */
export const FIRST_VALUE = Uint8Array.of(1);
/** Bytes of a text in the index. */
export const TEXT_BYTES = 48;

const foldedText = (text: string): Buffer => Buffer.from(text.normalize('NFC').toLowerCase());

/**
 * The value as bytes that sort as the values of its type do: numbers and times by size, `false` before `true`, texts by their first
 * 48 bytes in lower case. JSON is not sorted.
 */
export function cellOf(type: ColumnType, value: unknown): Uint8Array {
  if (value === null || value === undefined) return NULL_CELL;
  switch (type) {
    case 'number':
      return numberCell(value as number);
    case 'date-time':
      return numberCell(timeOf(value as string) ?? 0);
    case 'boolean':
      return Uint8Array.of(1, value === true ? 1 : 0);
    case 'text':
      return Uint8Array.from([1, ...foldedText(value as string).subarray(0, TEXT_BYTES)]);
    case 'json':
      return FIRST_VALUE;
  }
}

/** IEEE 754 sorts as bytes when the sign is turned, and negative numbers are turned as a whole. */
function numberCell(value: number): Uint8Array {
  const bytes = new Uint8Array(9);
  const view = new DataView(bytes.buffer);
  bytes[0] = 1;
  view.setFloat64(1, value === 0 ? 0 : value);
  if (bytes[1]! >= 0x80) for (let at = 1; at < 9; at++) bytes[at] = bytes[at]! ^ 0xff;
  else bytes[1] = bytes[1]! ^ 0x80;
  return bytes;
}

/** The smallest bytes that come after all that begin with these; null: there are none. */
export function afterPrefix(bytes: Uint8Array): Uint8Array | null {
  for (let at = bytes.length - 1; at >= 0; at--)
    if (bytes[at]! < 0xff) return Uint8Array.from([...bytes.subarray(0, at), bytes[at]! + 1]);
  return null;
}

/** The entries of a row in the indexes. */
export function cellsOf(data: RowData, columns: readonly DatasetColumn[], row: number) {
  const types = [
    ...OWN_COLUMNS.map(({ type }) => type),
    ...columns.filter(({ fromRow }) => fromRow <= row).map(({ type }) => type),
  ];
  return types.map((type, column) => ({ column, value: cellOf(type, valueAt(data, column)), row }));
}
