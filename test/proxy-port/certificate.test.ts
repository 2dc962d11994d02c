import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { leafCertificate, newAuthority, newKeyPair, pemOf } from '../../src/base/certificate.ts';
import { systemClock } from '../../src/base/time.ts';
import { createSealer, encryptionKey } from '../../src/domain/sealing.ts';
import { Authority, certificateIn, openAuthorityPem } from '../../src/proxy-port/authority.ts';

const NOW = Date.UTC(2026, 10, 26);
const made = newAuthority('Sluice proxy port', NOW);
const pem = made.certificate + pemOf(made.key);
const authority = new X509Certificate(pem);
const leafFor = (host: string, now = NOW) => leafCertificate([host], newKeyPair().publicKey, made, now);
const HOSTS = [
  'example.com',
  'a_b.example',
  `${'long.'.repeat(40)}example`,
  '192.0.2.1',
  '2001:db8::1',
  '::1',
];

describe('the certificates of the proxy port', () => {
  test('are for the host and nothing else, and signed by the authority', () => {
    for (const host of HOSTS) {
      const leaf = new X509Certificate(leafFor(host));
      assert.ok(leaf.checkIssued(authority), host);
      assert.ok(leaf.verify(authority.publicKey), host);
      assert.equal(leaf.ca, false);
      const matches = /^[\d.]+$|:/.test(host) ? leaf.checkIP(host) : leaf.checkHost(host);
      assert.notEqual(matches, undefined, host);
      assert.equal(leaf.checkHost('other.example'), undefined);
    }
  });

  test('hold the strict rules of OpenSSL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-certificate-'));
    try {
      writeFileSync(join(folder, 'ca.pem'), certificateIn(pem));
      for (const host of HOSTS) {
        writeFileSync(join(folder, 'leaf.pem'), leafFor(host));
        const time = String(NOW / 1000);
        execFileSync(
          'openssl',
          [
            'verify',
            '-x509_strict',
            '-purpose',
            'sslserver',
            '-attime',
            time,
            '-CAfile',
            'ca.pem',
            'leaf.pem',
          ],
          {
            cwd: folder,
            stdio: 'pipe',
          },
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('have times after 2049 too', () => {
    const leaf = new X509Certificate(leafFor('example.com', Date.UTC(2061, 0, 2)));
    assert.match(leaf.validFrom, /2061/);
  });

  test('come from one authority, which the store has sealed', async () => {
    const sealer = createSealer([encryptionKey(new Uint8Array(32).fill(1))]);
    let stored: Uint8Array | null = null;
    const secrets = {
      getOrAdd: (_name: string, sealed: Uint8Array) => {
        stored ??= sealed;
        return Promise.resolve(stored);
      },
    };
    const first = await openAuthorityPem(secrets, sealer, systemClock);
    assert.equal(await openAuthorityPem(secrets, sealer, systemClock), first);
    assert.match(first, /PRIVATE KEY/);
    assert.ok(!Buffer.from(stored!).toString('latin1').includes('PRIVATE'));
  });

  test('are kept for a host, and made anew before they expire', () => {
    let now = NOW;
    const kept = new Authority(pem, () => now);
    const first = kept.contextFor('example.com');
    assert.equal(kept.contextFor('EXAMPLE.com'), first);
    now += 60 * 86_400_000;
    assert.notEqual(kept.contextFor('example.com'), first);
  });
});
