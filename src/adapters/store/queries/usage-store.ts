import { type Expression, sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import { OTHER_HOSTS } from '../../../domain/stats.ts';
import {
  NO_NAME,
  NO_USAGE,
  type UsageDetailRequest,
  type UsageFigures,
  type UsageRequest,
  type UsageSplitRequest,
} from '../../../domain/usage.ts';
import type { StatsStore } from '../../../ports/store.ts';
import { type CountValue, LATENCY_COLUMNS } from '../schema/counter-tables.ts';
import { type Db, idOrNull } from '../schema/tables.ts';
import { mergeNames } from './merge-names.ts';
import { statementOf } from './query-compiler.ts';
import type { StatsStoreDeps } from './stats-store-deps.ts';

type UsageStore = Pick<
  StatsStore,
  'addUsage' | 'usageSteps' | 'usageBy' | 'usageDetails' | 'usageSince' | 'sweepUsage'
>;

/** No user has it, so it finds nothing. */
const NO_ID = new Uint8Array(16);

function rowsOf(db: Db, { step, from, to, userId, keyId, host, scraper, proxyType }: UsageRequest) {
  let query = db
    .selectFrom('usage_counts')
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to);
  if (userId !== null) query = query.where('user_id', '=', idOrNull(userId) ?? NO_ID);
  if (keyId !== null) query = query.where('key_id', '=', keyId);
  if (host !== null) query = query.where('host', '=', host);
  if (scraper !== null) query = query.where('scraper', '=', scraper);
  if (proxyType !== null) query = query.where('proxy_type', '=', proxyType);
  return query;
}

const scrapesWith = (outcome: string) =>
  sql<number>`sum(case when outcome = ${outcome} then scrapes else 0 end)`.as(outcome);
const sum = (column: 'scrapes' | 'bytes' | 'attempts' | 'traffic') =>
  sql<number>`sum(${sql.ref(column)})`.as(column);

const figures = (unit: string) =>
  [
    sum('scrapes'),
    scrapesWith('ok'),
    scrapesWith('failed'),
    scrapesWith('blocked'),
    sum('bytes'),
    sum('attempts'),
    sum('traffic'),
    sql<number>`sum(case when unit = ${unit} then unpriced else attempts end)`.as('unpriced'),
    sql<number>`sum(case when unit = ${unit} then cost else 0 end)`.as('cost'),
  ] as const;

/** The name by which rows are split. */
const NAMES: Readonly<Record<UsageSplitRequest['by'], Expression<unknown>>> = {
  key: sql.ref('key_id'),
  host: sql.ref('host'),
  scraper: sql.ref('scraper'),
  proxy: sql.ref('proxy_type'),
  vendor: sql`case when scraper like 'vendor:%' then substr(scraper, 8) else ${sql.lit(NO_NAME)} end`,
  user: sql.ref('user_id'),
  outcome: sql.ref('outcome'),
};

/** The condition that rows have one of the names. */
function isNamed(by: UsageSplitRequest['by'], names: readonly string[] | null) {
  const toValue = (text: string) => (by === 'user' ? (idOrNull(text) ?? NO_ID) : text);
  return names === null
    ? sql<boolean>`${NAMES[by]} <> ${by === 'user' ? NO_ID : OTHER_HOSTS}`
    : sql<boolean>`${NAMES[by]} in (${sql.join(names.map(toValue))})`;
}

function detailQuery(db: Db, { by, names, bySteps, limit, ...request }: UsageDetailRequest) {
  const name = by === null ? sql.lit(NO_NAME) : NAMES[by];
  let query = rowsOf(db, request)
    .select([
      sql<string | Uint8Array>`${name}`.as('name'),
      bySteps ? sql<number>`at`.as('step_at') : sql<null>`null`.as('step_at'),
      ...figures(request.unit),
      ...LATENCY_COLUMNS.map((column) => sql<number>`sum(${sql.ref(column)})`.as(column)),
    ])
    .groupBy(bySteps ? sql`1, 2` : sql`1`)
    .orderBy(bySteps ? sql`2` : sql`3 desc`)
    .orderBy(sql`1`);
  if (by !== null) query = query.where(isNamed(by, names));
  return limit === null ? query : query.limit(limit);
}

function splitQuery(db: Db, { by, order, limit, names, ...request }: UsageSplitRequest) {
  const name = NAMES[by];
  return rowsOf(db, request)
    .where(isNamed(by, names))
    .select([sql<string | Uint8Array>`${name}`.as('name'), ...figures(request.unit)])
    .groupBy(sql`1`)
    .orderBy(order, 'desc')
    .orderBy(order === 'cost' ? 'scrapes' : 'cost', 'desc')
    .orderBy(sql`1`)
    .limit(limit);
}

const NO_LATENCY: readonly number[] = LATENCY_COLUMNS.map(() => 0);
const FIGURES = Object.keys(NO_USAGE) as readonly (keyof UsageFigures)[];

type DetailRow = UsageFigures & {
  readonly name: string | Uint8Array;
  readonly step_at: number | null;
} & Readonly<Record<string, unknown>>;

