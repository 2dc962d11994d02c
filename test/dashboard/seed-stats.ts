import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/store/open-sqlite-store.ts';
import { latencyBucket, STAT_STEPS, type StatCount } from '../../src/domain/stats.ts';
import type { Service } from '../helpers/service.ts';

/** Scrapes of all users together that ended in the same minute. */
export interface Counted {
  /** How long ago, minutes. */
  readonly minutesAgo: number;
  readonly host: string;
  readonly outcome: string;
  readonly code?: string;
  readonly ms: number;
  readonly bytes?: number;
  readonly count: number;
}

/** Adds to the counters of a service that runs, as if so much had been scraped: a past that no test can wait for. */
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
      const one = { userId: null, step, at };
      counts.push(
        { ...one, kind: 'outcome', name: outcome, count },
        { ...one, kind: 'latency', name: String(latencyBucket(ms)), count },
        { ...one, kind: hostKind, name: host, count },
      );
      if (bytes > 0) counts.push({ ...one, kind: 'bytes', name: '', count: bytes * count });
      if (code !== undefined) counts.push({ ...one, kind: 'error', name: code, count });
    }
  }
  const store = await openSqliteStore({ file: join(service.dataDir, 'sluice.db'), durability: 'normal' });
  try {
    await store.stats.add(counts);
  } finally {
    await store.close();
  }
}

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
const TROUBLES = [
  { outcome: 'blocked', code: 'target.blocked', ms: 900, share: 0.021 },
  { outcome: 'target_error', ms: 420, share: 0.017 },
  { outcome: 'failed', code: 'timeout.total', ms: 30_000, share: 0.006 },
  { outcome: 'failed', code: 'connect.refused', ms: 12, share: 0.004 },
  { outcome: 'failed', code: 'dns.not_found', ms: 25, share: 0.002 },
  { outcome: 'partial', code: 'content.truncated', ms: 1_900, share: 0.008 },
  { outcome: 'unaccepted', code: 'accept.unmet', ms: 510, share: 0.003 },
] as const;

/** A week as a service in use has it: by day more than by night, less on the weekend, one bad hour; always the same. */
export function aWeek(): Counted[] {
  const chance = chances();
  const scrapes: Counted[] = [];
  for (
    let minutesAgo = 7 * 1440;
    minutesAgo >= 0;
    minutesAgo -= minutesAgo > 1500 ? 30 : minutesAgo > 65 ? 5 : 1
  ) {
    const length = minutesAgo > 1500 ? 30 : minutesAgo > 65 ? 5 : 1;
    const hour = (((-minutesAgo / 60) % 24) + 24) % 24;
    const weekend = Math.floor(minutesAgo / 1440) % 7 > 4 ? 0.45 : 1;
    const busy =
      length * weekend * (6 + 5 * Math.sin((hour / 24) * 2 * Math.PI + 1.2)) * (0.75 + chance() / 2);
    const bad = minutesAgo > 370 && minutesAgo < 430 ? 9 : 1;
    const slow = 1 + 0.35 * Math.sin(minutesAgo / 90) + (bad > 1 ? 0.9 : 0);
    for (const [host, weight] of HOSTS) {
      const all = Math.round((busy * weight) / 9);
      let rest = all;
      for (const { outcome, share, ms, ...more } of TROUBLES) {
        const count = Math.min(rest, Math.floor(all * share * bad + chance()));
        if (count === 0 || (host.length % 3 === 0 && bad === 1)) continue;
        rest -= count;
        scrapes.push({ minutesAgo, host, outcome, ms, count, ...more });
      }
      for (const [part, ms] of [
        [0.6, 240],
        [0.3, 520],
        [0.07, 1_150],
        [0.03, 2_600],
      ] as const) {
        const count = Math.round(rest * part);
        const took = ms * slow * (0.8 + chance() * 0.4);
        if (count > 0)
          scrapes.push({
            minutesAgo,
            host,
            outcome: 'ok',
            ms: took,
            bytes: 38_000 + Math.round(chance() * 30_000),
            count,
          });
      }
    }
  }
  return scrapes;
}

/** Numbers from 0 to 1 that look like chance and are the same every time (mulberry32). */
function chances(): () => number {
  let state = 7;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
