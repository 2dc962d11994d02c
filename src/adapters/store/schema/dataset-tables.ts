import type { DatasetRow, DatasetRun } from '../../../domain/datasets.ts';
import { columnsFor, type TableOf } from './columns.ts';

export interface DatasetTables {
  datasets: DatasetTable;
  dataset_runs: DatasetRunTable;
  dataset_rows: {
    dataset: number;
    row: number;
    run: number;
    key: Uint8Array;
    hash: Uint8Array;
    /** `RowData` as JSON. */
    data: string;
  };
  dataset_cells: { dataset: number; col: number; value: Uint8Array; row: number };
}

const dataset = columnsFor<DatasetRow>();
export const DATASET_COLUMNS = {
  id: dataset.id('id'),
  number: dataset.plain('number'),
  user_id: dataset.id('userId'),
  name: dataset.plain('name'),
  key: dataset.json('key'),
  columns: dataset.json('columns'),
  dropped: dataset.plain('dropped'),
  rows: dataset.plain('rows'),
  last_row: dataset.plain('lastRow'),
  last_run: dataset.plain('lastRun'),
  created_at: dataset.plain('createdAt'),
};
export type StoredDataset = TableOf<typeof DATASET_COLUMNS>;
type DatasetTable = StoredDataset & { deleted: number };

const run = columnsFor<DatasetRun>();
export const DATASET_RUN_COLUMNS = {
  dataset: run.plain('dataset'),
  n: run.plain('n'),
  job_id: run.id('jobId'),
  schedule_id: run.optionalId('scheduleId'),
  state: run.plain('state'),
  at: run.plain('at'),
  after: run.plain('after'),
  first_row: run.plain('firstRow'),
  last_row: run.plain('lastRow'),
  error: run.json('error'),
};
export type DatasetRunTable = TableOf<typeof DATASET_RUN_COLUMNS>;
