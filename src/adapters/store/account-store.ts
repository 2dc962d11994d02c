import { sql } from 'kysely';
import { uuidText } from '../../base/uuid7.ts';
import type { KeyRow, SessionRow, SetUpLinkRow, UserRow } from '../../domain/account.ts';
import type { AccountStore, Revocations, UsageRow, UserPrecondition } from '../../ports/store.ts';
import type { RunStatements } from './prepared-statements.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import {
  type Db,
  idBytes,
  idOrNull,
  type KeyTable,
  type SessionTable,
  type SetUpLinkTable,
  type UsageTable,
  type UserTable,
} from './tables.ts';

/** The columns for the members that are not undefined. */
function userColumns(user: Partial<UserRow>): Partial<UserTable> {
  return definedColumns<UserTable>({
    id: user.id === undefined ? undefined : idBytes(user.id),
    email: user.email,
    email_key: user.email?.normalize('NFC').toLowerCase(),
    role: user.role,
    password_hash: user.passwordHash,
    concurrency: user.concurrency,
    limits: user.limits === undefined ? undefined : JSON.stringify(user.limits),
    disabled_at: user.disabledAt,
    created_at: user.createdAt,
    last_seen_at: user.lastSeenAt,
  });
}

/** The columns for the members that are not undefined. */
function keyColumns(key: Partial<KeyRow>): Partial<KeyTable> {
  const budget = key.dailyBudget;
  return definedColumns<KeyTable>({
    id: key.id,
    user_id: key.userId === undefined ? undefined : idBytes(key.userId),
    name: key.name,
    // A copy, because posting a view to another thread would also copy the rest of its buffer.
    hash: key.hash === undefined ? undefined : Uint8Array.from(key.hash),
    prefix: key.prefix,
    last4: key.last4,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    scopes: listText(key.scopes),
    domains: listText(key.domains),
    ips: listText(key.ips),
    daily_amount: budget === null ? null : budget?.amount,
    daily_unit: budget === null ? null : budget?.unit,
    concurrency: key.concurrency,
  });
}

function listText(list: readonly string[] | undefined): string | undefined {
  return list === undefined ? undefined : JSON.stringify(list);
}

function definedColumns<T>(columns: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

function userOf(row: UserTable): UserRow {
  return {
    id: uuidText(row.id),
    email: row.email,
    role: row.role as UserRow['role'],
    passwordHash: row.password_hash,
    concurrency: row.concurrency,
    limits: JSON.parse(row.limits),
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  };
}

function keyOf(row: KeyTable): KeyRow {
  return {
    id: row.id,
    userId: uuidText(row.user_id),
    name: row.name,
    hash: row.hash,
    prefix: row.prefix,
    last4: row.last4,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    scopes: JSON.parse(row.scopes),
    domains: JSON.parse(row.domains),
    ips: JSON.parse(row.ips),
    dailyBudget:
      row.daily_amount === null
        ? null
        : { amount: row.daily_amount, unit: row.daily_unit as 'scrapes' | 'cost' },
    concurrency: row.concurrency,
  };
}

function versionQuery(db: Db) {
  return db.selectFrom('meta').select('value').where('name', '=', 'accounts_version');
}

/** Must be in every transaction that changes users, keys, sessions or links, so that other processes read them again. */
function bumpVersion(db: Db) {
  return db.updateTable('meta').set({ value: sql`value + 1` }).where('name', '=', 'accounts_version');
}

/** A small write, to check that the database can be written. */
export function heartbeatQuery(db: Db, now: number) {
  return db.updateTable('meta').set({ value: now }).where('name', '=', 'heartbeat');
}

/** Inserts a number unless the name exists, then reads it. */
export function insertOrReadQueries(db: Db, name: string, value: number) {
  return [
    db
      .insertInto('meta')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing()),
    db.selectFrom('meta').select('value').where('name', '=', name),
  ] as const;
}

function usersQuery(db: Db) {
  return db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id');
}

function insertUser(db: Db, user: UserRow) {
  return db.insertInto('users').values(userColumns(user) as UserTable);
}

