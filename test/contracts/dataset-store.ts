import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ColumnTaker, cellsOf, columnNamed, valueAt } from '../../src/datasets/columns.ts';
import { compareRuns, type DiffPlace } from '../../src/datasets/compare-runs.ts';
import {
  passes,
  queryRows,
  type RowCursor,
  type RowFilter,
  type RowSort,
} from '../../src/datasets/query-rows.ts';
import { rowHash, rowKey } from '../../src/datasets/result-rows.ts';
import type { DatasetRow, RowData, StoredRow } from '../../src/domain/datasets.ts';
import type { DatasetPage, DatasetStore } from '../../src/ports/datasets.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, T0 } from './samples.ts';

const dataset = (n: number, change: object = {}) => ({
  ...{ id: idAt(T0 + n), userId: ANNA, name: 'Prices', key: null, columns: [], createdAt: T0 },
  ...change,
});

async function made(datasets: DatasetStore, n = 1): Promise<DatasetRow> {
  await datasets.create(dataset(n), 9);
  return (await datasets.get(idAt(T0 + n), ANNA))!;
}

/** Rows for a run, as the importer makes them. */
async function pageOf(
  datasets: DatasetStore,
  { id, number }: DatasetRow,
  n: number,
  after: number,
  rows: readonly object[],
): Promise<DatasetPage> {
  const { columns, dropped, lastRow } = (await datasets.get(id, null))!;
  const taker = new ColumnTaker(columns, dropped);
  const stored = rows.map((row, at): StoredRow => {
    const fields = new Map(Object.entries(row));
    const facts = {
      url: `https://a.test/${fields.get('id')}`,
      index: 0,
      status: 200,
      title: null,
      scrapeId: null,
    };
    const data: RowData = { ...facts, values: taker.take(fields, lastRow + at + 1) };
    return { row: lastRow + at + 1, run: n, data, key: rowKey(null, fields, data), hash: rowHash(data) };
  });
  return {
    run: (await datasets.run(number, n))!,
    lastRow,
    after,
    rows: stored,
    cells: stored.flatMap(({ data, row }) => cellsOf(data, taker.columns, row)),
    columns: taker.columns,
    dropped: taker.dropped,
  };
}

const add = async (
  datasets: DatasetStore,
  ...[of, n, after, rows]: [of: DatasetRow, n: number, after: number, rows: readonly object[]]
): Promise<void> => await datasets.putPage(await pageOf(datasets, of, n, after, rows));

