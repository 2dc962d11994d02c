import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { type Firecrawl, SdkError } from 'firecrawl';
import type { MadeSite } from '../../helpers/made-site.ts';
import { useOwnService } from '../../helpers/service.ts';
import { clientOf, startDocsSite } from './firecrawl-site.ts';

describe('the client of Firecrawl scrapes', () => {
  const service = useOwnService({ SLUICE_DIALECTS: 'firecrawl' });
  let site: MadeSite;
  let client: Firecrawl;
  before(async () => {
    site = await startDocsSite();
    client = clientOf(service);
  });
  after(() => site[Symbol.asyncDispose]());

  /** The zod that the client converts. */
  const { z } = createRequire(import.meta.resolve('firecrawl'))('zod');

  const refusal = async (work: Promise<unknown>): Promise<SdkError> => {
    const error = await work.then(
      () => assert.fail('was not refused'),
      (error: unknown) => error,
    );
    assert.ok(error instanceof SdkError, String(error));
    return error;
  };

  test('only a URL: Markdown of the main content, and metadata', async () => {
    const { markdown, metadata, ...others } = await client.scrape(`${site.url}/docs/`);
    assert.match(markdown!, /^# \/docs\//);
    assert.doesNotMatch(markdown!, /Imprint/);
    assert.deepEqual(others, {});
    assert.equal(metadata?.title, 'About /docs/');
    assert.equal(metadata?.description, 'All of /docs/');
    assert.equal(metadata?.ogTitle, 'Open /docs/');
    assert.equal(metadata?.language, 'en');
    assert.equal(metadata?.sourceURL, `${site.url}/docs/`);
    assert.equal(metadata?.url, `${site.url}/docs/`);
    assert.equal(metadata?.statusCode, 200);
    assert.match(metadata?.contentType ?? '', /^text\/html/);
    assert.equal(metadata?.proxyUsed, 'basic');
    assert.equal(metadata?.creditsUsed, 1);
    const record = await service.api('GET', `/api/v1/scrape/${metadata?.scrapeId}/`);
    assert.equal(record.status, 200);
  });

  test('`profile` is a profile of ours: its cookies are sent to its sites', async () => {
    const cookies = [{ name: 'sid', value: 'first-secret-value', domain: 'shop.sluice.test', path: '/' }];
    const body = { name: 'shop', storage_state: { cookies, origins: [] } };
    assert.equal((await service.api('POST', '/api/v1/profiles/', { body })).status, 201);
    const scrape = (target: string, profile: { name: string; saveChanges?: boolean }) =>
      client.scrape(`http://${target}`, { formats: ['rawHtml'], profile });
    const kept = async () =>
      (await service.api<{ cookies: number }>('GET', '/api/v1/profiles/shop/')).body.cookies;
    const { rawHtml } = await scrape('shop.sluice.test/echo', { name: 'shop' });
    assert.match(rawHtml!, /sid=first-secret-value/);
    await scrape('shop.sluice.test/cookies', { name: 'shop', saveChanges: false });
    assert.equal(await kept(), 1);
    await scrape('shop.sluice.test/cookies', { name: 'shop' });
    assert.equal(await kept(), 3);
    assert.match(
      (await refusal(scrape('shop.sluice.test/echo', { name: 'other' }))).message,
      /no profile named/,
    );
    assert.match((await refusal(scrape('example.com/', { name: 'shop' }))).message, /is for sluice\.test/);
  });

  test('version 1: `parsePDF` is what is done anyway', async () => {
    const ask = async (parsePDF: unknown) => {
      const response = await fetch(`${service.base}/v1/scrape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${site.url}/docs/`, parsePDF }),
      });
      return [response.status, ((await response.json()) as { error?: string }).error ?? ''] as const;
    };
    assert.deepEqual(await ask(true), [200, '']);
    assert.deepEqual(await ask(undefined), [200, '']);
    const [status, error] = await ask(false);
    assert.equal(status, 400);
    assert.match(error, /documents are always read/);
  });

  test('each format has its member', async () => {
    const document = await client.scrape(`${site.url}/docs/`, {
      formats: ['markdown', 'html', 'rawHtml', 'links', 'images'],
    });
    assert.match(document.html!, /<h1>\/docs\/<\/h1>/);
    assert.doesNotMatch(document.html!, /Imprint|unseen/);
    assert.match(document.rawHtml!, /Imprint/);
    assert.match(document.rawHtml!, /unseen/);
    assert.ok(document.links!.includes(`${site.url}/docs/first`), String(document.links));
    assert.deepEqual(document.images, [`${site.url}/logo.png`]);
    const whole = await client.scrape(`${site.url}/docs/`, {
      onlyMainContent: false,
      formats: ['markdown', 'html'],
    });
    assert.match(whole.markdown!, /Imprint/);
    assert.match(whole.html!, /Imprint/);
  });

  test('links and images are those of the page without its frame', async () => {
    const ask = async (options: object) => {
      const { links, images } = await client.scrape(`${site.url}/home`, {
        formats: ['links', 'images', 'markdown'],
        ...options,
      });
      return [links!, images!].map((urls) => urls.map((url) => url.slice(site.url.length)));
    };
    assert.deepEqual(await ask({}), [
      ['/docs/', '/other/'],
      ['/docs.png', '/other.png'],
    ]);
    const without = await ask({ excludeTags: ['.card:first-child'] });
    assert.deepEqual(without, [['/other/'], ['/other.png']]);
    assert.deepEqual(await ask({ includeTags: ['footer'] }), [['/imprint'], []]);
    const [links] = await ask({ onlyMainContent: false });
    assert.deepEqual(links, ['/', '/nav', '/docs/', '/other/', '/ad', '/imprint']);
  });

  test('includeTags and excludeTags choose the content', async () => {
    const { markdown } = await client.scrape(`${site.url}/docs/`, {
      includeTags: ['main'],
      excludeTags: ['article', 'h1'],
    });
    assert.match(markdown!, /The page about/);
    assert.doesNotMatch(markdown!, /article of|^# /m);
  });

  test('with `onlyMainContent: false`, only what excludeTags matches is left out; `*text*` matches names', async () => {
    const whole = { onlyMainContent: false, formats: ['markdown' as const] };
    const without = async (...excludeTags: string[]) =>
      (await client.scrape(`${site.url}/docs/`, { ...whole, excludeTags })).markdown!;
    assert.match(await without('h1'), /Docs[\s\S]*The page about[\s\S]*Imprint/);
    assert.doesNotMatch(await without('h1'), /^# /m);
    assert.doesNotMatch(await without('*foot*'), /Imprint/);
    assert.doesNotMatch(await without('*MEN*'), /\[Docs\]/);
    assert.match(await without('*ads*'), /Imprint/);
    const bad = await refusal(client.scrape(`${site.url}/docs/`, { includeTags: ['*ads*'] }));
    assert.match(bad.message, /beginning of a compound selector/);
  });

  test('what the service does not have is left out and told, where the rest can be done', async () => {
    const url = `${site.url}/docs/`;
    const schema = { type: 'object', properties: { price: { type: 'number' } } };
    const { json, warning } = await client.scrape(url, {
      formats: [{ type: 'json', prompt: 'What does it cost?', schema }],
    });
    assert.equal((json as { price: number }).price, 5);
    assert.match(warning!, /prompt was not used, because this service has no language model/);
    const located = await client.scrape(url, { location: { country: 'US', languages: ['en'] } });
    assert.match(located.warning!, /location\.country US was not used, because this service has no proxies/);
    const { data } = await client.batchScrape([url], {
      options: { location: { country: 'US' }, formats: [{ type: 'json', prompt: 'What?', schema }] },
    });
    assert.equal((data[0]!.json as { price: number }).price, 5);
    assert.match(data[0]!.warning!, /language model[\s\S]*no proxies/);
    const alone = await refusal(client.scrape(url, { formats: [{ type: 'json', prompt: 'What?' }] }));
    assert.match(alone.message, /model/);
  });

  test('json by a schema, also one of zod, and attributes', async () => {
    const { json } = await client.scrape(`${site.url}/docs/`, {
      formats: [{ type: 'json', schema: z.object({ price: z.number(), title: z.string() }) }],
    });
    assert.equal((json as { price: number }).price, 5);
    const { attributes } = await client.scrape(`${site.url}/docs/`, {
      formats: [{ type: 'attributes', selectors: [{ selector: 'img', attribute: 'alt' }] }],
    });
    assert.deepEqual(attributes, [{ selector: 'img', attribute: 'alt', values: ['logo'] }]);
  });

  test('changeTracking: new, the same, changed with its diff', async () => {
    const track = async (url: string) =>
      (
        await client.scrape(url, {
          formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'], tag: 'a' }],
        })
      ).changeTracking as { changeStatus: string; previousScrapeAt: string | null; diff?: { text: string } };
    const stays = `${site.url}/docs/first`;
    assert.equal((await track(stays)).changeStatus, 'new');
    assert.equal((await track(stays)).changeStatus, 'same');
    const changes = `${site.url}/changing`;
    assert.equal((await track(changes)).previousScrapeAt, null);
    const second = await track(changes);
    assert.equal(second.changeStatus, 'changed');
    assert.match(second.diff!.text, /^-# change 1$/m);
    assert.ok(Date.parse(second.previousScrapeAt!) <= Date.now());
  });

  test('headers and languages are sent', async () => {
    const { rawHtml } = await client.scrape(`${site.url}/headers`, {
      formats: ['rawHtml'],
      headers: { 'X-Asked': 'yes' },
      location: { languages: ['de', 'en'] },
    });
    assert.match(rawHtml!, /"x-asked":"yes"/);
    assert.match(rawHtml!, /"accept-language":"de, en"/);
  });

  test('in a browser: screenshot, actions and their results', async () => {
    const document = await client.scrape(`${site.url}/docs/`, {
      formats: [
        'markdown',
        { type: 'screenshot', fullPage: true, quality: 60, viewport: { width: 800, height: 600 } },
      ],
      mobile: false,
      waitFor: 50,
      blockAds: true,
      timeout: 50_000,
      actions: [
        { type: 'click', selector: '#more' },
        { type: 'wait', selector: '#done' },
        { type: 'wait', milliseconds: 50 },
        { type: 'scroll', direction: 'down' },
        { type: 'executeJavascript', script: 'document.querySelectorAll("#done").length' },
        { type: 'scrape' },
        { type: 'screenshot', fullPage: true },
        { type: 'pdf', format: 'A4' },
      ],
    });
    assert.match(document.markdown!, /Clicked/);
    const picture = await fetch(document.screenshot!);
    assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    const actions = document.actions as {
      screenshots: string[];
      scrapes: { url: string; html: string }[];
      javascriptReturns: object[];
      pdfs: string[];
    };
    assert.deepEqual(actions.javascriptReturns, [{ type: 'number', value: 1 }]);
    assert.match(actions.scrapes[0]!.html, /id="done"/);
    assert.equal((await fetch(actions.screenshots[0]!)).status, 200);
    assert.equal((await fetch(actions.pdfs[0]!)).headers.get('content-type'), 'application/pdf');
  });

  test('pages that are not there are documents, sites that are not there are errors', async () => {
    const document = await client.scrape(`${site.url}/nothing`);
    assert.equal(document.metadata?.statusCode, 404);
    const error = await refusal(client.scrape('http://nothing.invalid/'));
    assert.equal(error.status, 500);
    assert.equal(error.code, 'SCRAPE_DNS_RESOLUTION_ERROR');
    assert.match(error.message, /nothing\.invalid/);
  });

  test('refusals have the form of Firecrawl', async () => {
    await assert.rejects(client.scrape('  '), /URL cannot be empty/);
    const bad = await refusal(client.scrape('http://'));
    assert.deepEqual([bad.status, bad.code], [400, 'BAD_REQUEST']);
    const unknown = await refusal(client.scrape(site.url, { formats: ['markdwon' as 'markdown'] }));
    assert.match(unknown.message, /no format "markdwon"/);
    const key = await refusal(clientOf(service, 'slc_live_wrong').scrape(site.url));
    assert.deepEqual([key.status, key.code], [401, 'auth.invalid']);
    const none = await fetch(`${service.base}/v2/scrape`, { method: 'POST' });
    assert.equal(none.status, 401);
    assert.equal(((await none.json()) as { success: boolean }).success, false);
    const json = await fetch(`${service.base}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: '{',
    });
    assert.equal(json.status, 400);
    assert.equal(((await json.json()) as { success: boolean }).success, false);
  });

  test('a large body of an unknown key is refused before it is read', async () => {
    const caller = request(`${service.base}/v2/scrape`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer slc_live_wrong',
        'content-type': 'application/json',
        'content-length': 3_000_000,
      },
    });
    caller.write('{');
    const [response] = (await once(caller, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 401);
    caller.destroy();
  });

  test('map', async () => {
    const { links } = await client.map(`${site.url}/docs/`);
    const urls = links.map(({ url }) => url);
    assert.ok(urls.includes(`${site.url}/docs/first`));
    assert.equal(urls.filter((url) => url.includes('/docs/second')).length, 1, 'without queries');
    const all = await client.map(`${site.url}/docs/`, { ignoreQueryParameters: false });
    assert.equal(all.links.filter(({ url }) => url.includes('/docs/second')).length, 2);
    for (const sitemap of ['only', 'skip', 'include'] as const) {
      const found = await client.map(`${site.url}/docs/`, {
        search: 'first',
        includeSubdomains: true,
        limit: 1,
        sitemap,
        timeout: 15_000,
      });
      assert.deepEqual(
        found.links.map(({ url }) => url),
        [`${site.url}/docs/first`],
        sitemap,
      );
    }
  });

  test('map with words: the likest come first, none is lost', async () => {
    const links = async (search?: string) =>
      (await client.map(`${site.url}/docs/`, search === undefined ? {} : { search })).links.map(
        ({ url }) => url,
      );
    const all = await links();
    const found = await links('the SECOND page');
    assert.match(found[0]!, /\/docs\/second/);
    assert.deepEqual(found.toSorted(), all.toSorted());
    const best = await client.map(`${site.url}/docs/`, { search: 'other', limit: 1 });
    assert.match(best.links[0]!.url, /\/other\//);
  });

  test('usage and limits', async () => {
    const { remainingCredits } = await client.getCreditUsage();
    assert.ok(remainingCredits > 0);
    assert.equal(typeof (await client.getTokenUsage()).remainingTokens, 'number');
    assert.deepEqual(await client.getConcurrency(), { concurrency: 0, maxConcurrency: 50 });
    const queue = await client.getQueueStatus();
    assert.equal(queue.jobsInQueue, 0);
    assert.equal(queue.maxConcurrency, 50);
  });
});
