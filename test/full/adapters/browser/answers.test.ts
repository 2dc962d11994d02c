import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Scraper } from '../../../../src/ports/scraper.ts';
import { browserScraper } from '../../../adapters/browser/kit.ts';
import { type RawPages, type RawSite, rawSite, reply } from '../../../adapters/browser/raw-pages.ts';
import { chromiums } from '../../../adapters/browser/stage.ts';
import { fetchWith, pageOf, textOf } from '../../../contracts/fetch-order.ts';
import { selfSigned } from '../../../site/certificate.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const LONG = 'x'.repeat(40_000);
const latin1 = (bytes: Buffer) => bytes.toString('latin1');
const zipped = gzipSync('moved, compressed');
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const HTML = 'Content-Type: text/html; charset=utf-8';
/** Its text is only in the result if the browser has shown the response as a document. */
const SCRIPT = '<script>document.body.append("made by script")</script>';

const PAGES: RawPages = {
  '/moved': reply(
    '302 Found',
    'Location: /x\r\nSet-Cookie: a=1\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 7',
    'go away',
  ),
  '/moved-empty': reply('301 Moved', 'Location: /x\r\nContent-Length: 0'),
  '/moved-long': reply('302 Found', 'Location: /x', LONG),
  '/moved-zipped': reply(
    '307 T',
    `Location: /x\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}`,
    latin1(zipped),
  ),
  '/moved-chunked': reply(
    '308 P',
    'Location: /x\r\nTransfer-Encoding: chunked',
    `${chunk('one ')}${chunk('two')}0\r\n\r\n`,
  ),
  '/moved-cut': reply('302 Found', 'Location: /x\r\nContent-Length: 100', 'only this'),
  '/moved-ftp': reply('302 Found', 'Location: ftp://a.example/\r\nContent-Length: 3', 'ftp'),
  '/moved-nowhere': reply('302 Found', 'Location: http://[\r\nContent-Length: 3', 'bad'),
  '/moved-twice': reply('302 Found', 'Location: /x\r\nLocation: /y\r\nContent-Length: 5', 'twice'),
  '/moved-not': reply('302 Found', 'Content-Type: text/plain\r\nContent-Length: 5', 'stays'),
  '/moved-not-html': reply('302 Found', `${HTML}\r\nContent-Length: ${SCRIPT.length}`, SCRIPT),
  '/choices': reply('300 Choices', 'Location: /x\r\nContent-Type: text/plain\r\nContent-Length: 4', 'many'),
  '/unchanged': reply('304 Not Modified', 'ETag: "a"'),
  '/x': reply('200 OK', HTML, '<p>x'),
  '/chunks-cut': reply(
    '200 OK',
    'Content-Type: application/pdf\r\nTransfer-Encoding: chunked',
    `${chunk('hello')}5\r\nwo`,
  ),
  '/chunks-bad': reply(
    '200 OK',
    'Content-Type: text/plain\r\nTransfer-Encoding: chunked',
    `${chunk('hello')}zz\r\nworld`,
  ),
  '/long-cut': reply('200 OK', 'Content-Type: application/octet-stream\r\nContent-Length: 90000', LONG),
  '/short-cut': reply('200 OK', 'Content-Type: text/plain\r\nContent-Length: 90', 'short'),
  '/zip-cut': reply(
    '200 OK',
    `Content-Type: text/csv\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}`,
    latin1(zipped.subarray(0, 20)),
  ),
  '/zip-bad': reply(
    '200 OK',
    'Content-Type: text/csv\r\nContent-Encoding: gzip\r\nContent-Length: 11',
    'not a  gzip',
  ),
  '/html-cut': reply('200 OK', `${HTML}\r\nContent-Length: 900`, '<p>as far as it came'),
  '/untyped-html': reply('200 OK', 'Set-Cookie: u=1', `<!doctype html><body><p>hello</p>${SCRIPT}`),
  '/untyped-html-zipped': reply(
    '200 OK',
    'Content-Encoding: gzip',
    latin1(gzipSync(`<!doctype html><body>${SCRIPT}`)),
  ),
  '/untyped-text': reply('200 OK', 'Content-Length: 5', 'plain'),
  '/untyped-bytes': reply('200 OK', '', 'a\x00\x01b'),
  '/untyped-nosniff': reply('200 OK', 'X-Content-Type-Options: nosniff', '<!doctype html><p>'),
  '/unknown-html': reply('200 OK', 'Content-Type: unknown/unknown', '<html><p>hello'),
  '/json': reply('200 OK', 'Content-Type: application/json', '{"a": [1, 2]}'),
  '/xml': reply('200 OK', 'Content-Type: text/xml', '<?xml version="1.0"?><a>1</a>'),
  '/svg': reply('200 OK', 'Content-Type: image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/pdf': reply('200 OK', 'Content-Type: application/pdf', '%PDF-1.4 \xff'),
  '/xhtml': reply(
    '200 OK',
    'Content-Type: application/xhtml+xml',
    '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
  ),
  '/attached': reply('200 OK', `${HTML}\r\nContent-Disposition: Attachment; filename=a.html`, '<p>file'),
  '/odd-disposition': reply('200 OK', `${HTML}\r\nContent-Disposition: strange`, '<p>file'),
  '/inline': reply('200 OK', `${HTML}\r\nContent-Disposition: inline; filename="attachment"`, '<p>shown'),
  '/204': reply('204 No Content', 'Set-Cookie: n=1'),
  '/205': reply('205 Reset', 'Content-Length: 0'),
  '/empty-html': reply('200 OK', `${HTML}\r\nTransfer-Encoding: chunked`, '0\r\n\r\n'),
  '/empty-500': reply('500 Broken', `${HTML}\r\nContent-Length: 0`),
  '/empty-404-chunked': reply('404 None', `${HTML}\r\nTransfer-Encoding: chunked`, '0\r\n\r\n'),
  '/white-html': reply('200 OK', HTML, ' \n'),
  '/challenge': reply('401 No', `WWW-Authenticate: Basic realm="a"\r\n${HTML}`, '<p>sign in'),
  '/events': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
    const timer = setInterval(() => socket.write('data: 1\n\n'), 50);
    socket.on('close', () => clearInterval(timer));
  },
  '/mixed': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n');
    const timer = setInterval(() => socket.write('--b\r\nContent-Type: text/plain\r\n\r\none\r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  },
};

describe('responses as the browser scraper returns them', { skip }, () => {
  let httpSite: RawSite;
  let tlsSite: RawSite;
  let scraper: Scraper;
  const cleanups: (() => unknown)[] = [];
  before(async () => {
    httpSite = await rawSite(PAGES);
    tlsSite = await rawSite(PAGES, selfSigned());
    scraper = await browserScraper({ after: (cleanup) => void cleanups.push(cleanup as () => unknown) });
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
    await httpSite[Symbol.asyncDispose]();
    await tlsSite[Symbol.asyncDispose]();
  });
  const change = { allowRedirects: false, options: { verifyTls: false } };
  /** Status, body, and the code of what cut the body off. */
  const summaryOf = async (url: string) => {
    const { page } = await pageOf(scraper, url, change);
    return [page.statusCode, Buffer.from(page.body).toString('latin1'), page.cut?.code ?? null];
  };

  test('a redirect that is the result has its body if it came without TLS', async () => {
    const { page, redirects } = await pageOf(scraper, `${httpSite.url}/moved#top`, change);
    assert.deepEqual([page.statusCode, Buffer.from(page.body).toString(), page.cut], [302, 'go away', null]);
    assert.deepEqual(redirects, []);
    assert.equal(page.finalUrl, `${httpSite.url}/moved#top`);
    assert.deepEqual(
      page.headers.filter(([name]) => name === 'x-a' || name === 'location'),
      [
        ['location', '/x'],
        ['x-a', '1'],
        ['x-a', '2'],
      ],
    );
    assert.deepEqual(
      page.cookies.map(({ name, value }) => [name, value]),
      [['a', '1']],
    );
    for (const [path, status, body, cut] of [
      ['moved-empty', 301, '', null],
      ['moved-long', 302, LONG, null],
      ['moved-zipped', 307, 'moved, compressed', null],
      ['moved-chunked', 308, 'one two', null],
      ['moved-cut', 302, 'only this', 'content.incomplete'],
      ['moved-ftp', 302, 'ftp', null],
      ['moved-nowhere', 302, 'bad', null],
      ['moved-twice', 302, 'twice', null],
      ['moved-not', 302, 'stays', null],
      ['choices', 300, 'many', null],
      ['unchanged', 304, '', null],
    ] as const)
      assert.deepEqual(await summaryOf(`${httpSite.url}/${path}`), [status, body, cut], path);
    assert.match(textOf(await pageOf(scraper, `${httpSite.url}/moved-not-html`)), /made by script/);
    assert.ok(!httpSite.asked.includes('GET /x'));
  });

  test('a redirect over TLS has no body, and is reported as incomplete if there was one', async () => {
    for (const [path, status, body, cut] of [
      ['moved', 302, '', 'content.incomplete'],
      ['moved-empty', 301, '', null],
      ['moved-not', 302, 'stays', null],
      ['choices', 300, 'many', null],
      ['unchanged', 304, '', null],
    ] as const)
      assert.deepEqual(await summaryOf(`${tlsSite.url}/${path}`), [status, body, cut], path);
    const { page } = await pageOf(scraper, `${tlsSite.url}/moved`, change);
    assert.deepEqual(
      page.cookies.map(({ name }) => name),
      ['a'],
    );
  });

  test('a body that breaks off is returned as far as it arrived', async () => {
    for (const [path, body, cut] of [
      ['chunks-cut', 'hellowo', 'content.incomplete'],
      ['chunks-bad', 'hello', 'content.incomplete'],
      ['long-cut', LONG, 'content.incomplete'],
      ['short-cut', 'short', 'content.incomplete'],
      ['zip-bad', 'not a  gzip', 'content.decode_failed'],
    ] as const)
      assert.deepEqual(await summaryOf(`${httpSite.url}/${path}`), [200, body, cut], path);
    assert.equal((await summaryOf(`${httpSite.url}/zip-cut`))[2], 'content.incomplete');
    for (const path of ['long-cut', 'short-cut'])
      assert.equal((await summaryOf(`${tlsSite.url}/${path}`))[2], 'content.incomplete', path);
    for (const { url } of [httpSite, tlsSite]) {
      const page = await pageOf(scraper, `${url}/html-cut`, change);
      assert.deepEqual(page.page.missingParts, [], 'no wait was left unmet');
      assert.deepEqual(
        [page.page.cut?.code, /as far as it came/.test(textOf(page))],
        ['content.incomplete', true],
        url,
      );
    }
  });

  test('the type of a response without Content-Type is sniffed from its bytes', async () => {
    for (const { url } of [httpSite, tlsSite]) {
      const shown = await pageOf(scraper, `${url}/untyped-html`, change);
      assert.match(textOf(shown), /<p>hello<\/p>.*made by script/s, url);
      assert.deepEqual(
        shown.page.cookies.map(({ name }) => name),
        ['u'],
      );
      assert.ok(shown.page.headers.every(([name]) => name !== 'content-type'));
      assert.match(textOf(await pageOf(scraper, `${url}/untyped-html-zipped`, change)), /made by script/);
      assert.match(textOf(await pageOf(scraper, `${url}/unknown-html`, change)), /<head><\/head>/);
      for (const [path, body] of [
        ['untyped-text', 'plain'],
        ['untyped-bytes', 'a\x00\x01b'],
        ['untyped-nosniff', '<!doctype html><p>'],
      ] as const)
        assert.deepEqual(await summaryOf(`${url}/${path}`), [200, body, null], `${url} ${path}`);
    }
  });

  test('responses that are not HTML are returned as bytes; empty and error responses are results, too', async () => {
    for (const { url } of [httpSite, tlsSite]) {
      for (const [path, status, body] of [
        ['json', 200, '{"a": [1, 2]}'],
        ['xml', 200, '<?xml version="1.0"?><a>1</a>'],
        ['svg', 200, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
        ['pdf', 200, '%PDF-1.4 \xff'],
        ['attached', 200, '<p>file'],
        ['odd-disposition', 200, '<p>file'],
        ['204', 204, ''],
        ['205', 205, ''],
        ['empty-html', 200, ''],
        ['empty-500', 500, ''],
        ['empty-404-chunked', 404, ''],
      ] as const)
        assert.deepEqual(await summaryOf(`${url}/${path}`), [status, body, null], `${url} ${path}`);
      assert.match(textOf(await pageOf(scraper, `${url}/inline`, change)), /<head><\/head><body><p>shown/);
      assert.match(textOf(await pageOf(scraper, `${url}/xhtml`, change)), /^<html xmlns/);
      assert.match(textOf(await pageOf(scraper, `${url}/white-html`, change)), /<body>/);
      const challenge = await pageOf(scraper, `${url}/challenge`, change);
      assert.deepEqual([challenge.page.statusCode, /sign in/.test(textOf(challenge))], [401, true]);
    }
  });

  test('an endless response ends at the deadline, and what arrived of it is the page', async () => {
    for (const { url } of [httpSite, tlsSite])
      for (const path of ['events', 'mixed']) {
        const began = performance.now();
        const fetched = await fetchWith(scraper, `${url}/${path}`, { ...change, timeoutMs: 3_000 });
        assert.ok(performance.now() - began < 15_000);
        assert.deepEqual(
          [fetched.page?.statusCode, fetched.page?.cut?.code],
          [200, 'timeout.total'],
          `${url} ${path}`,
        );
        assert.match(Buffer.from(fetched.page!.body).toString(), path === 'events' ? /^data: 1/ : /^--b/);
      }
  });
});
