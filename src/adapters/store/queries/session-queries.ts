import type { Kysely } from 'kysely';
import type { SessionRow, SetUpLinkRow } from '../../../domain/account.ts';
import type { Endings } from '../../../ports/store.ts';
import { idBytes, idOrNull } from './ids.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** An id that nothing has, for "none". */
const NO_ID = new Uint8Array(16);

export function sessionsQuery(db: Db) {
  return db.selectFrom('sessions').selectAll().orderBy('created_at').orderBy('id');
}

/** Only while the user may sign in with this password. */
export function insertSession(db: Db, row: SessionRow, passwordHash: string) {
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
    .where('users.password_hash', '=', passwordHash)
    .where('users.disabled_at', 'is', null);
  return db
    .insertInto('sessions')
    .columns(['id', 'user_id', 'hash', 'created_at', 'last_seen_at', 'ip', 'user_agent'])
    .expression(user);
}

/** All but the `most` newest. */
export function trimSessions(db: Db, userId: Uint8Array, most: number) {
  const kept = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  return db.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'not in', kept);
}

export function deleteSessions(db: Db, userId: Uint8Array, which: 'only' | 'but', id: string) {
  const bytes = idOrNull(id) ?? NO_ID;
  return db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', which === 'only' ? '=' : '!=', bytes);
}

/**
 * What ends with a change of the user.
 * @param passwordHash the one that the change sets, which it may not have been allowed to; null: it is not in doubt
 */
export function endingQueries(
  db: Db,
  userId: Uint8Array,
  { sessionsBut }: Endings,
  passwordHash: string | null,
) {
  const links = db.deleteFrom('set_up_links').where('user_id', '=', userId);
  const sessions = deleteSessions(db, userId, 'but', sessionsBut ?? '');
  if (passwordHash === null) return [links, sessions];
  const changed = db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash);
  return [links.where((eb) => eb.exists(changed)), sessions.where((eb) => eb.exists(changed))];
}

/** Never backwards: several processes report at their own pace. */
export function touchQueries(db: Db, id: Uint8Array, at: number) {
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

export function linksQuery(db: Db) {
  return db.selectFrom('set_up_links').selectAll().orderBy('created_at').orderBy('user_id');
}

export function putLink(db: Db, link: SetUpLinkRow) {
  const columns = {
    hash: Uint8Array.from(link.hash),
    created_at: link.createdAt,
    expires_at: link.expiresAt,
  };
  return db
    .insertInto('set_up_links')
    .values({ user_id: idBytes(link.userId), ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns));
}

/** In this order, in one transaction; the last gives the user of the link, if it is good. */
export function useLinkQueries(db: Db, hash: Uint8Array, now: number, passwordHash: string) {
  const userId = db
    .selectFrom('set_up_links')
    .innerJoin('users', 'users.id', 'set_up_links.user_id')
    .select('set_up_links.user_id')
    .where('set_up_links.hash', '=', Uint8Array.from(hash))
    .where('set_up_links.expires_at', '>', now)
    .where('users.disabled_at', 'is', null);
  return [
    db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId),
    db.deleteFrom('sessions').where('user_id', '=', userId),
    db.deleteFrom('set_up_links').where('user_id', '=', userId).returning('user_id'),
  ] as const;
}

export function sweepSessionQueries(
  db: Db,
  ask: { readonly now: number; readonly createdBefore: number; readonly seenBefore: number },
) {
  return [
    db
      .deleteFrom('sessions')
      .where((eb) =>
        eb.or([eb('created_at', '<', ask.createdBefore), eb('last_seen_at', '<', ask.seenBefore)]),
      ),
    db.deleteFrom('set_up_links').where('expires_at', '<=', ask.now),
  ] as const;
}
