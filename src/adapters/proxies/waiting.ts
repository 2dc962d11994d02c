interface Waiter {
  /** Settles the wait if it can; tells whether it did. */
  readonly retry: () => boolean;
}

/** Those who wait for an exit, in the order they came. */
export class Waiting {
  readonly #waiters = new Set<Waiter>();
  #waking = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires; monotonic ms. */
  #timerAt = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#waiters.size;
  }

  /** @param look gives what was waited for; null: there is none yet. @param late what the wait comes to when it is given up */
  until<T>(signal: AbortSignal, look: () => T | null, late: () => T): Promise<T> {
    return new Promise((resolve) => {
      const settle = (value: T) => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
        resolve(value);
      };
      const waiter: Waiter = {
        retry() {
          const found = look();
          if (found !== null) settle(found);
          return found !== null;
        },
      };
      const onAbort = () => settle(late());
      if (signal.aborted) return resolve(late());
      this.#waiters.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Something becomes free by itself, in so many ms. */
  wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    const ring = () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.wake();
    };
    // Timers of Node may ring a little early.
    this.#timer = setTimeout(ring, Math.ceil(ms) + 1).unref();
  }

  /** Something has become free. */
  wake(): void {
    if (this.#waking) return;
    this.#waking = true;
    for (const waiter of [...this.#waiters]) waiter.retry();
    this.#waking = false;
  }
}
