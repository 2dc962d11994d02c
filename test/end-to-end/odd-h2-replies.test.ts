import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer, type TLSSocket } from 'node:tls';
import { useService } from '../helpers/service.ts';
import { selfSigned } from '../site/certificate.ts';

const { key, cert } = selfSigned();

/** An HTTP/2 frame (RFC 9113 §4.1). */
function frame(type: number, flags: number, stream: number, payload: Uint8Array | string = ''): Buffer {
  const body = Buffer.from(payload as string, 'latin1');
  const bytes = Buffer.alloc(9 + body.length);
  bytes.writeUIntBE(body.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(body, 9);
  return bytes;
}

const END_STREAM = 1;
const END_HEADERS = 4;
const SETTINGS = frame(4, 0, 0);
const SETTINGS_TAKEN = frame(4, 1, 0);
/** A header field without indexing (RFC 7541 §6.2.2). Name and value must be shorter than 127 bytes. */
const field = (name: string, value: string) =>
  `\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`;
const head = (stream: number, fields: readonly [string, string][], flags = END_HEADERS) =>
  frame(1, flags, stream, fields.map(([name, value]) => field(name, value)).join(''));
const ok = (stream: number, more: readonly [string, string][] = []) =>
  head(stream, [[':status', '200'], ...more]);
const data = (stream: number, text: string, flags = 0) => frame(0, flags, stream, text);
const goaway = (last: number, code: number) => {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(last, 0);
  payload.writeUInt32BE(code, 4);
  return frame(7, 0, 0, payload);
};
const reset = (stream: number, code: number) => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame(3, 0, stream, payload);
};

interface Row {
  readonly name: string;
  /** The frames of the response to the first request, on stream 1. */
  readonly says: readonly Buffer[];
  /** What the target does with the connection afterwards. */
  readonly ends?: 'closed' | 'reset';
  /** Expected content; undefined: no page. */
  readonly content?: string;
  /** Expected codes of the first error, any of them; none: no error. */
  readonly codes?: readonly string[];
}

