import type { AddressInfo } from 'node:net';
import type { Accounts } from '../account/accounts.ts';
import type { MemoryBudget } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import type { Prices } from '../domain/cost.ts';
import { failure } from '../domain/failure.ts';
import type { SystemFacts } from '../domain/system.ts';
import type { Events } from '../observe/events.ts';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { SiteDirectory } from '../pipeline/site-directory.ts';
import type { Dashboard } from '../ports/dashboard.ts';
import type { Permits } from '../ports/permits.ts';
import type { ProxyPools } from '../ports/proxies.ts';
import type { BrowserMonitor } from '../ports/scraper.ts';
import type { BlobStore, StorageHealth, Store } from '../ports/store.ts';
import { createPictureUrlOf, pictureLinkKey } from '../wire/answer/picture-links.ts';
import type { AdmissionControl } from './access.ts';
import { InFlight } from './in-flight.ts';
import { Refusal } from './refusal.ts';
import { accountRoutes } from './routes/accounts.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { docsRoutes } from './routes/docs.ts';
import { exportRoute } from './routes/export.ts';
import { healthRoutes } from './routes/health.ts';
import { proxyRoutes } from './routes/proxies.ts';
import { recordContentRoute } from './routes/record-content.ts';
import { recordRoutes } from './routes/records.ts';
import { scrapeRoute } from './routes/scrape.ts';
import { scraperRoutes } from './routes/scrapers.ts';
import { screenshotRoutes } from './routes/screenshots.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { siteRoutes } from './routes/sites.ts';
import { statsRoute } from './routes/stats.ts';
import { systemRoute } from './routes/system.ts';
import { createServer } from './server.ts';
import { createShowUser } from './show-user.ts';

export interface HttpDeps {
  readonly accounts: Accounts;
  readonly permits: Permits;
  readonly pipeline: Pipeline;
  readonly sites: SiteDirectory;
  readonly browsers: BrowserMonitor;
  /** How the service is doing now. */
  readonly system: () => SystemFacts;
  readonly proxyPools: ProxyPools;
  /** null: nothing is priced. */
  readonly prices: Prices | null;
  readonly store: Store;
  readonly blobs: BlobStore;
  /** null: the API alone. */
  readonly dashboard: Dashboard | null;
  readonly memory: MemoryBudget;
  readonly health: Pick<StorageHealth, 'check'>;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly secret: string;
  /** How long links to screenshots are good, ms. */
  readonly screenshotMs: number;
  /** @param port the one it listens on */
  readonly baseUrl: (port: number) => string;
  /** Of the base URL that the operator has set; null: none is set. */
  readonly origin: string | null;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[] | 'any' | 'off';
  readonly metricsToken: string | null;
  /** Of users without a number of their own. */
  readonly defaultConcurrency: number;
  /** Told of every socket of ours, so that scrapes never reach it. */
  readonly onListening: (address: string, port: number) => void;
}

export interface HttpService {
  /** Gives the address it really listens on. */
  listen(host: string, port: number): Promise<{ readonly port: number; readonly baseUrl: string }>;
  /** From now on new work gets 503. Settles when nothing runs any more, or after `ms`, having ended what still ran. */
  drain(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** How long what was ended at the end of a drain may take to be answered and stored. */
const ABORT_GRACE_MS = 2_000;

export async function createHttp(parts: HttpDeps): Promise<HttpService> {
  let port = 0;
  let draining = false;
  const baseUrl = () => parts.baseUrl(port);
  const inFlight = new InFlight();
  const gate: AdmissionControl = {
    accounts: parts.accounts,
    permits: parts.permits,
    unavailable: () => (draining ? shuttingDownRefusal() : null),
    origin: parts.origin,
    baseUrl,
  };
  const showUser = createShowUser(parts);
  const linkKey = pictureLinkKey(parts.secret);
  const { now } = parts.clock;
  const pictureUrl = createPictureUrlOf({ key: linkKey, baseUrl, ttlMs: parts.screenshotMs, now });
  const app = await createServer({ ...parts, baseUrl });
  scrapeRoute(app, { ...parts, gate, inFlight, baseUrl, pictureUrl });
  const { records, stats } = parts.store;
  recordRoutes(app, { ...parts, gate, records, pictureUrl });
  recordContentRoute(app, { ...parts, gate, records });
  screenshotRoutes(app, { ...parts, gate, records, linkKey, now });
  exportRoute(app, { ...parts, gate, records });
  statsRoute(app, { ...parts, gate, stats });
  scraperRoutes(app, { ...parts, gate });
  systemRoute(app, { ...parts, gate });
  proxyRoutes(app, { ...parts, gate });
  siteRoutes(app, { ...parts, gate, records });
  accountRoutes(app, { gate, accounts: parts.accounts, showUser });
  sessionRoutes(app, { gate, accounts: parts.accounts, showUser });
  docsRoutes(app, { baseUrl, version: parts.version });
  if (parts.dashboard !== null) dashboardRoutes(app, { dashboard: parts.dashboard, baseUrl });
  healthRoutes(app, {
    ready: async () => {
      if (draining) throw new Error('the service is shutting down');
      await parts.health.check();
    },
    browsers: parts.browsers,
    metrics: parts.metrics,
    metricsToken: parts.metricsToken,
  });
  return {
    async listen(host, wanted) {
      await app.listen({ host, port: wanted });
      for (const address of app.addresses() as AddressInfo[])
        parts.onListening(address.address, address.port);
      port = (app.addresses()[0] as AddressInfo).port;
      return { port, baseUrl: baseUrl() };
    },
    async drain(ms) {
      draining = true;
      await inFlight.idle(ms);
      inFlight.abort();
      await inFlight.idle(ABORT_GRACE_MS);
    },
    async close() {
      const closed = app.close();
      // What is not idle now has not even sent its request whole: nobody waits for that.
      app.server.closeAllConnections();
      await closed;
    },
  };
}

const shuttingDownRefusal = (): Refusal =>
  new Refusal([failure('service.unavailable', 'The service is shutting down.')], {
    headers: { connection: 'close' },
  });
