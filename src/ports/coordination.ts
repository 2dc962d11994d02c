/**
 * What all replicas of the service share while they run: limits, counters, small values and messages. A process alone keeps
 * them in memory and answers at once; otherwise they are in PostgreSQL or Redis, and calls return promises. Methods reject with
 * `StorageError` if the database fails, and with `CoordinationError` if the replicas cannot agree in time. Names and keys are
 * texts of at most 500 characters.
 */
export interface Coordination {
  readonly limits: SharedLimits;
  readonly counters: SharedCounters;
  readonly values: SharedValues;
  /** Never in Redis, so they survive its end: for the sign-in throttle. */
  readonly keptValues: SharedValues;
  readonly bus: MessageBus;
  /** Who counts the places of `limits` now; null: the replicas are just agreeing. */
  counter(): 'process' | 'postgresql' | 'redis' | null;
  close(): Promise<void>;
}

type Awaitable<T> = T | Promise<T>;

/** The replicas could not agree within ten seconds, or this one was cut off from the others: 503 `service.unavailable`. */
export class CoordinationError extends Error {
  override readonly name = 'CoordinationError';
}

/** One place under a name, of at most `limit` that all replicas hold together. */
export interface LimitClaim {
  readonly name: string;
  readonly limit: number;
}

export interface Holding {
  /** How many more could be taken at that moment: the smallest number over all claims. */
  readonly remaining: number;
  /** Aborts with `HOLDING_LOST` when the place may soon be given to others: the work must end at once. */
  readonly signal: AbortSignal;
  /** Gives the places back. Later calls do nothing. */
  release(): void;
}

/**
 * Counts places over all replicas. There are never more than `limit` places held under a name. `take` resolves to null only if
 * one of the names was at its limit throughout a quarter of a second, or at that moment in a process alone. The places of a
 * replica that died, or was cut off, are free after ten seconds at most.
 */
export interface SharedLimits {
  /** Takes one place under each name, or none at all. @returns null: a name is at its limit */
  take(claims: readonly LimitClaim[]): Awaitable<Holding | null>;
  /** Calls the listener each time that all which this process held was lost. */
  onLost(listener: () => void): void;
  /** Places held under this name. */
  inUse(name: string): Awaitable<number>;
  /** Places held under all names that begin with `prefix`. For views, not for every request. */
  inUseBelow(prefix: string): Awaitable<number>;
}

export interface CounterChange {
  /** An integer; negative to undo. */
  readonly amount: number;
  /** The total may not become higher by a positive amount; null: no limit. */
  readonly limit: number | null;
  /** When a counter that this call creates ends, in ms since the epoch. */
  readonly expiresAt: number;
}

/** Totals that survive a restart of the service. An addition is atomic: of several at once, only those within the limit succeed. */
export interface SharedCounters {
  /** @returns the new total; null: it would be above the limit, and nothing was added */
  add(name: string, change: CounterChange): Awaitable<number | null>;
  /** 0 if there is no such counter. */
  total(name: string): Awaitable<number>;
}

/** A value to be stored. It ends after `ttlMs`, by the time of the server. */
export interface ExpiringValue {
  readonly value: string;
  readonly ttlMs: number;
}

/**
 * `keep`: the value stays as it is, and ends when it would have. `delete`: there is none any more.
 * @param now the time that all replicas share, in ms; only its differences have a meaning
 */
export type ValueChange = (current: string | null, now: number) => ExpiringValue | 'keep' | 'delete';

/**
 * Small texts with a time to live, of at most 64 KiB. They may be lost when a database fails, or when Redis takes over or goes, so
 * they hold only what can be learned again.
 */
export interface SharedValues {
  /** @returns null: there is none, or it has ended */
  get(key: string): Awaitable<string | null>;
  /**
   * Replaces the value atomically. `change` gets the present value and returns the new one. It may be called several times, so it
   * changes nothing else.
   * @returns the value afterwards
   */
  update(key: string, change: ValueChange): Awaitable<string | null>;
}

/**
 * Messages to all replicas, this one included, within milliseconds. A message may be lost, so subscribers also poll what it is
 * about; it may arrive twice. Channels match `[a-z_]{1,40}`; messages have at most 4,000 bytes.
 */
export interface MessageBus {
  /** Does not wait, and reports no failure. */
  publish(channel: string, message: string): void;
  /**
   * @param onMissed called when messages may have been lost
   * @returns ends the subscription
   */
  subscribe(channel: string, onMessage: (message: string) => void, onMissed?: () => void): () => void;
}
