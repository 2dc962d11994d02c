import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { uuid7Time } from '../../src/base/uuid7.ts';
import { linkPage, startMadeSite } from '../helpers/made-site.ts';
import { useService } from '../helpers/service.ts';
import { crawlJob, ended, HTTP, outcomes, startCrawl } from './crawling.ts';
import { resultsOf } from './job-calls.ts';

describe('crawls', () => {
  const service = useService();

  test('visit what pages lead to, once, and tell why they skip the rest', async () => {
    const pages: Readonly<Record<string, string>> = {
      '/': linkPage('start', [
        '/a',
        '/b?utm_source=x',
        '/a#part',
        '/secret/1',
        'http://other.test/',
        '/old',
        'mailto:x@y.z',
      ]),
      '/a': linkPage('a', ['/', '/deep/1', '/b']),
      '/b': linkPage('b', ['/a'], '<link rel="canonical" href="/b"><link rel="next" href="/b?page=2">'),
      '/b?page=2': linkPage('b 2', []),
      '/deep/1': linkPage('deep 1', ['/deep/2']),
    };
    await using site = await startMadeSite((path, _request, response) => {
      if (path === '/robots.txt') {
        response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /secret/');
        return undefined;
      }
      if (path === '/old') {
        response.writeHead(302, { location: '/a' }).end();
        return undefined;
      }
      return pages[path] ?? null;
    });
    const id = await startCrawl(service, { url: `${site.url}/`, max_depth: 2, sitemap: 'ignore' });
    const { job, items } = await ended(service, id);
    assert.equal(job.state, 'done');
    const { visited, skipped } = outcomes(items, site.url);
    assert.deepEqual(visited, ['/', '/a', '/b', '/b?page=2', '/deep/1']);
    assert.deepEqual(skipped, {
      '/secret/1': 'skip.robots',
      'http://other.test/': 'skip.scope',
      '/old': 'skip.duplicate',
      '/deep/2': 'skip.depth',
    });
    assert.deepEqual(job.counts, { found: 9, queued: 0, running: 0, ok: 5, failed: 0, skipped: 4 });
    // Each page was fetched once, and what is disallowed never.
    const fetched = site.seen.filter((path) => path !== '/robots.txt').sort();
    assert.deepEqual(fetched, ['/', '/a', '/a', '/b', '/b?page=2', '/deep/1', '/old'].sort());
    const start = items.find(({ depth }) => depth === 0)!;
    assert.equal(start.parent, null);
    assert.notEqual(items.find(({ url }) => url.endsWith('/deep/1'))!.scrape, null);
  });

  test('the items of a crawl are a tree of folders; results are read by folder', async () => {
    const pages: Readonly<Record<string, string>> = {
      '/': linkPage('start', ['/docs/', '/docs/a?b=/c/', '/docs/old/b', '/about', 'http://other.test/x']),
      '/docs/': linkPage('docs', []),
      '/docs/a?b=/c/': linkPage('a', []),
      '/docs/old/b': linkPage('b', []),
    };
    await using site = await startMadeSite((path) => pages[path] ?? null);
    const id = await startCrawl(service, { url: `${site.url}/`, sitemap: 'ignore', retries: 0 });
    await ended(service, id);
    const host = `${new URL(site.url).host}/`;
    const list = (query: string) => service.api('GET', `/api/v1/jobs/${id}/folders/${query}`);
    const foldersOf = async (query: string) => {
      const { body } = await list(query);
      const { items, next_cursor: next } = body as {
        items: { folder: string; counts: Record<string, number> }[];
        next_cursor: string | null;
      };
      const counted = items.map(({ folder, counts }) => [folder, counts.found, counts.ok, counts.skipped]);
      return { items: counted, next };
    };
    assert.deepEqual(await foldersOf(''), {
      items: [
        [host, 5, 5, 0],
        ['other.test/', 1, 0, 1],
      ],
      next: null,
    });
    assert.deepEqual(await foldersOf(`?folder=${host}&limit=1`), { items: [[host, 2, 2, 0]], next: host });
    assert.deepEqual(await foldersOf(`?folder=${host}&cursor=${host}`), {
      items: [[`${host}docs/`, 3, 3, 0]],
      next: null,
    });
    assert.deepEqual((await foldersOf(`?folder=${host}docs/`)).items, [
      [`${host}docs/`, 2, 2, 0],
      [`${host}docs/old/`, 1, 1, 0],
    ]);
    assert.deepEqual((await foldersOf('?folder=none.test/')).items, []);
    assert.equal((await list('?folder=none.test/&cursor=a.test/')).status, 400, 'a cursor of another list');
    assert.equal((await list('?folder=none.test')).status, 400);
    const results = await resultsOf(service, id, `?folder=${host}docs/`);
    assert.deepEqual(results.items.map(({ url }) => url.slice(site.url.length)).sort(), [
      '/docs/',
      '/docs/a?b=/c/',
      '/docs/old/b',
    ]);
    assert.equal(results.next_cursor, null);
    const lines = await fetch(
      `${service.base}/api/v1/jobs/${id}/results/?include=none&folder=${host}docs/old/`,
      {
        headers: { authorization: `Api-Key ${service.key}`, accept: 'application/x-ndjson' },
      },
    );
    assert.deepEqual(
      (await lines.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).url),
      [`${site.url}/docs/old/b`],
    );
  });

  test('patterns, parameters, rules and formats of the request', async () => {
    await using site = await startMadeSite((path) =>
      path === '/'
        ? linkPage('start', ['/blog/one', '/blog/two.pdf', '/shop/3', '/blog/one?sort=up', '/blog/raw'])
        : linkPage(path, []),
    );
    const id = await startCrawl(service, {
      url: site.url,
      sitemap: 'ignore',
      include: ['/blog/**'],
      exclude: ['*.pdf', '/[0-9]$/'],
      ignore_query: ['sort'],
      request: { ...HTTP, scraper_options: { formats: ['text'] } },
      rules: [{ match: '/blog/raw', request: { scraper_options: {} } }],
    });
    const { items } = await ended(service, id);
    const { visited, skipped } = outcomes(items, site.url);
    assert.deepEqual(visited, ['/', '/blog/one', '/blog/raw']);
    assert.deepEqual(skipped, { '/blog/two.pdf': 'skip.excluded', '/shop/3': 'skip.excluded' });
    const dataOf = (path: string) => items.find(({ url }) => url === site.url + path)!.scraper_data;
    assert.match(String(dataOf('/blog/one')!.text), /blog/);
    assert.equal(dataOf('/blog/raw')?.text, undefined);
    // Links are read for the crawl, and not returned.
    assert.equal(dataOf('/blog/one')!.links, undefined);
  });

  test('the limit counts visits; what is beyond it is told', async () => {
    await using site = await startMadeSite((path) =>
      linkPage(
        path,
        Array.from({ length: 30 }, (_, n) => `/p${n}${path.slice(1)}`),
      ),
    );
    const id = await startCrawl(service, {
      url: `${site.url}/x`,
      sitemap: 'ignore',
      limit: 4,
      robots: 'ignore',
    });
    const { job, items } = await ended(service, id);
    assert.equal(job.counts.ok, 4);
    assert.equal(site.seen.length, 4);
    assert.equal(items.filter(({ error }) => error?.code === 'skip.limit').length, 1);
    assert.equal(items.length, 5, 'one item says that there are more');
    assert.ok(job.unlisted >= 26, String(job.unlisted));
  });

  test('a start URL that leads out of the scope fails the crawl, and says so', async () => {
    await using other = await startMadeSite(() => linkPage('other', []));
    const elsewhere = other.url.replace('127.0.0.1', 'localhost');
    await using leading = await startMadeSite((_path, _request, response) => {
      response.writeHead(302, { location: `${elsewhere}/` }).end();
      return undefined;
    });
    const id = await startCrawl(service, { url: leading.url, sitemap: 'ignore', robots: 'ignore' });
    const { job } = await ended(service, id);
    assert.equal(job.state, 'failed');
    assert.equal(job.error!.code, 'skip.scope');
  });

  test('a page that redirects to one that the crawl does not visit is no result', async () => {
    const redirects: Readonly<Record<string, string>> = {
      '/to-excluded': '/private/secret',
      '/to-not-included': '/other',
      '/to-forbidden': '/robots-no',
      '/to-loop': '/a/b/a/b/a/b/a/b/a/b',
      '/to-fine': '/pages/fine',
      '/pages/twice': '/to-excluded',
    };
    await using site = await startMadeSite((path, _request, response) => {
      if (path === '/robots.txt') return 'User-agent: *\nDisallow: /robots-no';
      const location = redirects[path];
      if (location !== undefined) {
        response.writeHead(301, { location }).end();
        return undefined;
      }
      return linkPage(path, path === '/' ? Object.keys(redirects) : [`/from${path}`]);
    });
    const id = await startCrawl(service, {
      url: site.url,
      sitemap: 'ignore',
      include: ['/to-*', '/pages/**', '/private/**', '/robots-no', '/a/**'],
      exclude: ['/private/**'],
    });
    const { visited, skipped } = outcomes((await ended(service, id)).items, site.url);
    assert.deepEqual(visited, ['/', '/to-fine']);
    assert.partialDeepStrictEqual(skipped, {
      '/to-excluded': 'skip.excluded',
      '/pages/twice': 'skip.excluded',
      '/to-not-included': 'skip.excluded',
      '/to-forbidden': 'skip.robots',
      '/to-loop': 'skip.trap',
    });
    assert.equal(skipped['/from/private/secret'], undefined, 'its links are not followed');
  });

  test('the first base is that of all links of a page', async () => {
    await using site = await startMadeSite((path) =>
      path === '/' ? '<a href="one">one</a><base href="/docs/"><a href="two">two</a>' : linkPage(path, []),
    );
    const id = await startCrawl(service, { url: site.url, sitemap: 'ignore' });
    const { visited } = outcomes((await ended(service, id)).items, site.url);
    assert.deepEqual(visited, ['/', '/docs/one', '/docs/two']);
  });

  test('the scope of paths follows a start URL that redirects within its site, and says so', async () => {
    const redirects: Readonly<Record<string, string>> = {
      '/help': '/en/help/',
      '/faq': '/',
      '/old': '/help',
    };
    await using site = await startMadeSite((path, _request, response) => {
      const location = redirects[path];
      if (location !== undefined) {
        response.writeHead(302, { location }).end();
        return undefined;
      }
      return linkPage(path, ['/en/help/one', '/en/help/two/', '/help/three', '/en/about', '/']);
    });
    const crawl = async (...paths: string[]) => {
      const urls = paths.map((path) => site.url + path);
      const id = await startCrawl(service, { urls, scope: 'path', sitemap: 'ignore' });
      const { job, items } = await ended(service, id);
      return { job, items, ...outcomes(items, site.url) };
    };
    for (const start of ['/help', '/old']) {
      const { job, items, visited, skipped } = await crawl(start);
      assert.equal(job.state, 'done');
      const inOld = start === '/help' ? ['/help/three'] : [];
      assert.deepEqual(visited, ['/en/help/one', '/en/help/two/', start, ...inOld].sort());
      assert.deepEqual([skipped['/en/about'], skipped['/']], ['skip.scope', 'skip.scope']);
      assert.match(
        items.find(({ url }) => url === `${site.url}/en/help/`)!.error!.message,
        /The scope follows it/,
      );
    }
    const whole = await crawl('/faq');
    assert.deepEqual(
      [whole.job.state, whole.job.error?.code],
      ['failed', 'skip.scope'],
      'not the whole site',
    );
    const { body } = await service.api('POST', '/api/v1/maps/', {
      body: { url: `${site.url}/help`, scope: 'path', sitemap: 'ignore', request: HTTP },
    });
    const mapped = (body as { items: { url: string }[] }).items.map(({ url }) => url.slice(site.url.length));
    assert.deepEqual(mapped.filter((path) => path.startsWith('/en/')).sort(), [
      '/en/help/',
      '/en/help/one',
      '/en/help/two/',
    ]);
  });

  test('other hosts do not get the cookies and secret headers of the request', async () => {
    const heard: Record<string, string | undefined>[] = [];
    await using other = await startMadeSite((path, { headers }) => {
      if (path === '/page')
        heard.push({
          cookie: headers.cookie,
          key: headers['x-api-key'] as string,
          plain: headers['x-plain'] as string,
        });
      return linkPage('other', []);
    });
    const elsewhere = other.url.replace('127.0.0.1', 'localhost');
    await using site = await startMadeSite((path, { headers }) => {
      if (path === '/')
        heard.push({
          cookie: headers.cookie,
          key: headers['x-api-key'] as string,
          plain: headers['x-plain'] as string,
        });
      return path === '/' ? linkPage('start', [`${elsewhere}/page`]) : null;
    });
    const id = await startCrawl(service, {
      url: site.url,
      scope: 'any',
      sitemap: 'ignore',
      request: { ...HTTP, cookies: { a: '1' }, headers: { 'X-Api-Key': 'k', 'X-Plain': 'p' } },
    });
    await ended(service, id);
    assert.deepEqual(heard, [
      { cookie: 'a=1', key: 'k', plain: 'p' },
      { cookie: undefined, key: undefined, plain: 'p' },
    ]);
  });

  test('calendars, repeated segments and one page for all URLs are recognised', async () => {
    await using site = await startMadeSite((path) => {
      if (path === '/') return linkPage('start', ['/calendar/2026-05', '/x/', '/soft/0']);
      const month = /^\/calendar\/(\d+)-(\d+)$/.exec(path);
      if (month !== null) {
        const next = new Date(Date.UTC(Number(month[1]), Number(month[2])));
        return linkPage(`events of ${path}`, [`/calendar/${next.toISOString().slice(0, 7)}`]);
      }
      if (path.startsWith('/x/')) return linkPage(`page ${path.length}`, [`${path}y/x/`]);
      const soft = /^\/soft\/(\d+)$/.exec(path);
      if (soft !== null)
        return `<h1>${path} was not found</h1>${[1, 2, 3].map((n) => `<a href="/soft/${Number(soft[1]) * 3 + n}"></a>`).join('')}`;
      return null;
    });
    const id = await startCrawl(service, {
      url: `${site.url}/`,
      sitemap: 'ignore',
      max_depth: 50,
      per_host: 8,
      limit: 3_000,
    });
    const { job, items } = await ended(service, id, 60_000);
    assert.equal(job.state, 'done');
    const traps = items.filter(({ error }) => error?.code === 'skip.trap');
    const reasons = traps.map(({ error }) => error!.message).join('\n');
    assert.match(reasons, /calendar for the year/);
    assert.match(reasons, /repeats "\/x\/y"|repeats "\/y\/x"/);
    assert.match(reasons, /answers 5 other URLs with the same page/);
    assert.equal(items.filter(({ url, state }) => url.includes('/soft/') && state === 'ok').length, 5);
    assert.ok(job.counts.ok! < 120, JSON.stringify(job.counts));
  });

  test('a site asks for a pause between two requests by Crawl-delay', async () => {
    const times: number[] = [];
    await using site = await startMadeSite((path, _request, response) => {
      if (path === '/robots.txt') {
        response.writeHead(200).end('User-agent: *\nCrawl-delay: 0.7');
        return undefined;
      }
      times.push(performance.now());
      return linkPage(path, path === '/' ? ['/1', '/2'] : []);
    });
    await ended(service, await startCrawl(service, { url: site.url, sitemap: 'ignore', per_host: 4 }));
    assert.equal(times.length, 3);
    for (const [index, time] of times.slice(1).entries())
      assert.ok(time - times[index]! > 600, String(times));
  });

  test('requests that are not valid', async () => {
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{}, ''],
      [{ url: 'http://a.test/', urls: ['http://b.test/'] }, ''],
      [{ url: 'ftp://a.test/' }, '/url'],
      [{ url: 'http://u:p@a.test/' }, '/url'],
      [{ url: 'http://a.test/', request: { url: 'http://b.test/' } }, '/request/url'],
      [{ url: 'http://a.test/', request: { scraper: 'none' } }, '/request/scraper'],
      [{ url: 'http://a.test/', request: { router: { retain: 'none' } } }, '/request/router/retain'],
      [{ url: 'http://a.test/', request: { router: { robots: 'report' } } }, '/request/router/robots'],
      [{ url: 'http://a.test/', include: ['/(?=a)/'] }, '/include/0'],
      [{ url: 'http://a.test/', exclude: ['/{a'] }, '/exclude/0'],
      [
        { url: 'http://a.test/', rules: [{ match: '/a', request: { method: 'NO' } }] },
        '/rules/0/request/method',
      ],
      [{ url: 'http://a.test/', ignore_query: ['/(/'] }, '/ignore_query/0'],
      [{ url: 'http://a.test/', limit: 0 }, '/limit'],
    ];
    for (const [body, pointer] of cases) {
      const refused = await service.api('POST', '/api/v1/crawls/', { body });
      assert.equal(refused.status, 400, JSON.stringify(body));
      const [error] = (refused.body as { errors: { pointer: string }[] }).errors;
      assert.equal(error!.pointer, pointer, JSON.stringify(refused.body));
    }
  });

  test('the limit of a crawl can be changed; lists find it by tag and time', async () => {
    await using site = await startMadeSite((path) => {
      const n = path === '/' ? 0 : Number(path.slice(3));
      return linkPage(`page ${n}`, [`/p/${n + 1}`]);
    });
    const id = await startCrawl(service, {
      url: `${site.url}/`,
      limit: 100,
      delay_ms: 100,
      robots: 'ignore',
      sitemap: 'ignore',
      tags: { shop: 'seven' },
    });
    const patch = (change: object) => service.api('PATCH', `/api/v1/jobs/${id}/`, { body: change });
    assert.equal((await patch({ limit: 0 })).status, 400);
    assert.equal((await patch({ limit: 4, priority: 3 })).status, 200);
    const { job } = await ended(service, id);
    assert.equal(job.counts.ok, 4);
    assert.equal((await patch({ limit: 5 })).status, 409);
    const listed = async (query: string) => {
      const { body } = await service.api('GET', `/api/v1/jobs/?${query}`);
      return (body as { items: { id: string; priority: number }[] }).items;
    };
    assert.partialDeepStrictEqual(await listed('tag=shop:seven&kind=crawl'), [{ id, priority: 3 }]);
    const { created_at: at } = (await service.api<{ created_at: string }>('GET', `/api/v1/jobs/${id}/`)).body;
    assert.equal(Date.parse(at), uuid7Time(id), 'lists find it by the time in its id');
    assert.equal((await listed(`tag=shop:seven&from=${at}`)).length, 1);
    assert.equal((await listed(`tag=shop:seven&to=${at}`)).length, 0);
    assert.equal((await listed('tag=shop:six')).length, 0);
    assert.equal((await service.api('GET', '/api/v1/jobs/?tag=shop')).status, 400);
  });

  test('a crawl is paused, resumed and cancelled like other jobs', async () => {
    await using site = await startMadeSite((path) => linkPage(path, [`${path}a`, `${path}b`]));
    const id = await startCrawl(service, {
      url: `${site.url}/`,
      sitemap: 'ignore',
      delay_ms: 50,
      max_depth: 20,
    });
    const paused = await service.api('POST', `/api/v1/jobs/${id}/pause/`);
    assert.equal(paused.status, 200);
    assert.equal((await service.api('POST', `/api/v1/jobs/${id}/resume/`)).status, 200);
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${id}/`)).status, 204);
    assert.equal((await crawlJob(service, id)).state, 'cancelled');
  });
});
