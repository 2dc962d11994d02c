import type { MicroUnits } from '../base/numbers.ts';
import type { Clock } from '../base/time.ts';
import { EFFORT_UNIT, type Prices } from '../domain/cost.ts';
import type { Step } from '../domain/scrape.ts';
import {
  type HostBlocks,
  isAttempts,
  monthStart,
  type RouteSpending,
  type SiteListRequest,
  type SiteSummary,
  siteMedian,
  spendingCost,
  sumByRoute,
} from '../domain/site-stats.ts';
import { OTHER_HOSTS } from '../domain/stats.ts';
import type { StatsStore } from '../ports/store.ts';
import type { SiteChange } from '../router/describe-site.ts';
import type { LearnedRoute } from '../router/learned-routes.ts';
import { type SiteSaving, siteSaving } from '../router/site-saving.ts';
import type { Pipeline } from './pipeline.ts';
import type { SiteDirectory } from './site-directory.ts';
import type { KnownPace } from './site-pacer.ts';

const HOUR_MS = 3_600_000;
const HOUR_S = 3_600;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * 24;
/** The list covers this month and the one before: so what it shows is recent, also at the beginning of a month. */
const LIST_MONTHS = 2;
/** The present month and those before. */
const BILL_MONTHS = 12;
/** A method with a lower probability of a page does not work now. */
const WORKS_NOW = 0.5;

/** A site in the list. */
export interface SiteFigure {
  readonly host: string;
  readonly scrapes: number;
  /** From 0 to 1. */
  readonly okShare: number;
  /** The step with the most pages among those that still work; null: none is known to. */
  readonly method: Step | null;
  readonly medianMs: number | null;
  /** Shares of blocked scrapes in the last 24 hours, and in the 7 days before; null: there were none. */
  readonly blocked: { readonly lastDay: number | null; readonly weekBefore: number | null };
  /** null: of no attempt the cost is known. */
  readonly cost: MicroUnits | null;
  /** Attempts whose cost is not known. */
  readonly unpriced: number;
  /** null: the site is not slowed down. */
  readonly pace: KnownPace | null;
  /** The latest change of a defense; null: none is known. */
  readonly change: SiteChange | null;
  /** ms since the epoch. */
  readonly lastAt: number;
}

/** `scrapes`: the most scraped first. The others sort the most scraped `MAX_SORTED` sites; those without a value come last. */
export const SITE_SORTS = ['scrapes', 'host', 'ok_share', 'blocked', 'cost', 'last_seen'] as const;
export type SiteSort = (typeof SITE_SORTS)[number];
const MAX_SORTED = 1_000;

/** Where a page ended. */
export interface SiteCursor {
  /** By which the list is sorted; null: the site has none. */
  readonly value: number | null;
  readonly host: string;
}

export interface SiteFigureQuery extends Omit<SiteListRequest, 'months' | 'after'> {
  readonly sort: SiteSort;
  readonly descending: boolean;
  readonly after: SiteCursor | null;
}

interface SiteFigureList {
  /** Start of the time that the figures cover, ms since the epoch. */
  readonly from: number;
  readonly items: readonly SiteFigure[];
}

export interface BillMonth {
  /** Start of the month, ms since the epoch. */
  readonly month: number;
  readonly scrapes: number;
  readonly ok: number;
  readonly routes: readonly RouteSpending[];
}

/** What the scrapes of a site had and cost in twelve months. */
export interface SiteBill {
  /** The oldest first, also those without scrapes. */
  readonly months: readonly BillMonth[];
  readonly total: Omit<BillMonth, 'month'>;
  readonly saving: SiteSaving;
}

