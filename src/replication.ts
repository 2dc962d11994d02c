import { type BrowserOnWorkers, createBrowserOnWorkers } from './adapters/replicas/browser-on-workers.ts';
import { createHandOverStore, type HandOverStore } from './adapters/replicas/hand-over-store.ts';
import {
  browserReporter,
  createHandOverWorker,
  type HandOverWorker,
} from './adapters/replicas/hand-over-worker.ts';
import { openReplicas } from './adapters/replicas/registry.ts';
import type { MemoryBudget } from './base/memory-budget.ts';
import { VERSION } from './base/version.ts';
import type { Config } from './config/config.ts';
import { encryptionKeys } from './config/data-dir.ts';
import { settingHashes } from './config/setting-hashes.ts';
import { type Data, openSealer, sealedKeyProblem } from './data.ts';
import type { Logging } from './observe/logger.ts';
import type { BrowserReport, Replicas } from './ports/replicas.ts';
import type { BrowserMonitor, Scraper } from './ports/scraper.ts';
import { StorageError } from './ports/store.ts';

/** What this process is among others on the same database. */
export interface Replication {
  readonly replicas: Replicas;
  /** For a replica without browsers: the scraper `browser`. */
  browserOnWorkers(): BrowserOnWorkers;
  /** For a replica with browsers: begins to run the scrapes of those without. Resolves when they may know of its browsers. */
  startWorker(browser: Scraper & BrowserMonitor, memory: MemoryBudget): Promise<HandOverWorker>;
}

/**
 * Registers this process in the database. Rejects with `SettingsError` if another replica has settings that must be equal, and
 * with `StorageError` if the database fails.
 * @param opened the registration is added to it, and is ended by it
 * @returns null: there is no database that others could use
 */
export async function openReplication(
  opened: AsyncDisposableStack,
  config: Config,
  logging: Logging,
  { postgres, store }: Pick<Data, 'postgres' | 'store'>,
): Promise<Replication | null> {
  if (postgres === null) return null;
  const keys = encryptionKeys(config);
  if (typeof keys === 'string') throw new StorageError(keys);
  const onError = (error: unknown) => {
    if (error instanceof StorageError) logging.logger.warn({ err: error }, 'replicas cannot be reached');
    else logging.logger.error({ err: error }, 'unexpected error in work for other replicas');
  };
  let report: () => BrowserReport | null = () => null;
  const keyProblem = await sealedKeyProblem(config, store);
  if (keyProblem !== null) throw new StorageError(keyProblem);
  const replicas = await openReplicas({
    postgres,
    role: config.role,
    version: VERSION,
    settings: { encryptionKeys: keys.map(({ id }) => id), ...settingHashes(config) },
    browsers: () => report(),
    onError,
  });
  opened.defer(() => replicas.close());
  const handOvers: HandOverStore = createHandOverStore(postgres);
  const sealer = await openSealer(config, { store, postgres }, () => replicas.sealingKeyId);
  return {
    replicas,
    browserOnWorkers: () => createBrowserOnWorkers({ store: handOvers, replicas, sealer, onError }),
    async startWorker(browser, memory) {
      const reporter = browserReporter(browser);
      report = reporter.report;
      const worker = createHandOverWorker({ store: handOvers, replicas, browser, memory, sealer, onError });
      await reporter.ready;
      // If it fails, the others learn of its browsers at the next renewal.
      await replicas.renew().catch(onError);
      worker.start();
      return worker;
    },
  };
}
