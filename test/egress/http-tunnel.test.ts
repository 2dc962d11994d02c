import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openHttpTunnel, readFromProxy } from '../../src/egress/upstream/tunnels.ts';
import { Line, openWorld, target } from './gateway-world.ts';

const never = new AbortController().signal;
const PROXY = { kind: 'http', host: '127.0.0.1', credentials: null, checkAddress: true, bypass: [] } as const;
const GRANTED = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** What becomes of a tunnel, by a proxy that answers CONNECT with these pieces. */
async function through(t: TestContext, ...pieces: readonly string[]) {
  const { egress } = await openWorld(t);
  const proxy = await target(t, (socket) => {
    socket.setNoDelay(true);
    socket.once('data', () => void say(socket, pieces));
  });
  const upstream = { ...PROXY, port: proxy.port };
  const dialled = await egress.connect({ host: '127.0.0.1', port: 443, signal: never, upstream });
  dialled.socket?.destroy();
  const why = dialled.failure;
  return why === null ? 'connected' : [why.code, why.details?.reason];
}

async function say(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('interim heads before the answer to CONNECT are passed over, however they are cut', async (t) => {
  const answer = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 102\nA: b\n\n${GRANTED}`;
  assert.equal(await through(t, answer), 'connected');
  assert.equal(await through(t, ...answer), 'connected');
  const refusal = answer.replace('200', '407');
  assert.deepEqual(await through(t, refusal), ['proxy.failed', 'auth']);
  for (let cut = 1; cut < answer.length; cut += 7)
    assert.equal(await through(t, answer.slice(0, cut), answer.slice(cut)), 'connected', `${cut}`);
});

test('a proxy that sends interim heads without an end is given up', async (t) => {
  const failed = ['proxy.failed', 'protocol'];
  const interim = 'HTTP/1.1 100\n\n';
  assert.deepEqual(await through(t, interim.repeat(4600)), failed);
  assert.deepEqual(await through(t, interim.repeat(4600) + GRANTED), failed);
  assert.deepEqual(await through(t, ...Array.from({ length: 100 }, () => interim)), failed);
  // Few, and too long together.
  const long = `HTTP/1.1 100\r\nA: ${'a'.repeat(15_000)}\r\n\r\n`;
  assert.deepEqual(await through(t, long.repeat(5) + GRANTED), failed);
});

test('an answer to CONNECT that has no end is given up', async (t) => {
  for (const endless of [
    `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(70_000)}`,
    'HTTP/1.1 nonsense\r\n\r\n',
    '<html>',
  ])
    assert.deepEqual(await through(t, endless), ['proxy.failed', 'protocol']);
});

test('what a reader throws ends that connection alone', async (t) => {
  const site = await target(t, (socket) => socket.write('something'));
  const { socket } = new Line(site.port, { paused: true });
  t.after(() => socket.destroy());
  const parse = () => {
    throw new RangeError('too deep');
  };
  assert.equal(await readFromProxy({ socket, signal: never, limitMs: 5000, parse }), 'unreadable');
  assert.equal(socket.listenerCount('readable'), 0);
});

test('what follows an answer stays in the socket', async (t) => {
  const pieces = ['HTTP/1.1 100\r\n', '\r\nHTTP/1.1 200 OK\r', '\n\r\nmore'];
  const proxy = await target(t, (socket) => void say(socket, pieces));
  const { socket } = new Line(proxy.port, { paused: true });
  t.after(() => socket.destroy());
  const upstream = { ...PROXY, port: proxy.port };
  const why = await openHttpTunnel({ socket, upstream, host: 'a', port: 1, signal: never, limitMs: 5000 });
  assert.deepEqual(why?.details, { reason: 'protocol', stage: 'tunnel' });
  assert.equal(String(socket.read()), 'more');
});
