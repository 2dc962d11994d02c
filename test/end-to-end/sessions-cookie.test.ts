import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startService, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { newUser, PASSWORD, signIn, visit } from '../helpers/visitor.ts';
import type { Problem, SessionObject } from '../helpers/wire-types.ts';

const SESSION = '/api/v1/session/';
const SCRAPE = '/api/v1/scrape/';

describe('the cookie of a session, and the Origin', () => {
  const site = useSite();
  const service = useOwnService();

  const enter = (email: string, password: string, headers: Record<string, string> = {}) =>
    visit<SessionObject & Problem>(service, 'POST', SESSION, { body: { email, password }, headers });

  test('the cookie: for this host, for the server alone, over TLS where there is TLS', async () => {
    const { email } = await newUser(service);
    const plain = (await enter(email, PASSWORD)).headers.getSetCookie();
    assert.equal(plain.length, 1);
    assert.match(
      plain[0]!,
      /^sluice_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    );
    const forged = await enter(email, PASSWORD, { 'x-forwarded-proto': 'https' });
    assert.doesNotMatch(forged.headers.getSetCookie()[0]!, /Secure/, 'not from whom nobody trusts');
  });

  test('over TLS: Secure, and the origin is that of the base URL', async () => {
    await using behind = await startService({ SLUICE_BASE_URL: 'https://scrape.example/tool' });
    const { email } = await newUser(behind);
    const ask = (origin: string) =>
      behind.api<Problem>('POST', SESSION, {
        key: null,
        ...{ headers: { origin }, body: { email, password: PASSWORD } },
      });
    const fine = await ask('https://scrape.example');
    assert.equal(fine.status, 201, fine.text);
    assert.match(fine.headers.getSetCookie()[0]!, /; SameSite=Lax; Secure$/);
    for (const origin of [behind.base, 'http://scrape.example', 'https://scrape.example:8443']) {
      const { status, body } = await ask(origin);
      assert.deepEqual([status, body.code], [403, 'auth.origin'], origin);
      assert.ok(body.detail.includes('https://scrape.example'), 'it says which would do');
    }
    await behind.stop();
  });

  test('a trusted reverse proxy decides about TLS, host and address', async () => {
    await using behind = await startService({ SLUICE_TRUSTED_PROXIES: 'loopback' });
    const { email } = await newUser(behind);
    const { status, headers, body, text } = await behind.api<SessionObject>('POST', SESSION, {
      key: null,
      headers: {
        origin: 'https://scrape.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'scrape.example',
        'x-forwarded-for': '203.0.113.9',
      },
      body: { email, password: PASSWORD },
    });
    assert.equal(status, 201, text);
    assert.match(headers.getSetCookie()[0]!, /; Secure$/);
    assert.equal(body.session.ip, '203.0.113.9');
    await behind.stop();
  });

  test('requests that change something need our own Origin', async () => {
    const { email } = await newUser(service);
    const visitor = await signIn(service, email);
    const { port } = service;
    const wrong: [string | undefined, string][] = [
      [undefined, 'none'],
      ['null', 'of a sandboxed page'],
      ['https://evil.example', 'of another host'],
      [`http://127.0.0.1:${port + 1}`, 'of another port'],
      [`http://localhost:${port}`, 'of another name'],
      [`http://127.0.0.1:${port}.evil.example`, 'that begins like ours'],
      [`http://evil@127.0.0.1:${port}`, 'with somebody before'],
      [`http://127.0.0.1:${port}/`, 'that no browser sends'],
    ];
    const unsafe: [string, string, unknown?][] = [
      ['POST', SESSION, { email, password: PASSWORD }],
      ['DELETE', SESSION],
      ['DELETE', `${SESSION}all/`],
      ['POST', `${SESSION}password/`, { current_password: PASSWORD, new_password: 'x'.repeat(9) }],
      ['POST', `${SESSION}link/`, { token: 'x' }],
      ['POST', `${SESSION}set-up/`, { token: 'x', password: 'x'.repeat(9) }],
      ['POST', SCRAPE, { url: `${site.url}/text` }],
      ['POST', '/api/v1/keys/', { name: 'x' }],
      ['PATCH', '/api/v1/keys/x/', { name: 'x' }],
      ['DELETE', `${SCRAPE}01890000-0000-7000-8000-000000000000/`],
    ];
    for (const [origin, why] of wrong)
      for (const [method, path, body] of unsafe) {
        const headers: Record<string, string> = { cookie: visitor.cookie };
        if (origin !== undefined) headers.origin = origin;
        const reply = await service.api<Problem>(method, path, {
          key: null,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        assert.deepEqual([reply.status, reply.body.code], [403, 'auth.origin'], `${method} ${path}: ${why}`);
      }
    // GET needs no Origin, because pages of other origins cannot read the response.
    const read = await service.api('GET', SCRAPE, { key: null, headers: { cookie: visitor.cookie } });
    assert.equal(read.status, 200);
    assert.equal((await visitor.call('POST', SCRAPE, { body: { url: `${site.url}/text` } })).status, 200);
    // A key needs no Origin, and has priority over the session.
    const both = { cookie: visitor.cookie, origin: 'https://evil.example' };
    const byKey = await service.api<{ items: unknown[] }>('GET', '/api/v1/users/', { headers: both });
    assert.equal(byKey.status, 200);
    const bad = await service.api<Problem>('GET', SCRAPE, { key: 'no-such-key', headers: both });
    assert.deepEqual([bad.status, bad.body.code], [401, 'auth.invalid']);
  });

  test('two session cookies are refused, because it is unknown which is ours', async () => {
    const { email } = await newUser(service);
    const { cookie } = await signIn(service, email);
    const ask = (text: string) =>
      service.api<Problem>('GET', SESSION, { key: null, headers: { cookie: text } });
    assert.equal((await ask(`a=b; ${cookie}; not_${cookie}`)).status, 200);
    for (const text of [`${cookie}; sluice_session=x`, `sluice_session=x; ${cookie}`, 'sluice_session=']) {
      const { status, body } = await ask(text);
      assert.deepEqual([status, body.code], [401, 'auth.missing'], text.replace(cookie, '…'));
    }
  });

  test('JSON that a session reads is compressed as its browser accepts, that of keys is not', async () => {
    const { email } = await newUser(service);
    const { cookie } = await signIn(service, email);
    const path = '/api/v1/stats/?window=24h';
    const read = async (headers: Record<string, string>) => {
      const response = await fetch(`${service.base}${path}`, { headers });
      return {
        coding: response.headers.get('content-encoding'),
        vary: response.headers.get('vary'),
        body: (await response.json()) as { window: string; series: unknown[] },
      };
    };
    const plain = await read({ cookie, 'accept-encoding': 'identity' });
    assert.deepEqual([plain.coding, plain.body.window], [null, '24h']);
    assert.match(plain.vary ?? '', /accept-encoding/);
    for (const coding of ['gzip', 'br']) {
      const { body, ...rest } = await read({ cookie, 'accept-encoding': coding });
      assert.deepEqual([rest.coding, body.series.length], [coding, plain.body.series.length]);
    }
    const key = await read({ authorization: `Bearer ${service.key}`, 'accept-encoding': 'gzip, br' });
    assert.equal(key.coding, null);
  });
});
