import type { SampleKind } from '../../../domain/samples.ts';
import type { SampleRow, SampleStore } from '../../../ports/samples.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

function putSample(db: Db, { values, ...row }: SampleRow) {
  return db
    .insertInto('samples')
    .values({ ...row, data: JSON.stringify(values) })
    .onConflict((conflict) =>
      conflict
        .columns(['step', 'at', 'kind', 'name', 'replica'])
        .doUpdateSet((eb) => ({ data: eb.ref('excluded.data') })),
    );
}

function listSamples(db: Db, step: number, kind: SampleKind | null, from: number, to: number) {
  const query = db
    .selectFrom('samples')
    .selectAll()
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to);
  return (kind === null ? query : query.where('kind', '=', kind)).orderBy('at');
}

function latestSample(db: Db, step: number) {
  return db.selectFrom('samples').select('at').where('step', '=', step).orderBy('at', 'desc').limit(1);
}

function sweepSamples(db: Db, step: number, before: number) {
  return db.deleteFrom('samples').where('step', '=', step).where('at', '<', before);
}

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread, in one transaction
 */
export function createSampleStore(db: Db, read: RunStatements, write: RunStatements): SampleStore {
  return {
    async put(rows) {
      if (rows.length > 0) await write(rows.map((row) => statementOf(putSample(db, row))));
    },
    async list(step, kind, from, to) {
      const [result] = await read([statementOf(listSamples(db, step, kind, from, to))]);
      return (result!.rows as Tables['samples'][]).map(({ data, ...row }) => ({
        ...row,
        kind: row.kind as SampleKind,
        values: JSON.parse(data),
      }));
    },
    async latest(step) {
      const [result] = await read([statementOf(latestSample(db, step))]);
      return (result!.rows[0] as { readonly at: number } | undefined)?.at ?? null;
    },
    async sweep(step, before) {
      await write([statementOf(sweepSamples(db, step, before))]);
    },
  };
}
