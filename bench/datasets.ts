/**
 * `npm run bench -- datasets [--rows=1e6] [--added=1e5] [--rounds=60] [--postgres]`: pages of a dataset of 1,000 rows and of one of
 * 1,000,000 in the same database, by turns, as the endpoint reads them; what adding rows and deleting old runs takes, and what others
 * wait for meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openPostgresStore } from '../src/adapters/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import { systemClock } from '../src/base/time.ts';
import { uuid7 } from '../src/base/uuid7.ts';
import { ColumnTaker, cellsOf, columnNamed } from '../src/datasets/columns.ts';
import { compareRuns, type DiffPlace } from '../src/datasets/compare-runs.ts';
import { type DatasetImporter, startDatasetImporter } from '../src/datasets/importer.ts';
import { queryRows, type RowCursor, type RowFilter, type RowQuery } from '../src/datasets/query-rows.ts';
import { rowHash, rowKey } from '../src/datasets/result-rows.ts';
import type { DatasetRow, DatasetRun, StoredRow } from '../src/domain/datasets.ts';
import type { ItemRow, JobRow } from '../src/domain/jobs.ts';
import type { StoredRecord } from '../src/domain/record.ts';
import type { DatasetStore } from '../src/ports/datasets.ts';
import type { Store } from '../src/ports/store.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { quantile } from './lib/statistics.ts';

const USER = uuid7(Date.now());
const FEW = 1_000;
/** Rows of a transaction that fills a large dataset; the importer takes fewer, for the sake of others. */
const ROWS_AT_ONCE = 2_000;
/** A run of all rows is deleted for so long. */
const DELETED_MS = 30_000;
/** Rows of a page that was scraped: a list of products. */
const ROWS_PER_ITEM = 20;
const WIDE_COLUMNS = 200;

interface Opened {
  readonly store: Store;
  close(): Promise<void>;
}

async function openSqlite(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-datasets-'));
  const store = await openSqliteStore({ file: join(folder, 'sluice.db'), durability: 'normal' });
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { store, close };
}

async function openPostgres(): Promise<Opened> {
  // Loaded only if it is used, because it begins a run of tests.
  const { startPostgres } = await import('../test/helpers/postgres.ts');
  const server = await startPostgres(['max_wal_size=4GB', 'checkpoint_timeout=30min']);
  const url = await server.createDatabase();
  const store = await openPostgresStore({ url, directUrl: null, readUrl: null });
  const close = async () => {
    await store.close();
    await server.close();
  };
  return { store, close };
}

const product = (row: number): Record<string, unknown> => ({
  name: `Product ${(row * 104_729) % 1_000_003}`,
  price: Math.round(((row * 7919) % 100_003) * 1.37) / 100,
  stock: row % 7 === 0 ? null : row % 50,
  sold: row % 3 === 0,
  at: new Date(1.7e12 + ((row * 31) % 9_999_991) * 1_000).toISOString(),
});

const wideRow = (row: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: WIDE_COLUMNS }, (_, n) => [`column ${n}`, `value ${row * n}`]));

interface Job {
  readonly rows: number;
  readonly rowOf: (row: number) => Record<string, unknown>;
}

/** What the importer reads, made when it asks. */
class MadeJobs {
  readonly #jobs = new Map<string, Job>();
  readonly #records = new Map<string, () => StoredRecord>();

  add(job: Job): string {
    const id = uuid7(Date.now());
    this.#jobs.set(id, job);
    return id;
  }

  readonly jobs = {
    get: async (id: string) => ({ id }) as JobRow,
    results: async (id: string, after: number, limit: number) => {
      this.#records.clear();
      const { rows, rowOf } = this.#jobs.get(id)!;
      const last = Math.min(Math.ceil(rows / ROWS_PER_ITEM), after + limit);
      return Array.from({ length: last - after }, (_, at) => {
        const n = after + at + 1;
        const first = (n - 1) * ROWS_PER_ITEM;
        const scrapeId = `${id} ${n}`;
        this.#records.set(scrapeId, () => {
          const items = Array.from({ length: Math.min(ROWS_PER_ITEM, rows - first) }, (_one, of) =>
            rowOf(first + of),
          );
          const head = { id: scrapeId, status_code: 200, final_url: null, headers: {} };
          const body = { errors: [], scraper_data: { extract: { items } } };
          const answerJson = [head, body, {}].map((part) => JSON.stringify(part)).join('\n');
          return { statusCode: 200, answerJson } as StoredRecord;
        });
        return { n, scrapeId, url: `https://shop.example/${n}`, state: 'ok' } as ItemRow;
      });
    },
  };

  readonly records = { get: async (id: string) => this.#records.get(id)!() };
}

