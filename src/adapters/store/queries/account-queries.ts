import { type Kysely, sql } from 'kysely';
import type { KeyRow, UserRow } from '../../../domain/account.ts';
import type { UsageRow, UserCondition } from '../../../ports/store.ts';
import { keyColumns, userColumns } from './account-rows.ts';
import { idBytes } from './ids.ts';
import type { KeyTable, Tables, UserTable } from './tables.ts';

type Db = Kysely<Tables>;

export function versionQuery(db: Db) {
  return db.selectFrom('meta').select('value').where('name', '=', 'accounts_version');
}

/** Goes into the same transaction as every change of a user or key: it is how other processes learn of it. */
export function bumpVersion(db: Db) {
  return db.updateTable('meta').set({ value: sql`value + 1` }).where('name', '=', 'accounts_version');
}

/** A write that proves that writing is possible. */
export function heartbeat(db: Db, now: number) {
  return db.updateTable('meta').set({ value: now }).where('name', '=', 'heartbeat');
}

/** Writes the number unless there is one, and reads it. */
export function keepQueries(db: Db, name: string, value: number) {
  return [
    db
      .insertInto('meta')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing()),
    db.selectFrom('meta').select('value').where('name', '=', name),
  ] as const;
}

export function usersQuery(db: Db) {
  return db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id');
}

export function insertUser(db: Db, user: UserRow) {
  return db.insertInto('users').values(userColumns(user) as UserTable);
}

/** The change names at least one member. */
export function updateUser(db: Db, id: Uint8Array, change: Partial<UserRow>, only: UserCondition) {
  let update = db.updateTable('users').set(userColumns(change)).where('id', '=', id);
  if (only.passwordHash !== undefined) update = update.where('password_hash', '=', only.passwordHash);
  if (only.session !== undefined) {
    const session = db.selectFrom('sessions').select('id').where('id', '=', idBytes(only.session));
    update = update.where((eb) => eb.exists(session));
  }
  if (only.otherAdmin === true) {
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

export function keysQuery(db: Db) {
  return db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
}

export function insertKey(db: Db, key: KeyRow) {
  return db.insertInto('api_keys').values(keyColumns(key) as KeyTable);
}

/** The change names at least one member. */
export function updateKey(db: Db, id: string, change: Partial<KeyRow>) {
  return db.updateTable('api_keys').set(keyColumns(change)).where('id', '=', id);
}

/** Never backwards: several processes report at their own pace. */
export function touchKey(db: Db, id: string, at: number) {
  return db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]));
}

export function addUsage(db: Db, row: UsageRow) {
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

export function usageQuery(db: Db, day: string) {
  return db.selectFrom('key_usage').selectAll().where('day', '=', day);
}
