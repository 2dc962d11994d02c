import type { Clock } from '../base/time.ts';
import type { SessionRow } from '../domain/account.ts';
import type { AccountStore } from '../ports/store.ts';

const DAY_MS = 86_400_000;
/** A session expires after this time without use. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
/** A session expires at the latest after this time. */
export const SESSION_MAX_AGE_MS = 90 * DAY_MS;
/** Lifetime of a set-up link. */
export const SET_UP_LINK_MS = DAY_MS;
/** Lifetime of the link of an invitation. */
export const INVITATION_MS = 7 * DAY_MS;
/** How long an expired link is kept, to tell when it expired. */
export const EXPIRED_LINK_MS = 30 * DAY_MS;
/** Limit for one user, because all sessions are kept in memory. A new session beyond it ends the oldest. */
export const MAX_SESSIONS = 50;

/** Times are in ms since the epoch. */
export function sessionExpiry(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + SESSION_IDLE_MS, createdAt + SESSION_MAX_AGE_MS);
}

/** The last use of a session. */
export interface SessionActivity {
  readonly id: string;
  readonly userId: string;
  /** ms since the epoch, accurate to a minute. */
  lastSeenAt: number;
  /** `lastSeenAt` is not stored yet. */
  unsaved: boolean;
}

/** Uses at shorter intervals are not recorded, because a dashboard sends a request every few seconds. */
const TOUCH_INTERVAL_MS = 60_000;

/** Collects the last uses of sessions in memory until they are flushed. */
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

  forSession({ id, userId, lastSeenAt }: SessionRow): SessionActivity {
    let activity = this.#byId.get(id);
    if (activity === undefined) {
      activity = { id, userId, lastSeenAt, unsaved: false };
      this.#byId.set(id, activity);
    }
    // Another process may have seen a later use.
    if (lastSeenAt > activity.lastSeenAt) activity.lastSeenAt = lastSeenAt;
    return activity;
  }

  /** Forgets all other sessions, which have ended. */
  retainOnly(sessions: readonly SessionRow[]): void {
    if (this.#byId.size === sessions.length) return;
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of this.#byId.keys()) if (!ids.has(id)) this.#byId.delete(id);
  }

  /** Records a use of the session. */
  touch(activity: SessionActivity): void {
    const now = this.#clock.now();
    if (now - activity.lastSeenAt < TOUCH_INTERVAL_MS) return;
    activity.lastSeenAt = now;
    if (activity.unsaved) return;
    activity.unsaved = true;
    this.#touched.push(activity);
  }

  /** The last use of any current session of the user; null if there is none. */
  latest(userId: string): number | null {
    let latest: number | null = null;
    for (const activity of this.#byId.values())
      if (activity.userId === userId && activity.lastSeenAt > (latest ?? 0)) latest = activity.lastSeenAt;
    return latest;
  }

  /** Stores what was collected. If it rejects with StorageError, the next flush stores it. */
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
    for (const activity of touched) activity.unsaved = false;
    try {
      await this.#store.touchSessions(touched.map(({ id, lastSeenAt }) => ({ id, at: lastSeenAt })));
    } catch (error) {
      for (const activity of touched) {
        if (activity.unsaved) continue;
        activity.unsaved = true;
        this.#touched.push(activity);
      }
      throw error;
    }
  }
}
