import type {
  DatasetColumn,
  DatasetRow,
  DatasetRun,
  DatasetRunState,
  StoredRow,
} from '../domain/datasets.ts';
import type { StoredError } from '../domain/jobs.ts';

/** An entry of the index of a column: the value in bytes that sort as the values do, and the row. */
export interface DatasetCell {
  readonly value: Uint8Array;
  readonly row: number;
}

/** Entries with `from` ≤ value < `to`; `to` null: no upper end. */
export interface CellRange {
  readonly column: number;
  readonly from: Uint8Array;
  readonly to: Uint8Array | null;
}

/** Some results of a job. */
export interface DatasetPage {
  /** As it was read. */
  readonly run: Pick<DatasetRun, 'dataset' | 'n' | 'after' | 'lastRow'>;
  /** Of the dataset, as it was read. */
  readonly lastRow: number;
  /** `after` of the run with these. */
  readonly after: number;
  readonly rows: readonly StoredRow[];
  readonly cells: readonly IndexEntry[];
  readonly columns: readonly DatasetColumn[];
  readonly dropped: number;
}

export interface IndexEntry extends DatasetCell {
  readonly column: number;
}

/** Rows of two runs with the same key. */
export interface RowPair {
  readonly row: number;
  /** Of the other run; null: it has none. */
  readonly other: number | null;
}

/**
 * Datasets, their rows, and an index of each column. Every implementation guarantees what JobStore does. Each method reads or writes a
 * bounded number of rows. Those that read whole rows end after about 1 MiB, at least after one row.
 */
export interface DatasetStore {
  /** @returns false: the user has `limit` datasets already */
  create(
    dataset: Pick<DatasetRow, 'id' | 'userId' | 'name' | 'key' | 'columns' | 'createdAt'>,
    limit: number,
  ): Promise<boolean>;
  /** @param userId null: any user */
  get(id: string, userId: string | null): Promise<DatasetRow | null>;
  /** The newest first. @param search a part of the name, ASCII letters in any case */
  list(
    userId: string | null,
    limit: number,
    after: string | null,
    search?: string | null,
  ): Promise<readonly DatasetRow[]>;
  rename(id: string, name: string): Promise<void>;
  /** It is gone at once; `sweep` deletes its rows. Schedules that name it name none afterwards. */
  delete(id: string): Promise<void>;

  /** @returns number of the run; null: the dataset has the results of this job already, or is gone */
  addRun(dataset: number, run: Pick<DatasetRun, 'jobId' | 'scheduleId' | 'at'>): Promise<number | null>;
  /** The newest first. @param before number of the run after the page; null: the first page */
  runs(dataset: number, limit: number, before: number | null): Promise<readonly DatasetRun[]>;
  run(dataset: number, n: number): Promise<DatasetRun | null>;
  /** Runs whose results are to be added, of each dataset the oldest. */
  importing(): Promise<readonly { readonly run: DatasetRun; readonly dataset: DatasetRow }[]>;
  /** Adds rows. Changes no counter if run and dataset are not as they were read: another process has added them. */
  putPage(page: DatasetPage): Promise<void>;
  endRun(
    run: Pick<DatasetRun, 'dataset' | 'n'>,
    state: Exclude<DatasetRunState, 'importing'>,
    error: StoredError | null,
  ): Promise<void>;
  /** @param cells of all rows from `first` to `last` */
  deleteRows(
    dataset: number,
    rows: { readonly first: number; readonly last: number },
    cells: readonly IndexEntry[],
  ): Promise<void>;
  deleteRun(run: Pick<DatasetRun, 'dataset' | 'n'>): Promise<void>;
  /** Runs that are to be deleted. */
  deleting(): Promise<readonly { readonly run: DatasetRun; readonly dataset: DatasetRow }[]>;
  /** Deletes a part of what is left of deleted datasets. @returns whether there may be more */
  sweep(): Promise<boolean>;

  /** Rows with numbers from `first` to `last`, in order. */
  rows(
    dataset: number,
    range: { readonly first: number; readonly last: number; readonly isDescending: boolean },
    limit: number,
  ): Promise<readonly StoredRow[]>;
  /** Rows with these numbers, in this order. What does not exist is left out. */
  rowsOf(dataset: number, rows: readonly number[]): Promise<readonly StoredRow[]>;
  /**
   * Entries of an index in the order of values, then of rows (both turned with `isDescending`).
   * @param after the last entry of the page before; null: the first page
   */
  cells(
    dataset: number,
    range: CellRange,
    order: { readonly isDescending: boolean; readonly after: DatasetCell | null },
    limit: number,
  ): Promise<readonly DatasetCell[]>;
  /** Rows with exactly this value, the newest first. @param before row after the page */
  rowsWith(
    dataset: number,
    column: number,
    value: Uint8Array,
    before: number,
    limit: number,
  ): Promise<readonly number[]>;
  /**
   * Rows of a run with numbers from `first` to `last` whose row in the other run has other values, or is missing. Of several rows of
   * the other run with one key, one is compared.
   */
  differing(
    dataset: number,
    runs: { readonly of: number; readonly other: number },
    rows: { readonly first: number; readonly last: number; readonly only?: 'missing' },
    limit: number,
  ): Promise<readonly RowPair[]>;
}
