import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../../../base/clock.ts';
import { H2Connection } from './connection.ts';

const IDLE_MS = 4_000;
const SWEEP_MS = 1_000;
/** Idle ones of one key; more come to be when many requests begin before the first handshake has ended. */
const MOST_IDLE_PER_KEY = 1;
/** Keys that are remembered to have spoken HTTP/2. */
const MOST_KNOWN = 1_000;

/** The HTTP/2 connections by key. One timer, armed while there are any. */
export class H2Connections {
  readonly #clock: Clock;
  readonly #all = new Map<string, Set<H2Connection>>();
  readonly #known = new Set<string>();
  readonly #opening = new Map<string, Promise<unknown>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The first one that takes another request. */
  find(key: string): H2Connection | null {
    const set = this.#all.get(key);
    if (set === undefined) return null;
    for (const connection of set) if (connection.open) return connection;
    return null;
  }

  /** A connection that is being opened where HTTP/2 was spoken before: worth waiting for; null: there is none. */
  opening(key: string): Promise<unknown> | null {
    return this.#opening.get(key) ?? null;
  }

  /** A connection of this key is being opened; `ended` never rejects. */
  opens(key: string, ended: Promise<unknown>): void {
    if (!this.#known.has(key) || this.#opening.has(key)) return;
    this.#opening.set(key, ended);
    ended.then(() => this.#opening.delete(key));
  }

  add(socket: TLSSocket, origin: string, key: string, remoteIp: string | null): H2Connection {
    const connection = new H2Connection(
      socket,
      origin,
      { key, remoteIp },
      { onIdle: this.onIdle, onGone: (gone) => this.onGone(gone) },
    );
    let set = this.#all.get(key);
    if (set === undefined) {
      set = new Set();
      this.#all.set(key, set);
    }
    connection.idleSince = this.#clock.monotonic();
    set.add(connection);
    this.#known.delete(key);
    this.#known.add(key);
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
    this.#timer ??= setTimeout(() => this.#sweep(), SWEEP_MS);
    return connection;
  }

  readonly onIdle = (connection: H2Connection): void => {
    connection.idleSince = this.#clock.monotonic();
    let idle = 0;
    for (const one of this.#all.get(connection.key) ?? []) if (one.streams === 0 && one.open) idle++;
    if (idle > MOST_IDLE_PER_KEY) connection.destroy();
  };

  onGone(connection: H2Connection): void {
    const set = this.#all.get(connection.key);
    set?.delete(connection);
    if (set?.size === 0) this.#all.delete(connection.key);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const set of this.#all.values()) for (const connection of [...set]) connection.destroy();
  }

  #sweep(): void {
    this.#timer = null;
    const before = this.#clock.monotonic() - IDLE_MS;
    for (const set of this.#all.values()) {
      for (const connection of [...set]) {
        if (connection.streams === 0 && connection.idleSince <= before) connection.destroy();
      }
    }
    if (this.#all.size > 0) this.#timer = setTimeout(() => this.#sweep(), SWEEP_MS);
  }
}
