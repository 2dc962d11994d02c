import { createHash, randomBytes } from 'node:crypto';
import { CLIENT_DISCONNECTED, type Clock } from '../../base/time.ts';
import { waitForCallback } from '../../base/wait.ts';
import type { ExitPrice } from '../../domain/cost.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { Pools, ProxiesState } from '../../domain/pools.ts';
import { DEFAULT_PROXY_OPTIONS, type ProxyOptions } from '../../domain/proxy.ts';
import type { ProxyType } from '../../domain/task.ts';
import type { Coordination } from '../../ports/coordination.ts';
import type { Lease, LeaseRequest, Proxies, ProxyPools } from '../../ports/proxies.ts';
import type { Exit } from './exit.ts';
import {
  CUSTOM_PRICE,
  chooseExit,
  createLease,
  customLease,
  directLease,
  NO_PROXY_LEASE,
  type NoExitReason,
  type OnPoolAttempt,
  type PoolExit,
  poolExitsOf,
  refusalOf,
  servesCountry,
  servesLocation,
  skipMissedTurns,
} from './pool-exits.ts';
import { createSharedLeases } from './shared-leases.ts';
import { type StickySession, StickySessions } from './sticky-sessions.ts';

interface Waiter {
  /** Settles the wait if an exit is available. @returns whether it did */
  readonly tryAgain: () => boolean;
}

/** Requests that wait for an exit, in the order of their arrival. */
class ExitWaitQueue {
  readonly #waiters = new Set<Waiter>();
  #waking = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, in monotonic ms. */
  #timerAt = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves to the result of `attempt` when it is not null, or to the result of `onAborted` when the signal aborts.
   * @param attempt called at each `wake`
   */
  waitFor<T>(signal: AbortSignal, attempt: () => T | null, onAborted: () => T): Promise<T> {
    return waitForCallback(
      signal,
      (settle: (value: T) => void) => {
        const waiter: Waiter = {
          tryAgain() {
            const result = attempt();
            if (result !== null) settle(result);
            return result !== null;
          },
        };
        this.#waiters.add(waiter);
        return () => this.#waiters.delete(waiter);
      },
      onAborted,
    );
  }

