import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { eventually, useService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const SCHEMES = ['http', 'https'] as const;
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

/** Writes a text byte by byte; ends when nobody takes it any more. */
async function drip(socket: Socket, text: string, ms: number): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return;
    socket.write(byte, 'latin1');
    await pause(ms);
  }
}

/** Leads to where CONNECT wants to go. */
function lead(socket: Socket, first: Buffer): void {
  const asked = /^CONNECT ([^ ]+):(\d+) /.exec(first.toString('latin1'));
  // Browsers ask for things of their own, too.
  if (asked === null) return void socket.destroy();
  const [, host, port] = asked;
  const out = connect(Number(port), host);
  out.on('error', () => socket.destroy());
  socket.on('close', () => out.destroy());
  socket.pipe(out).pipe(socket);
}

describe('a proxy that wastes time or lies about lengths', () => {
  const site = useSite({ tls: true });
  const service = useService();
  // The first page of a browser may take longer than a test gives it.
  before(async () => {
    for (const scraper of SCRAPERS)
      assert.equal(
        (await service.scrape({ url: `${site.url}/text`, scraper, scraper_options: { verify_tls: false } }))
          .body.status_code,
        200,
      );
  });
  const urlOf = (scheme: (typeof SCHEMES)[number]) => `${scheme === 'http' ? site.url : site.httpsUrl}/text`;
  const scrape = (scraper: string, url: string, port: number, more: object = {}) =>
    service.scrape({
      url,
      scraper,
      proxy: `http://127.0.0.1:${port}`,
      scraper_options: { verify_tls: false },
      ...more,
    });

  for (const scraper of SCRAPERS) {
    test(`${scraper}: a head that comes byte by byte and never ends is timeout.total`, async () => {
      await using proxy = await startProxy({
        hostile: (socket) => void drip(socket, `${HEAD}X-Drip: ${'a'.repeat(1000)}`, 50),
      });
      for (const scheme of SCHEMES) {
        // A browser may have to start first.
        const timeout_ms = scraper === 'browser' ? 15_000 : 3_000;
        const { status, body } = await scrape(scraper, urlOf(scheme), proxy.port, { timeout_ms });
        assert.deepEqual([status, body.code], [504, 'timeout.total'], `${scheme} ${body.detail}`);
        // Long before the proxy has said all, which takes it 50 s; a browser takes its time to close a page.
        await eventually(() => proxy.open() === 0, scraper === 'browser' ? 20_000 : 10_000);
      }
    });

    test(`${scraper}: an answer to CONNECT that comes byte by byte is one`, async () => {
      await using proxy = await startProxy({
        hostile(socket, first) {
          // What the client says at once is for the target.
          socket.pause();
          void drip(socket, 'HTTP/1.1 200 Connection established\r\nVia: a\r\n\r\n', 10).then(() =>
            lead(socket, first),
          );
        },
      });
      const { body, text } = await scrape(scraper, urlOf('https'), proxy.port);
      assert.deepEqual([body.status_code, body.errors], [200, []], text);
    });

    test(`${scraper}: interim heads without an end are the proxy's fault, and end nobody else's work`, async () => {
      await using proxy = await startProxy({
        hostile: (socket) => void socket.write('HTTP/1.1 100\n\n'.repeat(4_600), 'latin1'),
      });
      const { status, body, text } = await scrape(scraper, urlOf('https'), proxy.port);
      const reason = (body.errors[0]?.details as { reason?: string } | undefined)?.reason;
      assert.deepEqual([status, body.code, reason], [502, 'proxy.failed', 'protocol'], text);
      assert.equal((await fetch(`${service.base}/healthz`)).status, 200);
    });

    test(`${scraper}: a page that comes byte by byte is there as far as it came`, async () => {
      await using proxy = await startProxy({
        hostile: (socket) => {
          socket.write(`${HEAD}Content-Length: 100000\r\n\r\n<title>Slow</title><p>`);
          void drip(socket, 'x'.repeat(1000), 50);
        },
      });
      const { body, text } = await scrape(scraper, urlOf('http'), proxy.port, { timeout_ms: 4_000 });
      assert.equal(body.status_code, 200, text);
      assert.match(body.content ?? '', /x{5}/);
      // A browser keeps some of the time for reading what there is.
      const code = scraper === 'browser' ? 'wait.load_timeout' : 'timeout.total';
      assert.deepEqual(
        body.errors.map((error) => error.code),
        [code],
        text,
      );
      await eventually(() => proxy.open() === 0);
    });

    test(`${scraper}: a refusal is one before the body that it tells of`, async () => {
      for (const [scheme, status, reason] of [
        ['http', 407, 'auth'],
        ['https', 407, 'auth'],
        ['https', 502, 'refused'],
      ] as const) {
        await using proxy = await startProxy({
          hostile: (socket) => void socket.write(`HTTP/1.1 ${status} No\r\nContent-Length: 1000000\r\n\r\n`),
        });
        const { body, text } = await scrape(scraper, urlOf(scheme), proxy.port, { timeout_ms: 20_000 });
        assert.deepEqual([body.code, body.errors[0]!.details?.reason], ['proxy.failed', reason], text);
      }
    });

    test(`${scraper}: a length in the answer to CONNECT means nothing (RFC 9110 §9.3.6)`, async () => {
      for (const field of ['Content-Length: 1000000', 'Transfer-Encoding: chunked']) {
        await using proxy = await startProxy({
          hostile(socket, first) {
            socket.write(`HTTP/1.1 200 OK\r\n${field}\r\n\r\n`);
            lead(socket, first);
          },
        });
        const { body, text } = await scrape(scraper, urlOf('https'), proxy.port);
        assert.deepEqual([body.status_code, body.errors], [200, []], text);
      }
    });

    test(`${scraper}: bytes that follow the answer to CONNECT are none of the target's`, async () => {
      await using proxy = await startProxy({
        hostile(socket, first) {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello');
          lead(socket, first);
        },
      });
      const { body, text } = await scrape(scraper, urlOf('https'), proxy.port);
      assert.deepEqual([body.code, body.errors[0]?.details?.reason], ['proxy.failed', 'protocol'], text);
    });

    test(`${scraper}: less than was promised is content.incomplete, more is nobody's`, async () => {
      await using less = await startProxy({
        hostile: (socket) => void socket.end(`${HEAD}Content-Length: 1000\r\n\r\n<p>no more than this`),
      });
      const short = await scrape(scraper, urlOf('http'), less.port);
      assert.equal(short.body.status_code, 200, short.text);
      assert.match(short.body.content ?? '', /no more than this/);
      assert.deepEqual(
        short.body.errors.map(({ code }) => code),
        ['content.incomplete'],
      );
      const page = `${HEAD}Content-Length: 11\r\n\r\n<p>the page`;
      await using more = await startProxy({
        hostile(socket) {
          socket.write(page + page.replace('the page', 'poisoned'));
          socket.on('data', () => socket.write(page + page.replace('the page', 'poisoned')));
        },
      });
      for (let at = 0; at < 3; at++) {
        const { body, text } = await scrape(scraper, urlOf('http'), more.port);
        assert.equal(body.status_code, 200, text);
        assert.match(body.content ?? '', /the page/);
        assert.doesNotMatch(body.content ?? '', /poison/);
      }
    });
  }

  test('a browser asks nothing of its own when a certificate comes late and is not taken', {
    skip: !SCRAPERS.includes('browser'),
  }, async () => {
    const asked: string[] = [];
    await using proxy = await startProxy({
      hostile(socket, first) {
        asked.push(first.toString('latin1').split('\r\n', 1)[0]!);
        socket.pause();
        void pause(3_000).then(() => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          lead(socket, first);
        });
      },
    });
    const options = { scraper_options: { verify_tls: true }, timeout_ms: 30_000 };
    const { body, text } = await scrape('browser', urlOf('https'), proxy.port, options);
    assert.equal(body.code, 'tls.invalid', text);
    const { port } = new URL(urlOf('https'));
    for (const line of asked) assert.equal(line, `CONNECT localhost:${port} HTTP/1.1`);
  });
});
