import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { startMadeSite } from '../helpers/made-site.ts';
import { eventually, startService, useService } from '../helpers/service.ts';
import { type CrawlItem, crawlJob, ended, HTTP, startCrawl } from './crawling.ts';

const PROMO = 'Subscribe to our letter, and get ten per cent off everything that you order this year.';
const PAGES = 8;

/** A page of a shop: the template repeats a promotion within the text. The first page leads to the second, and so on. */
function shopPage(n: number): string {
  const about = (part: string) =>
    `<p>${part} of article ${n}: it is unlike all others, because nothing else has the number ${n * 37}.</p>`;
  const next = n < PAGES ? `<p><a href="/${n + 1}">next</a></p>` : '';
  return `<!doctype html><title>${n}</title><main><h1>Article ${n}</h1>${about('The begin')}${about('A part')}
<div class="card"><b>Ten per cent</b><p>${PROMO}</p></div>${about('The end')}${about('A note')}${next}</main>`;
}

interface Read {
  readonly markdown: string;
  readonly main: { readonly boilerplate?: { readonly blocks: number; readonly characters: number } };
}

const readOf = (items: readonly CrawlItem[]): Read[] =>
  items.filter(({ state }) => state === 'ok').map(({ scraper_data: data }) => data as unknown as Read);

describe('crawls without what stands on most pages', () => {
  const service = useService();
  const options = (siteBoilerplate: boolean) => ({
    ...HTTP,
    scraper_options: {
      formats: ['markdown'],
      only_main_content: true,
      main_content: { site_boilerplate: siteBoilerplate },
    },
  });
  const crawl = async (url: string, siteBoilerplate: boolean) => {
    const id = await startCrawl(service, {
      url,
      sitemap: 'ignore',
      robots: 'ignore',
      request: options(siteBoilerplate),
    });
    return readOf((await ended(service, id)).items);
  };

  test('a promotion within the text stays on the first three pages only', async () => {
    await using site = await startMadeSite((path) => shopPage(Number(path.slice(1))));
    const read = await crawl(`${site.url}/1`, true);
    assert.deepEqual(
      read.map(({ markdown }) => markdown.includes(PROMO)),
      [true, true, true, false, false, false, false, false],
    );
    for (const [n, { markdown }] of read.entries())
      for (const part of [`Article ${n + 1}`, 'The begin', 'A part', 'The end', 'A note'])
        assert.ok(markdown.includes(part), `${part} of page ${n + 1}:\n${markdown}`);
    assert.deepEqual(read[2]!.main.boilerplate, { blocks: 0, characters: 0 });
    assert.deepEqual(read[3]!.main.boilerplate, {
      blocks: 1,
      characters: 'Ten per cent'.length + PROMO.length,
    });
  });

  test('without the option nothing is left out', async () => {
    await using site = await startMadeSite((path) => shopPage(Number(path.slice(1))));
    const read = await crawl(`${site.url}/1`, false);
    assert.ok(read.length === PAGES && read.every(({ markdown }) => markdown.includes(PROMO)));
    assert.ok(read.every(({ main }) => main.boilerplate === undefined));
  });

  test('a page that consists of what other pages have stays as it is', async () => {
    await using site = await startMadeSite((path) => {
      const n = Number(path.slice(1));
      // The pages are not the same page: each has its own link.
      return n < 5 ? shopPage(n) : `<main><h1>Offer</h1><p>${PROMO}</p></main><a href="/${n + 1}">${n}</a>`;
    });
    const read = await crawl(`${site.url}/1`, true);
    assert.ok(!read[3]!.markdown.includes(PROMO));
    assert.ok(read.length > 5 && read.slice(4).every(({ markdown }) => markdown.includes(PROMO)));
  });

  test('what was seen survives kill -9, and is not counted again', async (t) => {
    let held = true;
    await using site = await startMadeSite((path) => {
      // The process dies while it waits for this page.
      if (path === '/5' && held) return undefined;
      return shopPage(Number(path.slice(1)));
    });
    const dataDir = tempFolder(t);
    let running = await startService({}, { dataDir });
    afterwards(t, () => running.end());
    const id = await startCrawl(running, {
      url: `${site.url}/1`,
      sitemap: 'ignore',
      robots: 'ignore',
      request: options(true),
    });
    await eventually(async () => site.seen.includes('/5') && (await crawlJob(running, id)).counts.ok === 4);
    await running.kill9();
    held = false;
    running = await startService({}, { dataDir });
    const read = readOf((await ended(running, id)).items);
    assert.deepEqual(
      read.map(({ markdown }) => markdown.includes(PROMO)),
      [true, true, true, false, false, false, false, false],
    );
  });

  test('scrapes, batches and monitors refuse it, and say why', async () => {
    const request = { ...options(true), url: 'http://a.test/' };
    for (const [path, body, pointer] of [
      ['scrape/', request, ''],
      ['batches/', { requests: [request] }, '/requests/0'],
      ['monitors/', { name: 'm', schedule: { every_s: 3600 }, request }, '/request'],
    ] as const) {
      const { status, body: problem } = await service.api('POST', `/api/v1/${path}`, { body });
      const [error] = (problem as { errors: { pointer: string; message: string }[] }).errors;
      assert.equal(status, 400, path);
      assert.equal(error!.pointer, `${pointer}/scraper_options/main_content/site_boilerplate`);
      assert.match(error!.message, /is for crawls/);
    }
  });
});
