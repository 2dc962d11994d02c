import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { createAuthority, type KeyPair } from '../../helpers/certificates.ts';
import { useOwnService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const NAMES = { names: 'IP:127.0.0.1' };

describe('a browser takes the authorities of the operator, whatever HTTP their targets speak', {
  skip,
}, () => {
  const authority = createAuthority();
  const stranger = createAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ca-'));
  writeFileSync(join(folder, 'ca.pem'), authority.cert);
  const service = useOwnService({ SLUICE_CA_FILE: join(folder, 'ca.pem') });
  const servers: Http2SecureServer[] = [];
  after(() => {
    for (const server of servers) server.close();
    authority[Symbol.dispose]();
    stranger[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });
  const start = async (pair: KeyPair, protocols: string[]) => {
    const server = createSecureServer(
      { ...pair, allowHTTP1: protocols.includes('http/1.1'), ALPNProtocols: protocols },
      (request, response) => {
        response.setHeader('content-type', 'text/html');
        if (request.url === '/') response.end('<p id=out></p><script src=/script></script>');
        else response.end(`out.textContent = 'over ${request.httpVersion}'`);
      },
    ).listen(0, '127.0.0.1');
    server.on('sessionError', () => {});
    servers.push(server);
    await once(server, 'listening');
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  const cases: [protocols: string[], version: string][] = [
    [['h2'], '2.0'],
    [['h2', 'http/1.1'], '1.1'],
    [['http/1.1'], '1.1'],
  ];
  for (const [protocols, version] of cases)
    test(`a target that speaks ${protocols.join(' and ')}`, async () => {
      const url = await start(authority.issue(NAMES), protocols);
      for (let n = 0; n < 2; n++) {
        const { body, text } = await service.scrape({ url, scraper: 'browser' });
        assert.deepEqual([body.status_code, body.errors], [200, []], text);
        assert.match(body.content!, new RegExp(`over ${version}`));
      }
    });

  test('a certificate of another authority is refused', async () => {
    for (const protocols of [['h2'], ['http/1.1']]) {
      const url = await start(stranger.issue(NAMES), protocols);
      const { status, body } = await service.scrape({ url, scraper: 'browser' });
      assert.deepEqual(
        [status, body.code, body.errors[0]?.details?.reason],
        [502, 'tls.invalid', 'untrusted'],
        protocols.join(),
      );
    }
  });
});
