import { FairQueue } from './fair-queue.ts';

/** Contract §8: what waits beyond it is refused at once. */
export const MOST_WAITING = 1_000;

interface Wait {
  readonly granted: (slot: number) => void;
}

/**
 * The numbers of the pages that may be open at once, 0 and up. Whoever takes one gives it back. There is one more, with the
 * number `total`: for a user who has no page open while others have them all, and may keep them for long.
 */
export class Slots {
  readonly total: number;
  /** The lowest last: it is taken first, so that what belongs to a slot is used again. */
  readonly #free: number[];
  /** Who has those that are taken, by their numbers. */
  readonly #holders = new Map<number, string>();
  /** Those whose page is being opened. */
  readonly #opening = new Set<number>();
  /** Those whose page is new, and how many pages of each other user were opened beside it. */
  readonly #fresh = new Map<number, Map<string, number>>();
  readonly #mostOpening: number;
  readonly #queue = new FairQueue<Wait>();

  /**
   * @param mostOpening pages that a user opens at once while others have pages, 1 or more; and so many at most beside one
   * new page of another user
   */
  constructor(total: number, mostOpening: number) {
    this.total = total;
    this.#mostOpening = mostOpening;
    this.#free = Array.from({ length: total + 1 }, (_, at) => total - at);
  }

  /** `total` + 1 at most. */
  get busy(): number {
    return this.#holders.size;
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
    if (this.#isFor(userId)) return this.#taken(userId, prefers);
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

  /** The page of this number is shown, and has cost most of what it costs to open one. */
  opened(slot: number): void {
    if (this.#opening.delete(slot)) this.#serve();
  }

  /** The page of this number is new no longer: how many are opened beside it does not matter any more. */
  aged(slot: number): void {
    this.#fresh.delete(slot);
    this.#opening.delete(slot);
    this.#serve();
  }

  give(slot: number): void {
    this.#holders.delete(slot);
    this.#opening.delete(slot);
    this.#fresh.delete(slot);
    this.#free.push(slot);
    this.#free.sort((a, b) => b - a);
    this.#serve();
  }

  #serve(): void {
    const next = () => this.#queue.shift((userId) => this.#isFor(userId));
    // With this one the one beyond may be for somebody, too.
    for (let one = next(); one !== undefined; one = next()) one.item.granted(this.#taken(one.userId));
  }

  /** Whether one of those that are free is for this user. */
  #isFor(userId: string): boolean {
    const isFirst = ![...this.#holders.values()].includes(userId);
    if (!isFirst && !this.#mayOpen(userId)) return false;
    const lowest = this.#free.at(-1);
    return lowest === this.total ? isFirst : lowest !== undefined;
  }

  /** Whether one more page of this user, who has some, leaves the others their share. */
  #mayOpen(userId: string): boolean {
    if (![...this.#holders.values()].some((holder) => holder !== userId)) return true;
    for (const beside of this.#fresh.values())
      if ((beside.get(userId) ?? 0) >= this.#mostOpening) return false;
    const own = [...this.#opening].filter((slot) => this.#holders.get(slot) === userId);
    return own.length < this.#mostOpening;
  }

  /** Only when one is for this user. */
  #taken(userId: string, prefers: (slot: number) => boolean = () => false): number {
    const preferred = this.#free.findLastIndex((slot) => slot < this.total && prefers(slot));
    const slot = this.#free.splice(preferred, 1)[0]!;
    const beside = new Map<string, number>();
    for (const [other, ofOther] of this.#fresh) {
      const holder = this.#holders.get(other)!;
      if (holder === userId) continue;
      count(ofOther, userId);
      if (this.#opening.has(other)) count(beside, holder);
    }
    this.#holders.set(slot, userId);
    this.#opening.add(slot);
    this.#fresh.set(slot, beside);
    return slot;
  }
}

const count = (beside: Map<string, number>, userId: string): void =>
  void beside.set(userId, (beside.get(userId) ?? 0) + 1);
