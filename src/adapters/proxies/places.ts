import type { Pool, PoolServer } from '../../domain/pools.ts';
import type { ProxyAsk } from '../../domain/proxy-ask.ts';
import type { Upstream } from '../../domain/upstream.ts';
import { Exit } from './exit.ts';
import { exitKey } from './own-exits.ts';

/** An exit in its pool. */
export interface Placed {
  readonly exit: Exit;
  readonly pool: Pool;
  /** Where it is; of a gate, where that is not chosen. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  /** null: it is a gate, whose exits are made by its template. */
  readonly upstream: Upstream | null;
}

const SAMPLE = { country: 'XX', region: null, city: null, session: '0' };

/** The exits of a pool; those that were there before keep their health. */
export function placesOf(pool: Pool, before: ReadonlyMap<string, Exit>): readonly Placed[] {
  const exitOf = (key: string, server: PoolServer) => before.get(key) ?? new Exit(key, server);
  if (pool.template !== null) {
    const upstream = upstreamOf(pool.template.server(SAMPLE));
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

export function upstreamOf(server: Omit<Upstream, 'judged' | 'bypass'>): Upstream {
  return { ...server, judged: false, bypass: [] };
}

/** Whether an exit is, or can be put, where the caller wants to go out. */
export function serves(place: Placed, ask: Pick<ProxyAsk, 'country' | 'region' | 'city'>): boolean {
  return (
    servesCountry(place, ask.country) &&
    servesPlace(place, 'region', ask.region) &&
    servesPlace(place, 'city', ask.city)
  );
}

export function servesCountry({ pool, country: own }: Placed, country: string | null): boolean {
  if (country === null || own === country) return true;
  if (pool.template?.takes.has('country') !== true) return false;
  return pool.countries.length === 0 || pool.countries.includes(country);
}

function servesPlace(place: Placed, what: 'region' | 'city', wanted: string | null): boolean {
  if (wanted === null) return true;
  if (place.pool.template !== null) return place.pool.template.takes.has(what);
  return place[what]?.toLowerCase() === wanted.toLowerCase();
}
