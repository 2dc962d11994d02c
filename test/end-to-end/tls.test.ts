import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Authority, createAuthority, type KeyPair } from '../helpers/certificates.ts';
import { listen } from '../helpers/free-port.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { failing } from './failing.ts';

describe('contract §10: tls.invalid', () => {
  const site = useSite({ tls: true });
  const servers: Server[] = [];
  let service: Service;
  let authority: Authority;
  let folder: string;
  const fails = failing(() => service);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'));
    authority = createAuthority();
    writeFileSync(join(folder, 'ca.pem'), authority.cert);
    service = await startService({ SLUICE_CA_FILE: join(folder, 'ca.pem') });
  });
  after(async () => {
    for (const server of servers) server.close();
    authority[Symbol.dispose]();
    rmSync(folder, { recursive: true });
    await service.end();
  });

  const tls = async (pair: KeyPair, options: Record<string, unknown> = {}): Promise<string> => {
    const server = createServer({ ...pair, ...options }, (_request, response) => response.end('secret page'));
    server.on('tlsClientError', () => {});
    servers.push(server);
    server.unref();
    await listen(server);
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const here = 'IP:127.0.0.1,DNS:localhost';
  const cases: [string, () => Promise<string>][] = [
    ['self_signed', async () => `${site.httpsUrl}/text`],
    ['expired', async () => tls(authority.issue({ names: here, years: -0.1 }))],
    ['hostname', async () => tls(authority.issue({ names: 'DNS:other.example' }))],
    [
      'untrusted',
      async () => {
        using stranger = createAuthority();
        return await tls(stranger.issue({ names: here }));
      },
    ],
    [
      'weak',
      async () => tls(authority.issue({ names: here, rsaBits: 1024 }), { ciphers: 'DEFAULT@SECLEVEL=0' }),
    ],
  ];
  for (const [reason, start] of cases)
    test(reason, async () => {
      const url = await start();
      const { errors } = await fails({ url, scraper: 'http' }, 502, 'tls.invalid', false);
      assert.equal(errors[0]?.details?.reason, reason, JSON.stringify(errors));
      if (reason === 'weak') return;
      const { status, body } = await service.scrape({ url, scraper_options: { verify_tls: false } });
      assert.equal(status, 200, 'verify_tls: false skips the check');
      assert.ok(body.content!.length > 5);
    });

  test('a certificate of the configured authority is trusted', async () => {
    const { status, body } = await service.scrape({ url: await tls(authority.issue({ names: here })) });
    assert.equal(status, 200);
    assert.equal(body.content, 'secret page');
  });

  test('TLS sessions without verification are not resumed with verification', async () => {
    const url = await tls(authority.issue({ names: 'DNS:other.example' }));
    await service.scrape({ url, scraper_options: { verify_tls: false } });
    await fails({ url, scraper: 'http' }, 502, 'tls.invalid', false);
  });
});
