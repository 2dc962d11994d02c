import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, it } from 'node:test';
import { addressBytes, inIpRange, parseIpRange } from '../../src/base/ip-range.ts';
import fc from '../helpers/fast-check.ts';

const contains = (range: string, address: string): boolean => {
  const parsed = parseIpRange(range);
  const bytes = addressBytes(address);
  assert.ok(parsed !== null && bytes !== null);
  return inIpRange(parsed, bytes);
};

describe('IP ranges', () => {
  const cases: [range: string, address: string, inside: boolean][] = [
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.9/24', '192.0.2.255', true],
    ['192.0.2.0/25', '192.0.2.128', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '10.0.0.1', false],
    ['::/0', '2001:db8::1', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:a01:203', true],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
    ['::ffff:10.0.0.0/104', '11.0.0.0', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['2001:db8::/33', '2001:db8:8000::', false],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', true],
    ['1::', '1:0:0:0:0:0:0:0', true],
    ['::1.2.3.4', '::102:304', true],
  ];
  for (const [range, address, inside] of cases) {
    it(`${range} ${inside ? 'contains' : 'does not contain'} ${address}`, () =>
      assert.equal(contains(range, address), inside));
  }

  for (const text of [
    '',
    ' ',
    '1.2.3',
    '1.2.3.4/',
    '1.2.3.4/33',
    '1.2.3.4/08',
    '1.2.3.4/-1',
    '::/129',
    '1.2.3.4 ',
    'fe80::1%eth0',
    'fe80::%1/64',
    'localhost',
    '01.2.3.4',
    '1.2.3.4/8/8',
    ':::',
    '[::1]',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseIpRange(text), null));
  }

  it('agrees with a comparison of bit strings', () => {
    const v4 = fc.ipV4().map((text) => [text, 32] as const);
    const v6 = fc.ipV6().map((text) => [text, 128] as const);
    // An address that shares the first bits, so that both answers occur.
    const bitsOf = (bytes: Uint8Array) =>
      [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    fc.assert(
      fc.property(fc.oneof(v4, v6), fc.oneof(v4, v6), fc.nat(128), ([net, width], [address], n) => {
        const bits = n % (width + 1);
        const range = parseIpRange(`${net}/${bits}`);
        const bytes = addressBytes(address);
        const netBytes = addressBytes(net);
        assert.ok(range !== null && bytes !== null && netBytes !== null);
        if (netBytes.length * 8 !== width) return;
        const same = netBytes.length === bytes.length;
        const naive = same && bitsOf(bytes).slice(0, bits) === bitsOf(netBytes).slice(0, bits);
        assert.equal(inIpRange(range, bytes), naive);
      }),
    );
  });

  it('agrees with node:net BlockList on neighbours', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.integer({ min: 0, max: 32 }),
        fc.integer({ min: 0, max: 31 }),
        (net, bits, flip) => {
          const bytes = addressBytes(net)!.slice();
          bytes[flip >> 3]! ^= 0x80 >> (flip & 7);
          const neighbour = bytes.join('.');
          const list = new BlockList();
          list.addSubnet(net, bits, 'ipv4');
          assert.equal(contains(`${net}/${bits}`, neighbour), list.check(neighbour, 'ipv4'));
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseIpRange(text);
        addressBytes(text);
      }),
    );
  });
});
