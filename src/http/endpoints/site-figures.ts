import { Type } from 'typebox';
import { type MicroUnits, microToCurrency } from '../../base/numbers.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { amountOrNull, closed, count, dateTime, orNull, textOrNull } from '../../domain/json-schema.ts';
import type { Step } from '../../domain/scrape.ts';
import { MODEL, type RouteSpending, spendingCost } from '../../domain/site-stats.ts';
import { PROXY_TYPES } from '../../domain/task.ts';
import {
  type BillMonth,
  createSiteFigures,
  SITE_SORTS,
  type SiteBill,
  type SiteCursor,
  type SiteFigure,
  type SiteFigureQuery,
  sortedBy,
} from '../../pipeline/site-figures.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { seesAllUsers } from '../../wire/record/record-query.ts';
import type { QueryReader, Viewer } from '../../wire/schema/query-reader.ts';
import { ScraperSchema } from '../../wire/scraper-schema.ts';
import { endpoint } from '../core/endpoint.ts';
import { notFoundRefusal } from '../core/refusal.ts';
import { json } from '../core/responses.ts';
import { MAX_PAGE_SIZE, pageOf, pageParameters } from '../operations/page.ts';
import { HOST, siteOf } from '../operations/site-host.ts';

const Count = Type.Integer({ minimum: 0 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Cost = amountOrNull(
  'In `cost_unit`, attempts that failed included. null: the cost of no attempt is known.',
);
const Unpriced = count(
  'Attempts that are missing in `cost`: without a price, or paid in another currency than that of today.',
);
const CostUnit = Type.String({
  description: 'Currency set by the operator, or `effort` if no prices are configured.',
});
const Method = closed(
  { scraper: ScraperSchema, proxy_type: Type.Enum([...PROXY_TYPES]) },
  { title: 'SiteMethod' },
);

const SiteListItem = closed(
  {
    host: Type.String({
      description:
        'Host name without the port. `other` combines the rarest hosts of a month beyond 10,000 of a user.',
    }),
    scrapes: Type.Integer({ minimum: 1, description: 'Without dry runs.' }),
    ok_share: Share,
    method: orNull(Method, {
      description: 'Method that got the most pages, of those that still work. null if none is known to.',
    }),
    median_ms: orNull(count('Median time of a scrape, accurate to a quarter.')),
    blocked_trend: closed(
      { last_day: orNull(Share), week_before: orNull(Share) },
      {
        description:
          'Share of blocked scrapes in the last 24 hours, and in the 7 days before. null: no scrapes, or the host was not among the first 100 of an hour.',
      },
    ),
    cost: Cost,
    unpriced: Unpriced,
    pace: orNull(
      closed({
        per_second: Type.Number({
          minimum: 0,
          description: 'Attempts per second that Sluice makes at most.',
        }),
        pause_s: count('What is left of a pause that the site asked for.'),
      }),
      { description: 'How far the site is slowed down, because it asked for it. null: it is not.' },
    ),
    last_change: orNull(
      closed({
        at: Type.String({ format: 'date-time' }),
        pattern: Type.String({ description: 'Kind of page, as in `GET /api/v1/sites/{host}/`.' }),
        before: Type.String(),
        after: Type.String({ description: 'What this kind of page demands since then, in words.' }),
      }),
      { description: 'The latest change of the protection. null: none is known.' },
    ),
    last_seen_at: dateTime('End of the last scrape.'),
  },
  { title: 'SiteListItem' },
);

const SiteList = closed(
  {
    from: dateTime('Start of the last month: the figures begin there.'),
    cost_unit: CostUnit,
    items: Type.Array(SiteListItem),
    next_cursor: textOrNull('Cursor of the next page. null on the last page.'),
  },
  { title: 'SiteList' },
);

const BillRoute = closed(
  {
    scraper: orNull(ScraperSchema, { description: 'null: the language model that read the pages.' }),
    proxy_type: orNull(Type.Enum([...PROXY_TYPES])),
    attempts: Count,
    ok: count('Attempts that got the page. Of the language model: successful scrapes.'),
    cost: Cost,
    unpriced: Unpriced,
  },
  { title: 'SiteBillWay' },
);

const BILL_SUM = {
  scrapes: count('Without dry runs.'),
  ok: count('Scrapes with outcome `ok`.'),
  cost: Cost,
  unpriced: Unpriced,
  ways: Type.Array(BillRoute, { description: 'By method, the most attempts first.' }),
};

const Bill = closed(
  {
    host: Type.String(),
    cost_unit: CostUnit,
    months: Type.Array(
      closed(
        { month: Type.String({ description: '`YYYY-MM`, UTC.' }), ...BILL_SUM },
        { title: 'SiteBillMonth' },
      ),
      {
        minItems: 12,
        maxItems: 12,
        description: 'The last twelve, oldest first; the last one is still running.',
      },
    ),
    total: closed(BILL_SUM),
    saving: closed(
      {
        value: amountOrNull(
          'In `cost_unit`: what the cheapest method that works at least as well would have saved in these months. null: not known.',
        ),
        way: orNull(Method, {
          description: 'That method. null: there is no cheaper one, or it is not known.',
        }),
        reason: Type.String({ description: 'Why, in a sentence.' }),
      },
      { title: 'SiteSaving' },
    ),
  },
  { title: 'SiteBill' },
);

const USER_ID = {
  user_id: {
    description: 'Id of a user, or `all` (default). Only for sessions of administrators.',
    schema: Type.String(),
  },
};

/** @returns null: all users together */
function readUser(query: QueryReader, viewer: Viewer): string | null {
  const userId = query.text('user_id');
  if (!seesAllUsers(viewer)) {
    if (userId !== null) query.addProblem('user_id', "is only for administrators' sessions");
    return viewer.userId;
  }
  return userId === 'all' ? null : userId;
}

type SiteOrder = Pick<SiteFigureQuery, 'sort' | 'descending'>;

/** A cursor of the list: its order, but for the most scraped first, and what the last site is sorted by. */
const CURSOR = /^(?:([a-z_]+)-(asc|desc)-)?(null|\d{1,16}(?:\.\d{1,20})?)-([^\s/]{1,255})$/;
const orderText = ({ sort, descending }: SiteOrder): string =>
  sort === 'scrapes' && descending ? '' : `${sort}-${descending ? 'desc' : 'asc'}-`;
const cursorOf = (site: SiteFigure, order: SiteOrder): string =>
  `${orderText(order)}${sortedBy(site, order.sort)}-${site.host}`;

/** The place in the list that the query names; null: its begin. */
function readCursor(query: QueryReader, order: SiteOrder): SiteCursor | null {
  const cursor = query.text('cursor');
  if (cursor === null) return null;
  const [, sort, direction, value, host] = CURSOR.exec(cursor) ?? [];
  const isOfOrder = (sort === undefined ? '' : `${sort}-${direction}-`) === orderText(order);
  if (host !== undefined && isOfOrder) return { value: value === 'null' ? null : Number(value), host };
  return query.addProblem('cursor', 'is not a cursor of this list in this order');
}

const LIST_QUERY = {
  parameters: {
    q: { description: 'Only hosts whose name contains this text.', schema: Type.String() },
    sort: {
      description:
        'By scrapes, host, share of `ok`, share blocked in the last 24 hours, cost, or last scrape. All but `scrapes` descending sort the most scraped 1,000 sites; sites without a value come last.',
      schema: Type.Enum([...SITE_SORTS], { default: 'scrapes' }),
    },
    order: {
      description: 'Ascending or descending. Default: `desc`, by host and `ok_share` `asc`.',
      schema: Type.Enum(['asc', 'desc']),
    },
    ...pageParameters(),
    cursor: {
      description: '`next_cursor` of the previous page, with the same `sort` and `order`.',
      schema: Type.String(),
    },
    ...USER_ID,
  },
  read: (query: QueryReader, viewer: Viewer): SiteFigureQuery => {
    const sort = query.oneOf('sort', SITE_SORTS) ?? 'scrapes';
    const order = query.oneOf('order', ['asc', 'desc'] as const);
    const descending = order === null ? sort !== 'host' && sort !== 'ok_share' : order === 'desc';
    return {
      text: query.text('q')?.toLowerCase() ?? null,
      limit: query.integer('limit', 1, MAX_PAGE_SIZE) ?? 50,
      sort,
      descending,
      after: readCursor(query, { sort, descending }),
      userId: readUser(query, viewer),
    };
  },
};

const costOrNull = (cost: MicroUnits | null): number | null => (cost === null ? null : microToCurrency(cost));
const rounded = (share: number): number => Math.round(share * 1000) / 1000;
const roundedOrNull = (share: number | null): number | null => (share === null ? null : rounded(share));
const methodObject = ({ scraper, proxyType }: Step) => ({ scraper, proxy_type: proxyType });

const siteItem = (site: SiteFigure) => ({
  host: site.host,
  scrapes: site.scrapes,
  ok_share: rounded(site.okShare),
  method: site.method === null ? null : methodObject(site.method),
  median_ms: site.medianMs,
  blocked_trend: {
    last_day: roundedOrNull(site.blocked.lastDay),
    week_before: roundedOrNull(site.blocked.weekBefore),
  },
  cost: costOrNull(site.cost),
  unpriced: site.unpriced,
  pace:
    site.pace === null
      ? null
      : { per_second: rounded(1_000 / site.pace.gapMs), pause_s: Math.ceil(site.pace.pauseMs / 1_000) },
  last_change:
    site.change === null
      ? null
      : {
          at: formatDateTime(site.change.at * 1000),
          pattern: site.change.pattern,
          before: site.change.before.words,
          after: site.change.after.words,
        },
  last_seen_at: formatDateTime(site.lastAt),
});

const wayObject = (route: RouteSpending) => ({
  scraper: route.scraper === MODEL ? null : route.scraper,
  proxy_type: route.scraper === MODEL ? null : route.proxyType,
  attempts: route.attempts,
  ok: route.ok,
  cost: costOrNull(spendingCost([route])),
  unpriced: route.unpriced,
});

const sumObject = ({ scrapes, ok, routes }: Omit<BillMonth, 'month'>) => ({
  scrapes,
  ok,
  cost: costOrNull(spendingCost(routes)),
  unpriced: routes.reduce((sum, { unpriced }) => sum + unpriced, 0),
  ways: routes.map(wayObject),
});

const billObject = (host: string, costUnit: string, { months, total, saving }: SiteBill) => ({
  host,
  cost_unit: costUnit,
  months: months.map(({ month, ...sum }) => ({
    month: formatDateTime(month).slice(0, 7),
    ...sumObject(sum),
  })),
  total: sumObject(total),
  saving: {
    value: costOrNull(saving.value),
    way: saving.step === null ? null : methodObject(saving.step),
    reason: saving.reason,
  },
});

const VISIBILITY =
  'With an API key, the figures cover its user; sessions of administrators see all users together. Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts.';

export const SITE_FIGURES = [
  endpoint({
    method: 'get',
    path: '/api/v1/sites/',
    operationId: 'listSites',
    summary: 'List sites',
    description: `The sites scraped this month and last month, the most scraped first unless \`sort\` says otherwise. ${VISIBILITY}`,
    access: 'scope:read',
    query: LIST_QUERY,
    responses: { 200: json('A page of sites.', SiteList) },
    prepare: ({ store: { stats }, sites, pipeline, currentPrices: { current: prices }, clock }) => {
      const figures = createSiteFigures({ stats, sites, pipeline, prices, clock });
      return async ({ query }) => {
        const { from, items } = await figures.list({ ...query, limit: query.limit + 1 });
        const { page, next_cursor } = pageOf(items, query.limit, (site) => cursorOf(site, query));
        return {
          from: formatDateTime(from),
          cost_unit: prices()?.currency ?? EFFORT_UNIT,
          items: page.map(siteItem),
          next_cursor,
        };
      };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/sites/{host}/bill/',
    operationId: 'getSiteBill',
    summary: 'Get what the scrapes of a site have cost',
    description: `By month and method, for the last twelve months, and what a cheaper method would have saved. The port of the host does not count. ${VISIBILITY}`,
    access: 'scope:read',
    params: HOST,
    query: {
      parameters: USER_ID,
      read: (query: QueryReader, viewer: Viewer) => ({ userId: readUser(query, viewer) }),
    },
    responses: { 200: json('The bill.', Bill) },
    prepare: ({ store: { stats }, sites, pipeline, currentPrices: { current: prices }, clock }) => {
      const figures = createSiteFigures({ stats, sites, pipeline, prices, clock });
      return async ({ params, query: { userId } }) => {
        const host = new URL(`http://${siteOf(params.host)}/`).hostname;
        const bill = await figures.bill(userId, host);
        if (bill === null) throw notFoundRefusal('site');
        return billObject(host, prices()?.currency ?? EFFORT_UNIT, bill);
      };
    },
  }),
];
