import { join } from 'node:path';
import { createExportSender } from './adapters/exports/export-sender.ts';
import { createSmtpMailer } from './adapters/mail/smtp-mailer.ts';
import { openServerClock } from './adapters/postgres/server-clock.ts';
import { createWebhookSender } from './adapters/webhooks/webhook-sender.ts';
import type { AttentionDeps } from './alerts/attention.ts';
import { startAlertEngine } from './alerts/engine.ts';
import { MetricReader } from './alerts/metrics.ts';
import { parseIpRange } from './base/ip-range.ts';
import type { MemoryBudget } from './base/memory-budget.ts';
import { type Clock, systemClock } from './base/time.ts';
import { USER_AGENT } from './base/version.ts';
import type { Config } from './config/config.ts';
import { dataPaths } from './config/data-dir.ts';
import { diskSpace, machineMemorySpace } from './config/machine.ts';
import type { Data } from './data.ts';
import { startDatasetImporter } from './datasets/importer.ts';
import { EFFORT_UNIT } from './domain/cost.ts';
import type { Sealer } from './domain/sealing.ts';
import { usedShare } from './domain/system.ts';
import type { Egress } from './egress/egress.ts';
import type { Exporter, ExporterDeps } from './exports/exporter.ts';
import { createCrawlScheme } from './jobs/crawl/crawl-scheme.ts';
import { createJobEngine, type JobEngine } from './jobs/engine.ts';
import { createItemRunner } from './jobs/run-item.ts';
import { type MonitorEngine, startMonitorEngine } from './monitors/engine.ts';
import { startRun } from './monitors/start-run.ts';
import type { Events } from './observe/events.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import type { SiteBudgets } from './pipeline/site-budgets.ts';
import type { SiteLimitSettings } from './pipeline/site-limit-settings.ts';
import type { ExportSender } from './ports/exports.ts';
import type { ProxyPools } from './ports/proxies.ts';
import type { StorageHealth } from './ports/store.ts';
import { PROFILES_READY } from './profiles/profiles.ts';
import { type ScheduleEngine, startScheduleEngine } from './schedules/engine.ts';
import { startScheduledJob } from './schedules/scheduled-job.ts';
import { purgeJob, startJobSweep } from './upkeep/job-sweep.ts';
import { createMessenger } from './webhooks/messenger.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';

const DAY_MS = 86_400_000;

/** The work that goes on without a caller: jobs, monitors, schedules and alerts. */
export interface Scheduling {
  readonly jobEngine: JobEngine;
  readonly monitorEngine: MonitorEngine;
  readonly scheduleEngine: ScheduleEngine;
  /** What alerts watch. */
  readonly watched: AttentionDeps;
  /** The time that all services share which use the store. */
  readonly clock: Clock;
  /** Deletes a job that has ended, with its results and their records. */
  readonly purgeJob: (jobId: string) => Promise<void>;
  /** Starts no further work, and waits at most `ms` for the items that run. */
  stop(ms: number): Promise<void>;
}

interface SchedulingDeps extends Data {
  readonly pipeline: Pipeline;
  readonly memory: MemoryBudget;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly health: Pick<StorageHealth, 'problem'>;
  readonly proxyPools: Pick<ProxyPools, 'state'>;
  readonly siteLimits: Pick<SiteLimitSettings, 'all'>;
  readonly siteBudgets: Pick<SiteBudgets, 'spent'>;
}

