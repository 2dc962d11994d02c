import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { type TlsFailureReason, tlsFailure } from '../../../src/http-client/tls.ts';
import { fetchWith, pageOf, textOf } from '../../contracts/fetch-order.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { selfSigned } from '../../site/certificate.ts';
import { httpScraper } from './kit.ts';
import { rawServer, until } from './raw-server.ts';

const authority = createAuthority();
const stranger = createAuthority();
after(() => {
  authority[Symbol.dispose]();
  stranger[Symbol.dispose]();
});
const CA = [authority.cert];

/** An HTTPS site with these options; its port. */
async function site(
  t: TestContext,
  options: TlsOptions,
): Promise<{ port: number; sessions: boolean[]; names: unknown[] }> {
  const sessions: boolean[] = [];
  const names: unknown[] = [];
  const server = createHttpsServer(options, (_request, response) => response.end('secret page'));
  server.on('secureConnection', (socket) => {
    sessions.push(socket.isSessionReused());
    names.push(socket.servername);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sessions, names };
}

test('a valid certificate, by name and by address', async (t) => {
  const scraper = httpScraper(t, CA);
  const { port, names } = await site(t, authority.issue({ names: 'DNS:localhost,IP:127.0.0.1' }));
  const named = await pageOf(scraper, `https://localhost:${port}/`);
  assert.equal(textOf(named), 'secret page');
  assert.ok(named.timing.tls !== null && named.timing.tls > 0);
  assert.equal(textOf(await pageOf(scraper, `https://127.0.0.1:${port}/`)), 'secret page');
  assert.deepEqual(names, ['localhost', false]);
});

test('what is wrong with a certificate is told, and can be waived', async (t) => {
  const scraper = httpScraper(t, CA);
  const old: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' };
  const rows: [name: string, options: () => TlsOptions, reason: TlsFailureReason][] = [
    ['expired', () => authority.issue({ names: 'DNS:localhost', years: -1 }), 'expired'],
    ['another name', () => authority.issue({ names: 'DNS:other.example' }), 'hostname'],
    ['another authority', () => stranger.issue({ names: 'DNS:localhost' }), 'untrusted'],
    [
      'a weak key',
      () => ({
        ...authority.issue({ names: 'DNS:localhost', rsaBits: 1024 }),
        ciphers: 'DEFAULT:@SECLEVEL=0',
      }),
      'weak',
    ],
    ['an old protocol', () => ({ ...authority.issue({ names: 'DNS:localhost' }), ...old }), 'weak'],
    ['signed by itself', () => selfSigned(), 'self_signed'],
  ];
  for (const [name, options, reason] of rows) {
    const { port } = await site(t, options());
    const url = `https://localhost:${port}/`;
    const refused = await fetchWith(scraper, url);
    assert.equal(refused.failure?.code, 'tls.invalid', name);
    assert.equal(refused.failure.details?.reason, reason, `${name}: ${JSON.stringify(refused.failure)}`);
    assert.equal(refused.sent, false, name);
    const waived = await fetchWith(scraper, url, { options: { verifyTls: false } });
    assert.ok(waived.page !== null, `${name}: ${JSON.stringify(waived.failure)}`);
    assert.equal(textOf(waived), 'secret page', name);
    // What was waived once is not waived for others.
    assert.equal((await fetchWith(scraper, url)).failure?.code, 'tls.invalid', name);
  }
});

test('sessions are resumed', async (t) => {
  const scraper = httpScraper(t, CA);
  const { port, sessions } = await site(t, authority.issue({ names: 'DNS:localhost' }));
  const task = { method: 'POST', body: null } as const;
  for (let i = 0; i < 3; i++) await pageOf(scraper, `https://localhost:${port}/`, task);
  assert.deepEqual(sessions, [false, true, true]);
});

test('a peer that goes away during the handshake is connect.reset, one that speaks no TLS is tls.invalid', async (t) => {
  const scraper = httpScraper(t, CA);
  const endings: ['end' | 'reset', string][] = [
    ['end', 'connect.reset'],
    ['reset', 'connect.reset'],
  ];
  for (const [how, code] of endings) {
    const server = await rawServer(t, (socket) => {
      socket.once('data', () => (how === 'end' ? socket.end() : socket.resetAndDestroy()));
    });
    const fetched = await fetchWith(scraper, `https://localhost:${server.port}/`);
    assert.equal(fetched.failure?.code, code, how);
    assert.equal(fetched.sent, false);
  }
  const plain = await rawServer(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  const fetched = await fetchWith(scraper, `https://localhost:${plain.port}/`);
  assert.equal(fetched.failure?.code, 'tls.invalid');
  assert.equal(fetched.failure.details?.reason, 'other');
  await until(() => plain.open.size === 0, 'closed');
});

test('a handshake that hangs ends with the time, and its connection too', async (t) => {
  const scraper = httpScraper(t, CA);
  const server = await rawServer(t, (socket) => socket.resume());
  const fetched = await fetchWith(scraper, `https://localhost:${server.port}/`, { timeoutMs: 200 });
  assert.equal(fetched.failure?.code, 'timeout.total');
  await until(() => server.open.size === 0, 'closed');
});

test('error codes by what they mean', () => {
  const rows: [code: string, reason: TlsFailureReason][] = [
    ['CERT_HAS_EXPIRED', 'expired'],
    ['CERT_NOT_YET_VALID', 'expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'hostname'],
    ['CA_MD_TOO_WEAK', 'weak'],
    ['ERR_SSL_DH_KEY_TOO_SMALL', 'weak'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'weak'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'other'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'other'],
  ];
  for (const [code, reason] of rows) {
    const failed = tlsFailure(Object.assign(new Error('x'), { code }), 'a.example');
    assert.equal(failed.code, 'tls.invalid');
    assert.equal(failed.details?.reason, reason, code);
  }
  const unspecified = Object.assign(new Error('EE certificate key too weak'), { code: 'UNSPECIFIED' });
  assert.equal(tlsFailure(unspecified, 'a.example').details?.reason, 'weak');
  for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT']) {
    assert.equal(tlsFailure(Object.assign(new Error('x'), { code }), 'a.example').code, 'connect.reset');
  }
});
