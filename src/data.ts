import { randomInt } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { type Accounts, createAccounts } from './account/accounts.ts';
import type { OpenIdOptions } from './account/open-id-sign-in.ts';
import { copyBlobs } from './adapters/blobs/copy-blobs.ts';
import { openDiskBlobStore } from './adapters/blobs/disk-blob-store.ts';
import { layeredBlobStore } from './adapters/blobs/layered-blob-store.ts';
import { openPostgresBlobStore } from './adapters/blobs/postgres-blob-store.ts';
import { openS3BlobStore } from './adapters/blobs/s3-blob-store.ts';
import { createInProcessCoordination } from './adapters/coordination/in-process.ts';
import { createOpenIdProvider } from './adapters/oidc/open-id-provider.ts';
import type { Postgres, PostgresOptions } from './adapters/postgres/postgres.ts';
import { CurrentPrices } from './adapters/settings/current-prices.ts';
import { type BackupResult, writeBackup } from './adapters/store/sqlite/backup.ts';
import type { DatabaseLock } from './adapters/store/sqlite/file-locks.ts';
import { makeDataFolder, takeServiceLock } from './adapters/store/sqlite/file-locks.ts';
import { openSqliteStore } from './adapters/store/sqlite/open-sqlite-store.ts';
import { assertBackup, type RestoreResult, restoreAll } from './adapters/store/sqlite/restore.ts';
import { systemClock } from './base/time.ts';
import { orTimeout } from './base/wait.ts';
import type { Config } from './config/config.ts';
import { dataPaths, encryptionKeys, hasDatabase, storedEncryptionKeys } from './config/data-dir.ts';
import { s3Bucket } from './config/s3-bucket.ts';
import { ROLES } from './domain/account.ts';
import { createSealer, type EncryptionKey, SEAL_PURPOSES, type Sealer } from './domain/sealing.ts';
import type { Logging } from './observe/logger.ts';
import { auditLog } from './observe/logger.ts';
import type { Coordination, SharedCounters } from './ports/coordination.ts';
import type { LiveReplica } from './ports/replicas.ts';
import type { SealedCount } from './ports/secrets.ts';
import type { BlobStore, Store } from './ports/store.ts';
import { StorageError } from './ports/store.ts';

/** Limit of requests in flight for a user without another limit (contract §8). */
export const DEFAULT_CONCURRENCY = 50;
/** Limit of the default of `SLUICE_STORAGE_BYTES`, which is half of the free disk space at the first start (contract §11). */
export const MAX_DEFAULT_STORAGE_BYTES = 50e9;
/** A disk that hangs must not keep the process from ending. */
const CLOSE_TIMEOUT_MS = 10_000;

/** The stored data and the accounts. Commands that do not fetch need nothing else. */
export interface Data {
  readonly store: Store;
  /** The database of `store`; null: SQLite. */
  readonly postgres: Postgres | null;
  readonly blobs: BlobStore;
  readonly accounts: Accounts;
  /** What this process shares with other replicas. */
  readonly coordination: Coordination;
  /** Only those of the file, until `openCore` has read the settings. */
  readonly prices: CurrentPrices;
}

export interface DataCallbacks {
  /** Called if a write in the background fails. */
  readonly onError?: (error: StorageError) => void;
  /** Called when older data is about to be migrated, by this process or another one. */
  readonly onMigrating?: () => void;
  /** See `openSealer`. */
  readonly sealingKeyId?: () => string | null;
}

/**
 * Opens store, blobs and accounts. Rejects with StorageError if the data folder cannot be used.
 * @param opened each part is added to it, and is closed by it
 */
export async function openData(
  opened: AsyncDisposableStack,
  config: Config,
  logging: Logging,
  callbacks: DataCallbacks = {},
): Promise<Data> {
  await makeDataFolder(dataPaths(config).dataDir);
  const prices = new CurrentPrices(config.prices);
  const { store, postgres, counters } = await openStore(config, logging, callbacks);
  opened.defer(() => store.close());
  const blobs = await openBlobs(config, postgres);
  opened.defer(() => blobs.close());
  const coordination = await coordinate(config, logging, postgres, counters);
  opened.defer(() => coordination.close());
  let sealer: Promise<Sealer> | null = null;
  const accounts = await createAccounts({
    store: store.accounts,
    audit: store.audit,
    clock: systemClock,
    defaultConcurrency: DEFAULT_CONCURRENCY,
    passwordCost: config.passwordCost,
    onAudit: auditLog(logging),
    sealer: () => (sealer ??= openSealer(config, { store, postgres }, callbacks.sealingKeyId)),
    currency: () => prices.current()?.currency ?? null,
    openId: openIdOptions(config, logging),
    values: coordination.keptValues,
    counters: postgres === null ? null : coordination.counters,
  });
  opened.defer(() => accounts.close());
  return { store, postgres, blobs, accounts, coordination, prices };
}

