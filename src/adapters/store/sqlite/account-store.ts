import type { Kysely } from 'kysely';
import type { AccountStore } from '../../../ports/store.ts';
import {
  addUsage,
  bumpVersion,
  insertKey,
  insertUser,
  keysQuery,
  touchKey,
  updateKey,
  updateUser,
  usageQuery,
  usersQuery,
  versionQuery,
} from '../queries/account-queries.ts';
import { keyOf, userOf } from '../queries/account-rows.ts';
import { idOrNull } from '../queries/ids.ts';
import { endingQueries } from '../queries/session-queries.ts';
import type { KeyTable, Tables, UsageTable, UserTable } from '../queries/tables.ts';
import { type Query, statementOf } from './compiler.ts';
import type { Run } from './run-statements.ts';
import { createSessionStore } from './session-store.ts';

/**
 * Accounts, all in the writer thread: their reads take microseconds and must not queue behind somebody's search of
 * the history, for a revoked key stops working only when its change has been read.
 */
export function createAccountStore(db: Kysely<Tables>, run: Run): AccountStore {
  /** The first result. */
  const one = async (...queries: Query[]) => (await run(queries.map(statementOf)))[0]!;
  const isEmpty = (change: object) => Object.values(change).every((value) => value === undefined);

  return {
    ...createSessionStore(db, run),

    version: async () => ((await one(versionQuery(db))).rows[0] as { value: number }).value,

    users: async () => ((await one(usersQuery(db))).rows as UserTable[]).map(userOf),
    async insertUser(user) {
      await one(insertUser(db, user), bumpVersion(db));
    },
    async updateUser(id, change, endings, only = {}) {
      const bytes = idOrNull(id);
      if (bytes === null) return false;
      if (isEmpty(change)) return (await this.users()).some((user) => user.id === id.toLowerCase());
      const ends =
        endings === undefined ? [] : endingQueries(db, bytes, endings, change.passwordHash ?? null);
      return (await one(updateUser(db, bytes, change, only), ...ends, bumpVersion(db))).changes > 0;
    },

    keys: async () => ((await one(keysQuery(db))).rows as KeyTable[]).map(keyOf),
    async insertKey(key) {
      await one(insertKey(db, key), bumpVersion(db));
    },
    async updateKey(id, change) {
      if (isEmpty(change)) return (await this.keys()).some((key) => key.id === id);
      return (await one(updateKey(db, id, change), bumpVersion(db))).changes > 0;
    },

    async touchKeys(used) {
      if (used.length > 0) await run(used.map(({ id, at }) => statementOf(touchKey(db, id, at))));
    },
    async addUsage(rows) {
      if (rows.length > 0) await run(rows.map((row) => statementOf(addUsage(db, row))));
    },
    async usage(day) {
      const { rows } = await one(usageQuery(db, day));
      return (rows as UsageTable[]).map(({ key_id, scrapes, cost }) => ({
        keyId: key_id,
        day,
        scrapes,
        cost,
      }));
    },
  };
}