/** @param change has at least one member */
function updateUser(db: Db, id: Uint8Array, change: Partial<UserRow>, precondition: UserPrecondition) {
  const { passwordHash, session, otherAdmin } = precondition;
  let update = db.updateTable('users').set(userColumns(change)).where('id', '=', id);
  if (passwordHash !== undefined) update = update.where('password_hash', '=', passwordHash);
  if (session !== undefined) {
    const row = db.selectFrom('sessions').select('id').where('id', '=', idBytes(session));
    update = update.where((eb) => eb.exists(row));
  }
  if (otherAdmin === true) {
    const others = db
      .selectFrom('users as other')
      .select('other.id')
      .where('other.id', '!=', id)
      .where('other.role', '=', 'admin')
      .where('other.disabled_at', 'is', null);
    update = update.where((eb) => eb.exists(others));
  }
  return update;
}

function keysQuery(db: Db) {
  return db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
}

function insertKey(db: Db, key: KeyRow) {
  return db.insertInto('api_keys').values(keyColumns(key) as KeyTable);
}

/** @param change has at least one member */
function updateKey(db: Db, id: string, change: Partial<KeyRow>) {
  return db.updateTable('api_keys').set(keyColumns(change)).where('id', '=', id);
}

/** Never sets an earlier time, because several processes report independently. */
function touchKey(db: Db, id: string, at: number) {
  return db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]));
}

function addUsage(db: Db, row: UsageRow) {
  return db
    .insertInto('key_usage')
    .values({ key_id: row.keyId, day: row.day, scrapes: row.scrapes, cost: row.cost })
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'day']).doUpdateSet({
        scrapes: sql`key_usage.scrapes + excluded.scrapes`,
        cost: sql`key_usage.cost + excluded.cost`,
      }),
    );
}

function usageQuery(db: Db, day: string) {
  return db.selectFrom('key_usage').selectAll().where('day', '=', day);
}

function sessionOf(row: SessionTable): SessionRow {
  return {
    id: uuidText(row.id),
    userId: uuidText(row.user_id),
    hash: row.hash,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    ip: row.ip,
    userAgent: row.user_agent,
  };
}

