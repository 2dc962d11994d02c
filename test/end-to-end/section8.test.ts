import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rawHttp } from '../helpers/raw-http.ts';
import { eventually, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';
import type { Problem, RecordList } from '../helpers/wire-types.ts';
import { BAD_BODY, post, refusing, SCRAPE } from './refusing.ts';

/** The checks of contract §8 in their order: each request here would also fail later checks. */
describe('contract §8: what is refused, in this order', () => {
  const site = useSite();
  const service = useService();
  const { newKey, refused } = refusing(service);

  const count = async () => (await service.api<RecordList>('GET', `${SCRAPE}?limit=200`)).body.items.length;

  test('404 comes before the key', async () => {
    for (const path of ['/api/v1/nothing/', '/api/v1/scrapes', '/api/v2/scrape/', '/api/v1/scrape/x/y/z/'])
      await refused('POST', path, 404, 'request.not_found', { key: null, ...BAD_BODY });
  });

  test('404 for what is longer than any id or host name', async () => {
    for (const length of [250, 300, 5000]) {
      const long = 'x'.repeat(length);
      await refused('GET', `/api/v1/scrape/${long}/`, 404, 'request.not_found');
      await refused('GET', `/api/v1/scrape/${long}/content/`, 404, 'request.not_found');
      await refused('DELETE', `/api/v1/keys/${long}/`, 404, 'request.not_found');
      await refused('GET', `/api/v1/sites/${long}/`, 404, 'request.not_found');
    }
  });

  test('405 comes before the key, with Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { headers } = await refused(method, SCRAPE, 405, 'request.method', { key: null, ...BAD_BODY });
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
      const { headers } = await refused('POST', SCRAPE, 401, 'auth.expired', { key, ...BAD_BODY });
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
    await refused('POST', SCRAPE, 403, 'auth.ip', { key: both.key, ...BAD_BODY });
    const reader = await newKey({ scopes: ['read'] });
    await refused('POST', SCRAPE, 403, 'auth.scope', { key: reader.key, ...BAD_BODY });
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
    const { id, key } = await createUser(service);
    const set = (disabled: boolean) => service.api('PATCH', `/api/v1/users/${id}/`, { body: { disabled } });
    assert.equal((await set(true)).status, 200);
    await refused('POST', SCRAPE, 403, 'auth.disabled', { key, ...BAD_BODY });
    await refused('GET', '/api/v1/keys/', 403, 'auth.scope', { key });
    assert.equal((await set(false)).status, 200);
    assert.equal((await service.api('GET', SCRAPE, { key })).status, 200);
  });

  test('429 comes before media type and body; its headers; Retry-After', async () => {
    const { key } = await newKey({ concurrency: 1 });
    const hanging = new AbortController();
    const running = service.scrape({ url: `${site.url}/hang` }, { key, signal: hanging.signal });
    running.catch(() => {});
    await eventually(() => site.log.some((seen) => seen.url === '/hang'));
    const reply = await refused('POST', SCRAPE, 429, 'limit.concurrency', { key, ...BAD_BODY });
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

    test('a caller that waits for 100 Continue gets it too, without sending the body', async () => {
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
    const cases: [string, string | Uint8Array<ArrayBuffer>, RegExp][] = [
      ['nothing', '', /it is empty/],
      ['half an object', '{"url":', /ends too early/],
      ['a comment', '{} // x', /position 3/],
      ['two values', '{} {}', /position 3/],
      ['NaN', '{"timeout_ms": NaN}', /unexpected character "N"/],
      [
        'bytes that are not UTF-8',
        Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        /not valid UTF-8/,
      ],
    ];
    for (const [name, raw, why] of cases)
      test(name, async () => {
        const { body } = await refused('POST', SCRAPE, 400, 'request.invalid_json', {
          raw,
          headers: { 'content-type': 'application/json' },
        });
        assert.match(body.detail, why);
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

  test('a refused request leaves no record, every scrape does', async () => {
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
