import { sql } from 'kysely';
import type { DailyBudget, KeyRow, UserRow } from '../../../domain/account.ts';
import type { AccountStore, Revocations, UsageRow, UserPrecondition } from '../../../ports/store.ts';
import { decodeRow, encodeChange } from '../schema/columns.ts';
import {
  type Db,
  idBytes,
  idOrNull,
  KEY_COLUMNS,
  type KeyTable,
  USER_COLUMNS,
  type UsageTable,
  type UserTable,
} from '../schema/tables.ts';
import { appendAuditIf, appended, auditBefore } from './audit-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import { createSecondFactorStore } from './second-factor-store.ts';
import { bumpVersion, createSessionStore, deleteSessions } from './session-store.ts';
import type { RunStatements } from './statements.ts';

/** The columns for the members that are not undefined. */
const userColumns = (user: Partial<UserRow>): Partial<UserTable> => ({
  ...encodeChange(USER_COLUMNS, user),
  ...(user.email === undefined ? {} : { email_key: user.email.normalize('NFC').toLowerCase() }),
});

/** The columns for the members that are not undefined. */
const keyColumns = ({ dailyBudget: budget, ...key }: Partial<KeyRow>): Partial<KeyTable> => ({
  ...encodeChange(KEY_COLUMNS, key),
  ...(budget === undefined ? {} : { daily_amount: budget?.amount ?? null, daily_unit: budget?.unit ?? null }),
});

const keyOf = ({ daily_amount: amount, daily_unit: unit, ...row }: KeyTable): KeyRow => ({
  ...decodeRow(KEY_COLUMNS, row),
  dailyBudget: amount === null ? null : { amount, unit: unit as DailyBudget['unit'] },
});

function versionQuery(db: Db) {
  return db.selectFrom('meta').select('value').where('name', '=', 'accounts_version');
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
  const found = userWithPrecondition(db, id, precondition);
  return db.updateTable('users').set(userColumns(change)).where('id', 'in', found);
}

/** The user with this id, if the precondition is met. */
function userWithPrecondition(
  db: Db,
  id: Uint8Array,
  { passwordHash, session, otherAdmin }: UserPrecondition,
) {
  let user = db.selectFrom('users').select('users.id').where('users.id', '=', id);
  if (passwordHash !== undefined) user = user.where('users.password_hash', '=', passwordHash);
  if (session !== undefined) {
    const row = db.selectFrom('sessions').select('id').where('id', '=', idBytes(session));
    user = user.where((eb) => eb.exists(row));
  }
  if (otherAdmin === true) {
    const others = db
      .selectFrom('users as other')
      .select('other.id')
      .where('other.id', '!=', id)
      .where('other.role', '=', 'admin')
      .where('other.disabled_at', 'is', null);
    user = user.where((eb) => eb.exists(others));
  }
  return user;
}

/** The user with this id, if nothing refers to it but a set-up link. */
function invitedUser(db: Db, id: Uint8Array) {
  const keys = db.selectFrom('api_keys').select('id').where('user_id', '=', id);
  const identities = db.selectFrom('user_identities').select('user_id').where('user_id', '=', id);
  return db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', id)
    .where('users.password_hash', 'is', null)
    .where('users.last_seen_at', 'is', null)
    .where(({ not, exists }) => not(exists(keys)))
    .where(({ not, exists }) => not(exists(identities)));
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

/**
 * Users, keys and sessions. All queries run in the writer thread: a revoked key works until the change has been read, so
 * reading must not wait for a long list query in the reader thread.
 * @param run runs statements in the writer thread
 */
export function createAccountStore(db: Db, run: RunStatements): AccountStore {
  /** @returns the first result */
  const runFirst = async (...queries: CompilableQuery[]) => (await runAll(queries))[0]!;
  const runAll = (queries: readonly CompilableQuery[]) => run(queries.map(statementOf));
  const isEmpty = (change: object) => Object.values(change).every((value) => value === undefined);

  return {
    ...createSessionStore(db, run),
    ...createSecondFactorStore(db, run),
    ...createIdentityStore(db, run),

    version: async () => ((await runFirst(versionQuery(db))).rows[0] as { value: number }).value,

    users: async () =>
      ((await runFirst(usersQuery(db))).rows as UserTable[]).map((row) => decodeRow(USER_COLUMNS, row)),
    async insertUser(user, audit) {
      await runFirst(insertUser(db, user), ...appended(db, audit), bumpVersion(db));
    },
    async updateUser(id, change, revocations, precondition = {}, audit = undefined) {
      const bytes = idOrNull(id);
      if (bytes === null) return false;
      if (isEmpty(change)) return (await this.users()).some((user) => user.id === id.toLowerCase());
      const revoke =
        revocations === undefined
          ? []
          : revocationQueries(db, bytes, revocations, change.passwordHash ?? null);
      const before = auditBefore(db, audit, userWithPrecondition(db, bytes, precondition));
      const update = updateUser(db, bytes, change, precondition);
      const results = await runAll([...before, update, ...revoke, bumpVersion(db)]);
      return results[before.length]!.changes > 0;
    },

    async deleteInvitedUser(id, audit) {
      const bytes = idOrNull(id);
      if (bytes === null) return false;
      const found = invitedUser(db, bytes);
      const [, , deleted] = await runAll([
        appendAuditIf(db, audit, found),
        db.deleteFrom('set_up_links').where('user_id', 'in', found),
        db.deleteFrom('users').where('id', 'in', found),
        bumpVersion(db),
      ]);
      return deleted!.changes > 0;
    },

    keys: async () => ((await runFirst(keysQuery(db))).rows as KeyTable[]).map(keyOf),
    async insertKey(key, audit) {
      await runFirst(insertKey(db, key), ...appended(db, audit), bumpVersion(db));
    },
    async updateKey(id, change, audit) {
      if (isEmpty(change)) return (await this.keys()).some((key) => key.id === id);
      const row = db.selectFrom('api_keys').select('id').where('id', '=', id);
      const before = auditBefore(db, audit, row);
      const results = await runAll([...before, updateKey(db, id, change), bumpVersion(db)]);
      return results[before.length]!.changes > 0;
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
