import { createHash } from 'node:crypto';
import type { Clock } from '../../base/time.ts';
import type { ExitPrice } from '../../domain/cost.ts';
import { type Failure, type FailureCode, failure, type Warning } from '../../domain/failure.ts';
import type { Pool, PoolServer, Pools } from '../../domain/pools.ts';
import type { ProxyOptions, Upstream } from '../../domain/proxy.ts';
import type { ProxyType } from '../../domain/task.ts';
import type { Lease } from '../../ports/proxies.ts';
import { Exit, type ExitResult } from './exit.ts';

/** For leases that need no statistics of an exit. */
const NO_CALLBACKS = { report: () => {}, release: () => {} };

/** The direct connection of this host, because no pool has proxies of the type. @param hasPools there are pools of other types */
export function directLease(hasPools: boolean): Lease {
  const missing = hasPools ? 'datacenter proxy' : 'proxy';
  const message = `No ${missing} is configured, so this request uses the server's own IP address.`;
  const warnings: readonly Warning[] = [{ code: 'proxy.direct', message }];
  return { ...NO_PROXY_LEASE, proxyType: 'datacenter', warnings };
}

/** The direct connection of this host, because the caller wants no proxy. */
export const NO_PROXY_LEASE: Lease = Object.freeze({
  proxyType: 'none',
  country: null,
  exit: 'direct',
  upstream: null,
  price: null,
  warnings: [],
  ...NO_CALLBACKS,
});

/** The caller pays for their own proxy. */
export const CUSTOM_PRICE: ExitPrice = Object.freeze({ perRequest: 0, perGb: 0 });

/** A lease of the caller's own proxy. */
export function customLease({ server, bypass }: ProxyOptions): Lease {
  const upstream = { ...server!, bypass };
  return {
    proxyType: 'custom',
    country: null,
    exit: `custom ${serverHash(upstream)}`,
    upstream,
    price: CUSTOM_PRICE,
    warnings: [],
    ...NO_CALLBACKS,
  };
}

