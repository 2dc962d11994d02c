import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../src/base/time.ts';
import { type ImporterDeps, startDatasetImporter } from '../../src/datasets/importer.ts';
import type { ItemRow, JobRow } from '../../src/domain/jobs.ts';
import type { StoredRecord } from '../../src/domain/record.ts';
import type { DatasetPage, DatasetStore } from '../../src/ports/datasets.ts';
import { useSqlite } from '../adapters/open-sqlite.ts';
import { afterwards } from '../adapters/temp.ts';
import { ANNA, idAt, T0 } from '../contracts/samples.ts';
import { eventually } from '../helpers/service.ts';

/** A record whose page has these rows. */
function recordOf(items: readonly object[]): StoredRecord {
  const parts = [
    { id: 'x', status_code: 200, final_url: null, headers: {} },
    { errors: [], scraper_data: { extract: { items } } },
    {},
  ];
  return {
    statusCode: 200,
    answerJson: parts.map((part) => JSON.stringify(part)).join('\n'),
  } as StoredRecord;
}

const limits: ImporterDeps['limits'] = {
  take: async () => ({ remaining: 0, signal: new AbortController().signal, release: () => {} }),
};

describe('the importer of datasets', () => {
  const open = useSqlite();

  test('adds pages of many rows in small transactions, each row once, also after a restart', async (t) => {
    const { datasets } = await open(t);
    const id = idAt(T0);
    await datasets.create({ id, userId: ANNA, name: 'd', key: null, columns: [], createdAt: T0 }, 9);
    const { number } = (await datasets.get(id, null))!;
    const rowsOf = [3, 1_500, 0, 2];
    const records = new Map(
      rowsOf.map((count, n) => [
        idAt(T0, 10 + n),
        recordOf(Array.from({ length: count }, (_, at) => ({ at: n * 10_000 + at }))),
      ]),
    );
    const items = [...records.keys()].map(
      (scrapeId, at) => ({ n: at + 1, scrapeId, url: `https://a.test/${at}`, state: 'ok' }) as ItemRow,
    );
    const pages: DatasetPage[] = [];
    const stored: DatasetStore = {
      ...datasets,
      async putPage(page) {
        pages.push(page);
        await datasets.putPage(page);
      },
    };
    const reads: string[] = [];
    const start = (store: DatasetStore) =>
      startDatasetImporter({
        ...{ datasets: store, limits, clock: systemClock },
        jobs: {
          get: async () => ({}) as JobRow,
          results: async (_, after, limit) => items.slice(after, after + limit),
        },
        records: {
          get: async (scrapeId) => {
            reads.push(scrapeId);
            return records.get(scrapeId)!;
          },
        } as ImporterDeps['records'],
        onError: (error) => assert.fail(String(error)),
      });
    await datasets.addRun(number, { jobId: idAt(T0, 1), scheduleId: null, at: T0 });
    const first = start(stored);
    await eventually(async () => (await datasets.get(id, null))!.rows > 300);
    await first.stop();
    const second = start(stored);
    afterwards(t, () => second.stop());
    await eventually(async () => (await datasets.run(number, 1))!.state === 'ended');
    const total = rowsOf.reduce((sum, count) => sum + count);
    const { rows, lastRow } = (await datasets.get(id, null))!;
    assert.deepEqual([rows, lastRow], [total, total]);
    const found: unknown[] = [];
    for (let from = 1; from <= total; from += 500)
      for (const { data } of await datasets.rows(
        number,
        { first: from, last: from + 499, isDescending: false },
        500,
      ))
        found.push(data.values[0]);
    const expected = rowsOf.flatMap((count, n) => Array.from({ length: count }, (_, at) => n * 10_000 + at));
    assert.deepEqual(found, expected);
    assert.ok(pages.length > 5);
    assert.ok(pages.every((page) => page.rows.length <= 200 && page.cells.length <= 2_300));
    assert.ok(reads.length <= 8, 'a page is read once, whatever the number of its rows');
  });

  test('what a process adds that was held up meanwhile is added once', async (t) => {
    const { datasets } = await open(t);
    const id = idAt(T0);
    await datasets.create({ id, userId: ANNA, name: 'd', key: null, columns: [], createdAt: T0 }, 9);
    const { number } = (await datasets.get(id, null))!;
    const items = Array.from(
      { length: 120 },
      (_, at) =>
        ({ n: at + 1, scrapeId: idAt(T0, 10 + at), url: `https://a.test/${at}`, state: 'ok' }) as ItemRow,
    );
    let held: DatasetPage | null = null;
    const importing = startDatasetImporter({
      datasets: {
        ...datasets,
        async putPage(page) {
          // Larger than what the other process adds first.
          if (held === null) held = page;
          const isFirst = page === held;
          const rows = page.rows.slice(0, 10);
          await datasets.putPage(
            isFirst
              ? {
                  ...page,
                  ...{ rows, cells: page.cells.filter(({ row }) => row <= 10) },
                  after: 10,
                }
              : page,
          );
        },
      },
      limits,
      clock: systemClock,
      jobs: {
        get: async () => ({}) as JobRow,
        results: async (_, after, limit) => items.slice(after, after + limit),
      },
      records: { get: async () => recordOf([{ a: 1 }]) } as unknown as ImporterDeps['records'],
      onError: (error) => assert.fail(String(error)),
    });
    afterwards(t, () => importing.stop());
    await datasets.addRun(number, { jobId: idAt(T0, 1), scheduleId: null, at: T0 });
    await eventually(async () => (await datasets.run(number, 1))!.after >= 60);
    await datasets.putPage(held!);
    await eventually(async () => (await datasets.run(number, 1))!.state === 'ended');
    await datasets.putPage(held!);
    const { rows, lastRow } = (await datasets.get(id, null))!;
    assert.deepEqual([rows, lastRow], [120, 120]);
    assert.equal((await datasets.rows(number, { first: 1, last: 200, isDescending: true }, 200)).length, 120);
    assert.partialDeepStrictEqual(await datasets.run(number, 1), { after: 120, firstRow: 1, lastRow: 120 });
  });

  test('a dataset whose results cannot be read does not hold up others', async (t) => {
    const { datasets } = await open(t);
    for (const n of [1, 2]) {
      const made = { id: idAt(T0 + n), userId: ANNA, name: 'd', key: null, columns: [], createdAt: T0 };
      await datasets.create(made, 9);
      const { number } = (await datasets.get(made.id, null))!;
      await datasets.addRun(number, { jobId: idAt(T0, n), scheduleId: null, at: T0 });
    }
    const errors: string[] = [];
    const importer = startDatasetImporter({
      ...{ datasets, limits, clock: systemClock },
      jobs: {
        get: async () => ({}) as JobRow,
        async results(jobId) {
          if (jobId === idAt(T0, 1)) throw new Error('unreadable');
          return [];
        },
      },
      records: {} as ImporterDeps['records'],
      onError: (error) => errors.push((error as Error).message),
    });
    afterwards(t, () => importer.stop());
    const stateOf = async (n: number) => {
      const { number } = (await datasets.get(idAt(T0 + n), null))!;
      return (await datasets.run(number, 1))!.state;
    };
    await eventually(async () => (await stateOf(2)) === 'ended');
    assert.deepEqual([await stateOf(1), errors[0]], ['importing', 'unreadable']);
  });
});
