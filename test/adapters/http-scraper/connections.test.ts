import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TaskBody } from '../../../src/domain/task.ts';
import { fetchWith, pageOf, textOf } from '../../contracts/fetch-order.ts';
import { closedPort } from '../../egress/loopback.ts';
import { httpScraper } from './kit.ts';
import { onRequest, rawServer, until } from './raw-server.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const BODY: TaskBody = { type: 'raw', bytes: Buffer.from('body'), contentType: null };

test('a clean connection is used again, last in first out', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => onRequest(socket, () => socket.write(OK)));
  const first = await pageOf(scraper, server.url);
  assert.ok(first.timing.connect !== null);
  for (let i = 0; i < 5; i++) {
    const again = await pageOf(scraper, server.url);
    assert.deepEqual([again.timing.dns, again.timing.connect, again.timing.tls], [null, null, null]);
    assert.equal(again.remoteIp, '127.0.0.1');
  }
  assert.equal(server.accepted(), 1);
  await Promise.all(Array.from({ length: 10 }, () => pageOf(scraper, server.url)));
  assert.equal(server.accepted(), 10);
  await Promise.all(Array.from({ length: 10 }, () => pageOf(scraper, server.url)));
  assert.equal(server.accepted(), 10);
  await scraper.close();
  await until(() => server.open.size === 0, 'close() closes what is idle');
});

test('connections of different exits, options and schemes are never shared', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => onRequest(socket, () => socket.write(OK)));
  await pageOf(scraper, server.url, {}, { exit: 'a' });
  await pageOf(scraper, server.url, {}, { exit: 'b' });
  await pageOf(scraper, server.url, { options: { verifyTls: false } }, { exit: 'a' });
  await pageOf(scraper, server.url, { options: { http2: false } }, { exit: 'a' });
  assert.equal(server.accepted(), 4);
});

test('after anything odd a connection is closed', async (t) => {
  const scraper = httpScraper(t);
  const odd = [
    'HTTP/1.1 200 OK\nContent-Length: 2\n\nok',
    'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 2\r\n\r\nok',
  ];
  for (const answer of odd) {
    const server = await rawServer(t, (socket) => onRequest(socket, () => socket.write(answer)));
    assert.equal(textOf(await pageOf(scraper, server.url)), 'ok', answer);
    await until(() => server.open.size === 0, `closed after ${JSON.stringify(answer)}`);
  }
});

test('bytes that nobody asked for end an idle connection', async (t) => {
  const scraper = httpScraper(t);
  let socket: Socket | null = null;
  const server = await rawServer(t, (opened) => {
    socket = opened;
    onRequest(opened, () => opened.write(OK));
  });
  await pageOf(scraper, server.url);
  socket!.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
  await until(() => server.open.size === 0, 'it is closed');
  assert.equal(textOf(await pageOf(scraper, server.url)), 'ok');
});

test('a safe request whose reused connection dies silently is sent again, once, unseen', async (t) => {
  const scraper = httpScraper(t);
  const requests: string[] = [];
  const server = await rawServer(t, (socket) => {
    let count = 0;
    onRequest(socket, (head) => {
      requests.push(head.split(' ')[0]!);
      if (++count === 1) socket.write(OK);
      else socket.destroy();
    });
  });
  await pageOf(scraper, server.url);
  const again = await pageOf(scraper, server.url);
  assert.equal(textOf(again), 'ok');
  assert.equal(server.accepted(), 2);
  assert.deepEqual(requests, ['GET', 'GET', 'GET']);
});

test('a first byte of an answer forbids the repetition', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => {
    let count = 0;
    onRequest(socket, () => {
      if (++count === 1) socket.write(OK);
      else socket.end('HTTP/1.1 2');
    });
  });
  await pageOf(scraper, server.url);
  const broken = await fetchWith(scraper, server.url);
  assert.equal(broken.failure?.code, 'connect.reset');
  assert.equal(server.accepted(), 1);
});

test('other methods go over a connection of their own and are sent once', async (t) => {
  const scraper = httpScraper(t);
  let posts = 0;
  const server = await rawServer(t, (socket) => {
    onRequest(socket, (head) => {
      if (head.startsWith('POST')) {
        posts++;
        socket.destroy();
      } else socket.write(OK);
    });
  });
  await pageOf(scraper, server.url);
  const lost = await fetchWith(scraper, server.url, { method: 'POST', body: BODY });
  assert.equal(lost.failure?.code, 'connect.reset');
  assert.equal(lost.sent, true);
  assert.equal(posts, 1);
  assert.equal(server.accepted(), 2);
});

test('a large body is read in spite of its size, and an early answer in spite of the body', async (t) => {
  const scraper = httpScraper(t);
  const bytes = Buffer.alloc(5 << 20, 'b');
  const body: TaskBody = { type: 'binary', bytes, contentType: 'application/octet-stream' };
  let received = 0;
  const server = await rawServer(t, (socket, n) => {
    if (n === 1) {
      onRequest(socket, (_head, whole) => {
        received = whole.length;
        socket.write(OK);
      });
    } else socket.once('data', () => socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig'));
  });
  assert.equal(textOf(await pageOf(scraper, server.url, { method: 'PUT', body })), 'ok');
  assert.equal(received, bytes.length);
  const early = await pageOf(scraper, server.url, { method: 'PUT', body });
  assert.equal(early.page.statusCode, 413);
  assert.equal(textOf(early), 'big');
  await until(() => server.open.size <= 1, 'the early one is closed');
});

test('nothing listens, nothing was sent', async (t) => {
  const scraper = httpScraper(t);
  const refused = await fetchWith(scraper, `http://127.0.0.1:${await closedPort()}/`);
  assert.equal(refused.failure?.code, 'connect.refused');
  assert.equal(refused.sent, false);
  assert.equal(refused.requestHeaders, null);
  assert.equal(refused.bytesOut, 0);
});

test('an idle connection is closed after its time', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => {
    onRequest(socket, () =>
      socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'),
    );
  });
  await pageOf(scraper, server.url);
  assert.equal(server.open.size, 1);
  await until(() => server.open.size === 0, 'swept');
});
