import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { DAY_MS, forecastMonth, USAGE_STEPS, type UsageIncrement } from '../../src/domain/usage.ts';
import { usageReport } from '../../src/http/operations/usage-figures.ts';
import { rangeBefore, type UsageParameters, type UsageRange } from '../../src/http/operations/usage-query.ts';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { ANNA } from '../contracts/samples.ts';

/** Noon of the 16th day of a month of 31 days: half of it is left. */
const NOW = Date.UTC(2026, 6, 16, 12);
const TODAY = Date.UTC(2026, 6, 16);
const HOUR_MS = 3_600_000;
const EVERYTHING = { userId: null, keyId: null, host: null, scraper: null, proxyType: null };

/** A store with a scrape of each key of each hour in `hoursAgo`, in steps of all lengths. */
async function storeWith(t: TestContext, keysAt: (hoursAgo: number) => readonly string[], hours: number) {
  const store = await openSqliteStore({ file: join(tempFolder(t), 'sluice.db'), durability: 'normal' });
  afterwards(t, () => store.close());
  const counts: UsageIncrement[] = [];
  for (let ago = 0; ago < hours; ago++)
    for (const keyId of keysAt(ago))
      for (const { seconds } of USAGE_STEPS) {
        const at = Math.floor((NOW - 1 - ago * HOUR_MS) / (seconds * 1000)) * seconds * 1000;
        counts.push({
          ...{ userId: ANNA, step: seconds, at, keyId, host: 'a.test', scraper: 'http' },
          ...{ proxyType: 'datacenter', outcome: 'ok', unit: 'EUR' },
          ...{ scrapes: 1, bytes: 1, attempts: 1, traffic: 1, unpriced: 0, cost: 1_000_000 },
        });
      }
  await store.stats.addUsage(counts);
  for (const { seconds, keptMs, limits } of USAGE_STEPS)
    await store.stats.sweepUsage({ step: seconds, before: NOW - keptMs, mergedFrom: NOW - DAY_MS }, limits);
  const prices = { currency: 'EUR' } as NonNullable<Parameters<typeof usageReport>[0]['prices']>;
  return (range: UsageRange, change: Partial<UsageParameters> = {}) =>
    usageReport(
      { stats: store.stats, prices, clock: { now: () => NOW } },
      { range, by: 'key', filter: EVERYTHING, sort: 'cost', limit: 10, ...change },
    );
}

test('usage is compared with the time before, per unit of time', async (t) => {
  // The key `more` began a week ago.
  const report = await storeWith(t, (ago) => (ago < 7 * 24 ? ['steady', 'more'] : ['steady']), 40 * 24);
  const week = { step: 3_600, from: NOW - 7 * DAY_MS, to: NOW };
  const { total, previous, change, items, other, countedFrom } = await report(week);
  assert.deepEqual([total.scrapes, total.cost, previous!.scrapes], [336, 336_000_000, 168]);
  assert.deepEqual(change, { scrapes: 1, cost: 1 });
  assert.deepEqual(
    items.map(({ name, previous, change }) => [name, previous!.scrapes, change.scrapes]),
    [
      ['more', 0, null],
      ['steady', 168, 0],
    ],
  );
  assert.equal(other, null);
  // The hours of that day are deleted.
  assert.equal(countedFrom, TODAY - 40 * DAY_MS);
  // The last half day is missing, but steady use has not changed.
  const days = { step: 86_400, from: TODAY - 14 * DAY_MS, to: TODAY + DAY_MS };
  const steady = await report(days, { filter: { ...EVERYTHING, keyId: 'steady' } });
  assert.deepEqual([steady.previous!.scrapes, steady.change.scrapes], [15 * 24, 0]);
  // Only a part of the time before was counted.
  const long = await report({ step: 86_400, from: TODAY - 29 * DAY_MS, to: TODAY + DAY_MS });
  assert.deepEqual([long.previous, long.change.cost], [null, null]);
  const byDay = await report(days, { by: 'day' });
  assert.equal(byDay.items.length, 15);
  assert.deepEqual(
    [byDay.items.at(-1)!.name, byDay.items.at(-1)!.figures.scrapes],
    [new Date(TODAY).toISOString(), 24],
  );
});

test('the time before is read in the shortest steps that are kept and fit', () => {
  const before = (step: number, from: number, to: number) => rangeBefore({ step, from, to }, NOW);
  const hours = { step: 3_600, from: NOW - 14 * DAY_MS, to: NOW - 7 * DAY_MS };
  assert.deepEqual(before(3_600, NOW - 7 * DAY_MS, NOW), hours);
  assert.equal(before(3_600, NOW - 14 * DAY_MS, NOW), null, 'hours are deleted, and days begin at midnight');
  const days = { step: 86_400, from: TODAY - 20 * DAY_MS, to: TODAY - 10 * DAY_MS };
  assert.deepEqual(before(3_600, TODAY - 10 * DAY_MS, TODAY), days);
  assert.equal(before(86_400, TODAY - 100 * DAY_MS, TODAY), null);
  assert.equal(before(300, NOW - HOUR_MS, NOW)!.step, 300);
});

test('the month: so far, and the rest as the whole weeks before', async (t) => {
  const report = await storeWith(t, () => ['steady'], 29 * 24 + 12);
  const day = { step: 3_600, from: NOW - DAY_MS, to: NOW };
  const { forecast } = await report(day);
  assert.equal(new Date(forecast.month).toISOString(), '2026-07-01T00:00:00.000Z');
  assert.equal(forecast.soFar.scrapes, 15.5 * 24);
  const month = 31 * 24;
  assert.deepEqual(forecast.scrapes, { value: month, low: month, high: month });
  assert.equal(forecast.cost!.value, month * 1_000_000);
  const young = await storeWith(t, () => ['steady'], 7 * 24);
  assert.equal((await young(day)).forecast.cost, null, 'the first day is not whole');
});

test('four of five estimates have the truth between their bounds', () => {
  // A seeded generator (mulberry32), so that each run does the same.
  let state = 7;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // Weekends are quiet, and days differ.
  const days = (count: number) =>
    Array.from({ length: count }, (_, n) => Math.round((n % 7 < 5 ? 1_000 : 200) * (0.5 + random())));
  for (const left of [3, 14, 25]) {
    let within = 0;
    for (let round = 0; round < 1_000; round++) {
      const { low, high, value } = forecastMonth(days(30), 5_000, left)!;
      const truth = 5_000 + days(left).reduce((sum, one) => sum + one, 0);
      assert.ok(low >= 5_000 && low <= value && value <= high);
      if (truth >= low && truth <= high) within += 1;
    }
    assert.ok(within >= 700, `${within} of 1000 for ${left} days`);
  }
  assert.equal(forecastMonth(days(6), 0, 10), null);
});
