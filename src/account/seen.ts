import type { Clock } from '../base/clock.ts';
import type { SessionRow } from '../domain/account.ts';
import type { AccountStore } from '../ports/store.ts';

/** When one session was last used. */
export interface Seen {
  readonly id: string;
  readonly userId: string;
  /** ms since the epoch, to a minute. */
  at: number;
  /** `at` is not in the store yet. */
  touched: boolean;
}

/** A session is touched at most so often: a dashboard asks every few seconds. */
const STEP_MS = 60_000;

/** Last uses of sessions, kept in memory between two flushes. */
export class SeenTracker {
  readonly #store: AccountStore;
  readonly #clock: Clock;
  readonly #byId = new Map<string, Seen>();
  #touched: Seen[] = [];
  #running: Promise<void> | null = null;

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  of({ id, userId, lastSeenAt }: SessionRow): Seen {
    let seen = this.#byId.get(id);
    if (seen === undefined) {
      seen = { id, userId, at: lastSeenAt, touched: false };
      this.#byId.set(id, seen);
    }
    // Another process may have seen it later.
    if (lastSeenAt > seen.at) seen.at = lastSeenAt;
    return seen;
  }

  /** Forgets the sessions that have ended. */
  keepOnly(sessions: readonly SessionRow[]): void {
    if (this.#byId.size === sessions.length) return;
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of this.#byId.keys()) if (!ids.has(id)) this.#byId.delete(id);
  }

  /** The session has been accepted. */
  touch(seen: Seen): void {
    const now = this.#clock.now();
    if (now - seen.at < STEP_MS) return;
    seen.at = now;
    if (seen.touched) return;
    seen.touched = true;
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
    for (const seen of touched) seen.touched = false;
    try {
      await this.#store.touchSessions(touched.map(({ id, at }) => ({ id, at })));
    } catch (error) {
      for (const seen of touched) {
        if (seen.touched) continue;
        seen.touched = true;
        this.#touched.push(seen);
      }
      throw error;
    }
  }
}