const BROKEN = ['connect.reset', 'http.protocol'];
const CUT = ['content.incomplete'];
const ROWS: readonly Row[] = [
  { name: 'nothing odd', says: [ok(1), data(1, 'hi', END_STREAM)], content: 'hi' },
  { name: 'an empty last frame', says: [ok(1), data(1, 'hi'), data(1, '', END_STREAM)], content: 'hi' },
  {
    name: 'a trailer',
    says: [ok(1), data(1, 'hi'), head(1, [['x', 'y']], END_HEADERS | END_STREAM)],
    content: 'hi',
  },
  {
    name: 'interim heads',
    says: [head(1, [[':status', '103']]), head(1, [[':status', '100']]), ok(1), data(1, 'hi', END_STREAM)],
    content: 'hi',
  },
  {
    name: 'an interim head only',
    says: [head(1, [[':status', '103']], END_HEADERS | END_STREAM)],
    codes: BROKEN,
  },
  {
    name: 'longer than it says',
    says: [ok(1, [['content-length', '1']]), data(1, 'hi', END_STREAM)],
    codes: [...CUT, ...BROKEN],
  },
  {
    name: 'shorter than it says',
    says: [ok(1, [['content-length', '9']]), data(1, 'hi', END_STREAM)],
    codes: CUT,
    content: 'hi',
  },
  {
    name: 'a 304 with the length of the page',
    says: [
      head(
        1,
        [
          [':status', '304'],
          ['content-length', '9'],
        ],
        END_HEADERS | END_STREAM,
      ),
    ],
    content: '',
  },
  {
    name: 'two lengths',
    says: [
      ok(1, [
        ['content-length', '2'],
        ['content-length', '3'],
      ]),
      data(1, 'hi', END_STREAM),
    ],
    codes: BROKEN,
  },
  {
    name: 'fields of HTTP/1.1',
    says: [ok(1, [['transfer-encoding', 'chunked']]), data(1, 'hi', END_STREAM)],
    codes: BROKEN,
  },
  { name: 'an upper case name', says: [ok(1, [['X', 'y']]), data(1, 'hi', END_STREAM)], codes: BROKEN },
  {
    name: 'a line break in a value: the field is dropped',
    says: [ok(1, [['x', 'y\r\nz: a']]), data(1, 'hi', END_STREAM)],
    content: 'hi',
  },
  {
    name: 'NUL in a value: the field is dropped',
    says: [ok(1, [['x', 'y\0']]), data(1, 'hi', END_STREAM)],
    content: 'hi',
  },
  { name: 'no status', says: [head(1, [['x', 'y']]), data(1, 'hi', END_STREAM)], codes: BROKEN },
  { name: 'two statuses', says: [ok(1, [[':status', '404']]), data(1, 'hi', END_STREAM)], codes: BROKEN },
  {
    name: 'a status of two digits',
    says: [head(1, [[':status', '20']]), data(1, 'hi', END_STREAM)],
    codes: BROKEN,
  },
  {
    name: 'switching protocols',
    says: [head(1, [[':status', '101']]), data(1, 'hi', END_STREAM)],
    codes: BROKEN,
  },
  { name: 'a body before the head', says: [data(1, 'hi', END_STREAM)], codes: BROKEN },
  {
    name: 'a body on another stream',
    says: [ok(1), data(3, 'poison'), data(1, 'hi', END_STREAM)],
    codes: [...CUT, ...BROKEN],
  },
  {
    name: 'a pushed answer',
    says: [frame(5, END_HEADERS, 1, `\0\0\0\x02${field(':status', '200')}`)],
    codes: BROKEN,
  },
  { name: 'a reset before the head', says: [reset(1, 2)], codes: BROKEN },
  { name: 'a reset in the body', says: [ok(1), data(1, 'hi'), reset(1, 2)], codes: CUT, content: 'hi' },
  { name: 'cancelled in the body', says: [ok(1), data(1, 'hi'), reset(1, 8)], codes: CUT, content: 'hi' },
  {
    name: 'a reset behind a whole answer',
    says: [ok(1), data(1, 'hi', END_STREAM), reset(1, 0)],
    content: 'hi',
  },
  { name: 'GOAWAY, then the rest', says: [ok(1), goaway(1, 0), data(1, 'hi', END_STREAM)], content: 'hi' },
  {
    name: 'GOAWAY, then the end',
    says: [ok(1), data(1, 'hi'), goaway(1, 0)],
    ends: 'closed',
    codes: CUT,
    content: 'hi',
  },
  {
    name: 'GOAWAY for an error in the body',
    says: [ok(1), data(1, 'hi'), goaway(1, 2)],
    ends: 'closed',
    codes: CUT,
  },
  // The target did not process the request, so it is sent again.
  { name: 'GOAWAY before it was looked at', says: [goaway(0, 0)], ends: 'closed', content: 'clean' },
  { name: 'refused', says: [reset(1, 7)], content: 'clean' },
  { name: 'the end at once', says: [], ends: 'closed', codes: BROKEN },
  {
    name: 'a reset of the connection',
    says: [ok(1), data(1, 'hi')],
    ends: 'reset',
    codes: CUT,
    content: 'hi',
  },
  {
    name: 'HTTP/1.1 all the same',
    says: [Buffer.from('HTTP/1.1 200 OK\r\n\r\nhi')],
    ends: 'closed',
    codes: BROKEN,
  },
  { name: 'a frame too large', says: [frame(0, 0, 1, 'x'.repeat(20_000))], codes: BROKEN },
  { name: 'a broken table index', says: [frame(1, END_HEADERS, 1, '\xff\xff\x7f')], codes: BROKEN },
  {
    name: 'a body that is never paid for',
    says: [ok(1), frame(0, 8, 1, '\xff'.padEnd(9, 'x'))],
    codes: [...CUT, ...BROKEN],
  },
];

/**
 * Sends the frames of a row after the first request of the first connection. Further requests on that connection get the
 * text "poison", which must never be the content of a scrape; requests on other connections get a normal page.
 */
