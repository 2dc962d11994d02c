import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createWalLockMemory, WalLock } from '../../src/adapters/store/sqlite/storage-threads.ts';

const THREAD = new URL('children/log-turns-thread.ts', import.meta.url);
const ROUNDS = 300;

/**
 * Starts a thread that takes the lock as a checkpointer again and again, until it is terminated.
 * @param counters number of threads that hold the lock; number of checkpoints
 * @param options `hangs`: the thread never releases the lock
 */
async function startCheckpointer(
  memory: SharedArrayBuffer,
  counters: SharedArrayBuffer,
  { hangs = false } = {},
): Promise<Worker> {
  const thread = new Worker(THREAD, { workerData: { memory, counters, hangs } });
  await once(thread, 'message');
  return thread;
}

describe('WalLock', () => {
  it('is never held by the writer and the checkpointer at once, and both get it', async () => {
    const [memory, counters] = [createWalLockMemory(), new SharedArrayBuffer(8)];
    const [holders, checkpoints] = [new Int32Array(counters, 0, 1), new Int32Array(counters, 4, 1)];
    const lock = new WalLock(memory);
    const thread = await startCheckpointer(memory, counters);
    let collisions = 0;
    for (let writes = 0; writes < ROUNDS || Atomics.load(checkpoints, 0) < ROUNDS; writes++)
      lock.whileWriting(() => {
        if (Atomics.add(holders, 0, 1) !== 0) collisions++;
        Atomics.sub(holders, 0, 1);
      });
    assert.equal(collisions, 0);
    await thread.terminate();
  });

  it('is waited for only once if the checkpointer died while it held the lock', async () => {
    const [memory, counters] = [createWalLockMemory(), new SharedArrayBuffer(8)];
    const lock = new WalLock(memory);
    const thread = await startCheckpointer(memory, counters, { hangs: true });
    await thread.terminate();
    const began = performance.now();
    for (let n = 0; n < 10; n++)
      assert.equal(
        lock.whileWriting(() => n),
        n,
      );
    const took = performance.now() - began;
    // The time of one wait, not of ten.
    assert.ok(took > 500 && took < 8_000, `${took} ms`);
  });

  it('is released when the work throws, and the error is passed on', () => {
    const lock = new WalLock(createWalLockMemory());
    const broken = () => {
      throw new RangeError('broken');
    };
    assert.throws(() => lock.whileWriting(broken), RangeError);
    assert.throws(() => lock.whileCheckpointing(broken), RangeError);
    const began = performance.now();
    for (let n = 0; n < 10; n++)
      assert.equal(
        lock.whileWriting(() => n),
        n,
      );
    // Each would wait for a second.
    assert.ok(performance.now() - began < 8_000);
  });
});
