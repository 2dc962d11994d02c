import { sql } from 'kysely';
import {
  SITE_LATENCY_BUCKETS,
  type SiteCostsRequest,
  type SiteListRequest,
  type SiteMonthCost,
  type SiteMonthCount,
  type SiteSummary,
  type SitesRequest,
} from '../../../domain/site-stats.ts';
import { OTHER_HOSTS } from '../../../domain/stats.ts';
import type { StatsStore } from '../../../ports/store.ts';
import type { CountValue } from '../schema/counter-tables.ts';
import { type Db, idOrNull } from '../schema/tables.ts';
import { mergeNames } from './merge-names.ts';
import { statementOf } from './query-compiler.ts';
import type { Statement } from './statements.ts';
import type { StatsStoreDeps } from './stats-store-deps.ts';

type SiteStatsStore = Pick<StatsStore, 'addSites' | 'sites' | 'siteMonths' | 'siteCosts' | 'sweepSites'>;

/** No user has it, so it finds nothing. */
const NO_ID = new Uint8Array(16);
const LATENCY_COLUMNS = Array.from({ length: SITE_LATENCY_BUCKETS }, (_, bucket) => `latency_${bucket}`);

function countsOf(db: Db, { userId, months }: SitesRequest) {
  const query = db.selectFrom('site_counts').where('month', 'in', [...months]);
  return userId === null ? query : query.where('user_id', '=', idOrNull(userId) ?? NO_ID);
}

function siteList(db: Db, { text, after, limit, ...request }: SiteListRequest) {
  const scrapes = sql<number>`sum(scrapes)`;
  const counts = countsOf(db, request);
  // `\` is no character of a host.
  const pattern = text === null ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const found = pattern === null ? counts : counts.where(sql<boolean>`host LIKE ${pattern} ESCAPE '\\'`);
  const page =
    after === null
      ? found
      : found.having(
          sql<boolean>`sum(scrapes) < ${after.scrapes} OR (sum(scrapes) = ${after.scrapes} AND host > ${after.host})`,
        );
  const latency = LATENCY_COLUMNS.map((column) => sql`sum(${sql.ref(column)})`);
  return page
    .select([
      'host',
      scrapes.as('scrapes'),
      sql<number>`sum(ok)`.as('ok'),
      sql<number>`max(last_at)`.as('lastAt'),
      sql<string>`${sql.join(latency, sql` || ' ' || `)}`.as('latency'),
    ])
    .groupBy('host')
    .orderBy(scrapes, 'desc')
    .orderBy('host')
    .limit(limit);
}

function siteMonths(db: Db, { host, ...request }: SitesRequest & { readonly host: string }) {
  return countsOf(db, request)
    .where('host', '=', host)
    .select(['month', sql<number>`sum(scrapes)`.as('scrapes'), sql<number>`sum(ok)`.as('ok')])
    .groupBy('month');
}

function siteCosts(db: Db, { userId, months, hosts, unit }: SiteCostsRequest) {
  const query = db
    .selectFrom('site_costs')
    .where('month', 'in', [...months])
    .where('host', 'in', [...hosts]);
  const own = userId === null ? query : query.where('user_id', '=', idOrNull(userId) ?? NO_ID);
  return own
    .select([
      'month',
      'host',
      'scraper',
      'proxy_type as proxyType',
      sql<number>`sum(attempts)`.as('attempts'),
      sql<number>`sum(ok)`.as('ok'),
      sql<number>`sum(case when unit = ${unit} then unpriced else attempts end)`.as('unpriced'),
      sql<number>`sum(case when unit = ${unit} then cost else 0 end)`.as('cost'),
    ])
    .groupBy(['month', 'host', 'scraper', 'proxy_type']);
}

/** Rows of `site_counts` that a month and user may have. */
interface MonthRows {
  readonly month: number;
  readonly user_id: Uint8Array;
  readonly hosts: number;
}

/** Merges the hosts of a month and user with the fewest scrapes into `OTHER_HOSTS`, so that `kept` are left besides. */
function mergeStatements(db: Db, { month, user_id }: MonthRows, kept: number): readonly Statement[] {
  const rarest = db
    .selectFrom('site_counts')
    .select('host')
    .where('month', '=', month)
    .where('user_id', '=', user_id)
    .where('host', '!=', OTHER_HOSTS)
    .orderBy('scrapes', 'desc')
    .orderBy('host')
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(kept);
  const merge = (name: 'site_counts' | 'site_costs') =>
    mergeNames(db, name, { scope: { month, user_id }, column: 'host', rarest });
  // The names are chosen by the rows of `site_counts`, so those are merged last.
  return [...merge('site_costs'), ...merge('site_counts')];
}

/** The part of `StatsStore` that counts sites. */
export function createSiteStatsStore({
  db,
  read,
  write,
  count,
  beforeMerging = [],
}: StatsStoreDeps): SiteStatsStore {
  return {
    async addSites({ counts, costs }) {
      const ofCounts: CountValue[] = [];
      for (const { userId, month, host, scrapes, ok, latency, lastAt } of counts)
        ofCounts.push(userId, month, host, scrapes, ok, ...latency, lastAt);
      const ofCosts: CountValue[] = [];
      for (const { userId, month, host, scraper, proxyType, unit, attempts, ok, unpriced, cost } of costs)
        ofCosts.push(userId, month, host, scraper, proxyType, unit, attempts, ok, unpriced, cost);
      const increments = (
        [
          ['site_counts', ofCounts],
          ['site_costs', ofCosts],
        ] as const
      ).filter(([, values]) => values.length > 0);
      if (increments.length > 0) await count(increments);
    },
    async sites(request) {
      const [found] = await read([statementOf(siteList(db, request))]);
      return (found!.rows as (Omit<SiteSummary, 'latency'> & { readonly latency: string })[]).map((row) => ({
        ...row,
        latency: row.latency.split(' ').map(Number),
      }));
    },
    async siteMonths(request) {
      const [found] = await read([statementOf(siteMonths(db, request))]);
      return found!.rows as readonly SiteMonthCount[];
    },
    async siteCosts(request) {
      if (request.hosts.length === 0) return [];
      const [found] = await read([statementOf(siteCosts(db, request))]);
      return found!.rows as readonly SiteMonthCost[];
    },
    async sweepSites(before, { perUser, all }) {
      for (const name of ['site_counts', 'site_costs'] as const)
        await write([statementOf(db.deleteFrom(name).where('month', '<', before))]);
      const [found] = await read([
        statementOf(
          db
            .selectFrom('site_counts')
            .select(['month', 'user_id', sql<number>`count(*)`.as('hosts')])
            .where('host', '!=', OTHER_HOSTS)
            .groupBy(['month', 'user_id']),
        ),
      ]);
      const rows = found!.rows as readonly MonthRows[];
      for (const row of rows) {
        const users = rows.filter(({ month }) => month === row.month).length;
        const kept = Math.min(perUser, Math.floor(all / users));
        if (row.hosts > kept) await write([...beforeMerging, ...mergeStatements(db, row, kept)]);
      }
    },
  };
}
