import type { Clock } from '../base/time.ts';
import { sleep } from '../base/wait.ts';
import {
  type DatasetRow,
  type DatasetRun,
  MAX_ROWS,
  type RowData,
  type StoredRow,
} from '../domain/datasets.ts';
import type { Holding, SharedLimits } from '../ports/coordination.ts';
import type { DatasetStore } from '../ports/datasets.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { RecordStore } from '../ports/store.ts';
import { contentFacts, recordData } from '../wire/record/record-json.ts';
import { ColumnTaker, cellsOf } from './columns.ts';
import { rowHash, rowKey, rowsOfData } from './result-rows.ts';

export interface ImporterDeps {
  readonly datasets: DatasetStore;
  readonly jobs: Pick<JobStore, 'get' | 'results'>;
  readonly records: Pick<RecordStore, 'get'>;
  /** Of all services that use the store: one of them at a time adds results. */
  readonly limits: Pick<SharedLimits, 'take'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Adds the results of jobs to datasets, and deletes what is too much. */
export interface DatasetImporter {
  stop(): Promise<void>;
}

const TICK_MS = 500;
/** Results that one transaction adds: few enough not to delay the records of scrapes. */
const ITEMS_PER_CALL = 50;
const ROWS_PER_CALL = 200;
const LEADER = 'datasets:leader';

export function startDatasetImporter(deps: ImporterDeps): DatasetImporter {
  const stopping = new AbortController();
  let lead: Holding | null = null;
  const round = async () => {
    if (lead === null || lead.signal.aborted) lead = await deps.limits.take([{ name: LEADER, limit: 1 }]);
    if (lead === null) return false;
    let worked = await deps.datasets.sweep();
    for (const { run, dataset } of await deps.datasets.deleting()) {
      await deletePart(deps, run, dataset);
      worked = true;
    }
    for (const { run, dataset } of await deps.datasets.importing()) {
      if (stopping.signal.aborted) return false;
      await addPart(deps, run, dataset);
      worked = true;
    }
    return worked;
  };
  const loop = async () => {
    for (;;) {
      const worked = await round().catch((error: unknown) => {
        deps.onError(error);
        return false;
      });
      if (!(await sleep(worked ? 0 : TICK_MS, stopping.signal))) return;
    }
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
      lead?.release();
    },
  };
}

/** Adds the next results of a run, one after the other, until a transaction is full. */
async function addPart(deps: ImporterDeps, run: DatasetRun, dataset: DatasetRow): Promise<void> {
  const { datasets, jobs, records } = deps;
  if ((await jobs.get(run.jobId, null)) === null) {
    const error = {
      code: 'request.not_found',
      message: 'The job was deleted before all results were added.',
    };
    return await endRun(deps, run, dataset, error);
  }
  if (run.lastRow - run.firstRow + 1 >= MAX_ROWS)
    return await endRun(deps, run, dataset, {
      code: 'request.too_large',
      message: `A dataset has at most ${MAX_ROWS} rows. Further results of this job are left out.`,
    });
  const items = await jobs.results(run.jobId, run.after, ITEMS_PER_CALL);
  const taker = new ColumnTaker(dataset.columns, dataset.dropped);
  const rows: StoredRow[] = [];
  let { after } = run;
  let row = dataset.lastRow;
  for (const item of items) {
    const record = item.scrapeId === null ? null : await records.get(item.scrapeId, null);
    after = item.n!;
    // An error page has no data of the kind that is collected.
    if (record === null || item.state !== 'ok' || (record.statusCode ?? 0) >= 400) continue;
    const data = recordData(record);
    const found = rowsOfData(data);
    const { title = null } = (data.metadata ?? {}) as { readonly title?: string | null };
    for (const [index, fields] of found.entries()) {
      row++;
      const { finalUrl } = contentFacts(record);
      const facts = { url: item.url, index, status: record.statusCode, title, scrapeId: item.scrapeId };
      const rowData: RowData = { ...facts, url: finalUrl ?? item.url, values: taker.take(fields, row) };
      const own = { row, run: run.n, data: rowData };
      rows.push({ ...own, key: rowKey(dataset.key, fields, rowData), hash: rowHash(rowData) });
    }
    if (rows.length >= ROWS_PER_CALL) break;
  }
  if (after > run.after) {
    const { columns, dropped } = taker;
    const cells = rows.flatMap(({ data, row: number }) => cellsOf(data, columns, number));
    await datasets.putPage({ run, after, rows, cells, columns, dropped, lastRow: row });
  }
  if (items.length < ITEMS_PER_CALL && after === (items.at(-1)?.n ?? run.after))
    await endRun(deps, run, dataset, null);
}

async function endRun(
  { datasets }: ImporterDeps,
  run: DatasetRun,
  { id }: DatasetRow,
  error: { readonly code: string; readonly message: string } | null,
): Promise<void> {
  await datasets.endRun(run, error === null ? 'ended' : 'failed', error);
  // The oldest runs go, as long as the others are too many. The newest one stays.
  const now = await datasets.get(id, null);
  if (now === null || now.rows <= MAX_ROWS) return;
  let rest = now.rows;
  const runs = await allRuns(datasets, now.number);
  for (const old of runs.toReversed()) {
    if (rest <= MAX_ROWS || old.n === run.n) break;
    if (old.state === 'importing') continue;
    rest -= Math.max(0, old.lastRow - old.firstRow + 1);
    if (old.state !== 'deleting') await datasets.endRun(old, 'deleting', null);
  }
}

async function allRuns(datasets: DatasetStore, dataset: number): Promise<readonly DatasetRun[]> {
  const all: DatasetRun[] = [];
  for (let before: number | null = null; ; before = all.at(-1)!.n) {
    const page = await datasets.runs(dataset, 1_000, before);
    all.push(...page);
    if (page.length < 1_000) return all;
  }
}

async function deletePart({ datasets }: ImporterDeps, run: DatasetRun, dataset: DatasetRow): Promise<void> {
  const range = { first: run.firstRow, last: run.lastRow, isDescending: false };
  const rows = run.lastRow < run.firstRow ? [] : await datasets.rows(run.dataset, range, ROWS_PER_CALL);
  if (rows.length === 0) return await datasets.deleteRun(run);
  const cells = rows.flatMap(({ data, row }) => cellsOf(data, dataset.columns, row));
  const numbers = rows.map(({ row }) => row);
  await datasets.deleteRows(run, numbers, cells);
}
