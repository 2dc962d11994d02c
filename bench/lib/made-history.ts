import type { NewRecord } from '../../src/domain/record.ts';
import type { StatCount } from '../../src/domain/stats.ts';
import { STATS_WINDOWS, type StatsWindow, statsRequest } from '../../src/http/endpoints/stats.ts';
import type { Store } from '../../src/ports/store.ts';
import { idAt, record } from '../../test/contracts/samples.ts';

/** All records lie in the days before now, evenly: as many as retention keeps by default, and not swept. */
const DAYS_MS = 6 * 86_400_000;
const AT_ONCE = 2_000;
/** Of these one in ten records is, in turn. */
const OTHERS = Array.from({ length: 9 }, (_, n) => `01890000-0000-7000-8000-0000000000b${n}`);

/** Of the 5,000 hosts one. */
export const RARE_HOST = 'www.shop-77.example';

/** When the n-th of so many was made, if the last was made at `until`. */
export const madeAt = (n: number, total: number, until: number): number =>
  Math.floor(until - ((total - n) * DAYS_MS) / total);

function made(n: number, at: number, userId: string): NewRecord {
  const host = `www.shop-${(n * 7919) % 5000}.example`;
  const failed = n % 7 === 0;
  return record(0, {
    id: idAt(at, n % 65_536),
    createdAt: at,
    userId: n % 10 === 0 ? OTHERS[(n / 10) % OTHERS.length]! : userId,
    keyId: `key${n % 5}`,
    host,
    url: `https://${host}/catalogue/section-${n % 40}/item-${n}.html?ref=list&page=${n % 9}`,
    outcome: failed ? 'failed' : n % 13 === 0 ? 'target_error' : 'ok',
    errorCode: failed ? (n % 3 === 0 ? 'timeout.total' : 'connect.timeout') : null,
    statusCode: failed ? null : n % 13 === 0 ? 404 : 200,
    httpStatus: failed ? 504 : 200,
    durationMs: 40 + ((n * 7919) % 3000),
    contentBytes: 5,
    tags: n % 4 === 0 ? { team: n % 8 === 0 ? 'blue' : 'green', job: String(n % 50) } : {},
  });
}

/** Puts so many records, nine in ten of them of this user, hosts and outcomes as on a busy service. */
export async function makeRecords(store: Store, total: number, userId: string, until: number): Promise<void> {
  for (let n = 0; n < total; n += AT_ONCE) {
    const count = Math.min(AT_ONCE, total - n);
    const puts = Array.from({ length: count }, (_, i) =>
      store.records.put(made(n + i, madeAt(n + i, total, until), userId)),
    );
    await Promise.all(puts);
  }
}

/** Fills every step of every window as full as it gets: a hundred hosts, sixty cells of latency. */
export async function makeStats(store: Store, userId: string, until: number): Promise<void> {
  const names: [StatCount['kind'], string][] = [['bytes', '']];
  for (const outcome of ['ok', 'failed', 'target_error', 'partial', 'blocked'])
    names.push(['outcome', outcome]);
  for (let cell = 40; cell < 100; cell++) names.push(['latency', String(cell)]);
  for (const code of ['connect.timeout', 'timeout.total', 'dns.failed']) names.push(['error', code]);
  for (let host = 0; host < 100; host++) {
    names.push(['host_ok', `www.shop-${host}.example`]);
    if (host % 2 === 0) names.push(['host_failed', `www.shop-${host}.example`]);
  }
  for (const window of Object.keys(STATS_WINDOWS) as StatsWindow[])
    for (const user of [userId, ...OTHERS, null]) {
      const { at, step } = statsRequest({ window, userId: user }, until);
      const counts = at.flatMap((begin) =>
        names.map(([kind, name], n) => ({ userId: user, step, at: begin, kind, name, count: n + 1 })),
      );
      await store.stats.add(counts);
    }
}
