import type { ReadingTime } from '../../content/read-document.ts';
import type { Reading, ReadingAsk } from '../../domain/reading.ts';

/** To the thread. One at a time. */
export interface Order {
  readonly ask: ReadingAsk;
  /** UTF-8, in memory that goes over to the thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How long it may take; the thread keeps to it as far as it can. */
  readonly time: ReadingTime;
}

/** From the thread. `used`: what it has used of processors so far, microseconds. */
export type Answer = { readonly used: NodeJS.CpuUsage } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly reading: Reading }
);
