import { SHUTDOWN } from '../base/time.ts';
import { orTimeout } from '../base/wait.ts';

/** The scrapes that are running, so that a shutdown can wait for them and then end them. */
export class InFlight {
  readonly #running = new Set<AbortController>();
  /** The resolvers of `idle`, which may be called several times. */
  readonly #waiting = new Set<() => void>();

  add(cancel: AbortController): void {
    this.#running.add(cancel);
  }

  delete(cancel: AbortController): void {
    this.#running.delete(cancel);
    if (this.#running.size === 0) for (const resolve of this.#waiting) resolve();
  }

  get size(): number {
    return this.#running.size;
  }

  /** Resolves when no scrape runs, at the latest after `ms`. */
  async idle(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await orTimeout(promise, ms, undefined);
    this.#waiting.delete(resolve);
  }

  /** Aborts all running scrapes: their callers get 503. */
  abort(): void {
    for (const cancel of this.#running) cancel.abort(SHUTDOWN);
  }
}
