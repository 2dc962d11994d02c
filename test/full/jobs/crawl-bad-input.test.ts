import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ended, outcomes, startCrawl } from '../../end-to-end/crawling.ts';
import { siteWith, urlset } from '../../end-to-end/sitemap-site.ts';
import { useService } from '../../helpers/service.ts';

describe('crawls of hostile sites', () => {
  const service = useService();

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

  test('robots.txt of 10 MB, URLs of 100 KB and a page with a million links', async () => {
    const many = Array.from({ length: 1_000_000 }, (_, n) => `<a href="/many/${n}">x</a>`).join('');
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
      request: { scraper_options: { max_content_bytes: 50 * 2 ** 20 } },
    });
    const { job, items } = await ended(service, id, 120_000);
    assert.equal(job.counts.ok, 4);
    assert.equal(job.counts.found, items.length);
    assert.equal(outcomes(items, site.url).skipped['/no'], 'skip.robots');
    // Of one page, 10,000 links are read. The others are only counted, and so is the one that is too long.
    assert.equal(job.unlisted, 1_000_002 - 10_000);
    assert.equal(items.length, 10_001);
  });
});
