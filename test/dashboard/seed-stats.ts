import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import {
  monthStart,
  SITE_LATENCY_BUCKETS,
  type SiteCost,
  type SiteCount,
  siteLatencyBucket,
} from '../../src/domain/site-stats.ts';
import { latencyBucket, STAT_STEPS, type StatCount } from '../../src/domain/stats.ts';
import { USAGE_STEPS, type UsageIncrement } from '../../src/domain/usage.ts';
import type { Service } from '../helpers/service.ts';

/** Scrapes with the same host and outcome that ended in the same minute. */
export interface Counted {
  readonly minutesAgo: number;
  readonly host: string;
  readonly outcome: string;
  readonly code?: string;
  readonly ms: number;
  readonly bytes?: number;
  readonly count: number;
}

/** Adds scrapes of the past to the counters of a running service. */
export async function seedStats(service: Service, scrapes: readonly Counted[]): Promise<void> {
  const now = Date.now();
  const counts: StatCount[] = [];
  for (const { minutesAgo, host, outcome, code, ms, bytes = 0, count } of scrapes) {
    const hostKind =
      outcome === 'ok'
        ? 'host_ok'
        : outcome === 'failed'
          ? 'host_failed'
          : outcome === 'blocked'
            ? 'host_blocked'
            : 'host_other';
    for (const { seconds: step, keptMs } of STAT_STEPS) {
      if (minutesAgo * 60_000 > keptMs) continue;
      const at = Math.floor((now - minutesAgo * 60_000) / (step * 1000)) * step * 1000;
      const base = { userId: null, step, at };
      counts.push(
        { ...base, kind: 'outcome', name: outcome, count },
        { ...base, kind: 'latency', name: String(latencyBucket(ms)), count },
        { ...base, kind: hostKind, name: host, count },
      );
      if (bytes > 0) counts.push({ ...base, kind: 'bytes', name: '', count: bytes * count });
      if (code !== undefined) counts.push({ ...base, kind: 'error', name: code, count });
    }
  }
  const store = await openSqliteStore({ file: join(service.dataDir, 'sluice.db'), durability: 'normal' });
  try {
    await store.stats.add(counts);
  } finally {
    await store.close();
  }
}

/** Hosts with their weights. */
const HOSTS = [
  ['shop.example.com', 9],
  ['www.example.org', 6],
  ['news.example.net', 4],
  ['api.weather.example', 3],
  ['catalogue.books.example', 2.4],
  ['jobs.example.com', 1.6],
  ['maps.example.org', 1.1],
  ['prices.example.net', 0.7],
  ['forum.example.com', 0.4],
] as const;
/** The outcomes other than `ok`, with their share of all scrapes. */
const TROUBLES = [
  { outcome: 'blocked', code: 'target.blocked', ms: 900, share: 0.021 },
  { outcome: 'target_error', ms: 420, share: 0.017 },
  { outcome: 'failed', code: 'timeout.total', ms: 30_000, share: 0.006 },
  { outcome: 'failed', code: 'connect.refused', ms: 12, share: 0.004 },
  { outcome: 'failed', code: 'dns.not_found', ms: 25, share: 0.002 },
  { outcome: 'partial', code: 'content.truncated', ms: 1_900, share: 0.008 },
  { outcome: 'unaccepted', code: 'accept.unmet', ms: 510, share: 0.003 },
] as const;

/**
 * A typical week of a service: more scrapes by day than by night, fewer on the weekend, and one hour with many failures. The
 * result is always the same, relative to the present. Steps are shorter for recent times, as in the charts.
 */
