/** The far end: reads one page after the other, each in bounded time. */
import { parentPort } from 'node:worker_threads';
import { readDocument } from '../../content/read-document.ts';
import type { Answer, Order } from './messages.ts';

const port = parentPort!;
const answer = (what: { kind: 'ready' } | Pick<Answer & { kind: 'read' }, 'kind' | 'reading'>) =>
  port.postMessage({ ...what, used: process.threadCpuUsage() } satisfies Answer);

port.on('message', ({ ask, bytes, time }: Order) => {
  answer({ kind: 'read', reading: readDocument(ask, bytes, time) });
});
answer({ kind: 'ready' });
