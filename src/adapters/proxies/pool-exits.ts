import { createHash } from 'node:crypto';
import type { Clock } from '../../base/time.ts';
import type { ExitPrice } from '../../domain/cost.ts';
import { type Failure, type FailureCode, failure, WARNINGS } from '../../domain/failure.ts';
import type { ProxyType } from '../../domain/job.ts';
import type { Pool, PoolServer, Pools } from '../../domain/pools.ts';
import type { ProxyOptions, Upstream } from '../../domain/proxy.ts';
import type { Lease, LeaseRequest } from '../../ports/proxies.ts';
import { Exit } from './exit.ts';

const NO_CALLBACKS = { report: () => {}, release: () => {} };

/** This host's own connection, because there is no pool. */
export const DIRECT_LEASE: Lease = Object.freeze({
  proxyType: 'datacenter',
  country: null,
  exit: 'direct',
  upstream: null,
  price: null,
  warnings: [{ code: 'proxy.direct', message: WARNINGS['proxy.direct'] }] as const,
  ...NO_CALLBACKS,
});

/** This host's own connection, because the caller wants no proxy. */
export const NO_PROXY_LEASE: Lease = Object.freeze({ ...DIRECT_LEASE, proxyType: 'none', warnings: [] });

/** What the exits of a caller take is the caller's. */
export const CUSTOM_PRICE: ExitPrice = Object.freeze({ perRequest: 0, perGb: 0 });

/** The proxy that the caller brought. Its bytes are not ours to pay. */
export function customLease({ server, bypass }: ProxyOptions): Lease {
  const upstream = { ...server!, bypass };
  return {
    proxyType: 'custom',
    country: null,
    exit: `custom ${exitKey(upstream)}`,
    upstream,
    price: CUSTOM_PRICE,
    warnings: [],
    ...NO_CALLBACKS,
  };
}

