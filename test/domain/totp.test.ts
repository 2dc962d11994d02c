import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase32, parseTotpSeed, type Totp, totpCode } from '../../src/domain/totp.ts';

/** RFC 6238, appendix B, with the lengths of the seeds that its erratum 2866 gives. */
const SEEDS = { sha1: 20, sha256: 32, sha512: 64 } as const;
const VECTORS = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
] as const;

const secretOf = (length: number) => Buffer.from('1234567890'.repeat(7).slice(0, length));

function parsed(seed: string): Totp {
  const totp = parseTotpSeed(seed);
  assert.ok(!('problem' in totp), `${seed}: ${JSON.stringify(totp)}`);
  return totp;
}

test('codes are those of RFC 6238, appendix B', () => {
  for (const [seconds, ...codes] of VECTORS)
    for (const [i, algorithm] of (['sha1', 'sha256', 'sha512'] as const).entries()) {
      const secret = secretOf(SEEDS[algorithm]);
      for (const digits of [6, 7, 8])
        assert.equal(
          totpCode({ secret, algorithm, digits, periodMs: 30_000 }, seconds * 1_000 + 999),
          codes[i]!.slice(-digits),
        );
    }
});

test('a seed is Base32 as sites show it', () => {
  assert.equal(encodeBase32(Buffer.from('foob')), 'MZXW6YQ');
  const plain = parsed('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  assert.deepEqual(plain, { secret: secretOf(20), algorithm: 'sha1', digits: 6, periodMs: 30_000 });
  for (const seed of [' gezd gnbv gy3t qojq gezd gnbv gy3t qojq ', 'GEZD-GNBV-GY3T-QOJQ-GEZD-GNBV-GY3T-QOJQ'])
    assert.deepEqual(parsed(seed), plain);
  assert.deepEqual(parsed('MZXW6YQ=').secret, Buffer.from('foob'));
});

test('a seed is the URI of a QR code', () => {
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  assert.equal(
    totpCode(parsed(`otpauth://totp/Shop:ann%40example.com?secret=${seed}&issuer=Shop`), 59_000),
    '287082',
  );
  const long = `otpauth://totp/x?secret=${encodeBase32(secretOf(32))}&algorithm=SHA256&digits=8&period=60`;
  assert.equal(totpCode(parsed(long), 118_000), '46119246');
  assert.equal(parsed(`OTPAUTH://TOTP/x?secret=${seed}&algorithm=HmacSHA512`).algorithm, 'sha512');
});

test('what is no seed has a reason, without the seed', () => {
  const seed = 'GEZDGNBVGY3TQOJQ';
  for (const [text, reason] of [
    ['', /Base32/],
    ['12345678', /Base32/],
    ['secret!', /Base32/],
    [`otpauth://hotp/x?secret=${seed}&counter=1`, /by counter/],
    ['otpauth-migration://offline?data=CjEK', /exports of several/],
    ['otpauth://totp/x', /no secret/],
    [`otpauth://totp/x?secret=${seed}&algorithm=MD5`, /SHA1, SHA256 or SHA512/],
    [`otpauth://totp/x?secret=${seed}&digits=9`, /6, 7 or 8/],
    [`otpauth://totp/x?secret=${seed}&period=0`, /1 to 999/],
  ] as const) {
    const result = parseTotpSeed(text);
    assert.ok('problem' in result, text);
    assert.match(result.problem, reason);
    assert.doesNotMatch(result.problem, new RegExp(seed));
  }
});
