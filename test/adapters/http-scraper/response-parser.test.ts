import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ResponseParser } from '../../../src/adapters/scrapers/http/h1/response-parser.ts';

interface Read {
  status: number | null;
  headers: readonly (readonly [string, string])[];
  body: string;
  end: 'whole' | 'reusable' | 'unreadable' | 'broken' | 'open';
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
    onWhole(reusable) {
      endings++;
      seen.end = reusable ? 'reusable' : 'whole';
    },
    onUnreadable() {
      endings++;
      seen.end = 'unreadable';
    },
    onBroken() {
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

type Row = readonly [
  name: string,
  bytes: string,
  status: number | null,
  body: string,
  end: Read['end'],
  method?: string,
];

const ROWS: readonly Row[] = [
  ['plain', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 200, 'hi', 'reusable'],
  ['empty', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200, '', 'reusable'],
  [
    'connection close',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi',
    200,
    'hi',
    'whole',
  ],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi', 200, 'hi', 'whole'],
  [
    'HTTP/1.0 that stays',
    'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi',
    200,
    'hi',
    'reusable',
  ],
  ['no reason', 'HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n', 404, '', 'reusable'],
  ['reason of digits', 'HTTP/1.1 405 405\r\nContent-Length: 0\r\n\r\n', 405, '', 'reusable'],
  ['LF only', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', 200, 'hi', 'whole'],
  ['CR only between fields', 'HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\nContent-Length: 0\r\n\r\n', 200, '', 'whole'],
  ['lower case', 'http/1.1 200 ok\r\nContent-Length: 0\r\n\r\n', 200, '', 'whole'],
  ['spaces and tabs', 'HTTP/1.1 \t 200 OK\r\nContent-Length: 0\r\n\r\n', 200, '', 'whole'],
  ['odd version', 'HTTP/11.01 200 OK\r\nContent-Length: 0\r\n\r\n', 200, '', 'whole'],
  ['HTTPER', 'HTTPER/1.1 201 OK\r\n\r\n', 201, '', 'whole'],
  ['Shoutcast', 'ICY 200 OK\r\nicy-name: x\r\n\r\nsound', 200, 'sound', 'whole'],
  ['lines before', '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200, '', 'reusable'],
  ['junk before', 'abcdHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200, '', 'reusable'],
  ['too much junk before', 'abcdeHTTP/1.1 200 OK\r\n\r\n', null, '', 'unreadable'],
  ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', null, '', 'unreadable'],
  ['not HTTP, short', 'hello', null, '', 'unreadable'],
  ['nothing', '', null, '', 'broken'],
  ['cut in the status line', 'HTTP/1.1 20', null, '', 'broken'],
  ['cut in the head', 'HTTP/1.1 200 OK\r\nContent-Le', null, '', 'broken'],
  ['status of one digit', 'HTTP/1.1 2 OK\r\n\r\n', null, '', 'unreadable'],
  ['status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', null, '', 'unreadable'],
  ['status of 999', 'HTTP/1.1 999 Request denied\r\nContent-Length: 0\r\n\r\n', 999, '', 'reusable'],
  ['NUL in the head', 'HTTP/1.1 200 OK\r\nA: \0\r\n\r\n', null, '', 'unreadable'],
  ['NUL in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\0', 200, '\0', 'reusable'],
  ['to the end', 'HTTP/1.1 200 OK\r\n\r\nall of it', 200, 'all of it', 'whole'],
  [
    'interim heads',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
    200,
    'x',
    'reusable',
  ],
  [
    'interim head and lines',
    'HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nx',
    404,
    'x',
    'reusable',
  ],
  ['interim head only', 'HTTP/1.1 100 Continue\r\n\r\n', null, '', 'broken'],
  ['101', 'HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n', null, '', 'unreadable'],
  ['204 with a length', 'HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n', 204, '', 'reusable'],
  ['204 and bytes behind', 'HTTP/1.1 204 No\r\n\r\nhello', 204, '', 'whole'],
  ['304 chunked', 'HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n', 304, '', 'reusable'],
  ['205 without length', 'HTTP/1.1 205 Reset\r\n\r\n', 205, '', 'reusable'],
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n', 200, '', 'reusable', 'HEAD'],
  ['shorter than told', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi', 200, 'hi', 'broken'],
  ['longer than told', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi there', 200, 'hi', 'whole'],
  ['length in blanks', 'HTTP/1.1 200 OK\r\nContent-Length: \t2\t \r\n\r\nhi', 200, 'hi', 'reusable'],
  ['negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi', 200, 'hi', 'whole'],
  ['length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nhi', 200, 'hi', 'whole'],
  [
    'length beyond numbers',
    'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi',
    200,
    'hi',
    'whole',
  ],
  [
    'the same length twice',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi',
    200,
    'hi',
    'reusable',
  ],
  [
    'different lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!',
    null,
    '',
    'unreadable',
  ],
  [
    'different lengths, one no number',
    'HTTP/1.1 200 OK\r\nContent-Length: 2x\r\nContent-Length: 3\r\n\r\nhi!',
    null,
    '',
    'unreadable',
  ],
  [
    'chunked',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    200,
    'hi',
    'reusable',
  ],
  [
    'chunked with LF',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nhi\n0\n\n',
    200,
    'hi',
    'reusable',
  ],
  [
    'chunked beats length',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    200,
    'hi',
    'whole',
  ],
  [
    'chunked, different lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    200,
    'hi',
    'whole',
  ],
  [
    'extensions',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a="b c";d\r\nhi\r\n0;e\r\n\r\n',
    200,
    'hi',
    'reusable',
  ],
  [
    'spaces after the size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2  \r\nhi\r\n0  \r\n\r\n',
    200,
    'hi',
    'reusable',
  ],
  [
    'trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nA: b\r\n\r\n',
    200,
    'hi',
    'reusable',
  ],
  [
    'no end of trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n',
    200,
    'hi',
    'whole',
  ],
  ['no last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n', 200, 'hi', 'broken'],
  ['cut in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi', 200, 'hi', 'broken'],
  [
    'bad size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nxyz\r\n',
    200,
    'hi',
    'unreadable',
  ],
  [
    'size without semicolon',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 ext\r\nhi\r\n',
    200,
    '',
    'unreadable',
  ],
  [
    'negative size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nhi\r\n',
    200,
    '',
    'unreadable',
  ],
  [
    'size beyond numbers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nhi',
    200,
    '',
    'unreadable',
  ],
  [
    'chunk longer than told',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi there\r\n',
    200,
    'hi',
    'unreadable',
  ],
  [
    'bytes behind the last chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    200,
    '',
    'whole',
  ],
  [
    'chunked not last',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    200,
    'hi',
    'reusable',
  ],
  ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nraw', 200, 'raw', 'whole'],
  [
    'not quite chunked',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunkedchunked\r\n\r\n2\r\nhi',
    200,
    '2\r\nhi',
    'whole',
  ],
  [
    'upper case',
    'HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: CHUNKED\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    200,
    'hi',
    'reusable',
  ],
];

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
  const began = performance.now();
  const seen = read(Array.from(latin1(text), (byte) => Buffer.from([byte])));
  assert.equal(seen.end, 'reusable');
  assert.ok(performance.now() - began < 5_000);
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
