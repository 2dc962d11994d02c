import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { RunResult } from '../../src/domain/monitors.ts';
import { MONITOR_SORTS, newestFirst, sortedValue } from '../../src/domain/run-lists.ts';
import { NO_CHANGE } from '../../src/monitors/ended-run.ts';
import type { MonitorStore, NewMonitor, RunEnd } from '../../src/ports/monitors.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, T0 } from './samples.ts';

const COMPARE = { format: 'markdown', selector: null, ignore: ['dates'], minChange: 0 } as const;

export function monitor(n: number, change: Partial<NewMonitor> = {}): NewMonitor {
  return {
    id: idAt(T0 + n),
    userId: ANNA,
    keyId: 'key-1',
    name: 'prices',
    kind: 'request',
    request: '{"url":"https://a.test/"}',
    spec: new Uint8Array([1]),
    schedule: { cron: '0 8 * * *', timezone: 'Europe/Berlin' },
    jitterS: 0,
    compare: COMPARE,
    keep: 3,
    nextAt: T0 + 100,
    createdAt: T0,
    webhook: null,
    notify: { source: 'monitor', title: 'prices', events: ['changed', 'failed'], channels: [] },
    ...change,
  };
}

const SAME: RunResult = { state: 'same', ...NO_CHANGE, pages: [], counts: null, incomplete: null };

const ended = (change: Partial<RunEnd> = {}): RunEnd => ({
  result: SAME,
  scrapeId: null,
  snapshot: null,
  errors: 0,
  isGone: false,
  event: null,
  facts: {},
  now: T0 + 200,
  ...change,
});

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

async function begun(monitors: MonitorStore, id: string, n = 1): Promise<number> {
  const number = await monitors.begin(id, { dueAt: null, nextAt: null, jobId: idAt(T0 + 500 + n), now: T0 });
  assert.ok(number !== null);
  return number;
}

