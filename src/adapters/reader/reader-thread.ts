/** The far end: reads one page after the other, each in bounded time. */
import { parentPort } from 'node:worker_threads';
import { readDocument } from '../../content/read-document.ts';
import type { Answer, Order } from './messages.ts';

const port = parentPort!;

port.on('message', ({ ask, bytes, ms }: Order) => {
  port.postMessage({ kind: 'read', reading: readDocument(ask, bytes, ms) } satisfies Answer);
});
port.postMessage({ kind: 'ready' } satisfies Answer);
