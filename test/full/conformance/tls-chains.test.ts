import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { CHAINS, tlsFile } from '../../conformance/tls-chains.ts';
import { DATA, WITHOUT_DATA } from '../../egress/conformance.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { type DnsServer, startDnsServer } from '../../site/dns-server.ts';

/** Where the name server sends every name: not the address that anything is called by. */
const PLACE = '127.0.0.7';
const PAGE = 'a page behind TLS';
const LENIENT: TlsOptions = { ciphers: 'DEFAULT:@SECLEVEL=0', minVersion: 'TLSv1.2' };

describe('certificate chains', { skip: WITHOUT_DATA }, () => {
  const authority = createAuthority();
  const servers: Server[] = [];
  const seen: { sni: unknown; host: string | undefined }[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'));
  let dns: DnsServer;
  let service: Service;

  before(async () => {
    dns = await startDnsServer({
      '*.badssl.test': { addresses: [PLACE] },
      '*.own.test': { addresses: [PLACE] },
    });
    dns.reply('login.captive-portal.badssl.test', { addresses: [PLACE] });
    dns.reply('localhost.own.test', { addresses: [PLACE] });
    const ca = join(folder, 'ca.pem');
    // One file, several authorities, as operators have them.
    writeFileSync(
      ca,
      [tlsFile('badssl', 'ca-root.crt'), tlsFile('expired', 'ca', 'ca.crt'), authority.cert].join('\n'),
    );
    service = await startService({ SLUICE_CA_FILE: ca, SLUICE_DNS_SERVERS: dns.address });
  });
  after(async () => {
    await service?.end();
    await dns?.close();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
    authority[Symbol.dispose]();
  });

  async function serve(options: TlsOptions, place = PLACE): Promise<number> {
    const server = createHttpsServer({ ...LENIENT, ...options }, (request, response) => {
      seen.push({ sni: (request.socket as { servername?: unknown }).servername, host: request.headers.host });
      response.setHeader('connection', 'close');
      response.end(PAGE);
    });
    server.on('tlsClientError', () => {});
    server.listen(0, place);
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  /** What a scrape says of the chain: `valid`, or the reason. */
  async function verdict(host: string, port: number, verify = true): Promise<string> {
    seen.length = 0;
    const url = `https://${host}:${port}/`;
    const { status, body } = await service.scrape({
      url,
      scraper: 'http',
      scraper_options: { verify_tls: verify },
    });
    if (status !== 200) {
      assert.deepEqual([status, body.code, body.content], [502, 'tls.invalid', null], JSON.stringify(body));
      return String(body.errors[0]!.details!.reason);
    }
    assert.equal(body.content, PAGE);
    assert.equal(body.router.remote_ip, host === 'localhost' ? '127.0.0.1' : PLACE);
    assert.deepEqual(seen, [{ sni: host, host: `${host}:${port}` }]);
    return 'valid';
  }

  it('every chain of badssl.com is in the table', () => {
    const files = new Set(CHAINS.map(({ file }) => file));
    assert.deepEqual([...files].sort(), readdirSync(join(DATA!, 'tls', 'badssl', 'chain')).sort());
  });

  it('each chain is taken or refused as the table says', async (t) => {
    const keys = keysByPublicKey();
    let right = 0;
    let valid = 0;
    for (const { file, host, expect, never } of CHAINS) {
      const cert = tlsFile('badssl', 'chain', file);
      const key = keys.get(publicKeyOf(cert))!;
      const port = await serve({ key, cert });
      const told = await verdict(host, port);
      // Of two faults either may be told.
      const late = outOfDate(cert);
      const wanted = late ? ['expired', ...(expect === 'valid' ? [] : [expect])] : [expect];
      assert.ok(wanted.includes(told), `${file} for ${host}: ${told}, not ${wanted.join(' or ')}`);
      const waived = await verdict(host, port, false);
      assert.equal(waived, never === true ? expect : 'valid', `${file}, not verified`);
      right++;
      if (told === 'valid') valid++;
    }
    t.diagnostic(
      `${right} rows of ${new Set(CHAINS.map(({ file }) => file)).size} chains right, ${valid} valid`,
    );
  });

  it('certificates made now: in force, over, not yet, for another name, of two faults', async () => {
    const rows: [string, string, string, Parameters<typeof authority.issue>[0]][] = [
      ['in force', 'a.own.test', 'valid', { names: 'DNS:a.own.test' }],
      ['a wildcard', 'a.own.test', 'valid', { names: 'DNS:*.own.test' }],
      ['over', 'a.own.test', 'expired', { names: 'DNS:a.own.test', years: -1 }],
      ['not yet', 'a.own.test', 'expired', { names: 'DNS:a.own.test', from: 1, years: 2 }],
      ['over, and for another name', 'a.own.test', 'expired', { names: 'DNS:b.own.test', years: -1 }],
      ['for another name', 'a.own.test', 'hostname', { names: 'DNS:b.own.test' }],
      [
        'a wildcard covers one label',
        'localhost.own.test',
        'hostname',
        { names: 'DNS:*.localhost.own.test' },
      ],
      ['for an address only', 'a.own.test', 'hostname', { names: `IP:${PLACE}` }],
      ['a weak key', 'a.own.test', 'weak', { names: 'DNS:a.own.test', rsaBits: 1024 }],
    ];
    for (const [what, host, expect, ask] of rows) {
      assert.equal(await verdict(host, await serve(authority.issue(ask))), expect, what);
    }
  });

  it('the chains for localhost', async () => {
    const valid = {
      key: tlsFile('valid', 'server', 'server.key'),
      cert: tlsFile('valid', 'server', 'server.pem'),
    };
    const expired = {
      key: tlsFile('expired', 'server', 'server.key'),
      cert: tlsFile('expired', 'server', 'server.pem'),
    };
    const late = outOfDate(valid.cert);
    const here = await serve(valid, '127.0.0.1');
    assert.equal(await verdict('localhost', here), late ? 'expired' : 'valid');
    assert.equal(await verdict('localhost.own.test', await serve(valid)), late ? 'expired' : 'hostname');
    assert.equal(await verdict('localhost', await serve(expired, '127.0.0.1')), 'expired');
    const client = { ca: tlsFile('expired', 'ca', 'ca.crt'), requestCert: true, rejectUnauthorized: true };
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const own = authority.issue({ names: 'DNS:a.own.test' });
      const port = await serve({ ...own, ...client, minVersion: version, maxVersion: version });
      assert.equal(await verdict('a.own.test', port), 'other', `${version}, a client certificate is wanted`);
    }
  });
});

/** PEM of the key by what identifies it. */
function keysByPublicKey(): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const file of readdirSync(join(DATA!, 'tls', 'badssl', 'key'))) {
    const key = tlsFile('badssl', 'key', file);
    keys.set(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(), key);
  }
  return keys;
}

function publicKeyOf(cert: string): string {
  return new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

/** Whether any certificate of the chain is not in force today. */
function outOfDate(chain: string): boolean {
  return chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!.some((pem) => {
    const { validFrom, validTo } = new X509Certificate(pem);
    return Date.parse(validFrom) > Date.now() || Date.parse(validTo) < Date.now();
  });
}
