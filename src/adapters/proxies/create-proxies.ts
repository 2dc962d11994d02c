import { createHash, randomBytes } from 'node:crypto';
import { SHUTDOWN } from '../../base/abort-reasons.ts';
import type { Clock } from '../../base/clock.ts';
import { DEADLINE } from '../../base/deadline.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { ProxyType } from '../../domain/job.ts';
import type { Pools } from '../../domain/pools.ts';
import type { ProxiesState } from '../../domain/pools-state.ts';
import type { ExitPrice } from '../../domain/prices.ts';
import type { ProxyAsk } from '../../domain/proxy-ask.ts';
import type { Lease, LeaseAsk, Proxies } from '../../ports/proxies.ts';
import { catchUp, chooseExit, type None } from './choose-exit.ts';
import type { Exit } from './exit.ts';
import { leaseOf } from './lease-of.ts';
import { CUSTOM_PRICE, customLease, DIRECT, NO_PROXY } from './own-exits.ts';
import { type Placed, placesOf, serves, servesCountry } from './places.ts';
import { refusalOf } from './refusal.ts';
import { type Bound, Sessions } from './sessions.ts';
import { Waiting } from './waiting.ts';

export interface PooledProxies extends Proxies {
  /** Another file counts from now on; leases that are out stay good. */
  replace(pools: Pools): void;
  state(): ProxiesState;
}

export interface PooledParts {
  readonly pools: Pools;
  /** Whether scrapes may leave from the own address of this host. */
  readonly allowDirect: boolean;
  readonly clock: Clock;
}

/** The exits: pools of the operator's, the caller's own proxy, or this host's own connection. */
export function createProxies({ pools: first, allowDirect, clock }: PooledParts): PooledProxies {
  let pools = first;
  let places: readonly Placed[] = [];
  const sessions = new Sessions(clock);
  const waiting = new Waiting();

  const replace = (next: Pools) => {
    const before = new Map<string, Exit>(places.map(({ exit }) => [exit.key, exit]));
    pools = next;
    places = next.pools.flatMap((pool) => placesOf(pool, before));
    waiting.wake();
  };
  replace(first);

  const fitting = (type: ProxyType, proxy: ProxyAsk): readonly Placed[] =>
    places.filter(
      (place) =>
        place.pool.type === type &&
        (proxy.pool === null || place.pool.name === proxy.pool) &&
        serves(place, proxy),
    );

  const tryLease = (ask: LeaseAsk): Lease | Failure | 'full' => {
    const refused = refusalOf(ask.type, ask.proxy, { places, pools, allowDirect });
    if (refused !== null) return refused;
    if (ask.type === 'custom') return customLease(ask.proxy);
    if (ask.type === 'none') return NO_PROXY;
    if (!places.some(({ pool }) => pool.type === ask.type)) return DIRECT;
    const { proxy } = ask;
    const fit = fitting(ask.type, proxy);
    const kept = keptOf(ask);
    const now = clock.monotonic();
    const chosen = (kept === null ? null : stillGood(kept, fit, now)) ?? pick(ask, fit, now);
    if (chosen === 'full') {
      // An exit whose pause ends is free, though nobody gives it back.
      const pauses = fit.map(({ exit }) => exit.health.waitMs(now)).filter((ms) => ms > 0);
      if (pauses.length > 0) waiting.wakeIn(Math.min(...pauses));
      return 'full';
    }
    if (chosen === 'cooling') return exhausted(fit, now);
    const stays = kept !== null && kept.exitKey === chosen.exit.key && servesCountry(chosen, kept.country);
    const token = stays ? kept.token : randomBytes(6).toString('hex');
    const country = proxy.country ?? (stays ? kept.country : null);
    const lease = leaseOf(chosen, { ask, token, country, clock, onEnd: () => waiting.wake() });
    if (proxy.session !== null && !stays)
      sessions.bind(
        sessionKey(ask),
        { exitKey: chosen.exit.key, country: lease.country, token },
        proxy.sessionTtlMs,
      );
    return lease;
  };

  /** What the session, or the way of rotating, holds on to. */
  const keptOf = (ask: LeaseAsk) => {
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
    refusal: (type, proxy) => refusalOf(type, proxy, { places, pools, allowDirect }),
    price(type, proxy) {
      if (type === 'custom') return CUSTOM_PRICE;
      if (type === 'none' || !places.some(({ pool }) => pool.type === type)) return 'direct';
      return dearest(new Set(fitting(type, proxy).map(({ pool }) => pool.price)));
    },
    lease(ask) {
      const lease = tryLease(ask);
      if (lease !== 'full') return lease;
      return waiting.until(
        ask.signal,
        () => {
          const again = tryLease(ask);
          return again === 'full' ? null : again;
        },
        () => gaveUp(ask.signal),
      );
    },
    replace,
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
        exits: places
          .filter((place) => place.pool === pool)
          .map(({ exit, country }) => exit.state(country, pool.price, clock.monotonic())),
      })),
    }),
  };
}

function dearest(prices: ReadonlySet<ExitPrice | null>): ExitPrice | null {
  let [perRequest, perGb] = [0, 0];
  for (const price of prices) {
    if (price === null) return null;
    perRequest = Math.max(perRequest, price.perRequest);
    perGb = Math.max(perGb, price.perGb);
  }
  return { perRequest, perGb };
}

/** The exit that is held on to, unless it is gone or out of order: then the session moves. */
function stillGood(
  { exitKey, country }: Pick<Bound, 'exitKey' | 'country'>,
  fit: readonly Placed[],
  now: number,
): Placed | 'full' | null {
  const place = fit.find(({ exit }) => exit.key === exitKey);
  if (place === undefined || !place.exit.health.usable(now) || !servesCountry(place, country)) return null;
  const { concurrency } = place.pool;
  return concurrency !== null && place.exit.inFlight >= concurrency ? 'full' : place;
}

function pick({ used }: LeaseAsk, fit: readonly Placed[], now: number): Placed | None {
  const known = new Set(used.map(({ exit }) => exit.split(' ', 2).join(' ')));
  const chosen = chooseExit(fit, now, ({ exit, upstream }) => upstream !== null && known.has(exit.key));
  if (typeof chosen === 'object') catchUp(chosen, fit, now);
  return chosen;
}

/** A user's, within what else is asked for; nothing of it can be read. */
function sessionKey({ userId, type, proxy }: LeaseAsk): string {
  const { pool, country, region, city, session } = proxy;
  const text = JSON.stringify([userId, type, pool, country, region, city, session]);
  return createHash('sha256').update(text).digest('base64url');
}

function exhausted(fit: readonly Placed[], now: number): Failure {
  const waitMs = Math.min(...fit.map(({ exit }) => exit.health.waitMs(now)));
  return failure('proxy.failed', 'All proxies that fit the request are failing at the moment.', {
    details: { reason: 'exhausted', retry_in_ms: Math.ceil(waitMs) },
  });
}

/** Contract §8 (e): the time went into waiting for a place. */
function gaveUp({ reason }: AbortSignal): Failure {
  return reason === DEADLINE || reason === SHUTDOWN
    ? failure('service.unavailable', 'The request timed out while it waited for a proxy.')
    : failure('request.cancelled', 'The client disconnected.');
}
