import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemClock } from '../../../base/time.ts';
import type { SharedCounters } from '../../../ports/coordination.ts';
import type { Store, StoreUsage } from '../../../ports/store.ts';
import { StorageError } from '../../../ports/store.ts';
import { createAccountStore, heartbeatQuery, insertOrReadQueries } from '../queries/account-store.ts';
import { createAlertStore } from '../queries/alert-store.ts';
import { createAuditStore } from '../queries/audit-store.ts';
import { createChannelStore } from '../queries/channel-store.ts';
import { createDatasetStore } from '../queries/dataset-store.ts';
import { createExperienceStore } from '../queries/experience-store.ts';
import { createExportStore } from '../queries/export-store.ts';
import { createIdempotencyStore } from '../queries/idempotency-store.ts';
import { createMonitorStore } from '../queries/monitor-store.ts';
import { createNotificationStore } from '../queries/notification-store.ts';
import { createProfileStore } from '../queries/profile-store.ts';
import { createCompiler, statementOf } from '../queries/query-compiler.ts';
import { sqliteDialect } from '../queries/record-lists.ts';
import { createRecordStore } from '../queries/record-store.ts';
import { createSampleStore } from '../queries/sample-store.ts';
import { createSavedRequestStore } from '../queries/saved-request-store.ts';
import { createScheduleStore } from '../queries/schedule-store.ts';
import { createSecretStore } from '../queries/secret-store.ts';
import { createSettingStore } from '../queries/setting-store.ts';
import type { RunStatements } from '../queries/statements.ts';
import { createStatsStore } from '../queries/stats-store.ts';
import { createTemplateStore } from '../queries/template-store.ts';
import { createWebhookStore } from '../queries/webhook-store.ts';
import { startCheckpointer } from './checkpointer.ts';
import { takeDatabaseLock } from './file-locks.ts';
import { createJobStore } from './jobs/job-store.ts';
import type { JobTransactionName } from './jobs/job-transactions.ts';
import type { SchemaChange } from './prepare-database.ts';
import { createPutBatcher } from './put-batcher.ts';
import { translateErrors } from './sqlite-errors.ts';
import { createWalLockMemory, type LogEventFunction, startThread } from './storage-threads.ts';
import { createStoredCounters } from './stored-counters.ts';

/** How long to wait for a restore to end. */
const RESTORE_WAIT_MS = 10_000;

const USAGE_SQL = `SELECT (page_count - freelist_count) * page_size AS used, freelist_count * page_size AS free
FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

export interface SqliteStoreOptions {
  readonly file: string;
  /** `normal`: acknowledged writes survive kill -9; `full`: also loss of power, which costs a flush for each batch. */
  readonly durability: 'normal' | 'full';
  readonly log?: LogEventFunction;
  /** Called when a checkpoint fails; see `CheckpointerOptions`. */
  readonly onError?: (error: StorageError) => void;
}

/**
 * Opens the database, after creating or migrating it. One thread writes, another reads; the calling thread only sends
 * messages. Several processes may have the same file open. Rejects with `StorageError` if the file is not a database of
 * Sluice, was written by a newer version, is not accessible, or is being restored.
 */
export async function openSqliteStore(
  options: SqliteStoreOptions,
): Promise<Store & { readonly counters: SharedCounters }> {
  const file = resolve(options.file);
  const log = options.log ?? (() => {});
  translateErrors(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
  const lock = takeDatabaseLock(file, 'shared', RESTORE_WAIT_MS);
  const db = createCompiler();
  const walLockMemory = createWalLockMemory();
  const data = {
    file,
    durability: options.durability,
    walLockMemory,
  };
  const writer = startThread({ entry: 'writer-thread', data, log });
  const reader = startThread({ entry: 'reader-thread', data: { file }, log });
  const threads = [reader, writer];
  let schema: SchemaChange;
  try {
    schema = (await writer.call('open')) as SchemaChange;
    await reader.call('open');
  } catch (error) {
    await Promise.allSettled(threads.map((thread) => thread.close()));
    lock.release();
    throw error;
  }

  const checkpointer = startCheckpointer({
    data: { file, durability: options.durability, walLockMemory },
    log,
    onError: options.onError ?? (() => {}),
  });
  const puts = createPutBatcher(writer, checkpointer.recordStored);
  const read: RunStatements = (statements) => reader.call('run', statements) as ReturnType<RunStatements>;
  const write: RunStatements = (statements) => writer.call('run', statements) as ReturnType<RunStatements>;
  const transact = (name: JobTransactionName, args: readonly unknown[]) => writer.call('job', name, args);
  const backups = new Set<Promise<void>>();
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    try {
      await puts.drain();
      await Promise.allSettled(backups);
      // The writer is closed last: without readers, it can move the whole WAL into the database.
      await reader.close();
      await checkpointer.close();
    } finally {
      await writer.close().finally(() => lock.release());
    }
  }

  return {
    isShared: false,
    schema,
    records: createRecordStore({
      db,
      dialect: sqliteDialect,
      put: puts.put,
      read,
      readList: read,
      write,
      dropContents: (ids) => writer.call('dropContents', ids),
    }),
    accounts: createAccountStore(db, write),
    audit: createAuditStore(db, read, write),
    stats: createStatsStore({ db, read, write, count: (increments) => writer.call('count', increments) }),
    experience: createExperienceStore(db, read, write),
    experienceLog: null,
    jobs: createJobStore({ db, read, write, transact }),
    webhooks: createWebhookStore({
      db,
      read,
      write,
      claimDeliveries: (claim) => transact('claimDeliveries', [claim]),
      endDelivery: (end) => transact('endDelivery', [end]),
    }),
    monitors: createMonitorStore(db, read, write),
    schedules: createScheduleStore(db, read, write),
    exports: createExportStore(db, read, write),
    datasets: createDatasetStore(db, read, write),
    alerts: createAlertStore(db, read, write),
    channels: createChannelStore(db, read, write),
    notifications: createNotificationStore(db, read, write),
    templates: createTemplateStore(db, read, write),
    savedRequests: createSavedRequestStore(db, read, write),
    profiles: createProfileStore(db, read, write),
    secrets: createSecretStore(read, write),
    settings: createSettingStore(db, read, write),
    samples: createSampleStore(db, read, write),
    idempotency: createIdempotencyStore(read, write),
    counters: createStoredCounters(write, systemClock),
    async check() {
      await write([statementOf(heartbeatQuery(db, Date.now()))]);
      await checkpointer.check();
    },
    async usage() {
      const [result] = await read([[USAGE_SQL, []]]);
      return result!.rows[0] as StoreUsage;
    },
    async shrink(keepFree) {
      const freed = (await writer.call('shrink', keepFree)) as boolean;
      // Only a checkpoint makes the file shorter.
      if (freed) checkpointer.checkpoint();
      return freed;
    },
    async getOrInsert(name, value) {
      const [, stored] = await write(insertOrReadQueries(db, name, value).map(statementOf));
      return (stored!.rows[0] as { value: number }).value;
    },
    backfill: () => writer.call('backfill') as Promise<boolean>,
    async backup(to) {
      if (closing !== null) throw new StorageError('the store is closed');
      const done = copyInThread(file, resolve(to), log);
      backups.add(done);
      try {
        await done;
      } finally {
        backups.delete(done);
      }
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Copies in a separate thread, because a copy takes long and must not delay writes or reads. */
async function copyInThread(file: string, to: string, log: LogEventFunction): Promise<void> {
  const thread = startThread({ entry: 'backup-thread', data: { file }, log });
  try {
    await thread.call('copy', to);
  } finally {
    await thread.close();
  }
}
