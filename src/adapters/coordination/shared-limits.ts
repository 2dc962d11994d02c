import { sleep } from '../../base/wait.ts';
import {
  CoordinationError,
  type Holding,
  type LimitClaim,
  type SharedLimits,
} from '../../ports/coordination.ts';
import type { StorageError } from '../../ports/store.ts';
import type { Exchange, ExchangeResult, LimitServer, Renewal, ReplicaRegistry } from './limit-server.ts';
import type { RedisLimits } from './redis-limits.ts';
import { type Replica, ReplicaLease } from './replica-lease.ts';

/**
 * For so long a name must be at its limit before a caller is refused. Places are given back after the response was sent, so
 * another replica may be asked for them a moment before.
 */
const REFUSE_AFTER_MS = 250;
const ASK_AGAIN_MS = 25;
/** For so long a caller waits for the replicas to agree who counts. */
const MAX_WAIT_MS = 10_000;

interface ReplicatedLimitsOptions {
  readonly registry: ReplicaRegistry;
  /** The server that counts. @param redisRun null: PostgreSQL */
  readonly serverOf: (redisRun: string | null) => LimitServer;
  /** null: there is none, so PostgreSQL counts. */
  readonly redis: RedisLimits | null;
  /** Called when Redis can no longer be reached, and with null when it can. */
  readonly onRedis: (problem: StorageError | null) => void;
}

/** A caller that waits for a holding. Times are monotonic, in ms. */
interface Caller {
  readonly since: number;
  /** When the server was first asked; null: not yet. */
  askedAt: number | null;
  readonly resolve: (holding: Holding | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The waiting callers with the same claims, in the order of their arrival. */
interface CallerGroup {
  readonly claims: readonly LimitClaim[];
  readonly callers: Caller[];
}

/**
 * Limits over all replicas. What callers take and give back is collected, and exchanged with the server that counts, in one round
 * trip at a time.
 */
export class ReplicatedLimits implements SharedLimits {
  readonly #serverOf: (redisRun: string | null) => LimitServer;
  readonly #lease: ReplicaLease;
  readonly #lostListeners: (() => void)[] = [];
  /** By the text of their claims. */
  readonly #groups = new Map<string, CallerGroup>();
  #seq = 0;
  #exchanging: Promise<void> | null = null;
  #isScheduled = false;
  #againTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReplicatedLimitsOptions) {
    this.#serverOf = options.serverOf;
    this.#lease = new ReplicaLease({
      ...options,
      enter: (replica, renewal) => this.#enter(replica, renewal),
      onRenewed: () => this.#schedule(),
      onLost: () => {
        for (const listener of this.#lostListeners) listener();
      },
    });
  }

  /** Registers this replica. Rejects with `StorageError` if the database fails. */
  open(): Promise<void> {
    return this.#lease.open();
  }

