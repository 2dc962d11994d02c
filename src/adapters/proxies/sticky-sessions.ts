import type { Clock } from '../../base/time.ts';

/** What a session is bound to. */
export interface StickySession {
  readonly exitKey: string;
  readonly country: string | null;
  /** For the template of a provider; another one in each session. */
  readonly token: string;
}

const MAX_SESSIONS = 100_000;

/** Sticky sessions: the same exit for a name of a user, from its first use until its time is over. Bounded. */
export class StickySessions {
  readonly #clock: Clock;
  readonly #bound = new Map<string, StickySession & { readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Those that live, and some that have just ended. */
  get size(): number {
    return this.#bound.size;
  }

  get(key: string): StickySession | null {
    const found = this.#bound.get(key);
    if (found === undefined) return null;
    if (found.until > this.#clock.monotonic()) return found;
    this.#bound.delete(key);
    return null;
  }

  /** @param ttlMs counts for a session that begins now; one that moves to another exit keeps its time */
  bind(key: string, bound: StickySession, ttlMs: number): void {
    const before = this.#bound.get(key);
    const now = this.#clock.monotonic();
    const until = before !== undefined && before.until > now ? before.until : now + ttlMs;
    this.#bound.delete(key);
    this.#bound.set(key, { ...bound, until });
    this.#sweep(now);
  }

  /** The oldest go first: most have ended. */
  #sweep(now: number): void {
    let looked = 0;
    for (const [key, { until }] of this.#bound) {
      if (this.#bound.size <= MAX_SESSIONS && (until > now || ++looked > 8)) return;
      this.#bound.delete(key);
    }
  }
}
