import { workerData } from 'node:worker_threads';
import { sleep } from '../../base/wait.ts';

// Ends this process when it takes more memory than `workerData` bytes. The limit of the heap does not include the buffers
// into which archives and streams are unpacked. A thread sees them while the main thread is busy.

const CHECK_MS = 20;

for (;;) {
  await sleep(CHECK_MS);
  if (process.memoryUsage.rss() > (workerData as number)) process.kill(process.pid, 'SIGKILL');
}
