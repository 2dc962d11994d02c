import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  encodeBase62,
  fingerprintKey,
  generateKey,
  parseKey,
  randomBase62,
} from '../../src/account/tokens.ts';
import fc from '../helpers/fast-check.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('key text', () => {
  it('is slc_live_ with id, secret and checksum, and reads back', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const { text, id } = generateKey();
      assert.match(text, /^slc_live_[0-9A-Za-z]{61}$/);
      assert.deepEqual(parseKey(text), { id });
      assert.equal(text.slice(9, 21), id);
      seen.add(text);
    }
    assert.equal(seen.size, 200);
  });

  it('is invalid with any one character changed', () => {
    const { text } = generateKey();
    for (let at = 0; at < text.length; at++) {
      for (const digit of [...DIGITS, '_', '-', ' ']) {
        if (digit !== text[at]) {
          assert.equal(parseKey(text.slice(0, at) + digit + text.slice(at + 1)), null, `${at} ${digit}`);
        }
      }
    }
    assert.equal(parseKey(text.slice(0, -1)), null);
    assert.equal(parseKey(`${text}0`), null);
    assert.equal(parseKey(`${text}\n`), null);
  });

  it('has a known checksum', () => {
    const body = `slc_live_${'0'.repeat(55)}`;
    let crc = 0xffffffff;
    for (const byte of Buffer.from(body)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    const checksum = encodeBase62((crc ^ 0xffffffff) >>> 0, 6);
    assert.deepEqual(parseKey(body + checksum), { id: '0'.repeat(12) });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(parseKey(text), null)));
  });

  it('shows of an own token at most a third', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{16,200}$/), (text) => {
        const { id, hash, prefix, last4 } = fingerprintKey(text);
        assert.equal(id, null);
        assert.equal(hash.length, 32);
        assert.ok(
          text.startsWith(prefix) && text.endsWith(last4) && last4.length === 4 && prefix.length <= 12,
        );
        assert.ok(prefix.length + last4.length <= text.length / 3 || prefix === '' || text.length < 18);
      }),
    );
  });
});

describe('base62', () => {
  const cases: [number: number, width: number, text: string][] = [
    [0, 6, '000000'],
    [61, 1, 'z'],
    [62, 2, '10'],
    [0xffffffff, 6, '4gfFC3'],
  ];
  for (const [number, width, text] of cases) it(text, () => assert.equal(encodeBase62(number, width), text));

  it('draws all characters about equally often', () => {
    const counts = new Map<string, number>();
    for (const char of randomBase62(62_000)) counts.set(char, (counts.get(char) ?? 0) + 1);
    assert.equal(counts.size, 62);
    for (const [char, count] of counts) assert.ok(count > 800 && count < 1200, `${char} ${count}`);
  });
});
