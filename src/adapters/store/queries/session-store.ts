import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { SessionRow, SetUpLinkRow } from '../../../domain/account.ts';
import type { AccountStore } from '../../../ports/store.ts';
import { decodeRow, encodeRow } from '../schema/columns.ts';
import {
  SESSION_COLUMNS,
  SET_UP_LINK_COLUMNS,
  type SessionTable,
  type SetUpLinkTable,
} from '../schema/sign-in-tables.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { appendAuditIf, appended, auditBefore } from './audit-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

/** Must be in every transaction that changes users, keys, sessions or links, so that other processes read them again. */
export function bumpVersion(db: Db) {
  return db.updateTable('meta').set({ value: sql`value + 1` }).where('name', '=', 'accounts_version');
}

function sessionsQuery(db: Db) {
  return db.selectFrom('sessions').selectAll().orderBy('created_at').orderBy('id');
}

/** Inserts nothing if the user is disabled or has another password. */
function insertSession(db: Db, row: SessionRow, passwordHash: string | null) {
  const user = db
    .selectFrom('users')
    .select(({ val }) => [
      val(idBytes(row.id)).as('id'),
      'users.id as user_id',
      val(Uint8Array.from(row.hash)).as('hash'),
      val(row.createdAt).as('created_at'),
      val(row.lastSeenAt).as('last_seen_at'),
      val(row.ip).as('ip'),
      val(row.userAgent).as('user_agent'),
    ])
    .where('users.id', '=', idBytes(row.userId))
    .where('users.password_hash', passwordHash === null ? 'is' : '=', passwordHash)
    .where('users.disabled_at', 'is', null);
  return db
    .insertInto('sessions')
    .columns(['id', 'user_id', 'hash', 'created_at', 'last_seen_at', 'ip', 'user_agent'])
    .expression(user);
}

/** Deletes all but the newest `maxSessions` sessions of a user. */
function trimSessions(db: Db, userId: Uint8Array, maxSessions: number) {
  const newest = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessions);
  return db.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'not in', newest);
}

/** @param id null: no session */
export function deleteSessions(db: Db, userId: Uint8Array, which: 'only' | 'allExcept', id: string | null) {
  return db.deleteFrom('sessions').where('id', 'in', sessionsOf(db, userId, which, id));
}

function sessionsOf(db: Db, userId: Uint8Array, which: 'only' | 'allExcept', id: string | null) {
  // The nil UUID stands for no session, because no row has it.
  const bytes = (id === null ? null : idOrNull(id)) ?? new Uint8Array(16);
  return db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', which === 'only' ? '=' : '!=', bytes);
}

/** Never sets an earlier time, because several processes report independently. */
function touchSessionQueries(db: Db, id: Uint8Array, at: number) {
  const userId = db.selectFrom('sessions').select('user_id').where('id', '=', id);
  return [
    db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).where('last_seen_at', '<', at),
    db
      .updateTable('users')
      .set({ last_seen_at: at })
      .where('id', '=', userId)
      .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', at)])),
  ];
}

function linksQuery(db: Db) {
  return db.selectFrom('set_up_links').selectAll().orderBy('created_at').orderBy('user_id');
}

function putLink(db: Db, link: SetUpLinkRow) {
  const { user_id, ...columns } = encodeRow(SET_UP_LINK_COLUMNS, link);
  return db
    .insertInto('set_up_links')
    .values({ user_id, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns));
}

/** The user of a valid link. */
function linkUser(db: Db, hash: Uint8Array, now: number) {
  return db
    .selectFrom('set_up_links')
    .innerJoin('users', 'users.id', 'set_up_links.user_id')
    .select('set_up_links.user_id')
    .where('set_up_links.hash', '=', Uint8Array.from(hash))
    .where('set_up_links.expires_at', '>', now)
    .where('users.disabled_at', 'is', null);
}

/** To be run in this order, in one transaction. The last one returns the user if the link is valid. */
function useLinkQueries(db: Db, hash: Uint8Array, now: number, passwordHash: string) {
  const userId = linkUser(db, hash, now);
  return [
    db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId),
    db.deleteFrom('sessions').where('user_id', '=', userId),
    db.deleteFrom('set_up_links').where('user_id', '=', userId).returning('user_id'),
  ] as const;
}

function sweepSessionQueries(
  db: Db,
  limits: { readonly linksExpiredBy: number; readonly createdBefore: number; readonly seenBefore: number },
) {
  return [
    db
      .deleteFrom('sessions')
      .where((eb) =>
        eb.or([eb('created_at', '<', limits.createdBefore), eb('last_seen_at', '<', limits.seenBefore)]),
      ),
    db.deleteFrom('set_up_links').where('expires_at', '<=', limits.linksExpiredBy),
  ] as const;
}

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

/** Sessions and set-up links. */
export function createSessionStore(db: Db, run: RunStatements): SessionStore {
  const runAll = (queries: readonly CompilableQuery[]) => run(queries.map(statementOf));

  return {
    async sessions() {
      const [result] = await runAll([sessionsQuery(db)]);
      return (result!.rows as SessionTable[]).map((row) => decodeRow(SESSION_COLUMNS, row));
    },
    async insertSession(session, passwordHash, maxSessions, audit) {
      const row = db.selectFrom('sessions').select('id').where('id', '=', idBytes(session.id));
      const [inserted] = await runAll([
        insertSession(db, session, passwordHash),
        ...(audit === undefined ? [] : [appendAuditIf(db, audit, row)]),
        trimSessions(db, idBytes(session.userId), maxSessions),
        ...touchSessionQueries(db, idBytes(session.id), session.lastSeenAt),
        bumpVersion(db),
      ]);
      return inserted!.changes > 0;
    },
    async deleteSessions(userId, which, id, audit) {
      const user = idOrNull(userId);
      if (user === null) return 0;
      const before = auditBefore(db, audit, sessionsOf(db, user, which, id));
      const results = await runAll([...before, deleteSessions(db, user, which, id), bumpVersion(db)]);
      return results[before.length]!.changes;
    },
    async touchSessions(activities) {
      const queries = activities.flatMap(({ id, at }) => touchSessionQueries(db, idBytes(id), at));
      if (queries.length > 0) await runAll(queries);
    },

    async setUpLinks() {
      const [result] = await runAll([linksQuery(db)]);
      return (result!.rows as SetUpLinkTable[]).map((row) => decodeRow(SET_UP_LINK_COLUMNS, row));
    },
    async putSetUpLink(link, audit) {
      await runAll([putLink(db, link), ...appended(db, audit), bumpVersion(db)]);
    },
    async useSetUpLink(hash, now, passwordHash, audit) {
      const before = auditBefore(db, audit, linkUser(db, hash, now));
      const results = await runAll([
        ...before,
        ...useLinkQueries(db, hash, now, passwordHash),
        bumpVersion(db),
      ]);
      const row = results[before.length + 2]!.rows[0] as Pick<SetUpLinkTable, 'user_id'> | undefined;
      return row === undefined ? null : uuidText(row.user_id);
    },
    async sweepSessions(limits) {
      await runAll(sweepSessionQueries(db, limits));
    },
  };
}
