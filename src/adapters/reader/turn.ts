import { failedReading } from '../../content/no-reading.ts';
import type { Reading, ReadingAsk } from '../../domain/reading.ts';
import type { ReadingLimits } from '../../ports/page-reader.ts';

/** One page that waits to be read, or is being read. Settles once, whoever is first: the thread, the time, the caller. */
export class Turn {
  readonly text: Uint8Array;
  readonly ask: ReadingAsk;
  readonly result: Promise<Reading | null>;
  settled = false;
  readonly #end: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (reading: Reading | null) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(text: Uint8Array, ask: ReadingAsk, { ms, signal }: ReadingLimits) {
    this.text = text;
    this.ask = ask;
    const { promise, resolve } = Promise.withResolvers<Reading | null>();
    this.result = promise;
    this.#resolve = resolve;
    this.#signal = signal;
    this.#end = performance.now() + ms;
    this.#timer = setTimeout(() => this.fail('No time was left to read the page.'), ms);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Milliseconds. */
  get remaining(): number {
    return this.#end - performance.now();
  }

  fail(why: string): void {
    this.settle(failedReading(this.ask, why));
  }

  /** null: nobody wants it any more. */
  settle(reading: Reading | null): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(reading);
  }

  readonly #onAbort = (): void => this.settle(null);
}
