import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterwards, tempFolder } from '../../adapters/temp.ts';
import { crawlJob, ended, startCrawl } from '../../end-to-end/crawling.ts';
import { linkPage, startMadeSite } from '../../helpers/made-site.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { eventually, startService } from '../../helpers/service.ts';

/** With `LONG=1` as the plan of the service asks: 100,000 URLs and many kills. */
const LONG = process.env.LONG === '1';
const PAGES = LONG ? 99_999 : 600;
const KILLS = LONG ? 20 : 2;

describe('crawls and kill -9', () => {
  test(`${PAGES} pages, ${KILLS} kills: no page and no message is lost, no page is twice, the counts are those of the items`, async (t) => {
    // Page n leads to ten others; each of them is also found from elsewhere.
    await using site = await startMadeSite((path) => {
      const n = path === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
      if (Number.isNaN(n)) return null;
      const links = Array.from({ length: 10 }, (_, link) => (n * 10 + link + 1) % PAGES);
      return linkPage(`page ${n} of ${PAGES - n}`, [
        '/',
        ...links.map((to) => (to === 0 ? '/' : `/p/${to}`)),
      ]);
    });
    const dataDir = tempFolder(t);
    await using receiver = await startReceiver();
    const env = { SLUICE_JOB_HOST_CONCURRENCY: '32', SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' };
    let service = await startService(env, { dataDir });
    afterwards(t, () => service.end());
    const id = await startCrawl(service, {
      url: `${site.url}/`,
      limit: 100_000,
      per_host: 32,
      max_urls_per_pattern: 100_000,
      webhook: { url: receiver.url, events: ['started', 'page', 'item_failed', 'done'], include: 'none' },
    });
    for (let kill = 1; kill <= KILLS; kill++) {
      const target = (PAGES * kill) / (KILLS + 1);
      await eventually(async () => (await crawlJob(service, id)).counts.ok! >= target, 600_000);
      await service.kill9();
      service = await startService(env, { dataDir });
    }
    const { job, items } = await ended(service, id, 600_000);
    assert.deepEqual(job.counts, { found: PAGES, queued: 0, running: 0, ok: PAGES, failed: 0, skipped: 0 });
    assert.equal(items.length, PAGES);
    assert.equal(new Set(items.map(({ url }) => url)).size, PAGES);
    assert.equal(new Set(items.map(({ scrape }) => scrape)).size, PAGES);
    assert.deepEqual(
      items.map(({ n }) => n),
      Array.from(items, (_, index) => index + 1),
    );
    // Only what was in flight at a kill was fetched again.
    const fetched = site.seen.filter((path) => path === '/' || path.startsWith('/p/')).length;
    assert.ok(fetched <= PAGES + KILLS * 32, `${fetched} pages were fetched`);
    // Every event arrives at least once, with its number.
    const events = PAGES + 2;
    const arrived = () => new Map(receiver.messages.map(({ body }) => [body.sequence, body.type]));
    await eventually(() => arrived().size === events, 600_000);
    const types = arrived();
    assert.deepEqual(
      [1, 2, events, events + 1].map((sequence) => types.get(sequence)),
      ['job.started', 'job.page', 'job.done', undefined],
    );
  });
});
