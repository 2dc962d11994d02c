import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../helpers/child.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';
import { type DnsServer, startDnsServer } from '../site/dns-server.ts';
import { failing } from './failing.ts';

/** Provokes every code that a scrape can end with (contract §8, after "the line"). */
describe('contract §10: codes of scrapes', { concurrency: true }, () => {
  const site = useSite();
  let service: Service;
  let dns: DnsServer;
  let folder: string;
  const servers: Server[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-codes-'));
    dns = await startDnsServer({
      'here.test': { addresses: ['127.0.0.1'] },
      'broken.test': { rcode: 'SERVFAIL' },
      'silent.test': { silent: true },
      // Queries for one name are shared, so each of the two asks for a name of its own.
      'silent-http.test': { silent: true },
      'silent-http-impersonate.test': { silent: true },
      'nodata.test': { addresses: [] },
      'inside.test': { addresses: ['10.0.0.1'] },
      'mixed.test': { addresses: ['127.0.0.1', '10.0.0.1'] },
      'metadata.test': { addresses: ['169.254.169.254'] },
    });
    service = await startService({ SLUICE_DNS_SERVERS: dns.address });
  });
  after(async () => {
    await service.end();
    await dns.close();
    rmSync(folder, { recursive: true });
    for (const server of servers) server.close();
  });

  const fails = failing(() => service);

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  /** A server that responds to every request with these bytes, then closes. */
  const saying = async (bytes: string): Promise<string> => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes, 'latin1'));
    });
    return `http://127.0.0.1:${await listen(server)}/`;
  };

  test('dns.not_found', async () => {
    for (const host of ['nowhere.test', 'nodata.test']) {
      const { router } = await fails({ url: `http://${host}/` }, 502, 'dns.not_found', false);
      assert.equal(router.attempts.length, 1, 'it ends the scrape');
    }
  });

  test('dns.failed; under auto it is tried three times', async () => {
    const { router } = await fails({ url: 'http://broken.test/' }, 502, 'dns.failed', true);
    assert.equal(router.attempts.length, 3);
    assert.equal(router.verdict?.kind, 'net');
    const once = await fails({ url: 'http://broken.test/', scraper: 'http' }, 502, 'dns.failed', true);
    assert.equal(once.router.attempts.length, 1);
    assert.equal(once.errors.length, 1);
  });

  test('a receiver of messages: unknown names are refused by name, names that cannot be looked up now are not', async () => {
    const alert = (host: string) =>
      service.api<{ detail: string; errors: object[] }>('POST', '/api/v1/alerts/', {
        body: {
          name: host,
          kind: 'site_success',
          channels: [{ type: 'slack', url: `http://${host}/services/T0` }],
        },
      });
    for (const [host, problem] of [
      ['nowhere.test', 'does not exist'],
      ['nodata.test', 'has no IP address'],
    ] as const) {
      const { status, body } = await alert(host);
      const message = `\`/channels/0/url\`: the host name ${host} ${problem}.`;
      assert.equal(status, 400);
      assert.partialDeepStrictEqual(body.errors, [
        { code: 'request.validation', message, pointer: '/channels/0/url' },
      ]);
    }
    for (const host of ['broken.test', 'silent.test']) assert.equal((await alert(host)).status, 201, host);
  });

  test('a dead name server ends within the budget', async () => {
    // Repeated, because a busy machine may be late once.
    let took = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 4 && took >= 2500; time++) {
      const started = performance.now();
      const { status, body } = await service.scrape({
        url: 'http://silent.test/',
        timeout_ms: 2000,
        scraper: 'http',
      });
      assert.ok(
        (status === 502 && body.code === 'dns.failed') || (status === 504 && body.code === 'timeout.total'),
      );
      took = performance.now() - started;
    }
    assert.ok(took < 2500, `${took} ms`);
  });

  test('a name that resolves is scraped', async () => {
    const { status, body } = await service.scrape({ url: site.url.replace('127.0.0.1', 'here.test') });
    assert.equal(status, 200);
    assert.equal(body.router.remote_ip, '127.0.0.1');
    assert.match(body.final_url!, /^http:\/\/here\.test:/);
  });

  test('policy.address: one text for all, no address in it, nothing delivered', async () => {
    const texts = new Set<string>();
    const redirect = `${site.url}/redirect-to?url=${encodeURIComponent('http://10.0.0.1/secret')}`;
    for (const url of [
      'http://10.0.0.1/',
      'http://inside.test/',
      'http://mixed.test/',
      'http://metadata.test/',
      'http://169.254.169.254/latest/',
      'http://[fe80::1]/',
      'http://0.0.0.0/',
      'http://0xa000001/',
      redirect,
      `http://127.0.0.1:${service.port}/healthz`,
    ]) {
      const body = await fails({ url }, 403, 'policy.address', false);
      texts.add(body.detail!);
      assert.equal(body.router.attempts.length, 1);
      assert.doesNotMatch(body.detail!, /\d+\.\d+\.\d+\.\d+|::/);
      assert.equal(body.router.redirects.length, url === redirect ? 1 : 0);
    }
    assert.equal(texts.size, 1, [...texts].join('\n'));
  });

  test('policy.domain on a redirect', async () => {
    const { body: key } = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'here', domains: ['here.test'] },
    });
    const here = site.url.replace('127.0.0.1', 'here.test');
    assert.equal((await service.scrape({ url: `${here}/text` }, { key: key.key })).status, 200);
    const away = `${here}/redirect-to?url=${encodeURIComponent(`${site.url}/text`)}`;
    const { status, body } = await service.scrape({ url: away }, { key: key.key });
    assert.equal(status, 403);
    assert.equal(body.code, 'policy.domain');
    assert.ok(body.id, 'this one is a scrape');
    assert.equal(body.content, null);
    assert.equal(body.router.redirects.length, 1);
  });

  test('connect.refused', async () => {
    const { router } = await fails({ url: 'http://127.0.0.1:1/' }, 502, 'connect.refused', true);
    assert.equal(router.attempts.length, 1);
  });

  test('a method that is sent once is not retryable once it may have arrived, and is not repeated', async () => {
    site.log.length = 0;
    const post = { url: `${site.url}/close-at-once`, method: 'POST', data: 'x' };
    const sent = await fails(post, 502, 'connect.reset', false);
    assert.equal(sent.router.attempts.length, 1);
    assert.equal(site.log.filter((seen) => seen.method === 'POST').length, 1);
    await fails({ url: 'http://127.0.0.1:1/', method: 'POST', data: 'x' }, 502, 'connect.refused', true);
  });

  test('connect.reset; under auto it is tried three times', async () => {
    const { router } = await fails({ url: `${site.url}/close-at-once` }, 502, 'connect.reset', true);
    assert.equal(router.attempts.length, 3);
  });

  test('connect.timeout after 10 s', async (t) => {
    const full = await fullBacklog();
    if (full === null) return t.skip('needs python3 for a listener that never accepts');
    try {
      const started = performance.now();
      await fails({ url: `http://127.0.0.1:${full.port}/`, scraper: 'http' }, 502, 'connect.timeout', true);
      const took = performance.now() - started;
      // Less than `timeout_ms`, which would be another code.
      assert.ok(took > 9500, `took ${took} ms`);
    } finally {
      full.child.kill();
    }
  });

  test('connect.unreachable', async (t) => {
    const script = join(import.meta.dirname, 'unreachable.ts');
    const inside = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', process.execPath, script];
    if (spawnSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up']).status !== 0)
      return t.skip('needs unshare and ip, to be where there is no route');
    const { code, stdout, stderr } = await runChild('unshare', inside);
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(JSON.parse(stdout), { status: 502, code: 'connect.unreachable', retryable: true });
  });

  test('http.protocol', async () => {
    for (const bytes of ['SSH-2.0-OpenSSH_9.2\r\n', 'HTTP/1.1 abc\r\n\r\n', '\x00\x01\x02\x03'])
      await fails({ url: await saying(bytes), scraper: 'http' }, 502, 'http.protocol', true);
  });

  test('redirect.too_many, redirect.invalid', async () => {
    const loop = await fails({ url: `${site.url}/redirect/30` }, 502, 'redirect.too_many', false);
    assert.equal(loop.router.redirects.length, 21);
    await fails({ url: `${site.url}/redirect-to?url=ftp%3A%2F%2Fx%2F` }, 502, 'redirect.invalid', false);
  });

  test('timeout.total', async () => {
    const { detail } = await fails({ url: `${site.url}/hang`, timeout_ms: 3000 }, 504, 'timeout.total', true);
    assert.match(
      detail ?? '',
      /^Timed out after \d+\.\d s: the server accepted the connection, but sent no response\.$/,
    );
    const post = { url: `${site.url}/hang`, timeout_ms: 1000, method: 'POST', data: 'x' };
    await fails(post, 504, 'timeout.total', false);
  });

  test('timeout.total says after how long, what it waited for, and by which scraper', async (t) => {
    // Accepts connections, and says nothing.
    const silent = createServer((socket) => socket.on('error', () => {}).resume());
    const port = await listen(silent);
    const full = await fullBacklog();
    t.after(() => full?.child.kill());
    const casesOf = (scraper: string): readonly (readonly [url: string, phase: string, told: RegExp])[] => [
      [
        `http://127.0.0.1:${port}/`,
        'response',
        /^Timed out after \d\.\d s: the server accepted the connection, but/,
      ],
      [`https://127.0.0.1:${port}/`, 'tls', /^Timed out after \d\.\d s: the TLS handshake with 127\.0\.0\.1/],
      [
        `http://silent-${scraper.replace('_', '-')}.test/`,
        'dns',
        /the name server had not answered for silent-http/,
      ],
      [`${site.url}/redirect-to?url=http://127.0.0.1:${port}/`, 'redirect', /the page that it redirects to/],
      ...(full === null
        ? []
        : [[`http://127.0.0.1:${full.port}/`, 'connect', /had not accepted a connection/] as const]),
    ];
    for (const scraper of ['http', 'http_impersonate'])
      for (const [url, phase, told] of casesOf(scraper)) {
        // Less than the resolver takes for its tries.
        const { body } = await service.scrape({ url, scraper, timeout_ms: 1500 });
        const [error] = body.errors as readonly (ScrapeAnswer['errors'][number] & { scraper?: string })[];
        assert.match(body.detail!, told, `${scraper}, ${phase}: ${body.detail}`);
        assert.deepEqual(
          [error!.code, error!.details?.phase, error!.scraper],
          ['timeout.total', phase, scraper],
        );
      }
  });

  describe('in a 200', () => {
    const partial = async (path: string, code: string, more: Record<string, unknown> = {}) => {
      const url = path.startsWith('http') ? path : site.url + path;
      const { status, body } = await service.scrape({ url, ...more });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.status_code, 200);
      assert.equal(body.errors[0]?.code, code);
      assert.equal(body.router.outcome, 'partial');
      assert.notEqual(body.content, null);
      return body;
    };

    test('content.incomplete', async () => {
      const body = await partial('/close-midway', 'content.incomplete');
      assert.equal(body.content, 'x'.repeat(500));
      assert.equal(body.errors[0]?.retryable, true);
    });
    test('content.truncated', async () => {
      const body = await partial('/html/50000', 'content.truncated', {
        scraper_options: { max_content_bytes: 1234 },
      });
      assert.equal(body.content?.length, 1234);
    });
    test('content.decode_failed: raw bytes when nothing can be decoded', async () => {
      const url = await saying(
        'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 11\r\n\r\nnot gzipped',
      );
      const body = await partial(url, 'content.decode_failed', { scraper_options: { extract: { a: 'p' } } });
      assert.match(body.errors[1]!.message, /HTML and XML; the body of this page could not be decoded\.$/);
      assert.equal(body.content_encoding, 'base64');
      assert.equal(Buffer.from(body.content!, 'base64').toString(), 'not gzipped');
    });
    test('timeout.total in the middle of the body', async () => {
      const body = await partial('/drip?bytes=100&ms=100', 'timeout.total', {
        scraper: 'http',
        timeout_ms: 4000,
      });
      assert.ok(body.content!.length > 0);
      assert.match(
        body.errors[0]!.message,
        /^Timed out after \d\.\d s: the response had begun, but its body/,
      );
    });
    test('accept.unmet', async () => {
      const { status, body } = await service.scrape({
        url: `${site.url}/text`,
        router: { accept: { contains: 'nothing', min_bytes: 5 }, ignore: ['browser', 'http_impersonate'] },
      });
      assert.equal(status, 200);
      assert.equal(body.router.outcome, 'unaccepted');
      assert.equal(body.errors[0]?.code, 'accept.unmet');
      assert.equal(body.content, 'plain text\n');
      assert.equal(body.router.attempts.length, 1, 'the same way is not taken again for it');
    });
  });
});

/** A listener whose queue is full and that never accepts: connecting to it gets no answer, as with a dead host. */
async function fullBacklog(): Promise<{ port: number; child: ChildProcess } | null> {
  const script = `
import socket, sys, time
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(0)
held = []
for _ in range(3):
    c = socket.socket(); c.setblocking(False)
    try: c.connect(s.getsockname())
    except BlockingIOError: pass
    held.append(c)
time.sleep(0.2)
print(s.getsockname()[1], flush=True)
time.sleep(60)
`;
  const child = spawn('python3', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const failed = once(child, 'error').then(() => null);
  const [line] = (await Promise.race([once(child.stdout, 'data'), failed])) ?? [null];
  return line === null ? null : { port: Number(String(line)), child };
}
