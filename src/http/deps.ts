import type { Accounts } from '../account/accounts.ts';
import type { MemoryBudget } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import type { Prices } from '../domain/cost.ts';
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
import type { PictureUrlOf } from '../wire/answer/picture-links.ts';
import type { AdmissionControl } from './access.ts';
import type { DocsPages } from './docs-pages.ts';
import type { InFlight } from './in-flight.ts';

/** What the HTTP server is made with. */
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
  /** Called for every socket that the service listens on, so that scrapes never reach it. */
  readonly onListening: (address: string, port: number) => void;
}

/** What endpoints are made with; each names what it uses. */
export interface EndpointDeps extends Omit<HttpDeps, 'baseUrl'> {
  readonly control: AdmissionControl;
  readonly inFlight: InFlight;
  readonly baseUrl: () => string;
  readonly pictureUrl: PictureUrlOf;
  /** Signs links to screenshots. */
  readonly linkKey: Uint8Array;
  /** Resolves when work can be done; rejects with the reason when not. */
  readonly ready: () => Promise<void>;
  /** The OpenAPI document of this service as JSON. */
  readonly openapiText: () => string;
  readonly docsPages: () => Promise<DocsPages>;
}
