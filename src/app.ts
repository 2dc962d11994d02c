import { statfs } from 'node:fs/promises';
import { createDashboard } from './adapters/dashboard/create-dashboard.ts';
import { PACKAGE_ROOT } from './adapters/dashboard/dashboard-paths.ts';
import { createInProcessPermits } from './adapters/permits/in-process.ts';
import { MemoryBudget } from './base/memory-budget.ts';
import { systemClock } from './base/time.ts';
import { USER_AGENT, VERSION } from './base/version.ts';
import type { Config } from './config/config.ts';
import { defaultBaseUrl } from './config/config.ts';
import { dataPaths, signingSecret } from './config/data-dir.ts';
import { defaultMemoryBytes } from './config/machine.ts';
import { closeWithTimeout, type Data, DEFAULT_CONCURRENCY, openData } from './data.ts';
import { DEFAULT_PROXY_OPTIONS } from './domain/proxy.ts';
import type { Egress } from './egress/egress.ts';
import { openFetching } from './fetching.ts';
import type { HttpService } from './http/create-http.ts';
import { openLearning } from './learning.ts';
import { createEvents, type Events } from './observe/events.ts';
import type { Logging } from './observe/logger.ts';
import { addBrowserGauges, createMetrics, type Metrics } from './observe/metrics.ts';
import { processFactsReader } from './observe/process-facts.ts';
import { ScrapeCounters } from './observe/scrape-counters.ts';
import { createPipeline, type Pipeline } from './pipeline/pipeline.ts';
import { RobotsChecker } from './pipeline/robots.ts';
import type { SiteDirectory } from './pipeline/site-directory.ts';
import { SiteLimiter } from './pipeline/site-limiter.ts';
import type { ProxyPools } from './ports/proxies.ts';
import type { StorageHealth } from './ports/store.ts';
import { StorageError } from './ports/store.ts';
import type { BrowserScraper } from './scrapers/browser/open-browser-scraper.ts';
import { startRetentionSweep } from './upkeep/retention-sweep.ts';
import { startStatsFlush } from './upkeep/stats-flush.ts';
import { monitorStorage } from './upkeep/storage-health.ts';
import { enforceStorageQuota } from './upkeep/storage-quota.ts';
import { answerJson } from './wire/answer/answer-json.ts';
import { toRecord } from './wire/record/to-record.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Contract §11, `SLUICE_STORAGE_BYTES`: half of what was free at the first start, but not more than this. */
const STORAGE_MOST_BYTES = 50e9;

/** Everything that does the work, without a server: the command line uses it too. */
export interface Core extends Data {
  readonly memory: MemoryBudget;
  readonly health: StorageHealth;
  readonly pipeline: Pipeline;
  readonly sites: SiteDirectory;
  readonly browsers: BrowserScraper;
  readonly proxyPools: ProxyPools;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly egress: Egress;
  close(): Promise<void>;
}

/** Opens store, blobs and what fetches. Rejects with StorageError when the data folder cannot be used. */
export async function openCore(config: Config, logging: Logging): Promise<Core> {
  const clock = systemClock;
  const metrics = createMetrics(logging.dropped);
  const memory = new MemoryBudget(config.memoryBytes ?? defaultMemoryBytes());
  metrics.addGauge('sluice_memory_in_use_bytes', 'Memory in use for page contents.', () => memory.inUse);
  metrics.addGauge('sluice_memory_limit_bytes', 'Memory available for page contents.', () => memory.capacity);
  metrics.addGauge('sluice_memory_waiting', 'Scrapes waiting for memory.', () => memory.waiting);
  const health = monitorStorage({
    check: async () => {
      await store.check();
      await blobs.check();
    },
    onChange: (problem) =>
      problem === null
        ? logging.logger.warn('storage works again')
        : logging.logger.error({ err: problem }, 'storage fails'),
  });
  metrics.addGauge('sluice_storage_ok', '1 if records can be stored, otherwise 0.', () =>
    health.problem() === null ? 1 : 0,
  );
  // Closed in the opposite order, each whatever the others do, also when opening comes only half the way.
  await using opened = new AsyncDisposableStack();
  const data = await openData(opened, config, logging, health.reportFailure);
  const { store, blobs } = data;
  const counters = new ScrapeCounters(() => clock.now());
  const statsFlush = startStatsFlush({
    counters,
    stats: store.stats,
    clock,
    onError: (error) => logging.logger.error({ err: error }, 'internal error'),
  });
  opened.defer(() => statsFlush.stop());
  const events = createEvents(logging, metrics, counters);
  const fetching = await openFetching(opened, {
    config,
    logging,
    metrics,
    clock,
    memoryBytes: memory.capacity,
  });
  opened.defer(() => health.stop());
  const learning = openLearning(opened, { store, logging, clock });
  const siteLimiter = new SiteLimiter(clock, config.siteConcurrency);
  metrics.addGauge(
    'sluice_paced_sites',
    'Sites that asked for a pause or fewer requests.',
    () => siteLimiter.pacedSites,
  );
  const { scrapers, reader, proxies } = fetching;
  const { experience, texts } = learning;
  const attempts = { scrapers, reader, proxies, texts, siteLimiter, prices: config.prices };
  const probes = learning.probes({ ...attempts, memory, budget: config.probeBudget });
  if (probes !== null)
    metrics.addGauge('sluice_probe_effort_today', 'Effort spent on probes since midnight (UTC).', () =>
      probes.spentToday(),
    );
  const { records } = store;
  const pipeline = createPipeline({
    ...{ ...attempts, experience, probes, clock, records, blobs, health, metrics },
    robots: new RobotsChecker(clock, config.robots),
    autoAgent: config.autoIdentity === 'honest' ? USER_AGENT : null,
    render: { answer: answerJson, record: toRecord },
  });
  const sites = learning.sites(
    ({ scraper, proxyType }) =>
      pipeline.isAvailableToAuto(scraper) && proxies.refusal(proxyType, DEFAULT_PROXY_OPTIONS) === null,
  );
  const all = opened.move();
  return {
    ...data,
    memory,
    health,
    pipeline,
    sites,
    browsers: fetching.browser,
    proxyPools: fetching.proxyPools,
    events,
    metrics,
    egress: fetching.egress,
    close: () => closeWithTimeout(all),
  };
}

