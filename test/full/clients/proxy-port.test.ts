import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Dispatcher, ProxyAgent, request } from 'undici';
import { useProxyPort } from '../../helpers/proxy-port.ts';
import { eventually, TEST_KEY } from '../../helpers/service.ts';
import { talk } from '../../helpers/talk.ts';

const port = useProxyPort();

/** Requests through the proxy, with a tunnel (CONNECT) also for http. */
async function through(
  url: string,
  {
    options = '',
    key = TEST_KEY,
    ...rest
  }: Partial<Dispatcher.RequestOptions> & { options?: string; key?: string } = {},
) {
  const agent = new ProxyAgent({
    uri: `http://${port.address}`,
    token: `Basic ${Buffer.from(`${key}:${options}`).toString('base64')}`,
    requestTls: { ca: port.ca },
    proxyTunnel: true,
  });
  try {
    const { statusCode, headers, body } = await request(url, { ...rest, dispatcher: agent } as never);
    const bytes = Buffer.from(await body.arrayBuffer());
    return { status: statusCode, headers, bytes, text: bytes.toString() };
  } finally {
    await agent.close();
  }
}

const basic = (options = '', key = TEST_KEY) =>
  `Proxy-Authorization: Basic ${Buffer.from(`${key}:${options}`).toString('base64')}\r\n`;

/** A request with an absolute URL, as raw text; the response as text. */
const raw = async (text: string) => (await talk(Number(port.address.split(':')[1]), [text])).text;