type Step = Parameters<StatsStore['sweepUsage']>[0];
type MergedColumn = 'host' | 'key_id';

/** How many names each step and user has. */
function countNames(db: Db, { step, mergedFrom }: Step, column: MergedColumn) {
  return db
    .selectFrom('usage_counts')
    .select(['at', 'user_id', sql<number>`count(distinct ${sql.ref(column)})`.as('names')])
    .where('step', '=', step)
    .where('at', '>=', mergedFrom)
    .where(column, 'not in', [OTHER_HOSTS, NO_NAME])
    .groupBy(['at', 'user_id']);
}

interface StepNames {
  readonly at: number;
  readonly user_id: Uint8Array;
  readonly names: number;
}

/** Those with the fewest scrapes of a step and user, beyond the first `kept`. */
function rarestNames(
  db: Db,
  scope: Omit<StepNames, 'names'> & { readonly step: number },
  column: MergedColumn,
  kept: number,
) {
  return db
    .selectFrom('usage_counts')
    .select(column)
    .where('step', '=', scope.step)
    .where('at', '=', scope.at)
    .where('user_id', '=', scope.user_id)
    .where(column, 'not in', [OTHER_HOSTS, NO_NAME])
    .groupBy(column)
    .orderBy(sql`sum(scrapes)`, 'desc')
    .orderBy(column)
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(kept);
}

/** The part of `StatsStore` that counts usage. */
export function createUsageStore({ db, read, write, count, beforeMerging = [] }: StatsStoreDeps): UsageStore {
  async function merge(steps: Step, column: MergedColumn, limit: number): Promise<void> {
    const [found] = await read([statementOf(countNames(db, steps, column))]);
    const byStep = Map.groupBy(found!.rows as readonly StepNames[], ({ at }) => at);
    for (const [at, users] of byStep) {
      // Names that users with few of them do not need are left to the others.
      let left = limit;
      const fewestFirst = users.toSorted((a, b) => a.names - b.names);
      for (const [index, { user_id, names }] of fewestFirst.entries()) {
        const kept = Math.min(names, Math.floor(left / (users.length - index)));
        left -= kept;
        if (names === kept) continue;
        const scope = { step: steps.step, at, user_id };
        const rarest = rarestNames(db, scope, column, kept);
        await write([...beforeMerging, ...mergeNames(db, 'usage_counts', { scope, column, rarest })]);
      }
    }
  }

  return {
    async addUsage(counts) {
      const values: CountValue[] = [];
      for (const one of counts) {
        const { userId, step, at, keyId, host, scraper, proxyType, outcome, unit } = one;
        const { scrapes, bytes, attempts, traffic, unpriced, cost } = one;
        values.push(userId, step, at, keyId, host, scraper, proxyType, outcome, unit);
        values.push(scrapes, bytes, attempts, traffic, unpriced, cost, ...(one.latency ?? NO_LATENCY));
      }
      if (values.length > 0) await count([['usage_counts', values]]);
    },
    async usageSteps(request) {
      const query = rowsOf(db, request)
        .select(['at', ...figures(request.unit)])
        .groupBy('at')
        .orderBy('at');
      const [found] = await read([statementOf(query)]);
      return (found!.rows as (UsageFigures & { readonly at: number })[]).map(({ at, ...row }) => ({
        at,
        figures: row,
      }));
    },
    async usageBy(request) {
      if (request.names?.length === 0) return [];
      const [found] = await read([statementOf(splitQuery(db, request))]);
      return (found!.rows as (UsageFigures & { readonly name: string | Uint8Array })[]).map(
        ({ name, ...row }) => ({ name: typeof name === 'string' ? name : uuidText(name), figures: row }),
      );
    },
    async usageDetails(request) {
      if (request.by !== null && request.names?.length === 0) return [];
      const [found] = await read([statementOf(detailQuery(db, request))]);
      return (found!.rows as readonly DetailRow[])
        .filter(({ scrapes }) => scrapes !== null)
        .map((row) => ({
          at: row.step_at,
          name: typeof row.name === 'string' ? row.name : uuidText(row.name),
          figures: Object.fromEntries(
            FIGURES.map((figure) => [figure, row[figure]]),
          ) as unknown as UsageFigures,
          latency: LATENCY_COLUMNS.map((column) => row[column] as number),
        }));
    },
    async usageSince(steps) {
      const found = await read(
        steps.map((step) =>
          statementOf(
            db
              .selectFrom('usage_counts')
              .select(sql<number | null>`min(at)`.as('at'))
              .where('step', '=', step),
          ),
        ),
      );
      return found.map(({ rows }) => (rows[0] as { readonly at: number | null }).at);
    },
    async sweepUsage(steps, limits) {
      const { step, before } = steps;
      await write([
        statementOf(db.deleteFrom('usage_counts').where('step', '=', step).where('at', '<', before)),
      ]);
      await merge(steps, 'host', limits.hosts);
      await merge(steps, 'key_id', limits.keys);
    },
  };
}
