import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Firecrawl } from 'firecrawl';
import type { MadeSite } from '../../helpers/made-site.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { eventually, startService, useOwnService } from '../../helpers/service.ts';
import { talk } from '../../helpers/talk.ts';
import { clientOf, startDocsSite } from './firecrawl-site.ts';

describe('the client of Firecrawl runs jobs', () => {
  const service = useOwnService({ SLUICE_DIALECTS: 'firecrawl', SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  let site: MadeSite;
  let receiver: Receiver;
  let client: Firecrawl;
  before(async () => {
    site = await startDocsSite();
    receiver = await startReceiver();
    client = clientOf(service);
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const urlsOf = (job: { data: { metadata?: { url?: string } }[] }) =>
    job.data.map(({ metadata }) => metadata!.url!.slice(site.url.length)).sort();

  test('a crawl visits what is below its URL, and tells what robots.txt forbids', async () => {
    const job = await client.crawl(`${site.url}/docs/`, { limit: 10, pollInterval: 1 });
    assert.equal(job.status, 'completed');
    assert.deepEqual(urlsOf(job), ['/docs/', '/docs/first', '/docs/second?page=1', '/docs/second?page=2']);
    assert.equal(job.completed, 4);
    assert.equal(job.total, 4);
    assert.equal(job.creditsUsed, 4);
    assert.ok(Date.parse(job.expiresAt!) > Date.now());
    assert.match(job.data[0]!.markdown!, /^# \/docs\//);
    await assert.rejects(client.cancelCrawl(job.id!), { status: 409 });
    const errors = await client.getCrawlErrors(job.id!);
    assert.deepEqual(errors, { errors: [], robotsBlocked: [`${site.url}/docs/private/secret`] });
  });

  // LangChain and LlamaIndex cannot be installed here. These are the requests that their loaders make by Firecrawl's Python client,
  // and the members that they read.
  test('the loaders of LangChain and LlamaIndex get the pages of a test host', async () => {
    interface Loaded {
      readonly success: boolean;
      readonly id: string;
      readonly status: string;
      readonly next?: string;
      readonly data: readonly { readonly markdown: string; readonly metadata: { readonly title: string } }[];
      readonly links: readonly { readonly url: string }[];
    }
    const call = async (path: string, body?: object): Promise<Loaded> => {
      const answer = await fetch(service.base + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const loaded = (await answer.json()) as Loaded;
      assert.deepEqual([answer.status, loaded.success], [200, true], JSON.stringify(loaded));
      return loaded;
    };
    const url = 'https://loaders.sluice.test/docs';
    const crawls = {
      '/v2/crawl': {
        ...{ url, limit: 50, integration: 'langchain', origin: 'python-sdk@4.3.6' },
        scrapeOptions: { formats: ['markdown'], onlyMainContent: true },
      },
      '/v1/crawl': { url, limit: 50, origin: 'python-sdk@2.16.5' },
    };
    for (const [path, body] of Object.entries(crawls)) {
      const { id } = await call(path, body);
      const job = await eventually(async () => {
        const status = await call(`${path}/${id}`);
        return status.status === 'completed' ? status : null;
      });
      assert.equal(job.data.length, 8, path);
      const page = job.data.find(({ markdown }) => markdown.startsWith('# How to care for a kettle'))!;
      assert.equal(page.metadata.title, 'How to care for a kettle – Guides of the test shop', path);
    }
    const { links } = await call('/v2/map', { url, integration: 'langchain' });
    assert.ok(links.some((link) => link.url === `${url}/kettle`));
  });

  test('the settings of a crawl', async () => {
    const start = await client.startCrawl(`${site.url}/docs/`, {
      includePaths: ['^/docs/', '/other'],
      excludePaths: ['second'],
      maxDiscoveryDepth: 1,
      sitemap: 'skip',
      ignoreQueryParameters: true,
      limit: 5,
      crawlEntireDomain: true,
      allowExternalLinks: false,
      allowSubdomains: false,
      maxConcurrency: 2,
      scrapeOptions: { formats: ['links', 'rawHtml'], onlyMainContent: false, headers: { 'X-A': 'b' } },
      zeroDataRetention: false,
    });
    assert.equal(start.url, `${service.base}/v2/crawl/${start.id}`);
    const job = await eventually(async () => {
      const status = await client.getCrawlStatus(start.id);
      return status.status === 'completed' ? status : null;
    });
    assert.deepEqual(urlsOf(job), ['/docs/', '/docs/first', '/other/']);
    for (const document of job.data) {
      assert.equal(document.markdown, undefined);
      assert.ok(document.links!.length > 0);
      assert.match(document.rawHtml!, /Imprint/);
    }
  });

  test('a crawl that runs is active, and can be cancelled', async () => {
    const start = await client.startCrawl(`${site.url}/docs/`, {
      limit: 10,
      delay: 30,
      scrapeOptions: { headers: { Authorization: 'Bearer secret-of-the-site' } },
    });
    const { crawls } = await client.getActiveCrawls();
    const active = crawls.find(({ id }) => id === start.id)!;
    assert.equal(active.url, `${site.url}/docs/`);
    assert.equal(typeof active.teamId, 'string');
    assert.deepEqual(active.options, {
      limit: 10,
      delay: 30,
      origin: (active.options as { origin: string }).origin,
    });
    const job = await service.api('GET', `/api/v1/jobs/${start.id}/`);
    assert.ok(!job.text.includes('secret-of-the-site'), job.text);
    assert.equal((await client.getCrawlStatus(start.id)).status, 'scraping');
    assert.equal(await client.cancelCrawl(start.id), true);
    assert.equal((await client.getCrawlStatus(start.id)).status, 'cancelled');
    assert.ok(!(await client.getActiveCrawls()).crawls.some(({ id }) => id === start.id));
  });

  test('jobs that are not there', async () => {
    for (const work of [
      () => client.getCrawlErrors('invalid-job-id-12345'),
      () => client.getCrawlStatus('invalid-job-id-12345'),
      () => client.cancelCrawl('00000000-0000-7000-8000-000000000000'),
      () => client.getBatchScrapeErrors('invalid-job-id-12345'),
    ])
      await assert.rejects(work, { status: 404, message: /not found/ });
  });

  test('a batch: documents, errors, URLs that are none', async () => {
    const urls = [`${site.url}/docs/`, `${site.url}/broken`, 'http://'];
    const start = await client.startBatchScrape(urls, {
      options: { formats: ['markdown', 'links'] },
      ignoreInvalidURLs: true,
      maxConcurrency: 2,
    });
    assert.equal(start.url, `${service.base}/v2/batch/scrape/${start.id}`);
    assert.deepEqual(start.invalidURLs, ['http://']);
    const job = await eventually(async () => {
      const status = await client.getBatchScrapeStatus(start.id);
      return status.status === 'completed' ? status : null;
    });
    assert.deepEqual(urlsOf(job), ['/docs/']);
    assert.equal(job.id, start.id);
    const { errors } = await client.getBatchScrapeErrors(start.id);
    assert.equal(errors.length, 1);
    assert.equal(errors[0]!.url, `${site.url}/broken`);
    assert.match(errors[0]!.id!, /^[0-9a-f-]{36}$/);
    assert.ok(Date.parse(errors[0]!.timestamp!) <= Date.now());
    await assert.rejects(client.startBatchScrape(urls, { ignoreInvalidURLs: false }), {
      status: 400,
      message: /urls\[2\]/,
    });
  });

  test('batchScrape waits; the same idempotency key starts one job', async () => {
    const job = await client.batchScrape([`${site.url}/docs/`], { pollInterval: 1, timeout: 30 });
    assert.equal(job.status, 'completed');
    const options = { idempotencyKey: 'once' };
    const first = await client.startBatchScrape([`${site.url}/docs/`], options);
    assert.equal((await client.startBatchScrape([`${site.url}/docs/`], options)).id, first.id);
  });

  test('a long result has pages', async () => {
    const urls = Array.from({ length: 120 }, (_, index) => `${site.url}/docs/?n=${index}`);
    const start = await client.startBatchScrape(urls, { options: { formats: ['rawHtml'] } });
    await eventually(async () => (await client.getBatchScrapeStatus(start.id)).status === 'completed');
    const first = await client.getBatchScrapeStatus(start.id, { autoPaginate: false });
    assert.equal(first.data.length, 100);
    assert.equal(first.next, `${service.base}/v2/batch/scrape/${start.id}?skip=100`);
    const whole = await client.getBatchScrapeStatus(start.id);
    assert.equal(new Set(whole.data.map(({ metadata }) => metadata!.sourceURL)).size, 120);
    const some = await client.getBatchScrapeStatus(start.id, { maxResults: 110 });
    assert.equal(some.data.length, 110);
  });

  test('webhooks in their form', async () => {
    const job = await client.batchScrape([`${site.url}/docs/first`], {
      options: { formats: ['markdown'] },
      webhook: { url: receiver.url, metadata: { mine: 'yes' }, events: ['page', 'completed'] },
      pollInterval: 1,
    });
    await eventually(() => receiver.messages.length === 2);
    const bodies = receiver.messages.map(({ body }) => body as unknown as Record<string, unknown>);
    assert.deepEqual(bodies.map(({ type }) => type).sort(), ['batch_scrape.completed', 'batch_scrape.page']);
    for (const body of bodies) {
      assert.equal(body.id, job.id);
      assert.deepEqual(body.metadata, { mine: 'yes' });
    }
    assert.match(String(receiver.messages[0]!.headers['x-firecrawl-signature']), /^sha256=/);
  });

  for (const kind of ['crawl', 'batch'] as const)
    test(`a watcher of a ${kind} gets each document and the end`, async () => {
      const start =
        kind === 'crawl'
          ? await client.startCrawl(`${site.url}/docs/`, { limit: 4 })
          : await client.startBatchScrape([`${site.url}/docs/`, `${site.url}/docs/first`]);
      const watcher = client.watcher(start.id, { kind, pollInterval: 1, timeout: 30 });
      const documents: string[] = [];
      const ended = new Promise<{ status: string }>((resolve, reject) => {
        watcher.on('document', ({ metadata }) => documents.push(metadata.url));
        watcher.on('done', resolve);
        watcher.on('error', reject);
      });
      await watcher.start();
      assert.equal((await ended).status, 'completed');
      assert.equal(documents.length, kind === 'crawl' ? 4 : 2);
      assert.equal(new Set(documents).size, documents.length);
      watcher.close();
    });

  test('a watcher of a job that is cancelled, that has ended, that is not there', async () => {
    const states = async (id: string) => {
      const socket = new WebSocket(`${service.base.replace('http', 'ws')}/v2/crawl/${id}`, service.key);
      const messages: { type: string; data?: { status?: string } }[] = [];
      socket.onmessage = ({ data }) => messages.push(JSON.parse(data));
      const close = await new Promise<number>((resolve) => {
        socket.onclose = ({ code }) => resolve(code);
      });
      return { close, messages };
    };
    const start = await client.startCrawl(`${site.url}/docs/`, { limit: 10, delay: 30 });
    const watched = states(start.id);
    await eventually(async () => (await client.getCrawlStatus(start.id)).completed === 1);
    await client.cancelCrawl(start.id);
    const { close, messages } = await watched;
    assert.equal(close, 1000);
    assert.equal(messages[0]!.type, 'catchup');
    assert.equal(messages.at(-1)!.data!.status, 'cancelled');
    const late = await states(start.id);
    assert.equal(late.messages[0]!.data!.status, 'cancelled');
    assert.equal((await states('00000000-0000-7000-8000-000000000000')).messages.length, 0);
  });

  test('other upgrades are ignored, other WebSockets refused', async () => {
    const ask = async (path: string, upgrade: string) => {
      const lines = [
        `GET ${path} HTTP/1.1`,
        'Host: sluice',
        'Connection: Upgrade',
        `Upgrade: ${upgrade}`,
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ];
      return (await talk(service.port, [`${lines.join('\r\n')}\r\n\r\n`])).statuses;
    };
    assert.deepEqual(await ask('/api/v1/version/', 'h2c'), [200]);
    assert.deepEqual(await ask('/v2/map', 'websocket'), [404]);
    assert.deepEqual(await ask('/v2/crawl/00000000-0000-7000-8000-000000000000', 'websocket'), [401]);
  });

  test('the service stops while a job is watched', async () => {
    await using own = await startService({ SLUICE_DIALECTS: 'firecrawl' });
    const start = await clientOf(own).startCrawl(`${site.url}/docs/`, { limit: 10, delay: 30 });
    const socket = new WebSocket(`${own.base.replace('http', 'ws')}${new URL(start.url).pathname}`, own.key);
    await new Promise((resolve) => {
      socket.onmessage = resolve;
    });
    const closed = new Promise((resolve) => {
      socket.onclose = resolve;
    });
    await own.stop();
    await closed;
  });

  test('a key that may make one request at a time can do everything', async () => {
    const { body } = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'one', concurrency: 1 },
    });
    const one = clientOf(service, body.key);
    await one.getQueueStatus();
    await one.getActiveCrawls();
    assert.equal((await one.crawl(`${site.url}/docs/`, { limit: 1, pollInterval: 1 })).completed, 1);
  });
});
