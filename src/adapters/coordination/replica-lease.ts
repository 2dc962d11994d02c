import { randomUUID } from 'node:crypto';
import { HOLDING_LOST } from '../../base/time.ts';
import type { Renewal, ReplicaRegistry } from './limit-server.ts';

/** How often the lease of ten seconds is renewed. */
const RENEW_MS = 3_000;
/** How soon after a failed renewal, and while replicas enter a new epoch. */
const RENEW_SOON_MS = 250;
/** Without a renewal for so long, all that is held is lost, well before the lease ends at the server. */
const LOST_AFTER_MS = 7_000;
const CHECK_MS = 200;
const SWEEP_MS = 60_000;

/** What this process is for the others. After its lease was lost, the process is another replica, which holds nothing. */
export class Replica {
  readonly id = randomUUID();
  readonly #lost = new AbortController();
  /** Places under each name. */
  readonly held = new Map<string, number>();
  /** Names whose count the server does not know yet. */
  changed = new Set<string>();
  /** The epoch that the replica has entered with all that it holds; null: none, so it holds nothing. */
  epoch: number | null = null;
  /** The last one, if places can be taken and given back now; null: another renewal must come first. */
  renewal: Renewal | null = null;

  /** Aborts with `HOLDING_LOST`. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  lose(): void {
    this.#lost.abort(HOLDING_LOST);
  }
}

interface ReplicaLeaseOptions {
  readonly registry: ReplicaRegistry;
  /**
   * Tells the server of a new epoch what the replica holds, after the last exchange with the old one.
   * @returns false: it cannot yet
   */
  readonly enter: (replica: Replica, renewal: Renewal) => Promise<boolean>;
  /** Called after each renewal. */
  readonly onRenewed: () => void;
  /** Whether this replica reaches Redis. */
  readonly redisWell: () => boolean;
  readonly onLost: () => void;
}

/** Keeps the lease of this process. */
export class ReplicaLease {
  readonly #options: ReplicaLeaseOptions;
  #replica = new Replica();
  /** When the last successful renewal was sent: monotonic, ms. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** Of the last renewal; null: it succeeded. */
  #failure: unknown = null;
  #renewing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #checkTimer: NodeJS.Timeout;
  readonly #sweepTimer: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: ReplicaLeaseOptions) {
    this.#options = options;
    this.#checkTimer = setInterval(() => this.#loseIfLate(), CHECK_MS).unref();
    this.#sweepTimer = setInterval(() => options.registry.sweep().catch(() => {}), SWEEP_MS).unref();
  }

  get replica(): Replica {
    return this.#replica;
  }

  /** Why the last renewal failed; null: it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Renews the lease now, or as soon as the renewal that runs has ended. Never rejects. */
  async renew(): Promise<void> {
    await this.#renewing;
    if (this.#isClosed) return;
    this.#renewing ??= this.#renewAndSchedule().finally(() => {
      this.#renewing = null;
    });
    await this.#renewing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#checkTimer);
    clearInterval(this.#sweepTimer);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#renewing;
    await this.#options.registry.leave(this.#replica.id).catch(() => {});
  }

  async #renewAndSchedule(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    let isComplete = false;
    try {
      isComplete = await this.#renewOnce();
      this.#failure = null;
    } catch (error) {
      this.#failure = error;
    }
    this.#options.onRenewed();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.renew(), isComplete ? RENEW_MS : RENEW_SOON_MS).unref();
  }

  /** @returns false: it must be done again soon */
  async #renewOnce(): Promise<boolean> {
    const { registry, enter, redisWell } = this.#options;
    const sentAt = performance.now();
    // A replica that was lost meanwhile stays lost.
    const replica = this.#replica;
    let renewal = await registry.renew(replica.id, replica.epoch, redisWell());
    if (!renewal.renewed && renewal.epoch !== replica.epoch) {
      if (!(await enter(replica, renewal))) return false;
      replica.epoch = renewal.epoch;
      renewal = await registry.renew(replica.id, replica.epoch, redisWell());
      // Meanwhile another epoch has begun.
      if (renewal.epoch !== replica.epoch) return false;
    }
    if (replica !== this.#replica) return false;
    if (!renewal.renewed) {
      this.#lose();
      return false;
    }
    replica.epoch = renewal.epoch;
    replica.renewal = renewal;
    this.#renewedAt = sentAt;
    return renewal.settled;
  }

  #loseIfLate(): void {
    if (this.#replica.epoch !== null && performance.now() - this.#renewedAt > LOST_AFTER_MS) this.#lose();
  }

  #lose(): void {
    const lost = this.#replica;
    this.#replica = new Replica();
    lost.lose();
    this.#options.onLost();
    void this.renew();
  }
}
