import { RoundRobinQueue } from '../../base/round-robin-queue.ts';
import { CLIENT_DISCONNECTED, DEADLINE_EXCEEDED } from '../../base/time.ts';
import { waitForCallback } from '../../base/wait.ts';
import { type Failure, failure } from '../../domain/failure.ts';

const noPreference = (): boolean => false;

/** Contract §8: when so many scrapes wait, further ones are refused at once. */
const MAX_WAITING = 1_000;

/**
 * Limits the number of open pages. Slots have the numbers 0 to `total - 1`. The extra slot `total` is only for a user who has
 * no page open, so that one user with many pages cannot keep others out.
 */
export class PageSlots {
  readonly total: number;
  /** In descending order. The lowest is taken first, so that the gateway slots and prepared pages of low slots are reused. */
  readonly #free: number[];
  /** By slot: the user who has it. */
  readonly #holders = new Map<number, string>();
  readonly #queue = new RoundRobinQueue<(slot: number) => void>();

  /** @param hasExtra whether there is the extra slot */
  constructor(total: number, hasExtra = true) {
    this.total = total;
    const highest = hasExtra ? total : total - 1;
    this.#free = Array.from({ length: highest + 1 }, (_, index) => highest - index);
  }

  get busy(): number {
    return this.#holders.size;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * @param prefers whether this free slot is taken before others
   * @returns a slot; `full`: too many scrapes wait already; `aborted`: the signal ended the wait
   */
  acquire(
    userId: string,
    signal: AbortSignal,
    prefers: (slot: number) => boolean = noPreference,
  ): number | 'full' | 'aborted' | Promise<number | 'aborted'> {
    if (signal.aborted) return 'aborted';
    if (this.#isAvailableTo(userId)) return this.#take(userId, prefers);
    if (this.#queue.size >= MAX_WAITING) return 'full';
    return waitForCallback<number | 'aborted'>(
      signal,
      (grant) => {
        this.#queue.push(userId, grant);
        return () => this.#queue.remove(userId, grant);
      },
      () => 'aborted',
    );
  }

  release(slot: number): void {
    this.#holders.delete(slot);
    this.#free.push(slot);
    this.#free.sort((a, b) => b - a);
    const next = () => this.#queue.shift((userId) => this.#isAvailableTo(userId));
    // More than one waiting scrape may get a slot: if this slot goes to one user, the extra slot may be free for another.
    for (let waiter = next(); waiter !== undefined; waiter = next())
      waiter.item(this.#take(waiter.userId, noPreference));
  }

  #isAvailableTo(userId: string): boolean {
    const lowest = this.#free.at(-1);
    // If the extra slot is the lowest, no other is free.
    return lowest === this.total ? ![...this.#holders.values()].includes(userId) : lowest !== undefined;
  }

  #take(userId: string, prefers: (slot: number) => boolean): number {
    const preferred = this.#free.findLastIndex((slot) => slot < this.total && prefers(slot));
    // If none is preferred, the index is -1. Then `splice` takes the last element, the lowest slot.
    const slot = this.#free.splice(preferred, 1)[0]!;
    this.#holders.set(slot, userId);
    return slot;
  }
}

/** More scrapes wait already than may. */
export const slotsFull = (): Failure =>
  failure('service.unavailable', `${MAX_WAITING} scrapes are already waiting for a browser.`);

/** @param reason of the signal that ended the wait @param what was waited for, for the message */
export function waitFailure(reason: unknown, what: string): Failure {
  if (reason === CLIENT_DISCONNECTED) return failure('request.cancelled', 'The client disconnected.');
  if (reason === DEADLINE_EXCEEDED)
    return failure('service.unavailable', `The request timed out while it waited for ${what}.`);
  return failure('service.unavailable', 'The service stopped the request.');
}
