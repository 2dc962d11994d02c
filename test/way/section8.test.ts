import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiOptions } from '../helpers/client.ts';
import { rawHttp } from '../helpers/raw-http.ts';
import { eventually, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { KeyObject, Problem, RecordList } from '../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';

/** Every row of "What is answered" in its order: each request here has later faults too, and the earlier one answers. */
describe('contract §8: what is refused, in this order', () => {
  const service = useService();
  const site = useSite();

  const newKey = async (members: Record<string, unknown>) => {
    const { status, body } = await service.api<KeyObject>('POST', '/api/v1/keys/', {
      body: { name: 'section 8', ...members },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return { id: body.id, key: body.key! };
  };
  const count = async () => (await service.api<RecordList>('GET', `${SCRAPE}?limit=200`)).body.items.length;

  /** Refused before the line: a problem with everything a problem has, no id, no record. */
  async function refused(
    method: string,
    path: string,
    status: number,
    code: string,
    options: ApiOptions = {},
  ) {
    const reply = await service.api<Problem>(method, path, options);
    assert.equal(reply.status, status, `${code}: ${reply.text}`);
    assert.equal(reply.body.code, code, reply.text);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(reply.body.type, `${service.base}/api/v1/errors/#${code}`);
    assert.equal(reply.body.status, status);
    assert.equal(reply.body.request_id, reply.headers.get('x-request-id'));
    assert.ok(reply.body.title.length > 0 && reply.body.detail.length > 0);
    assert.equal(reply.body.errors[0]?.code, code);
    assert.equal(reply.body.errors[0]?.message, reply.body.detail);
    assert.equal(reply.body.errors[0]?.level, 'error');
    assert.equal(reply.body.retryable, reply.body.errors[0]?.retryable);
    assert.equal(reply.headers.get('x-scrape-id'), null, 'not a scrape yet');
    assert.ok(!('id' in reply.body) && !('router' in reply.body));
    return reply;
  }

  const badBody: ApiOptions = { raw: '{', headers: { 'content-type': 'text/plain' } };
  const post = (body: unknown, options: ApiOptions = {}): ApiOptions => ({ body, ...options });

  test('404 comes before the key', async () => {
    for (const path of ['/api/v1/nothing/', '/api/v1/scrapes', '/api/v2/scrape/', '/api/v1/scrape/x/y/z/'])
      await refused('POST', path, 404, 'request.not_found', { key: null, ...badBody });
  });

  test('405 comes before the key, with Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { headers } = await refused(method, SCRAPE, 405, 'request.method', { key: null, ...badBody });
      const allowed = (headers.get('allow') ?? '').split(/, */);
      assert.ok(allowed.includes('GET') && allowed.includes('POST'), `Allow: ${allowed}`);
      assert.ok(!allowed.includes(method));
    }
    const { headers } = await refused('POST', '/api/v1/scrapers/', 405, 'request.method', { key: null });
    assert.match(headers.get('allow') ?? '', /GET/);
  });

  test('a path works with and without its last slash, without a redirect', async () => {
    for (const path of ['/api/v1/scrape', '/api/v1/scrape/']) {
      const { status } = await service.api('POST', path, { body: { url: `${site.url}/text` } });
      assert.equal(status, 200, path);
      assert.equal((await service.api('GET', path)).status, 200, path);
    }
    for (const path of ['scrapers', 'keys', 'errors', 'openapi.json'])
      for (const slash of ['', '/'])
        assert.equal((await service.api('GET', `/api/v1/${path}${slash}`)).status, 200, path + slash);
  });

  describe('401', () => {
    const cases: [string, string, string | null][] = [
      ['no header', 'auth.missing', null],
      ['another scheme', 'auth.malformed', 'Basic dTpw'],
      ['no token', 'auth.malformed', 'Api-Key'],
      ['no token but a space', 'auth.malformed', 'Api-Key '],
      ['a bare key', 'auth.malformed', 'slc_live_abc'],
      ['a form that no key has', 'auth.invalid', 'Api-Key x'],
      ['a wrong checksum', 'auth.invalid', `Api-Key slc_live_${'a'.repeat(40)}`],
      ['an unknown key', 'auth.invalid', 'Api-Key 0123456789abcdef0123456789abcdef'],
      ['Bearer with an unknown key', 'auth.invalid', 'Bearer 0123456789abcdef0123456789abcdef'],
    ];
    for (const [name, code, authorization] of cases)
      test(`${name}: ${code}`, async () => {
        const headers: Record<string, string> = { 'content-type': 'text/plain' };
        if (authorization !== null) headers.authorization = authorization;
        const reply = await refused('POST', SCRAPE, 401, code, { key: null, raw: '{', headers });
        assert.equal(reply.headers.get('www-authenticate'), 'Api-Key');
        assert.equal(reply.headers.get('ratelimit'), null, 'the call is not authenticated');
      });

    test('bad form, bad checksum, unknown and revoked have the same text', async () => {
      const { id, key } = await newKey({});
      await service.api('DELETE', `/api/v1/keys/${id}/`);
      const revoked = await eventually(async () => {
        const reply = await service.api<Problem>('GET', SCRAPE, { key });
        return reply.status === 401 && reply;
      }, 1000);
      const { body } = await refused('GET', SCRAPE, 401, 'auth.invalid', { key: 'x' });
      assert.equal(revoked.body.code, 'auth.invalid');
      assert.equal(revoked.body.detail, body.detail);
    });

    test('expired: auth.expired', async () => {
      const { key } = await newKey({ expires_at: new Date(Date.now() + 700).toISOString() });
      assert.equal((await service.api('GET', SCRAPE, { key })).status, 200);
      await eventually(async () => (await service.api('GET', SCRAPE, { key })).status === 401, 2000);
      const { headers } = await refused('POST', SCRAPE, 401, 'auth.expired', { key, ...badBody });
      assert.equal(headers.get('www-authenticate'), 'Api-Key');
    });

    test('both schemes, any letter case', async () => {
      for (const scheme of ['Api-Key', 'api-key', 'Bearer', 'bearer']) {
        const headers = { authorization: `${scheme} ${service.key}` };
        assert.equal((await service.api('GET', SCRAPE, { key: null, headers })).status, 200, scheme);
      }
    });
  });

  test('403: IP list, then scope, before everything about the body', async () => {
    const both = await newKey({ ips: ['192.0.2.0/24'], scopes: ['read'] });
    await refused('POST', SCRAPE, 403, 'auth.ip', { key: both.key, ...badBody });
    const reader = await newKey({ scopes: ['read'] });
    await refused('POST', SCRAPE, 403, 'auth.scope', { key: reader.key, ...badBody });
    assert.equal((await service.api('GET', SCRAPE, { key: reader.key })).status, 200);
    const scraper = await newKey({ scopes: ['scrape'] });
    await refused('GET', SCRAPE, 403, 'auth.scope', { key: scraper.key });
    await refused('GET', '/api/v1/scrapers/', 403, 'auth.scope', { key: scraper.key });
    const plain = await newKey({});
    await refused('GET', '/api/v1/keys/', 403, 'auth.scope', { key: plain.key });
    const here = await newKey({ ips: ['127.0.0.0/8', '::1'] });
    assert.equal((await service.api('GET', SCRAPE, { key: here.key })).status, 200);
  });

  test('403: a disabled user comes after the scope, before the body', async () => {
    const email = 'disabled@example.com';
    assert.equal(
      (await service.cli(['users', 'create', '--email', email, '--password', 'long enough 1'])).code,
      0,
    );
    const made = await service.cli(['keys', 'create', '--user', email, '--name', 'theirs']);
    const key = made.stdout.trim();
    await eventually(async () => (await service.api('GET', SCRAPE, { key })).status === 200, 1000);
    assert.equal((await service.cli(['users', 'set', '--email', email, '--disable'])).code, 0);
    await eventually(async () => (await service.api('GET', SCRAPE, { key })).status === 403, 1000);
    await refused('POST', SCRAPE, 403, 'auth.disabled', { key, ...badBody });
    await refused('GET', '/api/v1/keys/', 403, 'auth.scope', { key });
    assert.equal((await service.cli(['users', 'set', '--email', email, '--enable'])).code, 0);
    await eventually(async () => (await service.api('GET', SCRAPE, { key })).status === 200, 1000);
  });

  test('429 comes before media type and body; its headers; Retry-After', async () => {
    const { key } = await newKey({ concurrency: 1 });
    const hanging = new AbortController();
    const running = service.scrape({ url: `${site.url}/hang` }, { key, signal: hanging.signal });
    running.catch(() => {});
    await eventually(() => site.log.some((seen) => seen.url === '/hang'));
    const reply = await refused('POST', SCRAPE, 429, 'limit.concurrency', { key, ...badBody });
    assert.equal(reply.headers.get('ratelimit-policy'), '"concurrency";q=1;qu="concurrent-requests"');
    assert.equal(reply.headers.get('ratelimit'), '"concurrency";r=0');
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(reply.body.retryable, true);
    // Every request with a key counts, not scrapes alone.
    await refused('GET', SCRAPE, 429, 'limit.concurrency', { key });
    // Another key of the same user has its own share.
    assert.equal((await service.api('GET', SCRAPE)).status, 200);
    hanging.abort();
    await eventually(async () => (await service.api('GET', SCRAPE, { key })).status === 200);
  });

  test('the user has 50, over all keys', async () => {
    const { key } = await newKey({});
    site.log.length = 0;
    const hanging = new AbortController();
    const running = Array.from({ length: 50 }, (_, n) =>
      service
        .scrape({ url: `${site.url}/hang` }, { signal: hanging.signal, ...(n % 2 === 0 ? { key } : {}) })
        .catch(() => {}),
    );
    await eventually(() => site.log.filter((seen) => seen.url === '/hang').length === 50);
    for (const one of [key, service.key]) {
      const { headers } = await refused('GET', SCRAPE, 429, 'limit.concurrency', { key: one });
      assert.equal(headers.get('ratelimit-policy'), '"concurrency";q=50;qu="concurrent-requests"');
      assert.equal(headers.get('ratelimit'), '"concurrency";r=0');
    }
    hanging.abort();
    await Promise.all(running);
    await eventually(async () => {
      const { headers } = await service.api('GET', '/api/v1/scrapers/');
      return headers.get('ratelimit') === '"concurrency";r=49';
    });
  });

  describe('415', () => {
    const big = `{"url":"${'x'.repeat(100)}"`;
    const cases: [string, Record<string, string>][] = [
      ['text/plain', { 'content-type': 'text/plain' }],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['JSON of another kind', { 'content-type': 'application/jsonx' }],
      ['a content coding', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ];
    for (const [name, headers] of cases)
      test(name, async () => {
        await refused('POST', SCRAPE, 415, 'request.media_type', { raw: big, headers });
      });
    test('no content type', async () => {
      const bytes = new TextEncoder().encode(big);
      await refused('POST', SCRAPE, 415, 'request.media_type', { raw: bytes });
    });
    test('application/json with a charset is taken', async () => {
      const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
      const raw = JSON.stringify({ url: `${site.url}/text` });
      assert.equal((await service.api('POST', SCRAPE, { raw, headers })).status, 200);
    });
  });

  describe('413', () => {
    const head = (more: string) =>
      `POST ${SCRAPE} HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${service.key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

    test('is told by the length alone, before a body comes', async () => {
      const answer = await rawHttp(service.port, head('Content-Length: 41943040'), undefined, 3000);
      assert.match(answer, /^HTTP\/1\.1 413 /);
      const { status } = await service.api('GET', SCRAPE);
      assert.equal(status, 200, 'and the service goes on');
    });

    test('whoever waits for 100 Continue gets it too, without sending the body', async () => {
      const text = head('Content-Length: 41943040\r\nExpect: 100-continue');
      const answer = await rawHttp(service.port, text, (received) => received.includes(' 413 '), 3000);
      assert.match(answer, /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 413 /);
    });

    test('a body without a length is cut off', async () => {
      const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
      const answer = await rawHttp(
        service.port,
        `${head('Transfer-Encoding: chunked')}${chunk.repeat(6)}0\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 413 /);
    });

    test('comes after the media type, before JSON', async () => {
      const raw = 'x'.repeat(5 * 1024 * 1024 + 1);
      await refused('POST', SCRAPE, 415, 'request.media_type', {
        raw,
        headers: { 'content-type': 'text/plain' },
      });
      await refused('POST', SCRAPE, 413, 'request.too_large', {
        raw,
        headers: { 'content-type': 'application/json' },
      });
    });

    test('5 MiB exactly is taken', async () => {
      const body = JSON.stringify({ url: `${site.url}/text`, method: 'POST', data: '' });
      const raw = body + ' '.repeat(5 * 1024 * 1024 - body.length);
      const { status } = await service.api('POST', SCRAPE, {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(status, 200);
    });
  });

  describe('400 request.invalid_json', () => {
    const cases: [string, string | Uint8Array<ArrayBuffer>][] = [
      ['nothing', ''],
      ['half an object', '{"url":'],
      ['a comment', '{} // x'],
      ['two values', '{} {}'],
      ['NaN', '{"timeout_ms": NaN}'],
      ['bytes that are not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ];
    for (const [name, raw] of cases)
      test(name, async () => {
        await refused('POST', SCRAPE, 400, 'request.invalid_json', {
          raw,
          headers: { 'content-type': 'application/json' },
        });
      });
    test('repeated member names: the last counts', async () => {
      const raw = `{"url":"http://127.0.0.1:1/","url":"${site.url}/text"}`;
      const headers = { 'content-type': 'application/json' };
      assert.equal((await service.api('POST', SCRAPE, { raw, headers })).status, 200);
    });
  });

  describe('400 request.validation', () => {
    const url = 'http://127.0.0.1:9/';
    const cases: [string, unknown, string][] = [
      ['no object', [], ''],
      ['no URL', {}, '/url'],
      ['a null URL', { url: null }, '/url'],
      ['a relative URL', { url: '/x' }, '/url'],
      ['another scheme', { url: 'ftp://example.com/' }, '/url'],
      ['a URL of 8,193 characters', { url: `${url}${'a'.repeat(8193 - url.length)}` }, '/url'],
      ['an unknown member', { url, urls: 'x' }, '/urls'],
      ['an unknown member that needs escaping', { url, 'a/b~c': 1 }, '/a~1b~0c'],
      ['an unknown method', { url, method: 'TRACE' }, '/method'],
      ['a number as text', { url, timeout_ms: '5000' }, '/timeout_ms'],
      ['a boolean as text', { url, allow_redirects: 'true' }, '/allow_redirects'],
      ['a header with a line break', { url, headers: { 'X-A': 'a\r\nb' } }, '/headers/X-A'],
      ['a header with an invalid name', { url, headers: { 'X A': 'a' } }, '/headers/X A'],
      ['a header value that is a number', { url, headers: { 'X-A': 1 } }, '/headers/X-A'],
      ['an unknown scraper', { url, scraper: 'curl' }, '/scraper'],
      ['an unknown option', { url, scraper_options: { max_bytes: 1 } }, '/scraper_options/max_bytes'],
      [
        'content beyond 50 MiB',
        { url, scraper_options: { max_content_bytes: 52_428_801 } },
        '/scraper_options/max_content_bytes',
      ],
      ['51 redirects', { url, scraper_options: { max_redirects: 51 } }, '/scraper_options/max_redirects'],
      ['an unknown proxy type', { url, proxy: 'satellite' }, '/proxy'],
      ['a proxy URL: not in this version', { url, proxy: 'http://proxy.example:8080' }, '/proxy'],
      [
        'a proxy country: not in this version',
        { url, proxy: { type: 'datacenter', country: 'DE' } },
        '/proxy/country',
      ],
      ['a cost cap: not in this version', { url, router: { max_cost: 1 } }, '/router/max_cost'],
      ['on_blocked fail: not in this version', { url, router: { on_blocked: 'fail' } }, '/router/on_blocked'],
      ['an unknown router member', { url, router: { max_costs: 1 } }, '/router/max_costs'],
      ['11 attempts', { url, router: { max_attempts: 11 } }, '/router/max_attempts'],
      ['an unknown scraper in order', { url, router: { order: ['http', 'curl'] } }, '/router/order/1'],
      ['a selector that is none', { url, router: { accept: { selector: 'a[' } } }, '/router/accept/selector'],
      [
        'a JSONPath that is none',
        { url, router: { accept: { json_path: '$[' } } },
        '/router/accept/json_path',
      ],
      [
        '11 tags',
        { url, router: { tags: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`t${n}`, 'x'])) } },
        '/router/tags',
      ],
      ['an unknown action', { url, page_actions: [{ type: 'dance' }] }, '/page_actions/0/type'],
      [
        'an action without its selector',
        { url, page_actions: [{ type: 'wait', ms: 1 }, { type: 'click' }] },
        '/page_actions/1/selector',
      ],
      [
        '301 cookies',
        { url, cookies: Array.from({ length: 301 }, (_, n) => ({ name: `c${n}`, value: '' })) },
        '/cookies',
      ],
    ];
    for (const [name, body, pointer] of cases)
      test(`${name} → ${pointer || 'the whole'}`, async () => {
        const reply = await refused('POST', SCRAPE, 400, 'request.validation', post(body));
        assert.equal(reply.body.errors[0]?.pointer, pointer, reply.text);
      });

    test('an unknown scraper is answered with the list', async () => {
      const { body } = await refused(
        'POST',
        SCRAPE,
        400,
        'request.validation',
        post({ url, scraper: 'curl' }),
      );
      for (const name of ['http', 'http_impersonate', 'browser', 'browser_stealth', 'auto'])
        assert.ok(body.detail.includes(name), body.detail);
      assert.ok(body.detail.includes('curl'), 'and what was given');
    });

    test('what is not in this version says so', async () => {
      const { body } = await refused(
        'POST',
        SCRAPE,
        400,
        'request.validation',
        post({ url, router: { max_cost: 1 } }),
      );
      assert.match(body.detail, /not available in this version/);
    });

    test('all faults at once, at most ten', async () => {
      const three = await refused(
        'POST',
        SCRAPE,
        400,
        'request.validation',
        post({ method: 1, timeout_ms: 1, screenshot: 'x' }),
      );
      const pointers = three.body.errors.map((error) => error.pointer).sort();
      assert.deepEqual(pointers, ['/method', '/screenshot', '/timeout_ms', '/url']);
      const unknown = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`unknown_${n}`, n]));
      const many = await refused('POST', SCRAPE, 400, 'request.validation', post({ url, ...unknown }));
      assert.equal(many.body.errors.length, 10);
    });

    test('null is as if omitted', async () => {
      const fields = [
        'method',
        'headers',
        'query',
        'data',
        'cookies',
        'timeout_ms',
        'allow_redirects',
        'browser_type',
        'headless',
        'wait_for_selector',
        'wait_for_timeout_ms',
        'wait_for_load_state',
        'page_actions',
        'screenshot',
        'scraper',
        'scraper_options',
        'proxy',
        'router',
      ];
      const nulls = Object.fromEntries(fields.map((field) => [field, null]));
      const { status } = await service.scrape({ url: `${site.url}/text`, ...nulls });
      assert.equal(status, 200);
    });

    test('a value that asks for nothing asks for no browser', async () => {
      const nothing = { headless: true, wait_for_timeout_ms: 0, page_actions: [], screenshot: false };
      const { status } = await service.scrape({ url: `${site.url}/text`, ...nothing, scraper: 'http' });
      assert.equal(status, 200);
    });
  });

  test('402 comes after the schema, before the domain', async () => {
    const { key } = await newKey({ daily_budget: { amount: 1, unit: 'scrapes' }, domains: ['localhost'] });
    const allowed = { url: `${site.url.replace('127.0.0.1', 'localhost')}/text` };
    assert.equal((await service.scrape(allowed, { key })).status, 200);
    await refused('POST', SCRAPE, 400, 'request.validation', post({}, { key }));
    await refused('POST', SCRAPE, 402, 'budget.exhausted', post({ url: site.url, proxy: 'mobile' }, { key }));
  });

  test('403 policy.domain comes before routing', async () => {
    const { key } = await newKey({ domains: ['example.com'] });
    const body = { url: `${site.url}/text`, proxy: 'mobile', screenshot: true };
    await refused('POST', SCRAPE, 403, 'policy.domain', post(body, { key }));
  });

  describe('422', () => {
    const url = 'http://127.0.0.1:9/';
    const cases: [string, Record<string, unknown>, string, string | null][] = [
      ['auto with a screenshot', { screenshot: true }, 'route.none', null],
      ['auto with a wait', { wait_for_selector: 'a' }, 'route.none', null],
      ['auto with an action', { page_actions: [{ click: 'a' }] }, 'route.none', null],
      ['auto with headless false', { headless: false }, 'route.none', null],
      ['auto with a load state', { wait_for_load_state: 'load' }, 'route.none', null],
      ['auto with a browser', { browser_type: 'firefox' }, 'route.none', null],
      ['everything ignored', { router: { ignore: ['http'] } }, 'route.none', null],
      ['only without the named', { scraper: 'http', router: { only: ['browser'] } }, 'route.none', null],
      [
        'http with a screenshot',
        { scraper: 'http', screenshot: true },
        'scraper.unsupported_option',
        '/screenshot',
      ],
      [
        'http with a wait',
        { scraper: 'http', wait_for_timeout_ms: 5 },
        'scraper.unsupported_option',
        '/wait_for_timeout_ms',
      ],
      [
        'http with a browser',
        { scraper: 'http', browser_type: 'chromium' },
        'scraper.unsupported_option',
        '/browser_type',
      ],
      [
        'http with a browser option',
        { scraper: 'http', scraper_options: { locale: 'de-DE' } },
        'scraper.unsupported_option',
        '/scraper_options/locale',
      ],
      ['browser', { scraper: 'browser' }, 'scraper.unavailable', null],
      ['browser_stealth', { scraper: 'browser_stealth' }, 'scraper.unavailable', null],
      ['http_impersonate', { scraper: 'http_impersonate' }, 'scraper.unavailable', null],
      ['residential', { proxy: 'residential' }, 'proxy.pool_unconfigured', null],
      ['mobile, as an object', { proxy: { type: 'mobile' } }, 'proxy.pool_unconfigured', null],
      ['no proxy', { proxy: { type: 'none' } }, 'proxy.forbidden', null],
      [
        'scraper before proxy',
        { scraper: 'browser', proxy: 'mobile', screenshot: true },
        'scraper.unavailable',
        null,
      ],
      [
        'option before proxy',
        { scraper: 'http', proxy: 'mobile', screenshot: true },
        'scraper.unsupported_option',
        '/screenshot',
      ],
      ['proxy before route.none', { proxy: 'mobile', screenshot: true }, 'proxy.pool_unconfigured', null],
    ];
    for (const [name, more, code, pointer] of cases)
      test(`${name}: ${code}`, async () => {
        const reply = await refused('POST', SCRAPE, 422, code, post({ url, ...more }));
        if (pointer !== null) assert.equal(reply.body.errors[0]?.pointer, pointer);
        const { candidates } = reply.body;
        assert.ok(candidates !== undefined && candidates.length > 0, 'why per candidate');
        for (const candidate of candidates) {
          assert.equal(typeof candidate.excluded_by, 'string', JSON.stringify(candidate));
          assert.equal(candidate.selected, false);
        }
      });

    test('dry_run of the impossible is refused too', async () => {
      await refused(
        'POST',
        SCRAPE,
        422,
        'scraper.unavailable',
        post({ url, scraper: 'browser', router: { dry_run: true } }),
      );
    });
  });

  test('nothing before the line leaves a record, everything after it does', async () => {
    const before = await count();
    await refused('POST', SCRAPE, 400, 'request.validation', post({}));
    await refused('POST', SCRAPE, 422, 'proxy.forbidden', post({ url: site.url, proxy: { type: 'none' } }));
    assert.equal(await count(), before);
    const failed = await service.scrape({ url: 'http://127.0.0.1:1/' });
    assert.equal(failed.status, 502);
    assert.equal(failed.headers.get('x-scrape-id'), failed.body.id);
    assert.match(failed.headers.get('content-type') ?? '', /^application\/problem\+json/);
    const good = await service.scrape({ url: `${site.url}/text` });
    assert.equal(good.headers.get('x-scrape-id'), good.body.id);
    const planned = await service.scrape({ url: `${site.url}/text`, router: { dry_run: true } });
    assert.equal(planned.headers.get('x-scrape-id'), planned.body.id);
    assert.equal(await count(), before + 3);
  });

  test('RateLimit on every authenticated answer, also on refusals', async () => {
    for (const options of [post({}), post({ url: site.url }), post({ url: site.url, proxy: 'mobile' })]) {
      const { headers } = await service.api('POST', SCRAPE, options);
      assert.equal(headers.get('ratelimit-policy'), '"concurrency";q=50;qu="concurrent-requests"');
      assert.match(headers.get('ratelimit') ?? '', /^"concurrency";r=\d+$/);
    }
  });
});
