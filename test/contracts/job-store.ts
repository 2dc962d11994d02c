import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { JobFilter, JobOrder } from '../../src/domain/job-lists.ts';
import type { ClaimedItem, ItemRow, JobSettings, NewItem } from '../../src/domain/jobs.ts';
import type { ItemEnd, JobStore } from '../../src/ports/jobs.ts';
import type { Store } from '../../src/ports/store.ts';
import fc from '../helpers/fast-check.ts';
import { ANNA, BERT, ended, idAt, item, job, record, T0 } from './samples.ts';

const LIMITS = { openJobs: 100, queuedItems: 100_000 };
const INTERRUPTED = { code: 'job.interrupted', message: 'The process ended.' };
const UNREAD = { code: 'extract.model', message: 'The model did not answer.' };
const REFUSED = { code: 'target.refused', message: 'The target refused the connection.' };

const fingerprintOf = (n: number): Uint8Array => Uint8Array.from({ length: 16 }, (_, i) => (i === 0 ? n : 0));

async function started(jobs: JobStore, settings: JobSettings, items: readonly NewItem[]): Promise<string> {
  await jobs.create(settings);
  await jobs.add(settings.id, items, T0);
  assert.equal(await jobs.start(settings.id, T0, LIMITS), null);
  return settings.id;
}

async function claim(jobs: JobStore, id: string, limit: number, now = T0): Promise<readonly ClaimedItem[]> {
  const request = { jobs: [{ id, limit }], now, leaseUntil: now + 10_000, perHost: 100 };
  return (await jobs.claim(request)).items;
}

export const EVERY_JOB: JobFilter = {
  userId: null,
  kind: null,
  state: null,
  tag: null,
  from: null,
  to: null,
  withRuns: false,
  search: null,
};
export const NEWEST: JobOrder = { sort: 'created', descending: true, limit: 10, after: null, now: T0 };

const urlsOf = (items: readonly { readonly url: string }[]): string[] => items.map(({ url }) => url);

