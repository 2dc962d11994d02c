/**
 * Measures a page, a sort and filters of a dataset of 1,000 rows and one of 1,000,000, on SQLite: p50 and p95 of the store's queries as the
 * endpoint makes them. Usage: node bench/datasets.ts [rows=1000000] [rounds=200]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import { uuid7 } from '../src/base/uuid7.ts';
import { ColumnTaker, cellsOf, columnNamed } from '../src/datasets/columns.ts';
import { queryRows, type RowFilter, type RowQuery } from '../src/datasets/query-rows.ts';
import { rowHash, rowKey } from '../src/datasets/result-rows.ts';
import type { RowData, StoredRow } from '../src/domain/datasets.ts';

const [most = 1_000_000, rounds = 200] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-datasets-'));
const store = await openSqliteStore({ file: join(folder, 'sluice.db'), durability: 'normal' });
const USER = uuid7(Date.now());

async function fill(rows: number) {
  const { datasets } = store;
  const id = uuid7(Date.now());
  await datasets.create(
    { id, userId: USER, name: String(rows), key: null, columns: [], createdAt: Date.now() },
    1e6,
  );
  const { number } = (await datasets.get(id, null))!;
  const n = (await datasets.addRun(number, { jobId: uuid7(Date.now()), scheduleId: null, at: Date.now() }))!;
  const taker = new ColumnTaker([], 0);
  for (let row = 1; row <= rows; ) {
    const page: StoredRow[] = [];
    for (let last = Math.min(rows, row + 499); row <= last; row++) {
      const price = Math.round(((row * 7919) % 100_003) * 1.37) / 100;
      const fields = new Map<string, unknown>([
        ['name', `Product ${(row * 104_729) % 1_000_003}`],
        ['price', price],
        ['stock', row % 7 === 0 ? null : row % 50],
        ['sold', row % 3 === 0],
        ['at', new Date(1.7e12 + ((row * 31) % 9_999_991) * 1_000).toISOString()],
      ]);
      const url = `https://shop.example/${row}`;
      const facts = { url, index: 0, status: 200, title: `Page ${row}`, scrapeId: null };
      const data: RowData = { ...facts, values: taker.take(fields, row) };
      page.push({ row, run: n, data, key: rowKey(null, fields, data), hash: rowHash(data) });
    }
    const lastRow = row - 1;
    const cells = page.flatMap(({ data, row: of }) => cellsOf(data, taker.columns, of));
    await datasets.putPage({
      run: { dataset: number, n },
      after: lastRow,
      rows: page,
      cells,
      columns: taker.columns,
      dropped: 0,
      lastRow,
    });
  }
  await datasets.endRun({ dataset: number, n }, 'ended', null);
  return (await datasets.get(id, null))!;
}

const percentile = (times: number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

try {
  const results = new Map<string, number[]>();
  for (const rows of [1_000, most]) {
    const begun = performance.now();
    const dataset = await fill(rows);
    console.log(`${rows} rows added in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    const column = (name: string) => columnNamed(dataset.columns, name)!;
    const filter = (name: string, op: RowFilter['op'], value: RowFilter['value']): RowFilter => ({
      column: column(name),
      op,
      value,
    });
    const base = {
      filters: [],
      sort: null,
      range: { first: 1, last: dataset.lastRow },
      cursor: null,
      limit: 50,
    };
    const cases: Readonly<Record<string, (round: number) => RowQuery>> = {
      'first page': () => base,
      'page in the middle': (round) => ({
        ...base,
        cursor: { value: null, row: 1 + ((round * 997) % rows), isLast: false },
      }),
      'sorted by number': () => ({ ...base, sort: { column: column('price'), isDescending: true } }),
      'sorted by text': () => ({ ...base, sort: { column: column('name'), isDescending: false } }),
      'equal to a text': (round) => ({ ...base, filters: [filter('name', 'eq', `Product ${round}`)] }),
      'greater than a number': (round) => ({ ...base, filters: [filter('price', 'gt', 100 + round)] }),
      'a boolean, sorted': () => ({
        ...base,
        filters: [filter('sold', 'eq', true)],
        sort: { column: column('at'), isDescending: true },
      }),
    };
    for (const [name, queryOf] of Object.entries(cases)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        await queryRows(store.datasets, dataset, queryOf(round));
        times.push(performance.now() - start);
      }
      results.set(name, [...(results.get(name) ?? []), percentile(times, 0.5), percentile(times, 0.95)]);
    }
  }
  console.log(`| | p50, 1,000 rows | p95 | p50, ${most} rows | p95 | p95 ratio |`);
  console.log('|---|---|---|---|---|---|');
  for (const [name, [p50 = 0, p95 = 0, large50 = 0, large95 = 0]] of results)
    console.log(
      `| ${name} | ${[p50, p95, large50, large95].map((ms) => `${ms.toFixed(1)} ms`).join(' | ')} | ${(large95 / p95).toFixed(1)} |`,
    );
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
