import type { Kysely } from 'kysely';
import type { StatsRead } from '../../../domain/stats.ts';
import type { StatsStore } from '../../../ports/store.ts';
import { NIL_ID, type StepRow, statsQueries, sweepStats } from '../queries/stat-queries.ts';
import type { Tables } from '../queries/tables.ts';
import type { CountValue } from './add-counts.ts';
import { statementOf } from './compiler.ts';
import type { Run } from './run-statements.ts';

export interface StatsStoreParts {
  readonly db: Kysely<Tables>;
  readonly read: Run;
  readonly write: Run;
  /** Adds counts, six values each, in one transaction. */
  readonly count: (values: readonly CountValue[]) => Promise<unknown>;
}

const NOTHING: StatsRead = { steps: [], hosts: [], errors: [] };

/** Counters over the writer and the reader thread. */
export function createStatsStore({ db, read, write, count }: StatsStoreParts): StatsStore {
  return {
    async add(counts) {
      // One flat list: a thousand small objects cost much more on their way to the other thread.
      const values: CountValue[] = [];
      for (const one of counts)
        values.push(one.userId ?? NIL_ID, one.step, one.at, one.kind, one.name, one.count);
      if (values.length > 0) await count(values);
    },
    async read(ask) {
      const queries = statsQueries(db, ask);
      if (queries === null) return NOTHING;
      const [steps, hosts, errors] = await read(queries.map(statementOf));
      return {
        steps: (steps!.rows as StepRow[]).map(({ at, kind, counts }) => ({
          at,
          kind,
          counts: mapOf(counts),
        })),
        hosts: hosts!.rows as StatsRead['hosts'],
        errors: errors!.rows as StatsRead['errors'],
      };
    },
    async sweep(step, before) {
      await write([statementOf(sweepStats(db, step, before))]);
    },
  };
}

function mapOf(text: string): Map<string, number> {
  const words = text.split(' ');
  const counts = new Map<string, number>();
  for (let i = 0; i < words.length; i += 2) counts.set(words[i]!, Number(words[i + 1]));
  return counts;
}
