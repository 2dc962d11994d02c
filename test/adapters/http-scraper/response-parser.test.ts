import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResponseParser } from '../../../src/http-client/http1-parser.ts';
import fc from '../../helpers/fast-check.ts';
import { type Ending, ROWS } from './answer-rows.ts';

interface Read {
  status: number | null;
  headers: readonly (readonly [string, string])[];
  body: string;
  end: Ending | 'open';
}

/** What the parser makes of the pieces, with the connection ended behind them. */
function read(pieces: readonly Buffer[], method = 'GET', ends = true): Read {
  const seen: Read = { status: null, headers: [], body: '', end: 'open' };
  let endings = 0;
  const parser = new ResponseParser({
    onHead(head) {
      assert.equal(seen.status, null, 'one head');
      seen.status = head.status;
      seen.headers = head.headers;
    },
    onBody(piece) {
      assert.equal(endings, 0, 'nothing after the end');
      seen.body += piece.toString('latin1');
    },
    onComplete(reusable) {
      endings++;
      seen.end = reusable ? 'reusable' : 'whole';
    },
    onProtocolError() {
      endings++;
      seen.end = 'unreadable';
    },
    onConnectionLost() {
      endings++;
      seen.end = 'broken';
    },
  });
  parser.start(method);
  for (const piece of pieces) parser.feed(piece);
  if (ends) {
    parser.end();
    assert.equal(endings, 1, 'exactly one ending');
  }
  return seen;
}

/** Bytes behind an answer are seen only when they have come with it; the connection drops them when it is idle. */
function settled(seen: Read): Read {
  return seen.end === 'reusable' ? { ...seen, end: 'whole' } : seen;
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const one = (text: string, method = 'GET', ends = true) => read([latin1(text)], method, ends);

test('answers are read as a browser reads them', async (t) => {
  for (const [name, bytes, status, body, end, method] of ROWS) {
    await t.test(name, () => {
      const seen = one(bytes, method);
      assert.deepEqual([seen.status, seen.body, seen.end], [status, body, end]);
    });
  }
});

test('fields: order and repetition stay, what is no field is skipped', () => {
  const seen = one(
    'HTTP/1.1 200 OK\r\n first is folded into nothing\r\nSet-Cookie: a=1\r\nno colon\r\nX-Twice :  one \r\nen-US Bad: no\r\n: none\r\nX-Fold: a\r\n\t b\r\n c\r\nset-cookie: b=2\r\nX-Twice: two\r\nX-Empty:\r\nX-Latin: caf\xe9\r\nContent-Length: 0\r\n\r\n',
  );
  assert.deepEqual(seen.headers, [
    ['set-cookie', 'a=1'],
    ['x-twice', 'one'],
    ['x-fold', 'a b c'],
    ['set-cookie', 'b=2'],
    ['x-twice', 'two'],
    ['x-empty', ''],
    ['x-latin', 'caf\xe9'],
    ['content-length', '0'],
  ]);
});

test('heads are bounded, bodies are not', () => {
  const field = `X: ${'y'.repeat(1000)}\r\n`;
  assert.equal(one(`HTTP/1.1 200 OK\r\n${field.repeat(250)}\r\n`).status, 200);
  assert.equal(one(`HTTP/1.1 200 OK\r\n${field.repeat(270)}\r\n`).end, 'unreadable');
  const endless = read(
    Array.from({ length: 300 }, () => latin1(field)),
    'GET',
    false,
  );
  assert.equal(endless.end, 'unreadable');
  const interim = read(
    Array.from({ length: 20_000 }, () => latin1('HTTP/1.1 100 Continue\r\n\r\n')),
    'GET',
    false,
  );
  assert.equal(interim.end, 'unreadable');
  const trailers = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${field.repeat(100)}`;
  assert.equal(one(trailers, 'GET', false).end, 'unreadable');
  const line = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(20_000)}`;
  assert.equal(one(line, 'GET', false).end, 'unreadable');
});

test('a head byte by byte costs no time', () => {
  const text = `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(200_000)}\r\nContent-Length: 0\r\n\r\n`;
  const began = process.cpuUsage();
  const seen = read(Array.from(latin1(text), (byte) => Buffer.from([byte])));
  assert.equal(seen.end, 'reusable');
  // To read the head again with each byte would take minutes of processor time.
  assert.ok(process.cpuUsage(began).user < 5_000_000);
});

test('how the bytes are cut never changes what is read', () => {
  const row = fc.constantFrom(...ROWS);
  fc.assert(
    fc.property(row, fc.array(fc.nat(300), { maxLength: 40 }), ([, text, , , , method], cuts) => {
      const bytes = latin1(text);
      const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...at].map((from, i) => bytes.subarray(from, [...at, bytes.length][i]));
      assert.deepEqual(settled(read(pieces, method)), settled(one(text, method)));
    }),
    { numRuns: 2_000 },
  );
  for (const [name, text, , , , method] of ROWS) {
    const bytes = Array.from(latin1(text), (byte) => Buffer.from([byte]));
    assert.deepEqual(settled(read(bytes, method)), settled(one(text, method)), name);
  }
});

test('random bytes never throw, and end once', () => {
  const likely = fc.constantFrom(
    'HTTP/1.1 200 OK\r\n',
    '\r\n',
    '\n',
    ':',
    'Transfer-Encoding: chunked',
    '0',
    'Content-Length: 3',
    '\0',
    ' ',
    'a',
    '\xff',
  );
  const soup = fc.array(fc.oneof(likely, fc.string({ unit: 'binary-ascii' })), { maxLength: 30 });
  fc.assert(
    fc.property(soup, fc.constantFrom('GET', 'HEAD'), (parts, method) => {
      read(parts.map(latin1), method);
    }),
    { numRuns: 3_000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      read([Buffer.from(bytes)]);
    }),
  );
});

test('a version of many zeros is read once, and no longer', () => {
  const line = (version: string) =>
    read([Buffer.from(`HTTP/${version} 200\r\nContent-Length: 0\r\n\r\n`)]).status;
  assert.equal(line('0'.repeat(260_000)), 200);
  assert.equal(line(`${'0'.repeat(1_000)}1.${'0'.repeat(1_000)}1`), 200);
});
