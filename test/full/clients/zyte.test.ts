import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FIELD_NAMES } from '../../../src/dialects/zyte/translate.ts';
import { type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { ROOT } from '../../helpers/repository.ts';
import { useOwnService } from '../../helpers/service.ts';
import { createUser } from '../../helpers/users.ts';

const PAGE = `<!doctype html><title>Shop</title><h1>Goods</h1><input id="q"><select id="s"><option>a<option>b</select>
<button id="more" onclick="document.querySelector('h1').textContent = document.querySelector('#q').value + document.querySelector('#s').value">More</button>
<script>fetch('/api/data.json'); const x = new XMLHttpRequest(); x.open('GET', '/api/xhr.json'); x.send();
setTimeout(() => { const p = document.createElement('p'); p.id = 'late'; document.body.append(p); }, 50);</script>`;

const CHALLENGE =
  '<!doctype html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>';

interface Seen {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = Record<string, unknown> & {
  readonly httpResponseHeaders: { readonly name: string; readonly value: string }[];
  readonly actions: { readonly action: string; readonly status: string; readonly elapsedTime: number }[];
  readonly networkCapture: Record<string, unknown>[];
  readonly responseCookies: Record<string, unknown>[];
};

const decoded = (base64: unknown) => Buffer.from(base64 as string, 'base64');
const css = (value: string) => ({ type: 'css', value });

describe('Zyte API', () => {
  const requests: Seen[] = [];
  let site: MadeSite;
  before(async () => {
    site = await startMadeSite((path, request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        requests.push({
          method: request.method!,
          headers: request.headers,
          body: Buffer.concat(pieces).toString(),
        });
        answer(path, response);
      });
      return undefined;
    });
  });
  const answer = (path: string, response: ServerResponse) => {
    const send = (status: number, headers: Record<string, string | string[]>, body: string | Buffer) =>
      response.writeHead(status, headers).end(body);
    const html = { 'content-type': 'text/html' };
    if (path === '/shop') return send(200, html, PAGE);
    if (path === '/latin') return send(200, html, Buffer.from('Z\xfcrich', 'latin1'));
    if (path.startsWith('/api/'))
      return send(200, { 'content-type': 'application/json' }, `{"path":"${path}"}`);
    if (path === '/moved') return send(302, { location: '/shop' }, '');
    if (path === '/cookies')
      return send(200, { ...html, 'set-cookie': ['one=1; Path=/; HttpOnly', 'two=2'] }, 'ok');
    if (path === '/challenge')
      return send(403, { ...html, server: 'cloudflare', 'cf-mitigated': 'challenge' }, CHALLENGE);
    if (path === '/limited') return send(429, { ...html, 'retry-after': '1' }, 'slow down');
    return send(404, html, 'nothing');
  };
  after(() => site[Symbol.asyncDispose]());
  const service = useOwnService({ SLUICE_DIALECTS: 'zyte' });

  const post = async (body: unknown, authorization = basic(service.key)) => {
    const response = await fetch(`${service.base}/v1/extract`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization !== '' && { authorization }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Reply };
  };
  const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const extract = async (path: string, members: Record<string, unknown>) => {
    const reply = await post({ url: site.url + path, ...members });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  };

  test('httpResponseBody gives the bytes; echoData and jobId come back', async () => {
    const body = await extract('/latin', { httpResponseBody: true, echoData: { a: [1] }, jobId: '1/2/3' });
    assert.deepEqual(Object.keys(body), ['url', 'statusCode', 'httpResponseBody', 'echoData', 'jobId']);
    assert.deepEqual(decoded(body.httpResponseBody), Buffer.from('Z\xfcrich', 'latin1'));
    assert.deepEqual(
      [body.url, body.statusCode, body.echoData, body.jobId],
      [`${site.url}/latin`, 200, { a: [1] }, '1/2/3'],
    );
    const missing = await extract('/none', { httpResponseBody: true });
    assert.equal(missing.statusCode, 404);
  });

  test('method, body, headers and cookies reach the target', async () => {
    await extract('/shop', {
      httpResponseBody: true,
      httpRequestMethod: 'POST',
      httpRequestText: '{"name":"Ä"}',
      customHttpRequestHeaders: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-A', value: 'first' },
        { name: 'x-a', value: 'last' },
      ],
      requestCookies: [{ name: 'a', value: '1', domain: '127.0.0.1', httpOnly: true, sameSite: 'Lax' }],
    });
    const { method, headers, body } = requests.at(-1)!;
    assert.deepEqual([method, body, headers['content-type']], ['POST', '{"name":"Ä"}', 'application/json']);
    assert.deepEqual([headers['x-a'], headers.cookie], ['last', 'a=1']);
    const bytes = Buffer.from([0, 255, 10]).toString('base64');
    await extract('/shop', { httpResponseBody: true, httpRequestMethod: 'PUT', httpRequestBody: bytes });
    assert.equal(requests.at(-1)!.method, 'PUT');
  });

  test('redirects, headers and cookies of the answer', async () => {
    const followed = await extract('/moved', { httpResponseBody: true });
    assert.deepEqual([followed.url, followed.statusCode], [`${site.url}/shop`, 200]);
    const kept = await extract('/moved', { httpResponseHeaders: true, followRedirect: false });
    assert.equal(kept.statusCode, 302);
    assert.ok(kept.httpResponseHeaders.some(({ name, value }) => name === 'location' && value === '/shop'));
    const { responseCookies, httpResponseHeaders } = await extract('/cookies', {
      httpResponseBody: true,
      httpResponseHeaders: true,
      responseCookies: true,
    });
    assert.deepEqual(
      responseCookies.map(({ name, value, domain, path, httpOnly, secure }) => [
        name,
        value,
        domain,
        path,
        httpOnly,
        secure,
      ]),
      [
        ['one', '1', '127.0.0.1', '/', true, false],
        ['two', '2', '127.0.0.1', '/', false, false],
      ],
    );
    assert.equal(httpResponseHeaders.filter(({ name }) => name === 'set-cookie').length, 2);
  });

  test('browserHtml, actions, screenshot, networkCapture', async () => {
    const body = await extract('/shop', {
      browserHtml: true,
      screenshot: true,
      screenshotOptions: { format: 'png' },
      viewport: { width: 640, height: 480 },
      requestHeaders: { referer: 'https://search.example/' },
      networkCapture: [
        { filterType: 'url', value: '/api/data', matchType: 'contains', httpResponseBody: true },
        { filterType: 'resourceType', resourceType: 'xhr' },
      ],
      actions: [
        { action: 'waitForSelector', selector: { ...css('#late'), state: 'attached' }, timeout: 4 },
        { action: 'type', selector: css('#q'), text: 'apples ' },
        { action: 'select', selector: css('#s'), values: ['b'] },
        { action: 'click', selector: { type: 'xpath', value: "//button[@id='more']" } },
        { action: 'hover', selector: css('#absent'), onError: 'continue' },
        { action: 'evaluate', source: "document.title = 'done'" },
        { action: 'waitForTimeout', timeout: 0.1 },
      ],
    });
    assert.match(body.browserHtml as string, /<title>done<\/title>[\s\S]*<h1>apples b<\/h1>/);
    assert.deepEqual(
      body.actions.map(({ action, status }) => `${action} ${status}`),
      [
        'waitForSelector success',
        'type success',
        'select success',
        'click success',
        'hover continued',
        'evaluate success',
        'waitForTimeout success',
      ],
    );
    assert.ok(body.actions.at(-1)!.elapsedTime >= 0.1);
    const picture = decoded(body.screenshot);
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [640, 480]);
    assert.deepEqual(
      body.networkCapture
        .map(({ url, statusCode, httpResponseBody }) => [
          String(url).replace(site.url, ''),
          statusCode,
          httpResponseBody === undefined ? null : decoded(httpResponseBody).toString(),
        ])
        .toSorted(),
      [
        ['/api/data.json', 200, '{"path":"/api/data.json"}'],
        ['/api/xhr.json', 200, null],
      ],
    );
    assert.ok(requests.some(({ headers }) => headers.referer === 'https://search.example/'));
  });

  test('after an action that fails, the rest is not executed; javascript: false; JPEG by default', async () => {
    const body = await extract('/shop', {
      browserHtml: true,
      actions: [
        { action: 'waitForSelector', selector: css('#absent'), timeout: 0.2 },
        { action: 'click', selector: css('#more') },
      ],
    });
    assert.deepEqual(
      body.actions.map(({ status }) => status),
      ['returned', 'notExecuted'],
    );
    const still = await extract('/shop', { browserHtml: true, javascript: false, screenshot: true });
    assert.doesNotMatch(still.browserHtml as string, /id="late"/);
    assert.equal(decoded(still.screenshot).readUInt16BE(0), 0xffd8);
  });

  test('problems have their shape, type and status', async () => {
    const good = { url: `${site.url}/shop`, httpResponseBody: true };
    for (const [body, status, type, detail] of [
      ['{"url"', 400, '/request/invalid-json', /not JSON/],
      [{ httpResponseBody: true }, 400, '/request/invalid', /`url` is missing/],
      [{ url: 'nothing', httpResponseBody: true }, 400, '/request/invalid', /url/],
      [{ url: good.url }, 400, '/request/invalid', /At least one of/],
      [{ ...good, foo: 1 }, 400, '/request/invalid', /Unrecognized field "foo"/],
      [{ ...good, httpResponseBody: 'yes' }, 400, '/request/invalid', /must be true or false/],
      [
        { ...good, browserHtml: true },
        422,
        '/request/unprocessable',
        /`httpResponseBody` cannot be combined with browser/,
      ],
      [{ ...good, actions: [] }, 422, '/request/unprocessable', /`actions` cannot be combined with HTTP/],
      [
        { url: good.url, browserHtml: true, followRedirect: false },
        422,
        '/request/unprocessable',
        /followRedirect/,
      ],
      [
        { ...good, httpRequestText: 'a', httpRequestBody: 'YQ==' },
        422,
        '/request/unprocessable',
        /exclude each other/,
      ],
      [
        { ...good, product: true },
        400,
        '/request/invalid',
        /`product` is not available: pages are not extracted by type/,
      ],
      [{ ...good, customAttributes: { a: {} } }, 400, '/request/invalid', /not available/],
      [{ ...good, serp: true }, 400, '/request/invalid', /not available/],
      [{ ...good, sessionContext: [] }, 400, '/request/invalid', /not available/],
      [{ ...good, geolocation: 'Utopia' }, 400, '/request/invalid', /`geolocation` must be two letters/],
      [{ ...good, geolocation: 'DE' }, 422, '/request/unprocessable', /countr/i],
      [{ ...good, ipType: 'residential' }, 422, '/request/unprocessable', /residential/],
      [
        { url: good.url, browserHtml: true, actions: [{ action: 'dance' }] },
        400,
        '/request/invalid',
        /no action "dance"/,
      ],
      [
        { url: good.url, browserHtml: true, actions: [{ action: 'searchKeyword', keyword: 'a' }] },
        400,
        '/request/invalid',
        /not available/,
      ],
      [{ ...good, url: 'http://absent.invalid/' }, 421, '/website/domain-unreachable', /absent\.invalid/],
      [
        { url: good.url, browserHtml: true, actions: [{ action: 'click', selector: css('p:::') }] },
        400,
        '/request/invalid',
        /`actions\/0\/selector/,
      ],
      [{ ...good, url: 'http://10.1.2.3/' }, 451, '/download/domain-forbidden', /only public/],
      [{ ...good, url: 'http://127.0.0.1:1/' }, 520, '/download/temporary-error', /refused/],
      [{ ...good, url: `${site.url}/challenge` }, 520, '/download/temporary-error', /./],
    ] as const) {
      const reply = await post(body);
      const shown = `${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`;
      assert.deepEqual([reply.status, reply.body.type, reply.body.status], [status, type, status], shown);
      assert.match(reply.body.detail as string, detail, shown);
      assert.equal(typeof reply.body.title, 'string');
      assert.match(reply.headers.get('content-type')!, /^application\/problem\+json/);
    }
  });

  test('keys: Basic authentication with the key as user name', async () => {
    const good = { url: `${site.url}/shop`, httpResponseBody: true };
    for (const [authorization, type] of [
      ['', '/auth/not-valid'],
      [`Bearer ${service.key}`, '/auth/not-valid'],
      [basic('wrong'), '/auth/key-not-found'],
    ] as const) {
      const { status, headers, body } = await post(good, authorization);
      assert.deepEqual([status, body.type], [401, type]);
      assert.match(headers.get('www-authenticate')!, /^Basic /);
    }
    const large = { ...good, echoData: 'a'.repeat(100_000) };
    assert.equal((await post(large, basic('wrong'))).body.type, '/auth/key-not-found');
    assert.equal((await post(large)).body.echoData, large.echoData);
    const { headers } = await post(good);
    const record = await service.api('GET', `/api/v1/scrape/${headers.get('sluice-scrape-id')}/`);
    assert.equal(record.status, 200);
    assert.doesNotMatch(await service.output(), new RegExp(service.key));
    const found = spawnSync('grep', ['-rlF', service.key, service.dataDir], { encoding: 'utf8' });
    assert.deepEqual([found.stdout, found.stderr], ['', '']);
  });

  test('too many requests at once are 429 with Retry-After', async () => {
    const { key } = await createUser(service, { concurrency: 1 });
    const slow = {
      url: `${site.url}/shop`,
      browserHtml: true,
      actions: [{ action: 'waitForTimeout', timeout: 1 }],
    };
    const replies = await Promise.all([post(slow, basic(key)), post(slow, basic(key))]);
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 429]);
    const refused = replies.find(({ status }) => status === 429)!;
    assert.equal(refused.body.type, '/limits/over-user-limit');
    assert.match(refused.headers.get('retry-after')!, /^\d+$/);
  });

  test('the guide has every member', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/from-zyte.md'), 'utf8');
    assert.deepEqual(
      FIELD_NAMES.filter((name) => !name.endsWith('Options') && !guide.includes(`\`${name}\``)),
      [],
    );
  });
});