/** The service over HTTP, with what runs in the background. Not listening yet; `close` does not close the core. */
export async function openService(core: Core, config: Config, logging: Logging): Promise<HttpService> {
  const { dataDir } = dataPaths(config);
  const { store, blobs, metrics } = core;
  const { logger } = logging;
  const onError = (error: unknown) => {
    if (error instanceof StorageError) core.health.reportFailure(error);
    else logger.error({ err: error }, 'internal error');
  };
  const limitBytes =
    config.storageBytes ?? (await store.getOrInsert('storage_bytes', await defaultStorageBytes(dataDir)));
  const sweeper = startRetentionSweep({
    records: store.records,
    blobs,
    clock: systemClock,
    retentionMs: config.retentionDays * DAY_MS,
    onError,
  });
  const onFreed = (made: object) =>
    logger.info({ ...made, limitBytes }, 'deleted old records to free storage');
  const keeper = enforceStorageQuota({ store, blobs, limitBytes, onFreed, onError });
  metrics.addGauge(
    'sluice_storage_used_bytes',
    'Disk space used by the database and blobs.',
    keeper.usedBytes,
  );
  metrics.addGauge('sluice_storage_limit_bytes', 'Disk space available for them.', () => limitBytes);
  const dashboard = config.dashboard
    ? createDashboard({
        root: PACKAGE_ROOT,
        onBuilt: (ms) => logger.info({ ms }, 'the dashboard is built'),
        onFailed: (why) => logger.error({ why }, 'the dashboard could not be built'),
      })
    : null;
  const { corsOrigins } = config;
  const { memory, health, browsers } = core;
  const facts = processFactsReader();
  addBrowserGauges(metrics, () => browsers.activity());
  // Not at the top: commands that do not serve go without a server, and a third of a second.
  const { createHttp } = await import('./http/create-http.ts');
  const http = await createHttp({
    ...core,
    system: () => ({
      version: VERSION,
      process: facts(),
      memory: { limit: memory.capacity, inUse: memory.inUse, waiting: memory.waiting },
      storage: { trouble: health.problem(), usedBytes: keeper.usedBytes(), limitBytes },
      browsers: { ...browsers.activity(), ...browsers.state() },
    }),
    prices: config.prices,
    permits: createInProcessPermits(),
    dashboard,
    clock: systemClock,
    logger: logging.logger,
    version: VERSION,
    secret: signingSecret(config),
    screenshotMs: screenshotLinkMs(config),
    baseUrl: (port) => config.baseUrl ?? defaultBaseUrl(config.host, port),
    origin: config.baseUrl === null ? null : new URL(config.baseUrl).origin,
    trustedProxies: config.trustedProxies,
    corsOrigins: corsOrigins.kind === 'list' ? corsOrigins.origins : corsOrigins.kind,
    metricsToken: config.metricsToken,
    defaultConcurrency: DEFAULT_CONCURRENCY,
    onListening: (address, port) => core.egress.addOwnListener(address, port),
  });
  return {
    ...http,
    async listen(host, port) {
      const listening = await http.listen(host, port);
      dashboard?.start();
      return listening;
    },
    async close() {
      await http.close();
      await Promise.all([sweeper.stop(), keeper.stop(), dashboard?.stop()]);
    },
  };
}

async function defaultStorageBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return Math.floor(Math.min(STORAGE_MOST_BYTES, (bavail * bsize) / 2));
}

/** How long a link to a screenshot is good. */
export function screenshotLinkMs({ screenshotHours }: Config): number {
  return screenshotHours * HOUR_MS;
}
