import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fetchWith, textOf } from '../../contracts/fetch-order.ts';
import { DATA, jsonLines, WITHOUT_DATA } from '../../egress/conformance.ts';
import { httpScraper } from './kit.ts';
import { answering, onRequest, rawServer, until } from './raw-server.ts';

interface Vector {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly raw_b64: string;
}

interface Baseline {
  readonly id: string;
  readonly chromium: { readonly s?: number; readonly n?: number; readonly e?: string };
}

/**
 * Replies that Chromium reads and Sluice does not: status codes that are none, and heads that never end (what is cut
 * there may be half a field).
 */
const REFUSED = new Set(['llhttp-201', 'llhttp-204']);

test('every reply of the llhttp vectors is answered, and read where Chromium reads it', {
  skip: WITHOUT_DATA,
}, async (t) => {
  const baseline = new Map(
    (JSON.parse(readFileSync(join(DATA!, 'http1/baseline-clients.json'), 'utf8')) as Baseline[]).map(
      (row) => [row.id, row.chromium],
    ),
  );
  const scraper = httpScraper(t);
  let read = 0;
  for (const { id, title, raw_b64 } of jsonLines<Vector>('http1/llhttp-vectors.jsonl').filter(
    (one) => one.type === 'response',
  )) {
    const server = await answering(t, Buffer.from(raw_b64, 'base64'));
    const fetched = await fetchWith(scraper, server.url, { allowRedirects: false });
    const told = `${id} ${title}: ${JSON.stringify(fetched.failure ?? fetched.page?.cut)}`;
    const chromium = baseline.get(id);
    if (fetched.page !== null) read++;
    if (chromium?.s === undefined || REFUSED.has(id)) continue;
    assert.ok(fetched.page !== null, told);
    assert.equal(fetched.page.statusCode, chromium.s, told);
    // -1: Chromium had no body to show for a broken one.
    if (chromium.n !== undefined && chromium.n >= 0) {
      assert.equal(textOf(fetched).length, chromium.n, told);
      assert.equal(fetched.page.cut, null, told);
    }
  }
  assert.ok(read >= 69, `${read} were read`);
});

test('what cannot be read is http.protocol, what breaks off in the head is connect.reset', async (t) => {
  const scraper = httpScraper(t);
  const rows: [bytes: string, code: string][] = [
    ['SSH-2.0-OpenSSH_9.9\r\n', 'http.protocol'],
    ['<html>no head</html>', 'http.protocol'],
    ['HTTP/1.1 abc\r\n\r\n', 'http.protocol'],
    ['HTTP/1.1 200 OK\r\nA: \0\r\n\r\n', 'http.protocol'],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'http.protocol'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'http.protocol'],
    [`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(300_000)}\r\n\r\n`, 'http.protocol'],
    ['', 'connect.reset'],
    ['HTTP/1.1 200 OK\r\nContent-Type: te', 'connect.reset'],
    ['HTTP/1.1 100 Continue\r\n\r\n', 'connect.reset'],
  ];
  for (const [bytes, code] of rows) {
    const server = await answering(t, bytes);
    const fetched = await fetchWith(scraper, server.url);
    assert.equal(fetched.failure?.code, code, JSON.stringify(bytes.slice(0, 40)));
    assert.equal(fetched.sent, true);
    await until(() => server.open.size === 0, 'the connection is closed');
  }
});

test('a broken body is delivered as far as it came', async (t) => {
  const scraper = httpScraper(t);
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const rows: [bytes: string, body: string, code: string | undefined][] = [
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'half', 'content.incomplete'],
    [`${chunked}4\r\nhalf\r\n`, 'half', 'content.incomplete'],
    [`${chunked}4\r\nhalf\r\nrubbish\r\n`, 'half', 'content.incomplete'],
    [`${chunked}4\r\nhalf\r\n0\r\n`, 'half', undefined],
    [
      'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Encoding: gzip\r\n\r\nhalf',
      'half',
      'content.decode_failed',
    ],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n', '', undefined],
    ['HTTP/1.1 500 Oops\r\n\r\nto the end', 'to the end', undefined],
  ];
  for (const [bytes, body, code] of rows) {
    const server = await answering(t, bytes);
    const fetched = await fetchWith(scraper, server.url);
    assert.ok(fetched.page !== null, bytes);
    assert.equal(textOf(fetched), body, bytes);
    assert.equal(fetched.page.cut?.code, code, bytes);
  }
});

test('a reset after any byte of an answer gives what came, or connect.reset', async (t) => {
  const scraper = httpScraper(t);
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\n';
  const answer = Buffer.from(`${head}hello world!`);
  let count = 0;
  const server = await rawServer(t, (socket) => {
    onRequest(socket, () => {
      if (count > 0) socket.write(answer.subarray(0, count));
      // The bytes are taken in before the reset that follows them.
      setTimeout(() => socket.resetAndDestroy(), 10);
    });
  });
  for (count = 0; count < answer.length; count++) {
    const fetched = await fetchWith(scraper, server.url);
    const told = `after ${count} bytes`;
    if (count < head.length) assert.equal(fetched.failure?.code, 'connect.reset', told);
    else {
      assert.ok(fetched.page !== null, told);
      assert.equal(fetched.page.cut?.code, 'content.incomplete', told);
      assert.equal(textOf(fetched), 'hello world!'.slice(0, count - head.length), told);
    }
  }
  await until(() => server.open.size === 0, 'all connections are closed');
});

test('any cutting of an answer into packets gives the same page', async (t) => {
  const scraper = httpScraper(t);
  const answer = Buffer.from(
    'HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
  );
  let cut = 1;
  const server = await rawServer(t, (socket) => {
    onRequest(socket, () => {
      socket.write(answer.subarray(0, cut));
      setTimeout(() => socket.write(answer.subarray(cut)), 2);
    });
  });
  for (cut = 1; cut < answer.length; cut++) {
    const fetched = await fetchWith(scraper, server.url);
    assert.ok(fetched.page !== null && fetched.page.cut === null, `cut at ${cut}`);
    assert.equal(textOf(fetched), 'hello world');
  }
});
