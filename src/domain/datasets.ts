import type { StoredError } from './jobs.ts';

/** A dataset keeps the data of results over runs, as rows of a table (contract §26). Times are ms since the epoch. */

export const COLUMN_TYPES = ['number', 'boolean', 'date-time', 'text', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export const MAX_COLUMNS = 200;
export const MAX_COLUMN_NAME_CHARS = 200;
export const MAX_ROWS = 1_000_000;

export interface DatasetColumn {
  readonly name: string;
  /** Of the first value, unless the creator has set it. */
  readonly type: ColumnType;
  /** Values that the type could not hold; they are null. */
  readonly nulls: number;
  /** The first row that may have a value. */
  readonly fromRow: number;
}

export interface DatasetRow {
  /** UUID version 7. */
  readonly id: string;
  /** What its rows and runs refer to. */
  readonly number: number;
  readonly userId: string;
  readonly name: string;
  /** Columns whose values tell which rows of two runs are the same; null: URL and index. */
  readonly key: readonly string[] | null;
  readonly columns: readonly DatasetColumn[];
  /** Values of columns beyond the limit, or with a name that is too long: they are left out. */
  readonly dropped: number;
  readonly rows: number;
  /** Number of the latest row and run. */
  readonly lastRow: number;
  readonly lastRun: number;
  readonly createdAt: number;
}

/** `importing`: results are being added. `deleting`: too many rows came later. */
export const DATASET_RUN_STATES = ['importing', 'ended', 'failed', 'deleting'] as const;
export type DatasetRunState = (typeof DATASET_RUN_STATES)[number];

/** The results of one job in a dataset. */
export interface DatasetRun {
  readonly dataset: number;
  readonly n: number;
  readonly jobId: string;
  readonly scheduleId: string | null;
  readonly state: DatasetRunState;
  readonly at: number;
  /** Results of the job that were read: `n` of the last item. */
  readonly after: number;
  /** The rows of a run follow each other; `lastRow` < `firstRow`: it has none. */
  readonly firstRow: number;
  readonly lastRow: number;
  readonly error: StoredError | null;
}

/** A row as stored. */
export interface StoredRow {
  readonly row: number;
  readonly run: number;
  /** Tells which rows of two runs are the same (16 bytes). */
  readonly key: Uint8Array;
  /** Of the values (16 bytes). */
  readonly hash: Uint8Array;
  readonly data: RowData;
}

export interface RowData {
  readonly url: string;
  /** Position among the rows of the page. */
  readonly index: number;
  readonly status: number | null;
  readonly title: string | null;
  readonly scrapeId: string | null;
  /** By column. Shorter than the columns: the rest is null. */
  readonly values: readonly unknown[];
}
