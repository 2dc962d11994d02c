import type { Store, StoreUsage } from '../../../ports/store.ts';
import { StorageError } from '../../../ports/store.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../../postgres/postgres.ts';
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
import { createPostgresCompiler, statementOf } from '../queries/query-compiler.ts';
import { createSampleStore } from '../queries/sample-store.ts';
import { createSavedRequestStore } from '../queries/saved-request-store.ts';
import { createScheduleStore } from '../queries/schedule-store.ts';
import { createSecretStore } from '../queries/secret-store.ts';
import { createSettingStore } from '../queries/setting-store.ts';
import type { RunStatements } from '../queries/statements.ts';
import { createStatsStore } from '../queries/stats-store.ts';
import { createTemplateStore } from '../queries/template-store.ts';
import { createWebhookStore } from '../queries/webhook-store.ts';
import { addCounts } from './count-stats.ts';
import { createExperienceLog } from './experience-log.ts';
import { createPostgresJobStore } from './jobs/postgres-job-store.ts';
import { migratePostgres } from './migrate.ts';
import { createPostgresRecordStore } from './records/postgres-record-store.ts';
import { webhookTransactions } from './webhooks.ts';

const USAGE_AGE_MS = 10_000;

export interface PostgresStoreOptions extends PostgresOptions {
  readonly log?: (event: string, fields: Record<string, unknown>) => void;
  /** Present time, ms since the epoch, for partitions; default: the clock of this machine. */
  readonly now?: () => number;
}

/**
 * Opens the database, after creating or migrating its schema. Rejects with `StorageError` if it cannot be reached, its server is
 * older than PostgreSQL 14, or its schema is too new. How durable writes are is a setting of the server (`synchronous_commit`).
 * @param postgres its connections, which are closed with the store
 */
export async function openPostgresStore(
  options: PostgresStoreOptions,
  postgres: Postgres = openPostgres(options),
): Promise<Store> {
  const db = createPostgresCompiler();
  const read: RunStatements = (statements) => postgres.read(statements);
  const write: RunStatements = (statements) => postgres.write(statements);
  const { records, drain, makePartitions } = createPostgresRecordStore({
    postgres,
    db,
    now: options.now ?? Date.now,
  });
  let schema: Store['schema'];
  try {
    const { from, to } = await migratePostgres(options);
    schema = { before: from, now: to };
    await makePartitions();
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return {
    isShared: true,
    schema,
    records,
    accounts: createAccountStore(db, changeAlone(postgres, 'accounts')),
    audit: createAuditStore(db, read, write),
    stats: createStatsStore({
      db,
      read: (statements) => postgres.readReplica(statements),
      write,
      count: (increments) => addCounts(postgres, increments),
      // No counter changes between being added to another one and being deleted.
      beforeMerging: [['LOCK TABLE site_counts, site_costs, usage_counts IN SHARE ROW EXCLUSIVE MODE', []]],
    }),
    experience: createExperienceStore(db, read, changeAlone(postgres, 'experience')),
    experienceLog: createExperienceLog(postgres),
    jobs: createPostgresJobStore(postgres, db),
    alerts: createAlertStore(db, read, changeAlone(postgres, 'alerts')),
    channels: createChannelStore(db, read, changeAlone(postgres, 'channels')),
    notifications: createNotificationStore(db, read, write),
    monitors: createMonitorStore(db, read, changeAlone(postgres, 'monitors')),
    schedules: createScheduleStore(db, read, changeAlone(postgres, 'schedules')),
    datasets: createDatasetStore(db, read, changeAlone(postgres, 'datasets')),
    exports: createExportStore(db, read, (statements) => postgres.write(statements)),
    templates: createTemplateStore(db, read, changeAlone(postgres, 'templates')),
    savedRequests: createSavedRequestStore(db, read, changeAlone(postgres, 'saved requests')),
    profiles: createProfileStore(db, read, write),
    webhooks: createWebhookStore({ db, read, write, ...webhookTransactions(postgres) }),
    secrets: createSecretStore(read, write),
    settings: createSettingStore(db, read, changeAlone(postgres, 'settings')),
    samples: createSampleStore(db, read, write),
    idempotency: createIdempotencyStore(read, write),
    async check() {
      await write([statementOf(heartbeatQuery(db, Date.now()))]);
    },
    usage: createUsage(read),
    shrink: async () => false,
    async getOrInsert(name, value) {
      const [, stored] = await write(insertOrReadQueries(db, name, value).map(statementOf));
      return (stored!.rows[0] as { value: number }).value;
    },
    // No migration leaves anything to do on older rows.
    backfill: async () => false,
    async backup() {
      throw new StorageError(
        'a PostgreSQL database is backed up with pg_dump and restored with pg_restore, not by Sluice',
      );
    },
    async close() {
      await drain();
      await postgres.close();
    },
  };
}

/**
 * Runs transactions with this name one after the other, over all processes, so that a statement sees what the statements of
 * others before it changed: such as whether another administrator is left, or how many monitors a user has. A single SELECT does
 * not wait.
 */
function changeAlone(postgres: Postgres, name: string): RunStatements {
  return async (statements) => {
    const isRead = statements.length === 1 && /^select /i.test(statements[0]![0]);
    if (isRead) return postgres.write(statements);
    const [, ...results] = await postgres.write([
      ['SELECT pg_advisory_xact_lock(hashtext(?))', [`sluice ${name}`]],
      ...statements,
    ]);
    return results;
  };
}

/** The size is asked for rarely: the server looks at each file of the database. */
function createUsage(read: RunStatements): Store['usage'] {
  let usage: Promise<StoreUsage> | null = null;
  let askedAt = 0;
  const ask = async (): Promise<StoreUsage> => {
    const [result] = await read([['SELECT pg_database_size(current_database()) AS used', []]]);
    return { ...(result!.rows[0] as { used: number }), free: 0 };
  };
  return async () => {
    if (usage === null || performance.now() - askedAt > USAGE_AGE_MS) {
      askedAt = performance.now();
      usage = ask();
      usage.catch(() => {
        usage = null;
      });
    }
    return await usage;
  };
}
