import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Clock } from '../../src/base/time.ts';
import { createDnsClient } from '../../src/egress/dns-client.ts';
import { createHostsFile } from '../../src/egress/hosts-file.ts';
import { createResolver, type Resolver } from '../../src/egress/resolver.ts';
import { type DnsServer, startDnsServer } from '../site/dns-server.ts';

/** A clock that only the test moves. */
function handClock(): Clock & { advance(ms: number): void } {
  let at = 1_000_000;
  const advance = (ms: number) => {
    at += ms;
  };
  return { now: () => at, monotonic: () => at, advance };
}

async function setUp(t: TestContext, hostsPath = '/nonexistent') {
  const dns = await startDnsServer();
  const clock = handClock();
  const client = createDnsClient([dns.address], clock);
  const resolver = createResolver({ client, hosts: createHostsFile(hostsPath, clock), clock });
  t.after(async () => {
    resolver.close();
    await dns.close();
  });
  return { dns, clock, resolver };
}

const never = new AbortController().signal;

/** What `connect` would see: the texts of the addresses, or the code of the trouble. */
async function look(resolver: Resolver, host: string): Promise<readonly string[] | string> {
  const { addresses, error } = resolver.resolveLocally(host) ?? (await resolver.resolve(host, never));
  return error === null ? addresses.map((address) => address.text) : error.code;
}

const asked = (dns: DnsServer, name: string) => dns.questions.filter((q) => q.name === name).length;

test('literals need no name server', async (t) => {
  const { dns, resolver } = await setUp(t);
  assert.deepEqual(await look(resolver, '192.0.2.1'), ['192.0.2.1']);
  assert.deepEqual(await look(resolver, '[2001:db8::1]'), ['2001:db8::1']);
  assert.deepEqual(await look(resolver, '[::ffff:7f00:1]'), ['127.0.0.1']);
  for (const host of ['[::1%lo]', '[::1', 'fe80::1%eth0', '[]', '[localhost]'])
    assert.deepEqual(await look(resolver, host), [], host);
  assert.equal(dns.questions.length, 0);
});

test('localhost is loopback without asking', async (t) => {
  const { dns, resolver } = await setUp(t);
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost', 'x.localhost.'])
    assert.deepEqual(await look(resolver, host), ['::1', '127.0.0.1'], host);
  assert.equal(dns.questions.length, 0);
});

test('both families, IPv6 first, are kept for the smallest TTL', async (t) => {
  const { dns, clock, resolver } = await setUp(t);
  dns.reply('site.test', { addresses: ['192.0.2.1', '2001:db8::1', '192.0.2.2'], ttl: 30 });
  assert.equal(resolver.resolveLocally('site.test'), null);
  const expected = ['2001:db8::1', '192.0.2.1', '192.0.2.2'];
  assert.deepEqual(await look(resolver, 'site.test'), expected);
  clock.advance(29_999);
  assert.deepEqual(await look(resolver, 'SITE.test.'), expected);
  assert.equal(asked(dns, 'site.test'), 2);
  clock.advance(1);
  assert.equal(resolver.resolveLocally('site.test'), null);
  await look(resolver, 'site.test');
  assert.equal(asked(dns, 'site.test'), 4);
});

test('a TTL above one hour counts as one hour', async (t) => {
  const { dns, clock, resolver } = await setUp(t);
  dns.reply('site.test', { addresses: ['192.0.2.1'], ttl: 86_400 });
  await look(resolver, 'site.test');
  clock.advance(3_599_999);
  assert.notEqual(resolver.resolveLocally('site.test'), null);
  clock.advance(1);
  assert.equal(resolver.resolveLocally('site.test'), null);
});

test('the TTL of a CNAME counts', async (t) => {
  const { dns, clock, resolver } = await setUp(t);
  const cnames = [
    { to: 'b.test', ttl: 300 },
    { to: 'c.test', ttl: 7 },
  ];
  dns.reply('a.test', { addresses: ['192.0.2.1'], ttl: 300, cnames });
  assert.deepEqual(await look(resolver, 'a.test'), ['192.0.2.1']);
  clock.advance(6_999);
  assert.notEqual(resolver.resolveLocally('a.test'), null);
  clock.advance(1);
  assert.equal(resolver.resolveLocally('a.test'), null);
});

