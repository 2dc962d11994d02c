/** How long it is remembered that a page behaved badly. */
const KEPT_MS = 600_000;
/** So many are remembered; the one that was noted first is forgotten for the next. */
const MOST = 5_000;

/** Whose pages of which host disturbed others lately: they get a browser that gives way to all others. */
export class SetApart {
  readonly #now: () => number;
  /** Until when, in the order of their being noted. */
  readonly #until = new Map<string, number>();

  /** @param now milliseconds, of a clock that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  has(userId: string, host: string): boolean {
    return (this.#until.get(keyOf(userId, host)) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }

  /** @returns whether it was not remembered before */
  note(userId: string, host: string): boolean {
    const isNew = !this.has(userId, host);
    const key = keyOf(userId, host);
    this.#until.delete(key);
    this.#until.set(key, this.#now() + KEPT_MS);
    for (const [first, until] of this.#until) {
      if (until > this.#now() && this.#until.size <= MOST) break;
      this.#until.delete(first);
    }
    return isNew;
  }
}

const keyOf = (userId: string, host: string): string => `${userId} ${host}`;
