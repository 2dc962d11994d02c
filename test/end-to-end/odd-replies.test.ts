import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { onRequest, type RawServer, rawServer } from '../adapters/http-scraper/raw-server.ts';
import { useService } from '../helpers/service.ts';

const CLEAN = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nclean';
const POISON = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The bytes of the response to the first request, and what the target does with the connection afterwards. */
type Reply = (socket: Socket) => void | Promise<void>;
const says =
  (text: string): Reply =>
  (socket) =>
    void socket.write(latin1(text));
const saysAndEnds =
  (text: string): Reply =>
  (socket) =>
    void socket.end(latin1(text));
const saysAndResets =
  (text: string): Reply =>
  async (socket) => {
    socket.write(latin1(text));
    await pause(30);
    socket.resetAndDestroy();
  };
/** Writes again and again, until the other side closes. */
const floods =
  (head: string, more: string): Reply =>
  (socket) => {
    socket.write(latin1(head));
    const bytes = latin1(more.repeat(Math.ceil(65_536 / more.length)));
    const on = () => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on('drain', on);
    on();
  };

interface Row {
  readonly name: string;
  readonly reply: Reply;
  readonly status?: number;
  /** Expected content; undefined: no page. */
  readonly content?: string;
  /** Expected code of the first error. */
  readonly code?: string;
  /** The response is well-formed, so the connection may be used again. */
  readonly plain?: true;
}

const row = (
  name: string,
  reply: Reply | string,
  content: string | undefined,
  code?: string,
  more: Partial<Row> = {},
): Row => ({
  name,
  reply: typeof reply === 'string' ? says(reply) : reply,
  ...(content === undefined ? {} : { content }),
  ...(code === undefined ? {} : { code }),
  ...more,
});

