import { sql } from 'kysely';
import type { HostBlocks, HostShare, HostStep } from '../../../domain/site-stats.ts';
import { OTHER_HOSTS, type StatKind, type StatsRequest, type StatsResult } from '../../../domain/stats.ts';
import type { StatsStore } from '../../../ports/store.ts';
import type { CountValue } from '../schema/counter-tables.ts';
import { type Db, idOrNull } from '../schema/tables.ts';
import { statementOf } from './query-compiler.ts';
import { createSiteStatsStore } from './site-stats-store.ts';
import type { StatsStoreDeps } from './stats-store-deps.ts';
import { createUsageStore } from './usage-store.ts';

/** The nil UUID (RFC 9562 §5.9), which no user has: the user id of counters of all users together. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const MAX_HOSTS = 10;
const MAX_ERRORS = 20;

interface StepRow {
  readonly at: number;
  readonly kind: 'outcome' | 'bytes' | 'latency';
  /** `name count name count …`; names contain no spaces. */
  readonly counts: string;
}

/** Kinds whose counters are read as one row for each step, because the main thread would need too long for a row each. */
const STEP_KINDS: readonly StatKind[] = ['bytes', 'latency', 'outcome'];
const HOST_KINDS: readonly StatKind[] = ['host_ok', 'host_failed', 'host_blocked', 'host_other'];

/** Queries for steps, hosts and errors; null: there is nothing to read, because no step is wanted or the user id is invalid. */
export function statsQueries(db: Db, request: StatsRequest) {
  const userId = idOrNull(request.userId ?? NIL_UUID);
  if (userId === null || request.at.length === 0) return null;
  const countsOf = (kinds: readonly StatKind[]) =>
    db
      .selectFrom('stat_counts')
      .where('step', '=', request.step)
      .where('at', 'in', [...request.at])
      .where('user_id', '=', userId)
      .where('kind', 'in', [...kinds]);
  const sumOf = (kind: StatKind) => sql<number>`sum(case when kind = ${kind} then count else 0 end)`;
  return [
    countsOf(STEP_KINDS)
      .select(['at', 'kind', sql<string>`string_agg(name || ' ' || count, ' ')`.as('counts')])
      .groupBy(['at', 'kind']),
    countsOf(HOST_KINDS)
      .select([
        'name as host',
        sql<number>`sum(count)`.as('scrapes'),
        sumOf('host_ok').as('ok'),
        sumOf('host_failed').as('failed'),
        sumOf('host_blocked').as('blocked'),
      ])
      .groupBy('name')
      .orderBy('scrapes', 'desc')
      .orderBy('name')
      .limit(MAX_HOSTS),
    countsOf(['error'])
      .select(['name as code', sql<number>`sum(count)`.as('count')])
      .groupBy('name')
      .orderBy(sql`sum(count)`, 'desc')
      .orderBy('name')
      .limit(MAX_ERRORS),
  ] as const;
}

function hostBlocksQuery(db: Db, { userId, step, at }: StatsRequest, hosts: readonly string[]) {
  const id = idOrNull(userId ?? NIL_UUID);
  if (id === null || at.length === 0 || hosts.length === 0) return null;
  return db
    .selectFrom('stat_counts')
    .where('step', '=', step)
    .where('at', 'in', [...at])
    .where('user_id', '=', id)
    .where('kind', 'in', [...HOST_KINDS])
    .where('name', 'in', [...hosts])
    .select([
      'name as host',
      sql<number>`sum(count)`.as('scrapes'),
      sql<number>`sum(case when kind = 'host_blocked' then count else 0 end)`.as('blocked'),
    ])
    .groupBy('name');
}

const MAX_SHARES = 1_000;

function hostSharesQuery(
  db: Db,
  { userId, step, from, to, minScrapes }: Parameters<StatsStore['hostShares']>[0],
) {
  const id = idOrNull(userId ?? NIL_UUID);
  if (id === null) return null;
  const scrapes = sql<number>`sum(count)`;
  return db
    .selectFrom('stat_counts')
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to)
    .where('user_id', '=', id)
    .where('kind', 'in', [...HOST_KINDS])
    .where('name', '!=', OTHER_HOSTS)
    .select([
      'name as host',
      scrapes.as('scrapes'),
      sql<number>`sum(case when kind = 'host_ok' then count else 0 end)`.as('ok'),
    ])
    .groupBy('name')
    .having(scrapes, '>=', minScrapes)
    .orderBy(scrapes, 'desc')
    .orderBy('name')
    .limit(MAX_SHARES);
}

function hostStepsQuery(db: Db, { userId, step, from, to, hosts }: Parameters<StatsStore['hostSteps']>[0]) {
  const id = idOrNull(userId ?? NIL_UUID);
  if (id === null || hosts.length === 0) return null;
  return db
    .selectFrom('stat_counts')
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to)
    .where('user_id', '=', id)
    .where('kind', 'in', [...HOST_KINDS])
    .where('name', 'in', [...hosts])
    .select([
      'name as host',
      'at',
      sql<number>`sum(count)`.as('scrapes'),
      sql<number>`sum(case when kind = 'host_ok' then count else 0 end)`.as('ok'),
    ])
    .groupBy(['name', 'at'])
    .orderBy('at')
    .orderBy('name');
}

function sweepStats(db: Db, step: number, before: number) {
  return db.deleteFrom('stat_counts').where('step', '=', step).where('at', '<', before);
}

const EMPTY_STATS: StatsResult = { steps: [], hosts: [], errors: [] };

export function createStatsStore(deps: StatsStoreDeps): StatsStore {
  const { db, read, write, count } = deps;
  return {
    ...createSiteStatsStore(deps),
    ...createUsageStore(deps),
    async add(counts) {
      const values: CountValue[] = [];
      for (const { userId, step, at, kind, name, count } of counts)
        values.push(userId ?? NIL_UUID, step, at, kind, name, count);
      if (values.length > 0) await count([['stat_counts', values]]);
    },
    async read(request) {
      const queries = statsQueries(db, request);
      if (queries === null) return EMPTY_STATS;
      const [steps, hosts, errors] = await read(queries.map(statementOf));
      return {
        steps: (steps!.rows as StepRow[]).map(({ at, kind, counts }) => ({
          at,
          kind,
          counts: parseCounts(counts),
        })),
        hosts: hosts!.rows as StatsResult['hosts'],
        errors: errors!.rows as StatsResult['errors'],
      };
    },
    async sweep(step, before) {
      await write([statementOf(sweepStats(db, step, before))]);
    },
    async hostShares(request) {
      const query = hostSharesQuery(db, request);
      if (query === null) return [];
      const [found] = await read([statementOf(query)]);
      return found!.rows as readonly HostShare[];
    },
    async hostSteps(request) {
      const query = hostStepsQuery(db, request);
      if (query === null) return [];
      const [found] = await read([statementOf(query)]);
      return found!.rows as readonly HostStep[];
    },
    async hostBlocks({ hosts, ...request }) {
      const query = hostBlocksQuery(db, request, hosts);
      if (query === null) return [];
      const [found] = await read([statementOf(query)]);
      return found!.rows as readonly HostBlocks[];
    },
  };
}

function parseCounts(text: string): Map<string, number> {
  const words = text.split(' ');
  const counts = new Map<string, number>();
  for (let i = 0; i < words.length; i += 2) counts.set(words[i]!, Number(words[i + 1]));
  return counts;
}
