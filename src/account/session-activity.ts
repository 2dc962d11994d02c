import type { Clock } from '../base/time.ts';
import type { SessionRow } from '../domain/account.ts';
import type { AccountStore } from '../ports/store.ts';

const DAY_MS = 86_400_000;
/** A session ends when it has not been used for so long, */
export const SESSION_IDLE_MS = 14 * DAY_MS;
/** and in any case so long after its beginning. */
export const SESSION_MAX_AGE_MS = 90 * DAY_MS;
/** How long a set-up link is good. */
export const SET_UP_LINK_MS = DAY_MS;
/** Of one user; with one more the oldest ends. They are all held in memory. */
export const MAX_SESSIONS = 50;

/** All in ms since the epoch. */
export function sessionExpiry(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + SESSION_IDLE_MS, createdAt + SESSION_MAX_AGE_MS);
}

/** When one session was last used. */
export interface SessionActivity {
  readonly id: string;
  readonly userId: string;
  /** ms since the epoch, to a minute. */
  at: number;
  /** `at` is not in the store yet. */
  unsaved: boolean;
}

/** A session is touched at most so often: a dashboard asks every few seconds. */
const TOUCH_INTERVAL_MS = 60_000;

/** Last uses of sessions, kept in memory between two flushes. */
export class SessionActivityTracker {
  readonly #store: AccountStore;
  readonly #clock: Clock;
  readonly #byId = new Map<string, SessionActivity>();
  #touched: SessionActivity[] = [];
  #running: Promise<void> | null = null;

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  of({ id, userId, lastSeenAt }: SessionRow): SessionActivity {
    let seen = this.#byId.get(id);
    if (seen === undefined) {
      seen = { id, userId, at: lastSeenAt, unsaved: false };
      this.#byId.set(id, seen);
    }
    // Another process may have seen it later.
    if (lastSeenAt > seen.at) seen.at = lastSeenAt;
    return seen;
  }

  /** Forgets the sessions that have ended. */
  retainOnly(sessions: readonly SessionRow[]): void {
    if (this.#byId.size === sessions.length) return;
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of this.#byId.keys()) if (!ids.has(id)) this.#byId.delete(id);
  }

  /** The session has been accepted. */
  touch(seen: SessionActivity): void {
    const now = this.#clock.now();
    if (now - seen.at < TOUCH_INTERVAL_MS) return;
    seen.at = now;
    if (seen.unsaved) return;
    seen.unsaved = true;
    this.#touched.push(seen);
  }

  /** The latest use of any session of the user that has not ended; null: there is none. */
  latest(userId: string): number | null {
    let latest: number | null = null;
    for (const seen of this.#byId.values())
      if (seen.userId === userId && seen.at > (latest ?? 0)) latest = seen.at;
    return latest;
  }

  /** Writes what has gathered. Rejects with StorageError, and then keeps it for the next time. */
  flush(): Promise<void> {
    this.#running ??= this.#flush().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #flush(): Promise<void> {
    const touched = this.#touched;
    if (touched.length === 0) return;
    this.#touched = [];
    for (const seen of touched) seen.unsaved = false;
    try {
      await this.#store.touchSessions(touched.map(({ id, at }) => ({ id, at })));
    } catch (error) {
      for (const seen of touched) {
        if (seen.unsaved) continue;
        seen.unsaved = true;
        this.#touched.push(seen);
      }
      throw error;
    }
  }
}