/** A different text for each server and credentials. A hash, so that it reveals neither. */
function serverHash({ kind, host, port, credentials, bypass }: Upstream): string {
  const secret = credentials?.read() ?? null;
  const text = JSON.stringify([kind, host, port, secret?.username, secret?.password, bypass]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** An exit with its pool and location. */
export interface PoolExit {
  readonly exit: Exit;
  readonly pool: Pool;
  /** null: not known, or chosen by the template. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  /** null: made from the template for each lease. */
  readonly upstream: Upstream | null;
}

/** Values for a template, to find out its server, and to tell templates with other credentials apart. */
const SAMPLE_VALUES = { country: 'XX', region: null, city: null, session: '0' };

/** The exits of a pool. Exits that existed before keep their health. */
export function poolExitsOf(pool: Pool, previous: ReadonlyMap<string, Exit>): readonly PoolExit[] {
  const exitOf = (key: string, server: PoolServer) => previous.get(key) ?? new Exit(key, server);
  if (pool.template !== null) {
    const upstream = upstreamOf(pool.template.server(SAMPLE_VALUES));
    const country = pool.countries.length === 1 ? pool.countries[0]! : null;
    const key = `${pool.name} ${serverHash(upstream)}`;
    return [{ exit: exitOf(key, upstream), pool, country, region: null, city: null, upstream: null }];
  }
  return pool.proxies.map(({ server, country, region, city }) => {
    const upstream = upstreamOf(server);
    return {
      exit: exitOf(`${pool.name} ${serverHash(upstream)}`, upstream),
      pool,
      country,
      region,
      city,
      upstream,
    };
  });
}

/** The address policy does not apply: the operator has configured the proxy. */
function upstreamOf(server: Omit<Upstream, 'checkAddress' | 'bypass'>): Upstream {
  return { ...server, checkAddress: false, bypass: [] };
}

/** Whether an exit is at this location, or its template can choose the location. */
export function servesLocation(
  poolExit: PoolExit,
  location: Pick<ProxyOptions, 'country' | 'region' | 'city'>,
): boolean {
  return (
    servesCountry(poolExit, location.country) &&
    servesRegionOrCity(poolExit, 'region', location.region) &&
    servesRegionOrCity(poolExit, 'city', location.city)
  );
}

export function servesCountry({ pool, country: exitCountry }: PoolExit, country: string | null): boolean {
  if (country === null || exitCountry === country) return true;
  if (pool.template?.placeholders.has('country') !== true) return false;
  return pool.countries.length === 0 || pool.countries.includes(country);
}

function servesRegionOrCity(poolExit: PoolExit, member: 'region' | 'city', wanted: string | null): boolean {
  if (wanted === null) return true;
  if (poolExit.pool.template !== null) return poolExit.pool.template.placeholders.has(member);
  return poolExit[member]?.toLowerCase() === wanted.toLowerCase();
}

/** Why no exit is available now. `paused`: all pause after failures. `full`: all others are at their limit. */
export type NoExitReason = 'paused' | 'full';

/**
 * Chooses the usable exit with the fewest attempts in flight; among equals the least used one, then the first. Exits that
 * `avoid` accepts are chosen only if there is no other.
 */
export function chooseExit(
  poolExits: readonly PoolExit[],
  now: number,
  avoid: (poolExit: PoolExit) => boolean,
): PoolExit | NoExitReason {
  let best: PoolExit | null = null;
  let bestAvoided: PoolExit | null = null;
  let full = false;
  for (const poolExit of poolExits) {
    const { exit, pool } = poolExit;
    if (!exit.health.isUsable(now)) continue;
    if (pool.concurrency !== null && exit.inFlight >= pool.concurrency) full = true;
    else if (avoid(poolExit)) bestAvoided = lessUsed(poolExit, bestAvoided);
    else best = lessUsed(poolExit, best);
  }
  return best ?? bestAvoided ?? (full ? 'full' : 'paused');
}

function lessUsed(candidate: PoolExit, best: PoolExit | null): PoolExit {
  if (best === null) return candidate;
  const [a, b] = [candidate.exit, best.exit];
  if (a.inFlight !== b.inFlight) return a.inFlight < b.inFlight ? candidate : best;
  return a.uses < b.uses ? candidate : best;
}

/**
 * Raises `uses` of an exit that was paused to that of the others. Otherwise it would get all attempts until it has caught up.
 */
export function skipMissedTurns(chosen: PoolExit, poolExits: readonly PoolExit[], now: number): void {
  let fewestUses = Number.POSITIVE_INFINITY;
  for (const { exit } of poolExits)
    if (exit !== chosen.exit && exit.health.state(now) === 'healthy')
      fewestUses = Math.min(fewestUses, exit.uses);
  if (Number.isFinite(fewestUses) && chosen.exit.uses < fewestUses - 1) chosen.exit.uses = fewestUses;
}

/** @param pool its name */
export type OnPoolAttempt = (pool: string, result: ExitResult) => void;

interface LeaseOptions {
  readonly proxy: Pick<ProxyOptions, 'region' | 'city' | 'bypass'>;
  /** The value of `{session}` in a template: identifies the session at the provider. */
  readonly token: string;
  /** The country of the request, or of the session. */
  readonly country: string | null;
  readonly clock: Clock;
  readonly onRelease: () => void;
  readonly onAttempt: OnPoolAttempt;
}

/** Takes an exit for one attempt. */
export function createLease(
  poolExit: PoolExit,
  { proxy, token, country: wantedCountry, clock, onRelease, onAttempt }: LeaseOptions,
): Lease {
  const { exit, pool } = poolExit;
  const { region, city } = proxy;
  const country = poolExit.country ?? wantedCountry ?? rotatedCountry(poolExit);
  const isTrial = exit.health.beginAttempt();
  exit.inFlight++;
  exit.uses++;
  const { template } = pool;
  // The parts of `Lease.exit` after the key. Requests with different parts must not share connections.
  // Without sessions in the template, all requests for the same location may share them.
  const session = template?.placeholders.has('session') ? token : '';
  const location = [country ?? '', region ?? '', city ?? ''].map(encodeURIComponent).join(' ');
  // Requests that bypass the proxy for other hosts must not share connections.
  const bypass = proxy.bypass.length === 0 ? '' : bypassKey(proxy.bypass);
  const server = poolExit.upstream ?? upstreamOf(template!.server({ country, region, city, session: token }));
  let released = false;
  return {
    proxyType: pool.type,
    country,
    exit: template === null && bypass === '' ? exit.key : `${exit.key} ${session} ${location} ${bypass}`,
    upstream: proxy.bypass.length === 0 ? server : { ...server, bypass: proxy.bypass },
    price: pool.price,
    warnings: [],
    report: (result) => onAttempt(pool.name, exit.report(result, pool.price, clock)),
    release() {
      if (released) return;
      released = true;
      exit.inFlight--;
      exit.health.endAttempt(isTrial);
      onRelease();
    },
  };
}

/** The country for a template if the request has none: the countries of the pool in turn. */
function rotatedCountry({ exit, pool }: PoolExit): string | null {
  if (pool.template?.placeholders.has('country') !== true || pool.countries.length === 0) return null;
  return pool.countries[exit.uses % pool.countries.length]!;
}

function bypassKey(patterns: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(patterns)).digest('base64url').slice(0, 22);
}

/** What the operator has configured. */
interface ExitInventory {
  readonly exits: readonly PoolExit[];
  readonly pools: Pools;
  readonly allowDirect: boolean;
}

/** Why there is no exit for these options (422); null if there is one, even if it is failing or busy now. */
export function refusalOf(type: ProxyType, proxy: ProxyOptions, inventory: ExitInventory): Failure | null {
  const { exits, pools, allowDirect } = inventory;
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
  const ofType = exits.filter(
    ({ pool }) => pool.type === type && (proxy.pool === null || pool.name === proxy.pool),
  );
  if (ofType.length === 0 && (type !== 'datacenter' || !allowDirect))
    return proxyFailure('proxy.pool_unconfigured', `No pool of the proxy type "${type}" is configured.`);
  return locationRefusal(type, proxy, ofType);
}

function locationRefusal(type: ProxyType, proxy: ProxyOptions, ofType: readonly PoolExit[]): Failure | null {
  const { country, region, city } = proxy;
  if (country === null && region === null && city === null) return null;
  if (ofType.some((poolExit) => servesLocation(poolExit, proxy))) return null;
  const inCountry = ofType.filter((poolExit) => servesCountry(poolExit, country));
  const member = inCountry.length === 0 && country !== null ? 'country' : region !== null ? 'region' : 'city';
  return proxyFailure(
    'proxy.country_unavailable',
    `No pool of the proxy type "${type}" serves this ${member}.`,
    member,
  );
}

function proxyFailure(code: FailureCode, message: string, member?: string): Failure {
  return failure(code, message, { pointer: member === undefined ? '/proxy' : `/proxy/${member}` });
}