/** Sign-in by the provider of `SLUICE_OIDC_*`; null: none is set. */
function openIdOptions(config: Config, { logger }: Logging): OpenIdOptions | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === null || clientId === null || clientSecret === null) return null;
  const provider = createOpenIdProvider({
    issuer,
    clientId,
    clientSecret,
    scopes: config.oidcScopes,
    roleClaim: config.oidcRoleClaim,
    roles: config.oidcRoles ?? ROLES.map((role) => ({ value: role, role })),
    onProblem: (why) => logger.warn({ why }, 'the OpenID provider cannot be used'),
  });
  return { provider, name: config.oidcName, signUp: config.oidcSignUp };
}

/** @param counters of SQLite; null: PostgreSQL or Redis counts */
async function coordinate(
  config: Config,
  logging: Logging,
  postgres: Postgres | null,
  counters: SharedCounters | null,
): Promise<Coordination> {
  const database = postgresOptions(config);
  if (database === null || postgres === null) return createInProcessCoordination(systemClock, counters!);
  const { openCoordination } = await import('./adapters/coordination/open-coordination.ts');
  return openCoordination({
    database,
    shared: postgres,
    redis: config.redis,
    onRedis: redisLog(logging),
  });
}

const redisLog =
  ({ logger }: Logging) =>
  (problem: StorageError | null) => {
    if (problem === null) logger.info('Redis answers; it counts when all services reach it');
    else logger.warn({ why: problem.message }, 'Redis cannot be reached, so PostgreSQL counts');
  };

const readReplicaLog = (logger: Logging['logger']) => (problem: Error | null) => {
  if (problem === null) logger.info('the read replica answers');
  else logger.warn({ why: problem.message }, 'the read replica does not answer, so the database is asked');
};

async function openStore(
  config: Config,
  { logger }: Logging,
  { onError, onMigrating }: DataCallbacks,
): Promise<Pick<Data, 'store' | 'postgres'> & { readonly counters: SharedCounters | null }> {
  const log = (event: string, fields: object) => {
    if (event === 'store.migrating') onMigrating?.();
    logger.warn(fields, event);
  };
  const options = postgresOptions(config);
  if (options !== null) {
    // Loaded here, because SQLite needs none of it.
    const { openPostgres } = await import('./adapters/postgres/postgres.ts');
    const { openPostgresStore } = await import('./adapters/store/postgres/open-postgres-store.ts');
    const postgres = openPostgres({ ...options, onReplica: readReplicaLog(logger) });
    return { store: await openPostgresStore({ ...options, log }, postgres), postgres, counters: null };
  }
  const { databaseFile: file } = dataPaths(config);
  const { durability } = config;
  const store = await openSqliteStore({
    file,
    durability,
    log,
    ...(onError === undefined ? {} : { onError }),
  });
  return { store, postgres: null, counters: store.counters };
}

/** Of large contents: in the bucket of `SLUICE_S3_*`, else in PostgreSQL, else in the data folder. */
async function openBlobs(config: Config, postgres: Postgres | null): Promise<BlobStore> {
  const { durability } = config;
  const own =
    postgres === null
      ? await openDiskBlobStore({ dir: dataPaths(config).blobsDir, durability })
      : openPostgresBlobStore(postgres);
  const s3 = s3Bucket(config);
  return s3 === null ? own : layeredBlobStore(openS3BlobStore(s3), own);
}

/** The database of `SLUICE_DATABASE_URL`; null: SQLite in the data folder. */
export function postgresOptions({
  databaseUrl: url,
  databaseDirectUrl: directUrl,
  databaseReadUrl: readUrl,
}: Config): PostgresOptions | null {
  return url === null ? null : { url, directUrl, readUrl };
}

/**
 * The sealer of this process. Rejects with StorageError if something stored was sealed with a key that it does not have.
 * @param sealingKeyId the key that this replica encrypts with; null or absent: the process is no replica. Then it is the newest
 *   key, and with PostgreSQL the newest that all replicas know
 */
