import type { Clock } from '../../../base/clock.ts';
import { failure } from '../../../domain/failure.ts';
import { profileOf } from '../../../domain/impersonate-profiles.ts';
import type { Egress } from '../../../egress/egress.ts';
import type { Dial } from '../../../egress/gateway/gateway.ts';
import type { Lease } from '../../../ports/proxies.ts';
import type { Scraper } from '../../../ports/scraper.ts';
import { exchange } from '../http/exchange.ts';
import { fetchPage, type PageTools } from '../http/fetch-page.ts';
import { ConnectionPool } from '../http/h1/connection-pool.ts';
import { H2Connections } from '../http/h2/connections.ts';
import type { HopResult } from '../http/hop.ts';
import { isRedirectStatus } from '../http/redirect.ts';
import { SessionCache } from '../http/tls/session-cache.ts';
import { TlsContexts } from '../http/tls/tls-contexts.ts';
import { loadBinding } from './binding.ts';
import { Clients } from './clients.ts';
import { browserFields } from './fields/browser-fields.ts';
import { nativeExchange } from './native-exchange.ts';

export interface ImpersonateScraperOptions {
  /** The only way out; closed by whoever made it. */
  readonly egress: Pick<Egress, 'connect' | 'openGateway'>;
  /** Certificates (PEM) trusted beside the authorities of the library; null: none. */
  readonly ca: readonly string[] | null;
  readonly clock: Clock;
}

/**
 * The scraper `http_impersonate`: what it says looks as if a browser had said it. TLS and HTTP/2 are a native library's,
 * which leaves by the loopback gateway; without TLS there is nothing but the fields, and the client of `http` sends them.
 */
export function createImpersonateScraper({ egress, ca, clock }: ImpersonateScraperOptions): Scraper {
  const { binding, reason } = loadBinding();
  if (binding === null) return unavailable(reason);
  const gateway = egress.openGateway({ maxConnections: MAX_CONNECTIONS });
  const dialOf =
    ({ upstream }: Lease): Dial =>
    (ask) =>
      egress.connect({ ...ask, upstream });
  const clients = new Clients({ binding, gateway, clock, ca: ca ?? [], dialOf });
  const pool = new ConnectionPool(clock);
  const h2 = new H2Connections(clock);
  const connecting = { egress, clock, contexts: new TlsContexts(ca), sessions: new SessionCache() };
  const plain = { ...connecting, pool, h2 };
  const native = { ...connecting, binding, clients };
  return {
    name: 'http_impersonate',
    fetch(order) {
      const { options } = order.job;
      const profile = profileOf(options.impersonate ?? 'chrome');
      const tools: PageTools = {
        clock,
        fields: (request, cookie) => browserFields(request, profile, options, cookie),
        exchange: async (request, fields, ask, way) => {
          if (request.url.protocol !== 'https:') return exchange(request, fields, ask, way, plain);
          const result = await nativeExchange(request, fields, ask, way, profile, native);
          return lacksLocation(result) ? { ...result, cut: result.cut ?? NO_LOCATION } : result;
        },
      };
      return fetchPage(order, tools);
    },
    async close() {
      pool.close();
      h2.close();
      await clients.close();
      await gateway.close();
    },
  };
}

/** The library hands over no value that is not ASCII: whether there is a `Location` is not known then. */
const NO_LOCATION = failure(
  'redirect.invalid',
  'No `Location` of the redirect can be read: it has none, or one that is not ASCII, which only `http` and `browser` can read.',
);

function lacksLocation(result: HopResult): result is Extract<HopResult, { failure: null }> {
  return result.failure === null && isRedirectStatus(result.head.status) && result.head.location === null;
}

/** Of one client: as many as its requests may have at once. */
const MAX_CONNECTIONS = 2048;

function unavailable(reason: string): Scraper {
  return {
    name: 'http_impersonate',
    unavailable: () => reason,
    fetch: () => Promise.reject(new Error(reason)),
    close: async () => {},
  };
}
