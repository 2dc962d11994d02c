/** How long it is remembered that a page behaved badly. */
const QUARANTINE_MS = 600_000;
/** So many are remembered; the one that was noted first is forgotten for the next. */
const MAX_QUARANTINED = 5_000;

/** Whose pages of which host disturbed others lately: they get a browser that gives way to all others. */
export class Quarantine {
  readonly #now: () => number;
  /** Until when, in the order of their being noted. */
  readonly #until = new Map<string, number>();

  /** @param now milliseconds, of a clock that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  has(userId: string, host: string): boolean {
    return (this.#until.get(quarantineKey(userId, host)) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }

  /** @returns whether it was not remembered before */
  add(userId: string, host: string): boolean {
    const isNew = !this.has(userId, host);
    const key = quarantineKey(userId, host);
    this.#until.delete(key);
    this.#until.set(key, this.#now() + QUARANTINE_MS);
    for (const [first, until] of this.#until) {
      if (until > this.#now() && this.#until.size <= MAX_QUARANTINED) break;
      this.#until.delete(first);
    }
    return isNew;
  }
}

const quarantineKey = (userId: string, host: string): string => `${userId} ${host}`;
