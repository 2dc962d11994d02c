import assert from 'node:assert/strict';
import { createDiffieHellmanGroup } from 'node:crypto';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { fetchWith, pageOf } from '../../contracts/fetch-order.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { httpScraper } from './kit.ts';
import { rawServer, until } from './raw-server.ts';

const authority = createAuthority();
after(() => authority[Symbol.dispose]());
const names = 'DNS:localhost,IP:127.0.0.1';
const ec = authority.issue({ names });
const rsa = authority.issue({ names, rsaBits: 2048 });
const ANY = 'DEFAULT:@SECLEVEL=0';

async function port(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const tlsSite = (t: TestContext, options: TlsOptions): Promise<number> => {
  const server = createHttpsServer(options, (_request, response) => {
    response.setHeader('connection', 'close');
    response.end('a page');
  });
  server.on('tlsClientError', () => {});
  return port(t, server);
};

/** `code` or `code reason`; what is refused leaves nothing sent. */
async function told(scraper: Scraper, at: number, verifyTls = true): Promise<string> {
  const fetched = await fetchWith(scraper, `https://localhost:${at}/`, {
    options: { verifyTls },
    timeoutMs: 3_000,
  });
  if (fetched.page !== null) return 'page';
  const { code, details } = fetched.failure;
  return details?.reason === undefined ? code : `${code} ${details.reason}`;
}

test('what is too old or too weak is weak, and read all the same when verification is waived', async (t) => {
  const scraper = httpScraper(t, [authority.cert]);
  const old = (version: 'TLSv1' | 'TLSv1.1'): TlsOptions => ({
    ...ec,
    minVersion: version,
    maxVersion: version,
    ciphers: ANY,
  });
  const tls12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
  const rows: [what: string, options: TlsOptions, waived: string][] = [
    ['TLS 1.0', old('TLSv1'), 'page'],
    ['TLS 1.1', old('TLSv1.1'), 'page'],
    [
      'Diffie-Hellman of 1,024 bits',
      { ...rsa, ...tls12, dhparam: oakley2(), ciphers: `DHE:@SECLEVEL=0` },
      'page',
    ],
    ['RSA of 1,024 bits', { ...authority.issue({ names, rsaBits: 1024 }), ciphers: ANY }, 'page'],
    // What no current library speaks at all: RC4 and export ciphers end like these.
    ['ciphers that encrypt nothing', { ...ec, ...tls12, ciphers: 'eNULL:@SECLEVEL=0' }, 'tls.invalid weak'],
    ['ciphers without a certificate', { ...ec, ...tls12, ciphers: 'aNULL:@SECLEVEL=0' }, 'tls.invalid weak'],
  ];
  for (const [what, options, waived] of rows) {
    const at = await tlsSite(t, options);
    assert.equal(await told(scraper, at), 'tls.invalid weak', what);
    assert.equal(await told(scraper, at, false), waived, `${what}, waived`);
  }
});

test('peers that speak no TLS, or break it off', async (t) => {
  const scraper = httpScraper(t, [authority.cert]);
  const alert = (number: number) => Buffer.from([21, 3, 3, 0, 2, 2, number]);
  const rows: [what: string, expect: string, serve: (socket: Socket) => void, asked?: boolean][] = [
    ['plain HTTP', 'tls.invalid other', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    [
      'a greeting before the hello',
      'tls.invalid other',
      (socket) => socket.write('220 mail ESMTP\r\n'),
      false,
    ],
    ['bytes that mean nothing', 'tls.invalid other', (socket) => socket.end(Buffer.alloc(4096, 0xfe))],
    ['a record that is too long', 'tls.invalid other', (socket) => socket.end(record(0x16, 0xffff))],
    ['its own hello again', 'tls.invalid other', (socket) => socket.pipe(socket), false],
    [
      'half a record, then the end',
      'connect.reset',
      (socket) => socket.end(record(0x16, 100).subarray(0, 20)),
    ],
    ['the end at once', 'connect.reset', (socket) => socket.end()],
    ['a reset', 'connect.reset', (socket) => socket.resetAndDestroy()],
    [
      'half a record, then silence',
      'timeout.total',
      (socket) => socket.write(record(0x16, 100).subarray(0, 20)),
    ],
    ['a byte at a time for ever', 'timeout.total', drip],
    ['alert: no cipher in common', 'tls.invalid weak', (socket) => socket.end(alert(40))],
    ['alert: protocol version', 'tls.invalid weak', (socket) => socket.end(alert(70))],
    ['alert: insufficient security', 'tls.invalid weak', (socket) => socket.end(alert(71))],
    ['alert: unknown name', 'tls.invalid other', (socket) => socket.end(alert(112))],
    ['alert: internal error', 'tls.invalid other', (socket) => socket.end(alert(80))],
    ['alert: no protocol of ours', 'http.protocol', (socket) => socket.end(alert(120))],
  ];
  await Promise.all(
    rows.map(async ([what, expect, serve, asked = true]) => {
      const server = await rawServer(t, (socket) => {
        if (asked) socket.once('data', () => serve(socket));
        else serve(socket.resume());
      });
      assert.equal(await told(scraper, server.port), expect, what);
      await until(() => server.open.size === 0, `${what}: closed`);
    }),
  );
});

test('a server that asks for a client certificate', async (t) => {
  const scraper = httpScraper(t, [authority.cert]);
  const asks = { ...ec, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  const sites = [
    tlsSite(t, { ...asks, maxVersion: 'TLSv1.2' }),
    tlsSite(t, { ...asks, minVersion: 'TLSv1.3' }),
    port(
      t,
      createSecureServer(asks).on('tlsClientError', () => {}),
    ),
  ];
  for (const [n, site] of sites.entries())
    assert.equal(await told(scraper, await site), 'tls.invalid other', `${n}`);
  // A wish is not a demand.
  assert.equal(await told(scraper, await tlsSite(t, { ...asks, rejectUnauthorized: false })), 'page');
});

test('sessions are resumed with TLS 1.2 and 1.3, over HTTP/1.1 and HTTP/2, never from unverified ones', async (t) => {
  const resumed: boolean[] = [];
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    for (const http2 of [true, false]) {
      const scraper = httpScraper(t, [authority.cert]);
      const server = createSecureServer({
        ...ec,
        allowHTTP1: true,
        minVersion: version,
        maxVersion: version,
      });
      server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()));
      server.on('request', (_request, response) => response.end('a page'));
      const url = `https://localhost:${await port(t, server)}/`;
      t.after(() => scraper.close());
      resumed.length = 0;
      // POST, so that each has a connection of its own.
      const task = (verifyTls: boolean) => ({ method: 'POST', options: { http2, verifyTls } }) as const;
      for (const verifyTls of [false, false, true, true, true]) await pageOf(scraper, url, task(verifyTls));
      assert.deepEqual(resumed, [false, true, false, true, true], `${version} ${http2 ? 'h2' : 'h1'}`);
    }
  }
});

/** The head of a TLS record, and as many bytes as it promises (at most 70,000). */
function record(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(5 + length);
  bytes.set([type, 3, 3, length >> 8, length & 255]);
  return bytes;
}

function drip(socket: Socket): void {
  const bytes = record(0x16, 16_000);
  let at = 0;
  const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 20);
  socket.once('close', () => clearInterval(timer));
}

/** The second Oakley group (RFC 2409 §6.2) in the form of PKCS #3. */
function oakley2(): string {
  const prime = createDiffieHellmanGroup('modp2').getPrime();
  const body = Buffer.concat([Buffer.from([2, 0x81, prime.length + 1, 0]), prime, Buffer.from([2, 1, 2])]);
  const base64 = Buffer.concat([Buffer.from([0x30, 0x81, body.length]), body]).toString('base64');
  return `-----BEGIN DH PARAMETERS-----\n${base64}\n-----END DH PARAMETERS-----\n`;
}
