import assert from 'node:assert/strict';
import { isIPv4, isIPv6 } from 'node:net';
import { test } from 'node:test';
import { parseAddress, sameAddress } from '../../src/egress/address.ts';
import fc from '../helpers/fast-check.ts';

const CANONICAL: readonly (readonly [written: string, text: string])[] = [
  ['1.2.3.4', '1.2.3.4'],
  ['0.0.0.0', '0.0.0.0'],
  ['255.255.255.255', '255.255.255.255'],
  ['::', '::'],
  ['::1', '::1'],
  ['1::', '1::'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
  ['64:ff9b::8.8.8.8', '64:ff9b::808:808'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:7f00:1', '127.0.0.1'],
  ['0:0:0:0:0:ffff:7f00:0001', '127.0.0.1'],
  ['::ffff:0:7f00:1', '::ffff:0:7f00:1'],
];

const NOT_AN_ADDRESS: readonly string[] = [
  ...['', '.', '1', '127.1', '1.2.3', '1.2.3.4.', '1.2.3.4.5', '01.2.3.4', '1.2.3.04', '1.2.3.256', '1..3.4'],
  ...['0x7f.0.0.1', '2130706433', '1.2.3.4 ', ' 1.2.3.4', '1.2.3.-4', '1.2.3.4/32', '1.2.3.4:80', '１.2.3.4'],
  ...[
    ':',
    ':::',
    '1:::2',
    ':1::2',
    '1::2:',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
  ],
  ...[
    '1:2:3:4:5:6:7::8',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3',
    '::1.2.3.4:5',
    '::01.2.3.4',
  ],
  ...['[::1]', '::1%lo', 'fe80::1%25eth0', '::1/128', '::1 ', '1::2:3:4:5:6:7:8'],
];

test('an address is its bits, whatever its spelling', () => {
  for (const [written, text] of CANONICAL) assert.equal(parseAddress(written)?.text, text, written);
});

test('what is not exactly an address is none', () => {
  for (const text of NOT_AN_ADDRESS) assert.equal(parseAddress(text), null, JSON.stringify(text));
});

test('agrees with the runtime on random texts that look like addresses', () => {
  const piece = fc.constantFrom(
    '0',
    '1',
    'ff',
    'FFFF',
    '255',
    '256',
    '00',
    '12345',
    ':',
    ':',
    '::',
    '.',
    '.',
    'g',
  );
  const joined = (separator: string, maxLength: number) =>
    fc.array(piece, { maxLength }).map((pieces) => pieces.join(separator));
  const octet = fc.constantFrom('0', '00', '01', '1', '12', '255', '256', '1000', '');
  const octets = fc.array(octet, { minLength: 3, maxLength: 5 }).map((pieces) => pieces.join('.'));
  const text = fc.oneof(joined('', 17), joined(':', 9), octets);
  fc.assert(
    fc.property(text, (candidate) => {
      assert.equal(parseAddress(candidate) !== null, isIPv4(candidate) || isIPv6(candidate), candidate);
    }),
    { numRuns: 20_000 },
  );
});

test('all spellings of one IPv6 address are the same, and its text is that of the URL standard', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const full = groups.map((value) => value.toString(16).padStart(4, '0')).join(':');
      const parsed = parseAddress(full)!;
      const serialised = new URL(`http://[${full}]/`).hostname.slice(1, -1);
      assert.ok(sameAddress(parsed, parseAddress(full.toUpperCase())!));
      assert.ok(sameAddress(parsed, parseAddress(serialised)!));
      assert.ok(sameAddress(parsed, parseAddress(parsed.text)!));
      if (parsed.family === 6) assert.equal(parsed.text, serialised);
    }),
  );
});

test('the text of an IPv4 address gives it back, and the mapped form is the same address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (text) => {
      assert.equal(parseAddress(text)?.text, text);
      assert.ok(sameAddress(parseAddress(text)!, parseAddress(`::ffff:${text}`)!));
    }),
  );
});