function linkOf(row: SetUpLinkTable): SetUpLinkRow {
  return {
    userId: uuidText(row.user_id),
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function sessionsQuery(db: Db) {
  return db.selectFrom('sessions').selectAll().orderBy('created_at').orderBy('id');
}

/** Inserts nothing if the user is disabled or has another password. */
function insertSession(db: Db, row: SessionRow, passwordHash: string) {
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
function deleteSessions(db: Db, userId: Uint8Array, which: 'only' | 'allExcept', id: string | null) {
  // The nil UUID stands for no session, because no row has it.
  const bytes = (id === null ? null : idOrNull(id)) ?? new Uint8Array(16);
  return db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', which === 'only' ? '=' : '!=', bytes);
}

/**
 * Deletes the set-up link and the sessions of a user after a change, in the same transaction.
 * @param passwordHash the new hash: deletes only if the user has it now, that is, if the precondition of the change was
 * met; null: deletes always
 */
function revocationQueries(
  db: Db,
  userId: Uint8Array,
  { exceptSessionId }: Revocations,
  passwordHash: string | null,
) {
  const links = db.deleteFrom('set_up_links').where('user_id', '=', userId);
  const sessions = deleteSessions(db, userId, 'allExcept', exceptSessionId);
  if (passwordHash === null) return [links, sessions];
  const changed = db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash);
  return [links.where((eb) => eb.exists(changed)), sessions.where((eb) => eb.exists(changed))];
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

/** To be run in this order, in one transaction. The last one returns the user if the link is valid. */
function useLinkQueries(db: Db, hash: Uint8Array, now: number, passwordHash: string) {
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

function sweepSessionQueries(
  db: Db,
  limits: { readonly now: number; readonly createdBefore: number; readonly seenBefore: number },
) {
  return [
    db
      .deleteFrom('sessions')
      .where((eb) =>
        eb.or([eb('created_at', '<', limits.createdBefore), eb('last_seen_at', '<', limits.seenBefore)]),
      ),
    db.deleteFrom('set_up_links').where('expires_at', '<=', limits.now),
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
function createSessionStore(db: Db, run: RunStatements): SessionStore {
  const runAll = (queries: readonly CompilableQuery[]) => run(queries.map(statementOf));

  return {
    async sessions() {
      const [result] = await runAll([sessionsQuery(db)]);
      return (result!.rows as SessionTable[]).map(sessionOf);
    },
    async insertSession(session, passwordHash, maxSessions) {
      const [inserted] = await runAll([
        insertSession(db, session, passwordHash),
        trimSessions(db, idBytes(session.userId), maxSessions),
        ...touchSessionQueries(db, idBytes(session.id), session.lastSeenAt),
        bumpVersion(db),
      ]);
      return inserted!.changes > 0;
    },
    async deleteSessions(userId, which, id) {
      const user = idOrNull(userId);
      if (user === null) return 0;
      const [deleted] = await runAll([deleteSessions(db, user, which, id), bumpVersion(db)]);
      return deleted!.changes;
    },
    async touchSessions(activities) {
      const queries = activities.flatMap(({ id, at }) => touchSessionQueries(db, idBytes(id), at));
      if (queries.length > 0) await runAll(queries);
    },

    async setUpLinks() {
      const [result] = await runAll([linksQuery(db)]);
      return (result!.rows as SetUpLinkTable[]).map(linkOf);
    },
    async putSetUpLink(link) {
      await runAll([putLink(db, link), bumpVersion(db)]);
    },
    async useSetUpLink(hash, now, passwordHash) {
      const [, , used] = await runAll([...useLinkQueries(db, hash, now, passwordHash), bumpVersion(db)]);
      const row = used!.rows[0] as Pick<SetUpLinkTable, 'user_id'> | undefined;
      return row === undefined ? null : uuidText(row.user_id);
    },
    async sweepSessions(limits) {
      await runAll(sweepSessionQueries(db, limits));
    },
  };
}

/**
 * Users, keys and sessions. All queries run in the writer thread: a revoked key works until the change has been read, so
 * reading must not wait for a long list query in the reader thread.
 * @param run runs statements in the writer thread
 */
export function createAccountStore(db: Db, run: RunStatements): AccountStore {
  /** @returns the first result */
  const runFirst = async (...queries: CompilableQuery[]) => (await run(queries.map(statementOf)))[0]!;
  const isEmpty = (change: object) => Object.values(change).every((value) => value === undefined);

  return {
    ...createSessionStore(db, run),

    version: async () => ((await runFirst(versionQuery(db))).rows[0] as { value: number }).value,

    users: async () => ((await runFirst(usersQuery(db))).rows as UserTable[]).map(userOf),
    async insertUser(user) {
      await runFirst(insertUser(db, user), bumpVersion(db));
    },
    async updateUser(id, change, revocations, precondition = {}) {
      const bytes = idOrNull(id);
      if (bytes === null) return false;
      if (isEmpty(change)) return (await this.users()).some((user) => user.id === id.toLowerCase());
      const revoke =
        revocations === undefined
          ? []
          : revocationQueries(db, bytes, revocations, change.passwordHash ?? null);
      const update = updateUser(db, bytes, change, precondition);
      return (await runFirst(update, ...revoke, bumpVersion(db))).changes > 0;
    },

    keys: async () => ((await runFirst(keysQuery(db))).rows as KeyTable[]).map(keyOf),
    async insertKey(key) {
      await runFirst(insertKey(db, key), bumpVersion(db));
    },
    async updateKey(id, change) {
      if (isEmpty(change)) return (await this.keys()).some((key) => key.id === id);
      return (await runFirst(updateKey(db, id, change), bumpVersion(db))).changes > 0;
    },

    async touchKeys(used) {
      if (used.length > 0) await run(used.map(({ id, at }) => statementOf(touchKey(db, id, at))));
    },
    async addUsage(rows) {
      if (rows.length > 0) await run(rows.map((row) => statementOf(addUsage(db, row))));
    },
    async usage(day) {
      const { rows } = await runFirst(usageQuery(db, day));
      return (rows as UsageTable[]).map(({ key_id, scrapes, cost }) => ({
        keyId: key_id,
        day,
        scrapes,
        cost,
      }));
    },
  };
}
