import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { deadlineOf, deadlineUnder } from '../../../src/base/time.ts';
import type { TaskBody } from '../../../src/domain/task.ts';
import { fetchWith, textOf } from '../../contracts/fetch-order.ts';
import { httpScraper } from './kit.ts';
import { onRequest, rawServer, until } from './raw-server.ts';

const BODY: TaskBody = { type: 'raw', bytes: Buffer.from('body'), contentType: null };

/** How long a fetch took, and what came of it. */
async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work(), performance.now() - began];
}

test('the whole budget ends: no head is timeout.total, a head is a cut page', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => {
    onRequest(socket, (head) => {
      if (head.startsWith('GET /head')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
      else if (head.startsWith('GET /gzip')) {
        const coded = gzipSync(Buffer.alloc(1000, 'z'), { level: 0 });
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n`);
        socket.write(coded.subarray(0, coded.length - 10));
      } else if (head.startsWith('GET /partial')) socket.write('HTTP/1.1 200 OK\r\nConte');
    });
  });
  for (const path of ['nothing', 'partial']) {
    const [silent, took] = await timed(() => fetchWith(scraper, server.url + path, { timeoutMs: 150 }));
    assert.equal(silent.failure?.code, 'timeout.total');
    assert.ok(took >= 140 && took < 5_000, `${took} ms`);
  }
  const [cut, took] = await timed(() => fetchWith(scraper, `${server.url}head`, { timeoutMs: 150 }));
  assert.ok(cut.page !== null && took < 5_000);
  assert.equal(cut.page.cut?.code, 'timeout.total');
  assert.equal(textOf(cut), 'half');
  const coded = await fetchWith(scraper, `${server.url}gzip`, { timeoutMs: 150 });
  assert.ok(coded.page !== null);
  assert.equal(coded.page.cut?.code, 'timeout.total');
  assert.ok(coded.page.body.length > 900 && !coded.page.undecoded);
  await until(() => server.open.size === 0, 'everything is closed');
});

test('the share of an attempt ends with timeout.attempt, and no longer counts once the page has begun', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => {
    onRequest(socket, (head) => {
      if (head.includes('/hop '))
        socket.write('HTTP/1.1 302 Found\r\nLocation: /silent\r\nContent-Length: 0\r\n\r\n');
      if (head.includes('/slow ')) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n');
        setTimeout(() => socket.write('late'), 300);
      }
      if (head.includes('/post '))
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate'), 300);
    });
  });
  using deadline = deadlineOf(5_000);
  const share = (ms = 100) => deadlineUnder(ms, deadline.signal);
  const silent = await fetchWith(scraper, `${server.url}silent`, {}, { deadline, share: share() });
  assert.equal(silent.failure?.code, 'timeout.attempt');
  // The head of a redirect is not yet a page: another attempt may still be better.
  const hop = await fetchWith(scraper, `${server.url}hop`, {}, { deadline, share: share() });
  assert.ok(hop.failure?.code === 'timeout.attempt' && hop.page === null && hop.statusCode === 302);
  const slow = await fetchWith(scraper, `${server.url}slow`, {}, { deadline, share: share() });
  assert.ok(slow.page !== null && slow.page.cut === null);
  const post = await fetchWith(
    scraper,
    `${server.url}post`,
    { method: 'POST', body: BODY },
    { deadline, share: share() },
  );
  assert.ok(post.page !== null, 'the bytes of a POST were out');
});

test('a share that ends because the budget does is timeout.total', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, () => {});
  using deadline = deadlineOf(100);
  using share = deadlineUnder(5_000, deadline.signal);
  const fetched = await fetchWith(scraper, server.url, {}, { deadline, share });
  assert.equal(fetched.failure?.code, 'timeout.total');
});

test('a caller who hangs up gets request.cancelled, at any moment', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => {
    onRequest(socket, () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
  });
  for (const ms of [-1, 0, 1, 5, 50]) {
    const caller = new AbortController();
    if (ms < 0) caller.abort(new Error('gone'));
    else setTimeout(() => caller.abort(new Error('gone')), ms);
    using deadline = deadlineUnder(5_000, caller.signal);
    const [fetched, took] = await timed(() => fetchWith(scraper, server.url, {}, { deadline }));
    assert.equal(fetched.failure?.code, 'request.cancelled', `after ${ms} ms`);
    assert.ok(took < 4_000);
    if (ms < 0) assert.equal(fetched.sent, false);
  }
  await until(() => server.open.size === 0, 'everything is closed');
});

test('content beyond the limit is cut at once, coded or not', async (t) => {
  const scraper = httpScraper(t);
  const bomb = gzipSync(Buffer.alloc(20 << 20, 'x'));
  const server = await rawServer(t, (socket) => {
    onRequest(socket, (head) => {
      if (head.includes('/gzip ')) {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
        return;
      }
      const exact = head.includes('/exact ');
      socket.write(`HTTP/1.1 200 OK\r\n${exact ? 'Content-Length: 1000\r\n' : ''}\r\n`);
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(1000, 'x')) && !exact);
      };
      socket.on('drain', more);
      more();
    });
  });
  const options = { maxContentBytes: 1000 };
  for (const path of ['endless', 'gzip']) {
    const [fetched, took] = await timed(() => fetchWith(scraper, server.url + path, { options }));
    assert.ok(fetched.page !== null);
    assert.equal(fetched.page.cut?.code, 'content.truncated', path);
    assert.equal(fetched.page.body.length, 1000);
    assert.ok(took < 8_000, `${took} ms`);
    assert.ok(fetched.bytesIn < 1 << 20, `${fetched.bytesIn} bytes were read`);
  }
  const exact = await fetchWith(scraper, `${server.url}exact`, { options });
  assert.ok(exact.page !== null && exact.page.cut === null && exact.page.body.length === 1000);
  await until(() => server.open.size <= 1, 'the cut ones are closed');
});
