import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MetricDeps, MetricReader } from '../../src/alerts/metrics.ts';
import { tryRule } from '../../src/alerts/try-rule.ts';
import type { KeyRow, UserRow } from '../../src/domain/account.ts';
import type { MetricConditions } from '../../src/domain/alerts.ts';
import { NO_SITE_LIMITS } from '../../src/domain/site-limits.ts';
import { SITE_LATENCY_BUCKETS, siteLatencyBucket } from '../../src/domain/site-stats.ts';
import { NO_NAME, USAGE_STEPS, type UsageIncrement } from '../../src/domain/usage.ts';
import type { Store } from '../../src/ports/store.ts';
import { useSqlite } from '../adapters/open-sqlite.ts';
import { ANNA, BERT } from '../contracts/samples.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The middle of a month, between two steps of each length. */
const NOW = Date.UTC(2026, 5, 16, 12, 32, 30);

const key = (id: string, change: Partial<KeyRow> = {}): KeyRow =>
  ({ id, name: `name of ${id}`, userId: ANNA, revokedAt: null, dailyBudget: null, ...change }) as KeyRow;
const KEYS = [
  key('own', { dailyBudget: { amount: 100, unit: 'scrapes' } }),
  key('gone', { revokedAt: 1 }),
  key('berts', { userId: BERT }),
];

function depsOf(store: Store): MetricDeps {
  return {
    store: {
      stats: store.stats,
      accounts: { usage: async () => [{ keyId: 'own', scrapes: 75, cost: 0 }] } as never,
    },
    accounts: {
      listKeys: (_, userId) => KEYS.filter((one) => userId === null || one.userId === userId),
      listUsers: () => [{ id: BERT, email: 'bert@example.com' } as UserRow],
    },
    siteLimits: () =>
      new Map([['a.test', { ...NO_SITE_LIMITS, budgetDay: 50_000_000, budgetMonth: 10_000_000 }]]),
    spentAt: async () => ({ day: 1_000_000, month: 9_000_000 }),
    unit: () => 'EUR',
  };
}

const metric = (change: Partial<MetricConditions>): MetricConditions => ({
  ...{ metric: 'error_rate', scope: 'all', op: '>=', allUsers: false, windowS: 3_600, minScrapes: 1 },
  ...change,
});

/** Scrapes that ended so long ago, in the counters of all steps. */
async function seed(
  store: Store,
  scrapes: readonly (Partial<UsageIncrement> & { agoMs: number; ms?: number })[],
) {
  const counts = scrapes.flatMap(({ agoMs, ms = 400, ...change }) =>
    USAGE_STEPS.map(({ seconds: step }): UsageIncrement => {
      const at = Math.floor((NOW - agoMs) / (step * 1000)) * step * 1000;
      const bucket = siteLatencyBucket(ms);
      const one = {
        ...{ userId: ANNA, keyId: 'own', host: 'a.test', scraper: 'http', proxyType: 'datacenter' },
        ...({ outcome: 'ok' } as Pick<UsageIncrement, 'outcome'>),
        ...{ unit: 'EUR', scrapes: 1, bytes: 0, attempts: 1, traffic: 0, unpriced: 0, cost: 0 },
        ...change,
      } as const;
      const latency = Array.from({ length: SITE_LATENCY_BUCKETS }, (_, n) =>
        n === bucket ? one.scrapes : 0,
      );
      return { ...one, step, at, latency };
    }),
  );
  await store.stats.addUsage(counts);
}