test('an answer with TTL 0 serves those who wait for it, and nobody later', async (t) => {
  const { dns, resolver } = await setUp(t);
  dns.reply(
    'zero.test',
    { addresses: ['192.0.2.1'], ttl: 0, delayMs: 30 },
    { addresses: ['192.0.2.2'], ttl: 0 },
  );
  const both = await Promise.all([look(resolver, 'zero.test'), look(resolver, 'zero.test')]);
  assert.deepEqual(both, [['192.0.2.1'], ['192.0.2.1']]);
  assert.equal(asked(dns, 'zero.test'), 2);
  assert.equal(resolver.resolveLocally('zero.test'), null);
  assert.deepEqual(await look(resolver, 'zero.test'), ['192.0.2.2']);
});

test('concurrent look-ups of one name share one question', async (t) => {
  const { dns, resolver } = await setUp(t);
  dns.reply('busy.test', { addresses: ['192.0.2.1'], delayMs: 30 });
  const hosts = ['busy.test', 'BUSY.test', 'busy.test.'];
  const all = await Promise.all(Array.from({ length: 50 }, (_, i) => look(resolver, hosts[i % 3]!)));
  for (const one of all) assert.deepEqual(one, ['192.0.2.1']);
  assert.equal(asked(dns, 'busy.test'), 2);
});

test('who aborts leaves at once, the others get their answer', async (t) => {
  const { dns, resolver } = await setUp(t);
  dns.reply('slow.test', { addresses: ['192.0.2.1'], delayMs: 200 });
  const abort = new AbortController();
  const leaving = resolver.resolve('slow.test', abort.signal);
  const staying = resolver.resolve('slow.test', never);
  abort.abort();
  const order: string[] = [];
  await Promise.all([leaving.then(() => order.push('left')), staying.then(() => order.push('stayed'))]);
  assert.deepEqual(order, ['left', 'stayed']);
  assert.equal((await leaving).addresses, null);
  assert.deepEqual(await look(resolver, 'slow.test'), ['192.0.2.1']);
  assert.equal((await resolver.resolve('slow.test', abort.signal)).addresses, null);
});

test('names that are not there, or have no address, are remembered for 5 s', async (t) => {
  const { dns, clock, resolver } = await setUp(t);
  dns.reply('nodata.test', {});
  for (const name of ['gone.test', 'nodata.test']) {
    assert.equal(await look(resolver, name), 'dns.not_found');
    clock.advance(4_999);
    assert.equal(await look(resolver, name), 'dns.not_found');
    assert.equal(asked(dns, name), 2);
    clock.advance(1);
    assert.equal(await look(resolver, name), 'dns.not_found');
    assert.equal(asked(dns, name), 4);
  }
});

test('failures of the servers are not remembered', async (t) => {
  const { dns, resolver } = await setUp(t);
  for (const rcode of ['SERVFAIL', 'REFUSED'] as const) {
    const name = `${rcode.toLowerCase()}.test`;
    dns.reply(name, { rcode });
    assert.equal(await look(resolver, name), 'dns.failed');
    assert.equal(resolver.resolveLocally(name), null);
    dns.reply(name, { addresses: ['192.0.2.1'] });
    assert.deepEqual(await look(resolver, name), ['192.0.2.1']);
  }
});

test('no name server there', async (t) => {
  const { dns, resolver } = await setUp(t);
  await dns.close();
  assert.equal(await look(resolver, 'site.test'), 'dns.failed');
});

test('one family fails: the other is used, and soon both are asked again', async (t) => {
  const { dns, clock, resolver } = await setUp(t);
  dns.reply('half.test', { addresses: ['192.0.2.1'], ttl: 300, rcode: { AAAA: 'SERVFAIL' } });
  dns.reply('other.test', { addresses: ['2001:db8::1'], ttl: 300, rcode: { A: 'SERVFAIL' } });
  assert.deepEqual(await look(resolver, 'half.test'), ['192.0.2.1']);
  assert.deepEqual(await look(resolver, 'other.test'), ['2001:db8::1']);
  clock.advance(5000);
  assert.equal(resolver.resolveLocally('half.test'), null);
  assert.equal(resolver.resolveLocally('other.test'), null);
});

