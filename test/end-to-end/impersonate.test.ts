import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createRaw } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createServer as createTls } from 'node:tls';
import { noBinding } from '../adapters/impersonate/kit.ts';
import { type Authority, createAuthority, type KeyPair } from '../helpers/certificates.ts';
import { freePort, listen } from '../helpers/free-port.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { failing } from './failing.ts';

const SCRAPER = { scraper: 'http_impersonate' } as const;

describe('http_impersonate in the running service', { skip: noBinding }, () => {
  const site = useSite({ tls: true });
  const servers: Server[] = [];
  const names = 'IP:127.0.0.1,DNS:localhost';
  let folder: string;
  let service: Service;
  let authority: Authority;
  const fails = failing(() => service);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-imp-'));
    authority = createAuthority();
    writeFileSync(join(folder, 'ca.pem'), authority.cert + site.ca!);
    service = await startService({ SLUICE_CA_FILE: join(folder, 'ca.pem') });
  });
  after(async () => {
    for (const server of servers) server.close();
    authority?.[Symbol.dispose]();
    rmSync(folder, { recursive: true });
    await service?.end();
  });

  const tls = async (pair: KeyPair): Promise<string> => {
    const server = createServer(pair, (_request, response) => response.end('secret page'));
    server.on('tlsClientError', () => {});
    servers.push(server.unref());
    await listen(server);
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  test('requests a page over HTTP/2 with the header fields of a browser', async () => {
    site.log.length = 0;
    const url = `${site.httpsUrl}/headers`;
    const { status, body } = await service.scrape({ url, ...SCRAPER, headers: { 'X-Mine': '1' } });
    assert.equal(status, 200);
    assert.equal(body.router.scraper, 'http_impersonate');
    assert.equal(body.router.outcome, 'ok');
    assert.equal(body.router.remote_ip, '127.0.0.1');
    assert.match(body.router.request_headers['user-agent']!, /Chrome\/\d+/);
    const [seen] = site.log;
    assert.equal(seen!.httpVersion, '2.0');
    assert.deepEqual(
      seen!.headers.map(([name]) => name),
      (
        'sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform upgrade-insecure-requests user-agent x-mine accept sec-fetch-site ' +
        'sec-fetch-mode sec-fetch-user sec-fetch-dest accept-encoding accept-language priority'
      ).split(' '),
    );
  });

  test('profiles are listed; scrapers without profiles refuse the option', async () => {
    const { body } = await service.api('GET', '/api/v1/scrapers/');
    const items = (body as { items: { name: string; available: boolean; options: unknown }[] }).items;
    const line = items.find(({ name }) => name === 'http_impersonate')!;
    assert.equal(line.available, true);
    assert.match(JSON.stringify(line.options), /"firefox_\d+"/);
    const scraper_options = { impersonate: 'firefox' };
    for (const scraper of ['http', 'browser']) {
      const reply = await service.scrape({ url: site.url, scraper, scraper_options });
      assert.equal(reply.status, 422, scraper);
    }
    const { body: page } = await service.scrape({ url: site.url, scraper: 'auto', scraper_options });
    assert.equal(page.router.scraper, 'http_impersonate', 'auto takes what honours the option');
    assert.match(page.router.request_headers['user-agent']!, /Firefox\//);
  });

  test('forbidden addresses, unknown names and closed ports have the codes of the gateway', async () => {
    for (const url of ['https://10.0.0.1/', 'https://169.254.169.254/', 'https://[::ffff:10.0.0.1]/'])
      await fails({ url, ...SCRAPER }, 403, 'policy.address', false);
    await fails({ url: `https://127.0.0.1:${service.port}/`, ...SCRAPER }, 403, 'policy.address', false);
    await fails({ url: `https://${'x'.repeat(64)}.test/`, ...SCRAPER }, 502, 'dns.not_found', false);
    const closed = await freePort();
    await fails({ url: `https://127.0.0.1:${closed}/`, ...SCRAPER }, 502, 'connect.refused', true);
  });

  test('a redirect to a forbidden address ends the scrape', async () => {
    const url = `${site.httpsUrl}/redirect-to?url=${encodeURIComponent('https://169.254.169.254/')}`;
    await fails({ url, ...SCRAPER }, 403, 'policy.address', false);
  });

  const bad: [reason: string, pair: () => KeyPair][] = [
    ['expired', () => authority.issue({ names, years: -0.1 })],
    ['hostname', () => authority.issue({ names: 'DNS:other.example' })],
    [
      'untrusted',
      () => {
        using stranger = createAuthority();
        return stranger.issue({ names });
      },
    ],
  ];
  for (const [reason, pair] of bad)
    test(`tls.invalid: ${reason}`, async () => {
      const url = await tls(pair());
      const { errors } = await fails({ url, ...SCRAPER }, 502, 'tls.invalid', false);
      assert.equal(errors[0]?.details?.reason, reason);
      const waived = await service.scrape({ url, ...SCRAPER, scraper_options: { verify_tls: false } });
      assert.equal(waived.body.content, 'secret page');
      await fails({ url, ...SCRAPER }, 502, 'tls.invalid', false);
    });

  test('a target without TLS has the same error as with http', async () => {
    const url = site.url.replace('http:', 'https:');
    const codes = [];
    for (const scraper of ['http', 'http_impersonate']) {
      const { status, body } = await service.scrape({ url, scraper });
      codes.push([status, body.code, body.errors[0]?.details?.reason]);
    }
    assert.deepEqual(codes[1], codes[0]);
  });

  const unreadable: readonly [name: string, head: string][] = [
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n'],
    ['a length below zero', 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi'],
  ];
  for (const [name, head] of unreadable)
    test(`an invalid HTTP response is http.protocol: ${name}`, async (t) => {
      const server = createTls(authority.issue({ names }), (socket) => {
        socket.on('error', () => {}).once('data', () => socket.end(head));
      }).listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      await fails({ url, ...SCRAPER }, 502, 'http.protocol', true);
    });

  const unmeant: readonly [name: string, answer: string, status: number, content: string][] = [
    ['of a 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', 204, ''],
    [
      'beside chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
      200,
      'hi',
    ],
  ];
  for (const [name, answer, status, content] of unmeant)
    test(`a Content-Length that does not delimit the body makes no page incomplete: ${name}`, async (t) => {
      const server = createTls(authority.issue({ names }), (socket) => {
        socket.on('error', () => {}).once('data', () => socket.write(answer));
      }).listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      for (const scraper of ['http', 'http_impersonate']) {
        const { body } = await service.scrape({ url, scraper });
        assert.deepEqual([body.status_code, body.content, body.errors], [status, content, []], scraper);
        assert.equal(body.router.outcome, 'ok');
      }
    });

  for (const protocol of ['HTTP/1.1', 'HTTP/2'])
    describe(`redirects whose header values are not ASCII: ${protocol}`, () => {
      const latin1 = (text: string) => Buffer.from(text).toString('latin1');
      const asked: string[] = [];
      let server: Http2SecureServer;
      let base: string;
      // Each test has its own site, because the router learns from each request.
      beforeEach(async () => {
        asked.length = 0;
        server = createSecureServer(
          {
            ...authority.issue({ names }),
            allowHTTP1: true,
            ALPNProtocols: [protocol === 'HTTP/2' ? 'h2' : 'http/1.1'],
          },
          ({ method, url, headers }, response) => {
            asked.push(`${method} ${url}`);
            const { cookie } = headers;
            if (url === '/to') response.writeHead(302, { location: latin1('/tö?ä'), 'set-cookie': 'a=1' });
            else if (url === '/nowhere') response.writeHead(302);
            else if (url === '/city' && cookie === undefined)
              response.writeHead(302, { location: '/city', 'set-cookie': latin1('city=Köln; Path=/') });
            response.end(Buffer.from(`cookie ${cookie}`, 'latin1'));
          },
        ).listen(0, '127.0.0.1');
        await once(server, 'listening');
        base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      });
      afterEach(() => server.close());
      const scrape = async (path: string, scraper: string, more: object = {}) => {
        asked.length = 0;
        const { body } = await service.scrape({ url: base + path, scraper, ...more });
        const ways = body.router.attempts.map((one) => one.scraper);
        return { ...body, ways, codes: body.errors.map(({ code }) => code) };
      };

      for (const more of [{}, { allow_redirects: false }, { method: 'POST', data: 'x' }])
        test(`an unreadable Location is redirect.invalid, and nothing is requested twice: ${JSON.stringify(more)}`, async () => {
          for (const path of ['/to', '/nowhere']) {
            const { status_code, router, codes } = await scrape(path, 'http_impersonate', more);
            assert.deepEqual(
              [status_code, router.outcome, codes, asked.length],
              [302, 'partial', ['redirect.invalid'], 1],
            );
          }
        });

      test('auto tries a scraper that can read the Location, and remembers it', async () => {
        const first = await scrape('/to', 'auto');
        assert.deepEqual(first.ways, ['http_impersonate', 'http']);
        assert.deepEqual(asked, ['GET /to', 'GET /to', 'GET /t%C3%B6?%C3%A4']);
        const next = await scrape('/to', 'auto');
        assert.deepEqual(next.ways, ['http']);
        for (const { final_url, content, errors } of [first, next])
          assert.deepEqual([final_url, content, errors], [`${base}/t%C3%B6?%C3%A4`, 'cookie a=1', []]);
      });

      test('with allow_redirects: false, auto returns the redirect with its Location', async () => {
        const still = await scrape('/to', 'auto', { allow_redirects: false });
        assert.deepEqual([still.status_code, still.errors], [302, []]);
        assert.equal(still.headers.location, latin1('/tö?ä'));
        const none = await scrape('/nowhere', 'auto');
        assert.deepEqual([none.status_code, none.errors, none.ways.at(-1)], [302, [], 'http']);
      });

      test('auto tries another scraper if a cookie cannot be read, and remembers it', async () => {
        const first = await scrape('/city', 'auto');
        const next = await scrape('/city', 'auto');
        assert.deepEqual([first.ways, next.ways], [['http_impersonate', 'http'], ['http']]);
        assert.equal(asked.length, 2);
        for (const { status_code, content, errors } of [first, next])
          assert.deepEqual([status_code, content, errors], [200, 'cookie city=Köln', []]);
        const named = await scrape('/city', 'http_impersonate');
        assert.deepEqual([named.codes, asked.length], [['redirect.too_many'], 2]);
      });
    });

  test('under auto, a method that is sent once has the whole time limit as soon as it may have been sent', async (t) => {
    const server = createServer(authority.issue({ names }), (_request, response) => {
      setTimeout(() => response.end('late'), 1_700);
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const router = { order: ['http_impersonate'], only: ['http_impersonate', 'http'] };
    const { body } = await service.scrape({ url, method: 'POST', data: 'x', timeout_ms: 3_000, router });
    const ways = body.router.attempts.map(({ scraper, error_code }) => [scraper, error_code]);
    assert.deepEqual(ways, [['http_impersonate', null]]);
    assert.equal(body.content, 'late');
  });

  test('a TLS server that does not respond ends with the time limit', async () => {
    const silent = createRaw((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    await fails({ url, ...SCRAPER, timeout_ms: 1000 }, 504, 'timeout.total', true);
    silent.close();
  });

  test('safe methods share connections, methods that are sent once use others', async () => {
    const ask = { url: `${site.httpsUrl}/text`, ...SCRAPER };
    await service.scrape(ask);
    site.log.length = 0;
    for (let i = 0; i < 3; i++) assert.equal((await service.scrape(ask)).status, 200);
    for (let i = 0; i < 2; i++) await service.scrape({ ...ask, method: 'POST', data: 'x' });
    const used = site.log.map(({ connection }) => connection);
    assert.equal(new Set(used.slice(0, 3)).size, 1);
    assert.equal(new Set(used).size, 3);
  });
});
