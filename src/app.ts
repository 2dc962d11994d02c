import { OPERATOR } from './account/account-actions.ts';
import { createDashboard } from './adapters/dashboard/create-dashboard.ts';
import { createLimitPermits } from './adapters/permits/limit-permits.ts';
import type { HandOverWorker } from './adapters/replicas/hand-over-worker.ts';
import { openStoredSettings } from './adapters/settings/stored-settings.ts';
import { MemoryBudget } from './base/memory-budget.ts';
import { PACKAGE_ROOT } from './base/program-files.ts';
import { HOLDING_LOST, systemClock } from './base/time.ts';
import { USER_AGENT, VERSION } from './base/version.ts';
import type { Config } from './config/config.ts';
import { defaultBaseUrl } from './config/config.ts';
import { dataPaths, signingSecret } from './config/data-dir.ts';
import { defaultMemoryBytes } from './config/machine.ts';
import {
  closeWithTimeout,
  type Data,
  DEFAULT_CONCURRENCY,
  MAX_DEFAULT_STORAGE_BYTES,
  openData,
  openSealer,
  storageLimit,
} from './data.ts';
import { EFFORT_UNIT } from './domain/cost.ts';
import type { Sealer } from './domain/sealing.ts';
import type { Egress } from './egress/egress.ts';
import type { Exporter, ExporterDeps } from './exports/exporter.ts';
import { type Browsers, languageModel, openFetching } from './fetching.ts';
import { InFlight } from './http/core/in-flight.ts';
import type { HttpService } from './http/server/create-http.ts';
import { createMigratingServer, type MigratingServer } from './http/server/migrating.ts';
import { openLearning } from './learning.ts';
import { createEvents, type Events } from './observe/events.ts';
import type { Logger, Logging } from './observe/logger.ts';
import { addBrowserGauges, addCountingGauge, createMetrics, type Metrics } from './observe/metrics.ts';
import { SampleCounters } from './observe/sample-counters.ts';
import { ScrapeCounters } from './observe/scrape-counters.ts';
import { createPipeline, type Pipeline } from './pipeline/pipeline.ts';
import { RobotsChecker } from './pipeline/robots.ts';
import { SiteBudgets } from './pipeline/site-budgets.ts';
import type { SiteDirectory } from './pipeline/site-directory.ts';
import { SiteLimitSettings } from './pipeline/site-limit-settings.ts';
import { type OwnSiteLimits, SiteLimiter } from './pipeline/site-limiter.ts';
import type { ProxyPools } from './ports/proxies.ts';
import type { StoredSettings } from './ports/settings.ts';
import type { StorageHealth } from './ports/store.ts';
import { StorageError } from './ports/store.ts';
import type { VendorDirectory } from './ports/vendors.ts';
import { ProfileUses } from './profiles/profile-uses.ts';
import { PROFILES_READY, Profiles } from './profiles/profiles.ts';
import { openAuthority, openProxyPort } from './proxying.ts';
import { openReplication, type Replication } from './replication.ts';
import { startSampling } from './sampling.ts';
import { openExporter, openExportSender, openWebhooks, startScheduling } from './scheduling.ts';
import { openOtlp } from './tracing.ts';
import { startStatsFlush } from './upkeep/stats-flush.ts';
import { startStorageUpkeep, watchStorage } from './upkeep/storage-upkeep.ts';
import { createDispatcher } from './webhooks/dispatcher.ts';
import { profileWebhooks } from './webhooks/webhooks.ts';
import { answerJson } from './wire/answer/answer-json.ts';
import { pricesOf } from './wire/prices.ts';
import { toRecord } from './wire/record/to-record.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The parts that do scrapes, without the HTTP server. The command line uses them, too. */
export interface Core extends Data {
  /** Shared by the contents of all scrapes. */
  readonly memory: MemoryBudget;
  readonly health: StorageHealth;
  readonly pipeline: Pipeline;
  readonly sites: SiteDirectory;
  /** The scraper `browser`, which also manages the browsers. */
  readonly browsers: Browsers;
  /** null: the process is no replica. */
  readonly replication: Replication | null;
  readonly proxyPools: ProxyPools;
  readonly vendorDirectory: VendorDirectory;
  readonly settings: StoredSettings;
  readonly siteLimits: SiteLimitSettings;
  readonly siteBudgets: SiteBudgets;
  readonly sampleCounters: SampleCounters;
  /** Reads the file of remote browsers again. */
  readonly reloadBrowsers: () => void;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly egress: Egress;
  readonly sealer: Sealer;
  readonly profiles: Profiles;
  close(): Promise<void>;
}

