import { createHash, randomBytes } from 'node:crypto';
import { type Clock, DEADLINE_EXCEEDED, SHUTDOWN } from '../../base/time.ts';
import { waitForCallback } from '../../base/wait.ts';
import type { ExitPrice } from '../../domain/cost.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { ProxyType } from '../../domain/job.ts';
import type { Pools, ProxiesState } from '../../domain/pools.ts';
import type { ProxyOptions } from '../../domain/proxy.ts';
import type { Lease, LeaseRequest, Proxies } from '../../ports/proxies.ts';
import type { Exit } from './exit.ts';
import {
  CUSTOM_PRICE,
  chooseExit,
  createLease,
  customLease,
  DIRECT_LEASE,
  NO_PROXY_LEASE,
  type NoExitReason,
  type PoolExit,
  poolExitsOf,
  refusalOf,
  servesCountry,
  servesLocation,
  skipMissedTurns,
} from './pool-exits.ts';
import { type StickySession, StickySessions } from './sticky-sessions.ts';

interface Waiter {
  /** Settles the wait if it can; tells whether it did. */
  readonly retry: () => boolean;
}

/** Those who wait for an exit, in the order they came. */
class ExitWaitQueue {
  readonly #waiters = new Set<Waiter>();
  #waking = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires; monotonic ms. */
  #timerAt = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#waiters.size;
  }

  /** @param look gives what was waited for; null: there is none yet. @param late what the wait comes to when it is given up */
  waitFor<T>(signal: AbortSignal, look: () => T | null, late: () => T): Promise<T> {
    return waitForCallback(
      signal,
      (settle: (value: T) => void) => {
        const waiter: Waiter = {
          retry() {
            const found = look();
            if (found !== null) settle(found);
            return found !== null;
          },
        };
        this.#waiters.add(waiter);
        return () => this.#waiters.delete(waiter);
      },
      late,
    );
  }

  /** Something becomes free by itself, in so many ms. */
  wakeAfter(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    const ring = () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.wake();
    };
    // Timers of Node may ring a little early.
    this.#timer = setTimeout(ring, Math.ceil(ms) + 1).unref();
  }

  /** Something has become free. */
  wake(): void {
    if (this.#waking) return;
    this.#waking = true;
    for (const waiter of [...this.#waiters]) waiter.retry();
    this.#waking = false;
  }
}

interface PooledProxies extends Proxies {
  /** Another file counts from now on; leases that are out stay good. */
  replacePools(pools: Pools): void;
  state(): ProxiesState;
}

interface PooledProxiesDeps {
  readonly pools: Pools;
  /** Whether scrapes may leave from the own address of this host. */
  readonly allowDirect: boolean;
  readonly clock: Clock;
}

/** The exits: pools of the operator's, the caller's own proxy, or this host's own connection. */
export function createProxies({ pools: first, allowDirect, clock }: PooledProxiesDeps): PooledProxies {
  let pools = first;
  let exits: readonly PoolExit[] = [];
  const sessions = new StickySessions(clock);
  const waiting = new ExitWaitQueue();

  const replacePools = (next: Pools) => {
    const before = new Map<string, Exit>(exits.map(({ exit }) => [exit.key, exit]));
    pools = next;
    exits = next.pools.flatMap((pool) => poolExitsOf(pool, before));
    waiting.wake();
  };
  replacePools(first);

  const fitting = (type: ProxyType, proxy: ProxyOptions): readonly PoolExit[] =>
    exits.filter(
      (place) =>
        place.pool.type === type &&
        (proxy.pool === null || place.pool.name === proxy.pool) &&
        servesLocation(place, proxy),
    );

  const tryLease = (request: LeaseRequest): Lease | Failure | 'full' => {
    const refused = refusalOf(request.type, request.proxy, { exits, pools, allowDirect });
    if (refused !== null) return refused;
    if (request.type === 'custom') return customLease(request.proxy);
    if (request.type === 'none') return NO_PROXY_LEASE;
    if (!exits.some(({ pool }) => pool.type === request.type)) return DIRECT_LEASE;
    const { proxy } = request;
    const fit = fitting(request.type, proxy);
    const kept = keptOf(request);
    const now = clock.monotonic();
    const chosen = (kept === null ? null : reusableExit(kept, fit, now)) ?? pickExit(request, fit, now);
    if (chosen === 'full') {
      // An exit whose pause ends is free, though nobody gives it back.
      const pauses = fit.map(({ exit }) => exit.health.waitMs(now)).filter((ms) => ms > 0);
      if (pauses.length > 0) waiting.wakeAfter(Math.min(...pauses));
      return 'full';
    }
    if (chosen === 'cooling') return exhaustedFailure(fit, now);
    const stays = kept !== null && kept.exitKey === chosen.exit.key && servesCountry(chosen, kept.country);
    const token = stays ? kept.token : randomBytes(6).toString('hex');
    const country = proxy.country ?? (stays ? kept.country : null);
    const lease = createLease(chosen, { request, token, country, clock, onRelease: () => waiting.wake() });
    if (proxy.session !== null && !stays)
      sessions.bind(
        sessionKey(request),
        { exitKey: chosen.exit.key, country: lease.country, token },
        proxy.sessionTtlMs,
      );
    return lease;
  };

  /** What the session, or the way of rotating, holds on to. */
  const keptOf = (ask: LeaseRequest) => {
    const { proxy, used } = ask;
    const last = used[used.length - 1];
    const leaves = proxy.rotate === 'on_block' && last?.blocked === true;
    if (leaves) return null;
    if (proxy.session !== null) return sessions.get(sessionKey(ask));
    if (last === undefined || proxy.rotate === 'per_attempt') return null;
    const [pool, key, token = '', country = ''] = last.exit.split(' ');
    return { exitKey: `${pool} ${key}`, token, country: country === '' ? null : country };
  };

  return {
    refusal: (type, proxy) => refusalOf(type, proxy, { exits, pools, allowDirect }),
    price(type, proxy) {
      if (type === 'custom') return CUSTOM_PRICE;
      if (type === 'none' || !exits.some(({ pool }) => pool.type === type)) return 'direct';
      return highestPrice(new Set(fitting(type, proxy).map(({ pool }) => pool.price)));
    },
    lease(ask) {
      const lease = tryLease(ask);
      if (lease !== 'full') return lease;
      return waiting.waitFor(
        ask.signal,
        () => {
          const again = tryLease(ask);
          return again === 'full' ? null : again;
        },
        () => waitFailure(ask.signal),
      );
    },
    replacePools,
    state: () => ({
      allowNone: pools.allowNone,
      allowDirect,
      waiting: waiting.size,
      sessions: sessions.size,
      pools: pools.pools.map((pool) => ({
        name: pool.name,
        type: pool.type,
        isTemplate: pool.template !== null,
        countries: pool.countries,
        price: pool.price,
        concurrency: pool.concurrency,
        exits: exits
          .filter((place) => place.pool === pool)
          .map(({ exit, country }) => exit.state(country, pool.price, clock.monotonic())),
      })),
    }),
  };
}

function highestPrice(prices: ReadonlySet<ExitPrice | null>): ExitPrice | null {
  let [perRequest, perGb] = [0, 0];
  for (const price of prices) {
    if (price === null) return null;
    perRequest = Math.max(perRequest, price.perRequest);
    perGb = Math.max(perGb, price.perGb);
  }
  return { perRequest, perGb };
}

/** The exit that is held on to, unless it is gone or out of order: then the session moves. */
function reusableExit(
  { exitKey, country }: Pick<StickySession, 'exitKey' | 'country'>,
  fit: readonly PoolExit[],
  now: number,
): PoolExit | 'full' | null {
  const place = fit.find(({ exit }) => exit.key === exitKey);
  if (place === undefined || !place.exit.health.isUsable(now) || !servesCountry(place, country)) return null;
  const { concurrency } = place.pool;
  return concurrency !== null && place.exit.inFlight >= concurrency ? 'full' : place;
}

function pickExit({ used }: LeaseRequest, fit: readonly PoolExit[], now: number): PoolExit | NoExitReason {
  const known = new Set(used.map(({ exit }) => exit.split(' ', 2).join(' ')));
  const chosen = chooseExit(fit, now, ({ exit, upstream }) => upstream !== null && known.has(exit.key));
  if (typeof chosen === 'object') skipMissedTurns(chosen, fit, now);
  return chosen;
}

/** A user's, within what else is asked for; nothing of it can be read. */
function sessionKey({ userId, type, proxy }: LeaseRequest): string {
  const { pool, country, region, city, session } = proxy;
  const text = JSON.stringify([userId, type, pool, country, region, city, session]);
  return createHash('sha256').update(text).digest('base64url');
}

function exhaustedFailure(fit: readonly PoolExit[], now: number): Failure {
  const waitMs = Math.min(...fit.map(({ exit }) => exit.health.waitMs(now)));
  return failure('proxy.failed', 'All proxies that fit the request are failing at the moment.', {
    details: { reason: 'exhausted', retry_in_ms: Math.ceil(waitMs) },
  });
}

/** Contract §8 (e): the time went into waiting for a place. */
function waitFailure({ reason }: AbortSignal): Failure {
  return reason === DEADLINE_EXCEEDED || reason === SHUTDOWN
    ? failure('service.unavailable', 'The request timed out while it waited for a proxy.')
    : failure('request.cancelled', 'The client disconnected.');
}