export function aWeek(): Counted[] {
  const random = pseudoRandom();
  const scrapes: Counted[] = [];
  for (let minutesAgo = 7 * 1440; minutesAgo >= 0; minutesAgo -= stepMinutes(minutesAgo)) {
    const hour = (((-minutesAgo / 60) % 24) + 24) % 24;
    const weekendFactor = Math.floor(minutesAgo / 1440) % 7 > 4 ? 0.45 : 1;
    const load =
      stepMinutes(minutesAgo) *
      weekendFactor *
      (6 + 5 * Math.sin((hour / 24) * 2 * Math.PI + 1.2)) *
      (0.75 + random() / 2);
    const failureFactor = minutesAgo > 370 && minutesAgo < 430 ? 9 : 1;
    const latencyFactor = 1 + 0.35 * Math.sin(minutesAgo / 90) + (failureFactor > 1 ? 0.9 : 0);
    for (const [host, weight] of HOSTS) {
      const total = Math.round((load * weight) / 9);
      let remaining = total;
      for (const { outcome, share, ms, ...code } of TROUBLES) {
        const count = Math.min(remaining, Math.floor(total * share * failureFactor + random()));
        // Some hosts have failures in the bad hour only.
        if (count === 0 || (host.length % 3 === 0 && failureFactor === 1)) continue;
        remaining -= count;
        scrapes.push({ minutesAgo, host, outcome, ms, count, ...code });
      }
      for (const [share, ms] of [
        [0.6, 240],
        [0.3, 520],
        [0.07, 1_150],
        [0.03, 2_600],
      ] as const) {
        const count = Math.round(remaining * share);
        const duration = ms * latencyFactor * (0.8 + random() * 0.4);
        if (count > 0)
          scrapes.push({
            minutesAgo,
            host,
            outcome: 'ok',
            ms: duration,
            bytes: 38_000 + Math.round(random() * 30_000),
            count,
          });
      }
    }
  }
  return scrapes;
}

const stepMinutes = (minutesAgo: number): number => (minutesAgo > 1500 ? 30 : minutesAgo > 65 ? 5 : 1);

