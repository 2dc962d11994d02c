import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ProxyAgent, request } from 'undici';
import { freePort } from '../../helpers/free-port.ts';
import { missing, runClient, useProxyPort } from '../../helpers/proxy-port.ts';
import { startService } from '../../helpers/service.ts';
import { selfSigned } from '../../site/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-tls-'));
after(() => rmSync(folder, { recursive: true }));
const own = selfSigned();
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
writeFileSync(certFile, own.cert);
writeFileSync(keyFile, own.key);

const port = useProxyPort(() => ({ SLUICE_PROXY_TLS_CERT: certFile, SLUICE_PROXY_TLS_KEY: keyFile }));

describe('the proxy port with TLS of its own', async () => {
  const skip = await missing('curl', '--version');

  it('serves http and https sites to undici', async () => {
    const dispatcher = new ProxyAgent({
      // undici takes no address as the name of a TLS server.
      uri: port.url().replace('127.0.0.1', 'localhost'),
      proxyTls: { ca: own.cert },
      requestTls: { ca: port.ca },
    });
    for (const base of [port.site.url, port.site.httpsUrl]) {
      const { statusCode, headers, body } = await request(`${base}/bytes/300000`, { dispatcher });
      assert.deepEqual([statusCode, headers['sluice-outcome']], [200, 'ok']);
      assert.equal((await body.arrayBuffer()).byteLength, 300_000);
    }
    await dispatcher.close();
  });

  it('serves http and https sites to curl', { skip }, async () => {
    for (const base of [port.site.url, port.site.httpsUrl]) {
      const args = ['-sS', '-x', port.url(), '--proxy-cacert', certFile, '--cacert', port.caFile];
      assert.match(await runClient('curl', [...args, `${base}/json`]), /A fixture/, base!);
    }
  });

  it('says that it listens with TLS', async () => {
    assert.match(await port.service.output(), /The proxy port listens on https:\/\/127\.0\.0\.1:\d+/);
  });
});

describe('the start of the proxy port', () => {
  it('is refused with half of a certificate, a wrong key, or a taken port', async () => {
    const other = join(folder, 'other.pem');
    writeFileSync(other, selfSigned().key);
    const proxyPort = String(await freePort());
    const cases: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
      [{ SLUICE_PROXY_TLS_CERT: certFile }, /SLUICE_PROXY_TLS_KEY must be set together/],
      [{ SLUICE_PROXY_TLS_CERT: certFile, SLUICE_PROXY_TLS_KEY: other }, /cannot be used: .*key/],
      [{ SLUICE_PROXY_TLS_CERT: keyFile, SLUICE_PROXY_TLS_KEY: keyFile }, /SLUICE_PROXY_TLS_CERT must name/],
      [{ SLUICE_PROXY_PORT: port.address.split(':')[1] }, /EADDRINUSE/],
      [{ SLUICE_PROXY_PORT: '', SLUICE_PROXY_TLS_KEY: keyFile }, /need SLUICE_PROXY_PORT/],
    ];
    for (const [env, message] of cases)
      await assert.rejects(startService({ SLUICE_PROXY_PORT: proxyPort, ...env }), message);
  });

  it('warns of a port without TLS that other machines can reach', async () => {
    const env = { SLUICE_PROXY_PORT: '0', SLUICE_HOST: '0.0.0.0', SLUICE_BASE_URL: 'https://sluice.example' };
    await using service = await startService(env);
    const output = await service.output();
    assert.match(
      output,
      /The proxy port listens on http:\/\/0\.0\.0\.0:\d+\nWarning: the proxy port can be reached/,
    );
    await using quiet = await startService({ SLUICE_PROXY_PORT: '0' });
    assert.doesNotMatch(await quiet.output(), /Warning: the proxy port/);
  });

  it('is off by default', async () => {
    await using service = await startService();
    const { status, body } = await service.api('GET', '/api/v1/proxy-ca.pem');
    assert.equal(status, 404);
    assert.equal((body as { code?: string }).code, 'request.not_found');
  });
});
