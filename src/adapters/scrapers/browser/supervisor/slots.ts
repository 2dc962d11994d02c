import { FairQueue } from './fair-queue.ts';

/** Contract §8: what waits beyond it is refused at once. */
export const MOST_WAITING = 1_000;

interface Wait {
  readonly granted: (slot: number) => void;
}

/** The numbers of the pages that may be open at once, 0 and up. Whoever takes one gives it back. */
export class Slots {
  readonly total: number;
  /** The lowest last: it is taken first, so that what belongs to a slot is used again. */
  readonly #free: number[];
  readonly #queue = new FairQueue<Wait>();

  constructor(total: number) {
    this.total = total;
    this.#free = Array.from({ length: total }, (_, at) => total - 1 - at);
  }

  get busy(): number {
    return this.total - this.#free.length;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * A number, now or after a wait in turn; `full` when too many wait; `ended` when the signal ended the wait.
   * @param prefers of those that are free, one of these is taken rather than another
   */
  take(
    userId: string,
    signal: AbortSignal,
    prefers?: (slot: number) => boolean,
  ): number | 'full' | 'ended' | Promise<number | 'ended'> {
    if (signal.aborted) return 'ended';
    const preferred = prefers === undefined ? -1 : this.#free.findLastIndex(prefers);
    const slot = preferred < 0 ? this.#free.pop() : this.#free.splice(preferred, 1)[0];
    if (slot !== undefined) return slot;
    if (this.#queue.size >= MOST_WAITING) return 'full';
    return new Promise((resolve) => {
      const wait: Wait = {
        granted: (slot) => {
          signal.removeEventListener('abort', onAbort);
          resolve(slot);
        },
      };
      const onAbort = () => {
        this.#queue.remove(userId, wait);
        resolve('ended');
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(userId, wait);
    });
  }

  give(slot: number): void {
    const next = this.#queue.shift();
    if (next !== undefined) next.granted(slot);
    else {
      this.#free.push(slot);
      this.#free.sort((a, b) => b - a);
    }
  }
}
