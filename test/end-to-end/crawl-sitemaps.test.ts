import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { linkPage } from '../helpers/made-site.ts';
import { useService } from '../helpers/service.ts';
import { ended, outcomes, startCrawl } from './crawling.ts';
import { sitemapIndex, siteWith, urlset } from './sitemap-site.ts';

describe('sitemaps of crawls', () => {
  const service = useService();

  test('index, gzip, text and feeds, those that robots.txt names; loops end', async () => {
    await using site = await siteWith((base) => ({
      '/robots.txt': `User-agent: *\nDisallow: /no\nSitemap: ${base}/index.xml\nSitemap: /list.txt\nSitemap: /rss.xml`,
      '/index.xml': sitemapIndex([
        `${base}/one.xml`,
        `${base}/two.xml.gz`,
        `${base}/index.xml`,
        `${base}/again.xml`,
      ]),
      '/again.xml': sitemapIndex([`${base}/index.xml`, `${base}/again.xml`]),
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
      '/sitemap_index.xml': sitemapIndex([`${base}/s.xml`]),
      '/s.xml': urlset([`${base}/listed`]),
      '/': linkPage('start', ['/linked']),
    }));
    const { items } = await ended(
      service,
      await startCrawl(service, { url: `${site.url}/`, sitemap: 'only' }),
    );
    assert.deepEqual(outcomes(items, site.url).visited, ['/', '/listed']);
  });
});
