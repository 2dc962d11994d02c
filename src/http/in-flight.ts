import { SHUTDOWN } from '../base/abort-reasons.ts';

/** The scrapes that are running, so that a shutdown can wait for them and then end them. */
export class InFlight {
  readonly #running = new Set<AbortController>();
  #idle: (() => void) | null = null;

  add(cancel: AbortController): void {
    this.#running.add(cancel);
  }

  delete(cancel: AbortController): void {
    this.#running.delete(cancel);
    if (this.#running.size === 0) this.#idle?.();
  }

  get size(): number {
    return this.#running.size;
  }

  /** Settles when nothing runs, at the latest `ms` from now. */
  async idle(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#idle = null;
  }

  /** Ends all that still run: their callers get 503. */
  abort(): void {
    for (const cancel of this.#running) cancel.abort(SHUTDOWN);
  }
}
