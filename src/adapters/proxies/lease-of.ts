import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Lease, LeaseAsk } from '../../ports/proxies.ts';
import { type Placed, upstreamOf } from './places.ts';

export interface LeaseParts {
  readonly ask: LeaseAsk;
  /** Of the session at a provider. */
  readonly token: string;
  /** That is asked for, or held on to. */
  readonly country: string | null;
  readonly clock: Clock;
  readonly onEnd: () => void;
}

/** Takes an exit for one attempt. */
export function leaseOf(place: Placed, { ask, token, country, clock, onEnd }: LeaseParts): Lease {
  const { exit, pool } = place;
  const { proxy } = ask;
  const where = place.country ?? country ?? turnOf(place);
  const probe = exit.health.begin();
  exit.inFlight++;
  exit.uses++;
  const { template } = pool;
  // Where the template has no session, all that go to the same place may share connections.
  const own = template?.takes.has('session') ? token : '';
  const spot = [where ?? '', proxy.region ?? '', proxy.city ?? ''].map(encodeURIComponent).join(' ');
  // Connections past the proxy are not those of whoever wants it for all.
  const around = proxy.bypass.length === 0 ? '' : keyOf(proxy.bypass);
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
      exit.health.end(probe);
      onEnd();
    },
  };
}

/** Where a provider's exit is taken when the caller does not say: the countries of the pool take turns. */
function turnOf({ exit, pool }: Placed): string | null {
  if (pool.template?.takes.has('country') !== true || pool.countries.length === 0) return null;
  return pool.countries[exit.uses % pool.countries.length]!;
}

function keyOf(patterns: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(patterns)).digest('base64url').slice(0, 22);
}