export interface OpenCoreOptions {
  /** Called when older data is about to be migrated. */
  readonly onMigrating?: (() => void) | undefined;
  /** Whether this process serves others, and is registered among the replicas. Commands are not. */
  readonly isReplica?: boolean;
}

/** Opens the data and the parts that fetch. Rejects with StorageError if the data cannot be used. */
export async function openCore(
  config: Config,
  logging: Logging,
  { onMigrating = () => {}, isReplica = false }: OpenCoreOptions = {},
): Promise<Core> {
  const clock = systemClock;
  const metrics = createMetrics(logging.dropped);
  const memory = createMemoryBudget(config, metrics);
  // `data` is opened below, before the first check.
  const health = watchStorage(logging.logger, metrics, () => data);
  // Closes what was opened, in reverse order: here if a step fails, otherwise in `Core.close`.
  await using opened = new AsyncDisposableStack();
  let replication: Replication | null = null;
  const sealingKeyId = () => replication?.replicas.sealingKeyId ?? null;
  const callbacks = { onError: health.reportFailure, onMigrating, sealingKeyId };
  const data: Data = await openData(opened, config, logging, callbacks);
  const { store, blobs, coordination } = data;
  addCountingGauge(metrics, () => coordination.counter());
  const { isShared } = store;
  const counters = startCounters(opened, data, logging);
  const tracing = await openOtlp(opened, config, logging);
  const events = createEvents(logging, metrics, counters, tracing);
  if (isReplica) replication = await openReplication(opened, config, logging, data);
  const sealer = await openSealer(config, data, sealingKeyId);
  const onReady = () => coordination.bus.publish(PROFILES_READY, '');
  const profileDeps = { store: store.profiles, sealer, accounts: data.accounts, clock, onReady };
  const profiles = new Profiles(profileDeps);
  const settings = await openStoredSettings({
    store: store.settings,
    sealer,
    bus: coordination.bus,
    isShared,
    onError: (error) => logging.logger.error({ err: error }, 'the stored settings cannot be read'),
  });
  opened.defer(() => settings.close());
  data.prices.follow(settings, pricesOf);
  const sampleCounters = new SampleCounters();
  const fetching = await openFetching(opened, {
    config,
    logging,
    metrics,
    clock,
    settings,
    prices: data.prices,
    sampleCounters,
    coordination: isShared ? coordination : null,
    counting: coordination,
    memoryBytes: memory.capacity,
    browserOnWorkers: replication === null || config.role !== 'api' ? null : replication.browserOnWorkers(),
    openLogin: (userId, name, used) => profiles.openLogin(userId, name, used),
    findUser: (id) => {
      const user = data.accounts.findUser(OPERATOR, id);
      return user === null ? null : { email: user.email, isAdmin: user.role === 'admin' };
    },
  });
  opened.defer(() => health.stop());
  const learning = openLearning(opened, {
    store,
    bus: coordination.bus,
    vendors: fetching.vendors,
    logging,
    clock,
  });
  const siteLimits = new SiteLimitSettings(settings);
  const siteBudgets = createSiteBudgets(data);
  const own = { limits: () => siteLimits.all, budgets: siteBudgets };
  const siteLimiter = openSiteLimiter(opened, config, data, { metrics, own });
  const { scrapers, reader, documents, proxies } = fetching;
  const { experience, texts } = learning;
  const prices = data.prices.current;
  const model = languageModel(config);
  const attemptDeps = { scrapers, reader, documents, model, proxies, texts, siteLimiter, prices };
  const probes = learning.probes({ ...attemptDeps, prices: null, memory, budget: config.probeBudget });
  if (probes !== null) addProbeGauge(metrics, probes);
  const pipeline = createPipeline({
    ...attemptDeps,
    experience,
    rules: learning.rules,
    probes,
    clock,
    coordination,
    sealer: isShared ? sealer : null,
    records: store.records,
    blobs,
    health,
    metrics,
    robots: new RobotsChecker(clock, config.robots),
    // `honest`: scrapes by `auto` name Sluice as their User-Agent.
    autoUserAgent: config.autoIdentity === 'honest' ? USER_AGENT : null,
    profiles: new ProfileUses({
      ...profileDeps,
      webhookOf: profileWebhooks({ store: store.webhooks, sealer, clock }),
      onError: (error) => logging.logger.error({ err: error }, 'a profile cannot be saved'),
    }),
    render: { answer: answerJson, record: toRecord },
  });
  const sites = learning.sites(pipeline.isAvailable, siteLimiter);
  const disposables = opened.move();
  return {
    ...data,
    memory,
    health,
    pipeline,
    sites,
    browsers: fetching.browser,
    replication,
    proxyPools: fetching.proxyPools,
    vendorDirectory: fetching.vendorDirectory,
    settings,
    siteLimits,
    siteBudgets,
    sampleCounters,
    reloadBrowsers: fetching.reloadBrowsers,
    events,
    metrics,
    egress: fetching.egress,
    sealer,
    profiles,
    close: () => closeWithTimeout(disposables),
  };
}

