import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Firecrawl, FirecrawlAppV1 } from 'firecrawl';
import { useChatServer } from '../../end-to-end/chat-server.ts';
import type { MadeSite } from '../../helpers/made-site.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { clientOf, startDocsSite } from './firecrawl-site.ts';

const TITLE = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };

describe('the client of Firecrawl where there are a model and exits', () => {
  const chat = useChatServer();
  const stack = new AsyncDisposableStack();
  let service: Service;
  let site: MadeSite;
  let proxy: ProxyServer;
  let client: Firecrawl;
  before(async () => {
    site = stack.use(await startDocsSite());
    proxy = stack.use(await startProxy());
    const folder = mkdtempSync(join(tmpdir(), 'sluice-firecrawl-'));
    stack.defer(() => rmSync(folder, { recursive: true }));
    const pool = { countries: ['US'], proxies: [{ url: `http://127.0.0.1:${proxy.port}`, country: 'US' }] };
    const pools = (['datacenter', 'residential'] as const).map((type) => ({ name: type, type, ...pool }));
    writeFileSync(join(folder, 'proxies.json'), JSON.stringify({ pools }));
    service = stack.use(
      await startService({
        SLUICE_DIALECTS: 'firecrawl',
        SLUICE_LLM_URL: chat.url,
        SLUICE_LLM_MODEL: 'tiny',
        SLUICE_PROXIES: join(folder, 'proxies.json'),
      }),
    );
    client = clientOf(service);
  });
  after(() => stack.disposeAsync());

  test('a scrape with all options', async () => {
    chat.answers(() => JSON.stringify({ value: { topic: 'article of /docs/' }, quotes: {} }));
    const document = await client.scrape(`${site.url}/docs/`, {
      formats: [
        ...(['markdown', 'html', 'rawHtml', 'links'] as const),
        { type: 'screenshot', fullPage: true, quality: 80, viewport: { width: 1280, height: 800 } },
        { type: 'json', prompt: 'What is the page about?', schema: TITLE },
      ],
      parsers: ['pdf'],
      headers: { 'User-Agent': 'firecrawl-tests' },
      includeTags: ['article'],
      excludeTags: ['nav'],
      onlyMainContent: true,
      waitFor: 100,
      timeout: 50_000,
      location: { country: 'us', languages: ['en'] },
      mobile: false,
      skipTlsVerification: false,
      removeBase64Images: true,
      blockAds: true,
      proxy: 'auto',
      storeInCache: true,
      maxAge: 60_000,
    });
    assert.match(document.markdown!, /the article of/);
    assert.deepEqual(document.json, { topic: 'article of /docs/' });
    assert.ok(document.screenshot!.startsWith('http'));
    assert.equal(document.metadata!.proxyUsed, 'basic');
    const stealth = await client.scrape(`${site.url}/docs/`, { proxy: 'stealth' });
    assert.equal(stealth.metadata!.proxyUsed, 'stealth');
  });

  test('jobs with a prompt', async () => {
    chat.answers(() => JSON.stringify({ value: { topic: 'article' }, quotes: {} }));
    const job = await client.batchScrape([`${site.url}/docs/`], {
      options: { formats: [{ type: 'json', prompt: 'What is it about?', schema: TITLE }] },
      pollInterval: 1,
    });
    assert.deepEqual(job.data[0]!.json, { topic: 'article' });
  });

  test('extract merges the values of several pages', async () => {
    chat.answers(() => null);
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, price: { type: 'number' } },
      required: ['price'],
    };
    const urls = [`${site.url}/docs/`, `${site.url}/docs/first`, 'http://'];
    const result = await client.extract({ urls, schema, showSources: true, pollInterval: 1 });
    assert.equal(result.status, 'completed');
    assert.equal((result.data as { price: number }).price, 5);
    assert.ok(Object.keys(result.sources!).includes('price'));
    chat.answers(() => JSON.stringify({ value: { topic: 'article' }, quotes: {} }));
    const started = await client.startExtract({
      urls: [`${site.url}/docs/`],
      prompt: 'The topic',
      schema: TITLE,
    });
    const asked = await eventually(async () => {
      const status = await client.getExtractStatus(started.id!);
      return status.status === 'processing' ? null : status;
    });
    assert.deepEqual(asked.data, { topic: 'article' });
    await assert.rejects(client.getExtractStatus('00000000-0000-7000-8000-000000000000'), { status: 404 });
    await assert.rejects(client.startExtract({ urls: [`${site.url}/*`], schema }), {
      status: 400,
      message: /patterns/,
    });
    await assert.rejects(client.startExtract({ urls, schema, enableWebSearch: true }), {
      status: 400,
      message: /no search/,
    });
  });

  test('what is left of the budget of a key', async () => {
    const { body } = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'small', daily_budget: { amount: 3, unit: 'scrapes' } },
    });
    const limited = clientOf(service, body.key);
    await limited.scrape(`${site.url}/docs/`);
    const usage = await limited.getCreditUsage();
    assert.deepEqual([usage.remainingCredits, usage.planCredits], [2, 3]);
    assert.ok(Date.parse(usage.billingPeriodEnd!) > Date.now());
  });

  test('version 1, as loaders call it', async () => {
    const old = new FirecrawlAppV1({ apiKey: service.key, apiUrl: service.base });
    const page = await old.scrapeUrl(`${site.url}/docs/`, { formats: ['markdown', 'links'] });
    assert.ok(page.success);
    assert.match(page.markdown!, /^# \/docs\//);
    assert.equal(page.metadata!.statusCode, 200);
    const crawl = await old.crawlUrl(
      `${site.url}/docs/`,
      { limit: 2, maxDepth: 1, scrapeOptions: { formats: ['html'] } },
      1,
    );
    assert.ok(crawl.success);
    assert.equal(crawl.data.length, 2);
    assert.match(crawl.data[0]!.html!, /<h1>/);
    const map = await old.mapUrl(`${site.url}/docs/`, { limit: 100 });
    assert.ok(map.success);
    assert.ok(map.links!.includes(`${site.url}/docs/second?page=1`));
    const json = await old.scrapeUrl(`${site.url}/docs/`, {
      formats: ['json'],
      jsonOptions: { schema: { type: 'object', properties: { price: { type: 'number' } } } as never },
    });
    assert.ok(json.success);
    assert.deepEqual(json.json, { price: 5 });
  });
});