interface SchedulingOptions {
  readonly sealer: Sealer;
  readonly webhooks: Webhooks;
  /** Whether the storage has room for the results of jobs. */
  readonly hasRoom: () => boolean;
  /** Whether requests of the API are under way. */
  readonly requestsRun: () => boolean;
  /** Jobs and monitors that may run in this process, by id; undefined: all. */
  readonly mayRun: ((id: string) => boolean) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Takes over what an earlier process left, and begins to run jobs, monitors and schedules, and to evaluate alerts. */
export async function startScheduling(
  core: SchedulingDeps,
  config: Config,
  { sealer, webhooks, hasRoom, requestsRun, mayRun, onError }: SchedulingOptions,
): Promise<Scheduling> {
  const { store, postgres, coordination, blobs, accounts, pipeline, memory, events, metrics, health } = core;
  const serverClock = postgres === null ? null : await openServerClock(postgres, onError);
  const clock = serverClock ?? systemClock;
  const { jobs, monitors, schedules, records } = store;
  const runItem = createItemRunner({
    jobs,
    records,
    blobs,
    accounts,
    pipeline,
    schemes: { crawl: createCrawlScheme({ jobs, pipeline, sealer, memory, clock }) },
    deliveries: store.webhooks,
    sealer,
    memory,
    events,
    metrics,
    clock,
  });
  const jobEngine = createJobEngine({
    jobs,
    isShared: store.isShared,
    accounts,
    runItem,
    clock,
    concurrency: config.jobConcurrency,
    perHost: config.jobHostConcurrency,
    mayRun,
    canStore: () => health.problem() === null,
    hasRoom,
    requestsRun,
    onError,
  });
  metrics.addGauge('sluice_jobs_running', 'Items of jobs that run now.', () => jobEngine.running);
  await jobEngine.start();
  const unsubscribe = coordination.bus.subscribe(
    PROFILES_READY,
    () => void jobs.resumeSoon('profile', clock.now()).catch(onError),
  );
  const jobSweep = startJobSweep({ store, blobs, clock, onError });
  const purge = (id: string) => purgeJob({ store, blobs }, id);
  const starting = {
    jobs,
    accounts,
    engine: jobEngine,
    sealer,
    webhooks,
    notifications: store.notifications,
    clock,
    pipeline,
    templates: store.templates,
    priced: () => core.prices.current() !== null,
    retentionMs: config.retentionDays * DAY_MS,
  };
  const monitorEngine = startMonitorEngine({
    jobs,
    monitors,
    records,
    blobs,
    memory,
    pipeline,
    sealer,
    accounts,
    limits: coordination.limits,
    isShared: store.isShared,
    mayRun,
    startJob: (monitor, jobId) => startRun(starting, monitor, jobId),
    purgeJob: purge,
    clock,
    onError,
  });
  const scheduleEngine = startScheduleEngine({
    jobs,
    schedules,
    datasets: store.datasets,
    accounts,
    limits: coordination.limits,
    isShared: store.isShared,
    mayRun,
    startJob: (schedule, jobId) => startScheduledJob(starting, schedule, jobId),
    clock,
    onError,
  });
  const importer =
    mayRun === undefined
      ? startDatasetImporter({
          datasets: store.datasets,
          jobs,
          records,
          limits: coordination.limits,
          clock,
          onError,
        })
      : null;
  const watched = {
    store,
    alerts: store.alerts,
    accounts,
    metrics: new MetricReader({
      store,
      accounts,
      siteLimits: () => core.siteLimits.all,
      spentAt: (host, now) => core.siteBudgets.spent(host, now),
      unit: () => core.prices.current()?.currency ?? EFFORT_UNIT,
    }),
    pools: core.proxyPools,
    vendors: pipeline.vendors,
    memory,
    machineMemory: () => usedShare(machineMemorySpace()),
    disk: async () => usedShare(await diskSpace(dataPaths(config).dataDir)),
  };
  const alertEngine = startAlertEngine({ ...watched, limits: coordination.limits, clock, onError });
  return {
    jobEngine,
    monitorEngine,
    scheduleEngine,
    watched,
    clock,
    purgeJob: purge,
    async stop(ms) {
      unsubscribe();
      await Promise.all([
        alertEngine.stop(),
        monitorEngine.stop(),
        scheduleEngine.stop(),
        importer?.stop(),
        jobSweep.stop(),
        jobEngine.stop(ms),
      ]);
      serverClock?.close();
    },
  };
}

/** @param allow ranges of addresses, and `host:port` */
function exceptionsOf(allow: readonly string[]) {
  const isRange = (text: string) => parseIpRange(text) !== null;
  return { ranges: allow.filter(isRange), hosts: allow.filter((text) => !isRange(text)) };
}

/** What sends exports, and to whom it may. */
export function openExportSender(
  { egress, memory }: { readonly egress: Egress; readonly memory: MemoryBudget },
  { exportAllow, ca }: Config,
): ExportSender {
  const guard = egress.guardFor(exceptionsOf(exportAllow));
  return createExportSender({ guard, ca: ca === null ? null : [ca], memory, clock: systemClock });
}

type ExportingDeps = Omit<ExporterDeps, 'exports' | 'jobs' | 'spool' | 'userAgent' | 'random'>;

/** Begins to send exports. */
export async function openExporter(
  { store, ...deps }: ExportingDeps & Pick<Data, 'store'>,
  config: Config,
): Promise<Exporter> {
  const [{ startExporter }, { openDiskSpool }] = await Promise.all([
    import('./exports/exporter.ts'),
    import('./adapters/exports/disk-spool.ts'),
  ]);
  const spool = await openDiskSpool(join(dataPaths(config).dataDir, 'exports'));
  const { exports, jobs } = store;
  return startExporter({ ...deps, exports, jobs, spool, userAgent: USER_AGENT, random: Math.random });
}

/** What sends webhooks and the messages of alerts, and to whom it may. */
export function openWebhooks(
  { store, egress, memory }: Pick<Data, 'store'> & { egress: Egress; memory: MemoryBudget },
  config: Config,
  sealer: Sealer,
) {
  const guard = egress.guardFor(exceptionsOf(config.webhookAllow));
  const ca = config.ca === null ? null : [config.ca];
  const sender = createWebhookSender({ guard, ca, memory, clock: systemClock });
  const deps = { store: store.webhooks, sender, sealer, clock: systemClock };
  const webhooks = createWebhooks(deps);
  const { smtpServer, smtpFrom } = config;
  const mailer =
    smtpServer === null || smtpFrom === null
      ? null
      : createSmtpMailer({ server: smtpServer, from: smtpFrom, ca: config.ca });
  const messenger = createMessenger({ webhooks, sender, mailer, userAgent: USER_AGENT, clock: systemClock });
  return { sender, webhooks, mailer, messenger };
}
