import { orTimeout } from '../../base/wait.ts';

const MOMENT_MS = 100;

/** The scrapes that are running, so that a shutdown can wait for them and then end them. */
export class InFlight {
  readonly #running = new Set<AbortController>();
  /** The resolvers of `idle`, which may be called several times. */
  readonly #waiting = new Set<() => void>();
  #lastEnd = Number.NEGATIVE_INFINITY;

  add(cancel: AbortController): void {
    this.#running.add(cancel);
  }

  delete(cancel: AbortController): void {
    this.#running.delete(cancel);
    this.#lastEnd = performance.now();
    if (this.#running.size === 0) for (const resolve of this.#waiting) resolve();
  }

  get size(): number {
    return this.#running.size;
  }

  /** Whether a scrape runs, or ran a moment ago: a caller who sends one after another has none in between. */
  get isActive(): boolean {
    return this.#running.size > 0 || performance.now() - this.#lastEnd < MOMENT_MS;
  }

  /** Resolves when no scrape runs, at the latest after `ms`. */
  async idle(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await orTimeout(promise, ms, undefined);
    this.#waiting.delete(resolve);
  }

  /** Aborts all running scrapes: their callers get 503. @param reason SHUTDOWN or HOLDING_LOST */
  abort(reason: Error): void {
    for (const cancel of this.#running) cancel.abort(reason);
  }
}
