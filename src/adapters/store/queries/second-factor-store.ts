import type { SecondFactorStore } from '../../../ports/second-factors.ts';
import { decodeRow, encodeRow } from '../schema/columns.ts';
import { SECOND_FACTOR_COLUMNS, type SecondFactorTable } from '../schema/sign-in-tables.ts';
import { type Db, idBytes } from '../schema/tables.ts';
import { appendAuditIf } from './audit-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import { bumpVersion } from './session-store.ts';
import type { RunStatements } from './statements.ts';

/** @param run runs statements in one transaction */
export function createSecondFactorStore(db: Db, run: RunStatements): SecondFactorStore {
  const runAll = (...queries: CompilableQuery[]) => run(queries.map(statementOf));
  const factor = (id: Uint8Array) =>
    db.selectFrom('second_factors').select('user_id').where('user_id', '=', id);

  return {
    async secondFactors() {
      const query = db.selectFrom('second_factors').selectAll().orderBy('user_id');
      return ((await runAll(query))[0]!.rows as SecondFactorTable[]).map((row) =>
        decodeRow(SECOND_FACTOR_COLUMNS, row),
      );
    },
    async putSecondFactor(factor) {
      const { user_id, ...columns } = { ...encodeRow(SECOND_FACTOR_COLUMNS, factor), last_step: 0 };
      const insert = db
        .insertInto('second_factors')
        .values({ user_id, ...columns })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(columns).where('second_factors.confirmed_at', 'is', null),
        );
      return (await runAll(insert, bumpVersion(db)))[0]!.changes > 0;
    },
    async confirmSecondFactor({ userId, at, step, recoveryHashes }, audit) {
      const id = idBytes(userId);
      const open = factor(id).where('confirmed_at', 'is', null);
      const update = db
        .updateTable('second_factors')
        .set({ confirmed_at: at, last_step: step })
        .where('user_id', 'in', open);
      // Only if it is confirmed now, by this call.
      const confirmed = factor(id).where('confirmed_at', '=', at).where('last_step', '=', step);
      const codes = recoveryHashes.map((hash) =>
        db
          .insertInto('recovery_codes')
          .columns(['user_id', 'hash'])
          .expression(
            db
              .selectFrom('second_factors')
              .select(({ val }) => ['user_id', val(Uint8Array.from(hash)).as('hash')])
              .where('user_id', 'in', confirmed),
          ),
      );
      const audited = appendAuditIf(db, audit, open);
      const [, updated] = await runAll(audited, update, ...codes, bumpVersion(db));
      return updated!.changes > 0;
    },
    async useTotpStep(userId, step) {
      const update = db
        .updateTable('second_factors')
        .set({ last_step: step })
        .where('user_id', '=', idBytes(userId))
        .where('last_step', '<', step);
      return (await runAll(update))[0]!.changes > 0;
    },
    async useRecoveryCode(userId, hash, audit) {
      const id = idBytes(userId);
      const bytes = Uint8Array.from(hash);
      const code = db
        .selectFrom('recovery_codes')
        .select('hash')
        .where('user_id', '=', id)
        .where('hash', '=', bytes);
      const deleted = db.deleteFrom('recovery_codes').where('user_id', '=', id).where('hash', '=', bytes);
      return (await runAll(appendAuditIf(db, audit, code), deleted))[1]!.changes > 0;
    },
    async recoveryCodesLeft(userId) {
      const query = db
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', idBytes(userId));
      return ((await runAll(query))[0]!.rows[0] as { count: number }).count;
    },
    async deleteSecondFactor(userId, audit) {
      const id = idBytes(userId);
      const [, , deleted] = await runAll(
        appendAuditIf(db, audit, factor(id)),
        db.deleteFrom('recovery_codes').where('user_id', '=', id),
        db.deleteFrom('second_factors').where('user_id', '=', id),
        bumpVersion(db),
      );
      return deleted!.changes > 0;
    },
  };
}
