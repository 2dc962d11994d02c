import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/time.ts';
import type { ConnectResult } from '../../src/egress/connect-request.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { createEgress, type EgressOptions } from '../../src/egress/egress.ts';
import { METADATA_ADDRESSES } from '../../src/egress/special-addresses.ts';
import { startDnsServer } from '../site/dns-server.ts';
import { jsonLines, WITHOUT_DATA } from './conformance.ts';
import { closedPort, listen } from './loopback.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const never = new AbortController().signal;

async function setUp(t: TestContext, options: Partial<EgressOptions> = {}) {
  const dns = await startDnsServer();
  const egress = createEgress({
    allow: LOOPBACK,
    dnsServers: [dns.address],
    hostsFile: '/nonexistent',
    clock: systemClock,
    ...options,
  });
  t.after(async () => {
    egress.close();
    await dns.close();
  });
  return { dns, egress };
}

async function reach(egress: Egress, host: string, port: number): Promise<ConnectResult> {
  const dialled = await egress.connect({ host, port, signal: never });
  dialled.socket?.destroy();
  return dialled;
}

/** Is judged like any other port, but never dialled: with it no test can send anything to a real address. */
const NOWHERE = 0;

const code = async (egress: Egress, host: string, port: number) =>
  (await reach(egress, host, port)).failure?.code ?? 'connected';

test('connects by name and tells how long what took', async (t) => {
  const { dns, egress } = await setUp(t);
  const { port } = await listen(t);
  dns.reply('site.test', { addresses: ['127.0.0.1'], delayMs: 20 });
  const first = await reach(egress, 'site.test', port);
  assert.equal(first.failure, null);
  assert.equal(first.remoteIp, '127.0.0.1');
  assert.ok(first.dnsMs !== null && first.dnsMs >= 15);
  assert.ok(first.connectMs >= 0);
  const again = await reach(egress, 'site.test', port);
  assert.equal(again.dnsMs, null);
  const literal = await reach(egress, '127.0.0.1', port);
  assert.equal(literal.failure === null && literal.dnsMs, null);
});

test('with nothing allowed, loopback is closed by every name', async (t) => {
  const { dns, egress } = await setUp(t, { allow: [] });
  const listener = await listen(t);
  dns.reply('site.test', { addresses: ['127.0.0.1'] });
  dns.reply('mapped.test', { addresses: ['::ffff:127.0.0.1'] });
  const hosts = ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '0.0.0.0', '[::]', 'localhost', 'site.test'];
  for (const host of [
    ...hosts,
    'mapped.test',
    '127.8.8.8',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ])
    assert.equal(await code(egress, host, listener.port), 'policy.address', host);
  assert.equal(listener.accepted(), 0);
});

test('every refusal reads the same and names no address', async (t) => {
  const { dns, egress } = await setUp(t, { allow: [] });
  egress.addOwnListener('127.0.0.1', NOWHERE);
  dns.reply('inner.test', { addresses: ['10.1.2.3'] });
  const texts = new Set<string>();
  for (const host of [
    'inner.test',
    '10.0.0.1',
    '[fe80::1]',
    '[::1%lo]',
    '169.254.169.254',
    '127.0.0.1',
    'localhost',
  ])
    texts.add(JSON.stringify((await reach(egress, host, NOWHERE)).failure));
  assert.equal(texts.size, 1);
  assert.doesNotMatch([...texts][0]!, /\d/);
});

test('no closed address is dialled, as literal or as answer', { skip: WITHOUT_DATA }, async (t) => {
  const { dns, egress } = await setUp(t, { allow: [] });
  const rows = jsonLines<{ ip: string; public: boolean }>('ssrf/ip-classes.jsonl');
  for (const [i, { ip, public: open }] of rows.entries()) {
    if (open) continue;
    const literal = ip.includes(':') ? `[${ip}]` : ip;
    assert.equal(await code(egress, literal, NOWHERE), 'policy.address', ip);
    assert.equal(await code(egress, new URL(`http://${literal}/`).hostname, NOWHERE), 'policy.address', ip);
    dns.reply(`row-${i}.test`, { addresses: [ip] });
    assert.equal(await code(egress, `row-${i}.test`, NOWHERE), 'policy.address', ip);
  }
});