function createMemoryBudget(config: Config, metrics: Metrics): MemoryBudget {
  const memory = new MemoryBudget(config.memoryBytes ?? defaultMemoryBytes());
  metrics.addGauge('sluice_memory_in_use_bytes', 'Memory in use for page contents.', () => memory.inUse);
  metrics.addGauge('sluice_memory_limit_bytes', 'Memory available for page contents.', () => memory.capacity);
  metrics.addGauge('sluice_memory_waiting', 'Scrapes waiting for memory.', () => memory.waiting);
  return memory;
}

/** Counts scrapes for the statistics, which are stored now and then. */
function startCounters(
  opened: AsyncDisposableStack,
  { store: { stats } }: Data,
  { logger }: Logging,
): ScrapeCounters {
  const counters = new ScrapeCounters(() => systemClock.now());
  const onError = (error: unknown) =>
    logger.error({ err: error }, 'unexpected error while storing statistics');
  const statsFlush = startStatsFlush({ counters, stats, clock: systemClock, onError });
  opened.defer(() => statsFlush.stop());
  return counters;
}

function openSiteLimiter(
  opened: AsyncDisposableStack,
  { siteConcurrency }: Config,
  { coordination }: Data,
  { metrics, own }: { readonly metrics: Metrics; readonly own: OwnSiteLimits },
): SiteLimiter {
  const siteLimiter = new SiteLimiter(systemClock, siteConcurrency, coordination, own);
  opened.defer(() => siteLimiter.close());
  metrics.addGauge(
    'sluice_paced_sites',
    'Sites that asked for a pause or fewer requests.',
    () => siteLimiter.pacedSites,
  );
  return siteLimiter;
}

/** Budgets of sites. What was spent before there was a budget is known from the usage of the days. */
const createSiteBudgets = ({ store: { stats }, coordination, prices }: Data): SiteBudgets =>
  new SiteBudgets({
    counters: coordination.counters,
    clock: systemClock,
    unit: () => prices.current()?.currency ?? EFFORT_UNIT,
    async stored(host, { from, to }, unit) {
      const all = { userId: null, keyId: null, scraper: null, proxyType: null };
      const days = await stats.usageSteps({ ...all, step: DAY_MS / 1000, from, to, host, unit });
      return days.reduce((sum, { figures }) => sum + figures.cost, 0);
    },
  });

const addProbeGauge = (metrics: Metrics, probes: { spentToday(): number }): void =>
  metrics.addGauge(
    'sluice_probe_effort_today',
    'Effort spent on probes since midnight (UTC), in the unit of `SLUICE_PROBE_BUDGET`.',
    () => probes.spentToday(),
  );

/** Nobody could ask a port that the system chooses (0), so null. */
export function answerWhileMigrating(config: Config, { logger }: Logging): MigratingServer | null {
  const { host, port } = config;
  if (port === 0) return null;
  return createMigratingServer({ host, port, baseUrl: config.baseUrl ?? defaultBaseUrl(host, port), logger });
}

