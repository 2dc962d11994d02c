import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { linkPage, startMadeSite } from '../helpers/made-site.ts';
import { type ServiceApi, useService } from '../helpers/service.ts';

interface MapBody {
  readonly items: readonly {
    readonly url: string;
    readonly source: string;
    readonly title: string | null;
    readonly last_modified: string | null;
  }[];
  readonly page: { readonly status: number | null; readonly error: { readonly code: string } | null } | null;
  readonly sitemaps: readonly {
    readonly url: string;
    readonly status: number | null;
    readonly urls: number;
    readonly error: { readonly code: string } | null;
  }[];
  readonly dropped: Readonly<Record<string, number>>;
  readonly truncated: boolean;
}

async function mapOf(service: ServiceApi, body: Readonly<Record<string, unknown>>): Promise<MapBody> {
  const reply = await service.api('POST', '/api/v1/maps/', {
    body: { request: { scraper: 'http' }, ...body },
  });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body as MapBody;
}

describe('maps', () => {
  const service = useService();

  test('sitemaps, the page, feeds and earlier scrapes; what is dropped is counted by reason', async () => {
    let base = '';
    await using site = await startMadeSite((path, _request, response) => {
      const files: Readonly<Record<string, string>> = {
        '/robots.txt': `User-agent: *\nDisallow: /private\nSitemap: ${base}/s.xml\nSitemap: ${base}/missing.xml`,
        '/s.xml': `<urlset><url><loc>${base}/a</loc><lastmod>2024-05-06</lastmod></url><url><loc>${base}/private/x</loc></url>
<url><loc>http://other.test/</loc></url></urlset>`,
      };
      if (files[path] === undefined)
        return path === '/'
          ? linkPage(
              'start',
              ['/a', '/b#x', '/no.pdf'],
              '<link rel="alternate" type="application/rss+xml" href="/feed">',
            )
          : path === '/earlier'
            ? linkPage('earlier', [])
            : null;
      response
        .writeHead(200, { 'content-type': path === '/s.xml' ? 'text/xml' : 'text/plain' })
        .end(files[path]);
      return undefined;
    });
    base = site.url;
    await service.scrape({ url: `${base}/earlier`, scraper: 'http' });
    const before = ((await service.api('GET', '/api/v1/scrape/')).body as { items: unknown[] }).items.length;
    const map = await mapOf(service, { url: `${base}/`, exclude: ['*.pdf'] });
    assert.deepEqual(
      map.items.map(({ url, source }) => [url.slice(base.length), source]),
      [
        ['/a', 'sitemap'],
        ['/', 'page'],
        ['/feed', 'feed'],
        ['/b', 'page'],
        ['/earlier', 'record'],
      ],
    );
    assert.equal(map.items[0]!.title, '/a', 'the title is the text of the link');
    assert.match(map.items[0]!.last_modified!, /^2024-05-06/);
    assert.deepEqual(
      map.sitemaps.map(({ url, status, urls, error }) => [
        url.slice(base.length),
        status,
        urls,
        error?.code ?? null,
      ]),
      [
        ['/s.xml', 200, 3, null],
        ['/missing.xml', 404, 0, 'extract.failed'],
      ],
    );
    const { robots, scope, exclude, duplicate } = map.dropped;
    assert.deepEqual(
      { robots, scope, exclude, duplicate },
      { robots: 1, scope: 1, exclude: 1, duplicate: 1 },
    );
    assert.equal(map.truncated, false);
    const after = ((await service.api('GET', '/api/v1/scrape/')).body as { items: unknown[] }).items.length;
    assert.equal(after, before, 'a map has no record');
  });

  test('search, limit, and a sitemap of 50,000 URLs', async () => {
    let base = '';
    await using site = await startMadeSite((path, _request, response) => {
      if (path !== '/sitemap.xml') return path === '/' ? linkPage('start', ['/words/x']) : null;
      const urls = Array.from(
        { length: 50_000 },
        (_, n) => `<url><loc>${base}/page/${n}/some-title</loc></url>`,
      );
      response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${urls.join('')}</urlset>`);
      return undefined;
    });
    base = site.url;
    const all = await mapOf(service, { url: `${base}/`, limit: 100_000 });
    assert.equal(all.items.length, 50_002);
    const some = await mapOf(service, { url: `${base}/`, limit: 10, sitemap: 'only' });
    assert.deepEqual([some.items.length, some.truncated, some.page], [10, true, null]);
    const found = await mapOf(service, { url: `${base}/`, search: 'PAGE 4999', limit: 100 });
    // 4999, 49990 to 49999, 14999, 24999, 34999 and 44999.
    assert.equal(found.items.length, 15);
    assert.ok(found.dropped.search! > 49_000);
  });

  test('a site that does not answer is told, and no sitemap is searched for elsewhere', async () => {
    const map = await mapOf(service, { url: 'http://127.0.0.1:1/' });
    assert.equal(map.items.length, 0);
    assert.equal(map.page!.error!.code, 'connect.refused');
    assert.equal(map.sitemaps.length, 1);
  });

  test('what was found within `timeout_ms` is returned', async () => {
    await using site = await startMadeSite((path, _request, response) => {
      if (path.startsWith('/sitemap')) {
        response.writeHead(200, { 'content-type': 'text/xml' }).write('<urlset>');
        return undefined;
      }
      return path === '/' ? linkPage('start', ['/a']) : null;
    });
    const map = await mapOf(service, { url: `${site.url}/`, timeout_ms: 2_000 });
    assert.deepEqual(
      map.items.map(({ url }) => url.slice(site.url.length)),
      ['/', '/a'],
    );
    assert.notEqual(map.sitemaps[0]!.error, null);
  });

  test('requests that are not valid', async () => {
    for (const [body, pointer] of [
      [{ url: 'nothing' }, '/url'],
      [{ url: 'http://a.test/', include: ['/(/'] }, '/include/0'],
      [{ url: 'http://a.test/', request: { scraper_options: {} } }, '/request/scraper_options'],
      [{ url: 'http://a.test/', limit: 100_001 }, '/limit'],
    ] as const) {
      const { status, body: answer } = await service.api('POST', '/api/v1/maps/', { body });
      assert.equal(status, 400);
      assert.equal((answer as { errors: { pointer: string }[] }).errors[0]!.pointer, pointer);
    }
  });
});