test('open addresses pass the policy', { skip: WITHOUT_DATA }, async (t) => {
  const { dns, egress } = await setUp(t, { allow: [] });
  const rows = jsonLines<{ ip: string; public: boolean }>('ssrf/ip-classes.jsonl').filter(
    (row) => row.public,
  );
  for (const [i, { ip }] of rows.entries()) {
    assert.equal(await code(egress, ip.includes(':') ? `[${ip}]` : ip, NOWHERE), 'connect.refused', ip);
    dns.reply(`open-${i}.test`, { addresses: [ip] });
    assert.equal(await code(egress, `open-${i}.test`, NOWHERE), 'connect.refused', ip);
  }
});

test('no URL of the collected attacks gets through', { skip: WITHOUT_DATA }, async (t) => {
  const { egress } = await setUp(t, { allow: [] });
  type Vector = { url: string; class: string; expect: string };
  const vectors = jsonLines<Vector>('ssrf/vectors.jsonl').filter((vector) => vector.expect === 'blocked');
  assert.ok(vectors.length > 0);
  for (const vector of vectors) {
    const expected = /^non-public-ip/.test(vector.class) ? /^policy\.address$/ : /^(policy\.address|dns\.)/;
    assert.match(await code(egress, new URL(vector.url).hostname, NOWHERE), expected, vector.url);
  }
});

test('metadata addresses stay closed in an open range', async (t) => {
  const { dns, egress } = await setUp(t, { allow: ['0.0.0.0/0', '::/0'] });
  for (const [i, [address]] of METADATA_ADDRESSES.entries()) {
    dns.reply(`meta-${i}.test`, { addresses: [address] });
    assert.equal(await code(egress, `meta-${i}.test`, NOWHERE), 'policy.address', address);
  }
});

test('one closed address spoils the answer, in either family and any place', async (t) => {
  const { dns, egress } = await setUp(t);
  const listener = await listen(t);
  const mixed = [
    ['127.0.0.1', '203.0.113.1'],
    ['203.0.113.1', '127.0.0.1'],
    ['127.0.0.1', '2001:db8::1'],
    ['::1', '127.0.0.1', '::ffff:203.0.113.1'],
    ['127.0.0.1', '127.0.0.2', '0.0.0.0'],
  ];
  for (const [i, addresses] of mixed.entries()) {
    dns.reply(`mixed-${i}.test`, { addresses, cnames: [{ to: 'elsewhere.test', ttl: 60 }] });
    assert.equal(await code(egress, `mixed-${i}.test`, listener.port), 'policy.address', addresses.join());
  }
  assert.equal(listener.accepted(), 0);
});

test('a name that is bound again to a closed address is refused the second time', async (t) => {
  const { dns, egress } = await setUp(t);
  const { port } = await listen(t);
  dns.reply('rebind.test', { addresses: ['127.0.0.1'], ttl: 0 }, { addresses: ['203.0.113.1'], ttl: 0 });
  assert.equal(await code(egress, 'rebind.test', port), 'connected');
  assert.equal(await code(egress, 'rebind.test', port), 'policy.address');
});

test('own listeners are closed by every name', async (t) => {
  const { dns, egress } = await setUp(t);
  const own = await listen(t, '0.0.0.0');
  const target = await listen(t);
  egress.addOwnListener('0.0.0.0', own.port);
  dns.reply('self.test', { addresses: ['127.0.0.1'] });
  const hosts = [
    '127.0.0.1',
    '[::1]',
    '127.0.0.2',
    '[::ffff:7f00:1]',
    'localhost',
    'a.localhost',
    'self.test',
  ];
  for (const host of [...hosts, '0.0.0.0', '[::]'])
    assert.equal(await code(egress, host, own.port), 'policy.address', host);
  assert.equal(own.accepted(), 0);
  for (const host of ['127.0.0.1', '[::ffff:7f00:1]', 'localhost', 'a.localhost', 'self.test'])
    assert.equal(await code(egress, host, target.port), 'connected', host);
});

