import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, T0 } from './samples.ts';

const hashOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const key = (byte: number, userId = ANNA, path = '/a/') => ({ userId, path, hash: hashOf(byte) });
const run = (n: number, request = 1) => ({ id: idAt(T0 + n), requestHash: hashOf(request) });
const times = (now: number) => ({ now, runsUntil: now + 100, expiresAt: now + 1_000 });
const ANSWER = new Uint8Array([1, 2, 3]);

/** What the IdempotencyStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function idempotencyStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: Idempotency-Keys`, () => {
    const opened = async (t: TestContext) => (await open(t)).idempotency;

    test('a key belongs to the first run, for its user and path', async (t) => {
      const keys = await opened(t);
      assert.equal(await keys.begin(key(1), run(1), times(T0)), null);
      const used = await keys.begin(key(1), run(2), times(T0 + 1));
      assert.equal(used?.state, 'running');
      assert.equal(used.run.id, run(1).id);
      assert.deepEqual(Uint8Array.from(used.run.requestHash), hashOf(1));
      for (const other of [key(2), key(1, BERT), key(1, ANNA, '/b/')])
        assert.equal(await keys.begin(other, run(3), times(T0)), null);
    });

    test('of many at once, one has the key', async (t) => {
      const keys = await opened(t);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => keys.begin(key(1), run(n), times(T0))),
      );
      assert.equal(results.filter((used) => used === null).length, 1);
    });

    test('a response comes back until the key expires; then the key is unused', async (t) => {
      const keys = await opened(t);
      await keys.begin(key(1), run(1), times(T0));
      assert.equal(await keys.answerOf(key(1)), null);
      await keys.answer(key(1), run(9).id, new Uint8Array([9]), T0 + 5_000);
      assert.equal(await keys.answerOf(key(1)), null, 'not of another run');
      await keys.answer(key(1), run(1).id, ANSWER, T0 + 5_000);
      assert.deepEqual(Uint8Array.from((await keys.answerOf(key(1)))!), ANSWER);
      assert.equal((await keys.begin(key(1), run(2), times(T0 + 4_999)))?.state, 'answered');
      assert.equal(await keys.begin(key(1), run(2), times(T0 + 5_000)), null);
      assert.equal(await keys.answerOf(key(1)), null);
    });

    test('a run that died or was lost can be taken over once', async (t) => {
      const keys = await opened(t);
      await keys.begin(key(1), run(1), times(T0));
      assert.equal(await keys.takeOver(key(1), run(1).id, run(2), times(T0 + 99)), false, 'it runs');
      assert.equal((await keys.begin(key(1), run(2), times(T0 + 100)))?.state, 'lost');
      assert.equal(await keys.takeOver(key(1), run(1).id, run(2), times(T0 + 100)), true);
      assert.equal(await keys.takeOver(key(1), run(1).id, run(3), times(T0 + 100)), false);
      await keys.answer(key(1), run(1).id, ANSWER, T0 + 5_000);
      assert.equal(await keys.answerOf(key(1)), null, 'the first run comes too late');
      await keys.lose(key(1), run(2).id);
      assert.equal((await keys.begin(key(1), run(3), times(T0 + 101)))?.state, 'lost');
    });

    test('a released key is unused; a response is not released', async (t) => {
      const keys = await opened(t);
      await keys.begin(key(1), run(1), times(T0));
      await keys.release(key(1), run(2).id);
      assert.notEqual(await keys.begin(key(1), run(2), times(T0)), null);
      await keys.release(key(1), run(1).id);
      assert.equal(await keys.begin(key(1), run(2), times(T0)), null);
      await keys.answer(key(1), run(2).id, ANSWER, T0 + 5_000);
      await keys.release(key(1), run(2).id);
      assert.equal((await keys.begin(key(1), run(3), times(T0)))?.state, 'answered');
    });

    test('after a start all runs are lost, and no response', async (t) => {
      const keys = await opened(t);
      for (const n of [1, 2]) await keys.begin(key(n), run(n), times(T0));
      await keys.answer(key(2), run(2).id, ANSWER, T0 + 5_000);
      await keys.loseAll();
      const states = await Promise.all(
        [1, 2].map(async (n) => (await keys.begin(key(n), run(9), times(T0)))?.state),
      );
      assert.deepEqual(states, ['lost', 'answered']);
    });

    test('expired keys are deleted, and the oldest responses beyond the limit', async (t) => {
      const keys = await opened(t);
      for (let n = 1; n <= 5; n++) {
        await keys.begin(key(n), run(n), times(T0));
        await keys.answer(key(n), run(n).id, new Uint8Array(100), T0 + 1_000 * n);
      }
      assert.equal(await keys.sweep(T0 + 3_000, 2), 2);
      assert.equal(await keys.sweep(T0 + 3_000, 2), 1);
      assert.equal(await keys.trim(200, 10), 0);
      assert.equal(await keys.trim(199, 10), 1);
      assert.equal((await keys.begin(key(4), run(9), times(T0)))?.state, 'lost');
      assert.equal((await keys.begin(key(5), run(9), times(T0)))?.state, 'answered');
    });
  });
}
