import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type RawSite, rawSite, reply } from '../../adapters/browser/raw-pages.ts';
import { chromiums } from '../../adapters/browser/stage.ts';
import { type Authority, createAuthority } from '../../helpers/certificates.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const HTML = 'Content-Type: text/html; charset=utf-8';
const GZIP = `${HTML}\r\nContent-Encoding: gzip`;
const TEXT = `<!DOCTYPE html><p>${Array.from({ length: 2_000 }, (_, n) => `word${n * 7919}`).join(' ')}</p>`;
const CODED = gzipSync(TEXT);
const GARBAGE = Buffer.concat([CODED.subarray(0, 10), Buffer.alloc(200, 0xff)]);

const chunked = (...pieces: readonly Uint8Array[]) => {
  const parts = pieces.map(
    (piece) => `${piece.length.toString(16)}\r\n${Buffer.from(piece).toString('latin1')}\r\n`,
  );
  return reply('200 OK', `${GZIP}\r\nTransfer-Encoding: chunked`, `${parts.join('')}0\r\n\r\n`);
};
const PAGES = {
  '/plain': reply('200 OK', `${GZIP}\r\nContent-Length: 9\r\nSet-Cookie: a=b`, '<p>not gz'),
  '/late': (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${GZIP}\r\nContent-Length: 9\r\nConnection: close\r\n\r\n`);
    void pause(400).then(() => socket.end('<p>not gz'));
  },
  '/garbage': chunked(GARBAGE),
  '/whole': chunked(CODED.subarray(0, 50), CODED.subarray(50)),
};

describe('HTML whose content coding cannot be undone', { skip }, () => {
  const service = useService();
  let site: RawSite;
  let secure: RawSite;
  let authority: Authority;
  before(async () => {
    site = await rawSite(PAGES);
    authority = createAuthority();
    secure = await rawSite(PAGES, authority.issue({ names: 'DNS:localhost' }));
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await secure[Symbol.asyncDispose]();
    authority[Symbol.dispose]();
  });

  const scrape = async (url: string, more: object = {}) => {
    const { status, body } = await service.scrape({ url, scraper: 'browser', ...more });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    return body;
  };

  test('is delivered as its raw bytes, as with http', async () => {
    for (const path of ['/plain', '/late']) {
      const body = await scrape(site.url + path);
      const same = await scrape(site.url + path, { scraper: 'http' });
      assert.deepEqual(
        [body.content_encoding, body.content, body.status_code, body.router.outcome],
        ['base64', same.content, 200, 'partial'],
        path,
      );
      assert.deepEqual(body.errors, same.errors);
      assert.deepEqual(
        body.cookies.map(({ name }) => name),
        same.cookies.map(({ name }) => name),
      );
    }
  });

  test('is not waited for', async () => {
    for (const url of [`${site.url}/plain`, `${site.url}/garbage`, `${secure.url}/plain`]) {
      const body = await scrape(url, {
        wait_for_selector: 'p',
        screenshot: true,
        scraper_options: { verify_tls: false },
        timeout_ms: 20_000,
      });
      const codes = ['content.decode_failed', 'screenshot.failed', 'wait.selector_timeout'];
      assert.deepEqual(body.errors.map(({ code }) => code).sort(), codes, url);
      assert.ok(body.router.timing!.total! < 10_000, `${body.router.timing!.total} ms`);
    }
  });

  test('content with a correct coding is decoded by the browser', async () => {
    const body = await scrape(`${site.url}/whole`);
    assert.deepEqual([body.errors, body.router.outcome], [[], 'ok']);
    assert.match(body.content!, /word7919/);
  });
});