async function h2Server(t: TestContext, row: Pick<Row, 'says' | 'ends'>, cutAt = Infinity): Promise<string> {
  const open = new Set<TLSSocket>();
  let count = 0;
  const server = createServer({ key, cert, ALPNProtocols: ['h2'] }, (socket) => {
    const n = ++count;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.write(SETTINGS);
    let seen = Buffer.alloc(0);
    let at = 24;
    socket.on('data', (bytes: Buffer) => {
      seen = Buffer.concat([seen, bytes]);
      while (seen.length >= at + 9) {
        const isHead = seen[at + 3] === 1;
        const stream = seen.readUInt32BE(at + 5);
        at += 9 + seen.readUIntBE(at, 3);
        if (isHead) void answer(socket, n, stream);
      }
    });
  });
  const answer = async (socket: TLSSocket, n: number, stream: number) => {
    if (n > 1 || stream > 1) {
      const text = n > 1 ? 'clean' : 'poison';
      socket.write(Buffer.concat([ok(stream), data(stream, text, END_STREAM)]));
      return;
    }
    const all = Buffer.concat([...(cutAt === Infinity ? [SETTINGS_TAKEN] : []), ...row.says]);
    socket.write(all.subarray(0, cutAt));
    if (row.ends === undefined && cutAt === Infinity) return;
    await pause(20);
    if (row.ends === 'closed') socket.end();
    else socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

describe('malformed responses over HTTP/2', () => {
  const service = useService();
  const scrape = (url: string) =>
    service.scrape({ url, scraper: 'http', timeout_ms: 3000, scraper_options: { verify_tls: false } });

  test('each is read or refused, and none is mistaken for the response to another request', {
    concurrency: 12,
  }, async (t) => {
    await Promise.all(
      ROWS.map((row) =>
        t.test(row.name, async (s) => {
          const url = await h2Server(s, row);
          const { status, body } = await scrape(url);
          const told = JSON.stringify([status, body.content, body.errors]);
          const { codes = [], content } = row;
          if (codes.length === 0) assert.deepEqual(body.errors, [], told);
          else assert.ok(codes.includes(body.errors[0]?.code ?? ''), told);
          if (content !== undefined && status === 200) assert.equal(body.content, content, told);
          else assert.equal(status, body.content === null ? 502 : 200, told);
          assert.ok(body.content === null || !body.content.includes('poison'), told);
          assert.doesNotMatch(JSON.stringify(body.headers), /\\r|\\n|\\u0000/, told);
          const next = await scrape(url);
          assert.match(
            next.body.content!,
            /^(?:clean|poison)$/,
            'streams are apart, so a connection may stand',
          );
        }),
      ),
    );
    t.diagnostic(`${ROWS.length} odd replies over HTTP/2`);
  });

  const WHOLE_TOO_SOON: readonly Pick<Row, 'name' | 'says' | 'ends'>[] = [
    { name: 'and the stream stays open', says: [ok(1), data(1, 'hi', END_STREAM)] },
    { name: 'and the connection ends', says: [ok(1), data(1, 'hi', END_STREAM)], ends: 'closed' },
    { name: 'and GOAWAY', says: [ok(1), data(1, 'hi', END_STREAM), goaway(1, 0)], ends: 'closed' },
    { name: 'and no body', says: [head(1, [[':status', '413']], END_HEADERS | END_STREAM)] },
  ];

  test('a response that is complete before the request ends the scrape', async (t) => {
    for (const scraper of ['http', 'http_impersonate'])
      for (const row of WHOLE_TOO_SOON)
        await t.test(`${scraper}: ${row.name}`, async (s) => {
          const url = await h2Server(s, row);
          const begun = performance.now();
          const { status, body } = await service.scrape({
            ...{ url, scraper, method: 'POST', data: 'x'.repeat(200_000), timeout_ms: 20_000 },
            scraper_options: { verify_tls: false },
          });
          const told = JSON.stringify([status, body.errors]);
          assert.deepEqual([status, body.errors], [200, []], told);
          assert.equal(body.content, row.name === 'and no body' ? '' : 'hi');
          assert.ok(performance.now() - begun < 15_000, 'it did not wait for the time to be up');
        });
  });

  test('http_impersonate reports truncated bodies, and distinguishes resets from invalid responses', async (t) => {
    const length = ok(1, [['content-length', '10']]);
    const rows: readonly (readonly [string, readonly Buffer[], string])[] = [
      ['cut without an error', [length, data(1, 'hi'), reset(1, 0)], 'content.incomplete'],
      ['cut before the body', [length, reset(1, 0)], 'content.incomplete'],
      ['reset for an error', [reset(1, 2)], 'connect.reset'],
      ['reset without one', [reset(1, 0)], 'connect.reset'],
      ['fields of HTTP/1.1', [ok(1, [['transfer-encoding', 'chunked']])], 'http.protocol'],
    ];
    for (const [name, says, code] of rows)
      await t.test(name, async (s) => {
        const url = await h2Server(s, { says });
        const { body } = await service.scrape({
          ...{ url, scraper: 'http_impersonate', timeout_ms: 3000 },
          scraper_options: { verify_tls: false },
        });
        assert.equal(body.errors![0]?.code, code, JSON.stringify([body.content, body.errors]));
      });
  });

  test('a connection that ends after any byte of the response', async (t) => {
    const says = [ok(1, [['content-type', 'text/plain']]), data(1, 'hello '), data(1, 'world', END_STREAM)];
    const length = Buffer.concat(says).length;
    const headLength = says[0]!.length;
    const at = async (count: number) => {
      const url = await h2Server(t, { says }, count);
      const { body } = await scrape(url);
      const told = `after ${count} bytes: ${JSON.stringify([body.content, body.errors])}`;
      if (count < headLength) assert.ok(BROKEN.includes(body.errors[0]?.code ?? ''), told);
      else {
        assert.equal(body.errors[0]?.code, 'content.incomplete', told);
        assert.ok('hello world'.startsWith(body.content!), told);
      }
    };
    const counts = Array.from({ length }, (_, count) => count);
    for (let from = 0; from < length; from += 16) await Promise.all(counts.slice(from, from + 16).map(at));
  });
});
