/** Takes turns of moving the log; or, when it `dies`, ends in the middle of one. */
import { parentPort, workerData } from 'node:worker_threads';
import { WalLock } from '../../../src/adapters/store/storage-threads.ts';

const {
  memory,
  inside: shared,
  dies,
} = workerData as {
  memory: SharedArrayBuffer;
  inside: SharedArrayBuffer;
  dies: boolean;
};
const turns = new WalLock(memory);
const [inside, moves] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];

if (dies)
  turns.whileCheckpointing(() => {
    parentPort!.postMessage('inside');
    for (;;) Atomics.wait(inside, 0, 0);
  });
parentPort!.postMessage('begins');
for (;;) {
  turns.whileCheckpointing(() => {
    Atomics.add(inside, 0, 1);
    Atomics.sub(inside, 0, 1);
  });
  // The one who writes gets its turn in between.
  Atomics.wait(moves, 0, Atomics.add(moves, 0, 1) + 1, 0.1);
}
