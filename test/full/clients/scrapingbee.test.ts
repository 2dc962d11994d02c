import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { ScrapingBeeClient } from 'scrapingbee';
import { type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { eventually, useOwnService } from '../../helpers/service.ts';

/** The part of axios that the test calls. */
interface Axios {
  readonly interceptors: {
    readonly request: { use(change: (config: { url: string }) => { url: string }): unknown };
  };
}

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const PAGE = `<!doctype html><title>Shop</title><h1>Goods</h1>
<ul><li><a href="/a">Apple</a> <b>1.20</b></li><li><a href="/b">Pear</a> <b>2.40</b></li></ul>
<button id="more" onclick="document.body.append('clicked')">More</button><input id="q">
<script>setTimeout(() => { const p = document.createElement('p'); p.id = 'late'; p.textContent = 'from a script'; document.body.append(p); }, 50); fetch('/data.json');</script>`;

const CHALLENGE =
  '<!doctype html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>';

/** Answers of the target, by path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/shop': (response) => send(response, 200, 'text/html', PAGE),
  '/latin': (response) =>
    send(response, 200, 'text/html; charset=iso-8859-1', Buffer.from('<p>Z\xfcrich', 'latin1')),
  '/data.json': (response) => send(response, 200, 'application/json', '{"price":1.2}'),
  '/bytes': (response) => send(response, 200, 'image/x-none', Buffer.from([0, 255, 1, 254])),
  '/challenge': (response) =>
    response
      .writeHead(403, { 'content-type': 'text/html', server: 'cloudflare', 'cf-mitigated': 'challenge' })
      .end(CHALLENGE),
  '/table': (response) =>
    send(
      response,
      200,
      'text/html',
      '<table><tr><th>Name<th>Price<tr><td>Apple<td>1.20<tr><td>Pear<td>2.40</table>',
    ),
  '/never': () => {},
  '/moved': (response) => response.writeHead(302, { location: '/shop' }).end(),
  '/teapot': (response) => send(response, 418, 'text/html', '<p>short and stout'),
  '/broken': (response) => send(response, 503, 'text/html', '<p>broken'),
  '/cookies': (response) => {
    response.setHeader('set-cookie', ['one=1; Path=/', 'two=2; Path=/']);
    send(response, 200, 'text/html', '<p>cookies');
  },
};

const send = (response: ServerResponse, status: number, type: string, body: string | Buffer) =>
  response.writeHead(status, { 'content-type': type }).end(body);

describe('the API of ScrapingBee', () => {
  const requests: Seen[] = [];
  let site: MadeSite;
  before(async () => {
    site = await startMadeSite((path, request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = Buffer.concat(pieces).toString();
        requests.push({ method: request.method!, path, headers: request.headers, body });
        const answer = ANSWERS[path.split('?')[0]!];
        if (answer === undefined) send(response, 404, 'text/html', '<p>nothing here');
        else answer(response);
      });
      return undefined;
    });
  });
  after(() => site[Symbol.asyncDispose]());
  const service = useOwnService({ SLUICE_DIALECTS: 'scrapingbee' });

  /** Calls as the documentation of these systems says: key, URL and parameters in the query. */
  const call = async (
    path: string,
    parameters: Readonly<Record<string, string>> = {},
    init: RequestInit & { readonly keyName?: string } = {},
  ) => {
    const query = new URLSearchParams({
      [init.keyName ?? 'api_key']: service.key,
      url: site.url + path,
      ...parameters,
    });
    const response = await fetch(`${service.base}/api/v1/?${query}`, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
  };
  const plain = { render_js: 'false' };
  const last = () => requests.at(-1)!;

  test('gives the page of a browser, with the headers that clients read', async () => {
    const { status, headers, text } = await call('/shop', { wait_for: '#late' });
    assert.equal(status, 200, text);
    assert.match(text, /from a script/);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(headers.get('spb-content-type'), 'text/html');
    assert.equal(headers.get('spb-initial-status-code'), '200');
    assert.equal(headers.get('spb-resolved-url'), `${site.url}/shop`);
    assert.match(headers.get('sluice-scrape-id')!, /^[0-9a-f-]{36}$/);
    // Pages of others must not run in the origin of the dashboard.
    assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
  });

  test('gives bytes as they are and text as UTF-8, without a browser', async () => {
    assert.deepEqual((await call('/bytes', plain)).bytes, Buffer.from([0, 255, 1, 254]));
    const latin = await call('/latin', plain);
    assert.equal(latin.text, '<p>Zürich');
    assert.equal(latin.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.doesNotMatch((await call('/shop', plain)).text, /from a script<\/p>/);
  });

  test('follows redirects, and says what the first status was', async () => {
    const { headers, text } = await call('/moved', plain);
    assert.match(text, /Goods/);
    assert.equal(headers.get('spb-initial-status-code'), '302');
    assert.equal(headers.get('spb-resolved-url'), `${site.url}/shop`);
  });

  test('statuses: a 404 is passed on, others are 500 unless transparent_status_code', async () => {
    assert.equal((await call('/none', plain)).status, 404);
    const teapot = await call('/teapot', plain);
    assert.equal(teapot.status, 500);
    assert.equal(JSON.parse(teapot.text).reason, 'Server responded with 418');
    const transparent = await call('/teapot', { ...plain, transparent_status_code: 'true' });
    assert.deepEqual([transparent.status, transparent.text], [418, '<p>short and stout']);
    assert.equal((await call('/broken', { ...plain, transparent_status_code: 'true' })).status, 503);
  });

  test('sends bodies, methods, forwarded headers and cookies to the target', async () => {
    const init = {
      method: 'POST',
      body: 'a=1&b=%C3%A4',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'Spb-X-Own': 'yes', 'X-Other': 'no' },
    };
    const { status, text } = await call(
      '/shop',
      { ...plain, forward_headers: 'true', cookies: 'a=1; b=x=y' },
      init,
    );
    assert.equal(status, 200, text);
    const { method, headers, body } = last();
    assert.deepEqual([method, body], ['POST', 'a=1&b=%C3%A4']);
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(
      [headers['x-own'], headers['x-other'], headers.cookie],
      ['yes', undefined, 'a=1; b=x=y'],
    );
    await call('/shop', plain, {
      method: 'PUT',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([last().method, last().body], ['PUT', '{"a":1}']);
  });

  test('runs a scenario, and reports it with json_response', async () => {
    const scenario = {
      instructions: [
        { wait_for: '#late' },
        { fill: ['#q', 'apples'] },
        { wait_for_and_click: '#more' },
        { scroll_y: 100 },
        { evaluate: "document.querySelector('#q').value" },
      ],
    };
    const { status, text } = await call('/shop', {
      js_scenario: JSON.stringify(scenario),
      json_response: 'true',
    });
    assert.equal(status, 200, text);
    const reply = JSON.parse(text);
    assert.equal(reply.type, 'html');
    assert.match(reply.body, /clicked/);
    assert.equal(reply.evaluate_results.at(-1), 'apples');
    assert.deepEqual([reply.js_scenario_report.task_success, reply.js_scenario_report.task_failure], [5, 0]);
    assert.equal(reply['initial-status-code'], 200);
    assert.equal(reply['resolved-url'], `${site.url}/shop`);
    assert.equal(reply.headers['content-type'], 'text/html');
    assert.deepEqual(
      reply.xhr.map(({ url, status_code, body }: Record<string, unknown>) => [url, status_code, body]),
      [[`${site.url}/data.json`, 200, '{"price":1.2}']],
    );
  });

  test('a scenario that fails is an error, unless it is not strict', async () => {
    const failing = (strict: boolean) =>
      call('/shop', {
        js_scenario: JSON.stringify({ instructions: [{ click: '#absent' }, { click: '#more' }], strict }),
      });
    const strict = await failing(true);
    assert.equal(strict.status, 500, strict.text);
    assert.equal(JSON.parse(strict.text).reason, 'action.failed');
    const lenient = await failing(false);
    assert.equal(lenient.status, 200, lenient.text);
    assert.match(lenient.text, /clicked/);
  });

  test('extracts, and gives source, Markdown, screenshots and cookies', async () => {
    const rules = {
      title: 'h1',
      goods: { selector: 'li', type: 'list', output: { name: 'a', url: { selector: 'a', output: '@href' } } },
    };
    const extracted = await call('/shop', { ...plain, extract_rules: JSON.stringify(rules) });
    assert.equal(extracted.headers.get('content-type'), 'application/json');
    assert.deepEqual(JSON.parse(extracted.text), {
      title: 'Goods',
      goods: [
        { name: 'Apple', url: `${site.url}/a` },
        { name: 'Pear', url: `${site.url}/b` },
      ],
    });
    const table = (output: string) => ({ selector: 'table', output });
    const tables = { json: table('table_json'), rows: table('table_array') };
    const tabular = await call('/table', { ...plain, extract_rules: JSON.stringify(tables) });
    assert.deepEqual(JSON.parse(tabular.text), {
      json: [
        { Name: 'Apple', Price: '1.20' },
        { Name: 'Pear', Price: '2.40' },
      ],
      rows: [
        ['Apple', '1.20'],
        ['Pear', '2.40'],
      ],
    });
    assert.equal((await call('/shop', { return_page_source: 'true', wait_for: '#late' })).text, PAGE);
    assert.match((await call('/shop', { ...plain, return_page_markdown: 'true' })).text, /^# Goods/m);
    const picture = await call('/shop', { screenshot: 'true', window_width: '400', window_height: '300' });
    assert.equal(picture.headers.get('content-type'), 'image/png');
    assert.deepEqual([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)], [400, 300]);
    const { text } = await call('/cookies', { ...plain, json_response: 'true' });
    assert.deepEqual(
      JSON.parse(text).cookies.map(({ name, value }: Record<string, string>) => `${name}=${value}`),
      ['one=1', 'two=2'],
    );
  });

  test('ScraperAPI: no browser by default, keep_headers, its own names', async () => {
    const { status, text } = await call(
      '/shop',
      { render: 'false', keep_headers: 'true', follow_redirect: 'false', output_format: 'markdown' },
      { headers: { 'X-Mine': 'kept', 'User-Agent': 'mine/1' } },
    );
    assert.equal(status, 200, text);
    assert.match(text, /^# Goods/m);
    assert.deepEqual([last().headers['x-mine'], last().headers['user-agent']], ['kept', 'mine/1']);
    const cookie = await call('/shop', { keep_headers: 'true' }, { headers: { cookie: 'session=secret' } });
    assert.equal(cookie.status, 400, cookie.text);
    assert.match(JSON.parse(cookie.text).message, /`Cookie` is not sent on/);
  });

  test('ScrapingAnt: x-api-key, browser by default, seconds, Ant- headers', async () => {
    const { status, text } = await call(
      '/shop',
      {
        timeout: '30',
        wait_for_selector: '#late',
        js_snippet: Buffer.from("document.title = 'set'").toString('base64'),
      },
      { keyName: 'x-api-key', headers: { 'Ant-X-Mine': 'kept' } },
    );
    assert.equal(status, 200, text);
    assert.match(text, /<title>set<\/title>/);
    assert.ok(
      requests.some(({ headers }) => headers['x-mine'] === 'kept' && headers['ant-x-mine'] === undefined),
    );
  });

  test('Scrape.do: token, no browser by default, customHeaders, setCookies', async () => {
    const { status, text } = await call(
      '/moved',
      { disableRedirection: 'true', transparentResponse: 'true', customHeaders: 'true', setCookies: 'a=1' },
      { keyName: 'token', headers: { 'X-Mine': 'kept' }, redirect: 'manual' },
    );
    assert.equal(status, 302, text);
    assert.deepEqual([last().headers['x-mine'], last().headers.cookie], ['kept', 'a=1']);
    const played = await call(
      '/shop',
      { render: 'true', playWithBrowser: JSON.stringify([{ Action: 'Click', Selector: '#more' }]) },
      { keyName: 'token' },
    );
    assert.match(played.text, /clicked/);
  });

  test('refuses in their shape, and names the parameter', async () => {
    const refused = async (parameters: Readonly<Record<string, string>>, path = '/shop') => {
      const { status, text } = await call(path, parameters);
      const { message, errors } = JSON.parse(text);
      return [status, Object.keys(errors?.query ?? {})[0], message] as const;
    };
    for (const [parameters, name, message] of [
      [{ rendr: 'true' }, 'rendr', /not known here/],
      [{ render_js: 'maybe' }, 'render_js', /must be true or false/],
      [{ ...plain, wait: '100' }, 'wait', /needs a browser/],
      [{ wait: '90000' }, 'wait', /60000|60,000/],
      [{ timeout: '1' }, 'timeout', /^`timeout` must be/],
      [{ block_ads: 'true' }, 'block_ads', /not available/],
      [{ custom_google: 'true' }, 'custom_google', /not available/],
      [{ scraping_config: 'mine' }, 'scraping_config', /not available/],
      [{ ai_query: 'what' }, 'ai_query', /not available/],
      [{ premium_proxy: 'true', ...plain }, 'premium_proxy', /residential/],
      [{ country_code: 'de', ...plain }, 'country_code', /countr/i],
      [{ js_scenario: '{"instructions":[{"dance":1}]}' }, 'js_scenario', /none of click/],
      [
        { extract_rules: '{"a":{"selector":"p","output":"text_relevant"}}' },
        'extract_rules',
        /not available/,
      ],
      [{ wait_for: 'p:::' }, 'wait_for', /./],
    ] as const) {
      const [status, parameter, text] = await refused(parameters);
      assert.deepEqual([status, parameter], [400, name], text);
      assert.match(text, message);
    }
    const response = await fetch(
      `${service.base}/api/v1/?api_key=wrong&url=${encodeURIComponent(site.url)}&render_js=false`,
    );
    assert.equal(response.status, 401);
    assert.match(((await response.json()) as { message: string }).message, /^Invalid api key/);
  });

  test("ScrapingBee's own client works unchanged", async () => {
    // It has no setting for the URL of the API, so that the library that it calls is told where to go.
    const requireOfClient = createRequire(createRequire(import.meta.url).resolve('scrapingbee'));
    const axios = (requireOfClient('axios') as { default: Axios }).default;
    axios.interceptors.request.use((config) => ({
      ...config,
      url: config.url.replace('https://app.scrapingbee.com', service.base),
    }));
    const client = new ScrapingBeeClient(service.key);
    const get = async (config: Parameters<typeof client.htmlApi>[0]) => {
      const { data, headers, status } = await client.htmlApi(config);
      return { status, headers, text: Buffer.from(data as ArrayBuffer).toString() };
    };
    const url = `${site.url}/shop`;
    const page = await get({ url, params: { wait_for: '#late', wait_browser: 'load', session_id: 5 } });
    assert.match(page.text, /from a script/);
    assert.equal(page.headers['spb-resolved-url'], url);
    const sent = await get({
      ...{ method: 'POST', url, data: 'a=1', headers: { 'X-Own': 'yes' }, cookies: { a: 1, b: 2 } },
      params: { render_js: false, extract_rules: { title: 'h1' }, json_response: true },
    });
    assert.deepEqual(JSON.parse(sent.text).body, { title: 'Goods' });
    const { method, body, headers } = last();
    assert.deepEqual([method, body, headers['x-own'], headers.cookie], ['POST', 'a=1', 'yes', 'a=1; b=2']);
    assert.equal(headers.authorization, undefined);
    await assert.rejects(get({ url, params: { block_ads: true } }), /400/);
  });

  test('large bodies: with a valid key they are sent on, up to a limit', async () => {
    const url = encodeURIComponent(`${site.url}/shop`);
    const post = async (key: string, bytes: number) => {
      const response = await fetch(`${service.base}/api/v1/?api_key=${key}&url=${url}&render_js=false`, {
        method: 'POST',
        body: Buffer.alloc(bytes, 'a'),
      });
      return [response.status, await response.text()] as const;
    };
    assert.deepEqual((await post(service.key, 3_000_000))[0], 200);
    assert.equal(last().body.length, 3_000_000);
    assert.deepEqual(await post('wrong', 3_000_000), [401, '{"message":"Invalid api key."}']);
    const [status, text] = await post(service.key, 3_600_000);
    assert.equal(status, 413);
    assert.match((JSON.parse(text) as { message: string }).message, /3500000 bytes/);
  });

  test('a caller that hangs up ends the scrape, which is no error of the service', async () => {
    const query = new URLSearchParams({ api_key: service.key, url: `${site.url}/never`, render_js: 'false' });
    const hangUp = new AbortController();
    const answer = fetch(`${service.base}/api/v1/?${query}`, { signal: hangUp.signal });
    await eventually(() => requests.some(({ path }) => path === '/never'));
    hangUp.abort();
    await assert.rejects(answer);
    const cancelled = await eventually(async () =>
      (await service.log()).find(({ path, error_code: code }) => path === '/never' && code !== null),
    );
    assert.equal(cancelled.error_code, 'request.cancelled');
    assert.ok((await service.log()).every(({ msg }) => msg !== 'internal error'));
  });

  test('blocked pages are 500, unless transparent_status_code', async () => {
    const blocked = await call('/challenge', plain);
    assert.equal(blocked.status, 500, blocked.text);
    const transparent = await call('/challenge', { ...plain, transparent_status_code: 'true' });
    assert.deepEqual([transparent.status, transparent.text], [403, CHALLENGE]);
  });

  test('only with both key and URL in the query; else there is nothing', async () => {
    for (const query of ['', `?api_key=${service.key}`, `?url=${encodeURIComponent(site.url)}`]) {
      const response = await fetch(`${service.base}/api/v1/${query}`, {
        headers: { 'x-api-key': service.key },
      });
      assert.equal(response.status, 404);
      const problem = (await response.json()) as { code: string };
      assert.equal(problem.code, 'request.not_found');
    }
  });

  test('import/ gives the scrape request that does the same', async () => {
    const query = new URLSearchParams({
      api_key: 'k',
      url: `${site.url}/shop`,
      render_js: 'false',
      cookies: 'a=1',
      extract_rules: '{"title":"h1"}',
      json_response: 'true',
    });
    const url = `https://app.scrapingbee.com/api/v1/?${query}`;
    const imported = await service.api('POST', '/api/v1/import/', { body: { scrapingbee: url } });
    assert.equal(imported.status, 200, JSON.stringify(imported.body));
    const { request, ignored } = imported.body as { request: object; ignored: string[] };
    assert.deepEqual(ignored, ['json_response=true']);
    const { body } = await service.scrape(request);
    assert.deepEqual(body.scraper_data.extract, { title: 'Goods' });
    assert.equal(last().headers.cookie, 'a=1');
    const printed = await service.cli(['import', url]);
    assert.deepEqual(JSON.parse(printed.stdout), request, printed.stderr);
    const refused = await service.api('POST', '/api/v1/import/', { body: { scrapingbee: 'url=u&wait=x' } });
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused.body), /\/scrapingbee.*`wait`/);
    const unknown = await service.cli(['import', 'https://api.scrape.do/?token=secret&url=u&dance=1']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /`dance`/);
    assert.doesNotMatch(unknown.stderr, /secret/);
  });

  test('the key in the query is nowhere in the log or in the data folder', async () => {
    const { headers } = await call('/shop', { ...plain, tag: 'mine' });
    await call('/shop', { nothing: 'true' });
    const record = await service.api('GET', `/api/v1/scrape/${headers.get('sluice-scrape-id')}/`);
    assert.equal(record.status, 200);
    assert.doesNotMatch(await service.output(), new RegExp(service.key));
    const found = spawnSync('grep', ['-rlF', service.key, service.dataDir], { encoding: 'utf8' });
    assert.deepEqual([found.stdout, found.stderr], ['', '']);
  });
});