export interface Service extends Omit<HttpService, 'announceEnd'> {
  /** Says 503 at `/readyz`, and tells the other replicas; requests are still accepted. */
  announceEnd(): Promise<void>;
  /** @returns also the URL of the proxy port; null: there is none */
  listen(
    host: string,
    port: number,
  ): Promise<{ readonly port: number; readonly baseUrl: string; readonly proxyUrl: string | null }>;
}

/**
 * Creates the HTTP service, and starts the background work on stored data. Does not listen yet. `close` leaves the core open.
 * @param mayRun jobs and monitors that may run in this process, by id; absent: all
 */
export async function openService(
  core: Core,
  config: Config,
  logging: Logging,
  mayRun?: (id: string) => boolean,
): Promise<Service> {
  const { store, metrics, sealer, browsers, replication } = core;
  const { logger } = logging;
  const { role } = config;
  const onError = (error: unknown) => {
    if (error instanceof StorageError) core.health.reportFailure(error);
    else logger.error({ err: error }, 'unexpected error while deleting old records');
  };
  const retentionMs = config.retentionDays * DAY_MS;
  const limitBytes = await storageLimit(config, store);
  const storage = await startStorageUpkeep({
    ...core,
    logger,
    clock: systemClock,
    retentionMs,
    limitBytes,
    // A bucket has no size, so only the operator can limit it.
    countsBlobs: !core.blobs.isApart || config.storageBytes !== null,
    maxAnswerBytes: (limitBytes ?? MAX_DEFAULT_STORAGE_BYTES) * KEPT_ANSWERS_SHARE,
    onError,
  });
  const authority = await openAuthority(core, config);
  const inFlight = new InFlight();
  const permits = createLimitPermits(core.coordination.limits);
  core.coordination.limits.onLost(() => {
    logger.warn('cut off from the other replicas: the running scrapes are stopped');
    inFlight.abort(HOLDING_LOST);
  });
  const { webhooks, sender, mailer, messenger } = openWebhooks(core, config, sealer);
  const exportSender = openExportSender(core, config);
  const scheduling = await startScheduling(core, config, {
    sealer,
    webhooks,
    // Workers run what requests to this replica begin.
    mayRun: role === 'api' ? () => false : mayRun,
    hasRoom: storage.hasRoomForJobs,
    requestsRun: () => inFlight.isActive,
    onError,
  });
  const dashboard = openDashboard(config, logger);
  const { system, sampler } = startSampling({
    ...core,
    limitBytes,
    usedBytes: storage.usedBytes,
    onError,
    clock: scheduling.clock,
    dataDir: dataPaths(config).dataDir,
    requests: () => inFlight.size,
  });
  metrics.addGauge(
    'sluice_jobs_ready',
    'Items of jobs that wait for their turn, in all replicas.',
    async () => (await store.jobs.runnable()).reduce((sum, { queued }) => sum + queued, 0),
  );
  addBrowserGauges(metrics, role === 'api' ? null : () => browsers.activity(), () => browsers.waiting());
  // Imported here, because only `sluice serve` needs the server, and loading it takes a third of a second.
  const { createHttp } = await import('./http/server/create-http.ts');
  const http = await createHttp({
    ...core,
    ...scheduling,
    ...httpSettings(config),
    currentPrices: core.prices,
    system,
    sampler,
    webhooks,
    exportSender,
    mailer,
    messenger,
    permits,
    inFlight,
    dashboard,
    logger,
    retentionMs,
    proxyCa: authority?.certificate ?? null,
    replicas: replication?.replicas ?? null,
    readReplica: () => core.postgres?.replicaState() ?? null,
    onListening: (address, port) => core.egress.addOwnListener(address, port),
  });
  const proxyPort =
    authority === null
      ? null
      : await openProxyPort(config, {
          ...{ ...core, authority, permits, inFlight, logger, baseUrl: http.baseUrl },
          onListening: (address, port) => core.egress.addOwnListener(address, port),
        });
  const dispatcher = createDispatcher({
    ...core,
    deliveries: store.webhooks,
    isShared: store.isShared,
    messenger,
    sealer,
    clock: scheduling.clock,
    priced: () => core.prices.current() !== null,
    baseUrl: http.baseUrl,
    linkUrl: http.linkUrl,
    isPublic: config.baseUrl !== null,
    isActive: (userId) => core.accounts.jobPrincipal(userId, null) !== 'user',
    random: Math.random,
    onError,
  });
  metrics.addGauge(
    'sluice_webhooks_sending',
    'Messages of webhooks that are sent now.',
    () => dispatcher.sending,
  );
  const startExporting = async () => {
    const { exportFile } = await import('./http/operations/job-streams.ts');
    const files = { ...core, ...scheduling, linkUrl: http.linkUrl };
    const fileOf: ExporterDeps['fileOf'] = (...file) => exportFile(files, ...file);
    const { clock } = scheduling;
    return await openExporter(
      { ...core, webhooks, sender: exportSender, fileOf, sealer, clock, onError },
      config,
    );
  };
  let exporter: Exporter | null = null;
  let worker: HandOverWorker | null = null;
  return {
    ...http,
    async announceEnd() {
      http.announceEnd();
      await replication?.replicas.announceEnd().catch(onError);
    },
    async listen(host, port) {
      // A worker is ready when those who need it know of it.
      if (role !== 'api' && replication !== null)
        worker = await replication.startWorker(browsers, core.memory);
      const address = await http.listen(host, port);
      const proxyUrl = (await proxyPort?.listen(config.host, config.proxyPort!)) ?? null;
      // Messages contain links to the service, so they wait until its port is known.
      if (role !== 'api') await dispatcher.start();
      if (role !== 'api') exporter = await startExporting();
      dashboard?.start();
      return { ...address, proxyUrl };
    },
    async drain(ms) {
      proxyPort?.refuseNew();
      await Promise.all([http.drain(ms), scheduling.stop(ms), worker?.stop(ms)]);
      await Promise.all([
        dispatcher.stop(Math.min(ms, WEBHOOK_DRAIN_MS)),
        exporter?.stop(Math.min(ms, WEBHOOK_DRAIN_MS)),
      ]);
    },
    async close() {
      await Promise.all([scheduling.stop(0), worker?.stop(0)]);
      await Promise.all([dispatcher.stop(0), exporter?.stop(0)]);
      sender.close();
      exportSender.close();
      await Promise.all([http.close(), proxyPort?.close()]);
      await Promise.all([storage.stop(), sampler.stop(), dashboard?.stop()]);
    },
  };
}

