import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { closedPort } from '../../egress/loopback.ts';
import { type Authority, createAuthority } from '../../helpers/certificates.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const browser = (await chromiums()).length > 0;
const SECRET = 'ge-heim%40';
const AUTH = ['user', 'ge-heim@'] as const;

describe('a proxy of the caller', () => {
  const site = useSite({ tls: true });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxies-'));
  let authority: Authority;
  let service: Service;
  before(async () => {
    authority = createAuthority();
    const file = join(folder, 'ca.pem');
    writeFileSync(file, authority.cert);
    service = await startService({ SLUICE_CA_FILE: file });
  });
  after(async () => {
    await service?.end();
    authority?.[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  const start = {
    http: () => startProxy({ auth: AUTH }),
    https: () => startProxy({ auth: AUTH, tls: authority.issue({ names: 'IP:127.0.0.1' }) }),
    socks5: () => startProxy({ auth: AUTH, kind: 'socks' }),
    socks5h: () => startProxy({ auth: AUTH, kind: 'socks' }),
    open: () => startProxy(),
  };
  for (const [kind, startOne] of Object.entries(start)) {
    for (const scraper of ['http', 'http_impersonate', ...(browser ? ['browser'] : [])]) {
      test(`${kind}, ${scraper}`, async () => {
        await using proxy = await startOne();
        const url = `${kind === 'open' ? 'http://' : `${kind}://user:${SECRET}@`}127.0.0.1:${proxy.port}`;
        for (const target of [site.url, site.httpsUrl!]) {
          proxy.targets.length = 0;
          const { status, body, text } = await service.scrape({
            url: `${target}/text`,
            scraper,
            proxy: url,
            scraper_options: { verify_tls: false },
          });
          assert.equal(status, 200, text);
          assert.equal(body.status_code, 200);
          assert.equal(body.router.proxy_type, 'custom');
          assert.deepEqual(body.errors, []);
          // Only then it is resolved here.
          assert.equal(body.router.remote_ip, kind === 'socks5' ? '127.0.0.1' : null);
          const { hostname, port } = new URL(target);
          const asked =
            kind === 'socks5' && hostname === 'localhost'
              ? /^(127\.0\.0\.1|0:0:0:0:0:0:0:1)$/
              : new RegExp(`^${hostname}$`);
          assert.ok(proxy.targets.length > 0, 'nothing went through the proxy');
          const place = proxy.targets[0]!.split(/:(?=\d+$)/);
          assert.match(place[0]!, asked);
          assert.equal(place[1], port);
          const record = await service.api<string>('GET', `/api/v1/scrape/${body.id}/request/`);
          for (const told of [
            text,
            JSON.stringify(record.body),
            await service.output(),
            JSON.stringify(site.log),
          ])
            assert.doesNotMatch(told, /ge-heim/);
          assert.doesNotMatch(JSON.stringify(site.log), /proxy-auth/i);
        }
      });
    }
  }

  test('connections are used again, and none stays open', async () => {
    await using proxy = await start.open();
    for (const target of [site.url, site.httpsUrl!]) {
      const before = proxy.connections();
      for (let at = 0; at < 5; at++) {
        const { body } = await service.scrape({
          url: `${target}/text`,
          scraper: 'http',
          proxy: `http://127.0.0.1:${proxy.port}`,
          scraper_options: { verify_tls: false },
        });
        assert.equal(body.status_code, 200);
      }
      assert.equal(proxy.connections() - before, 1);
    }
  });

  test('hosts of bypass are reached without it', async () => {
    await using proxy = await start.open();
    const ask = { server: `http://127.0.0.1:${proxy.port}`, bypass: ['127.0.0.1'] };
    const { body } = await service.scrape({ url: `${site.url}/text`, scraper: 'http', proxy: ask });
    assert.equal(body.status_code, 200);
    assert.deepEqual(proxy.targets, []);
  });

  const answers = (text: string) => (socket: Socket) => void socket.end(text);
  const hostile: readonly (readonly [name: string, does: (socket: Socket) => void, reason: string])[] = [
    ['asks for credentials', answers('HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n'), 'auth'],
    [
      'forbids',
      answers('HTTP/1.1 403 No\r\nX-Squid-Error: ERR_ACCESS_DENIED 0\r\nContent-Length: 0\r\n\r\n'),
      'refused',
    ],
    [
      'cannot resolve',
      answers('HTTP/1.1 503 No\r\nX-Squid-Error: ERR_DNS_FAIL 0\r\nContent-Length: 0\r\n\r\n'),
      'dns',
    ],
    [
      'says so as RFC 9209 has it',
      answers('HTTP/1.1 502 No\r\nProxy-Status: p; error=dns_error\r\nContent-Length: 0\r\n\r\n'),
      'dns',
    ],
    [
      'has no answer in time',
      answers('HTTP/1.1 504 No\r\nProxy-Status: p; error=http_response_timeout\r\n\r\n'),
      'timeout',
    ],
    ['hangs up', (socket) => void socket.end(), 'protocol'],
    ['resets', (socket) => void socket.resetAndDestroy(), 'protocol'],
    ['speaks nonsense', answers('\0\0\0\0'), 'protocol'],
    ['answers with a page alone', answers('<html>buy our plan</html>'), 'protocol'],
    ['ends in the head', answers('HTTP/1.1 200'), 'protocol'],
  ];
  const ways = [
    ['http', 'http'],
    ['http', 'https'],
    ['http_impersonate', 'http'],
    ['http_impersonate', 'https'],
    ...(browser
      ? ([
          ['browser', 'http'],
          ['browser', 'https'],
        ] as const)
      : []),
  ] as const;
  for (const [name, does, reason] of hostile) {
    test(`a proxy that ${name}`, async () => {
      await using proxy = await startProxy({ hostile: does });
      await Promise.all(
        ways.map(async ([scraper, scheme]) => {
          const { status, body } = await service.scrape({
            url: `${scheme === 'http' ? site.url : site.httpsUrl}/text`,
            scraper,
            proxy: `http://127.0.0.1:${proxy.port}`,
            scraper_options: { verify_tls: false },
          });
          assert.equal(status, 502, `${scraper} ${scheme}`);
          assert.equal(body.code, 'proxy.failed', `${scraper} ${scheme} ${JSON.stringify(body.errors)}`);
          assert.equal(body.errors[0]!.details!.reason, reason, `${scraper} ${scheme}`);
          assert.equal(body.errors[0]!.source, 'proxy');
        }),
      );
    });
  }

  for (const kind of ['http', 'https', 'socks5', 'socks5h'])
    test(`${kind} where nothing listens, and where another protocol is spoken`, async () => {
      const ask = (port: number) =>
        service.scrape({ url: `${site.url}/text`, scraper: 'http', proxy: `${kind}://127.0.0.1:${port}` });
      const { body } = await ask(await closedPort());
      assert.deepEqual([body.code, body.errors[0]!.details!.reason], ['proxy.failed', 'refused']);
      await using proxy = await startProxy({ hostile: answers('SSH-2.0-nothing of the kind\r\n') });
      const other = await ask(proxy.port);
      assert.deepEqual(
        [other.body.code, other.body.errors[0]!.details!.reason],
        ['proxy.failed', 'protocol'],
      );
    });

  test('SOCKS that refuses credentials, and one that hangs up at them', async () => {
    await using proxy = await start.socks5();
    const { body } = await service.scrape({
      url: `${site.url}/text`,
      scraper: 'http',
      proxy: `socks5://user:wrong@127.0.0.1:${proxy.port}`,
    });
    assert.deepEqual([body.code, body.errors[0]!.details!.reason], ['proxy.failed', 'auth']);
  });

  test('a proxy that never answers ends with the time of the request', async () => {
    await using proxy = await startProxy({ hostile: () => {} });
    for (const url of [`${site.url}/text`, `${site.httpsUrl}/text`]) {
      const { status, body } = await service.scrape({
        url,
        scraper: 'http',
        timeout_ms: 1000,
        proxy: `http://127.0.0.1:${proxy.port}`,
      });
      assert.deepEqual([status, body.code], [504, 'timeout.total']);
    }
  });

  test('an error that the proxy reports about the target is an error of the target', async () => {
    await using proxy = await start.socks5();
    const port = await closedPort();
    const { body } = await service.scrape({
      url: `http://127.0.0.1:${port}/`,
      scraper: 'http',
      proxy: `socks5h://user:${SECRET}@127.0.0.1:${proxy.port}`,
    });
    assert.equal(body.code, 'connect.refused');
  });

  test('the address policy applies to the target and to the proxy', async () => {
    await using proxy: ProxyServer = await start.open();
    for (const scraper of ['http', 'http_impersonate', ...(browser ? ['browser'] : [])]) {
      const rows = [
        { url: 'http://10.1.2.3/', proxy: `http://127.0.0.1:${proxy.port}` },
        { url: 'https://169.254.169.254/', proxy: `http://127.0.0.1:${proxy.port}` },
        { url: `http://127.0.0.1:${service.port}/`, proxy: `socks5h://127.0.0.1:${proxy.port}` },
        { url: `${site.url}/text`, proxy: 'http://10.1.2.3:3128' },
        { url: `${site.url}/text`, proxy: `http://127.0.0.1:${service.port}` },
      ];
      for (const row of rows) {
        const { status, body } = await service.scrape({ ...row, scraper });
        assert.deepEqual([status, body.code], [403, 'policy.address'], JSON.stringify([row, body.errors]));
      }
    }
    assert.deepEqual(proxy.targets, []);
  });
});