/** What the DatasetStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function datasetStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: datasets`, () => {
    test('a dataset comes back as it was made, only to its user, and is gone when it is deleted', async (t) => {
      const { datasets } = await open(t);
      const first = await made(datasets);
      assert.partialDeepStrictEqual(first, { ...dataset(1), rows: 0, lastRow: 0, lastRun: 0, dropped: 0 });
      assert.equal(await datasets.get(first.id, BERT), null);
      assert.equal(await datasets.create(dataset(2), 1), false, 'the limit is reached');
      assert.equal(await datasets.create(dataset(3, { userId: BERT }), 1), true);
      await datasets.rename(first.id, 'Other');
      assert.deepEqual(
        (await datasets.list(ANNA, 9, null)).map((one) => one.name),
        ['Other'],
      );
      assert.equal((await datasets.list(ANNA, 9, null, 'tHE')).length, 1);
      assert.deepEqual(await datasets.list(ANNA, 9, null, 'Prices'), []);
      const n = (await datasets.addRun(first.number, { jobId: idAt(T0, 5), scheduleId: null, at: T0 }))!;
      await add(datasets, first, n, 3, [{ id: 1 }, { id: 2 }]);
      await datasets.delete(first.id);
      assert.equal(await datasets.get(first.id, null), null);
      assert.equal(
        await datasets.addRun(first.number, { jobId: idAt(T0, 6), scheduleId: null, at: T0 }),
        null,
      );
      while (await datasets.sweep());
      assert.deepEqual(await datasets.rowsOf(first.number, [1, 2]), []);
    });

    test('the results of a job are added once, also by two processes', async (t) => {
      const { datasets } = await open(t);
      const one = await made(datasets);
      const run = { jobId: idAt(T0, 5), scheduleId: null, at: T0 };
      const begun = await Promise.all([datasets.addRun(one.number, run), datasets.addRun(one.number, run)]);
      assert.deepEqual(
        begun.filter((n) => n !== null),
        [1],
      );
      const page = await pageOf(datasets, one, 1, 2, [{ id: 1 }, { id: 2 }]);
      await Promise.all([datasets.putPage(page), datasets.putPage(page)]);
      await add(datasets, one, 1, 3, []);
      await add(datasets, one, 1, 4, [{ id: 3, late: true }]);
      const now = (await datasets.get(one.id, null))!;
      assert.deepEqual(
        [now.rows, now.lastRow, now.columns.map((column) => column.name)],
        [3, 3, ['id', 'late']],
      );
      assert.partialDeepStrictEqual(await datasets.run(one.number, 1), {
        after: 4,
        firstRow: 1,
        lastRow: 3,
        state: 'importing',
      });
      assert.deepEqual(
        (await datasets.importing()).map((open) => open.run.n),
        [1],
      );
      await datasets.endRun({ dataset: one.number, n: 1 }, 'ended', null);
      assert.deepEqual(await datasets.importing(), []);
    });

    test('two runs are compared by key and values', async (t) => {
      const { datasets } = await open(t);
      const one = await made(datasets);
      for (const [n, rows] of [
        [
          1,
          [
            { id: 1, p: 1 },
            { id: 2, p: 2 },
            { id: 3, p: 3 },
          ],
        ],
        [
          2,
          [
            { id: 3, p: 3 },
            { id: 2, p: 5 },
            { id: 4, p: 4 },
          ],
        ],
      ] as const) {
        await datasets.addRun(one.number, { jobId: idAt(T0, n), scheduleId: null, at: T0 });
        await add(datasets, one, n, 1, rows);
      }
      const differing = async (span: { first: number; last: number; only?: 'missing' }, limit = 9) => {
        const isGone = span.only === 'missing';
        const of = isGone ? { of: 1, other: 2 } : { of: 2, other: 1 };
        return (await datasets.differing(one.number, of, span, limit)).map(({ row, other }) => [row, other]);
      };
      assert.deepEqual(await differing({ first: 4, last: 6 }), [
        [5, 2],
        [6, null],
      ]);
      assert.deepEqual(await differing({ first: 1, last: 6 }, 1), [[5, 2]]);
      assert.deepEqual(await differing({ first: 6, last: 9 }), [[6, null]]);
      assert.deepEqual(await differing({ first: 1, last: 3, only: 'missing' }), [[1, null]]);
      assert.deepEqual(await differing({ first: 2, last: 3, only: 'missing' }), []);
      await datasets.endRun({ dataset: one.number, n: 1 }, 'deleting', null);
      const [gone] = await datasets.deleting();
      const old = await datasets.rows(one.number, { first: 1, last: 3, isDescending: false }, 9);
      const cells = old.flatMap(({ data, row }) => cellsOf(data, gone!.dataset.columns, row));
      // The same rows again, as by a process that was held up: they are counted once.
      for (const _ of ['one', 'the other'])
        await datasets.deleteRows(one.number, { first: 1, last: 3 }, cells);
      await datasets.deleteRun(gone!.run);
      assert.deepEqual([(await datasets.get(one.id, null))!.rows, await datasets.deleting()], [3, []]);
      const whole = { column: 3, from: new Uint8Array(), to: null };
      const left = await datasets.cells(one.number, whole, { isDescending: true, after: null }, 9);
      assert.deepEqual(
        left.map(({ row }) => row),
        [6, 4, 5],
      );
    });

    test('of rows of many bytes one call reads a few, and pages still have all of them', async (t) => {
      const { datasets } = await open(t);
      const one = await made(datasets);
      for (const n of [1, 2]) {
        await datasets.addRun(one.number, { jobId: idAt(T0, n), scheduleId: null, at: T0 });
        const large = Array.from({ length: 40 }, (_, id) => ({
          id,
          ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, `${n}${name}`.repeat(30_000)])),
        }));
        await add(datasets, one, n, 1, large);
      }
      const whole = { first: 1, last: 80, isDescending: true };
      const newest = await datasets.rows(one.number, whole, 80);
      assert.ok(newest.length > 0 && newest.length < 10, `${newest.length} rows`);
      const order = [7, 3, 99, 5, 1];
      assert.deepEqual(
        (await datasets.rowsOf(one.number, order)).map(({ row }) => row),
        [7, 3, 5, 1],
      );
      const now = (await datasets.get(one.id, null))!;
      const id = columnNamed(now.columns, 'id')!;
      for (const sort of [null, { column: id, isDescending: true }])
        for (const filters of [[], [{ column: id, op: 'lt', value: 30 }]] as const)
          for (const range of [
            { first: 1, last: 80 },
            { first: 41, last: 80 },
          ]) {
            const found = new Set<number>();
            let cursor: RowCursor | null = null;
            do {
              const page = await queryRows(datasets, one, { filters, sort, range, cursor, limit: 200 });
              assert.ok(page.rows.length <= 13 * 6);
              for (const { row } of page.rows) found.add(row);
              cursor = page.next;
            } while (cursor !== null);
            const share = (range.last - range.first + 1) / 80;
            assert.equal(
              found.size,
              share * (filters.length === 0 ? 80 : 60),
              JSON.stringify({ sort, filters }),
            );
          }
      const runs = {
        now: (await datasets.run(one.number, 2))!,
        before: (await datasets.run(one.number, 1))!,
      };
      const changed: number[] = [];
      for (let place: DiffPlace | null = { phase: 'run', row: 0 }; place !== null; ) {
        const from: DiffPlace = place;
        const page = await compareRuns(datasets, one.number, runs, from, 200);
        changed.push(...page.rows.map((pair) => pair.now!.row - pair.before!.row));
        place = page.next;
      }
      assert.deepEqual(
        changed,
        Array.from({ length: 40 }, () => 40),
      );
    });

    test('pages of filtered and sorted rows are those of a sort in memory', async (t) => {
      const { datasets } = await open(t);
      const one = await made(datasets);
      await datasets.addRun(one.number, { jobId: idAt(T0, 1), scheduleId: null, at: T0 });
      const words = ['anvil', 'Bolt', 'bolt ', 'cog', 'é', 'x'.repeat(60), `${'x'.repeat(60)}y`];
      const all = Array.from({ length: 130 }, (_, n) => ({
        id: n,
        price: n % 11 === 0 ? null : ((n * 7_919) % 101) - 50.5,
        name: n % 13 === 0 ? null : words[n % words.length],
        sold: n % 3 === 0,
        ...(n > 70 ? { late: n % 5 } : {}),
      }));
      for (let at = 0; at < all.length; at += 40) await add(datasets, one, 1, at + 1, all.slice(at, at + 40));
      const now = (await datasets.get(one.id, null))!;
      const rows = await datasets.rows(one.number, { first: 1, last: 999, isDescending: false }, 999);
      const column = (text: string) => columnNamed(now.columns, text)!;
      const filter = (text: string, op: RowFilter['op'], value: RowFilter['value'] = null): RowFilter => ({
        column: column(text),
        op,
        value,
      });
      const filters: readonly (readonly RowFilter[])[] = [
        [],
        [filter('price', 'gt', 0)],
        [filter('name', 'eq', 'BOLT'), filter('price', 'le', 20)],
        [filter('name', 'eq', 'x'.repeat(60))],
        [filter('late', 'null')],
        [filter('sold', 'ne', true), filter('late', 'ge', 2)],
        [filter('name', 'contains', 'O')],
      ];
      const sorts: readonly (RowSort | null)[] = [
        null,
        ...['price', 'name', 'late', '$url'].flatMap((text) =>
          [false, true].map((isDescending) => ({ column: column(text), isDescending })),
        ),
      ];
      for (const of of filters)
        for (const sort of sorts)
          for (const range of [
            { first: 1, last: 130 },
            { first: 30, last: 99 },
          ]) {
            const found: number[] = [];
            let cursor: RowCursor | null = null;
            do {
              const page = await queryRows(datasets, one, { filters: of, sort, range, cursor, limit: 17 });
              found.push(...page.rows.map(({ row }) => row));
              cursor = page.next;
            } while (cursor !== null);
            const expected = rows
              .filter(
                ({ row, data }) =>
                  row >= range.first &&
                  row <= range.last &&
                  of.every((one) => passes(one, valueAt(data, one.column.index))),
              )
              .map(({ row, data }) => ({
                row,
                cell:
                  sort === null
                    ? null
                    : cellsOf(data, now.columns, row).find((cell) => cell.column === sort.column.index),
              }))
              .toSorted((a, b) => {
                const [x, y] = [a.cell?.value ?? new Uint8Array(), b.cell?.value ?? new Uint8Array()];
                if (x.length === 0 || y.length === 0)
                  return y.length - x.length === 0 ? b.row - a.row : x.length === 0 ? 1 : -1;
                return (sort!.isDescending ? -1 : 1) * (Buffer.compare(x, y) || a.row - b.row);
              })
              .map(({ row }) => row);
            assert.deepEqual(found, expected, JSON.stringify({ of, sort, range }));
          }
    });
  });
}