/** The share of the storage that responses to requests with an Idempotency-Key may take. */
const KEPT_ANSWERS_SHARE = 0.05;

/** What is still being sent at the end of the process is sent again by the next one. */
const WEBHOOK_DRAIN_MS = 2_000;

/** What the HTTP server takes from the configuration as it is. */
const httpSettings = (config: Config) => ({
  version: VERSION,
  secret: signingSecret(config),
  screenshotMs: screenshotLinkMs(config),
  baseUrl: (port: number) => config.baseUrl ?? defaultBaseUrl(config.host, port),
  origin: config.baseUrl === null ? null : new URL(config.baseUrl).origin,
  trustedProxies: config.trustedProxies,
  corsOrigins: config.corsOrigins.kind === 'list' ? config.corsOrigins.origins : config.corsOrigins.kind,
  dialects: config.dialects,
  hasModel: config.llmUrl !== null,
  metricsToken: config.metricsToken,
  defaultConcurrency: DEFAULT_CONCURRENCY,
  role: config.role,
});

/** null: it is switched off. */
function openDashboard(config: Config, logger: Logger) {
  if (!config.dashboard || config.role === 'worker') return null;
  return createDashboard({
    root: PACKAGE_ROOT,
    onBuilt: (ms) => logger.info({ ms }, 'the dashboard is built'),
    onFailed: (why) => logger.error({ why }, 'the dashboard could not be built'),
  });
}

/** How long a link to a screenshot is valid. */
export function screenshotLinkMs({ screenshotHours }: Config): number {
  return screenshotHours * HOUR_MS;
}