export async function openSealer(
  config: Config,
  { store, postgres }: Pick<Data, 'store' | 'postgres'>,
  sealingKeyId: () => string | null = () => null,
): Promise<Sealer> {
  const keys = encryptionKeys(config);
  if (typeof keys === 'string') throw new StorageError(keys);
  const problem = await sealedKeyProblem(config, store);
  if (problem !== null) throw new StorageError(problem);
  if (sealingKeyId() !== null) return createSealer(keys, sealingKeyId);
  if (postgres === null) {
    const sealer = createSealer(keys);
    await store.secrets.addKeyId(sealer.keyId, systemClock.now());
    return sealer;
  }
  const { id, replicas } = await agreeOnKey(keys, postgres);
  if (id === null) throw new StorageError(noCommonKey(replicas));
  return createSealer(keys, () => id);
}

async function agreeOnKey(keys: readonly EncryptionKey[], postgres: Postgres) {
  // Loaded here, because SQLite needs none of it.
  const { agreeOnSealingKey } = await import('./adapters/replicas/sealing-key.ts');
  return agreeOnSealingKey(
    postgres,
    keys.map(({ id }) => id),
  );
}

const noCommonKey = (replicas: readonly LiveReplica[]): string =>
  `SLUICE_ENCRYPTION_KEY has no key that all replicas know, which run on ${replicas.map(({ host }) => host).join(', ')}`;

/** Replicas that do not encrypt with the newest key of this configuration (yet), as `HOST (role ROLE)`; none with SQLite. */
export async function replicasWithOlderKey(
  config: Config,
  { postgres }: Pick<Data, 'postgres'>,
): Promise<readonly string[]> {
  const keys = encryptionKeys(config);
  if (postgres === null || typeof keys === 'string') return [];
  const { replicas } = await agreeOnKey(keys, postgres);
  return replicas
    .filter(({ sealingKeyId }) => sealingKeyId !== keys[0]!.id)
    .map(({ host, role }) => `${host} (role ${role})`);
}

/** A message if something stored was sealed with a key that is missing; else null. */
export async function sealedKeyProblem(
  config: Config,
  { secrets, isShared }: Pick<Store, 'secrets' | 'isShared'>,
): Promise<string | null> {
  const keys = encryptionKeys(config);
  if (typeof keys === 'string') return keys;
  const missing = (await secrets.keyIds()).filter((id) => !keys.some((key) => key.id === id));
  if (missing.length === 0) return null;
  const counts = await secrets.counts();
  // Another service may use the key now, even if it has encrypted nothing yet.
  if (isShared) return missingKeysMessage(config, missing, counts);
  const needed = missing.filter((id) => counts.some(({ keyId }) => keyId === id));
  await secrets.removeKeyIds(missing.filter((id) => !needed.includes(id)));
  return needed.length === 0 ? null : missingKeysMessage(config, needed, counts);
}

/** What is encrypted with keys that are missing, and where they may be. */
function missingKeysMessage(
  config: Config,
  missing: readonly string[],
  counts: readonly SealedCount[],
): string {
  const values = counts
    .filter(({ keyId }) => keyId !== null && missing.includes(keyId))
    .map(({ purpose, keyId, count }) => `${count} × ${SEAL_PURPOSES[purpose]} (${keyId})`);
  const use = values.length === 0 ? 'other services of the same database' : values.join(', ');
  const source = config.encryptionKeys === null ? 'The data folder' : 'SLUICE_ENCRYPTION_KEY';
  const inFolder = storedEncryptionKeys(config).some(({ id }) => missing.includes(id));
  const hint = inFolder
    ? 'The file encryption-key in the data folder has it: append its text to SLUICE_ENCRYPTION_KEY.'
    : 'Append it to SLUICE_ENCRYPTION_KEY or to the file encryption-key in the data folder. If it is lost, `sluice secrets forget ID` deletes what it encrypts.';
  return `${source} lacks the encryption key ${missing.join(', ')}, which is needed for ${use}. ${hint}`;
}

/** Opens the data, runs `work`, and closes the data. */
export async function withData<T>(
  config: Config,
  logging: Logging,
  work: (data: Data) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const data = await openData(opened, config, logging);
  const disposables = opened.move();
  try {
    return await work(data);
  } finally {
    await closeWithTimeout(disposables);
  }
}

/**
 * Migrates the data, which opening it does, and then does all that is left to do on older rows.
 * @returns the versions of the schema before (null: there was no data) and now
 */
export function migrate(config: Config, logging: Logging): Promise<Store['schema']> {
  return withData(config, logging, async ({ store }) => {
    while (await store.backfill());
    return store.schema;
  });
}

export interface CopyParts {
  /** The data folder whose database and contents are copied. */
  readonly from: string;
  readonly to: PostgresOptions;
  readonly onTable: (table: string, rows: number) => void;
}

