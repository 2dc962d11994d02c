import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FetchedPage } from '../../../src/domain/fetch-result.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { fetchWith, type JobChange, pageOf, textOf } from '../../contracts/fetch-order.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type Site, startSite } from '../../site/site.ts';
import { browserScraper } from './kit.ts';
import { chromiums } from './stage.ts';
import { html, startTarget, type Target } from './target.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const moved = (location: string, status = 302) => html('moved', status, { location });
const says = (words: string) => html(`<p>${words}</p>`);
/** What the page does once it has loaded. */
const does = (script: string) =>
  html(`<p>before</p><script>addEventListener("load", () => { ${script} })</script>`);
/** A form that submits itself. */
const submits = (method: 'get' | 'post', action: string) =>
  does(
    `const f = document.createElement("form"); f.method = "${method}"; f.action = "${action}"; f.innerHTML = "<input name=a value=b>"; document.body.append(f); f.submit()`,
  );
/** Ways to an address that may not be reached. */
const TO_PRIVATE = [
  ['/private-by-script', does('location.href = "http://10.0.0.1/"')],
  ['/private-replaced', does('location.replace("http://10.0.0.1:8080/a?b#c")')],
  ['/private-by-refresh', html('<meta http-equiv=refresh content="0; url=http://10.0.0.1/"><p>before</p>')],
  ['/private-by-header', html('<p>before</p>', 200, { refresh: '0; url=http://10.0.0.1/' })],
  [
    '/private-by-link',
    html('<a id=a href="http://10.0.0.1/">a</a><script>onload = () => a.click()</script>'),
  ],
  ['/private-by-form', submits('post', 'http://10.0.0.1/')],
  ['/private-by-tls', submits('post', 'https://10.0.0.1/')],
  ['/private-by-get', submits('get', 'http://10.0.0.1/')],
  ['/private-redirected', submits('post', '/to-private-307')],
  ['/private-turned', submits('post', '/to-private-302')],
] as const;
const hops = ({ redirects }: FetchedPage, target: Target) =>
  redirects.map(({ url, statusCode }) => [url.replace(target.url, ''), statusCode]);

