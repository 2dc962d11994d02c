import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { linkPage, type MadeSite, startMadeSite } from '../helpers/made-site.ts';
import { eventually, useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { startCrawl } from './crawling.ts';
import { endOf, jobOf, startBatch } from './job-calls.ts';

interface Told {
  readonly state: string;
  readonly waiting: { readonly reason: string; readonly until: string | null } | null;
  readonly next_try_at: string | null;
  readonly last_error: { readonly code: string; readonly message: string; readonly item: number } | null;
  readonly counts: Readonly<Record<string, number>>;
}

interface ToldItem {
  readonly item: number;
  readonly n: number | null;
  readonly url: string;
  readonly state: string;
  readonly tries: number;
  readonly status_code: number | null;
  readonly title: string | null;
  readonly bytes: number | null;
  readonly verdict: string | null;
  readonly scrape: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly next_try_at: string | null;
  readonly waiting: { readonly reason: string; readonly until: string | null } | null;
}

describe('jobs explain themselves', () => {
  const service = useService();
  let site: MadeSite;
  /** Requests to `/held…` wait for this. */
  let held: (() => void)[] = [];
  const broken = new Set<string>();

  before(async () => {
    site = await startMadeSite((path, _, response) => {
      if (broken.has(path)) {
        response.writeHead(503, { 'content-type': 'text/html' }).end('<title>Busy</title><p>Come later.');
        return undefined;
      }
      if (path.startsWith('/held')) {
        held.push(() => response.writeHead(200).end('held'));
        return undefined;
      }
      return linkPage(`About ${path}`, path === '/' ? ['/one', '/two', '/three', '/four'] : []);
    });
  });
  after(async () => {
    for (const release of held) release();
    await site[Symbol.asyncDispose]();
  });

  const told = async (id: string) => (await jobOf(service, id)) as unknown as Told;
  const itemsOf = async (id: string, query = '') =>
    (await service.api('GET', `/api/v1/jobs/${id}/items/${query}`)).body as {
      readonly items: readonly ToldItem[];
      readonly next_cursor: string | null;
    };
  const tryNow = (id: string, body?: unknown, key?: string) =>
    service.api('POST', `/api/v1/jobs/${id}/try-now/`, {
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
    });
  const waitsFor = (id: string, reason: string) =>
    eventually(async () => {
      const job = await told(id);
      return job.waiting?.reason === reason ? job : null;
    });
  const release = () => {
    for (const one of held) one();
    held = [];
  };

  test('an item that waits for a retry: the last error, when it is tried next, and "try now"', async () => {
    const path = '/busy';
    broken.add(path);
    const id = await startBatch(service, {
      requests: [{ url: `${site.url}${path}` }, { url: 'http://127.0.0.1:1/' }, { url: `${site.url}/fine` }],
      defaults: { scraper: 'http' },
    });
    await eventually(async () => (await told(id)).counts.ok === 1 && (await told(id)).counts.running === 0);
    const job = await waitsFor(id, 'retry');
    const wait = Date.parse(job.next_try_at!) - Date.now();
    assert.ok(wait > 40_000 && wait <= 60_000, `${wait} ms`);
    assert.equal(job.waiting!.until, job.next_try_at);
    assert.ok(['target.status', 'connect.refused'].includes(job.last_error!.code));
    const { items } = await itemsOf(id);
    const [busy, refused, fine] = items;
    assert.partialDeepStrictEqual(busy, {
      item: 1,
      state: 'queued',
      tries: 1,
      status_code: 503,
      title: 'Busy',
      verdict: 'error_page',
      error: { code: 'target.status', message: 'The target answered with status 503.' },
      waiting: { reason: 'retry' },
    });
    assert.equal(busy!.waiting!.until, busy!.next_try_at);
    assert.partialDeepStrictEqual(refused, { status_code: null, error: { code: 'connect.refused' } });
    assert.partialDeepStrictEqual(fine, {
      state: 'ok',
      status_code: 200,
      title: 'About /fine',
      verdict: 'ok',
      waiting: null,
      next_try_at: null,
      error: null,
    });
    assert.ok(fine!.bytes! > 0);

    broken.delete(path);
    assert.equal((await tryNow(id, { items: [3] })).status, 409, 'it has ended');
    assert.equal((await tryNow(id, { items: [1] })).status, 200);
    await eventually(async () => (await told(id)).counts.ok === 2);
    assert.equal((await itemsOf(id, '?state=queued')).items[0]!.item, 2, 'the other still waits');
    assert.equal((await tryNow(id)).status, 200);
    await eventually(async () => (await itemsOf(id, '?state=queued')).items[0]?.tries === 2);
    assert.equal((await told(id)).last_error!.code, 'connect.refused');

    const { key } = await createUser(service);
    assert.equal((await tryNow(id, undefined, key)).status, 404, 'a job of somebody else');
    for (const [body, pointer] of [
      [{ items: [] }, '/items'],
      [{ items: [0] }, '/items/0'],
      [{ item: [1] }, '/item'],
    ] as const) {
      const answer = await tryNow(id, body);
      assert.deepEqual([answer.status, (answer.body as Problem).errors[0]!.pointer], [400, pointer]);
    }
    await service.api('POST', `/api/v1/jobs/${id}/pause/`);
    assert.deepEqual((await told(id)).waiting, { reason: 'paused', until: null });
    const [paused] = (await itemsOf(id, '?state=queued')).items;
    assert.deepEqual(paused!.waiting, { reason: 'paused', until: null });
    const answer = await tryNow(id);
    assert.deepEqual([answer.status, (answer.body as Problem).code], [409, 'job.state']);
    await service.api('DELETE', `/api/v1/jobs/${id}/`);
    assert.equal((await tryNow(id)).status, 409);
    assert.equal((await told(id)).waiting, null);
  });

  test('the first page of a crawl is tried again at once and after seconds', async () => {
    const id = await startCrawl(service, { url: 'http://127.0.0.1:1/' });
    const job = await eventually(async () => {
      const now = await told(id);
      return now.waiting?.reason === 'retry' ? now : null;
    });
    assert.ok(Date.parse(job.next_try_at!) - Date.now() <= 5_000);
    assert.equal(job.last_error!.code, 'connect.refused');
    assert.ok((await itemsOf(id)).items[0]!.tries >= 2);
    await service.api('DELETE', `/api/v1/jobs/${id}/?purge=1`);
  });

  test('what waits for a pause, for its host, and for a place', async () => {
    const paced = await startCrawl(service, { url: `${site.url}/`, delay_ms: 600_000 });
    const { waiting } = await waitsFor(paced, 'pace');
    assert.ok(Date.parse(waiting!.until!) - Date.now() > 500_000);
    const { items } = await itemsOf(paced, '?state=queued');
    assert.deepEqual(items[0]!.waiting, waiting);
    assert.equal((await tryNow(paced)).status, 409, 'nothing waits for a retry');
    await service.api('DELETE', `/api/v1/jobs/${paced}/?purge=1`);

    const urls = [1, 2].map((n) => ({ url: `${site.url}/held?${n}` }));
    const defaults = { scraper: 'http', timeout_ms: 60_000 };
    const full = await startBatch(service, { requests: urls, defaults, concurrency: 1 });
    await waitsFor(full, 'concurrency');
    assert.equal((await tryNow(full)).status, 409, 'while an item runs');
    release();
    await eventually(() => {
      release();
      return endedNow(full);
    });
    const crawl = await startCrawl(service, {
      urls: [`${site.url}/held?a`, `${site.url}/held?b`],
      per_host: 1,
      request: defaults,
    });
    await waitsFor(crawl, 'host_limit');
    await eventually(() => {
      release();
      return endedNow(crawl);
    });
  });
  const endedNow = async (id: string) => !['queued', 'running'].includes((await told(id)).state);

  test('items by state, search and order; results and exports by state', async () => {
    const id = await startCrawl(service, { url: `${site.url}/`, limit: 3, exclude: ['/two'], per_host: 1 });
    await endOf(service, id);
    const all = await itemsOf(id);
    assert.equal(all.next_cursor, null);
    const skipped = all.items.filter(({ state }) => state === 'skipped');
    assert.ok(skipped.length >= 2, JSON.stringify(all.items));
    assert.deepEqual((await itemsOf(id, '?state=skipped')).items, skipped);
    assert.deepEqual(
      (await itemsOf(id, '?q=ABOUT%20/ONE')).items.map(({ url }) => url),
      [`${site.url}/one`],
    );
    const first = await itemsOf(id, '?sort=ended&order=desc&limit=1');
    const second = await itemsOf(id, `?sort=ended&order=desc&limit=1&cursor=${first.next_cursor}`);
    assert.equal(first.items[0]!.n, second.items[0]!.n! + 1);
    const results = await service.api('GET', `/api/v1/jobs/${id}/results/?state=ok&limit=2`);
    const page = results.body as { items: readonly ToldItem[]; next_cursor: string | null };
    assert.deepEqual([...new Set(page.items.map(({ state }) => state))], ['ok']);
    const csv = await service.api('GET', `/api/v1/jobs/${id}/export/?format=csv&state=ok,failed`);
    const lines = csv.text.trim().split('\r\n');
    assert.match(lines[0]!, /,status_code,title,bytes$/);
    assert.equal(lines.length - 1, 3);
    const jsonl = await service.api('GET', `/api/v1/jobs/${id}/export/?state=skipped`);
    assert.equal(jsonl.text.trim().split('\n').length, skipped.length);
    for (const query of [
      'state=new',
      'state=ok,',
      'sort=url',
      'order=up',
      'cursor=1',
      'cursor=x-1',
      'limit=0',
    ])
      assert.equal((await service.api('GET', `/api/v1/jobs/${id}/items/?${query}`)).status, 400, query);
    assert.equal((await service.api('GET', `/api/v1/jobs/${id}/results/?state=queued`)).status, 400);
    const { key } = await createUser(service);
    assert.equal((await service.api('GET', `/api/v1/jobs/${id}/items/`, { key })).status, 404);
  });
});

interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly pointer: string }[];
}
