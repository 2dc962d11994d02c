import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, useOwnService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const SCRAPE = '/api/v1/scrape/';

interface Slow {
  readonly socket: Socket;
  text(): string;
  /** ms since it began; settles when the other side closed. */
  readonly closed: Promise<number>;
}

describe('callers that are slow', { concurrency: true, timeout: 60_000 }, () => {
  const site = useSite({ log: false });
  const service = useOwnService({ SLUICE_LOG_LEVEL: 'warn' });
  const head = (length: number) =>
    `POST ${SCRAPE} HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  function slow(more: { allowHalfOpen?: boolean } = {}): Slow {
    const begun = performance.now();
    const socket = connect({ port: service.port, host: '127.0.0.1', ...more });
    let text = '';
    socket.setEncoding('latin1').on('data', (bytes: string) => {
      text += bytes;
    });
    socket.on('error', () => {});
    const closed = new Promise<number>((resolve) => {
      socket.once('close', () => resolve(performance.now() - begun));
    });
    return { socket, text: () => text, closed };
  }

  /** One byte every so often until the other side has had enough. */
  async function drip({ socket }: Slow, bytes: string, everyMs: number): Promise<void> {
    for (const byte of bytes) {
      if (socket.destroyed) return;
      socket.write(byte);
      await pause(everyMs);
    }
  }

  function assert408(text: string): void {
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /\r\nContent-Type: application\/problem\+json\r\n/);
    const problem = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
    assert.deepEqual([problem.status, problem.code], [408, 'request.slow']);
  }

  test('a request header that arrives byte by byte: 408 after 15 s', async () => {
    const caller = slow();
    void drip(caller, `GET /healthz HTTP/1.1\r\nX: ${'x'.repeat(1000)}`, 250);
    const ms = await caller.closed;
    assert408(caller.text());
    assert.doesNotMatch(caller.text(), /ratelimit/i, 'nobody knows whose it is');
    assert.ok(ms > 14_000 && ms < 20_000, `${ms} ms`);
  });

  test('a body byte by byte: 408 after 30 s', async () => {
    const caller = slow();
    const body = JSON.stringify({ url: site.url, headers: { a: 'x'.repeat(1000) } });
    caller.socket.write(head(body.length));
    void drip(caller, body, 250);
    const ms = await caller.closed;
    assert408(caller.text());
    assert.ok(ms > 29_000 && ms < 35_000, `${ms} ms`);
  });

  test('a body that never comes: 408 after 30 s, and the slot is free again', async () => {
    const callers = Array.from({ length: 10 }, () => slow());
    for (const { socket } of callers) socket.write(head(100));
    await Promise.all(callers.map(({ closed }) => closed));
    for (const { text } of callers) {
      assert408(text());
      assert.match(text(), /\r\nratelimit-policy: "concurrency";q=50;qu="concurrent-requests"\r\n/);
      assert.match(text(), /\r\nratelimit: "concurrency";r=\d+\r\n/);
      const [, id] = /\r\nX-Request-Id: (\S+)\r\n/.exec(text()) ?? [];
      assert.ok(text().includes(`"request_id":"${id}"`));
    }
    await eventually(async () =>
      (await service.api('GET', SCRAPE)).headers.get('ratelimit')?.endsWith('=49'),
    );
  });

  test('connections of refused callers that never close them are closed', async () => {
    const rubbish = slow({ allowHalfOpen: true });
    rubbish.socket.write('rubbish\r\n\r\n');
    const large = slow({ allowHalfOpen: true });
    large.socket.write(head(40 << 20));
    for (const [{ socket, closed, text }, status] of [
      [rubbish, 400],
      [large, 413],
    ] as const) {
      // Only a connection that is gone answers more bytes with a reset.
      const knock = setInterval(() => socket.write('x'), 200);
      const ms = await closed;
      clearInterval(knock);
      assert.match(text(), new RegExp(`^HTTP/1.1 ${status} `));
      assert.ok(ms < 10_000, `${ms} ms`);
    }
  });

  test('a refused body that goes on and on: cut off at once', async () => {
    const caller = slow();
    caller.socket.write(head(40 << 20));
    void drip(caller, 'x'.repeat(1000), 50);
    const ms = await caller.closed;
    assert.match(caller.text(), /^HTTP\/1\.1 413 /);
    assert.ok(ms < 10_000, `${ms} ms`);
  });

  test('1,000 silent connections do not affect other callers, and are closed', async () => {
    const open = () => readdirSync(`/proc/${service.pid}/fd`).length;
    const before = open();
    const idle = Array.from({ length: 1000 }, () => slow());
    await eventually(() => open() > before + 900);
    for (let n = 0; n < 20; n++) {
      const begun = performance.now();
      const { status } = await service.scrape({ url: `${site.url}/text` });
      assert.equal(status, 200);
      // Sooner than the silent ones are closed.
      assert.ok(performance.now() - begun < 10_000);
    }
    const all = await Promise.all(idle.map(({ closed }) => closed));
    assert.ok(Math.max(...all) < 25_000, `${Math.max(...all)} ms`);
  });

  test('20 callers that do not read their large responses delay no other caller', async () => {
    const body = JSON.stringify({ url: `${site.url}/html/4000000`, router: { retain: 'none' } });
    const lazy = Array.from({ length: 20 }, () => slow());
    for (const { socket } of lazy) {
      socket.pause();
      socket.write(head(body.length) + body);
    }
    await pause(2_000);
    for (let n = 0; n < 20; n++) {
      const begun = performance.now();
      const { status } = await service.api('GET', '/healthz');
      assert.equal(status, 200);
      // They would wait for ever.
      assert.ok(performance.now() - begun < 10_000);
    }
    for (const { socket } of lazy) socket.destroy();
  });
});
