import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { parseAddress } from '../../src/egress/address.ts';
import { connectFailure, moreRelevantFailure } from '../../src/egress/connect-failure.ts';
import { dial, dialOrder } from '../../src/egress/dial.ts';
import { blackhole, closedPort, listen } from './loopback.ts';

const never = new AbortController().signal;
const list = (...texts: string[]) => texts.map((text) => parseAddress(text)!);

const go = (addresses: string[], port: number, limitMs = 10_000, signal = never) =>
  dial({ addresses: list(...addresses), port, target: `host.test:${port}`, limitMs, signal });

/** Handles of this process that a dial may leave behind. */
const handles = () =>
  process.getActiveResourcesInfo().filter((kind) => /^(TCPSocketWrap|TCPConnectWrap|Timeout)$/.test(kind));

/** Fails unless what came since is gone soon (the other end of a connection is in this process, too). */
async function settled(before: readonly string[]): Promise<void> {
  for (let i = 0; i < 100 && handles().length > before.length; i++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(handles().length <= before.length, `${handles()} after ${before}`);
}

test('connects to the only address', async (t) => {
  const { port, open } = await listen(t);
  const end = await go(['127.0.0.1'], port);
  assert.equal(end.failure, null);
  assert.equal(end.address.text, '127.0.0.1');
  for (const event of ['error', 'connect', 'data', 'close', 'lookup', 'timeout'])
    assert.equal(end.socket.listenerCount(event), 0, event);
  end.socket.destroy();
  await once(end.socket, 'close');
  for (const socket of open) await once(socket, 'close');
});

test('order: IPv6 first, then in turns, not more than twelve', () => {
  const texts = (addresses: string[]) => dialOrder(list(...addresses)).map((address) => address.text);
  assert.deepEqual(texts(['192.0.2.1']), ['192.0.2.1']);
  assert.deepEqual(texts(['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1']), [
    ...['2001:db8::1', '192.0.2.1', '192.0.2.2', '192.0.2.3'],
  ]);
  assert.deepEqual(texts(['2001:db8::1', '2001:db8::2', '192.0.2.1', '192.0.2.2']), [
    ...['2001:db8::1', '192.0.2.1', '2001:db8::2', '192.0.2.2'],
  ]);
  assert.equal(texts(Array.from({ length: 200 }, (_, i) => `192.0.2.${i}`)).length, 12);
});

test('an address that refuses gives way at once', async (t) => {
  const { port } = await listen(t, '127.0.0.1');
  const before = performance.now();
  const refusing = Array.from({ length: 11 }, (_, n) => `127.0.0.${n + 2}`);
  const end = await go([...refusing, '127.0.0.1'], port);
  assert.equal(end.failure, null);
  assert.equal(end.address.text, '127.0.0.1');
  // The pauses between eleven attempts are 2.75 s.
  assert.ok(performance.now() - before < 2_500, 'without the pauses between attempts');
  end.socket.destroy();
});

test('nobody listens', async () => {
  const port = await closedPort();
  const end = await go(['127.0.0.1', '127.0.0.2'], port);
  assert.equal(end.failure?.code, 'connect.refused');
  assert.equal(end.failure.message, `host.test:${port} refused the connection.`);
});

test('an address that swallows the attempt is overtaken, and its socket ended', async (t) => {
  const dead = await blackhole(t, '127.0.0.2');
  if (dead === null) return t.skip('this system answers although the queue is full');
  await listen(t, '127.0.0.3', dead);
  const before = handles();
  const began = performance.now();
  const end = await go(['127.0.0.2', '127.0.0.3'], dead);
  const took = performance.now() - began;
  assert.equal(end.failure, null);
  assert.equal(end.address.text, '127.0.0.3');
  assert.ok(took >= 240, `not before the pause: ${took}`);
  end.socket.destroy();
  await settled(before);
});

test('silence ends with the limit', async (t) => {
  const dead = await blackhole(t, '127.0.0.2');
  if (dead === null) return t.skip('this system answers although the queue is full');
  const before = handles();
  const silent = await go(['127.0.0.2'], dead, 100);
  assert.equal(silent.failure?.code, 'connect.timeout');
  const refusedToo = await go(['127.0.0.2', '127.0.0.9'], dead, 400);
  assert.equal(refusedToo.failure?.code, 'connect.refused', 'the machine that answered tells more');
  await settled(before);
});

test('abort ends every attempt at once', async (t) => {
  const dead = await blackhole(t, '127.0.0.2');
  if (dead === null) return t.skip('this system answers although the queue is full');
  const before = handles();
  const abort = new AbortController();
  const dialling = go(['127.0.0.2', '127.0.0.2'], dead, 10_000, abort.signal);
  setTimeout(() => abort.abort(), 400);
  const began = performance.now();
  const end = await dialling;
  assert.equal(end.socket, null);
  assert.ok(performance.now() - began < 8_000);
  await settled(before);
});

test('a signal that was aborted before opens nothing', async (t) => {
  const listener = await listen(t);
  const end = await go(['127.0.0.1'], listener.port, 10_000, AbortSignal.abort());
  assert.equal(end.socket, null);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(listener.accepted(), 0);
});

test('every error of connecting has its code', () => {
  const codes: Record<string, readonly string[]> = {
    'connect.refused': ['ECONNREFUSED'],
    'connect.timeout': ['ETIMEDOUT'],
    'connect.reset': ['ECONNRESET', 'EPIPE', 'ECONNABORTED'],
    'connect.unreachable': ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EACCES', 'EPERM'],
    'service.unavailable': ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  };
  for (const [code, list] of Object.entries(codes))
    for (const errno of list) assert.equal(connectFailure(errno, 'a.test:80').code, code, errno);
  assert.deepEqual(connectFailure('EACCES', 'a.test:80').details, { errno: 'EACCES' });
  assert.deepEqual(connectFailure(undefined, 'a.test:80').details, { errno: 'unknown' });
  const ranked = ['EMFILE', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH'];
  const failures = ranked.map((errno) => connectFailure(errno, 'a.test:80'));
  for (let i = 0; i < failures.length; i++) {
    for (let j = i; j < failures.length; j++) {
      assert.equal(moreRelevantFailure(failures[i]!, failures[j]!), failures[i]);
      assert.equal(moreRelevantFailure(failures[j]!, failures[i]!).code, failures[i]!.code);
    }
  }
  assert.equal(moreRelevantFailure(null, failures[0]!), failures[0]);
});
