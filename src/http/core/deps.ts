import type { Accounts } from '../../account/accounts.ts';
import type { AttentionDeps } from '../../alerts/attention.ts';
import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Clock } from '../../base/time.ts';
import type { Prices } from '../../domain/cost.ts';
import type { DialectName } from '../../domain/dialects.ts';
import type { ReplicaRole } from '../../domain/replicas.ts';
import type { Sealer } from '../../domain/sealing.ts';
import type { ReadReplicaState, SystemFacts } from '../../domain/system.ts';
import type { JobEngine } from '../../jobs/engine.ts';
import type { MonitorEngine } from '../../monitors/engine.ts';
import type { Events } from '../../observe/events.ts';
import type { Logger } from '../../observe/logger.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { SiteBudgets } from '../../pipeline/site-budgets.ts';
import type { SiteDirectory } from '../../pipeline/site-directory.ts';
import type { SiteLimitSettings } from '../../pipeline/site-limit-settings.ts';
import type { Dashboard } from '../../ports/dashboard.ts';
import type { ExportSender } from '../../ports/exports.ts';
import type { Mailer } from '../../ports/mail.ts';
import type { Permits } from '../../ports/permits.ts';
import type { ProxyPools } from '../../ports/proxies.ts';
import type { Replicas } from '../../ports/replicas.ts';
import type { BrowserMonitor } from '../../ports/scraper.ts';
import type { PriceSettings, StoredSettings } from '../../ports/settings.ts';
import type { BlobStore, StorageHealth, Store } from '../../ports/store.ts';
import type { VendorDirectory } from '../../ports/vendors.ts';
import type { Profiles } from '../../profiles/profiles.ts';
import type { ScheduleEngine } from '../../schedules/engine.ts';
import type { Messenger } from '../../webhooks/messenger.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { LinkUrlOf } from '../../wire/answer/signed-links.ts';
import type { DocsPages } from '../docs/docs-pages.ts';
import type { DocsSite } from '../docs/docs-site.ts';
import type { AdmissionControl } from './access.ts';
import type { InFlight } from './in-flight.ts';

/** What `createHttp` needs. */
export interface HttpDeps {
  readonly accounts: Accounts;
  readonly permits: Permits;
  readonly inFlight: InFlight;
  readonly pipeline: Pipeline;
  readonly jobEngine: JobEngine;
  readonly monitorEngine: MonitorEngine;
  readonly scheduleEngine: ScheduleEngine;
  /** Judges the targets of exports. */
  readonly exportSender: Pick<ExportSender, 'check'>;
  /** Deletes a job that has ended, with its results and their records. */
  readonly purgeJob: (jobId: string) => Promise<void>;
  readonly sealer: Sealer;
  readonly profiles: Profiles;
  readonly webhooks: Webhooks;
  /** What alerts watch. */
  readonly watched: AttentionDeps;
  /** Sends the test messages of alerts. */
  readonly messenger: Messenger;
  /** null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly sites: SiteDirectory;
  readonly browsers: BrowserMonitor;
  /** The current state of the service, for `GET /api/v1/system/`. */
  readonly system: () => Promise<SystemFacts>;
  readonly proxyPools: ProxyPools;
  readonly vendorDirectory: VendorDirectory;
  /** What administrators set by the API. */
  readonly settings: StoredSettings;
  readonly siteLimits: SiteLimitSettings;
  readonly siteBudgets: Pick<SiteBudgets, 'spent'>;
  /** Stores what this process has measured until now. */
  readonly sampler: { flush(): Promise<void> };
  readonly currentPrices: Pick<PriceSettings, 'current' | 'isInFile'>;
  readonly store: Store;
  readonly blobs: BlobStore;
  /** null: the dashboard is switched off. */
  readonly dashboard: Dashboard | null;
  readonly memory: MemoryBudget;
  readonly health: Pick<StorageHealth, 'check' | 'contentsProblem'>;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  /** Signs cursors and links to screenshots and files. */
  readonly secret: string;
  /** How long records are kept, ms. */
  readonly retentionMs: number;
  /** Lifetime of signed links to screenshots and files, ms. */
  readonly screenshotMs: number;
  /** The URL by which callers reach the service. @param port the port that it listens on */
  readonly baseUrl: (port: number) => string;
  /** Origin of the base URL that the operator has set; null: none is set. */
  readonly origin: string | null;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[] | 'any' | 'off';
  /** APIs of other systems that are offered beside our own. */
  readonly dialects: readonly DialectName[];
  /** Certificate of the authority of the proxy port, as PEM; null: there is no proxy port. */
  readonly proxyCa: string | null;
  /** Whether there is a language model. */
  readonly hasModel: boolean;
  /** null: only callers on this machine may read the metrics. */
  readonly metricsToken: string | null;
  /** Limit of requests in flight for users without a limit of their own. */
  readonly defaultConcurrency: number;
  /** What this process does of the service. A `worker` serves only the endpoints of supervisors. */
  readonly role: ReplicaRole;
  /** The other processes on the same database; null: there can be none. */
  readonly replicas: Pick<Replicas, 'problem' | 'warnings'> | null;
  /** The state of the read replica of PostgreSQL; null: there is none. */
  readonly readReplica: () => ReadReplicaState | null;
  /** Called for every socket that the service listens on, so that scrapes never reach it. */
  readonly onListening: (address: string, port: number) => void;
}

/** What endpoints need. Each handler takes only the members that it uses. */
export interface EndpointDeps extends Omit<HttpDeps, 'baseUrl'> {
  readonly control: AdmissionControl;
  /** Those in force when it is read; null: none are configured. */
  readonly prices: Prices | null;
  readonly baseUrl: () => string;
  readonly linkUrl: LinkUrlOf;
  /** Key for the signatures of links to screenshots and files. */
  readonly linkKey: Uint8Array;
  /** Resolves if the service can accept requests; otherwise rejects with the reason. */
  readonly ready: () => Promise<void>;
  /** The OpenAPI document of this service as JSON. */
  readonly openapiText: () => string;
  readonly docsPages: () => Promise<DocsPages>;
  readonly docsSite: () => Promise<DocsSite>;
}
