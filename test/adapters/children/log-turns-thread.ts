/** Takes the lock as a checkpointer again and again; with `hangs`, takes it once and never releases it. */
import { parentPort, workerData } from 'node:worker_threads';
import { WalLock } from '../../../src/adapters/store/sqlite/storage-threads.ts';

const { memory, counters, hangs } = workerData as {
  memory: SharedArrayBuffer;
  counters: SharedArrayBuffer;
  hangs: boolean;
};
const lock = new WalLock(memory);
const [holders, checkpoints] = [new Int32Array(counters, 0, 1), new Int32Array(counters, 4, 1)];

if (hangs)
  lock.whileCheckpointing(() => {
    parentPort!.postMessage('holds the lock');
    for (;;) Atomics.wait(holders, 0, 0);
  });
parentPort!.postMessage('begins');
for (;;) {
  lock.whileCheckpointing(() => {
    Atomics.add(holders, 0, 1);
    Atomics.sub(holders, 0, 1);
  });
  // Counts the checkpoint, and waits 0.1 ms, so that the writer gets the lock in between.
  Atomics.wait(checkpoints, 0, Atomics.add(checkpoints, 0, 1) + 1, 0.1);
}