describe('where a browser is led', { skip }, () => {
  let site: Site;
  let target: Target;
  let nobody: number;
  let scraper: Scraper;
  const ends: (() => unknown)[] = [];
  before(async () => {
    nobody = await freePort();
    site = await startSite();
    target = await startTarget({
      '/end': says('the end'),
      '/json': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      '/file': html('a file', 200, { 'content-disposition': 'attachment' }),
      '/nothing': (_, response) => void response.writeHead(204).end(),
      '/to-end': moved('/end'),
      '/by-script': html('<p>before</p><script>location.href = "/to-end"</script>'),
      '/when-loaded': does('location.href = "/end"'),
      '/a-turn-later': does('setTimeout(() => { location.href = "/end" }, 0)'),
      '/by-refresh': html('<meta http-equiv=refresh content="0; url=/end"><p>before</p>'),
      '/much-later': html('<meta http-equiv=refresh content="30; url=/end"><p>before</p>'),
      '/by-form': does(
        'const f = document.createElement("form"); f.method = "post"; f.action = "/end"; document.body.append(f); f.submit()',
      ),
      '/reloads': does('if (!/again/.test(location.search)) location.search = "again"'),
      '/for-ever': does('setTimeout(() => location.reload(), 0)'),
      '/to-json': does('location.href = "/json"'),
      '/to-file': does('location.href = "/file"'),
      '/to-nothing': does('location.href = "/nothing"'),
      '/to-mail': does('location.href = "mailto:a@b.example"'),
      '/to-nobody': does(`location.href = "http://127.0.0.1:${nobody}/"`),
      ...Object.fromEntries(TO_PRIVATE),
      '/to-private-302': moved('http://10.0.0.1/'),
      '/to-private-307': moved('http://10.0.0.1/', 307),
      '/frame-private': html('<p>outer</p><iframe src="http://10.0.0.1/"></iframe>'),
      '/to-blob': does(
        'location.href = URL.createObjectURL(new Blob(["<p>made here</p>"], {type: "text/html"}))',
      ),
      '/pushes': does('history.pushState(null, "", "/pushed?a=1#b")'),
      '/opens': html('<p>first</p><script>open("/end"); open("/end", "_blank", "noopener")</script>'),
      '/asks': html(
        '<p id=p>x</p><script>alert(1); p.textContent = [confirm(2), prompt(3)].join(); onbeforeunload = () => "stay"</script>',
      ),
      '/frames': html('<p>outer</p><iframe src="/to-end"></iframe><iframe srcdoc="<p>inner"></iframe>'),
      '/worker': html(
        '<p id=p>before</p><script>navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).then(() => { location.href = "/from-worker" })</script>',
      ),
      '/sw.js': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(
            'addEventListener("install", () => skipWaiting()); addEventListener("activate", (e) => e.waitUntil(clients.claim())); addEventListener("fetch", (e) => { if (/from-worker/.test(e.request.url)) e.respondWith(new Response("<p>by the worker", { status: 203, headers: { "content-type": "text/html", "x-own": "1" } })) })',
          ),
    });
    scraper = await browserScraper({ after: (end) => void ends.push(end as () => unknown) });
  });
  after(async () => {
    for (const end of ends) await end();
    await target[Symbol.asyncDispose]();
    await site.close();
  });
  const visit = (path: string, change: JobChange = {}) =>
    pageOf(scraper, `${target.url}${path}`, { timeoutMs: 30_000, ...change });

  test('fifty redirects are followed, one more is too many', async () => {
    const most = { timeoutMs: 60_000, options: { maxRedirects: 50 } };
    const fetched = await pageOf(scraper, `${site.url}/redirect/50#top`, most);
    assert.equal(fetched.page.finalUrl, `${site.url}/redirect/0#top`);
    assert.deepEqual(
      fetched.redirects.map(({ url }) => url),
      Array.from({ length: 50 }, (_, n) => `${site.url}/redirect/${50 - n}#top`),
    );
    site.log.length = 0;
    const over = await fetchWith(scraper, `${site.url}/redirect/51`, most);
    assert.equal(over.failure?.code, 'redirect.too_many');
    assert.deepEqual([over.redirects.length, site.log.length], [51, 51]);
  });

  test('what goes along does so over all of them', async () => {
    site.log.length = 0;
    const body = { type: 'raw', bytes: Buffer.from('kept'), contentType: 'text/plain' } as const;
    const headers = [
      ['Authorization', 'Bearer x'],
      ['X-Stays', '1'],
    ] as const;
    const change = {
      method: 'POST',
      body,
      headers,
      timeoutMs: 60_000,
      options: { maxRedirects: 50 },
    } as const;
    await pageOf(scraper, `${site.url}/redirect/45?status=307`, change);
    assert.equal(site.log.length, 46);
    for (const { method, body: came, headers } of site.log) {
      const field = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
      assert.deepEqual([method, came.toString(), field('x-stays')], ['POST', 'kept', '1']);
      assert.deepEqual([field('authorization'), field('content-type')], ['Bearer x', 'text/plain']);
    }
    site.log.length = 0;
    const turned = await pageOf(scraper, `${site.url}/redirect/30?status=303`, change);
    assert.deepEqual(
      [turned.page.method, new Set(site.log.slice(1).map(({ method }) => method))],
      ['GET', new Set(['GET'])],
    );
    assert.ok(
      site.log
        .slice(1)
        .every(({ headers }) => headers.every(([name]) => name.toLowerCase() !== 'content-type')),
    );
  });

  test('credentials that were left behind stay there, also on the way back', async () => {
    site.log.length = 0;
    const other = site.url.replace('127.0.0.1', 'localhost');
    const back = `${other}/redirect-to?url=${encodeURIComponent(`${site.url}/headers`)}`;
    const headers = [['Authorization', 'Bearer x']] as const;
    await pageOf(scraper, `${site.url}/redirect-to?url=${encodeURIComponent(back)}`, { headers });
    const sent = site.log.map(({ headers }) =>
      headers.some(([name]) => name.toLowerCase() === 'authorization'),
    );
    assert.deepEqual(sent, [true, false, false]);
  });

  test('the document shown at the end decides, and how it came to be is told', async () => {
    for (const [path, led] of [
      [
        '/by-script',
        [
          ['/by-script', null],
          ['/to-end', 302],
        ],
      ],
      ['/when-loaded', [['/when-loaded', null]]],
      ['/by-refresh', [['/by-refresh', null]]],
      ['/by-form', [['/by-form', null]]],
    ] as const) {
      const fetched = await visit(path);
      assert.match(textOf(fetched), /the end/, path);
      assert.deepEqual(hops(fetched, target), led, path);
      assert.equal(fetched.page.finalUrl, `${target.url}/end`);
      assert.deepEqual(fetched.page.missingParts, []);
    }
    const later = await visit('/a-turn-later', { browser: { waitForTimeoutMs: 300 } });
    assert.match(textOf(later), /the end/);
    assert.equal((await visit('/by-form')).page.method, 'POST');
    assert.equal((await visit('/reloads')).page.finalUrl, `${target.url}/reloads?again`);
    const raw = await visit('/to-json');
    assert.deepEqual(
      [textOf(raw), raw.page.contentTypeOverride, hops(raw, target)],
      ['{"a":1}', undefined, [['/to-json', null]]],
    );
    const pushed = await visit('/pushes');
    assert.deepEqual([pushed.page.finalUrl, pushed.redirects], [`${target.url}/pushed?a=1#b`, []]);
    const blob = await visit('/to-blob', { browser: { waitForTimeoutMs: 300 } });
    assert.deepEqual([/made here/.test(textOf(blob)), blob.page.finalUrl], [true, `${target.url}/to-blob`]);
    const worker = await visit('/worker', {
      browser: { waitForSelector: 'text=by the worker' },
    });
    assert.deepEqual(
      [worker.page.statusCode, worker.page.finalUrl, worker.page.headers.some(([name]) => name === 'x-own')],
      [203, `${target.url}/from-worker`, true],
    );
  });

  test('what does not replace the page changes nothing', async () => {
    for (const path of ['/to-file', '/to-nothing', '/to-mail', '/much-later']) {
      const fetched = await visit(path);
      assert.match(textOf(fetched), /before/, path);
      assert.deepEqual([fetched.page.statusCode, fetched.page.finalUrl], [200, `${target.url}${path}`]);
      assert.deepEqual(
        [fetched.redirects, fetched.page.cut, fetched.page.missingParts],
        [[], null, []],
        path,
      );
      assert.ok(fetched.requestHeaders !== null);
    }
    const opened = await visit('/opens');
    assert.deepEqual([/first/.test(textOf(opened)), opened.page.finalUrl], [true, `${target.url}/opens`]);
    const asked = await visit('/asks');
    assert.match(textOf(asked), /<p id="p">false,<\/p>/);
    const framed = await visit('/frames');
    assert.deepEqual([/outer/.test(textOf(framed)), framed.redirects], [true, []]);
  });

  test('a page that leads nowhere gives none', async () => {
    const code = async (path: string): Promise<[string | undefined, string[]]> => {
      const fetched = await fetchWith(scraper, `${target.url}${path}`);
      return [fetched.failure?.code, fetched.redirects.map(({ url }) => url.replace(target.url, ''))];
    };
    assert.deepEqual(await code('/to-nobody'), ['connect.refused', ['/to-nobody']]);
    for (const [path] of TO_PRIVATE) {
      const [told, [first]] = await code(path);
      assert.deepEqual([told, first], ['policy.address', path], path);
    }
    const framed = await visit('/frame-private');
    assert.match(textOf(framed), /outer/);
    assert.deepEqual(
      framed.warnings.map(({ code }) => code),
      ['egress.blocked'],
    );
  });

  test('a page that reloads for ever is read in time', async () => {
    // Time enough to start a browser on a busy machine. It would be a timeout if the page were waited for to the end.
    const fetched = await visit('/for-ever', { timeoutMs: 20_000 });
    assert.match(textOf(fetched), /before/);
  });
});
