import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { SavedRequestRow, SavedRequestStore } from '../../../ports/saved-requests.ts';
import { type Db, idBytes, idOrNull, type Tables } from '../schema/tables.ts';
import { statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

const COLUMNS = ['id', 'name', 'request', 'updated_at'] as const;

type Columns = Pick<Tables['saved_requests'], (typeof COLUMNS)[number]>;

const rowOf = ({ id, name, request, updated_at }: Columns): SavedRequestRow => ({
  id: uuidText(id),
  name,
  requestJson: request,
  updatedAt: updated_at,
});

function listRequests(db: Db, userId: Uint8Array) {
  return db.selectFrom('saved_requests').select(COLUMNS).where('user_id', '=', userId).orderBy('name');
}

function putRequest(db: Db, userId: Uint8Array, row: SavedRequestRow, max: number) {
  const values = sql<Columns>`SELECT ${userId}, ${idBytes(row.id)}, ${row.name}, ${row.requestJson}, ${row.updatedAt}
    WHERE (SELECT count(*) FROM saved_requests WHERE user_id = ${userId} AND name <> ${row.name}) < ${max}`;
  return (
    db
      .insertInto('saved_requests')
      .columns(['user_id', ...COLUMNS])
      // biome-ignore lint/suspicious/noExplicitAny: Kysely has no type for a SELECT without FROM.
      .expression(values as any)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'name'])
          .doUpdateSet({ request: row.requestJson, updated_at: row.updatedAt }),
      )
      .returning(COLUMNS)
  );
}

function deleteRequest(db: Db, userId: Uint8Array, id: Uint8Array) {
  return db.deleteFrom('saved_requests').where('user_id', '=', userId).where('id', '=', id).returning('id');
}

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread, in one transaction
 */
export function createSavedRequestStore(
  db: Db,
  read: RunStatements,
  write: RunStatements,
): SavedRequestStore {
  return {
    async list(userId) {
      const user = idOrNull(userId);
      if (user === null) return [];
      const [result] = await read([statementOf(listRequests(db, user))]);
      return (result!.rows as Columns[]).map(rowOf);
    },
    async put(userId, row, max) {
      const [result] = await write([statementOf(putRequest(db, idBytes(userId), row, max))]);
      const stored = result!.rows[0] as Columns | undefined;
      return stored === undefined ? null : rowOf(stored);
    },
    async delete(userId, requestId) {
      const id = idOrNull(requestId);
      if (id === null) return false;
      const [result] = await write([statementOf(deleteRequest(db, idBytes(userId), id))]);
      return result!.rows.length > 0;
    },
  };
}
