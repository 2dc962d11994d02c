import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { linkPage, startMadeSite } from '../helpers/made-site.ts';
import { useService } from '../helpers/service.ts';
import { ended, outcomes, startCrawl } from './crawling.ts';

const urlset = (urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('')}</urlset>`;

const index = (urls: readonly string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

/** A site with these files; everything else is a page without links. */
async function siteWith(files: (base: string) => Readonly<Record<string, string | Buffer>>) {
  let base = '';
  const site = await startMadeSite((path, _request, response) => {
    const file = files(base)[path];
    if (file === undefined) return /^\/(?:robots|sitemap|wp-)/.test(path) ? null : linkPage(path, []);
    const types = { gz: 'application/gzip', txt: 'text/plain', xml: 'text/xml' };
    const type = types[path.split('.').at(-1) as 'gz'] ?? 'text/html';
    response.writeHead(200, { 'content-type': type }).end(file);
    return undefined;
  });
  base = site.url;
  return site;
}

describe('sitemaps of crawls', () => {
  const service = useService();

  test('index, gzip, text and feeds, those that robots.txt names; loops end', async () => {
    await using site = await siteWith((base) => ({
      '/robots.txt': `User-agent: *\nDisallow: /no\nSitemap: ${base}/index.xml\nSitemap: /list.txt\nSitemap: /rss.xml`,
      '/index.xml': index([
        `${base}/one.xml`,
        `${base}/two.xml.gz`,
        `${base}/index.xml`,
        `${base}/again.xml`,
      ]),
      '/again.xml': index([`${base}/index.xml`, `${base}/again.xml`]),
      '/one.xml': urlset([`${base}/from-one`, `${base}/no`, 'http://other.test/x', 'ftp://a.test/']),
      '/two.xml.gz': gzipSync(urlset([`${base}/from-two`, `${base}/from-one`])),
      '/list.txt': `${base}/from-list\n\n${base}/from-list#again\n`,
      '/rss.xml': `<rss><channel><link>${base}/channel</link><item><title>t</title><link>${base}/from-rss</link></item></channel></rss>`,
    }));
    const { job, items } = await ended(service, await startCrawl(service, { url: `${site.url}/` }));
    assert.equal(job.state, 'done');
    const { visited, skipped } = outcomes(items, site.url);
    assert.deepEqual(visited, ['/', '/from-list', '/from-one', '/from-rss', '/from-two']);
    assert.deepEqual(skipped, { '/no': 'skip.robots', 'http://other.test/x': 'skip.scope' });
    for (const path of ['/index.xml', '/again.xml', '/one.xml', '/robots.txt'])
      assert.equal(site.seen.filter((seen) => seen === path).length, 1, path);
  });

  test('the usual places are searched if robots.txt names none; `only` follows no links', async () => {
    await using site = await siteWith((base) => ({
      '/sitemap_index.xml': index([`${base}/s.xml`]),
      '/s.xml': urlset([`${base}/listed`]),
      '/': linkPage('start', ['/linked']),
    }));
    const { items } = await ended(
      service,
      await startCrawl(service, { url: `${site.url}/`, sitemap: 'only' }),
    );
    assert.deepEqual(outcomes(items, site.url).visited, ['/', '/listed']);
  });

  test('what is too long, a bomb or no sitemap is told, and the crawl goes on', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 2 ** 20, ' '));
    const long = Buffer.alloc(60 * 2 ** 20, '<url><loc>http://127.0.0.1/a</loc></url>\n');
    await using site = await siteWith((base) => ({
      '/robots.txt': ['bomb.xml.gz', 'long.xml', 'page.html', 'good.xml', 'gone.xml']
        .map((name) => `Sitemap: ${base}/${name}`)
        .join('\n'),
      '/bomb.xml.gz': bomb,
      '/long.xml': long,
      '/page.html': '<!doctype html><p>no sitemap',
      '/good.xml': urlset([`${base}/listed`]),
    }));
    const id = await startCrawl(service, { url: `${site.url}/`, sitemap: 'only' });
    const { items } = await ended(service, id, 60_000);
    const { visited, skipped } = outcomes(items, site.url);
    assert.deepEqual(visited, ['/', '/listed']);
    assert.deepEqual(skipped, {
      '/bomb.xml.gz': 'extract.failed',
      '/long.xml': 'content.truncated',
      '/page.html': 'extract.failed',
      // The made site answers other paths with pages.
      '/gone.xml': 'extract.failed',
    });
  });

  test('robots.txt of 10 MB, URLs of 100 KB and a page with very many links', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => `<a href="/many/${n}">x</a>`).join('');
    const rules = Buffer.concat([
      Buffer.from('User-agent: *\nDisallow: /no\n'),
      Buffer.alloc(10 * 2 ** 20, '# x\n'),
    ]);
    await using site = await siteWith(() => ({
      '/robots.txt': rules,
      '/': `<a href="/${'x'.repeat(100_000)}">long</a><a href="/no">no</a>${many}`,
    }));
    const id = await startCrawl(service, {
      url: `${site.url}/`,
      sitemap: 'ignore',
      limit: 5,
      max_urls_per_pattern: 3,
    });
    const { job, items } = await ended(service, id, 60_000);
    assert.equal(job.counts.ok, 4);
    assert.equal(job.counts.found, items.length);
    assert.equal(outcomes(items, site.url).skipped['/no'], 'skip.robots');
    // Of one page, 10,000 links are read. The others are only counted, and so is the one that is too long.
    assert.equal(job.unlisted, 30_002 - 10_000);
    assert.equal(items.length, 10_001);
  });
});
