import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { RecordStore } from '../../../../ports/store.ts';
import type { Postgres } from '../../../postgres/postgres.ts';
import { postgresHasTag } from '../../queries/has-tag.ts';
import { inOrder, inRange, type RecordDialect, scannedAtMost } from '../../queries/record-lists.ts';
import { type BlobRow, blobKeysOf, createRecordStore } from '../../queries/record-store.ts';
import type { RunStatements, Statement } from '../../queries/statements.ts';
import { LISTED_COLUMNS } from '../../schema/record-columns.ts';
import { type Db, firstIdAt, idOrNull, type Tables } from '../../schema/tables.ts';
import { createPartitionMaker, dropPartitions } from './partitions.ts';
import { createPutBatches } from './put-batches.ts';

export const postgresDialect: RecordDialect = {
  isBodyOf: sql<SqlBool>`record_bodies.id = records.id`,
  // Not `=`: sorted by a user that is one constant, the planner may as well read the primary key backwards, through all records
  // of others since the last one of this user.
  isOf: (userId) => sql<SqlBool>`records.user_id = any(array[${userId}::bytea])`,
  hasTag: postgresHasTag,
  maxScanned: { ofUser: 10_000, ofAllUsers: 10_000 },
  // The limit keeps the planner from reading a whole partition, because it believes that no row matches.
  scannedRows(db, range) {
    const rows = inRange(db.selectFrom('records').select(LISTED_COLUMNS), postgresDialect, range);
    const scanned = db.selectFrom(rows.limit(scannedAtMost(postgresDialect, range)).as('records'));
    // Its columns are those of the table that lists read.
    return inOrder(scanned as unknown as SelectQueryBuilder<Tables, 'records', object>, range);
  },
};

/** Deletes records with their bodies. @param which a query of their ids */
const deleteSql = (which: string): string => `WITH gone AS (
  DELETE FROM records WHERE id IN (${which}) RETURNING id, content_in_blob, pictures, files
), bodies AS (
  DELETE FROM record_bodies WHERE id IN (SELECT id FROM gone)
)
SELECT * FROM gone ORDER BY id`;

const DELETE_ONE = deleteSql('SELECT id FROM records WHERE id = ?');
const DELETE_OF_USER = deleteSql('SELECT id FROM records WHERE id = ? AND user_id = ?');
const DELETE_EXPIRED = deleteSql(`SELECT id FROM records
WHERE id < ? AND (job_id IS NULL OR NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = job_id)) ORDER BY id LIMIT ?`);
const DELETE_OF_JOB = deleteSql('SELECT id FROM records WHERE job_id = ? ORDER BY id LIMIT ?');

function dropContentsStatements(ids: readonly Uint8Array[]): Statement[] {
  const marks = ids.map(() => '?').join(', ');
  return [
    [`UPDATE record_bodies SET content = NULL, content_codec = 0, shared = NULL WHERE id IN (${marks})`, ids],
    [`UPDATE records SET content_encoding = NULL, content_in_blob = 0 WHERE id IN (${marks})`, ids],
  ];
}

interface PostgresRecordStoreDeps {
  readonly postgres: Postgres;
  readonly db: Db;
  readonly now: () => number;
}

export function createPostgresRecordStore({ postgres, db, now }: PostgresRecordStoreDeps): {
  readonly records: RecordStore;
  /** Refuses further records; resolves when all earlier ones have settled. */
  readonly drain: () => Promise<void>;
  /** Makes the partitions of today and the next days. */
  readonly makePartitions: () => Promise<void>;
} {
  const write: RunStatements = (statements) => postgres.write(statements);
  const puts = createPutBatches(postgres);
  const maker = createPartitionMaker(postgres);
  const makePartitions = () => maker(now());
  const store = createRecordStore({
    db,
    dialect: postgresDialect,
    put: puts.put,
    read: (statements) => postgres.read(statements),
    readList: (statements) => postgres.readReplica(statements),
    write,
    dropContents: (ids) => write(dropContentsStatements(ids)),
  });

  async function deleted(sqlText: string, parameters: readonly unknown[]): Promise<BlobRow[]> {
    const [result] = await write([[sqlText, parameters]]);
    return result!.rows as BlobRow[];
  }
  const told = (rows: readonly BlobRow[]) => ({ deleted: rows.length, blobs: rows.flatMap(blobKeysOf) });

  const records: RecordStore = {
    ...store,
    async delete(id, userId) {
      const bytes = idOrNull(id);
      const user = userId === null ? null : idOrNull(userId);
      if (bytes === null || (userId !== null && user === null)) return null;
      const rows = await (user === null
        ? deleted(DELETE_ONE, [bytes])
        : deleted(DELETE_OF_USER, [bytes, user]));
      return rows.length === 0 ? null : { blobs: blobKeysOf(rows[0]!) };
    },
    async sweep(before, limit) {
      await makePartitions();
      await dropPartitions(postgres, before);
      return told(await deleted(DELETE_EXPIRED, [firstIdAt(before), limit]));
    },
    async sweepJob(jobId, limit) {
      const id = idOrNull(jobId);
      return id === null ? told([]) : told(await deleted(DELETE_OF_JOB, [id, limit]));
    },
  };
  return { records, drain: puts.drain, makePartitions };
}
