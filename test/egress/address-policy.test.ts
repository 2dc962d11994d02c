import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { systemClock } from '../../src/base/time.ts';
import {
  addressFromWords,
  cidrContains,
  parseAddress,
  parseCidr,
  V4_MAPPED_WORD,
} from '../../src/egress/address.ts';
import { createAddressPolicy } from '../../src/egress/address-policy.ts';
import { METADATA_ADDRESSES, NON_PUBLIC } from '../../src/egress/special-addresses.ts';
import fc from '../helpers/fast-check.ts';
import { jsonLines, WITHOUT_DATA } from './conformance.ts';

const policy = (allow: readonly string[] = []) => createAddressPolicy(allow, systemClock);
const permits = (address: string, allow: readonly string[] = [], port = 80) =>
  policy(allow).permits(parseAddress(address)!, port);

const PUBLIC = [
  ...['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...[
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
  ],
  ...[
    '192.0.3.0',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
  ],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '168.63.129.15'],
  ...[
    '2001:200::',
    '2001:db7:ffff::1',
    '2001:db9::',
    '2003::',
    '2606:4700::1111',
    '2a00::1',
    '3ffd::1',
    '3fff:1000::',
  ],
  ...['::ffff:8.8.8.8', '::ffff:808:808', '2400::7f00:1'],
];

const NOT_PUBLIC = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.0'],
  ...[
    '127.255.255.255',
    '169.254.0.0',
    '169.254.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.0',
    '192.0.0.255',
  ],
  ...[
    '192.0.2.0',
    '192.88.99.0',
    '192.168.0.0',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.7',
  ],
  ...['203.0.113.255', '224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::2',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:10.0.0.1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ],
  ...['64:ff9b:1::1', '100::', '100:0:0:1::1', '1fff::1', '2001::', '2001:0:1::', '2001:2::1', '2001:10::1'],
  ...[
    '2001:20::1',
    '2001:30::1',
    '2001:1ff:ffff::1',
    '2001:db8::',
    '2002::',
    '2002:808:808::1',
    '2620:4f:8000::1',
  ],
  ...[
    '3ffe::1',
    '3fff::',
    '3fff:fff::1',
    '4000::',
    '5f00::1',
    '8000::',
    'fc00::',
    'fdff::1',
    'fe00::',
    'fe80::',
  ],
  ...['febf::1', 'fec0::1', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test('only public unicast is open', () => {
  for (const address of PUBLIC) assert.ok(permits(address), address);
  for (const address of NOT_PUBLIC) assert.ok(!permits(address), address);
});

test('agrees with every classified address', { skip: WITHOUT_DATA }, () => {
  const rows = jsonLines<{ ip: string; public: boolean }>('ssrf/ip-classes.jsonl');
  assert.ok(rows.length >= 57);
  for (const row of rows) assert.equal(permits(row.ip), row.public, row.ip);
});

/** A random address of a range. */
const inside = (cidr: string) => {
  const { base, mask } = parseCidr(cidr)!;
  return fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()).map((random) => {
    const word = (i: 0 | 1 | 2 | 3) => base[i] | ((random[i]! << 1) & ~mask[i]);
    return addressFromWords(word(0), word(1), word(2), word(3));
  });
};

test('no address of a closed range is open, and opening the range opens it', () => {
  for (const [cidr] of NON_PUBLIC) {
    const opened = policy([cidr]);
    const shut = policy();
    fc.assert(
      fc.property(inside(cidr), (address) => {
        assert.ok(cidrContains(parseCidr(cidr)!, address));
        assert.ok(!shut.permits(address, 80), address.text);
        const special = METADATA_ADDRESSES.some(([text]) => parseAddress(text)!.text === address.text);
        const leadsElsewhere = cidr === '2002::/16';
        if (!special && !leadsElsewhere && address.text !== '0.0.0.0') assert.ok(opened.permits(address, 80));
      }),
      { numRuns: 200 },
    );
  }
});

test('a v4-mapped address is judged as the IPv4 address inside', () => {
  const some = policy(['10.0.0.0/8', '::/0']);
  fc.assert(
    fc.property(fc.ipV4(), (text) => {
      const mapped = parseAddress(`::ffff:${text}`)!;
      assert.equal(some.permits(mapped, 80), some.permits(parseAddress(text)!, 80), text);
    }),
  );
});

test('random IPv6 outside 2000::/3 is closed', () => {
  const shut = policy();
  const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(word, word, word, word, (a, b, c, d) => {
      fc.pre(a >>> 29 !== 1 && !(a === 0 && b === 0 && c === V4_MAPPED_WORD) && a !== 0x0064ff9c);
      assert.ok(!shut.permits(addressFromWords(a, b, c, d), 80));
    }),
  );
});

