import type { NewRecord } from '../../src/domain/record.ts';
import type { StatCount } from '../../src/domain/stats.ts';
import { STATS_WINDOWS, type StatsWindow, statsRequest } from '../../src/http/endpoints/stats.ts';
import type { Store } from '../../src/ports/store.ts';
import { idAt, record } from '../../test/contracts/samples.ts';

/** Records are spread evenly over these days: less than the default retention (7 days), so that none is deleted. */
const PERIOD_MS = 6 * 86_400_000;
/** Records stored at once. */
const BATCH = 2_000;
/** These users have one in ten records, in turn. */
const OTHER_USERS = Array.from({ length: 9 }, (_, n) => `01890000-0000-7000-8000-0000000000b${n}`);

/** One of the 5,000 hosts. */
export const RARE_HOST = 'www.shop-77.example';

/** Time of record `n` of `total` in Unix milliseconds. @param until the time of the last one */
export const madeAt = (n: number, total: number, until: number): number =>
  Math.floor(until - ((total - n) * PERIOD_MS) / total);

function makeRecord(n: number, at: number, userId: string): NewRecord {
  const host = `www.shop-${(n * 7919) % 5000}.example`;
  const failed = n % 7 === 0;
  return record(0, {
    id: idAt(at, n % 65_536),
    createdAt: at,
    userId: n % 10 === 0 ? OTHER_USERS[(n / 10) % OTHER_USERS.length]! : userId,
    keyId: `key${n % 5}`,
    host,
    url: `https://${host}/catalogue/section-${n % 40}/item-${n}.html?ref=list&page=${n % 9}`,
    outcome: failed ? 'failed' : n % 13 === 0 ? 'target_error' : 'ok',
    errorCode: failed ? (n % 3 === 0 ? 'timeout.total' : 'connect.timeout') : null,
    statusCode: failed ? null : n % 13 === 0 ? 404 : 200,
    httpStatus: failed ? 504 : 200,
    durationMs: 40 + ((n * 7919) % 3000),
    contentBytes: 5,
    tags: n % 4 === 0 ? { team: n % 8 === 0 ? 'blue' : 'green', task: String(n % 50) } : {},
  });
}

/** Stores `total` records, nine in ten of them of this user, with hosts and outcomes as on a busy service. */
export async function makeRecords(store: Store, total: number, userId: string, until: number): Promise<void> {
  for (let n = 0; n < total; n += BATCH) {
    const count = Math.min(BATCH, total - n);
    const puts = Array.from({ length: count }, (_, i) =>
      store.records.put(makeRecord(n + i, madeAt(n + i, total, until), userId)),
    );
    await Promise.all(puts);
  }
}

/** Fills every step of every statistics window with the most counters it can have: 100 hosts, 60 latency buckets. */
export async function makeStats(store: Store, userId: string, until: number): Promise<void> {
  const names: [StatCount['kind'], string][] = [['bytes', '']];
  for (const outcome of ['ok', 'failed', 'target_error', 'partial', 'blocked'])
    names.push(['outcome', outcome]);
  for (let bucket = 40; bucket < 100; bucket++) names.push(['latency', String(bucket)]);
  for (const code of ['connect.timeout', 'timeout.total', 'dns.failed']) names.push(['error', code]);
  for (let host = 0; host < 100; host++) {
    names.push(['host_ok', `www.shop-${host}.example`]);
    if (host % 2 === 0) names.push(['host_failed', `www.shop-${host}.example`]);
  }
  for (const window of Object.keys(STATS_WINDOWS) as StatsWindow[])
    for (const user of [userId, ...OTHER_USERS, null]) {
      const { at, step } = statsRequest({ window, userId: user }, until);
      const counts = at.flatMap((begin) =>
        names.map(([kind, name], n) => ({ userId: user, step, at: begin, kind, name, count: n + 1 })),
      );
      await store.stats.add(counts);
    }
}
