import { parentPort } from 'node:worker_threads';
import { type ReadingBudget, readDocument } from '../../content/read-document.ts';
import type { Reading, ReadingRequest } from '../../domain/reading.ts';

/** To the thread. One at a time. */
export interface ReaderRequest {
  readonly request: ReadingRequest;
  /** UTF-8, in memory that goes over to the thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How long it may take; the thread keeps to it as far as it can. */
  readonly time: ReadingBudget;
}

/** From the thread. `used`: what it has used of processors so far, microseconds. */
export type ReaderReply = { readonly used: NodeJS.CpuUsage } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly reading: Reading }
);

/** The far end: reads one page after the other, each in bounded time. */

const port = parentPort!;
const reply = (what: { kind: 'ready' } | Pick<ReaderReply & { kind: 'read' }, 'kind' | 'reading'>) =>
  port.postMessage({ ...what, used: process.threadCpuUsage() } satisfies ReaderReply);

port.on('message', ({ request, bytes, time }: ReaderRequest) => {
  reply({ kind: 'read', reading: readDocument(request, bytes, time) });
});
reply({ kind: 'ready' });
