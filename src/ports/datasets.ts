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

/** The results of some items of a job. */
export interface DatasetPage {
  readonly run: Pick<DatasetRun, 'dataset' | 'n'>;
  /** `n` of the last item. */
  readonly after: number;
  readonly rows: readonly StoredRow[];
  /** Entries of indexes: column, value, row. */
  readonly cells: readonly { readonly column: number; readonly value: Uint8Array; readonly row: number }[];
  readonly columns: readonly DatasetColumn[];
  readonly dropped: number;
  /** Of the dataset, with these. */
  readonly lastRow: number;
}

/** A row that differs between two runs. */
export interface DatasetDifference {
  /** null: the row is gone. */
  readonly now: StoredRow | null;
  /** null: the row is new. */
  readonly before: StoredRow | null;
}

/**
 * Datasets, their rows, and an index of each column. Every implementation guarantees what JobStore does. Each method reads or writes a
 * bounded number of rows.
 */
export interface DatasetStore {
  /** @returns false: the user has `limit` datasets already */
  create(
    dataset: Pick<DatasetRow, 'id' | 'userId' | 'name' | 'key' | 'columns' | 'createdAt'>,
    limit: number,
  ): Promise<boolean>;
  /** @param userId null: any user */
  get(id: string, userId: string | null): Promise<DatasetRow | null>;
  list(userId: string | null, limit: number, after: string | null): Promise<readonly DatasetRow[]>;
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
  /** Adds rows. Does nothing if the results up to `page.after` were added already. */
  putPage(page: DatasetPage): Promise<void>;
  endRun(
    run: Pick<DatasetRun, 'dataset' | 'n'>,
    state: Exclude<DatasetRunState, 'importing'>,
    error: StoredError | null,
  ): Promise<void>;
  /** Deletes the first `limit` rows of a run, and the run when it has none. @param cells of these rows */
  deleteRows(
    run: Pick<DatasetRun, 'dataset' | 'n'>,
    rows: readonly number[],
    cells: readonly { readonly column: number; readonly value: Uint8Array; readonly row: number }[],
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
  /** Looks at `limit` rows of run `now` from `first` on, and gives those that are new or changed since run `before`. */
  changed(
    dataset: number,
    runs: { readonly now: number; readonly before: number },
    first: number,
    limit: number,
  ): Promise<readonly DatasetDifference[]>;
  /** The same: rows of run `before` that run `now` has not. */
  gone(
    dataset: number,
    runs: { readonly now: number; readonly before: number },
    first: number,
    limit: number,
  ): Promise<readonly DatasetDifference[]>;
}
