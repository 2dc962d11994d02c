import type { IdentityStore } from '../../../ports/identities.ts';
import { decodeRow, encodeRow } from '../schema/columns.ts';
import { IDENTITY_COLUMNS, type IdentityTable } from '../schema/sign-in-tables.ts';
import { type Db, idBytes } from '../schema/tables.ts';
import { appendAuditIf } from './audit-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import { bumpVersion } from './session-store.ts';
import type { RunStatements } from './statements.ts';

/** @param run runs statements in one transaction */
export function createIdentityStore(db: Db, run: RunStatements): IdentityStore {
  const runAll = (...queries: CompilableQuery[]) => run(queries.map(statementOf));
  return {
    async identities() {
      const query = db.selectFrom('user_identities').selectAll().orderBy('issuer').orderBy('subject');
      return ((await runAll(query))[0]!.rows as IdentityTable[]).map((row) =>
        decodeRow(IDENTITY_COLUMNS, row),
      );
    },
    async insertIdentity(identity, audit) {
      const values = encodeRow(IDENTITY_COLUMNS, identity);
      const insert = db
        .insertInto('user_identities')
        .values(values)
        .onConflict((conflict) => conflict.doNothing());
      // Only if it was inserted by this call.
      const stored = db
        .selectFrom('user_identities')
        .select('user_id')
        .where('issuer', '=', values.issuer)
        .where('subject', '=', values.subject)
        .where('user_id', '=', values.user_id)
        .where('created_at', '=', values.created_at);
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