/** Tells servers apart, and credentials of one server; nothing can be learned from it. */
function exitKey({ kind, host, port, credentials, bypass }: Upstream): string {
  const secret = credentials?.read() ?? null;
  const text = JSON.stringify([kind, host, port, secret?.username, secret?.password, bypass]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** An exit in its pool. */
export interface PoolExit {
  readonly exit: Exit;
  readonly pool: Pool;
  /** Where it is; of a gate, where that is not chosen. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  /** null: it is a gate, whose exits are made by its template. */
  readonly upstream: Upstream | null;
}

const SAMPLE_VALUES = { country: 'XX', region: null, city: null, session: '0' };

/** The exits of a pool; those that were there before keep their health. */
export function poolExitsOf(pool: Pool, before: ReadonlyMap<string, Exit>): readonly PoolExit[] {
  const exitOf = (key: string, server: PoolServer) => before.get(key) ?? new Exit(key, server);
  if (pool.template !== null) {
    const upstream = upstreamOf(pool.template.server(SAMPLE_VALUES));
    const country = pool.countries.length === 1 ? pool.countries[0]! : null;
    const key = `${pool.name} ${exitKey(upstream)}`;
    return [{ exit: exitOf(key, upstream), pool, country, region: null, city: null, upstream: null }];
  }
  return pool.proxies.map(({ server, country, region, city }) => {
    const upstream = upstreamOf(server);
    return {
      exit: exitOf(`${pool.name} ${exitKey(upstream)}`, upstream),
      pool,
      country,
      region,
      city,
      upstream,
    };
  });
}

function upstreamOf(server: Omit<Upstream, 'judged' | 'bypass'>): Upstream {
  return { ...server, judged: false, bypass: [] };
}

/** Whether an exit is, or can be put, where the caller wants to go out. */
export function servesLocation(
  place: PoolExit,
  ask: Pick<ProxyOptions, 'country' | 'region' | 'city'>,
): boolean {
  return (
    servesCountry(place, ask.country) &&
    servesRegionOrCity(place, 'region', ask.region) &&
    servesRegionOrCity(place, 'city', ask.city)
  );
}

export function servesCountry({ pool, country: own }: PoolExit, country: string | null): boolean {
  if (country === null || own === country) return true;
  if (pool.template?.takes.has('country') !== true) return false;
  return pool.countries.length === 0 || pool.countries.includes(country);
}

function servesRegionOrCity(place: PoolExit, what: 'region' | 'city', wanted: string | null): boolean {
  if (wanted === null) return true;
  if (place.pool.template !== null) return place.pool.template.takes.has(what);
  return place[what]?.toLowerCase() === wanted.toLowerCase();
}

/** Why none of them can be taken now. */
export type NoExitReason = 'cooling' | 'full';

/**
 * The healthy exit with the least under way, of those the least used; the first of equals. Exits to avoid are taken when
 * there is no other.
 */
export function chooseExit(
  places: readonly PoolExit[],
  now: number,
  avoid: (place: PoolExit) => boolean,
): PoolExit | NoExitReason {
  let best: PoolExit | null = null;
  let avoided: PoolExit | null = null;
  let full = false;
  for (const place of places) {
    const { exit, pool } = place;
    if (!exit.health.isUsable(now)) continue;
    if (pool.concurrency !== null && exit.inFlight >= pool.concurrency) full = true;
    else if (avoid(place)) avoided = lessUsed(place, avoided);
    else best = lessUsed(place, best);
  }
  return best ?? avoided ?? (full ? 'full' : 'cooling');
}

function lessUsed(one: PoolExit, other: PoolExit | null): PoolExit {
  if (other === null) return one;
  const [a, b] = [one.exit, other.exit];
  if (a.inFlight !== b.inFlight) return a.inFlight < b.inFlight ? one : other;
  return a.uses < b.uses ? one : other;
}

/** One that was away has missed its turns: they are not made up for. */
export function skipMissedTurns(chosen: PoolExit, places: readonly PoolExit[], now: number): void {
  let least = Number.POSITIVE_INFINITY;
  for (const { exit } of places)
    if (exit !== chosen.exit && exit.health.state(now) === 'healthy') least = Math.min(least, exit.uses);
  if (Number.isFinite(least) && chosen.exit.uses < least - 1) chosen.exit.uses = least;
}

interface LeaseOptions {
  readonly request: LeaseRequest;
  /** Of the session at a provider. */
  readonly token: string;
  /** That is asked for, or held on to. */
  readonly country: string | null;
  readonly clock: Clock;
  readonly onRelease: () => void;
}

/** Takes an exit for one attempt. */
export function createLease(
  place: PoolExit,
  { request, token, country, clock, onRelease }: LeaseOptions,
): Lease {
  const { exit, pool } = place;
  const { proxy } = request;
  const where = place.country ?? country ?? rotatedCountry(place);
  const probe = exit.health.beginAttempt();
  exit.inFlight++;
  exit.uses++;
  const { template } = pool;
  // Where the template has no session, all that go to the same place may share connections.
  const own = template?.takes.has('session') ? token : '';
  const spot = [where ?? '', proxy.region ?? '', proxy.city ?? ''].map(encodeURIComponent).join(' ');
  // Connections past the proxy are not those of whoever wants it for all.
  const around = proxy.bypass.length === 0 ? '' : bypassKey(proxy.bypass);
  const server =
    place.upstream ??
    upstreamOf(template!.server({ country: where, region: proxy.region, city: proxy.city, session: token }));
  let out = true;
  return {
    proxyType: pool.type,
    country: where,
    exit: template === null && around === '' ? exit.key : `${exit.key} ${own} ${spot} ${around}`,
    upstream: proxy.bypass.length === 0 ? server : { ...server, bypass: proxy.bypass },
    price: pool.price,
    warnings: [],
    report: (of) => exit.report(of, pool.price, clock.monotonic()),
    release() {
      if (!out) return;
      out = false;
      exit.inFlight--;
      exit.health.endAttempt(probe);
      onRelease();
    },
  };
}

/** Where a provider's exit is taken when the caller does not say: the countries of the pool take turns. */
function rotatedCountry({ exit, pool }: PoolExit): string | null {
  if (pool.template?.takes.has('country') !== true || pool.countries.length === 0) return null;
  return pool.countries[exit.uses % pool.countries.length]!;
}

function bypassKey(patterns: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(patterns)).digest('base64url').slice(0, 22);
}

interface ExitInventory {
  readonly exits: readonly PoolExit[];
  readonly pools: Pools;
  readonly allowDirect: boolean;
}

/** Why this can never be had here (422); null: it can. What is out of order or busy now is no reason. */
export function refusalOf(type: ProxyType, proxy: ProxyOptions, exits: ExitInventory): Failure | null {
  const { exits: places, pools, allowDirect } = exits;
  if (proxy.bypass.length > 0 && !allowDirect)
    return proxyFailure(
      'proxy.forbidden',
      'The operator does not allow connections without a proxy.',
      'bypass',
    );
  if (type === 'custom') return null;
  if (type === 'none')
    return pools.allowNone && allowDirect
      ? null
      : proxyFailure('proxy.forbidden', 'The operator does not allow the proxy type "none" here.');
  if (proxy.pool !== null) {
    const named = pools.pools.find(({ name }) => name === proxy.pool);
    if (named === undefined)
      return proxyFailure('proxy.pool_unconfigured', 'There is no pool of this name.', 'pool');
    if (named.type !== type)
      return proxyFailure(
        'proxy.pool_unconfigured',
        `The pool is of the type "${named.type}", not "${type}".`,
        'pool',
      );
  }
  const ofType = places.filter(
    ({ pool }) => pool.type === type && (proxy.pool === null || pool.name === proxy.pool),
  );
  if (ofType.length === 0 && (type !== 'datacenter' || !allowDirect))
    return proxyFailure('proxy.pool_unconfigured', `No pool of the proxy type "${type}" is configured.`);
  return locationRefusal(type, proxy, ofType);
}

function locationRefusal(type: ProxyType, proxy: ProxyOptions, ofType: readonly PoolExit[]): Failure | null {
  const { country, region, city } = proxy;
  if (country === null && region === null && city === null) return null;
  if (ofType.some((place) => servesLocation(place, proxy))) return null;
  const there = ofType.filter((place) => servesCountry(place, country));
  const what = there.length === 0 && country !== null ? 'country' : region !== null ? 'region' : 'city';
  return proxyFailure(
    'proxy.country_unavailable',
    `No pool of the proxy type "${type}" serves this ${what}.`,
    what,
  );
}

function proxyFailure(code: FailureCode, message: string, member?: string): Failure {
  return failure(code, message, { pointer: member === undefined ? '/proxy' : `/proxy/${member}` });
}
