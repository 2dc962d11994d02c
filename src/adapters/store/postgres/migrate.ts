import { sleep } from '../../../base/wait.ts';
import { StorageError } from '../../../ports/store.ts';
import {
  type PostgresConnection,
  type PostgresOptions,
  withDirectConnection,
} from '../../postgres/postgres.ts';
import type { PostgresMigration } from '../schema/migrations/postgres/postgres-migration.ts';
import { POSTGRES_MIGRATIONS } from '../schema/postgres-migrations.ts';

/** `server_version_num` of PostgreSQL 14. */
const MIN_SERVER_VERSION = 140_000;
/** Key of the advisory lock that one migrating process holds: "Slce", and 1. */
const LOCK_KEY = [0x536c6365, 1] as const;

const LOCK_WAIT = '1s';
const LOCK_PAUSE_MS = 1_000;
/** SQLSTATE of lock_not_available and deadlock_detected. */
const IN_USE = new Set(['55P03', '40P01']);

/** Exists while `sluice copy` fills the database. */
export const COPY_TABLE = 'sluice_copy';

type MigrationOptions = Pick<PostgresOptions, 'url' | 'directUrl'> & {
  readonly migrations?: readonly PostgresMigration[];
  readonly log?: (event: string, fields: Record<string, unknown>) => void;
  /** For `sluice copy`, which may use a database whose copy is not complete. */
  readonly isCopying?: boolean;
};

/** What `sluice_schema` says: the version of the schema, and the oldest version of the program that works with it. */
interface SchemaRow {
  readonly version: number;
  readonly min_version: number;
}

/**
 * Creates the schema, or migrates it to the newest version. One process does this at a time, others wait. Rejects with
 * `StorageError` if the server is older than PostgreSQL 14, or if the schema is too new for this program, or older than the initial
 * migration. A schema that is newer, but marked as compatible, is left as it is.
 * @returns the versions before (null: there was no schema) and after
 */
export function migratePostgres(
  options: MigrationOptions,
): Promise<{ readonly from: number | null; readonly to: number }> {
  const { migrations = POSTGRES_MIGRATIONS, log = () => {} } = options;
  const newest = migrations.at(-1)!.version;
  return withDirectConnection(options, async (connection) => {
    await checkServer(connection);
    if (options.isCopying !== true) await assertNoCopy(connection);
    // Without the lock, because normally there is nothing to do.
    const before = await readSchema(connection, newest);
    if (before !== null && before.version >= newest) return { from: before.version, to: before.version };
    // Before the lock, so that a service tells it while another process migrates.
    if (before !== null) log('store.migrating', { from: before.version, to: newest });
    await connection.run('SELECT pg_advisory_lock(?, ?)', LOCK_KEY);
    const schema = await readSchema(connection, newest);
    const from = schema?.version ?? null;
    const pending = migrations.filter(({ version }) => version > (from ?? 0));
    let minVersion = schema?.min_version ?? 0;
    for (const migration of pending) {
      minVersion = migration.isCompatible ? minVersion : migration.version;
      while (!(await apply(connection, migration, minVersion))) await sleep(LOCK_PAUSE_MS);
    }
    return { from, to: Math.max(newest, from ?? 0) };
  });
}

async function checkServer(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.run(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const { number, version } = rows[0] as { number: number; version: string };
  if (number < MIN_SERVER_VERSION)
    throw new StorageError(`the server is PostgreSQL ${version}; Sluice needs version 14 or newer`);
}

async function assertNoCopy(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.run('SELECT to_regclass(?)::text AS name', [COPY_TABLE]);
  if ((rows[0] as { name: string | null }).name !== null)
    throw new StorageError('sluice copy has not filled the database yet: run it again until it ends');
}

/** Of the present schema; null: there is none. */
async function readSchema(connection: PostgresConnection, newest: number): Promise<SchemaRow | null> {
  const { rows: tables } = await connection.run(
    `SELECT to_regclass('sluice_schema')::text AS own, to_regclass('users')::text AS other`,
  );
  const { own, other } = tables[0] as { own: string | null; other: string | null };
  if (own === null && other !== null)
    throw new StorageError(
      'the database belongs to another program: it has a table users, but not sluice_schema',
    );
  if (own === null) return null;
  const { rows } = await connection.run('SELECT version, min_version FROM sluice_schema');
  const schema = rows[0] as SchemaRow;
  if (schema.version < POSTGRES_MIGRATIONS[0]!.version)
    throw new StorageError(
      `the database was made by a Sluice from before version 0.1: its schema has version ${schema.version}, and this program needs at least ${POSTGRES_MIGRATIONS[0]!.version}. Update it once with \`sluice migrate\` of commit fae8ce03, then start this one again`,
    );
  if (schema.min_version > newest)
    throw new StorageError(
      `the database was migrated by a newer Sluice: its schema has version ${schema.version}, which needs a program of version ${schema.min_version}; this one is of version ${newest}`,
    );
  return schema;
}

/**
 * A table is locked only if that takes no longer than `LOCK_WAIT`: the queries of all services wait behind one that waits for a lock.
 * @returns false: others use a table, and nothing was done
 */
async function apply(
  connection: PostgresConnection,
  { version, statements }: PostgresMigration,
  minVersion: number,
): Promise<boolean> {
  await connection.run('BEGIN');
  try {
    await connection.run(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
    await connection.run(
      'CREATE TABLE IF NOT EXISTS sluice_schema (version INTEGER NOT NULL, min_version INTEGER NOT NULL)',
    );
    for (const statement of statements) await connection.run(statement);
  } catch (error) {
    if (!IN_USE.has(String((error as { code?: unknown }).code))) throw error;
    await connection.run('ROLLBACK');
    return false;
  }
  await connection.run('DELETE FROM sluice_schema');
  await connection.run('INSERT INTO sluice_schema (version, min_version) VALUES (?, ?)', [
    version,
    minVersion,
  ]);
  await connection.run('COMMIT');
  return true;
}
