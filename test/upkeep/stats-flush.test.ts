import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { monthStart } from '../../src/domain/site-stats.ts';
import { ScrapeCounters } from '../../src/observe/scrape-counters.ts';
import { StorageError } from '../../src/ports/store.ts';
import { startStatsFlush } from '../../src/upkeep/stats-flush.ts';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { ANNA } from '../contracts/samples.ts';
import { eventually } from '../helpers/service.ts';
import { aScrape } from '../observe/a-scrape.ts';

const AT = Date.UTC(2026, 0, 2, 3, 59);

async function flushing(t: TestContext) {
  const file = join(tempFolder(t), 'sluice.db');
  const store = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => store.close());
  const time = { wall: AT, monotonic: 0 };
  const clock = { now: () => time.wall, monotonic: () => time.monotonic };
  const counters = new ScrapeCounters(clock.now);
  const troubles: unknown[] = [];
  const flush = startStatsFlush({
    ...{ counters, stats: store.stats, clock },
    onError: (error) => troubles.push(error),
  });
  afterwards(t, () => assert.deepEqual(troubles, []));
  const scrapes = async (step = 60, at = AT) => {
    const { steps } = await store.stats.read({ userId: ANNA, step, at: [at] });
    return steps.find(({ kind }) => kind === 'outcome')?.counts.get('ok') ?? 0;
  };
  return { file, store, time, counters, flush, scrapes };
}

test('what is counted is stored within a second or two, and the rest when it stops', async (t) => {
  const { counters, flush, scrapes } = await flushing(t);
  counters.count(aScrape(), ANNA);
  counters.count(aScrape(), ANNA);
  await eventually(async () => (await scrapes()) === 2);
  counters.count(aScrape(), ANNA);
  await flush.stop();
  assert.equal(await scrapes(), 3);
});

test('what cannot be stored is kept, and stored once when that works again', async (t) => {
  const { file, store, counters, flush, scrapes } = await flushing(t);
  const other = new Database(file);
  other.exec('ALTER TABLE stat_counts RENAME TO elsewhere');
  for (let n = 0; n < 3; n++) {
    counters.count(aScrape(), ANNA);
    // As long as a round and a bit.
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  other.exec('ALTER TABLE elsewhere RENAME TO stat_counts');
  other.close();
  await eventually(async () => (await scrapes()) === 3);
  counters.count(aScrape(), ANNA);
  await flush.stop();
  assert.equal(await scrapes(), 4);
  await store.close();
});

test('the same holds for the counts of sites, which are stored together with their costs', async (t) => {
  const { file, store, time, counters, flush } = await flushing(t);
  const month = monthStart(AT);
  const sums = async () => {
    const [site] = await store.stats.sites({
      userId: ANNA,
      months: [month],
      text: null,
      after: null,
      limit: 1,
    });
    const costs = await store.stats.siteCosts({
      userId: ANNA,
      months: [month],
      hosts: ['example.com'],
      unit: 'effort',
    });
    return [site?.scrapes ?? 0, costs.reduce((sum, { attempts }) => sum + attempts, 0)];
  };
  const both = (count: number) => eventually(async () => isDeepStrictEqual(await sums(), [count, count]));
  counters.count(aScrape(), ANNA);
  await both(1);
  const other = new Database(file);
  other.exec('ALTER TABLE site_costs RENAME TO elsewhere');
  counters.count(aScrape(), ANNA);
  // As long as a round and a bit.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  assert.equal(
    (await store.stats.siteMonths({ userId: ANNA, months: [month], host: 'example.com' }))[0]!.scrapes,
    1,
  );
  other.exec('ALTER TABLE elsewhere RENAME TO site_costs');
  other.close();
  await both(2);
  // Thirteen months are kept besides the present one.
  const goTo = (wall: number) => {
    time.monotonic += wall - time.wall;
    time.wall = wall;
  };
  goTo(Date.UTC(2027, 1, 28));
  counters.count(aScrape(), ANNA);
  await eventually(
    async () =>
      (await store.stats.siteMonths({ userId: ANNA, months: [monthStart(time.wall)], host: 'example.com' }))
        .length === 1,
  );
  await both(2);
  goTo(Date.UTC(2027, 2, 1));
  await both(0);
  await flush.stop();
});

test('usage that cannot be stored is kept, and stored once when that works again', async (t) => {
  const { file, store, counters, flush } = await flushing(t);
  const all = { userId: null, keyId: null, host: null, scraper: null, proxyType: null, unit: 'effort' };
  const scrapes = async (step: number) => {
    const steps = await store.stats.usageSteps({ ...all, step, from: 0, to: 2 * AT });
    return steps.reduce((sum, { figures }) => sum + figures.scrapes, 0);
  };
  const other = new Database(file);
  other.exec('ALTER TABLE usage_counts RENAME TO elsewhere');
  counters.count(aScrape(), ANNA, 'key-1');
  // As long as a round and a bit.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  counters.count(aScrape(), ANNA, 'key-1');
  other.exec('ALTER TABLE elsewhere RENAME TO usage_counts');
  other.close();
  for (const step of [300, 3_600, 86_400]) await eventually(async () => (await scrapes(step)) === 2);
  counters.count(aScrape(), ANNA, 'key-1');
  await flush.stop();
  assert.equal(await scrapes(86_400), 3);
});

test('what cannot be stored at the end is told', async (t) => {
  const { store, counters, flush } = await flushing(t);
  await store.close();
  counters.count(aScrape(), ANNA);
  await assert.rejects(flush.stop(), StorageError);
});

test('steps are deleted when no window needs them', async (t) => {
  const { time, counters, flush, scrapes } = await flushing(t);
  counters.count(aScrape(), ANNA);
  await eventually(async () => (await scrapes()) === 1);
  time.wall += 3 * 3_600_000;
  time.monotonic += 3 * 3_600_000;
  await eventually(async () => (await scrapes()) === 0);
  const quarter = Math.floor(AT / 900_000) * 900_000;
  const hour = Math.floor(AT / 3_600_000) * 3_600_000;
  assert.equal(await scrapes(900, quarter), 1);
  time.wall += 7 * 86_400_000;
  time.monotonic += 7 * 86_400_000;
  await eventually(async () => (await scrapes(900, quarter)) === 0);
  assert.equal(await scrapes(3600, hour), 1);
  await flush.stop();
});
