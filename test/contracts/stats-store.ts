import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  monthStart,
  SITE_LATENCY_BUCKETS,
  type SiteCost,
  type SiteCount,
} from '../../src/domain/site-stats.ts';
import { OTHER_HOSTS, type StatCount, type StatKind } from '../../src/domain/stats.ts';
import { NO_NAME, type UsageIncrement } from '../../src/domain/usage.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT } from './samples.ts';

const MINUTE = 60_000;
/** A step of every length begins here. */
const AT = Date.UTC(2026, 0, 2, 3);

const one = (kind: StatKind, name: string, count: number, change: Partial<StatCount> = {}): StatCount => ({
  ...{ userId: ANNA, step: 60, at: AT, kind, name, count },
  ...change,
});

/** What the StatsStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function statsStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: stats`, () => {
    const ask = (change = {}) => ({
      userId: ANNA as string | null,
      step: 60,
      at: [AT, AT + MINUTE],
      ...change,
    });

    test('nothing was counted', async (t) => {
      const { stats } = await open(t);
      await stats.add([]);
      const nothing = { steps: [], hosts: [], errors: [] };
      assert.deepEqual(await stats.read(ask()), nothing);
      assert.deepEqual(await stats.read(ask({ userId: null })), nothing);
      assert.deepEqual(await stats.read(ask({ userId: 'nobody' })), nothing);
      assert.deepEqual(await stats.read(ask({ at: [] })), nothing);
    });

    test('counts add up, in one call and over several, each counter for itself', async (t) => {
      const { stats } = await open(t);
      await stats.add([
        one('outcome', 'ok', 2),
        one('outcome', 'ok', 3),
        one('outcome', 'failed', 1),
        one('bytes', '', 5_000_000_000),
        one('latency', '40', 4),
        one('latency', '41', 2),
        one('outcome', 'ok', 7, { at: AT + MINUTE }),
        one('outcome', 'ok', 70, { at: AT + 2 * MINUTE }),
        one('outcome', 'ok', 700, { userId: BERT }),
        one('outcome', 'ok', 7_000, { userId: null }),
        one('outcome', 'ok', 70_000, { step: 900 }),
      ]);
      await stats.add([one('outcome', 'ok', 10), one('bytes', '', 1)]);
      const { steps } = await stats.read(ask());
      const shown = steps.map(({ at, kind, counts }) => [
        (at - AT) / MINUTE,
        kind,
        Object.fromEntries(counts),
      ]);
      assert.deepEqual(shown.toSorted(), [
        [0, 'bytes', { '': 5_000_000_001 }],
        [0, 'latency', { '40': 4, '41': 2 }],
        [0, 'outcome', { ok: 15, failed: 1 }],
        [1, 'outcome', { ok: 7 }],
      ]);
      const total = async (change: object) =>
        (await stats.read(ask(change))).steps.flatMap(({ counts }) => [...counts.values()]);
      assert.deepEqual(await total({ userId: BERT }), [700]);
      assert.deepEqual(await total({ userId: null }), [7_000]);
      assert.deepEqual(await total({ step: 900 }), [70_000]);
      assert.deepEqual(await total({ at: [AT + 2 * MINUTE] }), [70]);
    });

    test('hosts and errors are those of all steps together, the most frequent first, so many at most', async (t) => {
      const { stats } = await open(t);
      const counts: StatCount[] = [];
      for (let n = 0; n < 30; n++) {
        const at = AT + (n % 2) * MINUTE;
        counts.push(one('host_ok', `h${n}`, n + 1, { at }), one('error', `code.${n}`, n + 1, { at }));
      }
      await stats.add([
        ...counts,
        one('host_failed', 'h1', 100),
        one('host_blocked', 'h1', 20),
        one('host_other', 'h1', 50, { at: AT + MINUTE }),
        one('host_ok', 'elsewhere', 1_000, { at: AT + 2 * MINUTE }),
        one('host_ok', 'elsewhere', 1_000, { userId: BERT }),
      ]);
      const { hosts, errors } = await stats.read(ask());
      assert.deepEqual(hosts[0], { host: 'h1', scrapes: 172, ok: 2, failed: 100, blocked: 20 });
      assert.deepEqual(hosts[1], { host: 'h29', scrapes: 30, ok: 30, failed: 0, blocked: 0 });
      assert.equal(hosts.length, 10);
      assert.deepEqual(errors[0], { code: 'code.29', count: 30 });
      assert.equal(errors.length, 20);
    });

    test('a sweep takes the old steps of one length, of all users', async (t) => {
      const { stats } = await open(t);
      for (const userId of [ANNA, null])
        for (const step of [60, 900])
          await stats.add([
            one('outcome', 'ok', 1, { userId, step }),
            one('outcome', 'ok', 1, { userId, step, at: AT + MINUTE }),
          ]);
      await stats.sweep(60, AT + MINUTE);
      const left = async (userId: string | null, step: number) =>
        (await stats.read(ask({ userId, step }))).steps.map(({ at }) => at);
      for (const userId of [ANNA, null]) {
        assert.deepEqual(await left(userId, 60), [AT + MINUTE]);
        assert.deepEqual(await left(userId, 900), [AT, AT + MINUTE]);
      }
    });

    test('counts that cannot be added are not added in part', async (t) => {
      const { stats } = await open(t);
      const broken = one('outcome', null as unknown as string, 1);
      await assert.rejects(stats.add([one('outcome', 'ok', 1), broken]));
      assert.deepEqual((await stats.read(ask())).steps, []);
    });

    test('blocked scrapes of hosts are counted over the wanted steps', async (t) => {
      const { stats } = await open(t);
      await stats.add([
        one('host_ok', 'a.test', 6),
        one('host_blocked', 'a.test', 2, { at: AT + MINUTE }),
        one('host_blocked', 'a.test', 50, { at: AT + 2 * MINUTE }),
        one('host_blocked', 'a.test', 70, { userId: BERT }),
        one('host_other', 'b.test', 1),
        one('host_ok', 'c.test', 1),
      ]);
      const found = await stats.hostBlocks({ ...ask(), hosts: ['a.test', 'b.test', 'never.test'] });
      assert.deepEqual(
        found.toSorted((a, b) => a.host.localeCompare(b.host)).map((row) => ({ ...row })),
        [
          { host: 'a.test', scrapes: 8, blocked: 2 },
          { host: 'b.test', scrapes: 1, blocked: 0 },
        ],
      );
      assert.deepEqual(await stats.hostBlocks({ ...ask(), hosts: [] }), []);
      const { userId, step } = ask();
      const shares = async (minScrapes: number, minutes: number) =>
        (await stats.hostShares({ userId, step, minScrapes, from: AT, to: AT + minutes * MINUTE })).map(
          ({ host, scrapes, ok }) => [host, scrapes, ok],
        );
      assert.deepEqual(await shares(1, 2), [
        ['a.test', 8, 6],
        ['b.test', 1, 0],
        ['c.test', 1, 1],
      ]);
      assert.deepEqual(await shares(9, 2), []);
      assert.deepEqual(await shares(9, 3), [['a.test', 58, 6]]);
      const range = { userId, step, from: AT, to: AT + 3 * MINUTE };
      const steps = await stats.hostSteps({ ...range, hosts: ['a.test', 'c.test'] });
      const sums = Map.groupBy(steps, ({ host }) => host);
      assert.deepEqual([...sums.keys()].sort(), ['a.test', 'c.test']);
      const total = (of: 'scrapes' | 'ok') => sums.get('a.test')!.reduce((sum, step) => sum + step[of], 0);
      assert.deepEqual([total('scrapes'), total('ok')], [58, 6]);
      const times = steps.map(({ at }) => at);
      assert.deepEqual(times, times.toSorted());
      assert.deepEqual(await stats.hostSteps({ ...range, hosts: [] }), []);
    });

    siteStatsContract(open);
    usageContract(open);
  });
}

const NOW = Date.UTC(2026, 2, 15);
const [MARCH, FEBRUARY, JANUARY] = [0, 1, 2].map((ago) => monthStart(NOW, ago)) as [number, number, number];

function scrapesAt(host: string, scrapes: number, change: Partial<SiteCount> = {}): SiteCount {
  const latency = new Array<number>(SITE_LATENCY_BUCKETS).fill(0);
  latency[3] = scrapes;
  return { userId: ANNA, month: MARCH, host, scrapes, ok: scrapes, lastAt: NOW, latency, ...change };
}

function costAt(host: string, cost: number, change: Partial<SiteCost> = {}): SiteCost {
  const route = { scraper: 'http', proxyType: 'datacenter', unit: 'EUR' } as const;
  return { userId: ANNA, month: MARCH, host, ...route, attempts: 1, ok: 1, unpriced: 0, cost, ...change };
}

const list = (change = {}) => ({
  ...{ userId: ANNA as string | null, months: [MARCH], text: null, after: null, limit: 10 },
  ...change,
});

function siteStatsContract(open: (t: TestContext) => Promise<Store>): void {
  const costsOf = (change = {}) => ({
    ...{ userId: ANNA as string | null, months: [MARCH], hosts: ['a.test'], unit: 'EUR' },
    ...change,
  });

  test('sites: scrapes add up by user, month and host; the last time is kept', async (t) => {
    const { stats } = await open(t);
    await stats.addSites({ counts: [], costs: [] });
    await stats.addSites({ counts: [scrapesAt('a.test', 2, { ok: 1 })], costs: [] });
    await stats.addSites({
      counts: [
        scrapesAt('a.test', 3, { lastAt: NOW - 1 }),
        scrapesAt('a.test', 1, { lastAt: NOW + 5 }),
        scrapesAt('a.test', 10, { month: FEBRUARY }),
        scrapesAt('a.test', 100, { userId: BERT }),
      ],
      costs: [],
    });
    const [own] = await stats.sites(list());
    assert.deepEqual([own!.host, own!.scrapes, own!.ok, own!.lastAt], ['a.test', 6, 5, NOW + 5]);
    assert.deepEqual(own!.latency, scrapesAt('', 6).latency);
    const scrapes = async (change: object) => (await stats.sites(list(change))).map((site) => site.scrapes);
    assert.deepEqual(await scrapes({ months: [FEBRUARY, MARCH] }), [16]);
    assert.deepEqual(await scrapes({ userId: null }), [106]);
    assert.deepEqual(await scrapes({ userId: 'nobody' }), []);
    const months = await stats.siteMonths({ userId: ANNA, months: [FEBRUARY, MARCH], host: 'a.test' });
    assert.deepEqual(
      months.toSorted((a, b) => a.month - b.month).map((row) => ({ ...row })),
      [
        { month: FEBRUARY, scrapes: 10, ok: 10 },
        { month: MARCH, scrapes: 6, ok: 5 },
      ],
    );
  });

  test('sites: the most scraped first, in pages, with a part of the name', async (t) => {
    const { stats } = await open(t);
    const hosts = ['b.test', 'a.test', 'c_1.example', 'other.test'];
    await stats.addSites({ counts: hosts.map((host, n) => scrapesAt(host, n < 2 ? 5 : 10 - n)), costs: [] });
    const names = async (change: object) => (await stats.sites(list(change))).map(({ host }) => host);
    const all = ['c_1.example', 'other.test', 'a.test', 'b.test'];
    assert.deepEqual(await names({}), all);
    const pages: string[] = [];
    for (let last = null; pages.length < 5; ) {
      const page = await stats.sites(list({ after: last, limit: 1 }));
      if (page.length === 0) break;
      pages.push(page[0]!.host);
      last = page[0]!;
    }
    assert.deepEqual(pages, all);
    assert.deepEqual(await names({ text: 'test' }), all.slice(1));
    assert.deepEqual(await names({ text: '_1' }), ['c_1.example']);
    assert.deepEqual(await names({ text: '%' }), []);
  });

  test('sites: costs add up by route; those of another currency are unknown', async (t) => {
    const { stats } = await open(t);
    await stats.addSites({
      counts: [],
      costs: [
        costAt('a.test', 5),
        costAt('a.test', 5_000_000_000, { attempts: 3, ok: 1, unpriced: 1 }),
        costAt('a.test', 900, { unit: 'USD', attempts: 4, ok: 4, unpriced: 1 }),
        costAt('a.test', 7, { scraper: 'vendor:one', proxyType: 'residential' }),
        costAt('a.test', 70, { month: FEBRUARY }),
        costAt('b.test', 700),
        costAt('a.test', 1, { userId: BERT }),
      ],
    });
    const found = async (change = {}) =>
      (await stats.siteCosts(costsOf(change)))
        .toSorted((a, b) => a.scraper.localeCompare(b.scraper))
        .map(({ scraper, proxyType, attempts, ok, unpriced, cost }) => [
          `${scraper}/${proxyType}`,
          attempts,
          ok,
          unpriced,
          cost,
        ]);
    const own = [
      ['http/datacenter', 8, 6, 5, 5_000_000_005],
      ['vendor:one/residential', 1, 1, 0, 7],
    ];
    assert.deepEqual(await found(), own);
    assert.deepEqual((await found({ userId: null }))[0], ['http/datacenter', 9, 7, 5, 5_000_000_006]);
    assert.deepEqual((await found({ unit: 'USD' }))[0], ['http/datacenter', 8, 6, 5, 900]);
    assert.deepEqual(await found({ hosts: [] }), []);
    assert.equal(
      (await stats.siteCosts(costsOf({ months: [FEBRUARY, MARCH], hosts: ['a.test', 'b.test'] }))).length,
      4,
    );
  });

  test('sites: a sweep deletes old months, and merges the rarest hosts', async (t) => {
    const { stats } = await open(t);
    const counts = Array.from({ length: 6 }, (_, n) => scrapesAt(`h${n}.test`, n + 1));
    const costs = counts.map(({ host, scrapes }) => costAt(host, scrapes * 10, { attempts: scrapes }));
    await stats.addSites({
      counts: [
        ...counts,
        scrapesAt('old.test', 9, { month: JANUARY }),
        scrapesAt('h0.test', 8, { userId: BERT }),
      ],
      costs: [...costs, costAt('old.test', 1, { month: JANUARY })],
    });
    const left = async (userId: string) =>
      (await stats.sites(list({ userId, months: [JANUARY, MARCH] }))).map(({ host, scrapes }) => [
        host,
        scrapes,
      ]);
    await stats.sweepSites(FEBRUARY, { perUser: 4, all: 100 });
    assert.deepEqual(await left(ANNA), [
      ['h5.test', 6],
      ['h4.test', 5],
      ['h3.test', 4],
      ['h2.test', 3],
      [OTHER_HOSTS, 3],
    ]);
    // A second one adds to what was merged, and the limit of all users is shared among them.
    await stats.sweepSites(FEBRUARY, { perUser: 4, all: 5 });
    assert.deepEqual(await left(ANNA), [
      [OTHER_HOSTS, 10],
      ['h5.test', 6],
      ['h4.test', 5],
    ]);
    assert.deepEqual(await left(BERT), [['h0.test', 8]]);
    const [merged] = await stats.siteCosts(costsOf({ hosts: [OTHER_HOSTS] }));
    assert.deepEqual([merged!.attempts, merged!.cost, merged!.scraper], [10, 100, 'http']);
    assert.deepEqual(
      await stats.siteCosts(costsOf({ hosts: ['old.test', 'h0.test'], months: [JANUARY, MARCH] })),
      [],
    );
  });
}

const used = (change: Partial<UsageIncrement> = {}): UsageIncrement => ({
  ...{ userId: ANNA, step: 3_600, at: AT, keyId: 'key-1', host: 'a.test', scraper: 'http' },
  ...{ proxyType: 'datacenter', outcome: 'ok', unit: 'EUR' },
  ...{ scrapes: 1, bytes: 10, attempts: 1, traffic: 100, unpriced: 0, cost: 5 },
  ...change,
});

function usageContract(open: (t: TestContext) => Promise<Store>): void {
  const HOUR = 3_600_000;
  const ask = (change = {}) => ({
    ...{ step: 3_600, from: AT, to: AT + 2 * HOUR, unit: 'EUR', userId: null as string | null },
    ...{ keyId: null, host: null, scraper: null, proxyType: null },
    ...change,
  });
  const by = (change = {}) =>
    ({ ...ask(), by: 'host', order: 'cost', limit: 10, names: null, ...change }) as const;
  type Ask = Parameters<Store['stats']['usageBy']>[0];

  test('usage: details have durations, by name or all together, in each step or over all', async (t) => {
    const { stats } = await open(t);
    const latency = (bucket: number, count = 1) =>
      Array.from({ length: SITE_LATENCY_BUCKETS }, (_, index) => (index === bucket ? count : 0));
    const details = (change = {}) => {
      const all = { by: null, names: null, bySteps: false, limit: null };
      return stats.usageDetails({ ...ask(), ...all, ...change } as Parameters<
        Store['stats']['usageDetails']
      >[0]);
    };
    assert.deepEqual(await details(), []);
    await stats.addUsage([
      used({ latency: latency(3) }),
      used({ at: AT + HOUR, latency: latency(3, 2), scrapes: 2 }),
      used({ at: AT + HOUR, host: 'b.test', outcome: 'blocked', latency: latency(19) }),
      used({ host: OTHER_HOSTS, scrapes: 9 }),
      // An attempt is no scrape, and has no duration.
      used({ scrapes: 0, bytes: 0 }),
    ]);
    await stats.addUsage([used({ latency: latency(0) })]);
    const [all, ...none] = await details();
    assert.deepEqual(none, []);
    assert.deepEqual(
      [all!.at, all!.name, all!.figures.scrapes, all!.figures.blocked],
      [null, NO_NAME, 14, 1],
    );
    assert.deepEqual(
      all!.latency,
      latency(3, 3).map((count, n) => count + Number(n === 0 || n === 19)),
    );
    const rows = async (change: object) =>
      (await details(change)).map(({ at, name, figures, latency: { 3: third } }) => [
        at === null ? null : (at - AT) / HOUR,
        name,
        figures.scrapes,
        third,
      ]);
    assert.deepEqual(await rows({ by: 'host' }), [
      [null, 'a.test', 4, 3],
      [null, 'b.test', 1, 0],
    ]);
    assert.deepEqual(await rows({ by: 'host', limit: 1 }), [[null, 'a.test', 4, 3]]);
    assert.deepEqual(await rows({ by: 'host', names: ['a.test', 'c.test'], bySteps: true }), [
      [0, 'a.test', 2, 1],
      [1, 'a.test', 2, 2],
    ]);
    assert.deepEqual(await rows({ by: 'host', names: [] }), []);
    assert.deepEqual(await rows({ by: 'user', host: 'b.test', bySteps: true }), [[1, ANNA, 1, 0]]);
    assert.deepEqual(await rows({ bySteps: true, userId: ANNA }), [
      [0, NO_NAME, 11, 1],
      [1, NO_NAME, 3, 2],
    ]);
    await stats.sweepUsage({ step: 3_600, before: AT, mergedFrom: AT }, { hosts: 1, keys: 9 });
    const [merged] = await details({ host: OTHER_HOSTS });
    assert.equal(merged!.latency[19], 1, 'merged with the names');
  });

  test('usage: counts add up by step, and under each filter', async (t) => {
    const { stats } = await open(t);
    await stats.addUsage([]);
    assert.deepEqual(await stats.usageSteps(ask()), []);
    assert.deepEqual(await stats.usageSince([300, 3_600]), [null, null]);
    await stats.addUsage([
      used({ cost: 5_000_000_000 }),
      used({ outcome: 'failed', scrapes: 2, bytes: 0 }),
      used({ outcome: 'partial', keyId: NO_NAME, scraper: 'vendor:one', cost: 0, unpriced: 1 }),
      used({ at: AT + HOUR, outcome: 'blocked', userId: BERT, host: 'b.test', proxyType: 'mobile' }),
      used({ at: AT + 2 * HOUR }),
      used({ step: 300 }),
      used({ unit: 'USD', attempts: 4, cost: 90, unpriced: 1 }),
    ]);
    await stats.addUsage([used()]);
    const steps = await stats.usageSteps(ask());
    assert.deepEqual(
      steps.map(({ at, figures }) => [(at - AT) / HOUR, { ...figures }]),
      [
        [
          0,
          {
            ...{ scrapes: 6, ok: 3, failed: 2, blocked: 0, bytes: 40, attempts: 8, traffic: 500 },
            ...{ unpriced: 5, cost: 5_000_000_010 },
          },
        ],
        [
          1,
          {
            ...{ scrapes: 1, ok: 0, failed: 0, blocked: 1, bytes: 10, attempts: 1, traffic: 100 },
            ...{ unpriced: 0, cost: 5 },
          },
        ],
      ],
    );
    const scrapes = async (change: object) =>
      (await stats.usageSteps(ask(change))).reduce((sum, { figures }) => sum + figures.scrapes, 0);
    assert.equal(await scrapes({ userId: BERT }), 1);
    assert.equal(await scrapes({ userId: 'nobody' }), 0);
    assert.equal(await scrapes({ keyId: NO_NAME }), 1);
    assert.equal(await scrapes({ host: 'b.test' }), 1);
    assert.equal(await scrapes({ scraper: 'http' }), 6);
    assert.equal(await scrapes({ proxyType: 'mobile' }), 1);
    assert.deepEqual(await stats.usageSince([300, 3_600, 86_400]), [AT, AT, null]);
  });

  test('usage: by each split, those with the most first, all but those counted together', async (t) => {
    const { stats } = await open(t);
    await stats.addUsage([
      used({ cost: 50 }),
      used({ keyId: NO_NAME, host: 'b.test', scrapes: 10, outcome: 'failed' }),
      used({ keyId: 'key-2', scraper: 'vendor:one', proxyType: 'mobile', userId: BERT, cost: 20 }),
      used({ keyId: OTHER_HOSTS, host: OTHER_HOSTS, scrapes: 4, cost: 900 }),
    ]);
    const names = async (change: Partial<Ask>) =>
      (await stats.usageBy(by(change) as Ask)).map(({ name, figures }) => [name, figures.cost]);
    assert.deepEqual(await names({ by: 'key' }), [
      ['key-1', 50],
      ['key-2', 20],
      [NO_NAME, 5],
    ]);
    assert.deepEqual(await names({ by: 'host', order: 'scrapes' }), [
      ['b.test', 5],
      ['a.test', 70],
    ]);
    assert.deepEqual(await names({ by: 'scraper', limit: 1 }), [['http', 955]]);
    assert.deepEqual(await names({ by: 'proxy' }), [
      ['datacenter', 955],
      ['mobile', 20],
    ]);
    assert.deepEqual(await names({ by: 'vendor' }), [
      [NO_NAME, 955],
      ['one', 20],
    ]);
    assert.deepEqual(await names({ by: 'user' }), [
      [ANNA, 955],
      [BERT, 20],
    ]);
    assert.deepEqual(await names({ by: 'outcome', names: ['failed', 'blocked'] }), [['failed', 5]]);
    assert.deepEqual(await names({ by: 'user', names: [BERT, 'nobody'] }), [[BERT, 20]]);
    assert.deepEqual(await names({ names: [] }), []);
  });

  test('usage: a sweep deletes old steps, and keeps the names with the most scrapes; sums stay the same', async (t) => {
    const { stats } = await open(t);
    const counts = Array.from({ length: 40 }, (_, n) =>
      used({
        host: `h${n}.test`,
        keyId: `key-${n % 8}`,
        scrapes: n + 1,
        cost: n,
        outcome: n % 2 ? 'ok' : 'failed',
      }),
    );
    await stats.addUsage([
      ...counts,
      ...counts.map((count) => ({ ...count, at: AT - HOUR })),
      used({ userId: BERT, keyId: NO_NAME }),
      used({ at: AT - 2 * HOUR }),
      used({ step: 300, at: AT - 2 * HOUR }),
    ]);
    const totals = async () => stats.usageSteps(ask({ from: AT - 3 * HOUR }));
    const before = await totals();
    await stats.sweepUsage({ step: 3_600, before: AT - HOUR, mergedFrom: AT }, { hosts: 5, keys: 4 });
    assert.deepEqual(await totals(), before.slice(1), 'all but the oldest');
    assert.equal((await stats.usageSteps(ask({ step: 300, from: AT - 3 * HOUR }))).length, 1);
    const names = async (split: string, change = {}) =>
      (await stats.usageBy({ ...by({ by: split, order: 'scrapes', limit: 50 }), ...change } as Ask)).map(
        ({ name }) => name,
      );
    // Bert needs one of five; the others are left to Anna.
    assert.deepEqual(await names('host'), ['h39.test', 'h38.test', 'h37.test', 'h36.test', 'a.test']);
    // Sessions are no keys.
    assert.deepEqual(await names('key'), ['key-7', 'key-6', 'key-5', 'key-4', NO_NAME]);
    assert.equal((await names('host', { from: AT - HOUR, to: AT })).length, 40, 'earlier steps are left');
    // What was merged counts on, and nothing is merged twice.
    await stats.addUsage([used({ host: 'h0.test', keyId: 'key-0', scrapes: 1_000 })]);
    await stats.sweepUsage({ step: 3_600, before: AT - HOUR, mergedFrom: AT }, { hosts: 5, keys: 4 });
    assert.deepEqual((await names('host')).slice(0, 2), ['h0.test', 'h39.test']);
    const [, last] = await totals();
    assert.equal(last!.figures.scrapes, before.at(-1)!.figures.scrapes + 1_000);
    assert.equal(last!.figures.cost, before.at(-1)!.figures.cost + 5);
  });
}