  take(claims: readonly LimitClaim[]): Promise<Holding | null> {
    const key = claims.map(({ name, limit }) => `${limit} ${name}`).join('\n');
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new CoordinationError('the service is shutting down'));
      const group = this.#groups.get(key) ?? { claims, callers: [] };
      this.#groups.set(key, group);
      group.callers.push({ since: performance.now(), askedAt: null, resolve, reject });
      this.#schedule();
    });
  }

  onLost(listener: () => void): void {
    this.#lostListeners.push(listener);
  }

  async inUse(name: string): Promise<number> {
    const { server, epoch } = await this.#flushed();
    return server.inUse(epoch, name);
  }

  async inUseBelow(prefix: string): Promise<number> {
    const { server, epoch } = await this.#flushed();
    return server.inUseBelow(epoch, prefix);
  }

  /** Who counts in which epoch; null: the replicas are just agreeing. */
  get agreed(): Renewal | null {
    const { renewal } = this.#lease.replica;
    return renewal?.settled === true ? renewal : null;
  }

  /** Why the replicas cannot agree; null: the database has answered last. */
  get failure(): unknown {
    return this.#lease.failure;
  }

  /** The server of this renewal has failed: finds out who counts. */
  async doubt(renewal: Renewal): Promise<void> {
    const { replica } = this.#lease;
    if (replica.renewal !== renewal) return;
    // Nothing is taken or given back before the server has answered.
    replica.renewal = null;
    await this.#lease.renew();
  }

  counter(): 'postgresql' | 'redis' | null {
    const { agreed } = this;
    if (agreed === null) return null;
    return agreed.redisRun === null ? 'postgresql' : 'redis';
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#againTimer);
    this.#rejectCallers(() => true, new CoordinationError('the service is shutting down'));
    await this.#exchanging;
    await this.#lease.close();
  }

  /** Waits until the server knows all counts of this process. */
  async #flushed() {
    const since = performance.now();
    for (;;) {
      const { renewal, changed } = this.#lease.replica;
      if (renewal !== null && changed.size === 0 && this.#exchanging === null)
        return { server: this.#serverOf(renewal.redisRun), epoch: renewal.epoch };
      if (this.#lease.failure !== null) throw this.#lease.failure;
      if (performance.now() - since > MAX_WAIT_MS) throw notAgreed();
      this.#schedule();
      await sleep(2);
    }
  }

  /** Exchanges after the present turn of the event loop, so that all callers of the turn share a round trip. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#exchangeNext();
    });
  }

  #exchangeNext(): void {
    if (this.#exchanging !== null) return;
    const { replica, failure } = this.#lease;
    const { renewal } = replica;
    const now = performance.now();
    // Without a lease there is nothing to wait for while the database fails.
    if (renewal === null && failure !== null) this.#rejectCallers(() => true, failure);
    this.#rejectCallers(({ since }) => now - since > MAX_WAIT_MS, notAgreed());
    const groups = renewal?.settled === true ? [...this.#groups.values()] : [];
    if (renewal === null || (groups.length === 0 && replica.changed.size === 0)) {
      this.#scheduleLater();
      return;
    }
    for (const { callers } of groups) for (const caller of callers) caller.askedAt ??= now;
    const exchange = this.#exchangeOf(replica, renewal.epoch, groups);
    this.#exchanging = this.#exchange(replica, renewal, exchange, groups).finally(() => {
      this.#exchanging = null;
      const hasNews =
        this.#lease.replica.changed.size > 0 ||
        [...this.#groups.values()].some(({ callers }) => callers.at(-1)!.askedAt === null);
      if (hasNews) this.#schedule();
      else this.#scheduleLater();
    });
  }

  /** Callers who wait are asked for again. */
  #scheduleLater(): void {
    clearTimeout(this.#againTimer);
    if (this.#groups.size > 0) this.#againTimer = setTimeout(() => this.#schedule(), ASK_AGAIN_MS);
  }

  /** What the replica holds, as far as the server does not know it, and what the callers want. */
  #exchangeOf(replica: Replica, epoch: number, groups: readonly CallerGroup[]): Exchange {
    const indexes = new Map<string, number>();
    const indexOf = (name: string): number => {
      const index = indexes.get(name) ?? indexes.size;
      indexes.set(name, index);
      return index;
    };
    for (const name of replica.changed) indexOf(name);
    replica.changed = new Set();
    const wanted = groups.map(({ claims, callers }) => ({
      wanted: callers.length,
      claims: claims.map(({ name, limit }) => ({ name: indexOf(name), limit })),
    }));
    const names = [...indexes.keys()];
    const held = names.map((name) => replica.held.get(name) ?? 0);
    return { replica: replica.id, epoch, seq: ++this.#seq, names, held, groups: wanted };
  }

  async #exchange(
    replica: Replica,
    renewal: Renewal,
    exchange: Exchange,
    groups: readonly CallerGroup[],
  ): Promise<void> {
    let result: ExchangeResult | null = null;
    try {
      result = await this.#serverOf(renewal.redisRun).exchange(exchange);
    } catch (error) {
      if (renewal.redisRun === null) this.#rejectCallers(({ askedAt }) => askedAt !== null, error);
    }
    if (result === null) {
      for (const name of exchange.names) replica.changed.add(name);
      // The answer tells whether there is a new epoch, or whether the lease was lost.
      replica.renewal = null;
      void this.#lease.renew();
      return;
    }
    // If the replica was lost meanwhile, the callers wait for the next one.
    if (replica === this.#lease.replica) this.#settle(replica, groups, result);
    for (const name of exchange.names) if (replica.held.get(name) === 0) replica.held.delete(name);
  }

  #settle(replica: Replica, groups: readonly CallerGroup[], { granted, remaining }: ExchangeResult): void {
    const now = performance.now();
    for (const [index, { claims, callers }] of groups.entries()) {
      const served = callers.splice(0, granted[index]!);
      for (const [n, { resolve }] of served.entries()) {
        // The server has counted it already.
        for (const { name } of claims) replica.held.set(name, (replica.held.get(name) ?? 0) + 1);
        const rest = remaining[index]! + served.length - n - 1;
        resolve(new ReplicaHolding(replica, claims, rest, () => this.#schedule()));
      }
      // Callers went away meanwhile.
      if (served.length < granted[index]!) for (const { name } of claims) replica.changed.add(name);
    }
    this.#removeCallers(
      ({ askedAt }) => askedAt !== null && now - askedAt >= REFUSE_AFTER_MS,
      ({ resolve }) => resolve(null),
    );
  }

  /** Tells the server of a new epoch all that the replica holds. @returns false: the server does not count in this epoch */
  async #enter(replica: Replica, renewal: Renewal): Promise<boolean> {
    replica.renewal = null;
    await this.#exchanging;
    for (const name of replica.held.keys()) replica.changed.add(name);
    const exchange = this.#exchangeOf(replica, renewal.epoch, []);
    try {
      if ((await this.#serverOf(renewal.redisRun).exchange(exchange)) !== null) return true;
    } catch (error) {
      for (const name of exchange.names) replica.changed.add(name);
      throw error;
    }
    for (const name of exchange.names) replica.changed.add(name);
    return false;
  }

  #rejectCallers(which: (caller: Caller) => boolean, error: unknown): void {
    this.#removeCallers(which, ({ reject }) => reject(error));
  }

  #removeCallers(which: (caller: Caller) => boolean, end: (caller: Caller) => void): void {
    for (const [key, { callers }] of this.#groups) {
      // Those who waited longest come first, so the ones to be removed do, too.
      let count = 0;
      while (count < callers.length && which(callers[count]!)) count++;
      for (const caller of callers.splice(0, count)) end(caller);
      if (callers.length === 0) this.#groups.delete(key);
    }
  }
}

class ReplicaHolding implements Holding {
  readonly remaining: number;
  readonly #replica: Replica;
  readonly #onRelease: () => void;
  /** Empty: the places were given back. */
  #claims: readonly LimitClaim[];

  constructor(replica: Replica, claims: readonly LimitClaim[], remaining: number, onRelease: () => void) {
    this.#replica = replica;
    this.#claims = claims;
    this.remaining = remaining;
    this.#onRelease = onRelease;
  }

  get signal(): AbortSignal {
    return this.#replica.lost;
  }

  release(): void {
    if (this.#claims.length === 0) return;
    const { held, changed } = this.#replica;
    for (const { name } of this.#claims) {
      held.set(name, held.get(name)! - 1);
      changed.add(name);
    }
    this.#claims = [];
    this.#onRelease();
  }
}

const notAgreed = (): CoordinationError =>
  new CoordinationError('The replicas have not agreed yet who counts; retry soon.');
