import { type Accounts, createAccounts } from './account/accounts.ts';
import { openDiskBlobStore } from './adapters/blobs/disk-blob-store.ts';
import { type BackupResult, writeBackup } from './adapters/store/backup.ts';
import type { DatabaseLock } from './adapters/store/file-locks.ts';
import { makeDataFolder, takeServiceLock } from './adapters/store/file-locks.ts';
import { openSqliteStore } from './adapters/store/open-sqlite-store.ts';
import { assertBackup, type RestoreResult, restoreAll } from './adapters/store/restore.ts';
import { systemClock } from './base/time.ts';
import { orTimeout } from './base/wait.ts';
import type { Config } from './config/config.ts';
import { dataPaths } from './config/data-dir.ts';
import type { Logging } from './observe/logger.ts';
import { auditLog } from './observe/logger.ts';
import type { BlobStore, Store } from './ports/store.ts';
import { StorageError } from './ports/store.ts';

/** interface-spec.md, Limits: 50 by default. */
export const DEFAULT_CONCURRENCY = 50;
const CLOSING_MS = 10_000;

/** What is kept, and who may use it: all that commands need which do not fetch. */
export interface Data {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly accounts: Accounts;
}

/**
 * Opens store, blobs and accounts; `opened` closes them. Rejects with StorageError when the data folder cannot be used.
 * @param onError told when work that nobody waits for fails
 */
export async function openData(
  opened: AsyncDisposableStack,
  config: Config,
  logging: Logging,
  onError?: (error: StorageError) => void,
): Promise<Data> {
  const { dataDir, databaseFile, blobsDir } = dataPaths(config);
  await makeDataFolder(dataDir);
  const { durability, prices } = config;
  const log = (event: string, fields: object) => logging.logger.warn(fields, event);
  const store = await openSqliteStore({
    ...{ file: databaseFile, durability, log },
    ...(onError === undefined ? {} : { onError }),
  });
  opened.defer(() => store.close());
  const blobs = await openDiskBlobStore({ dir: blobsDir, durability });
  opened.defer(() => blobs.close());
  const accounts = await createAccounts({
    store: store.accounts,
    clock: systemClock,
    defaultConcurrency: DEFAULT_CONCURRENCY,
    passwordCost: config.passwordCost,
    onAudit: auditLog(logging),
    currency: prices?.currency ?? null,
  });
  opened.defer(() => accounts.close());
  return { store, blobs, accounts };
}

/** Opens it for one piece of work. */
export async function withData<T>(
  config: Config,
  logging: Logging,
  work: (data: Data) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const data = await openData(opened, config, logging);
  const all = opened.move();
  try {
    return await work(data);
  } finally {
    await closeWithTimeout(all);
  }
}

/** Rejects with StorageError when what was last to be stored could not be. A disk that hangs is not waited for. */
export async function closeWithTimeout(all: AsyncDisposableStack): Promise<void> {
  try {
    const closed = all.disposeAsync().then(() => true);
    if (!(await orTimeout(closed, CLOSING_MS, false)))
      throw new StorageError('the disk does not respond; the latest records may be lost');
  } catch (error) {
    // The first thing that failed tells enough.
    let first: unknown = error;
    while (first instanceof SuppressedError) first = first.suppressed;
    throw first;
  }
}

/**
 * Makes this process the one service of its data folder; the command line may work beside it. Rejects with
 * StorageError when there is another.
 */
export async function lockDataDir(config: Config): Promise<DatabaseLock> {
  const { dataDir } = dataPaths(config);
  await makeDataFolder(dataDir);
  return takeServiceLock(dataDir);
}

/** A whole backup to a file that must not exist, also while a service is running on the same data. */
export function backup({ store, blobs }: Data, file: string): Promise<BackupResult> {
  return writeBackup({ store, blobs, file });
}

/** Puts a backup in place; refused while a service is running on the data. */
export async function restore(config: Config, from: string, force: boolean): Promise<RestoreResult> {
  const { dataDir, databaseFile, blobsDir } = dataPaths(config);
  // Before a folder is made.
  assertBackup(from);
  await makeDataFolder(dataDir);
  const blobs = await openDiskBlobStore({ dir: blobsDir, durability: 'full' });
  try {
    return await restoreAll({ from, to: databaseFile, force, blobs });
  } finally {
    await blobs.close();
  }
}
