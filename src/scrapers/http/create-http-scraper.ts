import type { Clock } from '../../base/time.ts';
import type { Egress } from '../../egress/egress.ts';
import { exchange } from '../../http-client/exchange.ts';
import { type FetchPageDeps, fetchPage } from '../../http-client/fetch-page.ts';
import { Http1Pool } from '../../http-client/http1-connection.ts';
import { Http2Pool } from '../../http-client/http2-connection.ts';
import { requestFields } from '../../http-client/request.ts';
import { TlsContexts, TlsSessionCache } from '../../http-client/tls.ts';
import type { Scraper } from '../../ports/scraper.ts';

export interface HttpScraperOptions {
  /** Not closed by `close` of the scraper. */
  readonly egress: Pick<Egress, 'connect'>;
  /** The default `User-Agent`. */
  readonly userAgent: string;
  /** Certificates (PEM) trusted besides the authorities of Node; null: none. */
  readonly ca: readonly string[] | null;
  readonly clock: Clock;
}

/** The scraper `http`: a client for HTTP/1.1 and HTTP/2. It parses as leniently as a browser, but does not pretend to be one. */
export function createHttpScraper({ egress, userAgent, ca, clock }: HttpScraperOptions): Scraper {
  const http1Pool = new Http1Pool(clock);
  const http2Pool = new Http2Pool(clock);
  const contexts = new TlsContexts(ca);
  const sessions = new TlsSessionCache();
  const exchangeDeps = { egress, clock, http1Pool, http2Pool, contexts, sessions };
  const deps: FetchPageDeps = {
    clock,
    headerFields(request, cookie, { options, isProxied }) {
      const agent = options.userAgent ?? (isProxied ? null : userAgent);
      return requestFields(request, { userAgent: agent, accepts: !isProxied }, cookie);
    },
    exchange: (request, fields, options, context) =>
      exchange(request, fields, options, context, exchangeDeps),
  };
  return {
    name: 'http',
    fetch: (request) => fetchPage(request, deps),
    async close() {
      http1Pool.close();
      http2Pool.close();
    },
  };
}
