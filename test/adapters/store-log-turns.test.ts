import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createWalLockMemory, WalLock } from '../../src/adapters/store/storage-threads.ts';

const THREAD = new URL('children/log-turns-thread.ts', import.meta.url);
const ROUNDS = 300;

/** Moves the log again and again in a thread of its own, until it is told to stop. */
async function mover(memory: SharedArrayBuffer, inside: SharedArrayBuffer, dies: boolean): Promise<Worker> {
  const thread = new Worker(THREAD, { workerData: { memory, inside, dies } });
  await once(thread, 'message');
  return thread;
}

describe('turns of writing and moving the log', () => {
  it('never both at once, and both go on', async () => {
    const [memory, shared] = [createWalLockMemory(), new SharedArrayBuffer(8)];
    const [inside, moves] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];
    const turns = new WalLock(memory);
    const thread = await mover(memory, shared, false);
    let met = 0;
    for (let n = 0; n < ROUNDS || Atomics.load(moves, 0) < ROUNDS; n++)
      turns.whileWriting(() => {
        if (Atomics.add(inside, 0, 1) !== 0) met++;
        Atomics.sub(inside, 0, 1);
      });
    assert.equal(met, 0);
    await thread.terminate();
  });

  it('one that died in its turn is waited for only once', async () => {
    const [memory, shared] = [createWalLockMemory(), new SharedArrayBuffer(8)];
    const turns = new WalLock(memory);
    const thread = await mover(memory, shared, true);
    await thread.terminate();
    const began = performance.now();
    for (let n = 0; n < 3; n++)
      assert.equal(
        turns.whileWriting(() => n),
        n,
      );
    const took = performance.now() - began;
    assert.ok(took > 500 && took < 2_500, `${took} ms`);
  });

  it('what the work throws comes out, and the turn has ended', () => {
    const turns = new WalLock(createWalLockMemory());
    const broken = () => {
      throw new RangeError('broken');
    };
    assert.throws(() => turns.whileWriting(broken), RangeError);
    assert.throws(() => turns.whileCheckpointing(broken), RangeError);
    const began = performance.now();
    assert.equal(
      turns.whileWriting(() => 'again'),
      'again',
    );
    assert.ok(performance.now() - began < 500);
  });
});
