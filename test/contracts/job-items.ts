import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { searchForm } from '../../src/domain/job-label.ts';
import type { ItemCursor, ItemQuery, JobCursor, JobFilter, JobOrder } from '../../src/domain/job-lists.ts';
import type { ClaimedItem, ItemFacts, JobSettings, NewItem } from '../../src/domain/jobs.ts';
import type { JobStore } from '../../src/ports/jobs.ts';
import type { Store } from '../../src/ports/store.ts';
import { EVERY_JOB, NEWEST } from './job-store.ts';
import { ANNA, BERT, ended, idAt, item, job, record, T0 } from './samples.ts';

const LIMITS = { openJobs: 100, queuedItems: 200_000 };
const REFUSED = { code: 'connect.refused', message: 'The target refused the connection.' };
const SKIPPED = { code: 'skip.scope', message: 'Another host.' };
const MINUTE = 60_000;

async function started(jobs: JobStore, settings: JobSettings, items: readonly NewItem[]): Promise<string> {
  await jobs.create(settings);
  for (let from = 0; from < items.length; from += 1_000)
    await jobs.add(settings.id, items.slice(from, from + 1_000), T0);
  assert.equal(await jobs.start(settings.id, T0, LIMITS), null);
  return settings.id;
}

async function claim(jobs: JobStore, id: string, limit: number, now = T0): Promise<readonly ClaimedItem[]> {
  const request = { jobs: [{ id, limit }], now, leaseUntil: now + 10_000, perHost: 100 };
  return (await jobs.claim(request)).items;
}

const facts = (change: Partial<ItemFacts> = {}): ItemFacts => ({
  statusCode: 200,
  verdict: 'ok',
  title: 'A page',
  bytes: 10,
  ...change,
});

const EVERY: ItemQuery = {
  states: null,
  search: null,
  folder: '',
  errorCode: null,
  sort: 'item',
  descending: false,
  limit: 10,
  after: null,
};

/** The numbers of the items of each page, until there is no further one. */
async function pagesOf(jobs: JobStore, id: string, query: Partial<ItemQuery>): Promise<number[][]> {
  const pages: number[][] = [];
  let after: ItemCursor | null = null;
  do {
    const { items, next } = await jobs.itemPage(id, { ...EVERY, ...query, after });
    pages.push(items.map(({ item: number }) => number));
    after = next;
  } while (after !== null);
  return pages;
}

