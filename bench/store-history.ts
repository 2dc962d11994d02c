/**
 * Measures queries over history and statistics in a database of a million records, without the rest of the service, and
 * prints their query plans. Nine in ten records are of one user, the worst case. `node bench/store-history.ts [records]`
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createCompiler, statementOf } from '../src/adapters/store/queries/query-compiler.ts';
import {
  listQuery,
  recordRange,
  scanEndQuery,
  sqliteDialect,
} from '../src/adapters/store/queries/record-lists.ts';
import { statsQueries } from '../src/adapters/store/queries/stats-store.ts';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import type { RecordFilter } from '../src/domain/record.ts';
import type { StatsWindow } from '../src/http/endpoints/stats.ts';
import { statsRequest } from '../src/http/endpoints/stats.ts';
import { ANNA, filter, idAt } from '../test/contracts/samples.ts';
import { madeAt, makeRecords, makeStats, RARE_HOST } from './lib/made-history.ts';
import { fixed, provenance, table } from './lib/report.ts';
import { median, quantile } from './lib/statistics.ts';

const TIMES = 40;
const total = Number(process.argv[2] ?? 1_000_000);
const until = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const file = join(folder, 'sluice.db');
const store = await openSqliteStore({ file, durability: 'normal' });
const rows: string[][] = [];

async function timed(name: string, work: (n: number) => Promise<unknown>, times = TIMES): Promise<void> {
  const durations: number[] = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    await work(n);
    durations.push(performance.now() - start);
  }
  rows.push([
    name,
    fixed(median(durations)),
    fixed(quantile(durations, 0.95)),
    fixed(Math.max(...durations)),
  ]);
}

const FILTERS: Readonly<Record<string, Partial<RecordFilter>>> = {
  'no filter': {},
  'outcome of 1 in 13': { outcome: 'target_error' },
  'host of 1 in 5,000': { host: RARE_HOST },
  'host that is not there': { host: 'none.example' },
  'status that is not there': { status: 418 },
  'error that is not there': { errorCode: 'tls.invalid' },
  'scraper that is not there': { scraper: 'browser' },
  'key that is not there': { keyId: 'none' },
  'tag of 1 in 8': { tag: { name: 'team', value: 'blue' } },
  'tag that is not there': { tag: { name: 'team', value: 'red' } },
  'an hour in the past': { from: until - 50 * 3_600_000, to: until - 49 * 3_600_000 },
};

async function measureLists(): Promise<void> {
  for (const userId of [ANNA, null]) {
    const whose = userId === null ? 'everybody' : 'own';
    for (const [name, change] of Object.entries(FILTERS))
      await timed(`${whose}: ${name}`, () => store.records.list(filter({ ...change, userId }), 50, null));
    for (const [name, change] of [
      ['deep page', {}],
      ['deep page, tag that is not there', FILTERS['tag that is not there']!],
    ] as const)
      await timed(`${whose}: ${name}`, (n) => {
        const after = idAt(madeAt(Math.floor((total * (n + 1)) / (TIMES + 2)), total, until));
        return store.records.list(filter({ ...change, userId }), 50, after);
      });
    await timed(`${whose}: all pages, host that is not there`, () => listAllPages(userId), 5);
  }
}

async function listAllPages(userId: string | null): Promise<void> {
  let after: string | null = null;
  do after = (await store.records.list(filter({ userId, host: 'none.example' }), 50, after)).next;
  while (after !== null);
}

async function measureStats(): Promise<void> {
  for (const userId of [ANNA, null])
    for (const window of ['1h', '24h', '7d'] as const)
      await timed(`${userId === null ? 'everybody' : 'own'}: stats of ${window}`, () =>
        store.stats.read(statsRequest({ window, userId }, until)),
      );
}

async function measureOthers(): Promise<void> {
  const recordId = idAt(madeAt(77, total, until), 77);
  await timed('one record with content', () => store.records.get(recordId, null));
  await timed('a retention sweep of 500', () => store.records.sweep(until, 500), 5);
  const backup = async () => {
    const to = join(folder, 'backup');
    await store.backup(to);
    rmSync(to);
  };
  await timed('a backup', backup, 3);
}

/** Prints SQLite's query plans. They do not depend on the values of the parameters. */
function printPlans(): void {
  const db = new Database(file, { readonly: true });
  const compiler = createCompiler();
  const explain = (name: string, query: Parameters<typeof statementOf>[0]) => {
    const [sql, parameters] = statementOf(query);
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
    console.log(`\n${name}\n  ${sql.replace(/(\?, ){5,}/g, '?, …, ')}`);
    for (const { detail } of steps) console.log(`  -> ${detail}`);
  };
  for (const userId of [ANNA, null]) {
    const whose = userId === null ? 'everybody' : 'own';
    for (const change of [
      {},
      { host: RARE_HOST },
      { tag: { name: 'team', value: 'red' }, from: 0, to: until },
    ]) {
      const recordFilter = filter({ ...change, userId });
      const range = recordRange(recordFilter, idAt(until))!;
      const name = `${whose}: ${Object.keys(change).join(', ') || 'no filter'}`;
      if (change.host !== undefined)
        explain(`${whose}: where the scan ends`, scanEndQuery(compiler, sqliteDialect, range));
      explain(name, listQuery(compiler, sqliteDialect, recordFilter, range, 51));
    }
  }
  const names = ['steps', 'hosts', 'errors'];
  const window: StatsWindow = '7d';
  for (const [n, query] of statsQueries(compiler, statsRequest({ window, userId: ANNA }, until))!.entries())
    explain(`stats: ${names[n]}`, query);
  db.close();
}

try {
  await makeRecords(store, total, ANNA, until);
  await makeStats(store, ANNA, until);
  console.log(provenance('node bench/store-history.ts'));
  console.log(`${total} records, ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB.\n`);
  await measureLists();
  await measureStats();
  await measureOthers();
  console.log(table(['', 'p50 ms', 'p95 ms', 'worst ms'], rows));
  printPlans();
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
