import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import { cidrContains, parseAddress, parseCidr } from '../../src/egress/address.ts';
import fc from '../helpers/fast-check.ts';

const holds = (cidr: string, address: string) => cidrContains(parseCidr(cidr)!, parseAddress(address)!);

test('reads ranges and bare addresses, and nothing else', () => {
  for (const text of [
    '10.0.0.0/8',
    '127.0.0.1/8',
    '1.2.3.4',
    '0.0.0.0/0',
    '::/0',
    '::1',
    'fd00::/8',
    '::1/128',
  ])
    assert.ok(parseCidr(text), text);
  const bad = [
    '',
    '/',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10/8',
  ];
  for (const text of [
    ...bad,
    '::/129',
    '::1%lo',
    'fe80::%lo/64',
    'localhost',
    '10.0.0.0/8 ',
    '1.2.3.4/255.0.0.0',
  ])
    assert.equal(parseCidr(text), null, text);
});

test('names a single address only when it holds just one', () => {
  assert.equal(parseCidr('169.254.169.254')?.single?.text, '169.254.169.254');
  assert.equal(parseCidr('169.254.169.254/32')?.single?.text, '169.254.169.254');
  assert.equal(parseCidr('::ffff:169.254.169.254')?.single?.text, '169.254.169.254');
  assert.equal(parseCidr('fd00:ec2::254/128')?.single?.text, 'fd00:ec2::254');
  assert.equal(parseCidr('169.254.169.254/31')?.single, null);
});

test('families do not mix, but a v4-mapped range is the IPv4 range', () => {
  assert.ok(!holds('::/0', '10.0.0.1'));
  assert.ok(!holds('0.0.0.0/0', '2001:db8::1'));
  assert.ok(holds('::ffff:10.0.0.0/104', '10.1.2.3'));
  assert.ok(holds('10.0.0.0/8', '::ffff:10.1.2.3'));
});

test('holds the same addresses as the block list of the runtime', () => {
  const address = fc.oneof(
    fc.record({ text: fc.ipV4(), family: fc.constant('ipv4' as const) }),
    fc.record({ text: fc.ipV6(), family: fc.constant('ipv6' as const) }),
  );
  const near = fc.tuple(address, fc.nat(128), fc.nat(127)).map(([{ text, family }, bits, flip]) => {
    const length = family === 'ipv4' ? bits % 33 : bits;
    return { text, family, length, flip };
  });
  fc.assert(
    fc.property(near, ({ text, family, length, flip }) => {
      const base = parseAddress(text);
      // Texts with an IPv4 address inside may be v4-mapped, where the block list has its own opinion.
      fc.pre(base !== null && base.family === (family === 'ipv4' ? 4 : 6));
      const list = new BlockList();
      list.addSubnet(text, length, family);
      const other = flipBit(base!.text, family, flip);
      assert.equal(
        holds(`${text}/${length}`, other),
        list.check(other, family),
        `${text}/${length} ${other}`,
      );
    }),
    { numRuns: 2000 },
  );
});

/** The same address with one bit turned over. */
function flipBit(text: string, family: 'ipv4' | 'ipv6', bit: number): string {
  const words = [...parseAddress(text)!.words].map((word) => word >>> 0);
  const at = family === 'ipv4' ? 96 + (bit % 32) : bit;
  words[at >> 5] = (words[at >> 5]! ^ (1 << (31 - (at & 31)))) >>> 0;
  if (family === 'ipv4') return [24, 16, 8, 0].map((shift) => (words[3]! >>> shift) & 255).join('.');
  return words.map((word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`).join(':');
}
