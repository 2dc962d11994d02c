import { uuidText } from '../../base/uuid7.ts';
import type { IdentityStore } from '../../ports/identities.ts';
import { appendAuditIf } from './audit-store.ts';
import type { RunStatements } from './prepared-statements.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import { bumpVersion } from './session-store.ts';
import type { IdentityTable } from './sign-in-tables.ts';
import { type Db, idBytes } from './tables.ts';

/** @param run runs statements in one transaction */
export function createIdentityStore(db: Db, run: RunStatements): IdentityStore {
  const runAll = (...queries: CompilableQuery[]) => run(queries.map(statementOf));
  return {
    async identities() {
      const query = db.selectFrom('user_identities').selectAll().orderBy('issuer').orderBy('subject');
      return ((await runAll(query))[0]!.rows as IdentityTable[]).map((row) => ({
        issuer: row.issuer,
        subject: row.subject,
        userId: uuidText(row.user_id),
        createdAt: row.created_at,
      }));
    },
    async insertIdentity({ issuer, subject, userId, createdAt }, audit) {
      const values = { issuer, subject, user_id: idBytes(userId), created_at: createdAt };
      const insert = db
        .insertInto('user_identities')
        .values(values)
        .onConflict((conflict) => conflict.doNothing());
      // Only if it was inserted by this call.
      const stored = db
        .selectFrom('user_identities')
        .select('user_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('user_id', '=', values.user_id)
        .where('created_at', '=', createdAt);
      const [inserted] = await runAll(
        insert,
        appendAuditIf(db, audit, stored),
        db.deleteFrom('set_up_links').where('user_id', 'in', stored),
        bumpVersion(db),
      );
      return inserted!.changes > 0;
    },
    async deleteIdentities(userId, audit) {
      const id = idBytes(userId);
      const found = db.selectFrom('user_identities').select('user_id').where('user_id', '=', id);
      const [, deleted] = await runAll(
        appendAuditIf(db, audit, found),
        db.deleteFrom('user_identities').where('user_id', '=', id),
        bumpVersion(db),
      );
      return deleted!.changes > 0;
    },
  };
}
