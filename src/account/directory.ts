import type { AccountStore } from '../ports/store.ts';
import { makeSnapshot, type Snapshot, type Trackers } from './caller.ts';

const POLL_MS = 250;

/**
 * A copy of all users, keys and sessions in memory. A change by another process is seen within `POLL_MS` and the time of
 * reading; while the store fails, the last copy stays in use.
 */
export class Directory {
  readonly #store: AccountStore;
  readonly #trackers: Trackers;
  #snapshot: Snapshot;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<void> | null = null;
  #catchingUp: Promise<void> | null = null;

  constructor(store: AccountStore, trackers: Trackers) {
    this.#store = store;
    this.#trackers = trackers;
    this.#snapshot = makeSnapshot(
      { version: Number.NaN, users: [], keys: [], sessions: [], links: [] },
      trackers,
    );
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /**
   * Resolves when everything that was stored before this call is in memory. Rejects with StorageError.
   * Readings follow one another: one that began before a change must not overwrite one that began after it.
   */
  refresh(): Promise<void> {
    const before = this.#reading;
    const next = (
      before === null
        ? this.#read()
        : before.then(
            () => this.#read(),
            () => this.#read(),
          )
    ).finally(() => {
      if (this.#reading === next) this.#reading = null;
    });
    this.#reading = next;
    return next;
  }

  async #read(): Promise<void> {
    // The version first: a change during the reading then leads to one more reading.
    const version = await this.#store.version();
    const [users, keys, sessions, links] = await Promise.all([
      this.#store.users(),
      this.#store.keys(),
      this.#store.sessions(),
      this.#store.setUpLinks(),
    ]);
    this.#snapshot = makeSnapshot({ version, users, keys, sessions, links }, this.#trackers);
  }

  startPolling(): void {
    this.#timer ??= setInterval(() => void this.#pollOnce(), POLL_MS).unref();
  }

  /**
   * Resolves when a change by another process before this call is in memory, or the store has failed. Who asks while a
   * look is under way shares the next one with all others: unknown keys, however many, cost one look at a time.
   */
  catchUp(): Promise<void> {
    const running = this.#polling;
    if (running === null) return this.#pollOnce();
    // It may have looked before the change.
    this.#catchingUp ??= running.then(() => {
      this.#catchingUp = null;
      return this.#pollOnce();
    });
    return this.#catchingUp;
  }

  #pollOnce(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  async #poll(): Promise<void> {
    try {
      if ((await this.#store.version()) !== this.#snapshot.version && this.#timer !== null)
        await this.refresh();
    } catch {
      // The store is away for the moment; the next poll asks again.
    }
  }

  /** Resolves when nothing of this is running any more. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#polling;
    await this.#reading?.catch(() => {});
  }
}
