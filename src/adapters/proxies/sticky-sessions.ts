import type { Clock } from '../../base/time.ts';

/** The exit that a session is bound to. */
export interface StickySession {
  readonly exitKey: string;
  readonly country: string | null;
  /** Identifies the session at a provider (template). */
  readonly token: string;
}

const MAX_SESSIONS = 100_000;
/** Limits the time that a new session spends on deleting others. */
const MAX_EXPIRED_PER_SWEEP = 8;

/** Sticky sessions: a named session of a user keeps its exit until it expires. Their number is limited. */
export class StickySessions {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, StickySession & { readonly expiresAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** May include a few that have just expired. */
  get size(): number {
    return this.#sessions.size;
  }

  get(key: string): StickySession | null {
    const session = this.#sessions.get(key);
    if (session === undefined) return null;
    if (session.expiresAt > this.#clock.monotonic()) return session;
    this.#sessions.delete(key);
    return null;
  }

  /** @param ttlMs lifetime of a new session; a session that moves to another exit keeps its time of expiry */
  bind(key: string, session: StickySession, ttlMs: number): void {
    const previous = this.#sessions.get(key);
    const now = this.#clock.monotonic();
    const expiresAt = previous !== undefined && previous.expiresAt > now ? previous.expiresAt : now + ttlMs;
    this.#sessions.delete(key);
    this.#sessions.set(key, { ...session, expiresAt });
    this.#sweep(now);
  }

  /** Takes over what another replica knows. Its end is checked there. */
  replace(key: string, { exitKey, country, token }: StickySession): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, { exitKey, country, token, expiresAt: Number.POSITIVE_INFINITY });
    this.#sweep(this.#clock.monotonic());
  }

  delete(key: string): void {
    this.#sessions.delete(key);
  }

  /** Deletes a few of the oldest sessions if they have expired, and more if there are too many. */
  #sweep(now: number): void {
    let deleted = 0;
    for (const [key, { expiresAt }] of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS && (expiresAt > now || ++deleted > MAX_EXPIRED_PER_SWEEP))
        return;
      this.#sessions.delete(key);
    }
  }
}