/** What the MonitorStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function monitorStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: monitors`, () => {
    test('a monitor comes back as it was made, and only to its user', async (t) => {
      const { monitors } = await open(t);
      const made = monitor(1);
      assert.equal(await monitors.create(made, 2), true);
      const state = {
        state: 'active',
        pauseReason: null,
        lastN: 0,
        errors: 0,
        isGone: false,
        changedAt: null,
      };
      const { webhook: _, notify: __, ...members } = made;
      assert.partialDeepStrictEqual(await monitors.get(made.id, ANNA), { ...members, ...state });
      assert.equal(await monitors.get(made.id, BERT), null);
      assert.equal(await monitors.create(monitor(2), 2), true);
      assert.equal(await monitors.create(monitor(3), 2), false, 'the limit is reached');
      assert.equal(await monitors.create(monitor(4, { userId: BERT }), 2), true);
      const listed = async (after: string | null) =>
        (
          await monitors.list(ANNA, {
            ...newestFirst(1),
            after: after === null ? null : { value: 0, id: after },
          })
        ).map(({ id }) => id);
      const named = async (search: string) =>
        (await monitors.list(ANNA, { ...newestFirst(9), search })).map(({ id }) => id);
      assert.deepEqual(await listed(null), [monitor(2).id]);
      assert.deepEqual(await listed(monitor(2).id), [made.id]);
      assert.deepEqual(await named('RIC'), [monitor(2).id, made.id]);
      assert.deepEqual(await named('%'), []);
    });

    test('lists are sorted by name and next run, in pages, in both directions', async (t) => {
      const { monitors } = await open(t);
      const made = [
        monitor(1, { name: 'b', nextAt: T0 + 5 }),
        monitor(2, { name: 'A', nextAt: T0 + 9 }),
        monitor(3, { name: 'c', nextAt: T0 + 1 }),
        monitor(4, { name: 'a', nextAt: T0 + 9 }),
      ];
      for (const one of made) await monitors.create(one, 9);
      await monitors.pause(made[2]!.id, 'asked');
      const pages = async (sort: (typeof MONITOR_SORTS)[number], descending: boolean) => {
        const numbers: number[] = [];
        for (let after = null; numbers.length < 9; ) {
          const [row] = await monitors.list(ANNA, { ...newestFirst(1), sort, descending, after });
          if (row === undefined) break;
          numbers.push(made.findIndex(({ id }) => id === row.id) + 1);
          after = { value: sortedValue(row, sort), id: row.id } as never;
        }
        return numbers.join('');
      };
      assert.deepEqual(
        await Promise.all(
          MONITOR_SORTS.map(async (sort) => [await pages(sort, false), await pages(sort, true)]),
        ),
        [
          ['1234', '4321'],
          ['2413', '3142'],
          ['1243', '3421'],
          ['1234', '4321'],
        ],
      );
    });

    test('a due time begins one run, whoever sees it', async (t) => {
      const { monitors } = await open(t);
      const { id } = monitor(1);
      await monitors.create(monitor(1), 9);
      assert.deepEqual(await monitors.due(T0 + 99, 9), []);
      assert.equal((await monitors.due(T0 + 100, 9)).length, 1);
      const run = { dueAt: T0 + 100, nextAt: T0 + 200, jobId: idAt(T0 + 7), now: T0 + 101 };
      assert.equal(await monitors.begin(id, run), 1);
      assert.equal(await monitors.begin(id, { ...run, jobId: idAt(T0 + 8) }), null);
      assert.deepEqual(await monitors.due(T0 + 199, 9), []);
      assert.deepEqual(
        (await monitors.running()).map(({ n, jobId, dueAt }) => [n, jobId, dueAt]),
        [[1, idAt(T0 + 7), T0 + 100]],
      );
      await monitors.skip(id, { dueAt: T0 + 200, nextAt: T0 + 300 });
      assert.deepEqual(
        (await monitors.runs(id, 9, null)).map(({ n, state }) => [n, state]),
        [
          [2, 'skipped'],
          [1, 'running'],
        ],
      );
      assert.equal((await monitors.get(id, null))!.nextAt, T0 + 300);
    });

    test('a run ends once, with what it found', async (t) => {
      const { monitors } = await open(t);
      const { id } = monitor(1);
      await monitors.create(monitor(1), 9);
      const n = await begun(monitors, id);
      const result: RunResult = { ...SAME, state: 'changed', added: 1, diff: '+x' };
      const end = ended({ result, scrapeId: idAt(T0 + 9), snapshot: Buffer.from('one\ntwo'), errors: 0 });
      assert.equal(await monitors.endRun(id, n, end), true);
      assert.equal(await monitors.endRun(id, n, ended()), false);
      const [run] = await monitors.runs(id, 9, null);
      assert.partialDeepStrictEqual(run, {
        state: 'ended',
        scrapeId: idAt(T0 + 9),
        endedAt: T0 + 200,
        result,
      });
      assert.partialDeepStrictEqual(await monitors.get(id, null), { changedAt: T0 + 200, errors: 0 });
      assert.deepEqual((await monitors.snapshots(id, 9)).map(text), ['one\ntwo']);
      assert.deepEqual(await monitors.failing(null, 9), []);
      await monitors.endRun(id, await begun(monitors, id), ended({ errors: 2 }));
      const { name } = monitor(1);
      assert.deepEqual(await monitors.failing(ANNA, 9), [{ id, userId: ANNA, name, errors: 2 }]);
      assert.deepEqual(await monitors.failing(null, 9), await monitors.failing(ANNA, 9));
      assert.deepEqual(await monitors.failing(BERT, 9), []);
      assert.deepEqual(await monitors.running(), []);
    });

    test('a run is compared with the page of an earlier one, also when it is compared again', async (t) => {
      const { monitors } = await open(t);
      const { id } = monitor(1);
      await monitors.create(monitor(1), 9);
      const put = (n: number, url: string, content: string) =>
        monitors.putPage(id, n, { url, scrapeId: idAt(T0 + n), bytes: Buffer.from(content) });
      const first = await begun(monitors, id, 1);
      await put(first, 'a', 'old');
      await put(first, 'b', 'gone');
      assert.equal(await monitors.page(id, 'a', first), null);
      await monitors.endRun(id, first, ended());
      const second = await begun(monitors, id, 2);
      await put(second, 'a', 'new');
      await put(second, 'a', 'newer');
      assert.equal(text((await monitors.page(id, 'a', second))!.bytes), 'old');
      assert.deepEqual(
        (await monitors.pageUrls(id, second, '', 9)).map(({ url }) => url),
        ['a', 'b'],
      );
      await monitors.putGone(id, second, ['b']);
      assert.equal(text((await monitors.page(id, 'b', second))!.bytes), 'gone', 'until the run ends');
      await monitors.endRun(id, second, ended());
      await put(second, 'c', 'late');
      const third = await begun(monitors, id, 3);
      assert.equal(text((await monitors.page(id, 'a', third))!.bytes), 'newer');
      assert.equal(await monitors.page(id, 'b', third), null);
      assert.equal(await monitors.page(id, 'c', third), null, 'a run that has ended stores no page');
      await monitors.update(id, { compare: { ...COMPARE, ignore: [] } });
      assert.equal(await monitors.page(id, 'a', third), null, 'another comparison has a new baseline');
    });

    test('runs beyond `keep` are deleted, and their jobs named', async (t) => {
      const { monitors } = await open(t);
      const { id } = monitor(1);
      await monitors.create(monitor(1), 9);
      for (let n = 1; n <= 5; n++) await monitors.endRun(id, await begun(monitors, id, n), ended());
      assert.deepEqual([...(await monitors.sweep(id, 3))].sort(), [idAt(T0 + 501), idAt(T0 + 502)]);
      assert.deepEqual(
        (await monitors.runs(id, 9, null)).map(({ n }) => n),
        [5, 4, 3],
      );
      assert.deepEqual(
        (await monitors.runs(id, 1, 5)).map(({ n }) => n),
        [4],
      );
    });

    test('runs do not push out those that say something else: a change, or an error', async (t) => {
      const { monitors } = await open(t);
      const { id } = monitor(1);
      await monitors.create(monitor(1), 9);
      const states = ['first', 'changed', 'error', 'gone', 'same', 'back', 'same', 'same', 'same'] as const;
      for (const [n, state] of states.entries()) {
        const end = ended();
        const diff = state === 'same' ? '+{"state":"changed"}' : null;
        await monitors.endRun(id, await begun(monitors, id, n + 1), {
          ...end,
          result: { ...end.result, state, diff },
        });
      }
      const kept = async () => (await monitors.runs(id, 20, null)).map(({ n }) => n);
      await monitors.sweep(id, 3);
      assert.deepEqual(await kept(), [9, 8, 7, 6, 4, 3, 2]);
      await monitors.sweep(id, 2);
      assert.deepEqual(await kept(), [9, 8, 6, 4, 3], 'a failure does not push out a change');
    });

    test('a page of a crawl is kept as long as the run that got it last', async (t) => {
      const { monitors } = await open(t);
      for (const kind of ['crawl', 'request'] as const) {
        const { id } = monitor(kind === 'crawl' ? 1 : 2);
        await monitors.create(monitor(kind === 'crawl' ? 1 : 2, { kind }), 9);
        for (let n = 1; n <= 3; n++) {
          const run = await begun(monitors, id, n);
          const page = { url: `page ${n}`, scrapeId: idAt(T0 + n), bytes: Buffer.from('x') };
          await monitors.putPage(id, run, page);
          await monitors.endRun(id, run, ended());
        }
        await monitors.sweep(id, 2);
        const urls = (await monitors.pageUrls(id, 9, '', 9)).map(({ url }) => url);
        assert.deepEqual(urls, kind === 'crawl' ? ['page 2', 'page 3'] : ['page 1', 'page 2', 'page 3']);
      }
    });

    test('a paused monitor is not due; it goes on with the key that resumes it', async (t) => {
      const { monitors } = await open(t);
      const { id } = monitor(1);
      await monitors.create(monitor(1), 9);
      assert.equal(await monitors.pause(id, 'key'), true);
      assert.equal(await monitors.pause(id, 'asked'), false);
      assert.deepEqual(await monitors.due(T0 + 100, 9), []);
      assert.equal((await monitors.get(id, null))!.pauseReason, 'key');
      assert.equal(await monitors.resume(id, 'key-2', T0 + 50), true);
      assert.equal(await monitors.resume(id, 'key-2', T0 + 50), false);
      assert.partialDeepStrictEqual(await monitors.get(id, null), { keyId: 'key-2', nextAt: T0 + 50 });
      await monitors.moveKey('key-2', 'key-3');
      assert.equal((await monitors.get(id, null))!.keyId, 'key-3');
      await monitors.update(id, {
        name: 'other',
        keep: 7,
        schedule: { everyS: 60 },
        jitterS: 5,
        nextAt: null,
      });
      assert.partialDeepStrictEqual(await monitors.get(id, null), {
        name: 'other',
        keep: 7,
        schedule: { everyS: 60 },
        jitterS: 5,
        nextAt: null,
      });
    });

    test('the end of a run leaves a delivery, if the webhook wants the event, and only once', async (t) => {
      const { monitors, webhooks } = await open(t);
      const { id } = monitor(1);
      const events = ['changed', 'failed'] as const;
      const webhook = { source: 'monitor' as const, receiver: 'r', events, spec: new Uint8Array([7]) };
      await monitors.create(monitor(1, { webhook }), 9);
      const delivered = async () =>
        (await webhooks.list({ userId: ANNA, sourceId: id, state: null }, 9, null)).map(
          ({ type, sequence }) => [type, sequence],
        );
      await monitors.endRun(id, await begun(monitors, id, 1), ended({ event: 'done' }));
      assert.deepEqual(await delivered(), []);
      const second = await begun(monitors, id, 2);
      await monitors.endRun(id, second, ended({ event: 'changed' }));
      await monitors.endRun(id, second, ended({ event: 'changed' }));
      assert.deepEqual(await delivered(), [['monitor.changed', 2]]);
      await monitors.update(id, { webhook: null });
      await monitors.endRun(id, await begun(monitors, id, 3), ended({ event: 'failed' }));
      assert.deepEqual(await delivered(), [['monitor.changed', 2]]);
    });

    test('a deleted monitor leaves nothing', async (t) => {
      const { monitors } = await open(t);
      const { id } = monitor(1);
      await monitors.create(monitor(1), 9);
      const n = await begun(monitors, id);
      await monitors.putPage(id, n, { url: 'a', scrapeId: idAt(T0), bytes: Buffer.from('x') });
      assert.deepEqual(await monitors.delete(id), [idAt(T0 + 501)]);
      assert.deepEqual(
        [await monitors.get(id, null), await monitors.runs(id, 9, null), await monitors.page(id, 'a', 9)],
        [null, [], null],
      );
    });
  });
}
