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
  /** Not closed by `close` of the scraper. */
  readonly egress: Pick<Egress, 'connect' | 'openGateway'>;
  /** Certificates (PEM) trusted besides the authorities of the library; null: none. */
  readonly ca: readonly string[] | null;
  readonly clock: Clock;
}

/**
 * The scraper `http_impersonate`: its requests look like those of a browser. For https they are sent by a native library, which
 * imitates TLS and HTTP/2 of browsers and connects through the gateway. For http only the header fields differ between clients,
 * so the client of the scraper `http` sends them.
 */
export function createImpersonateScraper({ egress, ca, clock }: ImpersonateScraperOptions): Scraper {
  const { binding, reason } = loadBinding();
  if (binding === null) return unavailableScraper(reason);
  const gateway = egress.openGateway({ maxConnections: MAX_CONNECTIONS });
  const dialOf =
    ({ upstream }: Lease): GatewayDial =>
    (request) =>
      egress.connect({ ...request, upstream });
  const clients = new NativeClientPool({ binding, gateway, clock, ca: ca ?? [], dialOf });
  const http1Pool = new Http1Pool(clock);
  const http2Pool = new Http2Pool(clock);
  const connectDeps = { egress, clock, contexts: new TlsContexts(ca), sessions: new TlsSessionCache() };
  const httpDeps = { ...connectDeps, http1Pool, http2Pool };
  const nativeDeps = { ...connectDeps, binding, clients };
  return {
    name: 'http_impersonate',
    fetch(fetchRequest) {
      const scraperOptions = fetchRequest.task.options;
      const profile = impersonateProfile(scraperOptions.impersonate ?? 'chrome');
      const deps: FetchPageDeps = {
        clock,
        headerFields: (request, cookie) => browserHeaderFields(request, profile, scraperOptions, cookie),
        exchange: async (request, fields, options, context) => {
          if (request.url.protocol !== 'https:') return exchange(request, fields, options, context, httpDeps);
          const result = await nativeExchange(request, fields, options, context, profile, nativeDeps);
          return isRedirectWithoutLocation(result) ? { ...result, cut: result.cut ?? NO_LOCATION } : result;
        },
      };
      return fetchPage(fetchRequest, deps);
    },
    async close() {
      http1Pool.close();
      http2Pool.close();
      await clients.close();
      await gateway.close();
    },
  };
}

/** The library omits header values that are not ASCII, so the response may have a `Location` that we do not see. */
const NO_LOCATION = failure(
  'redirect.invalid',
  'No `Location` of the redirect can be read: it has none, or one that is not ASCII, which only `http` and `browser` can read.',
);

function isRedirectWithoutLocation(
  result: ResponseResult,
): result is Extract<ResponseResult, { failure: null }> {
  return result.failure === null && isRedirectStatus(result.head.status) && result.head.location === null;
}

/** Limit of concurrent connections of one native client, over all its requests. */
const MAX_CONNECTIONS = 2048;

function unavailableScraper(reason: string): Scraper {
  return {
    name: 'http_impersonate',
    unavailable: () => reason,
    fetch: () => Promise.reject(new Error(reason)),
    close: async () => {},
  };
}
