import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Accounts, createAccounts } from './account/accounts.ts';
import { openDiskBlobs } from './adapters/blobs/disk/open-disk-blobs.ts';
import { createInProcessPermits } from './adapters/permits/in-process.ts';
import { createDirectProxies } from './adapters/proxies/direct.ts';
import { createHttpScraper } from './adapters/scrapers/http/create-http-scraper.ts';
import { type BackupResult, backupAll } from './adapters/store/sqlite/backup-all.ts';
import { openSqliteStore } from './adapters/store/sqlite/open-sqlite-store.ts';
import { type RestoreResult, restoreAll } from './adapters/store/sqlite/restore.ts';
import { systemClock } from './base/clock.ts';
import { VERSION } from './base/version.ts';
import { defaultBaseUrl } from './config/default-base-url.ts';
import { keepSecret } from './config/keep-secret.ts';
import type { Config } from './config/parse-config.ts';
import type { ScraperName } from './domain/job.ts';
import { createEgress } from './egress/create-egress.ts';
import type { Egress } from './egress/egress.ts';
import { createHttp, type HttpService } from './http/create-http.ts';
import { createEvents, type Events } from './observe/events.ts';
import type { Logging } from './observe/logger.ts';
import { createMetrics, type Metrics } from './observe/metrics.ts';
import { createPipeline, type Pipeline } from './pipeline/pipeline.ts';
import { startSweeper } from './pipeline/sweep.ts';
import type { BlobStore } from './ports/blob-store.ts';
import type { Scraper } from './ports/scraper.ts';
import type { Store } from './ports/store.ts';
import { answerJson } from './wire/answer/answer-json.ts';
import { toRecord } from './wire/record/to-record.ts';

/** interface-spec.md, Limits: 50 by default. */
const DEFAULT_CONCURRENCY = 50;
const DAY_MS = 86_400_000;

/** Everything that does the work, without a server: the command line uses it too. */
export interface Core {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly accounts: Accounts;
  readonly pipeline: Pipeline;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly egress: Egress;
  close(): Promise<void>;
}

/** Opens store, blobs and what fetches. Rejects with StorageError when the data folder cannot be used. */
export async function openCore(config: Config, logging: Logging): Promise<Core> {
  const { dataDir, databaseFile, blobsDir } = places(config);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const clock = systemClock;
  const { durability } = config;
  const log = (event: string, fields: object) => logging.logger.warn(fields, event);
  const store = await openSqliteStore({ file: databaseFile, durability, log });
  const blobs = await openDiskBlobs({ dir: blobsDir, durability });
  const metrics = createMetrics(logging.dropped);
  const events = createEvents(logging.logger, metrics);
  const accounts = await createAccounts({
    store: store.accounts,
    clock,
    defaultConcurrency: DEFAULT_CONCURRENCY,
    onAudit: events.audit,
  });
  const egress = createEgress({
    allow: config.allowAddresses,
    dnsServers: config.dnsServers.length === 0 ? null : config.dnsServers,
    clock,
  });
  const ca = config.ca === null ? null : [config.ca];
  const scrapers = new Map<ScraperName, Scraper>();
  scrapers.set('http', createHttpScraper({ egress, version: VERSION, ca, clock }));
  const proxies = createDirectProxies({ allowDirect: config.allowDirect });
  const pipeline = createPipeline({
    scrapers,
    proxies,
    clock,
    records: store.records,
    blobs,
    metrics,
    render: { answer: answerJson, record: toRecord },
  });
  return {
    store,
    blobs,
    accounts,
    pipeline,
    events,
    metrics,
    egress,
    async close() {
      for (const scraper of scrapers.values()) await scraper.close();
      egress.close();
      await accounts.close();
      await blobs.close();
      await store.close();
    },
  };
}

/** The service over HTTP, with what runs in the background. Not listening yet; `close` does not close the core. */
export async function openService(core: Core, config: Config, logging: Logging): Promise<HttpService> {
  const { dataDir } = places(config);
  const sweeper = startSweeper({
    records: core.store.records,
    blobs: core.blobs,
    clock: systemClock,
    retentionMs: config.retentionDays * DAY_MS,
    onTrouble: (error) => logging.logger.error({ err: error }, 'sweep failed'),
  });
  const { corsOrigins } = config;
  const http = await createHttp({
    ...core,
    permits: createInProcessPermits(),
    clock: systemClock,
    logger: logging.logger,
    version: VERSION,
    secret: config.secret ?? keepSecret(join(dataDir, 'secret')),
    baseUrl: (port) => config.baseUrl ?? defaultBaseUrl(config.host, port),
    trustedProxies: config.trustedProxies,
    corsOrigins: corsOrigins.kind === 'list' ? corsOrigins.origins : corsOrigins.kind,
    metricsToken: config.metricsToken,
    defaultConcurrency: DEFAULT_CONCURRENCY,
    onListening: (address, port) => core.egress.addOwnListener(address, port),
  });
  return {
    ...http,
    async close() {
      await http.close();
      await sweeper.stop();
    },
  };
}

/** A whole backup to a file that must not exist, also while a service is running on the same data. */
export function backup(core: Core, file: string): Promise<BackupResult> {
  return backupAll({ store: core.store, blobs: core.blobs, file });
}

/** Puts a backup in place; refused while a service is running on the data. */
export async function restore(config: Config, from: string, force: boolean): Promise<RestoreResult> {
  const { dataDir, databaseFile, blobsDir } = places(config);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const blobs = await openDiskBlobs({ dir: blobsDir, durability: 'full' });
  try {
    return await restoreAll({ from, to: databaseFile, force, blobs });
  } finally {
    await blobs.close();
  }
}

function places(config: Config) {
  const dataDir = resolve(config.dataDir);
  return { dataDir, databaseFile: join(dataDir, 'sluice.db'), blobsDir: join(dataDir, 'blobs') };
}