/** Random numbers from 0 to 1 with a fixed seed (mulberry32). */
function pseudoRandom(): () => number {
  let state = 7;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Scrapes of a site in a month. Each is one attempt by each of the `routes` that it lists. */
export interface SeededSite {
  readonly host: string;
  readonly monthsAgo: number;
  readonly scrapes: number;
  readonly ok: number;
  readonly ms: number;
  readonly routes: readonly Pick<
    SiteCost,
    'scraper' | 'proxyType' | 'attempts' | 'ok' | 'unpriced' | 'cost'
  >[];
}

/** Adds scrapes of past months to the counters of sites of a running service, for a user who has no other records. */
export async function seedSites(service: Service, sites: readonly SeededSite[]): Promise<void> {
  const now = Date.now();
  const userId = '01890a5d-ac96-774b-bcce-b302099a8057';
  const counts: SiteCount[] = [];
  const costs: SiteCost[] = [];
  for (const { host, monthsAgo, scrapes, ok, ms, routes } of sites) {
    const month = monthStart(now, monthsAgo);
    const latency = new Array<number>(SITE_LATENCY_BUCKETS).fill(0);
    latency[siteLatencyBucket(ms)] = scrapes;
    counts.push({ userId, month, host, scrapes, ok, lastAt: monthsAgo === 0 ? now : month, latency });
    for (const route of routes) costs.push({ userId, month, host, unit: 'EUR', ...route });
  }
  const store = await openSqliteStore({ file: join(service.dataDir, 'sluice.db'), durability: 'normal' });
  try {
    await store.stats.addSites({ counts, costs });
  } finally {
    await store.close();
  }
}

/** A year of a shop that needed a paid service until the spring, and of two others. */
export function aYearOfSites(host: string): readonly SeededSite[] {
  const shop = Array.from({ length: 11 }, (_, monthsAgo): SeededSite => {
    const scrapes = 4_000 + ((monthsAgo * 1_733) % 3_000);
    const vendor = monthsAgo < 4 ? 300 : scrapes - 700;
    return {
      ...{ host, monthsAgo, scrapes, ok: scrapes - 80, ms: 1_400 },
      routes: [
        {
          scraper: 'vendor:zyte',
          proxyType: 'datacenter',
          attempts: vendor,
          ok: vendor - 4,
          unpriced: 0,
          cost: vendor * 1_300,
        },
        {
          scraper: 'http',
          proxyType: 'datacenter',
          attempts: scrapes,
          ok: scrapes - vendor - 170,
          unpriced: 0,
          cost: scrapes * 20,
        },
        {
          scraper: 'browser',
          proxyType: 'residential',
          attempts: 160,
          ok: 90,
          unpriced: monthsAgo === 2 ? 12 : 0,
          cost: 160 * 2_100,
        },
      ],
    };
  });
  const route = { scraper: 'http_impersonate', proxyType: 'datacenter', unpriced: 0 } as const;
  return [
    ...shop,
    {
      ...{ host: 'xn--bcher-kva.example', monthsAgo: 1, scrapes: 812, ok: 640, ms: 240 },
      routes: [{ ...route, attempts: 812, ok: 640, cost: 8_120 }],
    },
    {
      ...{
        host: 'a-rather-long-name-of-a-catalogue.shops.example.com',
        monthsAgo: 0,
        scrapes: 91,
        ok: 91,
        ms: 90,
      },
      routes: [{ ...route, attempts: 91, ok: 91, unpriced: 91, cost: 0 }],
    },
    {
      host: 'other',
      monthsAgo: 0,
      scrapes: 40,
      ok: 31,
      ms: 700,
      routes: [{ ...route, attempts: 40, ok: 31, cost: 400 }],
    },
  ];
}

/** Scrapes of a key in an hour, by one route. */
export interface SeededUse {
  readonly hoursAgo: number;
  readonly userId: string;
  /** '': a session. */
  readonly keyId: string;
  readonly host: string;
  readonly scraper: string;
  readonly proxyType?: string;
  readonly outcome?: UsageIncrement['outcome'];
  readonly scrapes: number;
  /** Of all scrapes, in micro-units. */
  readonly cost: number;
}

/** Adds scrapes of the past to the counters of usage of a running service. */
export async function seedUsage(service: Service, uses: readonly SeededUse[]): Promise<void> {
  const now = Date.now();
  const counts: UsageIncrement[] = [];
  for (const { hoursAgo, proxyType = 'datacenter', outcome = 'ok', scrapes, ...use } of uses)
    for (const { seconds: step, keptMs } of USAGE_STEPS) {
      if (hoursAgo * 3_600_000 > keptMs) continue;
      const at = Math.floor((now - hoursAgo * 3_600_000) / (step * 1000)) * step * 1000;
      const sizes = { bytes: scrapes * 40_000, traffic: scrapes * 52_000 };
      const figures = { scrapes, attempts: scrapes, unpriced: 0, ...sizes };
      counts.push({ step, at, proxyType, outcome, unit: 'EUR', ...use, ...figures });
    }
  const store = await openSqliteStore({ file: join(service.dataDir, 'sluice.db'), durability: 'normal' });
  try {
    await store.stats.addUsage(counts);
  } finally {
    await store.close();
  }
}

/** Seventy days of three keys: steady, only on working days, and one that began two weeks ago. */
export function aSeason(
  userId: string,
  keys: readonly [steady: string, working: string, young: string],
): readonly SeededUse[] {
  const random = pseudoRandom();
  return Array.from({ length: 70 * 4 }, (_, quarter): readonly SeededUse[] => {
    const hoursAgo = quarter * 6;
    const daysAgo = Math.floor(hoursAgo / 24);
    const [steady, working, young] = keys;
    const count = (mean: number) => Math.round(mean * (0.7 + random() * 0.6));
    const use = (
      keyId: string,
      host: string,
      scraper: string,
      scrapes: number,
      price: number,
    ): SeededUse => ({
      ...{ hoursAgo, userId, keyId, host, scraper, scrapes, cost: scrapes * price },
    });
    return [
      use(steady, 'shop.example.com', 'http', count(260), 20),
      { ...use(steady, 'shop.example.com', 'http', count(9), 20), outcome: 'blocked' },
      use(steady, 'news.example.net', 'http_impersonate', count(90), 10),
      ...(daysAgo % 7 < 5 ? [use(working, 'catalogue.books.example', 'browser', count(40), 500)] : []),
      ...(daysAgo < 14
        ? [{ ...use(young, 'prices.example.net', 'vendor:zyte', count(22), 1_300), proxyType: 'residential' }]
        : []),
      { ...use('', 'www.example.org', 'http', count(3), 20), outcome: 'failed' },
    ];
  }).flat();
}