  /** Wakes the waiting requests after `ms`, because an exit becomes available then without being released. */
  wakeAfter(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    const onTimer = () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.wake();
    };
    // Timers of Node may fire a little early.
    this.#timer = setTimeout(onTimer, Math.ceil(ms) + 1).unref();
  }

  /** Lets the waiting requests try again, because an exit may have become available. */
  wake(): void {
    // A request may release an exit while it tries again. The loop below, which is running, still reaches the later requests.
    if (this.#waking) return;
    this.#waking = true;
    for (const waiter of [...this.#waiters]) waiter.tryAgain();
    this.#waking = false;
  }
}

interface PooledProxies extends Proxies {
  /** Applies a changed file. Existing leases stay valid. */
  replacePools(pools: Pools): void;
  state(): ProxiesState;
  readonly testExits: ProxyPools['testExits'];
}

interface PooledProxiesDeps {
  readonly pools: Pools;
  /** Whether scrapes may use the direct connection of this host. */
  readonly allowDirect: boolean;
  readonly clock: Clock;
  /** null: there are no other replicas. */
  readonly coordination: Pick<Coordination, 'limits' | 'values'> | null;
  /** Called with the result of each attempt through a proxy of a pool. */
  readonly onAttempt?: OnPoolAttempt;
}

/** Provides exits: from the pools of the operator, the caller's own proxy, or the direct connection of this host. */
export function createProxies({
  pools: initial,
  allowDirect,
  clock,
  coordination,
  onAttempt = () => {},
}: PooledProxiesDeps): PooledProxies {
  let pools = initial;
  let exits: readonly PoolExit[] = [];
  let direct: Lease;
  const sessions = new StickySessions(clock);
  const waitQueue = new ExitWaitQueue();

  const replacePools = (next: Pools) => {
    const previous = new Map<string, Exit>(exits.map(({ exit }) => [exit.key, exit]));
    pools = next;
    exits = next.pools.flatMap((pool) => poolExitsOf(pool, previous));
    direct = directLease(exits.length > 0);
    waitQueue.wake();
  };
  replacePools(initial);

  const suitableExits = (type: ProxyType, proxy: ProxyOptions): readonly PoolExit[] =>
    exits.filter(
      (poolExit) =>
        poolExit.pool.type === type &&
        (proxy.pool === null || poolExit.pool.name === proxy.pool) &&
        servesLocation(poolExit, proxy),
    );

  const onRelease = () => waitQueue.wake();

  /** @returns `full`: all exits that fit and work are at their limit */
  const tryLease = (request: LeaseRequest): Lease | Failure | 'full' => {
    const refused = refusalOf(request.type, request.proxy, { exits, pools, allowDirect });
    if (refused !== null) return refused;
    if (request.type === 'custom') return customLease(request.proxy);
    if (request.type === 'none') return NO_PROXY_LEASE;
    if (!exits.some(({ pool }) => pool.type === request.type)) return direct;
    const { proxy } = request;
    const suitable = suitableExits(request.type, proxy);
    const previous = previousExit(request);
    const now = clock.monotonic();
    const chosen =
      (previous === null ? null : reusableExit(previous, suitable, now)) ?? pickExit(request, suitable, now);
    if (chosen === 'full') {
      // An exit also becomes available when its pause ends, without being released.
      const pauses = suitable.map(({ exit }) => exit.health.waitMs(now)).filter((ms) => ms > 0);
      if (pauses.length > 0) waitQueue.wakeAfter(Math.min(...pauses));
      return 'full';
    }
    if (chosen === 'paused') return exhaustedFailure(suitable, now);
    const reused =
      previous !== null && previous.exitKey === chosen.exit.key && servesCountry(chosen, previous.country);
    const token = reused ? previous.token : newToken();
    const country = proxy.country ?? (reused ? previous.country : null);
    const lease = createLease(chosen, { proxy, token, country, clock, onRelease, onAttempt });
    if (proxy.session !== null && !reused)
      sessions.bind(
        sessionKey(request),
        { exitKey: chosen.exit.key, country: lease.country, token },
        proxy.sessionTtlMs,
      );
    return lease;
  };

  /** The exit to use again, because of the sticky session or `proxy.rotate`; null: choose any exit. */
  const previousExit = (request: LeaseRequest) => {
    const { proxy, used } = request;
    const last = used[used.length - 1];
    if (proxy.rotate === 'on_block' && last?.blocked === true) return null;
    if (proxy.session !== null) return sessions.get(sessionKey(request));
    if (last === undefined || proxy.rotate === 'per_attempt') return null;
    // For the format, see `createLease`.
    const [pool, key, token = '', country = ''] = last.exit.split(' ');
    return { exitKey: `${pool} ${key}`, token, country: country === '' ? null : country };
  };

  const leaseHere = (request: LeaseRequest) => {
    const lease = tryLease(request);
    if (lease !== 'full') return lease;
    return waitQueue.waitFor(
      request.signal,
      () => {
        const result = tryLease(request);
        return result === 'full' ? null : result;
      },
      () => waitFailure(request.signal),
    );
  };

  /** How many attempts the exit of a lease may have at once; null: any number. */
  const concurrencyOf = (lease: Lease): number | null => {
    const key = lease.exit.split(' ', 2).join(' ');
    return exits.find(({ exit }) => exit.key === key)?.pool.concurrency ?? null;
  };

  const leaseShared =
    coordination === null
      ? null
      : createSharedLeases({
          coordination,
          sessions,
          sessionKey: (request) => (request.proxy.session === null ? null : sessionKey(request)),
          concurrencyOf,
          leaseHere,
          waitFailure,
        });

  return {
    refusal: (type, proxy) => refusalOf(type, proxy, { exits, pools, allowDirect }),
    price(type, proxy) {
      if (type === 'custom') return CUSTOM_PRICE;
      if (type === 'none' || !exits.some(({ pool }) => pool.type === type)) return 'direct';
      return highestPrice(new Set(suitableExits(type, proxy).map(({ pool }) => pool.price)));
    },
    directWarnings: () => direct.warnings,
    lease: leaseShared ?? leaseHere,
    replacePools,
    testExits(name, limit) {
      const ofPool = exits.filter(({ pool }) => pool.name === name);
      const [first] = ofPool;
      if (first === undefined) return null;
      const isByCountry = first.pool.template?.placeholders.has('country') === true;
      const { countries } = first.pool;
      const chosen: readonly (readonly [PoolExit, string | null])[] =
        isByCountry && countries.length > 0
          ? countries.map((country) => [first, country])
          : ofPool.map((poolExit) => [poolExit, poolExit.country]);
      return chosen.slice(0, limit).map(([poolExit, country]) => ({
        server: poolExit.exit.name,
        country,
        lease: () =>
          createLease(poolExit, {
            proxy: DEFAULT_PROXY_OPTIONS,
            token: newToken(),
            country,
            clock,
            onRelease,
            onAttempt,
          }),
      }));
    },
    state: () => ({
      allowNone: pools.allowNone,
      allowDirect,
      waiting: waitQueue.size,
      sessions: sessions.size,
      pools: pools.pools.map((pool) => ({
        name: pool.name,
        type: pool.type,
        isTemplate: pool.template !== null,
        countries: pool.countries,
        price: pool.price,
        concurrency: pool.concurrency,
        exits: exits
          .filter((poolExit) => poolExit.pool === pool)
          .map(({ exit, country }) => exit.state(country, pool.price, clock.monotonic())),
      })),
    }),
  };
}

/** A value for `{session}`. */
const newToken = (): string => randomBytes(6).toString('hex');

function highestPrice(prices: ReadonlySet<ExitPrice | null>): ExitPrice | null {
  let [perRequest, perGb] = [0, 0];
  for (const price of prices) {
    if (price === null) return null;
    perRequest = Math.max(perRequest, price.perRequest);
    perGb = Math.max(perGb, price.perGb);
  }
  return { perRequest, perGb };
}

/** The exit that was used before; `full`: wait for it; null: it was removed or is failing, so choose another one. */
function reusableExit(
  { exitKey, country }: Pick<StickySession, 'exitKey' | 'country'>,
  suitable: readonly PoolExit[],
  now: number,
): PoolExit | 'full' | null {
  const found = suitable.find(({ exit }) => exit.key === exitKey);
  if (found === undefined || !found.exit.health.isUsable(now) || !servesCountry(found, country)) return null;
  const { concurrency } = found.pool;
  return concurrency !== null && found.exit.inFlight >= concurrency ? 'full' : found;
}

/** Chooses an exit, if possible one that no earlier attempt of the request has used. */
function pickExit(
  { used }: LeaseRequest,
  suitable: readonly PoolExit[],
  now: number,
): PoolExit | NoExitReason {
  // `Lease.exit` begins with `Exit.key`, which has two parts.
  const usedKeys = new Set(used.map(({ exit }) => exit.split(' ', 2).join(' ')));
  const chosen = chooseExit(
    suitable,
    now,
    // A template (`upstream` null) leads to another address with each session, so it can be used again.
    ({ exit, upstream }) => upstream !== null && usedKeys.has(exit.key),
  );
  if (typeof chosen === 'object') skipMissedTurns(chosen, suitable, now);
  return chosen;
}

/** Identifies a sticky session of a user with these proxy options. A hash, so that the memory holds no names of sessions. */
function sessionKey({ userId, type, proxy }: LeaseRequest): string {
  const { pool, country, region, city, session } = proxy;
  const text = JSON.stringify([userId, type, pool, country, region, city, session]);
  return createHash('sha256').update(text).digest('base64url');
}

function exhaustedFailure(suitable: readonly PoolExit[], now: number): Failure {
  const waitMs = Math.min(...suitable.map(({ exit }) => exit.health.waitMs(now)));
  return failure('proxy.failed', 'All proxies that fit the request are failing at the moment.', {
    details: { reason: 'exhausted', retry_in_ms: Math.ceil(waitMs) },
  });
}

/** Contract §8 (e): the deadline expired while the request waited for an exit. */
function waitFailure({ reason }: AbortSignal): Failure {
  return reason === CLIENT_DISCONNECTED
    ? failure('request.cancelled', 'The client disconnected.')
    : failure('service.unavailable', 'The request timed out while it waited for a proxy.');
}
