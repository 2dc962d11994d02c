import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CLIENT_DISCONNECTED, deadlineUnder } from '../../../../src/base/time.ts';
import { failure } from '../../../../src/domain/failure.ts';
import type { CallerCookie } from '../../../../src/domain/task.ts';
import type { Scraper } from '../../../../src/ports/scraper.ts';
import { browserScraper } from '../../../adapters/browser/kit.ts';
import { chromiums } from '../../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../../adapters/browser/target.ts';
import { fetchWith, LATEST_MS, pageOf, textOf } from '../../../contracts/fetch-order.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { type Site, startSite } from '../../../site/site.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const cookie = (name: string, value: string): CallerCookie => ({
  name,
  value,
  domain: null,
  path: null,
  secure: false,
  httpOnly: false,
  sameSite: null,
  expires: null,
});

describe('the browser scraper', { skip }, () => {
  let site: Site;
  let target: Target;
  let scraper: Scraper;
  const cleanups: (() => Promise<void> | void)[] = [];
  before(async () => {
    site = await startSite({ tls: true });
    target = await startTarget({
      '/script': html('<title>a</title><p id=p>old</p><script>p.textContent = "made by script"</script>'),
      '/later': html(
        '<p>now</p><script>setTimeout(() => { const b = document.body.appendChild(document.createElement("b")); b.id = "late"; b.textContent = "late"; }, 150)</script>',
      ),
      '/leads': html('<script>location.href = "/script"</script>'),
      '/pushes': html('<script>history.pushState(null, "", "/pushed?a=1")</script>'),
      '/empty-404': (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end(),
      '/chunked-500': (_, response) => {
        response.writeHead(500, { 'content-type': 'text/html' });
        response.write('');
        response.end();
      },
      '/error-page': html('<h1>gone</h1>', 404),
      '/download': html('raw <b>bytes</b>', 200, { 'content-disposition': 'attachment; filename=a.html' }),
      '/sub': html('<img src="http://10.0.0.1/a.png"><img src="http://10.0.0.1/b.png"><p>page'),
      '/pictures': html('<img src=/a.png><script src=/b.js></script><p>page'),
      '/busy': html('<script>for (let i = 0; i < 3; i++) fetch("/quick?" + i); fetch("/never")</script><p>x'),
      '/quick': html('q'),
      '/never': () => {},
      '/loops': html('<p>loops</p><script>addEventListener("load", () => { for (;;); })</script>'),
      '/keeps': html(
        '<p id=p></p><script>p.textContent = document.cookie + localStorage.a; document.cookie = "left=1"; localStorage.a = 1</script>',
      ),
    });
    scraper = await browserScraper({
      after: (cleanup) => void cleanups.push(cleanup as () => Promise<void>),
    });
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
    await target[Symbol.asyncDispose]();
    await site.close();
  });

  test('a page is returned as its scripts have left it', async () => {
    const fetched = await pageOf(scraper, `${target.url}/script#top`);
    assert.match(textOf(fetched), /made by script/);
    assert.equal(fetched.page.statusCode, 200);
    assert.equal(fetched.page.finalUrl, `${target.url}/script#top`);
    assert.equal(fetched.page.contentTypeOverride, 'text/html; charset=utf-8');
    assert.equal(fetched.remoteIp, '127.0.0.1');
    assert.ok(fetched.timing.ttfb !== null && fetched.timing.load !== null && fetched.bytesIn > 100);
    assert.ok(fetched.requestHeaders!.some(([name]) => name === 'accept-encoding'));
    assert.deepEqual([fetched.page.cut, fetched.page.missingParts, fetched.warnings], [null, [], []]);
  });

  test('header fields of the response are all kept, repeated names in their order', async () => {
    const { page } = await pageOf(
      scraper,
      `${site.url}/with-headers?x-b=1&x-a=2&x-b=3&set-cookie=a%3D1&set-cookie=b%3D2`,
    );
    assert.deepEqual(
      page.headers.filter(([name]) => name.startsWith('x-') || name === 'set-cookie'),
      [
        ['x-b', '1'],
        ['x-b', '3'],
        ['x-a', '2'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    );
    assert.deepEqual(
      page.cookies.map(({ name, value, domain, path, expires }) => [name, value, domain, path, expires]),
      [
        ['a', '1', '127.0.0.1', '/', null],
        ['b', '2', '127.0.0.1', '/', null],
      ],
    );
  });

  test('redirects are followed and listed, or are the result if the job says so', async () => {
    const fetched = await pageOf(scraper, `${site.url}/redirect/3#top`);
    assert.equal(fetched.page.finalUrl, `${site.url}/redirect/0#top`);
    assert.deepEqual(
      fetched.redirects,
      [3, 2, 1].map((n) => ({ url: `${site.url}/redirect/${n}#top`, statusCode: 302 })),
    );
    const notFollowed = await pageOf(scraper, `${site.url}/redirect/1`, { allowRedirects: false });
    assert.deepEqual([notFollowed.page.statusCode, notFollowed.redirects], [302, []]);
    const tooMany = await fetchWith(scraper, `${site.url}/redirect/5`, { options: { maxRedirects: 4 } });
    assert.equal(tooMany.failure?.code, 'redirect.too_many');
    for (const url of ['ftp://a.example/', 'javascript:alert(1)', 'http://[']) {
      const refused = await fetchWith(scraper, `${site.url}/redirect-to?url=${encodeURIComponent(url)}`);
      assert.equal(refused.failure?.code, 'redirect.invalid', url);
    }
  });

  test('the result is the document that is shown at the end', async () => {
    const led = await pageOf(scraper, `${target.url}/leads`, {
      browser: { waitForSelector: 'css=#p' },
    });
    assert.match(textOf(led), /made by script/);
    assert.deepEqual(led.redirects, [{ url: `${target.url}/leads`, statusCode: null }]);
    assert.equal(led.page.finalUrl, `${target.url}/script`);
    const pushed = await pageOf(scraper, `${target.url}/pushes`);
    assert.equal(pushed.page.finalUrl, `${target.url}/pushed?a=1`);
  });

  test('responses without a body, error pages and downloads are results', async () => {
    for (const [url, status, text] of [
      [`${site.url}/status/204`, 204, ''],
      [`${site.url}/bytes/0`, 200, ''],
      [`${target.url}/empty-404`, 404, ''],
      [`${target.url}/chunked-500`, 500, ''],
      [`${target.url}/download`, 200, 'raw <b>bytes</b>'],
      [`${site.url}/text`, 200, 'plain text\n'],
      [`${site.url}/status/404`, 404, 'status 404\n'],
    ] as const) {
      const fetched = await pageOf(scraper, url);
      assert.deepEqual(
        [fetched.page.statusCode, textOf(fetched), fetched.page.cut],
        [status, text, null],
        url,
      );
      // A browser without an error page of its own shows a response without a body as an empty document.
      if (text !== '') assert.equal(fetched.page.contentTypeOverride, undefined, url);
    }
    const shown = await pageOf(scraper, `${target.url}/error-page`);
    assert.equal(shown.page.statusCode, 404);
    assert.match(textOf(shown), /<h1>gone<\/h1>/);
  });

  test('responses that are not HTML are returned as bytes, cut off at the limit', async () => {
    const image = await pageOf(scraper, `${site.url}/image`);
    assert.equal(Buffer.from(image.page.body).subarray(1, 4).toString(), 'PNG');
    const cut = await pageOf(scraper, `${site.url}/bytes/600000`, { options: { maxContentBytes: 400_000 } });
    assert.deepEqual([cut.page.body.length, cut.page.cut?.code], [400_000, 'content.truncated']);
    const page = await pageOf(scraper, `${site.url}/html/4000`, { options: { maxContentBytes: 1_000 } });
    assert.deepEqual([page.page.body.length, page.page.cut?.code], [1_000, 'content.truncated']);
    const broken = await pageOf(scraper, `${site.url}/close-midway`);
    assert.equal(broken.page.cut?.code, 'content.incomplete');
  });

  test('method, headers, body and cookies are sent with the first navigation', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const fetched = await pageOf(scraper, `${site.url}/echo`, {
        method,
        headers: [
          ['X-Twice', 'a'],
          ['X-Twice', 'b'],
          ['Authorization', 'Bearer x'],
        ],
        cookies: [cookie('mine', '1')],
        body: { type: 'raw', bytes: Buffer.from('bödy'), contentType: 'text/plain' },
      });
      /** What the target received. */
      const received = JSON.parse(textOf(fetched));
      const field = (name: string) =>
        received.headers.filter(([one]: string[]) => one!.toLowerCase() === name).map(([, v]: string[]) => v);
      assert.equal(received.method, method);
      assert.equal(Buffer.from(received.body, 'base64').toString(), 'bödy');
      assert.deepEqual(['x-twice', 'authorization', 'cookie', 'content-type'].map(field), [
        ['a, b'],
        ['Bearer x'],
        ['mine=1'],
        ['text/plain'],
      ]);
      assert.deepEqual(fetched.page.cookies, []);
      assert.ok(fetched.requestHeaders!.some(([name, value]) => name === 'cookie' && value === 'mine=1'));
    }
  });

  test('a redirect changes the method as the Fetch standard says, and credentials are not sent to another host', async () => {
    const body = { type: 'raw', bytes: Buffer.from('kept'), contentType: 'text/plain' } as const;
    const otherHost = site.url.replace('127.0.0.1', 'localhost');
    const fetchRedirectedTo = (url: string, status: number) =>
      pageOf(scraper, `${site.url}/redirect-to?url=${encodeURIComponent(url)}&status=${status}`, {
        method: 'POST',
        body,
        headers: [
          ['Authorization', 'Bearer x'],
          ['X-Stays', '1'],
        ],
        cookies: [cookie('mine', '1')],
      });
    const kept = JSON.parse(textOf(await fetchRedirectedTo('/echo', 307)));
    assert.deepEqual([kept.method, Buffer.from(kept.body, 'base64').toString()], ['POST', 'kept']);
    const turned = JSON.parse(textOf(await fetchRedirectedTo(`${otherHost}/echo`, 303)));
    assert.deepEqual([turned.method, turned.body], ['GET', '']);
    const names = turned.headers.map(([name]: string[]) => name!.toLowerCase());
    assert.ok(names.includes('x-stays'));
    for (const name of ['authorization', 'cookie', 'content-type']) assert.ok(!names.includes(name), name);
  });

  test('each kind of failure has its code', async () => {
    const code = async (url: string, change = {}, request = {}) =>
      (await fetchWith(scraper, url, change, request)).failure?.code;
    assert.equal(await code(`${site.url}/close-at-once`), 'connect.reset');
    assert.equal(await code(`http://127.0.0.1:${await freePort()}/`), 'connect.refused');
    assert.equal(await code('http://10.0.0.1/'), 'policy.address');
    assert.equal(await code('https://10.0.0.1/'), 'policy.address');
    assert.equal(await code(`${site.url}/redirect-to?url=http%3A%2F%2F10.0.0.1%2F`), 'policy.address');
    const unverified = await fetchWith(scraper, `${site.httpsUrl}/text`);
    assert.deepEqual([unverified.failure?.code, unverified.sent], ['tls.invalid', false]);
    const unchecked = await pageOf(scraper, `${site.httpsUrl}/text`, { options: { verifyTls: false } });
    assert.equal(textOf(unchecked), 'plain text\n');
    const checkedPaths: string[] = [];
    const allowUrl = Object.assign(
      (url: URL) => {
        checkedPaths.push(url.pathname);
        return url.pathname === '/redirect/0' ? failure('policy.domain', 'no') : null;
      },
      { domains: ['example.com'] },
    );
    assert.equal(await code(`${site.url}/redirect/1`, {}, { allowUrl }), 'policy.domain');
    assert.deepEqual(checkedPaths, ['/redirect/1', '/redirect/0']);
  });

  test('deadlines and the caller end a scrape', async () => {
    const began = performance.now();
    const silent = await fetchWith(scraper, `${site.url}/hang`, { timeoutMs: 1_000 });
    assert.equal(silent.failure?.code, 'timeout.total');
    const loops = await fetchWith(scraper, `${target.url}/loops`, { timeoutMs: 2_000 });
    // Its script is stopped, so that the page can be read.
    assert.ok(
      [loops.failure, ...(loops.page?.missingParts ?? [])].some((one) => one?.code === 'timeout.total'),
    );
    assert.ok(performance.now() - began < 20_000, 'each fetch ends soon after its deadline');
    const caller = new AbortController();
    setTimeout(() => caller.abort(CLIENT_DISCONNECTED), 100);
    using deadline = deadlineUnder(LATEST_MS, caller.signal);
    const cancelled = await fetchWith(scraper, `${site.url}/hang`, {}, { deadline });
    assert.equal(cancelled.failure?.code, 'request.cancelled');
    using whole = deadlineUnder(LATEST_MS, new AbortController().signal);
    using share = deadlineUnder(600, whole.signal);
    const shared = await fetchWith(scraper, `${site.url}/hang`, {}, { deadline: whole, share });
    assert.equal(shared.failure?.code, 'timeout.attempt');
  });

  test('waits are met, or reported as missing parts', async () => {
    const url = `${target.url}/later`;
    for (const selector of ['css=#late', 'xpath=//b', 'text=late']) {
      const met = await pageOf(scraper, url, { browser: { waitForSelector: selector } });
      assert.match(textOf(met), /<b id="late">/, selector);
    }
    const fixed = await pageOf(scraper, url, { browser: { waitForTimeoutMs: 300 } });
    assert.match(textOf(fixed), /<b id="late">/);
    assert.ok(fixed.timing.wait! >= 299);
    const unmet = await pageOf(scraper, url, { timeoutMs: 10_000, browser: { waitForSelector: 'css=#no' } });
    assert.deepEqual(
      unmet.page.missingParts?.map(({ code }) => code),
      ['wait.selector_timeout'],
    );
    const hidden = await pageOf(scraper, url, {
      browser: { waitForSelector: 'css=#no' },
      options: { waitForSelectorState: 'hidden' },
    });
    assert.deepEqual(hidden.page.missingParts, []);
    const idle = await pageOf(scraper, `${target.url}/busy`, {
      browser: { waitForLoadState: 'networkidle' },
    });
    assert.ok(idle.timing.load! >= 2_000, `${idle.timing.load}`);
    assert.deepEqual([idle.warnings, idle.page.missingParts], [[], []]);
  });

  test('blocked sub-resources are not requested', async () => {
    target.asked.length = 0;
    await pageOf(scraper, `${target.url}/pictures`, {
      options: { block: { types: ['image'], urls: ['**/*.js'] } },
    });
    assert.deepEqual(target.asked, ['GET /pictures']);
  });

  test('sub-resources at forbidden addresses are reported in a warning', async () => {
    const { warnings, page } = await pageOf(scraper, `${target.url}/sub`);
    assert.equal(page.statusCode, 200);
    assert.deepEqual(
      warnings.map(({ code, details }) => [code, details?.hosts]),
      [['egress.blocked', [{ host: '10.0.0.1', count: 2 }]]],
    );
  });

  test('cookies and local storage are not kept for the next scrape', async () => {
    for (let n = 0; n < 2; n++) {
      const fetched = await pageOf(scraper, `${target.url}/keeps`);
      assert.match(textOf(fetched), /<p id="p">undefined<\/p>/);
      assert.deepEqual(
        fetched.page.cookies.map(({ name }) => name),
        ['left'],
      );
    }
  });
});
