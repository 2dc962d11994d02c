/**
 * A fixed piece of work, by which the processor time of tests is measured: what makes a machine slow makes both slow. It is what tests
 * do, in small: parsing, sorting and hashing of text, and using fresh memory, which some machines make expensive. It is repeated while
 * the tests run, because a machine is not as fast when it is busy, and not equally fast all the time.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const ROUNDS = 15;
const ROWS = 20_000;
const FRESH_BYTES = 4 * 2 ** 20;
/** Between two pieces: they are about a twentieth of what two processors do. */
const PAUSE_MS = 5_000;

/**
 * Does the piece again and again, until the signal aborts.
 * @returns the mean of the seconds of processor time that it took
 */
export async function calibrateUntil(ended: AbortSignal): Promise<number> {
  const taken: number[] = [];
  do {
    taken.push(await runThread());
    await pause(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
  } while (!ended.aborted);
  return taken.reduce((sum, one) => sum + one, 0) / taken.length;
}

function runThread(): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url));
    worker.once('message', resolve).once('error', reject);
  });
}

function work(): void {
  const rows = Array.from({ length: ROWS }, (_, i) => ({ id: i, name: `row ${(i * 7919) % ROWS}` }));
  for (let round = 0; round < ROUNDS; round++) {
    const text = JSON.stringify(rows);
    const read = JSON.parse(text) as typeof rows;
    read.sort((a, b) => (a.name < b.name ? -1 : 1));
    Buffer.alloc(FRESH_BYTES, round);
    createHash('sha256').update(text).update(read[round]!.name).digest();
  }
}

if (!isMainThread) {
  work();
  const { user, system } = process.threadCpuUsage();
  parentPort!.postMessage((user + system) / 1e6);
}
