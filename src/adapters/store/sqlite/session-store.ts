import type { Kysely } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { AccountStore } from '../../../ports/store.ts';
import { bumpVersion } from '../queries/account-queries.ts';
import { idBytes, idOrNull } from '../queries/ids.ts';
import {
  deleteSessions,
  insertSession,
  linksQuery,
  putLink,
  sessionsQuery,
  sweepSessionQueries,
  touchQueries,
  trimSessions,
  useLinkQueries,
} from '../queries/session-queries.ts';
import { linkOf, sessionOf } from '../queries/session-rows.ts';
import type { SessionTable, SetUpLinkTable, Tables } from '../queries/tables.ts';
import { type Query, statementOf } from './compiler.ts';
import type { Run } from './run-statements.ts';

type SessionStore = Pick<
  AccountStore,
  | 'sessions'
  | 'insertSession'
  | 'deleteSessions'
  | 'touchSessions'
  | 'setUpLinks'
  | 'putSetUpLink'
  | 'useSetUpLink'
  | 'sweepSessions'
>;

/** The part of accounts that is about signing in, in the writer thread as all of it. */
export function createSessionStore(db: Kysely<Tables>, run: Run): SessionStore {
  const all = (queries: readonly Query[]) => run(queries.map(statementOf));

  return {
    async sessions() {
      const [found] = await all([sessionsQuery(db)]);
      return (found!.rows as SessionTable[]).map(sessionOf);
    },
    async insertSession(session, passwordHash, most) {
      const [inserted] = await all([
        insertSession(db, session, passwordHash),
        trimSessions(db, idBytes(session.userId), most),
        ...touchQueries(db, idBytes(session.id), session.lastSeenAt),
        bumpVersion(db),
      ]);
      return inserted!.changes > 0;
    },
    async deleteSessions(userId, which, id) {
      const user = idOrNull(userId);
      if (user === null) return 0;
      const [deleted] = await all([deleteSessions(db, user, which, id), bumpVersion(db)]);
      return deleted!.changes;
    },
    async touchSessions(seen) {
      const queries = seen.flatMap(({ id, at }) => touchQueries(db, idBytes(id), at));
      if (queries.length > 0) await all(queries);
    },

    async setUpLinks() {
      const [found] = await all([linksQuery(db)]);
      return (found!.rows as SetUpLinkTable[]).map(linkOf);
    },
    async putSetUpLink(link) {
      await all([putLink(db, link), bumpVersion(db)]);
    },
    async useSetUpLink(hash, now, passwordHash) {
      const [, , used] = await all([...useLinkQueries(db, hash, now, passwordHash), bumpVersion(db)]);
      const row = used!.rows[0] as Pick<SetUpLinkTable, 'user_id'> | undefined;
      return row === undefined ? null : uuidText(row.user_id);
    },
    async sweepSessions(ask) {
      await all(sweepSessionQueries(db, ask));
    },
  };
}
