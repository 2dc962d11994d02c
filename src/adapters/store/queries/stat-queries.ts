import { type Kysely, sql } from 'kysely';
import type { StatKind, StatsAsk } from '../../../domain/stats.ts';
import { idOrNull } from './ids.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** Stands for all users together; no user has it (RFC 9562 §5.9). */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

const MOST_HOSTS = 10;
const MOST_ERRORS = 20;

/** Adds to one counter. The values are in the order user, step, at, kind, name, count. */
export function addCount(db: Db) {
  return db
    .insertInto('stat_counts')
    .values({ user_id: new Uint8Array(0), step: 0, at: 0, kind: '', name: '', count: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['step', 'at', 'user_id', 'kind', 'name'])
        .doUpdateSet({ count: sql`stat_counts.count + excluded.count` }),
    );
}

export interface StepRow {
  readonly at: number;
  readonly kind: 'outcome' | 'bytes' | 'latency';
  /** `name count name count …`; names hold no blank. */
  readonly counts: string;
}

/** One row for each step and kind: ten thousand little ones would take the main thread too long. */
const STEP_KINDS: readonly StatKind[] = ['bytes', 'latency', 'outcome'];
const HOST_KINDS: readonly StatKind[] = ['host_ok', 'host_failed', 'host_blocked', 'host_other'];

/** Steps, hosts, errors; null: no such user can exist. */
export function statsQueries(db: Db, ask: StatsAsk) {
  const userId = idOrNull(ask.userId ?? NIL_ID);
  if (userId === null || ask.at.length === 0) return null;
  const those = (kinds: readonly StatKind[]) =>
    db
      .selectFrom('stat_counts')
      .where('step', '=', ask.step)
      .where('at', 'in', [...ask.at])
      .where('user_id', '=', userId)
      .where('kind', 'in', [...kinds]);
  const of = (kind: StatKind) => sql<number>`sum(case when kind = ${kind} then count else 0 end)`;
  return [
    those(STEP_KINDS)
      .select(['at', 'kind', sql<string>`string_agg(name || ' ' || count, ' ')`.as('counts')])
      .groupBy(['at', 'kind']),
    those(HOST_KINDS)
      .select([
        'name as host',
        sql<number>`sum(count)`.as('scrapes'),
        of('host_ok').as('ok'),
        of('host_failed').as('failed'),
        of('host_blocked').as('blocked'),
      ])
      .groupBy('name')
      .orderBy('scrapes', 'desc')
      .orderBy('name')
      .limit(MOST_HOSTS),
    those(['error'])
      .select(['name as code', sql<number>`sum(count)`.as('count')])
      .groupBy('name')
      .orderBy(sql`sum(count)`, 'desc')
      .orderBy('name')
      .limit(MOST_ERRORS),
  ] as const;
}

export function sweepStats(db: Db, step: number, before: number) {
  return db.deleteFrom('stat_counts').where('step', '=', step).where('at', '<', before);
}