const ROWS: readonly Row[] = [
  row('nothing odd', `${OK}Content-Length: 2\r\n\r\nhi`, 'hi', undefined, { plain: true }),
  row('chunks and a trailer', `${CHUNKED}2\r\nhi\r\n0\r\nX: y\r\n\r\n`, 'hi', undefined, { plain: true }),
  row(
    'interim heads',
    `HTTP/1.1 103 Hints\r\nLink: a\r\n\r\n${OK}Content-Length: 2\r\n\r\nhi`,
    'hi',
    undefined,
    {
      plain: true,
    },
  ),
  // Lengths.
  row(
    'shorter than it says, then the end',
    saysAndEnds(`${OK}Content-Length: 9\r\n\r\nhi`),
    'hi',
    'content.incomplete',
  ),
  row('shorter than it says, then silence', `${OK}Content-Length: 9\r\n\r\nhi`, 'hi', 'timeout.total'),
  row('longer than it says', `${OK}Content-Length: 2\r\n\r\nhi there`, 'hi'),
  row('no length, no end', `${OK}\r\nhi`, 'hi', 'timeout.total'),
  row('no length', saysAndEnds(`${OK}\r\nhi`), 'hi'),
  row('no number', saysAndEnds(`${OK}Content-Length: two\r\n\r\nhi`), 'hi'),
  row('negative', saysAndEnds(`${OK}Content-Length: -2\r\n\r\nhi`), 'hi'),
  row('empty length', saysAndEnds(`${OK}Content-Length:\r\n\r\nhi`), 'hi'),
  row('beyond numbers', saysAndEnds(`${OK}Content-Length: ${'9'.repeat(40)}\r\n\r\nhi`), 'hi'),
  row(
    'two that differ',
    `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!`,
    undefined,
    'http.protocol',
  ),
  row('three, one differs', `${OK}Content-Length: 2, 2, 3\r\n\r\nhi!`, undefined, 'http.protocol'),
  row(
    'length and chunked',
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
    'hi',
  ),
  row(
    'chunked and a long length',
    `${OK}Transfer-Encoding: chunked\r\nContent-Length: 9999\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
    'hi',
  ),
  row(
    'chunked in HTTP/1.0',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    'hi',
  ),
  row('204 with a body', `HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nhi${POISON}`, '', undefined, {
    status: 204,
  }),
  row('304 with a body', `HTTP/1.1 304 No\r\nContent-Length: 2\r\n\r\nhi${POISON}`, '', undefined, {
    status: 304,
  }),
  // Chunks.
  row('a size that is none', `${CHUNKED}2\r\nhi\r\nzz\r\n`, 'hi', 'content.incomplete'),
  row('a size beyond numbers', `${CHUNKED}2\r\nhi\r\n${'f'.repeat(30)}\r\nx`, 'hi', 'content.incomplete'),
  row('a negative size', `${CHUNKED}2\r\nhi\r\n-1\r\nx`, 'hi', 'content.incomplete'),
  row('a chunk longer than told', `${CHUNKED}2\r\nhi there\r\n0\r\n\r\n`, 'hi', 'content.incomplete'),
  row('no last chunk', saysAndEnds(`${CHUNKED}2\r\nhi\r\n`), 'hi', 'content.incomplete'),
  row('no end of the trailers', saysAndEnds(`${CHUNKED}2\r\nhi\r\n0\r\n`), 'hi'),
  row('trailers without end', floods(`${CHUNKED}2\r\nhi\r\n0\r\n`, 'X: y\r\n'), 'hi', 'content.incomplete'),
  row('an extension without end', floods(`${CHUNKED}2\r\nhi\r\n1;`, 'x'), 'hi', 'content.incomplete'),
  row('bytes behind the last chunk', `${CHUNKED}2\r\nhi\r\n0\r\n\r\nrubbish`, 'hi'),
  row(
    'chunks within chunks',
    saysAndEnds(`${OK}Transfer-Encoding: chunked, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`),
    'hi',
  ),
  // Heads.
  row('HTTP/0.9', saysAndEnds('<html>hi</html>'), undefined, 'http.protocol'),
  row('HTTP/0.9 that goes on', '<html>hi</html>', undefined, 'http.protocol'),
  row('HTTP/1.0', saysAndEnds('HTTP/1.0 200 OK\r\n\r\nhi'), 'hi'),
  row('HTTP/1.0 with a length', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'hi'),
  row('a version of its own', 'HTTP/3.7 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'hi'),
  row('LF alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', 'hi'),
  row('CR alone in a field', `${OK}A: b\rContent-Length: 2\r\n\r\nhi`, 'hi'),
  row('CR alone throughout', 'HTTP/1.1 200 OK\rContent-Length: 2\r\rhi', undefined, 'timeout.total'),
  row('NUL in a field', `${OK}A: b\0c\r\nContent-Length: 2\r\n\r\nhi`, undefined, 'http.protocol'),
  row('NUL in a name', `${OK}A\0B: c\r\nContent-Length: 2\r\n\r\nhi`, undefined, 'http.protocol'),
  row(
    'NUL in the status line',
    'HTTP/1.1 200 O\0K\r\nContent-Length: 2\r\n\r\nhi',
    undefined,
    'http.protocol',
  ),
  row('a folded field', `${OK}A: b\r\n c\r\nContent-Length: 2\r\n\r\nhi`, 'hi'),
  row('a folded length', `${OK}Content-Length:\r\n 2\r\n\r\nhi`, 'hi'),
  row('lines without a colon', `${OK}no colon\r\nContent-Length: 2\r\n\r\nhi`, 'hi', undefined, {
    plain: true,
  }),
  row('5,000 fields', `${OK}${'X: y\r\n'.repeat(5000)}Content-Length: 2\r\n\r\nhi`, 'hi', undefined, {
    plain: true,
  }),
  row('fields without end', floods(OK, 'X: y\r\n'), undefined, 'http.protocol'),
  row('one field without end', floods(`${OK}X: `, 'y'), undefined, 'http.protocol'),
  row('a status line without end', floods('HTTP/1.1 200 ', 'O'), undefined, 'http.protocol'),
  row('interim heads without end', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), undefined, 'http.protocol'),
  row('blank lines without end', floods('', '\r\n'), undefined, 'http.protocol'),
  row('switching protocols', 'HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\nhi', undefined, 'http.protocol'),
  row('no status', 'HTTP/1.1 OK\r\nContent-Length: 2\r\n\r\nhi', undefined, 'http.protocol'),
  row('a status of one digit', 'HTTP/1.1 2 OK\r\nContent-Length: 2\r\n\r\nhi', undefined, 'http.protocol'),
  row('a status of 100 digits', `HTTP/1.1 ${'2'.repeat(100)} OK\r\n\r\n`, undefined, 'http.protocol'),
  row('HTTP/2 without being asked', '\0\0\0\x04\0\0\0\0\0', undefined, 'http.protocol'),
  row('TLS without being asked', saysAndEnds('\x15\x03\x01\0\x02\x02\x46'), undefined, 'http.protocol'),
  // Ends.
  row('the end at once', (socket) => void socket.end(), undefined, 'connect.reset'),
  row('a reset at once', (socket) => void socket.resetAndDestroy(), undefined, 'connect.reset'),
  row('the end in the head', saysAndEnds(`${OK}Content-Le`), undefined, 'connect.reset'),
  row('a reset in the body', saysAndResets(`${OK}Content-Length: 9\r\n\r\nhi`), 'hi', 'content.incomplete'),
  row('a reset of a body without length', saysAndResets(`${OK}\r\nhi`), 'hi', 'content.incomplete'),
  row('a reset behind a whole answer', saysAndResets(`${OK}Content-Length: 2\r\n\r\nhi`), 'hi'),
  row('one side closed, the other not', saysAndEnds(`${OK}Content-Length: 2\r\n\r\nhi`), 'hi'),
  row('silence', says(''), undefined, 'timeout.total'),
  row('a head, then silence', `${OK}Content-Length: 2\r\n\r\n`, '', 'timeout.total'),
  // Bytes after the response.
  row('two answers at once', `${OK}Content-Length: 2\r\n\r\nhi${POISON}`, 'hi'),
  row('two answers at once, chunked', `${CHUNKED}2\r\nhi\r\n0\r\n\r\n${POISON}`, 'hi'),
  row('an answer behind a HEAD-like one', `HTTP/1.1 204 No\r\n\r\n${POISON}`, '', undefined, { status: 204 }),
  row(
    'another answer a little later',
    async (socket) => {
      socket.write(`${OK}Content-Length: 2\r\n\r\nhi`);
      await pause(20);
      socket.write(POISON);
    },
    'hi',
  ),
  // Byte by byte.
  row(
    'one byte at a time',
    async (socket) => {
      for (const byte of `${CHUNKED}2\r\nhi\r\n4;a=b\r\n you\r\n0\r\n\r\n`) {
        socket.write(byte);
        await pause(2);
      }
    },
    'hi you',
    undefined,
    { plain: true },
  ),
  row(
    'a body that drips for ever',
    async (socket) => {
      socket.write(`${OK}Content-Length: 100000\r\n\r\n`);
      while (!socket.destroyed) {
        socket.write('x');
        await pause(50);
      }
    },
    undefined,
    'timeout.total',
    { status: 200 },
  ),
];

/**
 * Sends the bytes of a row after the first request of the first connection. Further requests on that connection get the
 * text "poison", which must never be the content of a scrape; requests on other connections get a normal page.
 */
function poisoned(t: TestContext, reply: Reply): Promise<RawServer> {
  return rawServer(t, (socket, n) => {
    let requests = 0;
    onRequest(socket, () => {
      requests++;
      if (n > 1) socket.write(CLEAN);
      else if (requests === 1) void reply(socket);
      else socket.write(POISON);
    });
  });
}

describe('malformed responses over HTTP/1.1', () => {
  const service = useService();

  test('each is read as by a browser, or refused; none affects the next request', {
    concurrency: 16,
  }, async (t) => {
    const run = async ({ name, reply, status, content, code, plain }: Row) => {
      await t.test(name, async (s) => {
        const server = await poisoned(s, reply);
        const { body, ...got } = await service.scrape({
          url: `${server.url}odd`,
          scraper: 'http',
          timeout_ms: code === 'timeout.total' ? 1000 : 5000,
        });
        const told = JSON.stringify([got.status, body.status_code, body.content?.slice(0, 99), body.errors]);
        assert.equal(body.errors[0]?.code, code, told);
        if (content !== undefined || status !== undefined) {
          assert.equal(got.status, 200, told);
          assert.equal(body.status_code, status ?? 200, told);
        } else assert.equal(got.status, code === 'timeout.total' ? 504 : 502, told);
        if (content !== undefined) assert.equal(body.content, content, told);
        // Bytes after the response arrive a moment later.
        await pause(60);
        const next = await service.scrape({ url: `${server.url}next`, scraper: 'http', timeout_ms: 3000 });
        if (plain === true)
          assert.match(next.body.content!, /^(?:clean|poison)$/, 'only this one may be reused');
        else assert.equal(next.body.content, 'clean', JSON.stringify(next.body.errors));
      });
    };
    await Promise.all(ROWS.map(run));
    t.diagnostic(`${ROWS.length} odd replies`);
  });

  test('a connection is reused after a well-formed response, so a wrong reuse would deliver the poison', async (t) => {
    const server = await poisoned(t, says(`${OK}Content-Length: 2\r\n\r\nhi`));
    await service.scrape({ url: server.url, scraper: 'http' });
    const { body } = await service.scrape({ url: server.url, scraper: 'http' });
    assert.equal(body.content, 'poison');
  });

  test('a response sent before any request is never taken for the response to one', async (t) => {
    const server = await rawServer(t, (socket, n) => {
      if (n === 1) socket.write(`${OK}Content-Length: 5\r\n\r\nearly`);
      onRequest(socket, () => socket.write(n === 1 ? POISON : CLEAN));
    });
    const first = await service.scrape({ url: server.url, scraper: 'http' });
    assert.ok(first.status === 502 || first.body.content === 'early', first.text);
    await pause(60);
    const next = await service.scrape({ url: server.url, scraper: 'http' });
    assert.equal(next.body.content, 'clean');
  });

  test('many requests at once on reused connections: each gets its own response', async (t) => {
    let served = 0;
    const server = await rawServer(t, (socket) => {
      onRequest(socket, (head) => {
        const path = head.split(' ')[1]!;
        const odd = ++served % 7;
        const body = `this is ${path}`;
        const length = `Content-Length: ${body.length}\r\n`;
        if (odd === 0) socket.write(`${OK}${length}\r\n${body}${POISON}`);
        else if (odd === 1) socket.write(`${OK}${length}\r\n${body}`, () => socket.resetAndDestroy());
        else if (odd === 2) socket.write(`HTTP/1.1 200 OK\n${length}\n${body}`);
        else if (odd === 3) socket.end(`${OK}${length}\r\n${body}`);
        else socket.write(`${OK}${length}\r\n${body}`);
      });
    });
    let whole = 0;
    let n = 0;
    const scrape = async () => {
      while (n < 400) {
        const path = `page/${n++}`;
        const { body } = await service.scrape({ url: server.url + path });
        if (body.content === null) assert.equal(body.errors[0]?.code, 'connect.reset');
        else {
          assert.ok(`this is /${path}`.startsWith(body.content), `${path}: ${body.content}`);
          whole++;
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, scrape));
    assert.ok(whole > 300, `${whole} of 400`);
  });

  test('connections that are closed between redirects', async (t) => {
    for (const [name, end] of [
      ['closed', (socket: Socket) => void socket.end()],
      ['reset', (socket: Socket) => void socket.resetAndDestroy()],
      ['closed a little later', (socket: Socket) => void setTimeout(() => socket.end(), 2)],
      ['told to be kept, then gone at the next request', null],
    ] as const) {
      let hops = 0;
      const server = await rawServer(t, (socket) => {
        let requests = 0;
        onRequest(socket, () => {
          if (++requests > 1) {
            socket.resetAndDestroy();
            return;
          }
          if (++hops > 5) {
            socket.write(CLEAN);
            return;
          }
          const hop = `HTTP/1.1 302 Found\r\nLocation: /${hops}\r\nContent-Length: 0\r\n\r\n`;
          socket.write(hop, () => end?.(socket));
        });
      });
      const { body } = await service.scrape({ url: server.url, scraper: 'http' });
      assert.equal(body.content, 'clean', `${name}: ${JSON.stringify(body.errors)}`);
      assert.equal(body.router.redirects.length, 5);
    }
  });

  test('a reset at any byte of the response gives a partial page, or connect.reset', async (t) => {
    const head = `${OK}Content-Type: text/plain\r\nContent-Length: 12\r\n\r\n`;
    const answer = `${head}hello world!`;
    const server = await rawServer(t, (socket) => {
      onRequest(socket, async (request) => {
        const count = Number(/^GET \/(\d+)/.exec(request)![1]);
        if (count > 0) socket.write(answer.slice(0, count));
        await pause(30);
        socket.resetAndDestroy();
      });
    });
    const at = async (count: number) => {
      const { body } = await service.scrape({ url: server.url + count, scraper: 'http' });
      const told = `after ${count} bytes: ${JSON.stringify(body.errors)}`;
      const inHead = count < head.length;
      assert.equal(body.errors[0]?.code, inHead ? 'connect.reset' : 'content.incomplete', told);
      assert.equal(body.content, inHead ? null : 'hello world!'.slice(0, count - head.length), told);
    };
    const counts = Array.from({ length: answer.length }, (_, count) => count);
    for (let from = 0; from < counts.length; from += 32)
      await Promise.all(counts.slice(from, from + 32).map(at));
  });
});