/** Times of calls, by name, in ms. */
class Times {
  readonly #all = new Map<string, number[]>();

  async of<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.#all.set(name, [...(this.#all.get(name) ?? []), performance.now() - start]);
    return result;
  }

  rows(): string[][] {
    return [...this.#all].map(([name, times]) => [
      name,
      whole(times.length),
      ...[quantile(times, 0.5), quantile(times, 0.95), Math.max(...times)].map((ms) => fixed(ms, 1)),
    ]);
  }
}

const HEAD = ['', 'calls', 'p50 ms', 'p95 ms', 'most ms'];

/** A store whose writes of the importer are timed. */
function timedStore(datasets: DatasetStore, times: () => Times): DatasetStore {
  const timed =
    <Name extends 'putPage' | 'deleteRows' | 'sweep'>(name: Name) =>
    (...args: Parameters<DatasetStore[Name]>) =>
      times().of(`writes: ${name}`, () => (datasets[name] as (...all: unknown[]) => Promise<never>)(...args));
  return { ...datasets, putPage: timed('putPage'), deleteRows: timed('deleteRows'), sweep: timed('sweep') };
}

export async function datasets(flags: readonly string[]): Promise<void> {
  const numberOf = (name: string, or: number) =>
    Number(flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3) ?? or);
  const most = numberOf('rows', 1_000_000);
  const added = numberOf('added', 100_000);
  const rounds = numberOf('rounds', 60);
  console.log(provenance(`npm run bench -- datasets ${flags.join(' ')}`));
  const { store, close } = await (flags.includes('--postgres') ? openPostgres() : openSqlite());
  const made = new MadeJobs();
  let times = new Times();
  const timed = timedStore(store.datasets, () => times);
  const startImporter = () =>
    startDatasetImporter({
      ...{ datasets: timed, jobs: made.jobs, records: made.records as never, clock: systemClock },
      limits: {
        take: async () => ({ remaining: 0, signal: new AbortController().signal, release: () => {} }),
      },
      onError: (error) => console.error(error),
    });

  let importer: DatasetImporter | null = null;

  const make = async (name: string): Promise<DatasetRow> => {
    const id = uuid7(Date.now());
    const row = { id, userId: USER, name, key: null, columns: [], createdAt: Date.now() };
    await store.datasets.create(row, 1e6);
    return (await store.datasets.get(id, null))!;
  };
  /** Calls `done` again and again until it holds; meanwhile a reader and a writer are timed. */
  const until = async (watched: DatasetRow | null, done: () => Promise<boolean>) => {
    while (!(await done())) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (watched !== null)
        await times.of('others: a page', () => queryRows(store.datasets, watched, pageOf(watched)));
      await times.of('others: a write', () => store.check());
    }
  };
  const fill = async ({ number, id }: DatasetRow, job: Job, watched: DatasetRow | null = null) => {
    const run = { jobId: made.add(job), scheduleId: null, at: Date.now() };
    const n = (await store.datasets.addRun(number, run))!;
    await until(watched, async () => (await store.datasets.run(number, n))!.state === 'ended');
    return { dataset: (await store.datasets.get(id, null))!, run: (await store.datasets.run(number, n))! };
  };
  const report = async (title: string, work: () => Promise<unknown>) => {
    times = new Times();
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    const begun = performance.now();
    await work();
    loop.disable();
    const seconds = fixed((performance.now() - begun) / 1_000, 1);
    const { used } = await store.usage();
    console.log(
      `\n${title}: ${seconds} s; the database has ${whole(used / 2 ** 20)} MiB; the event loop stood still for at most ${fixed(loop.max / 1e6, 0)} ms.\n`,
    );
    console.log(table(HEAD, times.rows()));
  };

  try {
    const small = await fillAtOnce(store.datasets, await make('few'), FEW);
    let large = await make('many');
    await report(`${whole(most)} rows, in large transactions`, async () => {
      large = await fillAtOnce(store.datasets, large, most);
    });
    console.log(`\nPages of 50 rows, by turns:\n`);
    await comparePages(store.datasets, small, large, rounds);

    importer = startImporter();
    const pair = await make('compared');
    let [first, second]: DatasetRun[] = [];
    await report(`${whole(added)} rows added by the importer`, async () => {
      first = (await fill(pair, { rows: added, rowOf: product }, small)).run;
    });
    const changed: Job['rowOf'] = (row) => ({ ...product(row), ...(row % 1_000 === 0 && { price: -1 }) });
    second = (await fill(pair, { rows: added, rowOf: changed })).run;
    await report(`${whole(added)} rows compared with ${whole(added)}, pages of 200`, () =>
      readDifferences(store.datasets, pair, [second!, first!], times),
    );

    const wide = await make('wide');
    await report(`1,000 rows of ${WIDE_COLUMNS} columns added by the importer`, () =>
      fill(wide, { rows: 1_000, rowOf: wideRow }, small),
    );
    await report('A run deleted, for half a minute at most', async () => {
      const end = performance.now() + DELETED_MS;
      await store.datasets.endRun({ dataset: large.number, n: 1 }, 'deleting', null);
      const left = async () => (await store.datasets.get(large.id, null))!.rows;
      await until(small, async () => performance.now() > end || (await left()) === 0);
      console.log(`\n${whole(most - (await left()))} rows were deleted.`);
    });
    await report(`A dataset deleted, for half a minute at most`, async () => {
      const end = performance.now() + DELETED_MS;
      await store.datasets.delete(large.id);
      await until(small, async () => performance.now() > end);
    });
  } finally {
    await importer?.stop();
    await close();
  }
}

