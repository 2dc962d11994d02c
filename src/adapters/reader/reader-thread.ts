import { parentPort } from 'node:worker_threads';
import { type ReadingBudget, readDocument } from '../../content/formats/read-document.ts';
import type { Reading, ReadingRequest } from '../../domain/reading.ts';

// The code of a reader thread. It reads one page at a time.

/** Message to the thread. The next one is sent after the reply. */
export interface ReaderRequest {
  readonly request: ReadingRequest;
  /** UTF-8; the memory is transferred to the thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** When the limit is reached, the thread returns what it has read so far. Some steps cannot be interrupted. */
  readonly budget: ReadingBudget;
}

/** Message from the thread. `used` is the processor time that it has used since its start, in microseconds. */
export type ReaderReply = { readonly used: NodeJS.CpuUsage } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly reading: Reading }
);

const port = parentPort!;
const reply = (message: { kind: 'ready' } | Pick<ReaderReply & { kind: 'read' }, 'kind' | 'reading'>) =>
  port.postMessage({ ...message, used: process.threadCpuUsage() } satisfies ReaderReply);

port.on('message', ({ request, bytes, budget }: ReaderRequest) => {
  reply({ kind: 'read', reading: readDocument(request, bytes, budget) });
});
reply({ kind: 'ready' });