/** What the JobStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function jobStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: jobs`, () => {
    test('a job comes back as it was created, when it has started', async (t) => {
      const { jobs } = await open(t);
      const settings = job(1, { tags: { team: 'a' }, metadata: '{"x":1}', maxCost: 5, name: 'n' });
      await jobs.create(settings);
      assert.equal(await jobs.get(settings.id, ANNA), null);
      await jobs.add(settings.id, [item('https://a.test/')], T0);
      assert.equal(await jobs.start(settings.id, T0, LIMITS), null);
      const stored = await jobs.get(settings.id, ANNA);
      const counts = { queued: 1, running: 0, ok: 0, failed: 0, skipped: 0 };
      assert.partialDeepStrictEqual(stored, { ...settings, state: 'queued', counts, pause: null });
      assert.equal(await jobs.get(settings.id, BERT), null);
      assert.deepEqual(
        (await jobs.list({ ...EVERY_JOB, userId: ANNA }, NEWEST)).jobs.map(({ id }) => id),
        [settings.id],
      );
      assert.deepEqual(await jobs.list({ ...EVERY_JOB, userId: BERT }, NEWEST), { jobs: [], next: null });
    });

    test('the hosts of a job, each once', async (t) => {
      const { jobs } = await open(t);
      const urls = ['https://a.test/1', 'https://a.test/2', 'https://b.test/'];
      const id = await started(
        jobs,
        job(1),
        urls.map((url) => item(url)),
      );
      await started(jobs, job(2), [item('https://c.test/')]);
      assert.deepEqual((await jobs.hosts(id, 10)).toSorted(), ['a.test', 'b.test']);
      assert.equal((await jobs.hosts(id, 1)).length, 1);
      await jobs.delete(id);
      assert.deepEqual(await jobs.hosts(id, 10), []);
    });

    test('the list is filtered by tag and time', async (t) => {
      const { jobs } = await open(t);
      const ids: string[] = [];
      for (const [n, tags] of [{ team: 'a' }, { 'team:a': 'b' }, { nul: '\0', q: ':"\\' }].entries())
        ids.push(await started(jobs, job(n, { tags }), [item('https://a.test/')]));
      const listed = async (filter: Partial<JobFilter>) =>
        (await jobs.list({ ...EVERY_JOB, ...filter }, NEWEST)).jobs.map(({ id }) => ids.indexOf(id));
      assert.deepEqual(await listed({}), [2, 1, 0]);
      assert.deepEqual(await listed({ tag: { name: 'team', value: 'a' } }), [0]);
      // Callers write `team:a:b`, which can be split in two ways.
      assert.deepEqual(await listed({ tag: { name: 'team', value: 'a:b' } }), [1]);
      // PostgreSQL reads no JSON with such a tag.
      assert.deepEqual(await listed({ tag: { name: 'other', value: '"\\' } }), []);
      assert.deepEqual(await listed({ from: T0 + 1 }), [2, 1]);
      assert.deepEqual(await listed({ from: T0 + 1, to: T0 + 2 }), [1]);
    });

    test('runs of monitors and schedules are listed only if they are asked for', async (t) => {
      const { jobs } = await open(t);
      const [monitorId, scheduleId] = [idAt(T0, 7), idAt(T0, 8)];
      const ids: string[] = [];
      for (const [n, run] of [{}, { monitorId }, { scheduleId }].entries())
        ids.push(await started(jobs, job(n, run), [item('https://a.test/')]));
      const listed = async (filter: Partial<JobFilter>) =>
        (await jobs.list({ ...EVERY_JOB, ...filter }, NEWEST)).jobs.map(({ id }) => ids.indexOf(id));
      assert.deepEqual(await listed({}), [0]);
      assert.deepEqual(await listed({ userId: ANNA }), [0]);
      assert.deepEqual(await listed({ userId: ANNA, withRuns: true }), [2, 1, 0]);
      const stored = await Promise.all(ids.map((id) => jobs.get(id, ANNA)));
      assert.deepEqual(
        stored.map((one) => [one!.monitorId, one!.scheduleId]),
        [
          [null, null],
          [monitorId, null],
          [null, scheduleId],
        ],
      );
    });

    test('the items that a job began with come back as they were added, also when they have ended', async (t) => {
      const { jobs } = await open(t);
      const request = new Uint8Array([5]);
      const added = [
        item('https://a.test/', { ref: 'a', request }),
        item('https://b.test/', { repeatable: false }),
      ];
      const id = await started(jobs, job(1), added);
      const found = item('https://a.test/found', { depth: 1, parent: 1 });
      const claimed = await claim(jobs, id, 2);
      await jobs.end(claimed.map((one) => ended(one, { found: [found] })));
      const originals = await jobs.originals(id, 0, 10);
      assert.deepEqual(
        originals.map(({ item: _, ...rest }) => rest),
        added,
      );
      assert.deepEqual(await jobs.originals(id, originals[0]!.item, 1), [originals[1]]);
    });

    test('folders of URLs are listed level by level, with the counts of all items below', async (t) => {
      const { jobs } = await open(t);
      const urls = [
        'https://a.test/',
        'http://a.test/docs/?q=/x/',
        'https://a.test/docs/one.html#/y/',
        'https://a.test/docs/old/two.html',
        'https://a.test/docs2/',
        'https://a.test//x',
        'https://a.test:8443/',
        'https://b.test/',
      ];
      const skipped = { code: 'skip.scope', message: 'Another host.' };
      const id = await started(jobs, job(1), [
        ...urls.map((url) => item(url)),
        item('https://c.test/x', { skipped }),
      ]);
      await started(jobs, job(2), [item('https://d.test/')]);
      const claimed = await claim(jobs, id, 8);
      const byUrl = claimed.toSorted((one, other) => urls.indexOf(one.url) - urls.indexOf(other.url));
      await jobs.end(byUrl.slice(0, 4).map((one) => ended(one)));
      await jobs.end([ended(byUrl[4]!, { state: 'failed', outcome: 'failed', error: REFUSED })]);
      const foldersOf = async (parent: string, limit = 100, after: string | null = null) =>
        (await jobs.folders(id, parent, limit, after)).map(({ folder, counts }) => [
          folder,
          Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
        ]);
      const hosts = [
        ['a.test/', { ok: 4, failed: 1, running: 1 }],
        ['a.test:8443/', { running: 1 }],
        ['b.test/', { running: 1 }],
        ['c.test/', { skipped: 1 }],
      ];
      assert.deepEqual(await foldersOf(''), hosts);
      assert.deepEqual(await foldersOf('', 2, 'a.test/'), hosts.slice(1, 3));
      assert.deepEqual(await foldersOf('a.test/'), [
        ['a.test/', { ok: 1 }],
        ['a.test//', { running: 1 }],
        ['a.test/docs/', { ok: 3 }],
        ['a.test/docs2/', { failed: 1 }],
      ]);
      assert.deepEqual(await foldersOf('a.test/docs/'), [
        ['a.test/docs/', { ok: 2 }],
        ['a.test/docs/old/', { ok: 1 }],
      ]);
      assert.deepEqual(await foldersOf('x.test/'), []);
      const resultsIn = async (folder: string) => urlsOf(await jobs.results(id, 0, 10, { folder }));
      assert.deepEqual(await resultsIn('a.test/docs/'), urls.slice(1, 4));
      assert.deepEqual(await resultsIn('a.test/docs/old/'), urls.slice(3, 4));
      assert.deepEqual(await resultsIn('c.test/'), ['https://c.test/x']);
      assert.deepEqual(await resultsIn('a.test/%/'), []);
    });

    test('folders are listed down to ten levels and to 500 characters; what is deeper counts in the last one', async (t) => {
      const { jobs } = await open(t);
      const levels = Array.from({ length: 12 }, (_, n) => `${n}/`);
      const deep = `a.test/${levels.join('')}`;
      const long = `b.test/x/${'y'.repeat(500)}/z/`;
      const id = await started(jobs, job(1), [item(`https://${deep}`), item(`https://${long}`)]);
      const foldersOf = async (parent: string) =>
        (await jobs.folders(id, parent, 10, null)).map(({ folder, counts }) => [folder, counts.running]);
      const ninth = `a.test/${levels.slice(0, 8).join('')}`;
      const tenth = `a.test/${levels.slice(0, 9).join('')}`;
      await claim(jobs, id, 2);
      assert.deepEqual(await foldersOf(ninth), [[tenth, 1]]);
      assert.deepEqual(await foldersOf(tenth), [[tenth, 1]]);
      assert.deepEqual(await foldersOf(`${tenth}9/`), []);
      assert.deepEqual(await foldersOf('b.test/x/'), [['b.test/x/', 1]]);
      assert.deepEqual(await foldersOf(`b.test/x/${'y'.repeat(500)}/`), []);
      assert.deepEqual(urlsOf(await jobs.items(id, null, 0, 10)), [`https://${deep}`, `https://${long}`]);
    });

    test('limits of a user refuse the start, and leave nothing', async (t) => {
      const { jobs } = await open(t);
      await started(jobs, job(1), [item('https://a.test/')]);
      for (const [n, limits, refusal] of [
        [2, { openJobs: 1, queuedItems: 100 }, 'limit.jobs'],
        [3, { openJobs: 10, queuedItems: 2 }, 'limit.items'],
      ] as const) {
        await jobs.create(job(n));
        await jobs.add(job(n).id, [item('https://a.test/'), item('https://b.test/')], T0);
        assert.equal(await jobs.start(job(n).id, T0, limits), refusal);
        assert.equal(await jobs.get(job(n).id, null), null);
        assert.deepEqual(await jobs.items(job(n).id, null, 0, 10), []);
      }
      await jobs.create(job(4, { userId: BERT }));
      assert.equal(await jobs.start(job(4).id, T0, { openJobs: 1, queuedItems: 0 }), null, 'another user');
    });

    test('items are claimed once, and end once, in the order of their ends', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/1'), item('https://a.test/2')]);
      const [first, second] = await claim(jobs, id, 10);
      assert.deepEqual(await claim(jobs, id, 10), []);
      assert.deepEqual(await jobs.end([ended(second!)]), ['stored']);
      assert.deepEqual(await jobs.end([ended(second!)]), ['lost'], 'an item ends once');
      assert.equal((await jobs.get(id, null))!.state, 'running');
      await jobs.end([ended(first!, { state: 'failed', outcome: 'failed', error: REFUSED, cost: 7 })]);
      const stored = (await jobs.get(id, null))!;
      assert.partialDeepStrictEqual(stored, {
        state: 'done',
        cost: 7,
        outcomes: { ok: 1, failed: 1 },
        expiresAt: T0 + 1_000,
      });
      const results = await jobs.results(id, 0, 10);
      assert.deepEqual(
        results.map(({ n, url, state }) => [n, url, state]),
        [
          [1, 'https://a.test/2', 'ok'],
          [2, 'https://a.test/1', 'failed'],
        ],
      );
      assert.deepEqual(await jobs.results(id, 1, 1), results.slice(1));
      assert.deepEqual(results[1]!.error, REFUSED);
      assert.deepEqual(
        (await jobs.events(id, 0, 10)).map(({ sequence, type, item: number }) => [sequence, type, number]),
        [
          [1, 'started', null],
          [2, 'page', 2],
          [3, 'item_failed', 1],
          [4, 'done', null],
        ],
      );
      assert.equal((await jobs.events(id, 3, 10)).length, 1);
    });

    test('the record of an item is stored with its end, or not at all', async (t) => {
      const { jobs, records } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/')]);
      const [claimed] = await claim(jobs, id, 1);
      await jobs.release([claimed!], T0);
      const [again] = await claim(jobs, id, 1);
      const stale = record(5, { content: new Uint8Array([9]) });
      assert.deepEqual(await jobs.end([ended(claimed!, { record: stale })]), ['lost']);
      assert.equal(await records.get(stale.id, null), null);
      const kept = record(6, { content: new Uint8Array([1, 2, 3]) });
      assert.deepEqual(await jobs.end([ended(again!, { record: kept })]), ['stored']);
      assert.deepEqual([...(await records.get(kept.id, ANNA))!.content!], [1, 2, 3]);
      assert.equal((await jobs.results(id, 0, 1))[0]!.scrapeId, kept.id);
    });

    test('items found on a page are added once; beyond the limit they are skipped', async (t) => {
      const { jobs } = await open(t);
      const start = item('https://a.test/', { fingerprint: fingerprintOf(0) });
      const id = await started(jobs, job(1, { kind: 'crawl', maxVisits: 3 }), [start]);
      const [claimed] = await claim(jobs, id, 1);
      const found = [0, 1, 2, 1, 3].map((n) =>
        item(`https://a.test/${n}`, { fingerprint: fingerprintOf(n), depth: 1, parent: 1 }),
      );
      await jobs.end([ended(claimed!, { found })]);
      const stored = (await jobs.get(id, null))!;
      assert.deepEqual(stored.counts, { queued: 2, running: 0, ok: 1, failed: 0, skipped: 1 });
      assert.equal(stored.duplicates, 2);
      const [, skipped] = await jobs.results(id, 0, 10);
      assert.partialDeepStrictEqual(skipped, {
        state: 'skipped',
        url: 'https://a.test/3',
        error: { code: 'skip.limit' },
      });
      // The others are counted, once or more often, and those that are there are found again.
      const more = [4, 2, 5, 6].map((n) =>
        item(`https://a.test/${n}`, { fingerprint: fingerprintOf(n), depth: 1, parent: 1 }),
      );
      await jobs.add(id, more, T0);
      const { counts, duplicates, unlisted } = (await jobs.get(id, null))!;
      assert.deepEqual([counts.skipped, duplicates, unlisted], [1, 3, 3]);
    });

    test('of a form of URLs, only so many items are visited; the others are skipped', async (t) => {
      const { jobs } = await open(t);
      const form = { text: 'a.test/#', limit: 2 };
      const numbered = (n: number) =>
        item(`https://a.test/${n}`, { fingerprint: fingerprintOf(n), form, parent: 1 });
      const id = await started(jobs, job(1, { kind: 'crawl' }), [item('https://a.test/'), numbered(1)]);
      const [first] = await claim(jobs, id, 1);
      // One that is there already does not count again.
      await jobs.end([ended(first!, { found: [1, 1, 2, 3].map(numbered) })]);
      await jobs.add(id, [numbered(4)], T0);
      const items = await jobs.items(id, null, 0, 10);
      assert.deepEqual(
        items.map(({ state, error }) => error?.code ?? state),
        ['ok', 'queued', 'queued', 'skip.trap', 'skip.trap'],
      );
      assert.equal((await jobs.get(id, null))!.duplicates, 2);
    });

    test('more than five pages of a host with the same content are skipped, and lead nowhere', async (t) => {
      const { jobs } = await open(t);
      const urls = Array.from({ length: 7 }, (_, n) => `https://a.test/${n}`);
      const id = await started(jobs, job(1, { kind: 'crawl' }), [
        ...urls.map((url) => item(url)),
        item('https://b.test/'),
      ]);
      const content = fingerprintOf(9);
      for (const claimed of await claim(jobs, id, 10)) {
        const found = [item(`${claimed.url}found`)];
        await jobs.end([
          ended(claimed, {
            page: { redirected: null, content, blocks: null, delayMs: 0 },
            found,
            unlisted: 3,
          }),
        ]);
      }
      const results = await jobs.results(id, 0, 100);
      const onA = results.filter(({ url }) => url.startsWith('https://a.test'));
      assert.deepEqual(
        onA.map(({ state, error }) => error?.code ?? state),
        ['ok', 'ok', 'ok', 'ok', 'ok', 'skip.trap', 'skip.trap'],
      );
      assert.equal(results.find(({ url }) => url === 'https://b.test/')!.state, 'ok', 'another host');
      const { counts, unlisted } = (await jobs.get(id, null))!;
      assert.equal(counts.queued, 6);
      assert.equal(unlisted, 18);
    });

    test('blocks that are on three pages of a host, and on more than half, are common', async (t) => {
      const { jobs } = await open(t);
      const urls = Array.from({ length: 7 }, (_, n) => `https://a.test/${n}`);
      const id = await started(jobs, job(1, { kind: 'crawl' }), [
        ...urls.map((url) => item(url)),
        item('https://b.test/'),
      ]);
      const claimed = (await claim(jobs, id, 10)).toSorted((a, b) => (a.url < b.url ? -1 : 1));
      const large = 2 ** 52 - 1;
      const endNext = async (blocks: readonly number[], change: Partial<ItemEnd> = {}) => {
        const end = ended(claimed.shift()!, {
          page: { redirected: null, content: null, blocks, delayMs: 0 },
          ...change,
        });
        assert.deepEqual(await jobs.end([end]), ['stored']);
        assert.deepEqual(await jobs.end([end]), ['lost'], 'nothing is counted twice');
        return await jobs.commonBlocks(id, 'a.test');
      };
      assert.deepEqual(await endNext([1, large]), []);
      assert.deepEqual(await endNext([1, large, 2]), []);
      assert.deepEqual(await endNext([1], { state: 'failed' }), [], 'only pages that are results count');
      assert.deepEqual(await endNext([1, 2]), [1]);
      assert.deepEqual((await endNext([large, 3])).toSorted(), [1, large]);
      assert.deepEqual(await endNext([3]), [1, large]);
      assert.deepEqual(await endNext([3]), [], 'three of six are not more than half');
      assert.deepEqual(await endNext([1, 1_000]), [], 'another host');
      assert.deepEqual(await jobs.commonBlocks(id, 'b.test'), []);
      assert.equal(await jobs.delete(id), true);
      assert.deepEqual(await jobs.commonBlocks(id, 'a.test'), []);
    });

    test('of many blocks of a host, those on the most pages are remembered', async (t) => {
      const { jobs } = await open(t);
      const urls = Array.from({ length: 40 }, (_, n) => `https://a.test/${n}`);
      const id = await started(
        jobs,
        job(1, { kind: 'crawl' }),
        urls.map((url) => item(url)),
      );
      for (const [n, claimed] of (await claim(jobs, id, 100)).entries()) {
        const own = Array.from({ length: 500 }, (_, i) => n * 500 + i);
        const blocks = n % 4 === 0 ? own : [...own, 1e6];
        await jobs.end([ended(claimed, { page: { redirected: null, content: null, blocks, delayMs: 0 } })]);
      }
      assert.deepEqual(await jobs.commonBlocks(id, 'a.test'), [1e6]);
    });

    test('a URL that a page was redirected to is not visited again', async (t) => {
      const { jobs } = await open(t);
      const at = (n: number) => item(`https://a.test/${n}`, { fingerprint: fingerprintOf(n) });
      const id = await started(jobs, job(1, { kind: 'crawl' }), [at(1), at(2)]);
      const [first, second] = await claim(jobs, id, 2);
      const redirected = { ...at(3), skipped: { code: 'skip.duplicate', message: 'It redirects.' } };
      const page = { redirected, content: null, blocks: null, delayMs: 0 };
      await jobs.end([ended(first!, { page, found: [at(4)] })]);
      await jobs.end([ended(second!, { page, found: [at(3), at(5)] })]);
      const items = await jobs.items(id, null, 0, 10);
      assert.deepEqual(
        items.map(({ url, state, error }) => [url.slice(-1), error?.code ?? state]),
        [
          ['1', 'ok'],
          ['2', 'skip.duplicate'],
          ['3', 'skip.duplicate'],
          ['4', 'queued'],
        ],
      );
    });

    test('an item that was skipped without a visit leaves room for another', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1, { kind: 'crawl', maxVisits: 2 }), [
        item('https://a.test/1'),
        item('https://a.test/2'),
      ]);
      const [first, second] = await claim(jobs, id, 2);
      await jobs.end([ended(first!, { state: 'skipped', outcome: null, error: REFUSED })]);
      await jobs.end([ended(second!, { found: [item('https://a.test/3'), item('https://a.test/4')] })]);
      const items = await jobs.items(id, null, 0, 10);
      assert.deepEqual(
        items.map(({ state, error }) => error?.code ?? state),
        [REFUSED.code, 'ok', 'queued', 'skip.limit'],
      );
    });

    test('a pause that a host asks for holds for the host', async (t) => {
      const { jobs } = await open(t);
      const urls = ['https://a.test/1', 'https://a.test/2', 'https://b.test/1', 'https://b.test/2'];
      const id = await started(
        jobs,
        job(1, { kind: 'crawl' }),
        urls.map((url) => item(url)),
      );
      const [first] = await claim(jobs, id, 1);
      assert.equal(first!.host, 'a.test');
      await jobs.end([
        ended(first!, { page: { redirected: null, content: null, blocks: null, delayMs: 500 } }),
      ]);
      assert.deepEqual(
        (await claim(jobs, id, 10)).map(({ host }) => host),
        ['b.test', 'b.test'],
      );
      assert.equal((await claim(jobs, id, 10, T0 + 499)).length, 0);
      assert.equal((await claim(jobs, id, 10, T0 + 500)).length, 1);
    });

    test('hosts take turns; at most `perHost` items of a host run, over all jobs', async (t) => {
      const { jobs } = await open(t);
      const urls = ['https://a.test/1', 'https://a.test/2', 'https://a.test/3', 'https://b.test/1'];
      const id = await started(
        jobs,
        job(1, { perHost: 1 }),
        urls.map((url) => item(url)),
      );
      const other = await started(jobs, job(2), [item('https://a.test/9')]);
      const first = await claim(jobs, id, 10);
      assert.deepEqual(urlsOf(first), ['https://a.test/1', 'https://b.test/1']);
      const request = { jobs: [{ id: other, limit: 5 }], now: T0, leaseUntil: T0 + 1, perHost: 1 };
      const { items, readyAt } = await jobs.claim(request);
      assert.deepEqual(items, []);
      assert.equal(readyAt.get(other), null);
      await jobs.end([ended(first[0]!)]);
      assert.deepEqual(urlsOf((await jobs.claim(request)).items), ['https://a.test/9']);
    });

    test('between two requests to a host passes `delayMs`', async (t) => {
      const { jobs } = await open(t);
      const urls = ['https://a.test/1', 'https://a.test/2'];
      const id = await started(
        jobs,
        job(1, { delayMs: 500 }),
        urls.map((url) => item(url)),
      );
      assert.equal((await claim(jobs, id, 10)).length, 1);
      const request = { jobs: [{ id, limit: 5 }], now: T0 + 499, leaseUntil: T0 + 1, perHost: 9 };
      const { items, readyAt } = await jobs.claim(request);
      assert.deepEqual([items.length, readyAt.get(id)], [0, T0 + 500]);
      assert.equal((await claim(jobs, id, 10, T0 + 500)).length, 1);
    });

    test('a retry waits until its time, without holding up others of its host', async (t) => {
      const { jobs } = await open(t);
      const urls = ['https://a.test/1', 'https://a.test/2'];
      const id = await started(
        jobs,
        job(1),
        urls.map((url) => item(url)),
      );
      const [first] = await claim(jobs, id, 1);
      await jobs.end([
        ended(first!, { state: 'queued', retryAt: T0 + 60_000, outcome: 'failed', error: REFUSED }),
      ]);
      const second = await claim(jobs, id, 5);
      assert.deepEqual(urlsOf(second), ['https://a.test/2']);
      await jobs.end([ended(second[0]!)]);
      const waiting = { jobs: [{ id, limit: 5 }], now: T0 + 1, leaseUntil: T0 + 2, perHost: 9 };
      assert.deepEqual((await jobs.claim(waiting)).items, []);
      assert.equal((await jobs.claim(waiting)).readyAt.get(id), T0 + 60_000);
      const [retried] = await claim(jobs, id, 5, T0 + 60_000);
      assert.partialDeepStrictEqual(retried, { url: 'https://a.test/1', tries: 2 });
      await jobs.end([ended(retried!)]);
      assert.equal((await jobs.get(id, null))!.state, 'done');
    });

    test('a try that did not count leaves its number, and says why the item waits', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/1')]);
      for (const at of [T0, T0 + 60_000]) {
        const [claimed] = await claim(jobs, id, 1, at);
        assert.equal(claimed!.tries, 1);
        const waits = { state: 'queued', retryAt: at + 60_000, isUncounted: true, outcome: null } as const;
        await jobs.end([ended(claimed!, { ...waits, error: REFUSED })]);
      }
      const { counts, outcomes } = (await jobs.get(id, null))!;
      assert.deepEqual([counts.queued, counts.running], [1, 0]);
      assert.deepEqual(outcomes, {});
    });

    test('after a crash, items wait again if they may be repeated; others fail', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [
        item('https://a.test/get'),
        item('https://a.test/post', { repeatable: false }),
      ]);
      const claimed = await claim(jobs, id, 2);
      assert.equal(await jobs.recover(T0 + 9_000, false, INTERRUPTED), 0, 'the leases have not ended');
      assert.equal(await jobs.recover(T0 + 10_001, false, INTERRUPTED), 2);
      assert.deepEqual((await jobs.get(id, null))!.counts, {
        queued: 1,
        running: 0,
        ok: 0,
        failed: 1,
        skipped: 0,
      });
      assert.deepEqual(await jobs.end(claimed.map((one) => ended(one))), ['lost', 'lost']);
      assert.deepEqual((await jobs.results(id, 0, 5))[0]!.error, INTERRUPTED);
      const [again] = await claim(jobs, id, 2, T0 + 20_000);
      assert.equal(again!.tries, 1, 'an interrupted try does not count');
      assert.deepEqual(await jobs.renew([again!], T0 + 99_000), []);
      assert.deepEqual(await jobs.renew([claimed[0]!], T0 + 99_000), [claimed[0]]);
      assert.equal(await jobs.recover(T0 + 50_000, false, INTERRUPTED), 0);
      assert.equal(await jobs.recover(T0 + 50_000, true, INTERRUPTED), 1);
    });

    test('paused jobs start nothing, and go on when they are resumed', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/1'), item('https://a.test/2')]);
      const [running] = await claim(jobs, id, 1);
      assert.equal(await jobs.pause(id, 'budget', T0 + 100, T0), true);
      assert.equal(await jobs.pause(id, 'asked', null, T0), false);
      assert.deepEqual(await claim(jobs, id, 5), []);
      assert.deepEqual(await jobs.runnable(), []);
      await jobs.end([ended(running!)]);
      const pause = { reason: 'budget', since: T0, resumesAt: T0 + 100 };
      assert.partialDeepStrictEqual(await jobs.get(id, null), { state: 'paused', pause });
      assert.deepEqual(await jobs.resumeDue(T0 + 99), []);
      assert.deepEqual(await jobs.resumeDue(T0 + 100), [id]);
      assert.partialDeepStrictEqual(await jobs.get(id, null), { state: 'running', pause: null });
      await jobs.pause(id, 'profile', T0 + 900, T0);
      await jobs.resumeSoon('budget', T0 + 10);
      assert.deepEqual(await jobs.resumeDue(T0 + 10), []);
      await jobs.resumeSoon('profile', T0 + 10);
      assert.deepEqual(await jobs.resumeDue(T0 + 10), [id]);
      await jobs.pause(id, 'key', null, T0);
      assert.equal(await jobs.resume(id, 'key-2', T0), true);
      assert.equal(await jobs.resume(id, undefined, T0), false);
      assert.equal((await jobs.get(id, null))!.keyId, 'key-2');
      await jobs.pause(id, 'key', null, T0);
      assert.equal(await jobs.pause(id, 'key', null, T0, 'key-1'), false);
      await jobs.moveKey('key-2', 'key-3', T0);
      assert.equal((await jobs.get(id, null))!.state, 'running');
      assert.equal(await jobs.pause(id, 'key', null, T0, 'key-2'), false, 'it has another key');
      assert.equal((await jobs.get(id, null))!.keyId, 'key-3');
      assert.equal((await claim(jobs, id, 5)).length, 1);
    });

    test('a cancelled job starts nothing more, and stays cancelled', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/1'), item('https://a.test/2')]);
      const [running] = await claim(jobs, id, 1);
      assert.equal(await jobs.cancel(id, T0), true);
      assert.equal(await jobs.cancel(id, T0), false);
      assert.deepEqual(await claim(jobs, id, 5), []);
      await jobs.end([ended(running!, { found: [item('https://a.test/3')] })]);
      assert.partialDeepStrictEqual(await jobs.get(id, null), {
        state: 'cancelled',
        counts: { queued: 1, running: 0, ok: 1, failed: 0, skipped: 0 },
      });
    });

    test('the rest of a job is skipped, and the job is done', async (t) => {
      const { jobs } = await open(t);
      const urls = ['https://a.test/1', 'https://a.test/2', 'https://a.test/3'];
      const id = await started(
        jobs,
        job(1),
        urls.map((url) => item(url)),
      );
      const cap = { code: 'job.cost_cap', message: 'The cost limit is reached.' };
      assert.equal(await jobs.skipQueued(id, cap, 2, T0), 2);
      assert.equal(await jobs.skipQueued(id, cap, 2, T0), 1);
      assert.equal(await jobs.skipQueued(id, cap, 2, T0), 0);
      assert.partialDeepStrictEqual(await jobs.get(id, null), {
        state: 'done',
        counts: { queued: 0, skipped: 3 },
      });
    });

    test('thousands of failed items are tried again, each once, as soon as all of them wait', async (t) => {
      const { jobs } = await open(t);
      const urls = Array.from({ length: 2_500 }, (_, n) => `https://${'abc'[n % 3]}.test/${n}`);
      const id = await started(
        jobs,
        job(1, { perHost: 3_000 }),
        urls.map((url) => item(url)),
      );
      const request = { jobs: [{ id, limit: 3_000 }], now: T0, leaseUntil: T0 + 10_000, perHost: 3_000 };
      const { items } = await jobs.claim(request);
      assert.equal(items.length, urls.length);
      const failed = { state: 'failed', error: REFUSED, outcome: 'failed' } as const;
      await jobs.end(items.map((one, index) => ended(one, index === 1_234 ? {} : failed)));
      const [first, second] = await Promise.all([jobs.retryFailed(id, T0), jobs.retryFailed(id, T0)]);
      assert.equal((first ?? 0) + (second ?? 0), 2_499);
      assert.partialDeepStrictEqual(await jobs.get(id, null), {
        state: 'running',
        counts: { queued: 2_499, running: 0, ok: 1, failed: 0 },
      });
      const again = (await jobs.claim(request)).items;
      const kept = items[1_234]!.url;
      assert.deepEqual(urlsOf(again).toSorted(), urls.filter((url) => url !== kept).toSorted());
      await jobs.end(again.map((one) => ended(one)));
      assert.partialDeepStrictEqual(await jobs.get(id, null), {
        state: 'done',
        counts: { ok: 2_500, failed: 0 },
      });
    });

    test('failed items of a job are tried again, others are not', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/1'), item('https://a.test/2')]);
      const [first, second] = await claim(jobs, id, 2);
      assert.equal(await jobs.retryFailed(id, T0), null, 'the job runs');
      await jobs.end([ended(first!), ended(second!, { state: 'failed', error: REFUSED, outcome: 'failed' })]);
      assert.equal(await jobs.retryFailed(id, T0), 1);
      const [again] = await claim(jobs, id, 5);
      assert.partialDeepStrictEqual(again, { url: 'https://a.test/2', tries: 1 });
      await jobs.end([ended(again!)]);
      assert.partialDeepStrictEqual(await jobs.get(id, null), {
        state: 'done',
        counts: { ok: 2, failed: 0 },
      });
      assert.deepEqual(
        (await jobs.results(id, 0, 9)).map(({ n, url }) => [n, url]),
        [
          [1, 'https://a.test/1'],
          [3, 'https://a.test/2'],
        ],
      );
    });

    test('items whose model failed are tried again by their records, beside those that failed', async (t) => {
      const { jobs } = await open(t);
      const urls = Array.from({ length: 2_010 }, (_, n) => `https://a.test/docs/${n}`);
      const id = await started(
        jobs,
        job(1, { perHost: 3_000 }),
        urls.map((url) => item(url)),
      );
      const request = { jobs: [{ id, limit: 3_000 }], now: T0, leaseUntil: T0 + 10_000, perHost: 3_000 };
      const first = (await jobs.claim(request)).items;
      assert.ok(first.every(({ reads }) => reads === null));
      const ends = [
        (one: ClaimedItem, n: number) => ended(one, { outcome: 'partial', error: UNREAD, record: record(n) }),
        (one: ClaimedItem, n: number) =>
          ended(one, { state: 'failed', outcome: 'failed', error: REFUSED, record: record(n) }),
        (one: ClaimedItem) => ended(one),
      ] as const;
      await jobs.end(first.map((one) => ends[urls.indexOf(one.url) % 3]!(one, urls.indexOf(one.url))));
      const [unread] = await jobs.results(id, 0, 1);
      assert.deepEqual([unread!.state, unread!.error], ['ok', UNREAD]);
      assert.equal(await jobs.retryFailed(id, T0), 1_340);
      await assertCounts(jobs, id, 3_000);
      const queued = { queued: 1_340, running: 0, ok: 670, failed: 0, skipped: 0 };
      assert.deepEqual((await jobs.get(id, null))!.counts, queued);
      const again = (await jobs.claim(request)).items;
      for (const { url, reads, tries } of again) {
        const n = urls.indexOf(url);
        assert.deepEqual([reads, tries], [n % 3 === 0 ? record(n).id : null, 1], url);
      }
      // Given back, or after the end of its process, an item still reads its record.
      await jobs.release(again, T0);
      assert.equal((await claim(jobs, id, 1))[0]!.reads, record(0).id);
      await jobs.recover(T0, true, INTERRUPTED);
      const last = (await jobs.claim(request)).items;
      assert.equal(last.filter(({ reads }) => reads !== null).length, 670);
      // Its page was to be read, and is fetched instead: so are further tries.
      await jobs.end([ended(last[0]!, { state: 'queued', retryAt: T0, outcome: 'failed' })]);
      const [fetched] = (await jobs.claim(request)).items;
      assert.deepEqual([fetched!.url, fetched!.reads], [last[0]!.url, null]);
      await jobs.end([fetched!, ...last.slice(1)].map((one) => ended(one)));
      await assertCounts(jobs, id, 3_000);
      assert.partialDeepStrictEqual(await jobs.get(id, null), { state: 'done', counts: { ok: 2_010 } });
      assert.equal(await jobs.retryFailed(id, T0), 0);
      assert.equal((await jobs.get(id, null))!.state, 'done');
    });

    test('a crawl whose start URLs all fail has failed', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1, { kind: 'crawl' }), [item('https://a.test/')]);
      const [claimed] = await claim(jobs, id, 1);
      await jobs.end([ended(claimed!, { state: 'failed', outcome: 'failed', error: REFUSED })]);
      assert.partialDeepStrictEqual(await jobs.get(id, null), {
        state: 'failed',
        error: REFUSED,
      });
    });

    test('a deleted job leaves nothing; expired jobs are found', async (t) => {
      const { jobs } = await open(t);
      const id = await started(jobs, job(1), [item('https://a.test/')]);
      const [claimed] = await claim(jobs, id, 1);
      assert.deepEqual(await jobs.expired(T0 + 5_000, 9), []);
      await jobs.end([ended(claimed!)]);
      assert.deepEqual(await jobs.expired(T0 + 999, 9), []);
      assert.deepEqual(await jobs.expired(T0 + 1_000, 9), [id]);
      assert.equal(await jobs.delete(id), true);
      assert.equal(await jobs.delete(id), false);
      assert.deepEqual(
        [
          await jobs.get(id, null),
          await jobs.items(id, null, 0, 9),
          await jobs.events(id, 0, 9),
          await jobs.folders(id, '', 9, null),
        ],
        [null, [], [], []],
      );
    });

    test('counts, also of folders, always equal the items, whatever happens in whatever order', async (t) => {
      const { jobs } = await open(t);
      let n = 100;
      const step = fc.constantFrom(
        'claim',
        'ok',
        'unread',
        'failed',
        'retry',
        'release',
        'crash',
        'skip',
        'retryFailed',
      );
      const pages = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 4 });
      const property = fc.asyncProperty(fc.array(fc.tuple(step, pages), { maxLength: 25 }), async (steps) => {
        const start = item('https://a.test/0', { fingerprint: fingerprintOf(0) });
        const id = await started(jobs, job(n++, { kind: 'crawl', maxVisits: 12 }), [start]);
        const held: ClaimedItem[] = [];
        for (const [action, links] of steps) {
          await act(jobs, id, action, links, held);
          await assertCounts(jobs, id);
        }
        await jobs.delete(id);
      });
      await fc.assert(property, { numRuns: 60 });
    });
  });
}

async function act(
  jobs: JobStore,
  id: string,
  action: string,
  links: readonly number[],
  held: ClaimedItem[],
) {
  const found = links.map((n) =>
    item(`https://${n % 2 === 0 ? 'a' : 'b'}.test/${'folder/'.repeat(n % 3)}${n % 5}/${n}`, {
      fingerprint: fingerprintOf(n),
    }),
  );
  if (action === 'claim') held.push(...(await claim(jobs, id, 2)));
  else if (action === 'crash') await jobs.recover(T0, true, INTERRUPTED);
  else if (action === 'skip') await jobs.skipQueued(id, REFUSED, 1, T0);
  else if (action === 'retryFailed') await jobs.retryFailed(id, T0);
  const taken = ['ok', 'unread', 'failed', 'retry', 'release'].includes(action) ? held.shift() : undefined;
  if (taken === undefined) return;
  if (action === 'release') await jobs.release([taken], T0);
  else if (action === 'retry') await jobs.end([ended(taken, { state: 'queued', retryAt: T0 })]);
  else if (action === 'unread') await jobs.end([ended(taken, { error: UNREAD, outcome: 'partial' })]);
  else await jobs.end([ended(taken, { state: action as 'ok' | 'failed', found })]);
}

async function assertCounts(jobs: JobStore, id: string, limit = 1_000): Promise<void> {
  const items = await jobs.items(id, null, 0, limit);
  const counts = { queued: 0, running: 0, ok: 0, failed: 0, skipped: 0 };
  for (const { state } of items) counts[state]++;
  const stored = (await jobs.get(id, null))!;
  assert.deepEqual(stored.counts, counts);
  assert.deepEqual(await storedTree(jobs, id), treeOf(items));
  const numbers = (await jobs.results(id, 0, limit)).map(({ n }) => n);
  assert.equal(numbers.length, counts.ok + counts.failed + counts.skipped);
  assert.equal(new Set(numbers).size, numbers.length);
  const sequences = (await jobs.events(id, 0, 10 * limit)).map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    Array.from(sequences, (_, index) => index + 1),
  );
}

/** By folder of the tree, and by what is directly in it: how many items are in each state. */
type FolderTree = Record<string, Record<string, Record<string, number>>>;

function treeOf(items: readonly ItemRow[]): FolderTree {
  const tree: FolderTree = {};
  for (const { url, state } of items) {
    const segments = url.replace('https://', '').split('/');
    for (let level = 0; level < segments.length; level++) {
      const parent = segments.slice(0, level).map((segment) => `${segment}/`);
      const isFile = level === segments.length - 1;
      const folder = isFile ? parent.join('') : `${parent.join('')}${segments[level]}/`;
      tree[parent.join('')] ??= {};
      tree[parent.join('')]![folder] ??= { queued: 0, running: 0, ok: 0, failed: 0, skipped: 0 };
      tree[parent.join('')]![folder]![state]!++;
    }
  }
  return tree;
}

async function storedTree(jobs: JobStore, id: string): Promise<FolderTree> {
  const tree: FolderTree = {};
  const waiting = [''];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    tree[parent] = {};
    for (const { folder, counts } of await jobs.folders(id, parent, 1_000, null)) {
      tree[parent]![folder] = { ...counts };
      if (folder !== parent) waiting.push(folder);
    }
  }
  return tree;
}