/**
 * Copies a data folder to PostgreSQL, its large contents to the bucket of `SLUICE_S3_*` if there is one. Can be repeated until it
 * ends. Rejects with StorageError, and with DataInUse while a service runs on the folder.
 * @returns number of large contents
 */
export async function copyData(config: Config, { from, to, onTable }: CopyParts): Promise<number> {
  const source: Config = { ...config, dataDir: from };
  const { dataDir, databaseFile: file, blobsDir: dir } = dataPaths(source);
  if (!hasDatabase(source)) throw new StorageError(`there is no data of Sluice in ${dataDir}`);
  await using opened = new AsyncDisposableStack();
  const lock = takeServiceLock(dataDir);
  opened.defer(() => lock.release());
  const sourceId = await readyToCopy(file);
  const onDisk = await openDiskBlobStore({ dir, durability: 'normal' });
  opened.defer(() => onDisk.close());
  const { openPostgres } = await import('./adapters/postgres/postgres.ts');
  const { copyToPostgres } = await import('./adapters/store/copy/copy-to-postgres.ts');
  const postgres = openPostgres(to);
  opened.defer(() => postgres.close());
  const blobs = await openBlobs({ ...source, databaseUrl: to.url }, postgres);
  let copied = 0;
  const copy = async () => {
    copied = await copyBlobs(onDisk, blobs);
  };
  await copyToPostgres({ file, sourceId, to, onTable, copyBlobs: copy });
  return copied;
}

/** Updates the schema of a database that no service uses. @returns a number that stays, and that no other database has */
async function readyToCopy(file: string): Promise<number> {
  const store = await openSqliteStore({ file, durability: 'full' });
  try {
    while (await store.backfill());
    // As at the start of a service on it.
    await store.idempotency.loseAll();
    return await store.getOrInsert('copy_id', randomInt(2 ** 47));
  } finally {
    await store.close();
  }
}

/** Closes everything. Rejects with StorageError if the latest changes could not be stored within ten seconds. */
export async function closeWithTimeout(disposables: AsyncDisposableStack): Promise<void> {
  try {
    const closed = disposables.disposeAsync().then(() => true);
    if (!(await orTimeout(closed, CLOSE_TIMEOUT_MS, false)))
      throw new StorageError('the disk does not respond; the latest records may be lost');
  } catch (error) {
    // If several parts fail, the first error is thrown: it is the likely cause of the others.
    let first: unknown = error;
    while (first instanceof SuppressedError) first = first.suppressed;
    throw first;
  }
}

/**
 * Locks the data folder, so that only one service uses it. With PostgreSQL several may: the lock does nothing. Commands may use it at the same time. Rejects with DataInUse
 * if another service has the lock.
 */
export async function lockDataDir(config: Config): Promise<DatabaseLock> {
  if (config.databaseUrl !== null) return { release() {} };
  const { dataDir } = dataPaths(config);
  await makeDataFolder(dataDir);
  return takeServiceLock(dataDir);
}

/** Writes a complete backup to a file that must not exist. A service may be running on the same data. Rejects for PostgreSQL. */
export function backup({ store, blobs }: Data, file: string): Promise<BackupResult> {
  return writeBackup({ store, blobs, file });
}

/**
 * Replaces the data with a backup. Rejects with StorageError while a service is running on the data.
 * @param options.force replace existing data; otherwise it is an error
 */
export async function restore(
  config: Config,
  from: string,
  { force }: { readonly force: boolean },
): Promise<RestoreResult> {
  if (config.databaseUrl !== null)
    throw new StorageError(
      'with SLUICE_DATABASE_URL, restore a backup made by pg_dump with pg_restore. To move a backup made by Sluice to PostgreSQL, restore it without SLUICE_DATABASE_URL, and copy it with sluice copy',
    );
  const { dataDir, databaseFile, blobsDir } = dataPaths(config);
  // Checked first, so that a wrong file does not lead to a new data folder.
  assertBackup(from);
  await makeDataFolder(dataDir);
  const blobs = await openDiskBlobStore({ dir: blobsDir, durability: 'full' });
  try {
    return await restoreAll({ from, to: databaseFile, force, blobs });
  } finally {
    await blobs.close();
  }
}

/** The limit of what is stored, in bytes; null: the storage is on other machines, so its size is not known here. */
export async function storageLimit(config: Config, store: Store): Promise<number | null> {
  if (store.isShared) return null;
  if (config.storageBytes !== null) return config.storageBytes;
  const { bavail, bsize } = await statfs(dataPaths(config).dataDir);
  const half = Math.floor(Math.min(MAX_DEFAULT_STORAGE_BYTES, (bavail * bsize) / 2));
  return await store.getOrInsert('storage_bytes', half);
}