test('one family fails and the other has nothing: a failure, not an absence', async (t) => {
  const { dns, resolver } = await setUp(t);
  dns.reply('half.test', { rcode: { A: 'SERVFAIL' } });
  assert.equal(await look(resolver, 'half.test'), 'dns.failed');
});

test('a server that is silent about one family holds up nobody for long', async (t) => {
  const { dns, resolver } = await setUp(t);
  dns.reply('quiet.test', { addresses: ['192.0.2.1'], silent: { AAAA: true } });
  assert.deepEqual(await look(resolver, 'quiet.test'), ['192.0.2.1']);
  const asked = dns.questions.filter(({ type }) => type === 'AAAA');
  assert.equal(asked.length, 1, 'before the library asks again');
});

test('answers too long for UDP come over TCP', async (t) => {
  const { dns, resolver } = await setUp(t);
  const addresses = Array.from({ length: 100 }, (_, i) => `192.0.2.${i}`);
  dns.reply('long.test', { addresses, truncate: true });
  assert.deepEqual(await look(resolver, 'long.test'), addresses);
  assert.ok(dns.questions.some((question) => question.transport === 'tcp'));
});

test('underscores are fine; what DNS cannot hold is not found without asking', async (t) => {
  const { dns, resolver } = await setUp(t);
  dns.reply('underscore_names.example', { addresses: ['192.0.2.1'] });
  dns.reply(`${'x'.repeat(63)}.test`, { addresses: ['192.0.2.2'] });
  assert.deepEqual(await look(resolver, 'underscore_names.example'), ['192.0.2.1']);
  assert.deepEqual(await look(resolver, `${'x'.repeat(63)}.test`), ['192.0.2.2']);
  const before = dns.questions.length;
  const tooLong = `${'x.'.repeat(125)}test`;
  const bad = [
    `${'x'.repeat(64)}.test`,
    tooLong,
    'a..test',
    '.test',
    'test..',
    '.',
    '',
    'a!b.test',
    'a b.test',
  ];
  for (const host of [...bad, 'a\\.b.test', 'ü.test', 'some.invalid', 'service.onion'])
    assert.equal(await look(resolver, host), 'dns.not_found', host);
  assert.equal(dns.questions.length, before);
});

test('the hosts file comes before the name servers and is read again when it changes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'hosts');
  writeFileSync(
    path,
    '# comment\n192.0.2.1\tOne.test two.test # x.test\r\n::1 one.test\n\nnonsense three.test\n',
  );
  utimesSync(path, 1, 1);
  const { dns, clock, resolver } = await setUp(t, path);
  dns.reply('one.test', { addresses: ['192.0.2.99'] });
  assert.deepEqual(await look(resolver, 'one.test.'), ['192.0.2.1', '::1']);
  assert.deepEqual(await look(resolver, 'TWO.test'), ['192.0.2.1']);
  assert.equal(resolver.resolveLocally('x.test'), null);
  assert.equal(resolver.resolveLocally('three.test'), null);
  appendFileSync(path, '192.0.2.3 three.test\n');
  clock.advance(2000);
  assert.deepEqual(await look(resolver, 'three.test'), ['192.0.2.3']);
  rmSync(path);
  clock.advance(2000);
  assert.deepEqual(await look(resolver, 'one.test'), ['192.0.2.99']);
});

test('a resolver that is closed asks no more and ends what it asked', async (t) => {
  const { dns, resolver } = await setUp(t);
  dns.reply('mute.test', { silent: true });
  const waiting = look(resolver, 'mute.test');
  resolver.close();
  assert.equal(await waiting, 'dns.failed');
  assert.equal(await look(resolver, 'site.test'), 'dns.failed');
  assert.equal(asked(dns, 'site.test'), 0);
});