/** What the JobStore of every implementation tells of items, and of why they wait. */
export function jobItemsContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: items of jobs`, () => {
    test('the last error of a job and of an item that waits for a retry, and what is known of the page', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/x'), item('https://b.test/')]);
      const job1 = await jobs.get(id, null);
      assert.deepEqual([job1!.firstUrl, job1!.lastError], ['https://a.test/x', null]);
      const [first] = await claim(jobs, id, 1);
      const retryAt = T0 + MINUTE;
      const failed = facts({ statusCode: 503, verdict: 'error_page', title: 'Töö busy', bytes: 3 });
      await jobs.end([
        ended(first!, { state: 'queued', retryAt, error: REFUSED, facts: failed, record: record(1) }),
      ]);
      const { lastError } = (await jobs.get(id, null))!;
      assert.deepEqual(lastError, { ...REFUSED, item: first!.item, url: first!.url, at: T0 });
      const [waiting] = await jobs.items(id, null, first!.item - 1, 1);
      assert.partialDeepStrictEqual(waiting, {
        ...failed,
        state: 'queued',
        runAt: retryAt,
        error: REFUSED,
        tries: 1,
      });
      const [again] = (await claim(jobs, id, 2, retryAt)).filter(({ item: n }) => n === first!.item);
      // An end without a page leaves what is known of the last one.
      await jobs.end([ended(again!, { now: retryAt })]);
      const [done] = await jobs.items(id, null, first!.item - 1, 1);
      assert.partialDeepStrictEqual(done, { ...failed, state: 'ok', error: null });
      assert.deepEqual((await jobs.get(id, null))!.lastError, lastError);
    });

    test('what holds up a job: retries, pauses between requests, and what runs on its hosts', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1, { delayMs: 5_000 }), [
        item('https://a.test/1'),
        item('https://a.test/2'),
        item('https://b.test/'),
      ]);
      const other = await started(jobs, job(2), [item('https://a.test/')]);
      const holdUpOf = async () => (await jobs.holdUps([id])).get(id)!;
      assert.deepEqual(
        [(await holdUpOf()).retryAt, (await holdUpOf()).isBusy, (await holdUpOf()).hosts.length],
        [null, false, 2],
      );
      await claim(jobs, other, 1);
      const claimed = await claim(jobs, id, 2);
      const a = (await holdUpOf()).hosts.find(({ host }) => host === 'a.test');
      assert.partialDeepStrictEqual(a, { running: 1, elsewhere: 1, readyAt: T0 + 5_000, runAt: 0 });
      const onB = claimed.find(({ host }) => host === 'b.test')!;
      await jobs.end([ended(onB, { state: 'queued', retryAt: T0 + MINUTE, error: REFUSED })]);
      const holdUp = await holdUpOf();
      assert.equal(holdUp.retryAt, T0 + MINUTE);
      assert.equal(holdUp.isBusy, true);
      const ofB = async () => (await holdUpOf()).hosts.find(({ host }) => host === 'b.test')!;
      assert.partialDeepStrictEqual(await ofB(), { runAt: T0 + MINUTE, isLimited: false });
      const [again] = (await claim(jobs, id, 2, T0 + MINUTE)).filter(({ url }) => url === 'https://b.test/');
      const limited = { code: 'limit.site', message: 'The limits of b.test allow no more now.' } as const;
      const retryAt = T0 + 2 * MINUTE;
      await jobs.end([ended(again!, { state: 'queued', retryAt, error: limited, isUncounted: true })]);
      assert.partialDeepStrictEqual(await ofB(), { runAt: retryAt, isLimited: true });
      const some = await jobs.waitingHosts(id, ['b.test', 'c.test']);
      assert.deepEqual(
        some.hosts.map(({ host }) => host),
        ['b.test'],
      );
      assert.equal((await jobs.holdUps([])).size, 0);
    });

    test('try now: what waits for a retry may start, with the pauses of its host', async (t) => {
      const { jobs } = await open(t);
      const id = await started(
        jobs,
        job(1),
        [1, 2, 3].map((n) => item(`https://h${n}.test/`)),
      );
      const claimed = await claim(jobs, id, 3);
      assert.equal(await jobs.tryNow(id, null, T0), 0, 'items that run do not wait');
      await jobs.end(
        claimed.map((one) => ended(one, { state: 'queued', retryAt: T0 + MINUTE, error: REFUSED })),
      );
      // The store learns that nothing is ready.
      assert.deepEqual(await claim(jobs, id, 3, T0 + 1), []);
      assert.equal(await jobs.tryNow(id, [99], T0 + 2), 0);
      assert.equal(await jobs.tryNow(id, [claimed[1]!.item, 99], T0 + 2), 1);
      assert.deepEqual(
        (await claim(jobs, id, 3, T0 + 2)).map(({ url }) => url),
        [claimed[1]!.url],
      );
      assert.equal(await jobs.tryNow(id, null, T0 + 3), 2);
      assert.equal(await jobs.tryNow(id, null, T0 + 3), 0);
      assert.equal((await claim(jobs, id, 3, T0 + 3)).length, 2);
      await jobs.pause(id, 'asked', null, T0 + 4);
      assert.equal(await jobs.tryNow(id, null, T0 + 4), null);
      assert.equal(await jobs.tryNow(idAt(T0 + 999), null, T0), null);
    });

    test('try now: more items than one transaction changes, of a host with pauses', async (t) => {
      const { jobs } = await open(t);
      const urls = Array.from({ length: 1_100 }, (_, n) => `https://a.test/${n}`);
      const id = await started(
        jobs,
        job(1, { perHost: 2_000 }),
        urls.map((url) => item(url)),
      );
      const request = { jobs: [{ id, limit: 1_100 }], now: T0, leaseUntil: T0 + 10_000, perHost: 2_000 };
      const { items: claimed } = await jobs.claim(request);
      assert.equal(claimed.length, 1_100);
      const page = { redirected: null, content: null, blocks: null, delayMs: 2_000 };
      const [first, ...others] = claimed;
      await jobs.end([
        ended(first!, { page }),
        ...others.map((one) => ended(one, { state: 'queued', retryAt: T0 + MINUTE, error: REFUSED })),
      ]);
      assert.deepEqual(await claim(jobs, id, 5, T0 + 3_000), []);
      assert.equal(await jobs.tryNow(id, null, T0 + 4_000), 1_099);
      assert.deepEqual(await claim(jobs, id, 5, T0 + 4_001), [], 'the host wants a pause');
      assert.equal((await claim(jobs, id, 5, T0 + 6_000)).length, 1, 'one at a time');
    });

    test('pages of items: by number, by end, by status, by size', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [
        ...[1, 2, 3, 4, 5, 6].map((n) => item(`https://h${n}.test/`)),
        item('https://s.test/', { skipped: SKIPPED }),
      ]);
      const claimed = (await claim(jobs, id, 5)).toSorted((a, b) => a.item - b.item);
      const [one, two, three, four] = claimed;
      await jobs.end([
        ended(three!, { facts: facts({ bytes: 5 }), record: record(1) }),
        ended(one!, {
          state: 'failed',
          outcome: 'failed',
          error: REFUSED,
          facts: facts({ statusCode: 500, bytes: 5 }),
          record: record(2),
        }),
        ended(two!, { facts: facts({ bytes: 70 }), record: record(3) }),
        ended(four!, { state: 'failed', outcome: 'failed', error: REFUSED }),
      ]);
      assert.deepEqual(await pagesOf(jobs, id, { limit: 3 }), [[1, 2, 3], [4, 5, 6], [7]]);
      assert.deepEqual(await pagesOf(jobs, id, { descending: true, limit: 5 }), [
        [7, 6, 5, 4, 3],
        [2, 1],
      ]);
      assert.deepEqual(await pagesOf(jobs, id, { sort: 'ended' }), [[7, 3, 1, 2, 4]]);
      assert.deepEqual(await pagesOf(jobs, id, { sort: 'bytes', limit: 1 }), [[1], [3], [2]]);
      assert.deepEqual(await pagesOf(jobs, id, { sort: 'bytes', descending: true, limit: 2 }), [[2, 3], [1]]);
      assert.deepEqual(await pagesOf(jobs, id, { sort: 'status_code', descending: true }), [[1, 3, 2]]);
      assert.deepEqual(await pagesOf(jobs, id, { states: ['failed', 'running'] }), [[1, 4, 5]]);
      assert.deepEqual(await pagesOf(jobs, id, { states: ['ok', 'skipped'], sort: 'ended', limit: 2 }), [
        [7, 3],
        [2],
      ]);
      assert.deepEqual(await pagesOf(jobs, id, { states: ['ok'], sort: 'bytes' }), [[3, 2]]);
      assert.deepEqual(await pagesOf(jobs, id, { errorCode: REFUSED.code, limit: 1 }), [[1], [4]]);
      assert.deepEqual(await pagesOf(jobs, id, { folder: 'h2.test/' }), [[2]]);
      assert.deepEqual(await pagesOf(jobs, id, { states: ['queued'], search: 'H6' }), [[6]]);
      const results = await jobs.results(id, 0, 2, { states: ['ok', 'failed'] });
      assert.deepEqual(
        results.map(({ n, item: number }) => [n, number]),
        [
          [2, 3],
          [3, 1],
        ],
      );
      assert.deepEqual(
        (await jobs.results(id, 2, 9, { states: ['ok'] })).map(({ item: n }) => n),
        [2],
      );
    });

    test('a search is for a text as it is, in the URL or the title', async (t) => {
      const { jobs } = await open(t);
      const urls = [
        'https://a.test/100%25_off',
        'https://a.test/M%C3%BCnchen',
        'https://a.test/x',
        'https://a.test/1000',
      ];
      const id = await started(
        jobs,
        job(1),
        urls.map((url) => item(url)),
      );
      const found = async (search: string) => (await pagesOf(jobs, id, { search })).flat();
      const [one] = (await claim(jobs, id, 4)).filter(({ item: n }) => n === 3);
      await jobs.end([ended(one!, { facts: facts({ title: 'Ärger in Zürich_50%' }), record: record(1) })]);
      assert.deepEqual(await found('%'), [1, 2, 3]);
      assert.deepEqual(await found('_'), [1, 3]);
      assert.deepEqual(await found('100%'), [1]);
      assert.deepEqual(await found('München'), [2]);
      assert.deepEqual(await found('in zürich'), [3]);
      assert.deepEqual(await found('HTTPS://A.TEST/X'), [3]);
      assert.deepEqual(await found("' OR 1=1"), []);
      assert.deepEqual(await found('\ud800'), []);
    });

    test('lists of jobs are sorted, searched and cut into pages', async (t) => {
      const { jobs } = await open(t);
      const samples = [
        { name: 'Zebra', url: 'https://a.test/docs/', cost: 5, failed: false },
        { name: null, url: 'https://b.test/M%C3%BCnchen', cost: 20, failed: true },
        { name: 'apple 100%_', url: 'https://a.test/', cost: 20, failed: false },
      ] as const;
      const ids: string[] = [];
      for (const [n, { name: label, url, cost, failed }] of samples.entries()) {
        const id = await started(jobs, job(n, { name: label }), [item(url)]);
        const [claimed] = await claim(jobs, id, 1, T0 + n);
        const state = failed ? 'failed' : 'ok';
        await jobs.end([
          ended(claimed!, { state, cost, error: failed ? REFUSED : null, now: T0 + n + 10 * (3 - n) }),
        ]);
        ids.push(id);
      }
      ids.push(await started(jobs, job(9, { userId: BERT }), [item('https://c.test/')]));
      const numbersOf = async (filter: Partial<JobFilter>, order: Partial<JobOrder> = {}) => {
        const found: number[] = [];
        let after: JobCursor | null = null;
        do {
          const page = await jobs.list({ ...EVERY_JOB, ...filter }, { ...NEWEST, ...order, after });
          assert.ok(page.jobs.length <= (order.limit ?? NEWEST.limit));
          found.push(...page.jobs.map(({ id }) => ids.indexOf(id)));
          after = page.next;
        } while (after !== null);
        return found;
      };
      assert.deepEqual(await numbersOf({}), [3, 2, 1, 0]);
      assert.deepEqual(await numbersOf({}, { descending: false, limit: 3 }), [0, 1, 2, 3]);
      assert.deepEqual(await numbersOf({ userId: BERT }), [3]);
      const anna = { userId: ANNA };
      for (const limit of [1, 2, 10]) {
        const sorted = (sort: JobOrder['sort'], descending = true) =>
          numbersOf(anna, { sort, descending, limit });
        assert.deepEqual(await sorted('name', false), [2, 1, 0]);
        assert.deepEqual(await sorted('cost'), [2, 1, 0]);
        assert.deepEqual(await sorted('cost', false), [0, 1, 2]);
        assert.deepEqual(await sorted('duration'), [0, 1, 2]);
        assert.deepEqual(await sorted('ok_share', false), [1, 0, 2]);
      }
      assert.deepEqual(await numbersOf({ search: '%' }), [2, 1]);
      assert.deepEqual(await numbersOf({ search: '100%_' }), [2]);
      assert.deepEqual(await numbersOf({ search: '_' }), [2]);
      assert.deepEqual(await numbersOf({ search: searchForm('MÜNCHEN') }), [1]);
      assert.deepEqual(await numbersOf({ search: 'a.test' }, { limit: 1 }), [2, 0]);
      assert.deepEqual(await numbersOf({ search: 'a.test' }, { sort: 'cost', descending: false }), [0, 2]);
      assert.deepEqual(await numbersOf({ search: 'zebra', state: 'failed' }), []);
      assert.deepEqual(await numbersOf({ search: 'b.test', state: 'done', kind: 'batch' }), [1]);
    });

    test('a cursor stays valid while the jobs change', async (t) => {
      const { jobs } = await open(t);
      const ids: string[] = [];
      for (const n of [1, 2, 3])
        ids.push(
          await started(
            jobs,
            job(n),
            [1, 2].map((page) => item(`https://a.test/${page}`)),
          ),
        );
      const costs = async (id: string, cost: number) => {
        const [claimed] = await claim(jobs, id, 1);
        await jobs.end([ended(claimed!, { cost })]);
      };
      for (const [n, id] of ids.entries()) await costs(id, n + 1);
      const order: JobOrder = { ...NEWEST, sort: 'cost', limit: 1 };
      const first = await jobs.list(EVERY_JOB, order);
      assert.deepEqual(
        first.jobs.map(({ cost }) => cost),
        [3],
      );
      await costs(first.jobs[0]!.id, 10);
      const second = await jobs.list(EVERY_JOB, { ...order, after: first.next });
      assert.deepEqual(
        second.jobs.map(({ cost }) => cost),
        [2],
      );
      await jobs.delete(second.jobs[0]!.id);
      const third = await jobs.list(EVERY_JOB, { ...order, after: second.next });
      assert.deepEqual([third.jobs.map(({ cost }) => cost), third.next], [[1], null]);
    });

    test('of a job of many items, a page looks at ten thousand of them', async (t) => {
      const { jobs } = await open(t);
      const urls = Array.from({ length: 10_050 }, (_, n) => item(`https://a.test/${n}/`));
      const id = await started(jobs, job(1), urls);
      const first = await jobs.itemPage(id, { ...EVERY, search: '/10049/' });
      assert.deepEqual([first.items, first.next], [[], { value: 10_000, item: 10_000 }]);
      const second = await jobs.itemPage(id, { ...EVERY, search: '/10049/', after: first.next });
      assert.deepEqual(
        second.items.map(({ item: number }) => number),
        [10_050],
      );
      assert.equal(second.next, null);
    });
  });
}
