import type { Clock } from '../../../../base/clock.ts';
import type { ConnectionOwner, H1Connection } from './connection.ts';

const MOST_PER_KEY = 64;
const MOST = 512;
const SWEEP_MS = 1_000;

/**
 * Idle connections by key, last in first out: the freshest is the least likely to be closed by the peer meanwhile.
 * One timer, armed while anything is idle.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #clock: Clock;
  readonly #idle = new Map<string, H1Connection[]>();
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#count;
  }

  take(key: string): H1Connection | null {
    const list = this.#idle.get(key);
    if (list === undefined) return null;
    const now = this.#clock.monotonic();
    for (;;) {
      const connection = list.pop();
      if (connection === undefined) return null;
      this.#count--;
      if (connection.open && connection.idleUntil > now) return connection;
      connection.destroy();
    }
  }

  onIdle(connection: H1Connection, idleMs: number): void {
    let list = this.#idle.get(connection.key);
    if (list === undefined) {
      list = [];
      this.#idle.set(connection.key, list);
    }
    if (this.#closed || this.#count >= MOST || list.length >= MOST_PER_KEY) {
      connection.destroy();
      return;
    }
    connection.idleUntil = this.#clock.monotonic() + idleMs;
    list.push(connection);
    this.#count++;
    this.#timer ??= setTimeout(() => this.#sweep(), SWEEP_MS);
  }

  onGone(connection: H1Connection): void {
    const list = this.#idle.get(connection.key);
    const at = list === undefined ? -1 : list.indexOf(connection);
    if (at === -1) return;
    list!.splice(at, 1);
    this.#count--;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const list of this.#idle.values()) for (const connection of [...list]) connection.destroy();
    this.#idle.clear();
  }

  #sweep(): void {
    this.#timer = null;
    const now = this.#clock.monotonic();
    for (const [key, list] of this.#idle) {
      for (const connection of list.filter((one) => one.idleUntil <= now)) connection.destroy();
      if (list.length === 0) this.#idle.delete(key);
    }
    if (this.#count > 0) this.#timer = setTimeout(() => this.#sweep(), SWEEP_MS);
  }
}
