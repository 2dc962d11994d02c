import { sql } from 'kysely';
import type { ProfileFacts, StoredProfile } from '../../../domain/profiles.ts';
import type { ProfileStore } from '../../../ports/profiles.ts';
import { ConflictError } from '../../../ports/store.ts';
import { decodeRow, encodeChange, encodeRow } from '../schema/columns.ts';
import { PROFILE_COLUMNS, PROFILE_FACTS, type ProfileTable } from '../schema/profile-tables.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { forgetNotifyQueries, queryOf } from './notification-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';
import { loggedOutStatements } from './tell.ts';

const FACTS = Object.keys(PROFILE_FACTS) as readonly (keyof typeof PROFILE_FACTS)[];

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createProfileStore(db: Db, read: RunStatements, write: RunStatements): ProfileStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));
  const isAlive = (now: number) => sql<boolean>`(expires_at IS NULL OR expires_at > ${now})`;
  /** Own ones and shared ones. */
  const forUser = (userId: Uint8Array) => sql<boolean>`(user_id = ${userId} OR shared = 1)`;

  return {
    async list({ userId, limit, after, now }) {
      let query = db
        .selectFrom('profiles')
        .select(FACTS)
        .where(isAlive(now))
        .orderBy('id', 'desc')
        .limit(limit);
      if (userId !== null) query = query.where(forUser(idBytes(userId)));
      const cursor = after === null ? null : idOrNull(after);
      if (cursor !== null) query = query.where('id', '<', cursor);
      return (await rowsOf<ProfileTable>(query)).map((row): ProfileFacts => decodeRow(PROFILE_FACTS, row));
    },
    async get(userId, name, now) {
      const id = idBytes(userId);
      const query = db
        .selectFrom('profiles')
        .selectAll()
        .where('name', '=', name)
        .where(forUser(id))
        .where(isAlive(now))
        .orderBy(sql`CASE WHEN user_id = ${id} THEN 0 ELSE 1 END`)
        .limit(1);
      const [row] = await rowsOf<ProfileTable>(query);
      return row === undefined ? null : (decodeRow(PROFILE_COLUMNS, row) satisfies StoredProfile);
    },
    async create(profile, max) {
      const values = encodeRow(PROFILE_COLUMNS, profile);
      const { user_id: userId, name, created_at: now } = values;
      const names = Object.keys(values).map((column) => sql.ref(column));
      const count = sql`(SELECT count(*) FROM profiles WHERE user_id = ${userId})`;
      const insert = sql`INSERT INTO profiles (${sql.join(names)}) SELECT ${sql.join(Object.values(values))} WHERE ${count} < ${max}`;
      try {
        const [, inserted] = await run(
          db.deleteFrom('profiles').where('name', '=', name).where('expires_at', '<=', now),
          { compile: () => insert.compile(db) },
        );
        return inserted!.changes > 0 ? 'created' : 'full';
      } catch (error) {
        if (error instanceof ConflictError) return 'exists';
        throw error;
      }
    },
    async update(id, version, change, told) {
      const query = db
        .updateTable('profiles')
        .set({ ...encodeChange(PROFILE_COLUMNS, change), version: version + 1 })
        .where('id', '=', idBytes(id))
        .where('version', '=', version);
      try {
        const telling =
          told === undefined ? [] : loggedOutStatements({ ...told, id: idBytes(id), version: version + 1 });
        const [result] = await run(query, ...telling.map(queryOf));
        return result!.changes > 0 ? 'updated' : 'changed';
      } catch (error) {
        if (error instanceof ConflictError) return 'exists';
        throw error;
      }
    },
    async touch(id, at) {
      await run(db.updateTable('profiles').set({ used_at: at }).where('id', '=', idBytes(id)));
    },
    async delete(id) {
      const key = idBytes(id);
      const [result] = await run(
        db.deleteFrom('profiles').where('id', '=', key),
        db.deleteFrom('webhook_deliveries').where('source_id', '=', key),
        db.deleteFrom('webhooks').where('source_id', '=', key),
        ...forgetNotifyQueries(db, key),
      );
      return result!.changes > 0;
    },
    async sweep(before) {
      const expired = db.selectFrom('profiles').select('id').where('expires_at', '<=', before);
      const toldBy = [
        'webhook_deliveries',
        'webhooks',
        'notification_sources',
        'notification_channels',
      ] as const;
      await run(
        ...toldBy.map((table) => db.deleteFrom(table).where('source_id', 'in', expired)),
        db.deleteFrom('profiles').where('expires_at', '<=', before),
      );
    },
  };
}