test('metadata addresses open only by their own name', () => {
  const wide = ['0.0.0.0/0', '::/0'];
  for (const [address] of METADATA_ADDRESSES) {
    assert.ok(!permits(address), address);
    assert.ok(!permits(address, wide), address);
    assert.ok(permits(address, [...wide, address]), address);
    assert.ok(permits(address, [`${address}/${address.includes(':') ? 128 : 32}`]), address);
  }
  assert.ok(!permits('::ffff:169.254.169.254', wide));
});

test('through an allowed gateway prefix only open IPv4 addresses can be reached', () => {
  const allow = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '::/96'];
  for (const [forms, open] of [
    [['64:ff9b::8.8.8.8', '64:ff9b:1::8.8.8.8', '2002:808:808::1', '::8.8.8.8'], true],
    [['64:ff9b::10.0.0.1', '64:ff9b:1::10.0.0.1', '2002:a00:1::1', '::10.0.0.1'], false],
    [['64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe', '2002:a9fe:a9fe::', '::a9fe:a9fe'], false],
  ] as const) {
    for (const address of forms) assert.equal(permits(address, allow), open, address);
  }
  assert.ok(permits('64:ff9b::10.0.0.1', [...allow, '10.0.0.0/8']));
});

test('behind a NAT64 prefix of the operator every place counts where the IPv4 address may stand', () => {
  const allow = ['64:ff9b:1::/48'];
  // RFC 6052 §2.2 with /48, /56, /64 and /96.
  const forms = {
    '8.8.4.4': [
      '64:ff9b:1:808:4:400::',
      '64:ff9b:1:8:8:404::',
      '64:ff9b:1:0:8:804:400:0',
      '64:ff9b:1::808:404',
    ],
    '10.0.0.1': ['64:ff9b:1:a00:0:100::', '64:ff9b:1:a:0:1::', '64:ff9b:1:0:a:0:100:0', '64:ff9b:1::a00:1'],
    '127.0.0.1': ['64:ff9b:1:7f00:0:100::', '64:ff9b:1:7f:0:1::', '64:ff9b:1:0:7f:0:100:0'],
    '169.254.169.254': [
      '64:ff9b:1:a9fe:a9:fe00::',
      '64:ff9b:1:a9:fe:a9fe::',
      '64:ff9b:1:0:a9:fea9:fe00:0',
      '64:ff9b:1::a9fe:a9fe',
    ],
  };
  for (const [inner, addresses] of Object.entries(forms)) {
    for (const address of addresses)
      assert.equal(permits(address, allow), inner === '8.8.4.4', `${address} as ${inner}`);
  }
  for (const address of forms['10.0.0.1']) assert.ok(permits(address, [...allow, '10.0.0.0/8']), address);
  assert.ok(!permits('64:ff9b:1::', allow));
});

test('the unspecified addresses never open', () => {
  for (const address of ['0.0.0.0', '::', '::ffff:0.0.0.0'])
    assert.ok(!permits(address, ['0.0.0.0/0', '::/0', '0.0.0.0', '::']), address);
});

test('a bad range is refused when the policy is made', () => {
  for (const text of ['10.0.0.0/33', 'localhost', '']) assert.throws(() => policy([text]), RangeError);
});

test('one that took any free port closes it at its own address alone', () => {
  const made = policy(['127.0.0.0/8']);
  const reach = (text: string) => made.permits(parseAddress(text)!, 4000);
  const remove = made.ownListeners.add('127.0.0.1', 4000, { exact: true });
  assert.deepEqual(['127.0.0.1', '::ffff:127.0.0.1', '127.0.0.9'].map(reach), [false, false, true]);
  made.ownListeners.add('127.0.0.1', 4000);
  remove();
  assert.deepEqual(['127.0.0.1', '127.0.0.9'].map(reach), [false, false]);
});

test('own listeners stay closed where their address is allowed', () => {
  const allow = ['127.0.0.0/8', '::1/128', '0.0.0.0/0', '::/0'];
  const own = (bound: string) => {
    const made = policy(allow);
    made.ownListeners.add(bound, 8080);
    return (address: string, port = 8080) => made.permits(parseAddress(address)!, port);
  };
  const local = ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '::ffff:7f00:1', '::ffff:127.9.9.9'];
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((i) => i.address));
  for (const bound of ['0.0.0.0', '::', 'not an address', '127.0.0.1', '::1']) {
    const reach = own(bound);
    for (const address of local) assert.ok(!reach(address), `${address} of ${bound}`);
    for (const address of local) assert.ok(reach(address, 8081), `${address} of ${bound}, another port`);
    assert.ok(reach('203.0.113.99'));
  }
  for (const bound of ['0.0.0.0', '::']) {
    for (const address of interfaces) assert.ok(!own(bound)(address), address);
  }
  const one = own('203.0.113.99');
  assert.ok(!one('203.0.113.99') && one('203.0.113.98') && one('127.0.0.1'));
});
