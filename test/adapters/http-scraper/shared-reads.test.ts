import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pageOf } from '../../contracts/fetch-order.ts';
import { httpScraper } from './kit.ts';
import { onRequest, rawServer } from './raw-server.ts';

/** No two of them have any stretch in common. */
function bodyOf(n: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 31 + n * 97 + ((at * n) >> 7)) & 0xff;
  return bytes;
}

function answerOf(body: Buffer, form: string): Buffer {
  const type = 'Content-Type: application/octet-stream\r\n';
  if (form === 'length')
    return joined(`HTTP/1.1 200 OK\r\n${type}Content-Length: ${body.length}\r\n\r\n`, body);
  if (form === 'gzip') {
    const packed = gzipSync(body);
    const coded = `${type}Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    return joined(`HTTP/1.1 200 OK\r\n${coded}`, packed);
  }
  if (form === 'close') return joined(`HTTP/1.1 200 OK\r\n${type}Connection: close\r\n\r\n`, body);
  const half = body.length >> 1;
  return Buffer.concat([
    joined(
      `HTTP/1.1 200 OK\r\n${type}Transfer-Encoding: chunked\r\n\r\n${half.toString(16)}\r\n`,
      body.subarray(0, half),
    ),
    joined(`\r\n${(body.length - half).toString(16)}\r\n`, body.subarray(half)),
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
}

const joined = (head: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(head, 'latin1'), body]);

/** In pieces of growing lengths, so that heads too are cut, and those of several connections alternate. */
async function dribble(socket: Socket, bytes: Buffer, first: number, ends: boolean): Promise<void> {
  for (let at = 0, size = first; at < bytes.length && !socket.destroyed; at += size, size *= 4) {
    socket.write(bytes.subarray(at, at + size));
    await pause(1);
  }
  if (ends) socket.end();
}

const FORMS = ['length', 'chunked', 'gzip', 'close'];
const LENGTHS = [2, 1_000, 5_000, 20_000, 65_536, 200_000, 400_000];

for (const form of FORMS) {
  test(`what one connection reads never shows in the page of another: ${form}`, async (t) => {
    const scraper = httpScraper(t);
    const server = await rawServer(t, (socket) =>
      onRequest(socket, (head) => {
        const [, n, length, first] = /^GET \/(\d+)\/(\d+)\/(\d+) /.exec(head)!.map(Number);
        void dribble(socket, answerOf(bodyOf(n!, length!), form), first!, form === 'close');
      }),
    );
    await Promise.all(
      [...LENGTHS, ...LENGTHS, ...LENGTHS].map(async (length, n) => {
        const first = [7, 300, 1_000_000][n % 3]!;
        const page = await pageOf(scraper, `${server.url}${n}/${length}/${first}`);
        assert.ok(bodyOf(n, length).equals(page.page.body), `${form}, ${length} bytes, first ${first}`);
      }),
    );
  });
}