describe('metrics of rules', () => {
  const open = useSqlite();
  const read = async (store: Store, change: Partial<MetricConditions>, subject: string | null = null) => {
    const watched = { metric: metric(change), subject, userId: ANNA };
    const found = await new MetricReader(depsOf(store)).read(watched, NOW);
    return found.map(({ subject: name, value }) => [name, Number(value.toPrecision(3))]);
  };

  test('values of all, by host, key, scraper and vendor, of the rule owner alone or of all users', async (t) => {
    const store = await open(t);
    await seed(store, [
      { agoMs: 10 * MINUTE, scrapes: 3 },
      { agoMs: 10 * MINUTE, outcome: 'blocked', host: 'b.test', cost: 2_500_000, ms: 9_000 },
      { agoMs: 20 * MINUTE, outcome: 'failed', scraper: 'vendor:one', keyId: NO_NAME, cost: 500_000 },
      { agoMs: 20 * MINUTE, userId: BERT, keyId: 'berts', scrapes: 5, outcome: 'failed' },
      { agoMs: 20 * MINUTE, keyId: 'gone', scrapes: 5 },
      { agoMs: 3 * HOUR, scrapes: 50, cost: 4_000_000 },
    ]);
    assert.deepEqual(await read(store, {}), [['all', 0.2]]);
    assert.deepEqual(await read(store, { allUsers: true }), [['all', 0.467]]);
    assert.deepEqual(await read(store, { minScrapes: 11 }), [], 'too few say nothing');
    assert.deepEqual(await read(store, { scope: 'host', metric: 'blocked_rate' }), [
      ['a.test', 0],
      ['b.test', 1],
    ]);
    assert.deepEqual(await read(store, { scope: 'host', metric: 'scrapes' }, 'c.test'), [['c.test', 0]]);
    assert.deepEqual(await read(store, { scope: 'host' }, 'c.test'), [], 'no data is no error');
    assert.deepEqual(
      await read(store, { scope: 'key', metric: 'scrapes' }),
      [['own', 4]],
      'no session, no revoked key',
    );
    assert.deepEqual(await read(store, { scope: 'key', metric: 'scrapes' }, 'gone'), []);
    assert.deepEqual(await read(store, { scope: 'key', metric: 'scrapes' }, 'berts'), [], 'not hers');
    assert.deepEqual(await read(store, { scope: 'user', metric: 'scrapes', allUsers: true }, BERT), [
      [BERT, 5],
    ]);
    assert.deepEqual(await read(store, { scope: 'vendor', metric: 'cost' }), [['one', 0.5]]);
    assert.deepEqual(await read(store, { scope: 'scraper', metric: 'cost', windowS: 86_400 }), [
      ['http', 6.5],
      ['vendor:one', 0.5],
    ]);
    const p95 = Number((await read(store, { metric: 'p95_ms', scope: 'host' }, 'b.test'))[0]?.[1]);
    assert.ok(p95 > 7_000 && p95 <= 10_000, String(p95));
  });

  test('cost of a month begins with its first day; budgets tell what is left', async (t) => {
    const store = await open(t);
    await seed(store, [
      { agoMs: 15 * DAY, cost: 1_000_000 },
      { agoMs: 16 * DAY, cost: 100_000_000 },
      { agoMs: HOUR, cost: 2_000_000 },
      { agoMs: HOUR, cost: 9_000_000, unit: 'USD' },
    ]);
    assert.deepEqual(await read(store, { metric: 'cost_month' }), [['all', 3]]);
    assert.deepEqual(await read(store, { metric: 'budget_left', scope: 'key' }), [['own', 0.25]]);
    assert.deepEqual(await read(store, { metric: 'budget_left', scope: 'host' }), [['a.test', 0.1]]);
  });

  test('messages count scrapes as people do', async (t) => {
    const store = await open(t);
    await seed(store, [
      { agoMs: 10 * MINUTE, outcome: 'failed' },
      { agoMs: 3 * HOUR, scrapes: 2_092 },
    ]);
    const message = async (change: Partial<MetricConditions>) =>
      (
        await new MetricReader(depsOf(store)).read(
          { metric: metric(change), subject: null, userId: ANNA },
          NOW,
        )
      )
        .map(({ summary }) => summary)
        .join();
    assert.match(await message({}), /100 % of 1 scrape was not OK in the last hour/);
    assert.match(await message({ metric: 'scrapes' }), /\b1 scrape in/);
    assert.match(await message({ windowS: 86_400 }), /0 % of 2,093 scrapes were not OK in the last 24 hours/);
    assert.match(await message({ metric: 'scrapes', windowS: 86_400 }), /\b2,093 scrapes in/);
  });

  const tried = async (store: Store, change: Partial<MetricConditions>, threshold: number, more = {}) => {
    const conditions = {
      subject: null,
      threshold,
      clearThreshold: threshold,
      site: null,
      metric: metric(change),
    };
    return await tryRule(depsOf(store), { userId: ANNA, conditions, forS: 0, clearForS: 0, ...more }, NOW);
  };
  const hoursAgo = (at: number) => (NOW - at) / HOUR;

  test('a trial tells when a rule would have fired and was resolved', async (t) => {
    const store = await open(t);
    await seed(store, [
      { agoMs: 100 * HOUR, scrapes: 10 },
      { agoMs: 50 * HOUR, scrapes: 10, outcome: 'blocked' },
      { agoMs: 49 * HOUR, scrapes: 10, outcome: 'blocked' },
      { agoMs: 48 * HOUR, scrapes: 10 },
      { agoMs: 47 * HOUR, scrapes: 2, host: 'b.test' },
    ]);
    const trial = await tried(store, { metric: 'blocked_rate', scope: 'host', minScrapes: 5 }, 0.5);
    assert.equal(trial.stepS, 3_600);
    const [a, b] = trial.subjects;
    assert.deepEqual([a!.subject, b!.subject], ['a.test', 'b.test']);
    assert.deepEqual(
      a!.firings.map(({ at, resolvedAt, value }) => [
        Math.ceil(hoursAgo(at)),
        Math.ceil(hoursAgo(resolvedAt!)),
        value,
      ]),
      [[50, 48, 1]],
    );
    assert.deepEqual(b!.firings, []);
    assert.ok(
      b!.points.every(({ value }) => value === null),
      'two scrapes are too few',
    );
    assert.ok(trial.from > NOW - 101 * HOUR, 'nothing was counted before');
    assert.equal(a!.points.at(-1)!.at, NOW);
    const later = await tried(store, { metric: 'blocked_rate', scope: 'host', minScrapes: 5 }, 0.5, {
      forS: 5_400,
    });
    assert.deepEqual(later.subjects[0]!.firings, [], 'two hours are three steps, of which it lasted two');
  });

  test('a trial of a short window, of the cost of a month, and of what nobody has counted', async (t) => {
    const store = await open(t);
    const empty = await tried(store, {}, 0.5);
    assert.deepEqual(
      empty.subjects.map(({ subject, firings }) => [subject, firings]),
      [['all', []]],
    );
    await seed(store, [
      { agoMs: 40 * DAY, cost: 4_000_000 },
      { agoMs: 39 * DAY, cost: 4_000_000 },
      { agoMs: 2 * HOUR, scrapes: 7 },
    ]);
    const short = await tried(store, { metric: 'scrapes', windowS: 300 }, 7);
    assert.equal(short.stepS, 300);
    const { at, resolvedAt } = short.subjects[0]!.firings[0]!;
    assert.ok(hoursAgo(at) <= 2 && hoursAgo(at) > 1.9, String(hoursAgo(at)));
    assert.equal(resolvedAt! - at, 5 * MINUTE);
    const month = await tried(store, { metric: 'cost_month' }, 8);
    assert.equal(month.stepS, 86_400);
    const [firing] = month.subjects[0]!.firings;
    assert.equal(new Date(firing!.at).toISOString(), '2026-05-09T00:00:00.000Z', 'at the end of its day');
    assert.equal(new Date(firing!.resolvedAt!).toISOString(), '2026-06-02T00:00:00.000Z');
  });
});
