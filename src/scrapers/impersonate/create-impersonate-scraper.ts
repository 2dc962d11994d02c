import type { Clock } from '../../base/time.ts';
import { impersonateProfile } from '../../domain/browser-profiles.ts';
import { failure } from '../../domain/failure.ts';
import type { Egress } from '../../egress/egress.ts';
import type { GatewayDial } from '../../egress/gateway/gateway.ts';
import { exchange } from '../../http-client/exchange.ts';
import { type FetchPageDeps, fetchPage } from '../../http-client/fetch-page.ts';
import { Http1Pool } from '../../http-client/http1-connection.ts';
import { Http2Pool } from '../../http-client/http2-connection.ts';
import { isRedirectStatus } from '../../http-client/redirects.ts';
import type { ResponseResult } from '../../http-client/response-reader.ts';
import { TlsContexts, TlsSessionCache } from '../../http-client/tls.ts';
import type { Lease } from '../../ports/proxies.ts';
import type { Scraper } from '../../ports/scraper.ts';
import { browserHeaderFields } from './browser-headers.ts';
import { loadBinding } from './native-binding.ts';
import { NativeClientPool } from './native-clients.ts';
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
  if (binding === null) return unavailableScraper(reason);
  const gateway = egress.openGateway({ maxConnections: MAX_CONNECTIONS });
  const dialOf =
    ({ upstream }: Lease): GatewayDial =>
    (ask) =>
      egress.connect({ ...ask, upstream });
  const clients = new NativeClientPool({ binding, gateway, clock, ca: ca ?? [], dialOf });
  const pool = new Http1Pool(clock);
  const h2 = new Http2Pool(clock);
  const connecting = { egress, clock, contexts: new TlsContexts(ca), sessions: new TlsSessionCache() };
  const plain = { ...connecting, pool, h2 };
  const native = { ...connecting, binding, clients };
  return {
    name: 'http_impersonate',
    fetch(order) {
      const { options } = order.job;
      const profile = impersonateProfile(options.impersonate ?? 'chrome');
      const tools: FetchPageDeps = {
        clock,
        headerFields: (request, cookie) => browserHeaderFields(request, profile, options, cookie),
        exchange: async (request, fields, ask, way) => {
          if (request.url.protocol !== 'https:') return exchange(request, fields, ask, way, plain);
          const result = await nativeExchange(request, fields, ask, way, profile, native);
          return isRedirectWithoutLocation(result) ? { ...result, cut: result.cut ?? NO_LOCATION } : result;
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

function isRedirectWithoutLocation(
  result: ResponseResult,
): result is Extract<ResponseResult, { failure: null }> {
  return result.failure === null && isRedirectStatus(result.head.status) && result.head.location === null;
}

/** Of one client: as many as its requests may have at once. */
const MAX_CONNECTIONS = 2048;

function unavailableScraper(reason: string): Scraper {
  return {
    name: 'http_impersonate',
    unavailable: () => reason,
    fetch: () => Promise.reject(new Error(reason)),
    close: async () => {},
  };
}
