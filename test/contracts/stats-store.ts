import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { StatCount, StatKind } from '../../src/domain/stats.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT } from './samples.ts';

const MINUTE = 60_000;
/** A step of every length begins here. */
const AT = Date.UTC(2026, 0, 2, 3);

const one = (kind: StatKind, name: string, count: number, change: Partial<StatCount> = {}): StatCount => ({
  ...{ userId: ANNA, step: 60, at: AT, kind, name, count },
  ...change,
});

/** What the StatsStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function statsStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: stats`, () => {
    const ask = (change = {}) => ({
      userId: ANNA as string | null,
      step: 60,
      at: [AT, AT + MINUTE],
      ...change,
    });

    test('nothing was counted', async (t) => {
      const { stats } = await open(t);
      await stats.add([]);
      const nothing = { steps: [], hosts: [], errors: [] };
      assert.deepEqual(await stats.read(ask()), nothing);
      assert.deepEqual(await stats.read(ask({ userId: null })), nothing);
      assert.deepEqual(await stats.read(ask({ userId: 'nobody' })), nothing);
      assert.deepEqual(await stats.read(ask({ at: [] })), nothing);
    });

    test('counts add up, in one call and over several, each counter for itself', async (t) => {
      const { stats } = await open(t);
      await stats.add([
        one('outcome', 'ok', 2),
        one('outcome', 'ok', 3),
        one('outcome', 'failed', 1),
        one('bytes', '', 5_000_000_000),
        one('latency', '40', 4),
        one('latency', '41', 2),
        one('outcome', 'ok', 7, { at: AT + MINUTE }),
        one('outcome', 'ok', 70, { at: AT + 2 * MINUTE }),
        one('outcome', 'ok', 700, { userId: BERT }),
        one('outcome', 'ok', 7_000, { userId: null }),
        one('outcome', 'ok', 70_000, { step: 900 }),
      ]);
      await stats.add([one('outcome', 'ok', 10), one('bytes', '', 1)]);
      const { steps } = await stats.read(ask());
      const shown = steps.map(({ at, kind, counts }) => [
        (at - AT) / MINUTE,
        kind,
        Object.fromEntries(counts),
      ]);
      assert.deepEqual(shown.toSorted(), [
        [0, 'bytes', { '': 5_000_000_001 }],
        [0, 'latency', { '40': 4, '41': 2 }],
        [0, 'outcome', { ok: 15, failed: 1 }],
        [1, 'outcome', { ok: 7 }],
      ]);
      const total = async (change: object) =>
        (await stats.read(ask(change))).steps.flatMap(({ counts }) => [...counts.values()]);
      assert.deepEqual(await total({ userId: BERT }), [700]);
      assert.deepEqual(await total({ userId: null }), [7_000]);
      assert.deepEqual(await total({ step: 900 }), [70_000]);
      assert.deepEqual(await total({ at: [AT + 2 * MINUTE] }), [70]);
    });

    test('hosts and errors are those of all steps together, the most frequent first, so many at most', async (t) => {
      const { stats } = await open(t);
      const counts: StatCount[] = [];
      for (let n = 0; n < 30; n++) {
        const at = AT + (n % 2) * MINUTE;
        counts.push(one('host_ok', `h${n}`, n + 1, { at }), one('error', `code.${n}`, n + 1, { at }));
      }
      await stats.add([
        ...counts,
        one('host_failed', 'h1', 100),
        one('host_blocked', 'h1', 20),
        one('host_other', 'h1', 50, { at: AT + MINUTE }),
        one('host_ok', 'elsewhere', 1_000, { at: AT + 2 * MINUTE }),
        one('host_ok', 'elsewhere', 1_000, { userId: BERT }),
      ]);
      const { hosts, errors } = await stats.read(ask());
      assert.deepEqual(hosts[0], { host: 'h1', scrapes: 172, ok: 2, failed: 100, blocked: 20 });
      assert.deepEqual(hosts[1], { host: 'h29', scrapes: 30, ok: 30, failed: 0, blocked: 0 });
      assert.equal(hosts.length, 10);
      assert.deepEqual(errors[0], { code: 'code.29', count: 30 });
      assert.equal(errors.length, 20);
    });

    test('a sweep takes the old steps of one length, of all users', async (t) => {
      const { stats } = await open(t);
      for (const userId of [ANNA, null])
        for (const step of [60, 900])
          await stats.add([
            one('outcome', 'ok', 1, { userId, step }),
            one('outcome', 'ok', 1, { userId, step, at: AT + MINUTE }),
          ]);
      await stats.sweep(60, AT + MINUTE);
      const left = async (userId: string | null, step: number) =>
        (await stats.read(ask({ userId, step }))).steps.map(({ at }) => at);
      for (const userId of [ANNA, null]) {
        assert.deepEqual(await left(userId, 60), [AT + MINUTE]);
        assert.deepEqual(await left(userId, 900), [AT, AT + MINUTE]);
      }
    });

    test('counts that cannot be added are not added in part', async (t) => {
      const { stats } = await open(t);
      const broken = one('outcome', null as unknown as string, 1);
      await assert.rejects(stats.add([one('outcome', 'ok', 1), broken]));
      assert.deepEqual((await stats.read(ask())).steps, []);
    });
  });
}
