import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthStart, siteLatencyBucket, siteMedian } from '../../src/domain/site-stats.ts';
import { OTHER_HOSTS } from '../../src/domain/stats.ts';
import { SiteCounters } from '../../src/observe/site-counters.ts';
import { task } from '../helpers/task.ts';
import { aScrape } from './a-scrape.ts';

const NOW = Date.UTC(2026, 11, 31, 23, 59, 59);
const at = (host: string) => ({ task: task({ host }) });
const attempt = (change: object) => ({ ...aScrape().attempts[0]!, ...change });

test('attempts count by route and currency, of scrapes that failed too', () => {
  const counters = new SiteCounters();
  const attempts = [
    attempt({ outcome: 'rejected', cost: 100 }),
    attempt({ scraper: 'vendor:one', proxyType: 'residential', cost: 1_000 }),
  ];
  counters.count(aScrape({ attempts, costUnit: 'EUR' }), 'anna', NOW);
  counters.count(
    aScrape({ attempts: [attempt({ outcome: 'failed', cost: 100 })], costUnit: 'EUR', outcome: 'failed' }),
    'anna',
    NOW + 1,
  );
  counters.count(aScrape({ attempts: [attempt({ cost: null })], costUnit: 'EUR' }), 'anna', NOW);
  counters.count(aScrape({ outcome: 'planned', attempts: [] }), 'anna', NOW);
  const { counts, costs } = counters.drain();
  assert.deepEqual(
    counts.map(({ latency: _, ...count }) => count),
    // A second before the end of the year, and after it.
    [{ userId: 'anna', month: Date.UTC(2026, 11), host: 'example.com', scrapes: 3, ok: 2, lastAt: NOW + 1 }],
  );
  const route = (scraper: string, proxyType: string) =>
    costs
      .filter((cost) => cost.scraper === scraper && cost.proxyType === proxyType)
      .map(({ attempts, ok, unpriced, cost, unit }) => ({ attempts, ok, unpriced, cost, unit }));
  assert.deepEqual(route('http', 'datacenter'), [
    { attempts: 3, ok: 1, unpriced: 1, cost: 200, unit: 'EUR' },
  ]);
  assert.deepEqual(route('vendor:one', 'residential'), [
    { attempts: 1, ok: 1, unpriced: 0, cost: 1_000, unit: 'EUR' },
  ]);
  assert.deepEqual(counters.drain(), { counts: [], costs: [] });
});

test('a new month begins at its first millisecond, and what a model cost is a part of its own', () => {
  const counters = new SiteCounters();
  const model = { calls: 1, tokensIn: 1, tokensOut: 1, model: 'm', cost: 7, costItems: [] };
  counters.count(aScrape(), 'anna', NOW);
  counters.count(aScrape({ model } as object), 'anna', NOW + 1_000);
  const { counts, costs } = counters.drain();
  assert.deepEqual(
    counts.map(({ month }) => month),
    [Date.UTC(2026, 11), Date.UTC(2027, 0)],
  );
  assert.equal(monthStart(NOW, 12), Date.UTC(2025, 11));
  assert.deepEqual(
    costs.filter(({ scraper }) => scraper === 'model').map(({ attempts, ok, cost }) => [attempts, ok, cost]),
    [[1, 1, 7]],
  );
});

test('further hosts count as one; what is taken back is not lost', () => {
  const counters = new SiteCounters(/* maxHosts */ 2);
  for (const host of ['a.test', 'b.test', 'c.test', 'd.test', 'a.test'])
    counters.count(aScrape(at(host)), 'anna', NOW);
  const scrapes = () => {
    const drained = counters.drain();
    counters.restore(drained);
    return Object.fromEntries(drained.counts.map((count) => [count.host, count.scrapes]));
  };
  assert.deepEqual(scrapes(), { 'a.test': 2, 'b.test': 1, [OTHER_HOSTS]: 2 });
  counters.count(aScrape(at('b.test')), 'anna', NOW);
  assert.deepEqual(scrapes(), { 'a.test': 2, 'b.test': 2, [OTHER_HOSTS]: 2 });
  const { counts, costs } = counters.drain();
  assert.equal(
    costs.reduce((sum, { attempts }) => sum + attempts, 0),
    6,
  );
  assert.equal(
    counts.flatMap(({ latency }) => latency).reduce((sum, count) => sum + count, 0),
    6,
  );
});

test('a pause that the site asked for is no part of the duration', () => {
  const counters = new SiteCounters();
  const timing = { ...aScrape().timing, total: 60_100, pause: 60_000 };
  counters.count(aScrape({ timing }), 'anna', NOW);
  assert.equal(counters.drain().counts[0]!.latency[siteLatencyBucket(100)], 1);
});

test('the median is accurate to a quarter', () => {
  for (const ms of [7, 45, 130, 260, 800, 1_700, 4_200, 18_000, 45_000]) {
    const latency = new Array<number>(20).fill(0);
    for (const factor of [0.5, 0.9, 1, 1.1, 2]) latency[siteLatencyBucket(ms * factor)]! += 1;
    const median = siteMedian(latency)!;
    assert.ok(Math.abs(median - ms) <= Math.max(10, ms / 4), `${median} for ${ms}`);
  }
  assert.equal(siteMedian(new Array<number>(20).fill(0)), null);
});