describe('the proxy port', () => {
  it('sends the response of an https site, with the headers of the scrape', async () => {
    const { status, headers, text } = await through(`${port.site.httpsUrl}/json`);
    assert.equal(status, 200);
    assert.equal(JSON.parse(text).title, 'A fixture');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['sluice-outcome'], 'ok');
    assert.equal(headers['sluice-scraper'], 'http');
    assert.equal(headers['sluice-error'], undefined);
    const record = await port.service.api('GET', `/api/v1/scrape/${headers['sluice-scrape-id']}`);
    assert.equal(record.status, 200);
  });

  it('sends the request as it came, without fields of the connection and without its own', async () => {
    port.site.log.length = 0;
    const answered = await raw(
      `POST ${port.site.url}/echo HTTP/1.1\r\nHost: other\r\n${basic()}X-Mine: b\r\nX-Hop: 1\r\nTE: trailers\r\nConnection: close, X-Hop\r\nProxy-Connection: keep-alive\r\nSluice-Options: timeout_ms=5000\r\nContent-Length: 4\r\n\r\nbody`,
    );
    assert.match(answered, /^HTTP\/1\.1 200 /);
    const seen = port.site.log.at(-1)!;
    assert.equal(seen.method, 'POST');
    assert.equal(seen.body.toString(), 'body');
    assert.deepEqual(seen.headers.map(([name]) => name.toLowerCase()).sort(), [
      'content-length',
      'host',
      'x-mine',
    ]);
  });

  it('returns statuses, redirects and cookies of the site as they are', async () => {
    assert.equal((await through(`${port.site.url}/status/404`)).status, 404);
    assert.equal((await through(`${port.site.url}/status/503`)).status, 503);
    const redirect = await through(`${port.site.url}/redirect-to?url=/json`);
    assert.equal(redirect.status, 302);
    assert.equal(redirect.headers.location, '/json');
    const followed = await through(`${port.site.url}/redirect-to?url=/json`, {
      options: 'allow_redirects=true',
    });
    assert.equal(followed.status, 200);
    const cookies = await raw(
      `GET ${port.site.url}/cookies?a=1&b=2 HTTP/1.1\r\nHost: x\r\n${basic()}Connection: close\r\n\r\n`,
    );
    assert.match(cookies, /^HTTP\/1\.1 (?:200|302) /);
  });

  it('decodes the content, and describes it as it is sent', async () => {
    for (const coding of ['gzip', 'br', 'zstd', 'deflate']) {
      const { headers, text } = await through(`${port.site.url}/${coding}`);
      assert.equal(headers['content-encoding'], undefined, coding);
      assert.equal(Number(headers['content-length']), Buffer.byteLength(text), coding);
      assert.match(text, /<html/i, coding);
    }
  });

  it('sends the bytes of the site, and stores its text', async () => {
    for (const path of ['/charset/windows-1252', '/charset/shift_jis?in=meta', '/charset/utf-16le']) {
      const own = Buffer.from(await (await fetch(port.site.url + path)).arrayBuffer());
      const { headers, bytes } = await through(port.site.url + path);
      assert.deepEqual(bytes, own, path);
      const record = await port.service.api('GET', `/api/v1/scrape/${headers['sluice-scrape-id']}`);
      assert.equal((record.body as unknown as { content_encoding: string }).content_encoding, 'utf-8', path);
    }
  });

  it('answers HEAD with the length of the page', async () => {
    const { status, headers, text } = await through(`${port.site.url}/bytes/5000`, { method: 'HEAD' });
    assert.deepEqual([status, headers['content-length'], text], [200, '5000', '']);
  });

  it('reads options from password, header and JSON; the header wins', async () => {
    const refused = await through(`${port.site.url}/json`, { options: 'accept.status=404,500' });
    assert.equal(refused.headers['sluice-outcome'], 'unaccepted');
    const byHeader = await through(`${port.site.url}/json`, {
      options: 'accept.status=404',
      headers: { 'sluice-options': '{"accept": {"status": [200]}, "tags": {"team": "a"}}' },
    });
    assert.equal(byHeader.headers['sluice-outcome'], 'ok');
    const id = byHeader.headers['sluice-scrape-id'];
    const stored = await port.service.api('GET', `/api/v1/scrape/${id}/request/`);
    assert.deepEqual((stored.body as unknown as { router: unknown }).router, {
      trace: false,
      accept: { status: [200] },
      tags: { team: 'a' },
    });
  });

  it('refuses unknown options and invalid values, and names them', async () => {
    const unknown = await through(`${port.site.url}/json`, { options: 'contry=de' });
    assert.equal(unknown.status, 400);
    assert.equal(unknown.headers['sluice-error'], 'request.validation');
    assert.match(JSON.parse(unknown.text).detail, /"contry".*"country"/);
    const invalid = await through(`${port.site.url}/json`, { options: 'timeout_ms=soon' });
    assert.equal(invalid.status, 400);
    assert.equal(JSON.parse(invalid.text).errors[0].pointer, '/timeout_ms');
    for (const options of [
      'url=http://a/',
      'dry_run=true',
      'data=x',
      '{"scraper":',
      'scraper=http&scraper=auto',
    ])
      assert.equal((await through(`${port.site.url}/json`, { options })).status, 400, options);
  });

  it('answers 407 without a key or with a wrong one, for requests and tunnels', async () => {
    const without = await raw(`GET ${port.site.url}/json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    assert.match(without, /^HTTP\/1\.1 407 /);
    assert.match(without, /proxy-authenticate: Basic realm=/i);
    assert.match(without, /sluice-error: auth\.missing/i);
    const wrong = await raw(
      `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n${basic('', 'a-wrong-key-0123456789')}\r\n`,
    );
    assert.match(wrong, /^HTTP\/1\.1 407 /);
    assert.match(wrong, /sluice-error: auth\.invalid/i);
    assert.match(wrong, /proxy-authenticate: Basic/i);
  });

  it('answers 501 to WebSocket', async () => {
    const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`;
    const response = await raw(`GET ${port.site.url}/ HTTP/1.1\r\nHost: x\r\n${basic()}${upgrade}\r\n`);
    assert.match(response, /^HTTP\/1\.1 501 /);
    assert.match(response, /sluice-error: request\.upgrade/i);
    const tunnel = await raw(
      `CONNECT ${new URL(port.site.url).host} HTTP/1.1\r\n${basic()}\r\nGET / HTTP/1.1\r\nHost: ${new URL(port.site.url).host}\r\n${upgrade}\r\n`,
    );
    assert.match(tunnel, /^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 501 /);
  });

  it('reports failures with a code, as problems', async () => {
    const dead = await through('http://127.0.0.1:1/');
    assert.equal(dead.status, 502);
    assert.equal(dead.headers['sluice-error'], 'connect.refused');
    assert.equal(JSON.parse(dead.text).code, 'connect.refused');
    assert.equal(dead.headers['sluice-outcome'], 'failed');
    const slow = await through(`${port.site.url}/hang`, { options: 'timeout_ms=1000' });
    assert.equal(slow.status, 504);
    const origin = await raw(`GET /json HTTP/1.1\r\nHost: x\r\n${basic()}Connection: close\r\n\r\n`);
    assert.match(origin, /^HTTP\/1\.1 400 /);
  });

  it('reaches neither internal addresses nor the service itself', async () => {
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://192.168.1.1/']) {
      const { status, headers } = await through(url, { options: 'timeout_ms=5000' });
      assert.deepEqual([status, headers['sluice-error']], [403, 'policy.address'], url);
    }
    for (const address of [port.address, new URL(port.service.base).host])
      assert.equal((await through(`http://${address}/healthz`)).status, 403, address);
  });

  it('counts permits by request, not by connection', async () => {
    const key = await createKey({ concurrency: 1 });
    port.site.log.length = 0;
    const sockets = Array.from({ length: 20 }, () =>
      connect(Number(port.address.split(':')[1]), '127.0.0.1'),
    );
    const hanging = new AbortController();
    const first = through(`${port.site.url}/hang`, { key, signal: hanging.signal });
    first.catch(() => {});
    await eventually(() => port.site.log.some(({ url }) => url === '/hang'));
    const limited = await through(`${port.site.url}/json`, { key });
    assert.equal(limited.status, 429);
    assert.equal(limited.headers['sluice-error'], 'limit.concurrency');
    assert.ok(limited.headers['retry-after'] !== undefined);
    hanging.abort();
    await assert.rejects(first);
    await eventually(async () => (await through(`${port.site.url}/json`, { key })).status === 200);
    for (const socket of sockets) socket.destroy();
  });

  it('holds the domains, scopes and addresses of a key', async () => {
    const elsewhere = await createKey({ domains: ['example.com'] });
    const refused = await through(`${port.site.url}/json`, { key: elsewhere });
    assert.deepEqual([refused.status, refused.headers['sluice-error']], [403, 'policy.domain']);
    const readOnly = await createKey({ scopes: ['read'] });
    const answer = await raw(
      `GET ${port.site.url}/json HTTP/1.1\r\nHost: x\r\n${basic('', readOnly)}Connection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 403 [\s\S]*sluice-error: auth\.scope/i);
  });

  it('publishes its certificate, and keeps the key for itself', async () => {
    const certificate = new X509Certificate(port.ca);
    assert.equal(certificate.ca, true);
    assert.ok(certificate.checkIssued(certificate));
    assert.ok(!port.ca.includes('PRIVATE'));
    for (const file of readdirSync(port.service.dataDir, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        assert.ok(
          !readFileSync(join(file.parentPath, file.name), 'latin1').includes('PRIVATE KEY'),
          file.name,
        );
    const { stdout } = await port.service.cli(['ca']);
    assert.equal(stdout, port.ca);
    const renewed = await port.service.cli(['ca', '--new']);
    assert.match(renewed.stdout, /BEGIN CERTIFICATE/);
    assert.notEqual(renewed.stdout, port.ca);
    assert.equal((await port.service.cli(['ca'])).stdout, renewed.stdout);
  });

  it('refuses large bodies for browsers before they are read', async () => {
    const large = await raw(
      `POST ${port.site.url}/echo HTTP/1.1\r\nHost: x\r\n${basic('scraper=browser')}Content-Length: 6000000\r\n\r\n`,
    );
    assert.match(large, /^HTTP\/1\.1 413 [\s\S]*sluice-error: request\.too_large/i);
    const tooLarge = await raw(
      `POST ${port.site.url}/echo HTTP/1.1\r\nHost: x\r\n${basic()}Content-Length: 67108865\r\n\r\n`,
    );
    assert.match(tooLarge, /^HTTP\/1\.1 413 /);
  });
});

async function createKey(settings: object): Promise<string> {
  const created = await port.service.api('POST', '/api/v1/keys/', { body: { name: 'a key', ...settings } });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return (created.body as unknown as { key: string }).key;
}
