import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { NewExport } from '../../src/domain/exports.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, T0 } from './samples.ts';

const made = (n: number, change: Partial<NewExport> = {}): NewExport => ({
  ...{ id: idAt(T0 + n), userId: ANNA, jobId: idAt(T0, 9), scheduleId: null, runN: null, name: 'prices' },
  ...{ format: 'csv', kind: 'put', target: '{"kind":"put"}', spec: new Uint8Array([1]), createdAt: T0 + n },
  ...change,
});

const END = { status: 200, error: null, bytes: 5, sentTo: 'https://a.test/x', nextAt: T0, now: T0 } as const;

/** What the ExportStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function exportStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: exports`, () => {
    test('an export comes back as it was made, only to its user; one to a link is done at once', async (t) => {
      const { exports } = await open(t);
      await exports.add(made(1));
      await exports.add(made(2, { kind: 'link', scheduleId: idAt(T0, 7), runN: 3 }));
      assert.partialDeepStrictEqual(await exports.get(made(1).id, ANNA), {
        ...made(1),
        ...{ state: 'pending', tries: 0, status: null, error: null, endedAt: null },
      });
      assert.equal(await exports.get(made(1).id, BERT), null);
      assert.equal((await exports.get(made(2).id, null))!.state, 'done');
      const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
      assert.deepEqual(ids(await exports.ofJob(idAt(T0, 9), 9)), [made(2).id, made(1).id]);
      assert.deepEqual(ids(await exports.ofJob(idAt(T0, 9), 1)), [made(2).id]);
      assert.deepEqual(ids(await exports.ofRuns(idAt(T0, 7), [2, 3])), [made(2).id]);
      await exports.sweep(T0 + 9);
      assert.deepEqual(
        [(await exports.get(made(1).id, null))?.id, await exports.get(made(2).id, null)],
        [made(1).id, null],
      );
    });

    test('a claim is a lease: another one after its end makes the first one void', async (t) => {
      const { exports } = await open(t);
      await exports.add(made(1));
      assert.equal(await exports.claim(T0, T0 + 60, 2), null, 'not due yet');
      const first = (await exports.claim(T0 + 1, T0 + 60, 2))!;
      assert.equal(await exports.claim(T0 + 59, T0 + 99, 2), null);
      assert.equal(await exports.renew(first, T0 + 80), true);
      assert.equal(await exports.claim(T0 + 79, T0 + 99, 2), null);
      const second = (await exports.claim(T0 + 80, T0 + 200, 2))!;
      assert.deepEqual([first.tries, second.tries, second.id], [1, 2, first.id]);
      assert.equal(await exports.renew(first, T0 + 500), false);
      assert.equal(await exports.end(first, { ...END, state: 'failed' }), false);
      assert.equal(await exports.end(second, { ...END, state: 'pending', nextAt: T0 + 900 }), true);
      assert.equal(await exports.claim(T0 + 899, T0 + 999, 2), null);
      const third = (await exports.claim(T0 + 900, T0 + 999, 2))!;
      assert.equal(await exports.end(third, { ...END, state: 'done' }), true);
      assert.partialDeepStrictEqual(await exports.get(first.id, null), { state: 'done', tries: 3, bytes: 5 });
    });

    test('a user whose exports are under way waits, and others do not', async (t) => {
      const { exports } = await open(t);
      for (const n of [1, 2, 3]) await exports.add(made(n));
      await exports.add(made(4, { userId: BERT }));
      const claim = async () => await exports.claim(T0 + 9, T0 + 60, 2);
      const claimed = [await claim(), await claim(), await claim(), await claim()];
      assert.deepEqual(
        claimed.map((one) => one?.id ?? null),
        [made(1).id, made(2).id, made(4).id, null],
      );
      await exports.end(claimed[0]!, { ...END, state: 'done' });
      assert.equal((await claim())?.id, made(3).id);
    });
  });
}
