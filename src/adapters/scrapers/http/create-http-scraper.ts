import type { Clock } from '../../../base/clock.ts';
import type { Egress } from '../../../egress/egress.ts';
import type { Scraper } from '../../../ports/scraper.ts';
import { exchange } from './exchange.ts';
import { fetchPage, type PageTools } from './fetch-page.ts';
import { ConnectionPool } from './h1/connection-pool.ts';
import { H2Connections } from './h2/connections.ts';
import { outgoingFields } from './outgoing.ts';
import { SessionCache } from './tls/session-cache.ts';
import { TlsContexts } from './tls/tls-contexts.ts';

export interface HttpScraperOptions {
  /** The only way out; closed by whoever made it. */
  readonly egress: Pick<Egress, 'connect'>;
  /** The default `User-Agent`. */
  readonly userAgent: string;
  /** Certificates (PEM) trusted beside the authorities of Node; null: none. */
  readonly ca: readonly string[] | null;
  readonly clock: Clock;
}

/** The scraper `http`: a plain HTTP/1.1 and HTTP/2 client that reads as leniently as a browser and tells the truth. */
export function createHttpScraper({ egress, userAgent, ca, clock }: HttpScraperOptions): Scraper {
  const pool = new ConnectionPool(clock);
  const h2 = new H2Connections(clock);
  const contexts = new TlsContexts(ca);
  const sessions = new SessionCache();
  const parts = { egress, clock, pool, h2, contexts, sessions };
  const tools: PageTools = {
    clock,
    fields: (request, cookie, { options }) => outgoingFields(request, options.userAgent ?? userAgent, cookie),
    exchange: (request, fields, ask, way) => exchange(request, fields, ask, way, parts),
  };
  return {
    name: 'http',
    fetch: (order) => fetchPage(order, tools),
    async close() {
      pool.close();
      h2.close();
    },
  };
}
