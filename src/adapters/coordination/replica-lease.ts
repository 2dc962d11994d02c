import { randomUUID } from 'node:crypto';
import { HOLDING_LOST } from '../../base/time.ts';
import type { StorageError } from '../../ports/store.ts';
import type { LimitServer, Renewal, ReplicaRegistry } from './limit-server.ts';
import type { RedisLimits } from './redis-limits.ts';

/** How often the lease of ten seconds is renewed. */
const RENEW_MS = 3_000;
/** How soon after a failed renewal, and while replicas enter a new epoch. */
const RENEW_SOON_MS = 250;
/** Without a renewal for so long, all that is held is lost, well before the lease ends at the server. */
const LOST_AFTER_MS = 7_000;
const CHECK_MS = 200;
const SWEEP_MS = 60_000;
const ASK_REDIS_MS = 1_000;
/** So many changes of the epoch may one renewal follow. */
const MAX_TRIES = 4;

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
  /** null: there is none, so PostgreSQL counts. */
  readonly redis: RedisLimits | null;
  /** The server that counts. @param redisRun null: PostgreSQL */
  readonly serverOf: (redisRun: string | null) => LimitServer;
  /**
   * Tells the server of a new epoch what the replica holds, after the last exchange with the old one.
   * @returns false: the server does not count in this epoch
   */
  readonly enter: (replica: Replica, renewal: Renewal) => Promise<boolean>;
  /** Called after each renewal. */
  readonly onRenewed: () => void;
  readonly onLost: () => void;
  /** Called when Redis can no longer be reached, and with null when it can. */
  readonly onRedis: (problem: StorageError | null) => void;
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
  readonly #redisTimer: NodeJS.Timeout | undefined;
  /** Run id of the Redis server as of the last question; null: it did not answer. */
  #redisRun: string | null = null;
  /** The first question always tells. */
  #redisProblem: StorageError | null | undefined;
  #isClosed = false;

  constructor(options: ReplicaLeaseOptions) {
    this.#options = options;
    this.#checkTimer = setInterval(() => this.#loseIfLate(), CHECK_MS).unref();
    this.#sweepTimer = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
    const { redis } = options;
    this.#redisTimer =
      redis === null ? undefined : setInterval(() => void this.#ask(redis), ASK_REDIS_MS).unref();
  }

  /** The first renewal. Rejects with `StorageError` if the database fails. */
  async open(): Promise<void> {
    if (this.#options.redis !== null) await this.#ask(this.#options.redis);
    await this.renew();
    if (this.#failure !== null) throw this.#failure;
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
    clearInterval(this.#redisTimer);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#renewing;
    const { serverOf, registry } = this.#options;
    const { id, renewal } = this.#replica;
    // If this fails, the lease ends by itself.
    if (renewal !== null)
      await serverOf(renewal.redisRun)
        .leave(id, renewal.epoch)
        .catch(() => {});
    await registry.leave(id).catch(() => {});
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
    const { registry, redis } = this.#options;
    const replica = this.#replica;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const sentAt = performance.now();
      const renewal = await registry.renew(replica.id, replica.epoch, this.#redisRun);
      const isNew = renewal.epoch !== replica.epoch;
      const outcome = isNew || renewal.renewed ? await this.#renewAtServer(replica, renewal, isNew) : 'ended';
      if (replica !== this.#replica) return false;
      if (outcome === 'ended') {
        this.#lose();
        return false;
      }
      if (outcome === 'failed') {
        if (renewal.redisRun !== null) await registry.begin(renewal.epoch, null);
        continue;
      }
      replica.epoch = renewal.epoch;
      // The registry is told that the replica has entered the epoch.
      if (!renewal.renewed) continue;
      replica.renewal = renewal;
      this.#renewedAt = sentAt;
      const run = this.#redisRun;
      if (redis === null || run === null || renewal.redisRun !== null || !renewal.redisWell)
        return renewal.settled;
      await registry.begin(renewal.epoch, run, (epoch) => redis.prepare(run, epoch));
    }
    return false;
  }

  /** @returns `failed`: another epoch must begin */
  async #renewAtServer(
    replica: Replica,
    renewal: Renewal,
    isNew: boolean,
  ): Promise<'renewed' | 'ended' | 'failed'> {
    const { serverOf, enter } = this.#options;
    const { redisRun, epoch } = renewal;
    if (redisRun !== null && redisRun !== this.#redisRun) return 'failed';
    try {
      const outcome = await serverOf(redisRun).renew(replica.id, epoch, isNew);
      if (outcome === 'data_lost') return 'failed';
      if (outcome === 'ended' || !isNew) return outcome;
      return (await enter(replica, renewal)) ? 'renewed' : 'failed';
    } catch (error) {
      if (redisRun === null) throw error;
      return 'failed';
    }
  }

  async #ask(redis: RedisLimits): Promise<void> {
    let problem: StorageError | null = null;
    try {
      this.#redisRun = await redis.identify();
    } catch (error) {
      problem = error as StorageError;
      this.#redisRun = null;
    }
    const before = this.#redisProblem;
    this.#redisProblem = problem;
    if (before === undefined || (before === null) !== (problem === null)) this.#options.onRedis(problem);
  }

  async #sweep(): Promise<void> {
    const { registry, redis } = this.#options;
    const { renewal } = this.#replica;
    try {
      await registry.sweep();
      if (redis !== null && renewal !== null && renewal.redisRun !== null)
        await redis.sweep(renewal.redisRun, renewal.epoch);
    } catch {
      // Only saves space. The next one may succeed.
    }
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
