import type { Postgres, PostgresConnection } from '../../../postgres/postgres.ts';
import { firstIdAt } from '../../schema/tables.ts';

const DAY_MS = 86_400_000;
/** Partitions are made for today and so many days ahead: records are stored even if none can be made for some days. */
const DAYS_AHEAD = 3;
/** How long making or dropping partitions may hold up others. */
const LOCK_TIMEOUT = '2s';

const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
/** `20261126` */
const nameOfDay = (day: number): string => new Date(day).toISOString().slice(0, 10).replaceAll('-', '');
const bound = (ms: number): string => `'\\x${Buffer.from(firstIdAt(ms)).toString('hex')}'`;

/** The day of a partition, by its name. */
function dayOfName(name: string): number {
  const [, year, month, day] = /^records_(\d{4})(\d\d)(\d\d)$/.exec(name)!;
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}

const PARTITION_NAMES = `SELECT c.relname::text AS name FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
WHERE inhparent = 'records'::regclass AND c.relname ~ '^records_[0-9]{8}$' ORDER BY c.relname`;

async function partitionDays(connection: PostgresConnection): Promise<number[]> {
  const { rows } = await connection.run(PARTITION_NAMES);
  return (rows as { name: string }[]).map(({ name }) => dayOfName(name));
}

/** SQLSTATE of a lock that could not be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * One process changes partitions at a time. It gives up instead of waiting long for locks, because others would have to wait behind
 * it, such as while `pg_dump` runs.
 * @returns false: it gave up
 */
async function changePartitions(
  postgres: Pick<Postgres, 'transaction'>,
  work: (connection: PostgresConnection) => Promise<void>,
): Promise<boolean> {
  try {
    await postgres.transaction(async (connection) => {
      await connection.run(`SELECT set_config('lock_timeout', ?, true)`, [LOCK_TIMEOUT]);
      await connection.run(`SELECT pg_advisory_xact_lock(hashtext('sluice partitions'))`);
      await work(connection);
    });
    return true;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    if (code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/**
 * Makes the partitions of the days from `from` to `to` (ms since the epoch) that are missing. Days whose records are already in the
 * default partition stay there.
 * @returns false: others hold the tables
 */
export async function makePartitions(
  postgres: Pick<Postgres, 'transaction'>,
  from: number,
  to: number,
): Promise<boolean> {
  return await changePartitions(postgres, async (connection) => {
    const existing = new Set(await partitionDays(connection));
    for (let day = startOfDay(from); day <= to; day += DAY_MS) {
      if (existing.has(day)) continue;
      const { rows } = await connection.run(
        `SELECT 1 FROM records_default WHERE id >= ${bound(day)} AND id < ${bound(day + DAY_MS)} LIMIT 1`,
      );
      if (rows.length > 0) continue;
      for (const table of ['records', 'record_bodies']) await attach(connection, table, day);
    }
  });
}

/** Made apart and attached, because `PARTITION OF` would wait for everyone who uses the table. */
async function attach(connection: PostgresConnection, table: string, day: number): Promise<void> {
  const name = `${table}_${nameOfDay(day)}`;
  await connection.run(
    `CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)`,
  );
  await connection.run(
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${bound(day)}) TO (${bound(day + DAY_MS)})`,
  );
}

/** Makes the partitions of today and the next days. Called often: it asks the database once a day. */
export function createPartitionMaker(postgres: Pick<Postgres, 'transaction'>) {
  let madeOn: number | null = null;
  return async (now: number): Promise<void> => {
    const today = startOfDay(now);
    if (madeOn === today) return;
    if (await makePartitions(postgres, today, today + DAYS_AHEAD * DAY_MS)) madeOn = today;
  };
}

/** Whether nothing of the partition is needed: no record of a stored job, and no blob, whose key the caller would have to learn. */
const isUnneeded = (table: string): string => `SELECT NOT EXISTS (
  SELECT 1 FROM ${table} AS r WHERE r.content_in_blob = 1 OR r.pictures IS NOT NULL OR r.files IS NOT NULL
) AND NOT EXISTS (
  SELECT 1 FROM ${table} AS r JOIN jobs ON jobs.id = r.job_id WHERE r.job_id IS NOT NULL
) AS unneeded`;

/** Drops the partitions of days that ended before `before` (ms since the epoch), if nothing in them is needed. */
export async function dropPartitions(postgres: Postgres, before: number): Promise<void> {
  const expired = async (connection: PostgresConnection) =>
    (await partitionDays(connection)).filter((day) => day + DAY_MS <= before);
  const [names] = await postgres.read([[PARTITION_NAMES, []]]);
  const days = (names!.rows as { name: string }[]).map(({ name }) => dayOfName(name));
  if (!days.some((day) => day + DAY_MS <= before)) return;
  await changePartitions(postgres, async (connection) => {
    for (const day of await expired(connection)) {
      const name = nameOfDay(day);
      const { rows } = await connection.run(isUnneeded(`records_${name}`));
      if ((rows[0] as { unneeded: number }).unneeded === 1) await drop(connection, name);
    }
  });
}

async function drop(connection: PostgresConnection, name: string): Promise<void> {
  // Triggers are not run when a table is dropped.
  await connection.run(`UPDATE shared_contents AS c SET uses = c.uses - dropped.uses
FROM (SELECT shared, count(*) AS uses FROM record_bodies_${name} WHERE shared IS NOT NULL GROUP BY shared) AS dropped
WHERE c.number = dropped.shared`);
  await connection.run('DELETE FROM shared_contents WHERE uses <= 0');
  await connection.run(`DROP TABLE records_${name}`);
  await connection.run(`DROP TABLE record_bodies_${name}`);
}
