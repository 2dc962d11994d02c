import { SHUTDOWN } from '../base/time.ts';
import { orTimeout } from '../base/wait.ts';

/** The scrapes that are running, so that a shutdown can wait for them and then end them. */
export class InFlight {
  readonly #running = new Set<AbortController>();
  /** A second shutdown may wait beside the first. */
  readonly #waiting = new Set<() => void>();

  add(cancel: AbortController): void {
    this.#running.add(cancel);
  }

  delete(cancel: AbortController): void {
    this.#running.delete(cancel);
    if (this.#running.size === 0) for (const settle of this.#waiting) settle();
  }

  get size(): number {
    return this.#running.size;
  }

  /** Settles when nothing runs, at the latest `ms` from now. */
  async idle(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    const { promise, resolve: settle } = Promise.withResolvers<void>();
    this.#waiting.add(settle);
    await orTimeout(promise, ms, undefined);
    this.#waiting.delete(settle);
  }

  /** Ends all that still run: their callers get 503. */
  abort(): void {
    for (const cancel of this.#running) cancel.abort(SHUTDOWN);
  }
}