/** Adds a run as the importer does, in larger transactions. */
async function fillAtOnce(
  store: DatasetStore,
  { id, number }: DatasetRow,
  rows: number,
): Promise<DatasetRow> {
  const n = (await store.addRun(number, { jobId: uuid7(Date.now()), scheduleId: null, at: Date.now() }))!;
  const taker = new ColumnTaker([], 0);
  for (let lastRow = 0; lastRow < rows; lastRow += ROWS_AT_ONCE) {
    const page = Array.from({ length: Math.min(ROWS_AT_ONCE, rows - lastRow) }, (_, at): StoredRow => {
      const row = lastRow + at + 1;
      const fields = new Map(Object.entries(product(row)));
      const url = `https://shop.example/${row}`;
      const facts = { url, index: 0, status: 200, title: `Page ${row}`, scrapeId: null };
      const data = { ...facts, values: taker.take(fields, row) };
      return { row, run: n, data, key: rowKey(null, fields, data), hash: rowHash(data) };
    });
    const run = (await store.run(number, n))!;
    const cells = page.flatMap(({ data, row }) => cellsOf(data, taker.columns, row));
    const { columns, dropped } = taker;
    await store.putPage({ run, lastRow, after: run.after + 1, rows: page, cells, columns, dropped });
  }
  await store.endRun({ dataset: number, n }, 'ended', null);
  return (await store.get(id, null))!;
}

const pageOf = ({ lastRow }: DatasetRow): RowQuery => ({
  ...{ filters: [], sort: null, cursor: null, limit: 50 },
  range: { first: 1, last: lastRow },
});

/** A query of a dataset; its values differ from round to round. */
type Case = (base: RowQuery, column: (name: string) => RowFilter['column'], round: number) => RowQuery;

