import type { Clock } from '../base/time.ts';
import { sleep } from '../base/wait.ts';
import {
  type DatasetRow,
  type DatasetRun,
  MAX_ROWS,
  type RowData,
  type StoredRow,
} from '../domain/datasets.ts';
import type { ItemRow } from '../domain/jobs.ts';
import type { Holding, SharedLimits } from '../ports/coordination.ts';
import type { DatasetPage, DatasetStore, IndexEntry } from '../ports/datasets.ts';
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
/** What one transaction adds or deletes: little enough not to delay the records of scrapes. */
const ITEMS_PER_CALL = 50;
const ROWS_PER_CALL = 200;
const CELLS_PER_CALL = 2_000;
const CHARS_PER_CALL = 2 ** 20;
const LEADER = 'datasets:leader';

export function startDatasetImporter(deps: ImporterDeps): DatasetImporter {
  const stopping = new AbortController();
  const pages = new ScrapedPages(deps.records);
  let lead: Holding | null = null;
  const round = async () => {
    if (lead === null || lead.signal.aborted) lead = await deps.limits.take([{ name: LEADER, limit: 1 }]);
    if (lead === null) return false;
    let worked = await deps.datasets.sweep();
    /** A dataset whose results cannot be read does not hold up the others. */
    const part = async (work: Promise<void>) => {
      await work.then(() => {
        worked = true;
      }, deps.onError);
    };
    for (const { run, dataset } of await deps.datasets.deleting()) await part(deletePart(deps, run, dataset));
    for (const { run, dataset } of await deps.datasets.importing()) {
      if (stopping.signal.aborted) return false;
      await part(addPart(deps, pages, run, dataset));
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
async function addPart(
  deps: ImporterDeps,
  pages: ScrapedPages,
  run: DatasetRun,
  dataset: DatasetRow,
): Promise<void> {
  const { datasets, jobs } = deps;
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
  const part = new Part(run, dataset);
  // The last call may have ended amid the rows of a page.
  const [newest] =
    run.lastRow < run.firstRow
      ? []
      : await datasets.rows(run.dataset, { first: run.lastRow, last: run.lastRow, isDescending: false }, 1);
  for (const item of items) {
    const page = await pages.of(item);
    const isContinued = newest !== undefined && newest.data.scrapeId === item.scrapeId;
    if (!part.add(item, page, isContinued ? newest.data.index + 1 : 0) || part.isFull) break;
  }
  const page = part.page();
  if (page !== null) await datasets.putPage(page);
  if (items.length < ITEMS_PER_CALL && part.after === (items.at(-1)?.n ?? run.after))
    await endRun(deps, run, dataset, null);
}

/** Results of a run that one transaction adds. */
class Part {
  readonly #run: DatasetRun;
  readonly #dataset: DatasetRow;
  readonly #taker: ColumnTaker;
  readonly #rows: StoredRow[] = [];
  readonly #cells: IndexEntry[] = [];
  #chars = 0;
  after: number;

  constructor(run: DatasetRun, dataset: DatasetRow) {
    this.#run = run;
    this.#dataset = dataset;
    this.#taker = new ColumnTaker(dataset.columns, dataset.dropped);
    this.after = run.after;
  }

  get isFull(): boolean {
    return (
      this.#rows.length >= ROWS_PER_CALL ||
      this.#cells.length >= CELLS_PER_CALL ||
      this.#chars >= CHARS_PER_CALL
    );
  }

  /** @param from rows of the page before were added @returns false: the next part continues with this item */
  add(item: ItemRow, page: ScrapedPage | null, from: number): boolean {
    const { facts, rows = [] } = page ?? {};
    for (let index = from; index < rows.length; index++) {
      if (this.isFull) return false;
      this.#addRow({ ...facts!, index }, rows[index]!);
    }
    this.after = item.n!;
    return true;
  }

  #addRow(facts: Omit<RowData, 'values'>, fields: ReadonlyMap<string, unknown>): void {
    const row = this.#dataset.lastRow + this.#rows.length + 1;
    const data = { ...facts, values: this.#taker.take(fields, row) };
    const key = rowKey(this.#dataset.key, fields, data);
    this.#rows.push({ row, run: this.#run.n, data, key, hash: rowHash(data) });
    this.#cells.push(...cellsOf(data, this.#taker.columns, row));
    this.#chars += this.#taker.chars;
  }

  /** null: nothing is new. */
  page(): DatasetPage | null {
    const [run, rows, after] = [this.#run, this.#rows, this.after];
    if (after === run.after && rows.length === 0) return null;
    const { columns, dropped } = this.#taker;
    const { lastRow } = this.#dataset;
    return { run, lastRow, after, rows, cells: this.#cells, columns, dropped };
  }
}

/** A page with its rows. */
interface ScrapedPage {
  readonly facts: Omit<RowData, 'values' | 'index'>;
  readonly rows: readonly ReadonlyMap<string, unknown>[];
}

/** Reads the pages of items. The last one is kept, because several calls may add its rows. */
class ScrapedPages {
  readonly #records: ImporterDeps['records'];
  #last: ScrapedPage | null = null;

  constructor(records: ImporterDeps['records']) {
    this.#records = records;
  }

  /** null: there are no rows. */
  async of({ scrapeId, state, url: itemUrl }: ItemRow): Promise<ScrapedPage | null> {
    if (scrapeId === null || state !== 'ok') return null;
    if (this.#last?.facts.scrapeId === scrapeId) return this.#last;
    const record = await this.#records.get(scrapeId, null);
    // An error page has no data of the kind that is collected.
    if (record === null || (record.statusCode ?? 0) >= 400) return null;
    const data = recordData(record);
    const { title = null } = (data.metadata ?? {}) as { readonly title?: string | null };
    const url = contentFacts(record).finalUrl ?? itemUrl;
    this.#last = { facts: { url, status: record.statusCode, title, scrapeId }, rows: rowsOfData(data) };
    return this.#last;
  }
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
  const each = rows.map(({ data, row }) => cellsOf(data, dataset.columns, row));
  const fit = Math.max(1, Math.floor(CELLS_PER_CALL / each[0]!.length));
  const last = rows.slice(0, fit).at(-1)!.row;
  await datasets.deleteRows(run.dataset, { first: run.firstRow, last }, each.slice(0, fit).flat());
}
