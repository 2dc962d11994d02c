import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { fetchWith } from '../../contracts/fetch-order.ts';
import { selfSigned } from '../../site/certificate.ts';
import { httpScraper } from './kit.ts';

const { key, cert } = selfSigned();

/** An HTTP/2 frame (RFC 9113 §4.1). */
function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array(0)): Buffer {
  const bytes = Buffer.alloc(9 + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, 9);
  return bytes;
}

const SETTINGS = frame(4, 0, 0);
/** `:status: 200` from the static table. */
const OK_HEAD = frame(1, 4, 1, Buffer.from([0x88]));

/** A server that agrees on h2 and then says what it likes, again and again while it is taken. */
async function hostile(t: TestContext, opening: Buffer, flood: Buffer | null): Promise<string> {
  const open = new Set<TLSSocket>();
  const server = createServer({ key, cert, ALPNProtocols: ['h2'] }, (socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.resume();
    socket.once('data', () => {
      socket.write(opening);
      if (flood === null) return;
      const more = () => {
        while (!socket.destroyed && socket.write(flood));
      };
      socket.on('drain', more);
      more();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

const many = (bytes: Buffer) => Buffer.concat(Array.from({ length: 100 }, () => bytes));
const HUGE_FIELD = Buffer.concat([
  Buffer.from([0x00, 0x01, 0x61, 0x7f, 0x81, 0x7e]),
  Buffer.alloc(16_000, 'x'),
]);

test('a hostile HTTP/2 peer ends its own fetch only, within the time', async (t) => {
  const rows: [name: string, opening: Buffer, flood: Buffer | null][] = [
    ['rubbish', Buffer.from('HTTP/1.1 200 OK\r\n\r\nnot h2 at all'), null],
    ['silence', SETTINGS, null],
    ['settings flood', SETTINGS, many(SETTINGS)],
    ['ping flood', SETTINGS, many(frame(6, 0, 0, Buffer.alloc(8)))],
    ['empty data flood', Buffer.concat([SETTINGS, OK_HEAD]), many(frame(0, 0, 1))],
    [
      'continuation flood',
      Buffer.concat([SETTINGS, frame(1, 0, 1, HUGE_FIELD.subarray(0, 16_000))]),
      many(frame(9, 0, 1, Buffer.alloc(1_000))),
    ],
    [
      'window overflow',
      Buffer.concat([SETTINGS, frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))]),
      null,
    ],
    ['push promise', Buffer.concat([SETTINGS, frame(5, 4, 1, Buffer.from([0, 0, 0, 2, 0x82]))]), null],
    ['oversized frame', Buffer.concat([SETTINGS, frame(0, 0, 1, Buffer.alloc(100_000))]), null],
    ['data before the head', Buffer.concat([SETTINGS, frame(0, 1, 1, Buffer.from('x'))]), null],
    ['no status', Buffer.concat([SETTINGS, frame(1, 5, 1, Buffer.from([0x82]))]), null],
    ['goaway', Buffer.concat([SETTINGS, frame(7, 0, 0, Buffer.alloc(8))]), null],
    ['reset', Buffer.concat([SETTINGS, frame(3, 0, 1, Buffer.from([0, 0, 0, 2]))]), null],
  ];
  const scraper = httpScraper(t, [cert]);
  for (const [name, opening, flood] of rows) {
    const url = await hostile(t, opening, flood);
    const began = performance.now();
    const fetched = await fetchWith(scraper, url, { timeoutMs: 400 });
    assert.ok(performance.now() - began < 8_000, `${name} took ${performance.now() - began} ms`);
    const told = fetched.page === null ? fetched.failure.code : fetched.page.cut?.code;
    assert.ok(
      ['connect.reset', 'http.protocol', 'timeout.total', 'content.incomplete'].includes(told!),
      `${name}: ${told}`,
    );
  }
});
