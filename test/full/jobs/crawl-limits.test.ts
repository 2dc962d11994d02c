import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { afterwards, tempFolder } from '../../adapters/temp.ts';
import { ended, startCrawl } from '../../end-to-end/crawling.ts';
import { jobOf } from '../../end-to-end/job-calls.ts';
import { makeFaults } from '../../helpers/faults.ts';
import { linkPage, startMadeSite } from '../../helpers/made-site.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

const faults = makeFaults();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Page n leads to page n + 1. Each has about `bytes` that do not compress well. */
const chain = (pages: number, bytes: number) =>
  startMadeSite((path) => {
    const n = path === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (Number.isNaN(n) || n >= pages) return null;
    const noise = createHash('shake256', { outputLength: Math.ceil(bytes * 0.75) })
      .update(path)
      .digest('base64');
    return linkPage(`page ${n}`, n + 1 < pages ? [`/p/${n + 1}`] : []) + noise;
  });

/** The clock of the services. It is moved, and never goes back. */
class Time {
  #ahead = 0;
  now = () => Date.now() + this.#ahead;
  moveTo(at: number): void {
    assert.ok(typeof faults !== 'string');
    this.#ahead = Math.max(this.#ahead, at - Date.now());
    faults.clock(this.#ahead / 1_000);
  }
}

const time = new Time();

const crawlOf = (url: string, members: object = {}) => ({
  url: `${url}/`,
  sitemap: 'ignore',
  robots: 'ignore',
  max_depth: 50,
  ...members,
});

async function withKey(service: Service, settings: object) {
  const made = await service.api<{ id: string; key: string }>('POST', '/api/v1/keys/', {
    body: { name: 'crawl', ...settings },
  });
  assert.equal(made.status, 201, made.text);
  const { id, key } = made.body;
  return {
    id,
    start: (body: object) => startCrawl({ ...service, api: withDefaultKey(service, key) }, { ...body }),
  };
}

const withDefaultKey =
  (service: Service, key: string): Service['api'] =>
  (method, path, options = {}) =>
    service.api(method, path, { ...options, key });

const paused = (service: Service, id: string, reason: string) =>
  eventually(async () => {
    const { state, pause } = await jobOf(service, id);
    return state === 'paused' && pause?.reason === reason ? pause : null;
  }, 60_000);

const goneOf = async (service: Service, id: string) => {
  const { body } = await service.api('GET', `/api/v1/jobs/${id}/results/?limit=200`);
  return new Set((body as { items: { gone: string | null }[] }).items.map(({ gone }) => gone));
};

describe('a crawl that meets a limit', { skip: typeof faults === 'string' && faults }, () => {
  assert.ok(typeof faults !== 'string');
  const { env } = faults;

  test('of the storage: it pauses, keeps its results, and goes on when there is room', async (t) => {
    await using site = await chain(50, 240_000);
    const dataDir = tempFolder(t);
    const first = await startService({ ...env, SLUICE_STORAGE_BYTES: '8MB' }, { dataDir });
    afterwards(t, () => first.end().catch(() => {}));
    const id = await startCrawl(first, crawlOf(site.url, { delay_ms: 250 }));
    const pause = await paused(first, id, 'storage');
    const before = (await jobOf(first, id)).counts.ok!;
    assert.ok(before < 50, `${before}`);
    assert.equal((await first.scrape({ url: `${site.url}/`, scraper: 'http' })).status, 200);
    assert.deepEqual([...(await goneOf(first, id))], [null]);
    await first.stop();
    const second = await startService({ ...env, SLUICE_STORAGE_BYTES: '200MB' }, { dataDir });
    afterwards(t, () => second.end());
    time.moveTo(Date.parse(pause.resumes_at!) + 5_000);
    await eventually(async () => (await jobOf(second, id)).state === 'done', 90_000);
    assert.equal((await jobOf(second, id)).counts.ok, 50);
    assert.deepEqual([...(await goneOf(second, id))], [null]);
  });

  test('of its key: revoked, it pauses; bound anew, it goes on with the rights of the other key', async (t) => {
    await using site = await chain(12, 1_000);
    const service = await startService(env);
    afterwards(t, () => service.end());
    const { id: keyId, start } = await withKey(service, {});
    const id = await start(crawlOf(site.url, { delay_ms: 300 }));
    await eventually(async () => (await jobOf(service, id)).counts.ok! > 1);
    assert.equal((await service.api('DELETE', `/api/v1/keys/${keyId}/`)).status, 204);
    const pause = await paused(service, id, 'key');
    assert.equal(pause.resumes_at, null);
    const { counts } = await jobOf(service, id);
    assert.ok(counts.ok! < 12);
    assert.equal((await service.api('POST', `/api/v1/jobs/${id}/resume/`)).status, 200);
    const { job, items } = await ended(service, id, 60_000);
    assert.deepEqual([job.state, job.counts.ok], ['done', 12]);
    const scrape = async (n: number) =>
      (await service.api<{ router: { key_id: string } }>('GET', `/api/v1/scrape/${items[n]!.scrape}/`)).body;
    assert.equal((await scrape(0)).router.key_id, keyId);
    assert.notEqual((await scrape(11)).router.key_id, keyId);
  });

  test('of the daily budget: it goes on at midnight, and each page counts', async (t) => {
    await using site = await chain(8, 1_000);
    const service = await startService(env);
    afterwards(t, () => service.end());
    const { start } = await withKey(service, { daily_budget: { amount: 3, unit: 'scrapes' } });
    const id = await start(crawlOf(site.url));
    for (const ok of [3, 6]) {
      const pause = await paused(service, id, 'budget');
      const midnight = Date.parse(pause.resumes_at!);
      assert.equal(midnight % DAY_MS, 0);
      assert.ok(midnight > time.now() && midnight <= time.now() + DAY_MS);
      assert.equal((await jobOf(service, id)).counts.ok, ok);
      time.moveTo(midnight + 5_000);
      await eventually(async () => (await jobOf(service, id)).counts.ok! > ok);
    }
    await eventually(async () => (await jobOf(service, id)).state === 'done');
    assert.equal((await jobOf(service, id)).counts.ok, 8);
  });

  test('of the retention: results of a crawl that goes on are kept, those of one that ended expire', async (t) => {
    await using site = await chain(12, 1_000);
    const dataDir = tempFolder(t);
    let service = await startService({ ...env, SLUICE_RETENTION_DAYS: '1' }, { dataDir });
    afterwards(t, () => service.end());
    // The sweeps come at the start.
    const restart = async (at: number) => {
      await service.stop();
      time.moveTo(at);
      service = await startService({ ...env, SLUICE_RETENTION_DAYS: '1' }, { dataDir });
    };
    const alone = (await service.scrape({ url: `${site.url}/`, scraper: 'http' })).body.id!;
    const id = await startCrawl(service, crawlOf(site.url, { delay_ms: 300, expires_in_s: 3_600 }));
    await eventually(async () => (await jobOf(service, id)).counts.ok! > 1);
    assert.equal((await service.api('POST', `/api/v1/jobs/${id}/pause/`)).status, 200);
    await restart(time.now() + 3 * DAY_MS);
    const statusOf = async (scrape: string) => (await service.api('GET', `/api/v1/scrape/${scrape}/`)).status;
    await eventually(async () => (await statusOf(alone)) !== 200);
    assert.deepEqual([...(await goneOf(service, id))], [null]);
    assert.equal((await service.api('POST', `/api/v1/jobs/${id}/resume/`)).status, 200);
    const { job, items } = await ended(service, id, 60_000);
    assert.equal(job.counts.ok, 12);
    for (const { scrape } of items) assert.equal(await statusOf(scrape!), 200);
    await restart(time.now() + 2 * HOUR_MS);
    await eventually(async () => (await statusOf(items[0]!.scrape!)) === 410);
    assert.deepEqual([...(await goneOf(service, id))], ['retention']);
    assert.deepEqual((await jobOf(service, id)).counts, job.counts);
    await restart(time.now() + 31 * DAY_MS);
    await eventually(async () => (await service.api('GET', `/api/v1/jobs/${id}/`)).status === 404);
  });
});