interface SiteFiguresDeps {
  readonly stats: StatsStore;
  readonly sites: Pick<SiteDirectory, 'changes' | 'learned' | 'paces'>;
  readonly pipeline: Pick<Pipeline, 'unavailable' | 'steps' | 'usualPrice'>;
  /** null: no prices are configured. */
  readonly prices: () => Prices | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** Figures of sites: from the counters, and from what the router has learned. */
export interface SiteFigures {
  list(query: SiteFigureQuery): Promise<SiteFigureList>;
  /** @param userId null: all users together. @returns null: there were no scrapes of this host */
  bill(userId: string | null, host: string): Promise<SiteBill | null>;
}

type Learned = (step: Step) => LearnedRoute | null;
const NOTHING_LEARNED: Learned = () => null;

export function createSiteFigures(deps: SiteFiguresDeps): SiteFigures {
  const { stats, sites, pipeline, prices, clock } = deps;
  return {
    async list({ sort, descending, after, ...request }) {
      const byScrapes = sort === 'scrapes' && descending;
      const now = clock.now();
      const unit = prices()?.currency ?? EFFORT_UNIT;
      const { userId } = request;
      const months = lastMonths(now, LIST_MONTHS);
      const found = await stats.sites({
        ...request,
        months,
        limit: byScrapes ? request.limit : MAX_SORTED,
        after: byScrapes && after !== null ? { scrapes: after.value ?? 0, host: after.host } : null,
      });
      const hosts = found.map(({ host }) => host);
      const names = new Set(hosts);
      const [costs, lastDay, weekBefore, paces] = await Promise.all([
        stats.siteCosts({ userId, months, hosts, unit }),
        stats.hostBlocks({ userId, step: HOUR_S, at: hoursBefore(now, 0, DAY_HOURS), hosts }),
        stats.hostBlocks({ userId, step: HOUR_S, at: hoursBefore(now, DAY_HOURS, WEEK_HOURS), hosts }),
        sites.paces(names),
      ]);
      const learned = sites.learned(names);
      const changes = sites.changes(names);
      const costsByHost = Map.groupBy(costs, ({ host }) => host);
      const figureOf = (site: SiteSummary): SiteFigure => {
        const { host, scrapes, ok, lastAt, latency } = site;
        const spending = costsByHost.get(host) ?? [];
        return {
          host,
          scrapes,
          okShare: ok / scrapes,
          method:
            host === OTHER_HOSTS ? null : methodOf(spending, learned.get(host) ?? NOTHING_LEARNED, pipeline),
          medianMs: siteMedian(latency),
          blocked: { lastDay: blockedShare(lastDay, host), weekBefore: blockedShare(weekBefore, host) },
          cost: spendingCost(spending),
          unpriced: spending.reduce((sum, { unpriced }) => sum + unpriced, 0),
          pace: paces.get(host) ?? null,
          change: changes.get(host) ?? null,
          lastAt,
        };
      };
      const figures = found.map(figureOf);
      const items = byScrapes
        ? figures
        : sorted(figures, { sort, descending, after }).slice(0, request.limit);
      return { from: months.at(-1)!, items };
    },
    async bill(userId, host) {
      const now = clock.now();
      const unit = prices()?.currency ?? EFFORT_UNIT;
      const months = lastMonths(now, BILL_MONTHS);
      const [counts, costs] = await Promise.all([
        stats.siteMonths({ userId, months, host }),
        stats.siteCosts({ userId, months, hosts: [host], unit }),
      ]);
      if (counts.length === 0) return null;
      const recent = costs.filter(({ month }) => lastMonths(now, LIST_MONTHS).includes(month));
      const spending = sumByRoute(costs);
      const scrapes = counts.reduce((sum, count) => sum + count.scrapes, 0);
      const ok = counts.reduce((sum, count) => sum + count.ok, 0);
      return {
        months: months.toReversed().map((month) => ({
          month,
          scrapes: counts.find((count) => count.month === month)?.scrapes ?? 0,
          ok: counts.find((count) => count.month === month)?.ok ?? 0,
          routes: sumByRoute(costs.filter((cost) => cost.month === month)),
        })),
        total: { scrapes, ok, routes: spending },
        saving: siteSaving({
          spending,
          okShare: ok / scrapes,
          recent: sumByRoute(recent),
          steps: stepsNow(recent, pipeline),
          learned: sites.learned(new Set([host])).get(host) ?? NOTHING_LEARNED,
          price: pipeline.usualPrice,
          currency: prices()?.currency ?? null,
        }),
      };
    },
  };
}

/** What sites are sorted by. By name all are alike, and the host decides. */
export const sortedBy = (site: SiteFigure, sort: SiteSort): number | null => {
  switch (sort) {
    case 'scrapes':
      return site.scrapes;
    case 'host':
      return 0;
    case 'ok_share':
      return site.okShare;
    case 'blocked':
      return site.blocked.lastDay;
    case 'cost':
      return site.cost;
    case 'last_seen':
      return site.lastAt;
  }
};

function sorted(
  sites: readonly SiteFigure[],
  { sort, descending, after }: Pick<SiteFigureQuery, 'sort' | 'descending' | 'after'>,
): readonly SiteFigure[] {
  const sign = descending ? -1 : 1;
  const compare = (a: SiteCursor, b: SiteCursor): number => {
    if (a.value !== b.value) {
      if (a.value === null) return 1;
      if (b.value === null) return -1;
      return sign * (a.value - b.value);
    }
    const byHost = a.host < b.host ? -1 : a.host > b.host ? 1 : 0;
    return sort === 'host' ? sign * byHost : byHost;
  };
  return sites
    .map((site) => ({ site, value: sortedBy(site, sort), host: site.host }))
    .filter((one) => after === null || compare(one, after) > 0)
    .sort(compare)
    .map(({ site }) => site);
}

/** Starts of the present month and those before it, the present one first. */
const lastMonths = (now: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, ago) => monthStart(now, ago));

/** Starts of hours. @param ago hours before the present one @param count so many, backwards from there */
const hoursBefore = (now: number, ago: number, count: number): readonly number[] => {
  const hour = Math.floor(now / HOUR_MS);
  return Array.from({ length: count }, (_, index) => (hour - ago - index) * HOUR_MS);
};

function blockedShare(blocks: readonly HostBlocks[], host: string): number | null {
  const found = blocks.find((one) => one.host === host);
  return found === undefined ? null : found.blocked / found.scrapes;
}

function methodOf(
  spending: readonly RouteSpending[],
  learned: Learned,
  { unavailable }: Pick<Pipeline, 'unavailable'>,
): Step | null {
  const works = sumByRoute(spending)
    .filter(isAttempts)
    .filter((route) => route.ok > 0 && unavailable(route.scraper) === null)
    .filter((route) => (learned(route)?.success ?? 1) >= WORKS_NOW)
    .sort((a, b) => b.ok - a.ok)[0];
  return works === undefined ? null : { scraper: works.scraper, proxyType: works.proxyType };
}

/** The steps that can be taken here, and those that were taken lately without a proxy, which no list of proxy types has. */
function stepsNow(
  recent: readonly RouteSpending[],
  pipeline: Pick<Pipeline, 'unavailable' | 'steps'>,
): readonly Step[] {
  const direct = sumByRoute(recent)
    .filter(isAttempts)
    .filter(({ scraper, proxyType }) => proxyType === 'none' && pipeline.unavailable(scraper) === null);
  return [...pipeline.steps(), ...direct];
}
