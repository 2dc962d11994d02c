import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODEL } from '../../src/domain/site-stats.ts';
import { OTHER_HOSTS } from '../../src/domain/stats.ts';
import { NO_NAME } from '../../src/domain/usage.ts';
import { UsageCounters } from '../../src/observe/usage-counters.ts';
import { task } from '../helpers/task.ts';
import { aScrape } from './a-scrape.ts';

const NOW = Date.UTC(2026, 11, 31, 23, 59, 59);
const attempt = (change: object) => ({ ...aScrape().attempts[0]!, ...change });

test('a scrape counts at the route of its result, each attempt at its own, in steps of three lengths', () => {
  const counters = new UsageCounters();
  const attempts = [
    attempt({ outcome: 'rejected', cost: 100 }),
    attempt({ scraper: 'vendor:one', proxyType: 'residential', cost: null }),
  ];
  const model = { calls: 1, tokensIn: 1, tokensOut: 1, model: 'm', cost: 7, costItems: [] };
  const result = { scraper: 'vendor:one', proxyType: 'residential' } as const;
  counters.count(aScrape({ attempts, model, ...result, costUnit: 'EUR' } as object), 'anna', 'key-1', NOW);
  // Ended without an attempt, in a session; and a dry run.
  counters.count(
    aScrape({ attempts: [], scraper: null, proxyType: null, outcome: 'failed', delivered: null }),
    'anna',
    null,
    NOW,
  );
  counters.count(aScrape({ outcome: 'planned', attempts: [] }), 'anna', 'key-1', NOW);
  const counts = counters.drain();
  const rows = (step: number) =>
    counts
      .filter((count) => count.step === step)
      .map((count) => [
        ...[count.keyId, count.scraper, count.proxyType, count.outcome],
        ...[count.scrapes, count.attempts, count.unpriced, count.cost, count.traffic],
      ]);
  const expected = [
    ['key-1', 'vendor:one', 'residential', 'ok', 1, 1, 1, 0, 3_576],
    ['key-1', 'http', 'datacenter', 'ok', 0, 1, 0, 100, 3_576],
    ['key-1', MODEL, 'none', 'ok', 0, 1, 0, 7, 0],
    [NO_NAME, NO_NAME, NO_NAME, 'failed', 1, 0, 0, 0, 0],
  ];
  for (const step of [300, 3_600, 86_400]) assert.deepEqual(rows(step), expected);
  assert.deepEqual(
    [...new Set(counts.map(({ at }) => new Date(at).toISOString()))],
    ['2026-12-31T23:55:00.000Z', '2026-12-31T23:00:00.000Z', '2026-12-31T00:00:00.000Z'],
  );
  assert.deepEqual(counters.drain(), []);
});

test('further hosts count as one; what is taken back is not lost and does not count twice', () => {
  const counters = new UsageCounters(/* maxTallies */ 2);
  const hosts = ['a.test', 'b.test', 'c.test', 'd.test', 'a.test'];
  for (const host of hosts) counters.count(aScrape({ task: task({ host }) }), 'anna', null, NOW);
  const scrapes = () => {
    const drained = counters.drain();
    counters.restore(drained);
    const days = drained.filter(({ step }) => step === 86_400);
    return Object.fromEntries(days.map((count) => [count.host, [count.scrapes, count.attempts]]));
  };
  const expected = { 'a.test': [2, 2], 'b.test': [1, 1], [OTHER_HOSTS]: [2, 2] };
  assert.deepEqual(scrapes(), expected);
  assert.deepEqual(scrapes(), expected);
});