const CASES: Readonly<Record<string, Case>> = {
  'the newest rows': (base) => base,
  'a page in the middle': (base, _, round) => ({
    ...base,
    cursor: { value: null, row: 1 + ((round * 997) % base.range.last), isLast: false },
  }),
  'sorted by a number': (base, column) => ({
    ...base,
    sort: { column: column('price'), isDescending: true },
  }),
  'sorted by a text': (base, column) => ({ ...base, sort: { column: column('name'), isDescending: false } }),
  'sorted by a column of 50 values': (base, column) => ({
    ...base,
    sort: { column: column('stock'), isDescending: false },
  }),
  'equal to a text': (base, column, round) => ({
    ...base,
    filters: [{ column: column('name'), op: 'eq', value: `Product ${round}` }],
  }),
  'greater than a number': (base, column, round) => ({
    ...base,
    filters: [{ column: column('price'), op: 'gt', value: 100 + round }],
  }),
  'a boolean, sorted': (base, column) => ({
    ...base,
    filters: [{ column: column('sold'), op: 'eq', value: true }],
    sort: { column: column('at'), isDescending: true },
  }),
  'contains, 1 row in 90': (base, column, round) => ({
    ...base,
    filters: [{ column: column('name'), op: 'contains', value: `T ${10 + (round % 80)}` }],
  }),
  'contains, no row': (base, column) => ({
    ...base,
    filters: [{ column: column('name'), op: 'contains', value: 'nothing has this' }],
  }),
  'three filters, sorted': (base, column, round) => ({
    ...base,
    filters: [
      { column: column('price'), op: 'gt', value: 100 + round },
      { column: column('stock'), op: 'lt', value: 25 },
      { column: column('name'), op: 'contains', value: '1' },
    ],
    sort: { column: column('name'), isDescending: true },
  }),
};

async function comparePages(store: DatasetStore, small: DatasetRow, large: DatasetRow, rounds: number) {
  const rows: string[][] = [];
  const of = (dataset: DatasetRow, name: string, round: number, cursor: RowCursor | null = null) => {
    const query = CASES[name]!(pageOf(dataset), (of) => columnNamed(dataset.columns, of)!, round);
    return queryRows(store, dataset, cursor === null ? query : { ...query, cursor });
  };
  const pair = [small, large] as const;
  const measured = async (name: string, call: (dataset: DatasetRow, round: number) => Promise<unknown>) => {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const [at, dataset] of pair.entries()) {
        const start = performance.now();
        await call(dataset, round);
        times[at]!.push(performance.now() - start);
      }
    const [few, many] = times.map((list) => [quantile(list, 0.5), quantile(list, 0.95)]) as [
      number[],
      number[],
    ];
    rows.push([name, ...[...few, ...many].map((ms) => fixed(ms, 1)), fixed(many[1]! / few[1]!, 1)]);
  };
  for (const name of Object.keys(CASES)) await measured(name, (dataset, round) => of(dataset, name, round));
  /** A page after so many others of the same order. */
  for (const [name, pages] of [['sorted by a text', 15]] as const) {
    const cursors = new Map<DatasetRow, RowCursor | null>();
    for (const dataset of pair) {
      let cursor: RowCursor | null = null;
      for (let page = 0; page < pages; page++) cursor = (await of(dataset, name, 0, cursor)).next;
      cursors.set(dataset, cursor);
    }
    await measured(`${name}, page ${pages + 1}`, (dataset) => of(dataset, name, 0, cursors.get(dataset)!));
  }
  const few = ['p50', 'p95'].map((what) => `${what} ms of ${whole(small.rows)}`);
  const many = ['p50', 'p95'].map((what) => `${what} ms of ${whole(large.rows)}`);
  console.log(table(['', ...few, ...many, 'p95 ratio'], rows));
}

/** Reads all pages of the differences of two runs. */
async function readDifferences(
  store: DatasetStore,
  { number }: DatasetRow,
  [now, before]: readonly [DatasetRun, DatasetRun],
  times: Times,
): Promise<void> {
  let place: DiffPlace | null = { phase: 'run', row: 0 };
  while (place !== null) {
    const from: DiffPlace = place;
    place = (await times.of('a page', () => compareRuns(store, number, { now, before }, from, 200))).next;
  }
}