test('a way out closes its port at its own address, and not at others of loopback', async (t) => {
  const { egress } = await setUp(t);
  const gateway = egress.openGateway();
  t.after(() => gateway.close());
  const { port } = await gateway.openSlot();
  await listen(t, '127.0.0.9', port);
  assert.equal(await code(egress, '127.0.0.1', port), 'policy.address');
  assert.equal(await code(egress, '127.0.0.9', port), 'connected');
});

test('of what this host itself says of a name, the closed addresses are left out', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'hosts');
  writeFileSync(path, '203.0.113.1 both.test\n127.0.0.1 both.test\n203.0.113.1 inner.test\n');
  const { egress } = await setUp(t, { allow: ['127.0.0.0/8'], hostsFile: path });
  const { port } = await listen(t);
  assert.equal(await code(egress, 'localhost', port), 'connected');
  assert.equal(await code(egress, 'both.test', port), 'connected');
  assert.equal(await code(egress, 'inner.test', port), 'policy.address');
});

test('trouble has its code and names host and port', async (t) => {
  const { dns, egress } = await setUp(t);
  dns.reply('broken.test', { rcode: 'SERVFAIL' });
  const port = await closedPort();
  const gone = await reach(egress, 'gone.test', 80);
  assert.equal(gone.failure?.code, 'dns.not_found');
  assert.match(gone.failure.message, /gone\.test/);
  assert.deepEqual(gone.failure.details, { reason: 'nxdomain' });
  const broken = await reach(egress, 'broken.test', 80);
  assert.equal(broken.failure?.code, 'dns.failed');
  assert.deepEqual(broken.failure.details, { reason: 'servfail' });
  const refused = await reach(egress, 'localhost', port);
  assert.equal(refused.failure?.code, 'connect.refused');
  assert.match(refused.failure.message, new RegExp(`localhost:${port}`));
  assert.equal(await code(egress, '127.0.0.1', 0), 'connect.refused');
  assert.equal(await code(egress, '203.0.113.1', 0), 'policy.address');
});

test('abort during the look-up settles at once and dials nothing', async (t) => {
  const { dns, egress } = await setUp(t);
  const listener = await listen(t);
  dns.reply('slow.test', { addresses: ['127.0.0.1'], delayMs: 150 });
  const abort = new AbortController();
  const dialling = egress.connect({ host: 'slow.test', port: listener.port, signal: abort.signal });
  abort.abort();
  assert.equal((await dialling).socket, null);
  assert.equal(await code(egress, 'slow.test', listener.port), 'connected');
  assert.equal(listener.accepted(), 1);
});

test('after close nothing goes out, and nothing stays', async (t) => {
  const { dns, egress } = await setUp(t);
  const listener = await listen(t);
  dns.reply('mute.test', { silent: true });
  const waiting = code(egress, 'mute.test', listener.port);
  egress.close();
  assert.equal(await waiting, 'dns.failed');
  assert.equal(await code(egress, '127.0.0.1', listener.port), 'service.unavailable');
  assert.ok(!process.getActiveResourcesInfo().includes('QueryReqWrap'));
});

test('bad settings are refused when it is made', () => {
  const make = (options: Partial<EgressOptions>) => () =>
    createEgress({ allow: [], dnsServers: null, clock: systemClock, ...options }).close();
  assert.throws(make({ allow: ['10.0.0.0/99'] }), RangeError);
  assert.throws(make({ dnsServers: ['not a server'] }));
  assert.doesNotThrow(make({}));
});
