import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

const WORDS = 'Съешь ещё этих булок. ';
/** A page in windows-1251, too large for a database row, so it is stored as a blob. */
const LARGE_TIMES = 40_000;

/** Pages with scripts that must not run in the dashboard, and large ones in an old charset. */
function oddSite(): Server {
  return createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/large-1251') {
      const bytes = Buffer.from([...WORDS.repeat(LARGE_TIMES)].map(to1251));
      response.writeHead(200, { 'content-type': 'text/html; charset=windows-1251' }).end(bytes);
    } else if (path === '/untold') {
      response.removeHeader('content-type');
      response.end('<!doctype html><script>alert(1)</script>');
    } else if (path === '/evil.exe') {
      const disposition = 'attachment; filename="../../evil\r\n.exe"'.replace('\r\n', '');
      response.writeHead(200, { 'content-type': 'text/html', 'content-disposition': disposition });
      response.end('<script>parent.postMessage(1)</script>');
    } else if (path === '/lie') {
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end('no gzip at all');
    } else response.writeHead(204).end();
  });
}

function to1251(letter: string): number {
  const code = letter.codePointAt(0)!;
  if (code < 128) return code;
  return code === 0x451 ? 0xb8 : code - 0x410 + 0xc0;
}

describe('the content of a record', () => {
  const site = useSite();
  const service = useOwnService();
  const odd = oddSite();
  let oddUrl = '';
  before(async () => {
    await listen(odd);
    oddUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  });
  after(() => odd.close());

  const scraped = async (url: string, more: object = {}) => {
    const { body } = await service.scrape({ url, scraper: 'http', ...more });
    assert.ok(body.id, JSON.stringify(body));
    return body.id;
  };
  /** Bytes and headers of the content of a record. */
  const content = async (id: string, query = '') => {
    const answer = await fetch(`${service.base}/api/v1/scrape/${id}/content/${query}`, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  test('a download has the bytes and the type, a sandboxing policy, and a file name of ours', async () => {
    for (const [path, type, ending] of [
      ['/html/3000', 'text/html; charset=utf-8', 'html'],
      ['/text', 'text/plain; charset=utf-8', 'txt'],
      ['/json', 'application/json; charset=utf-8', 'json'],
      ['/image', 'image/png', 'png'],
      ['/bytes/5000', 'application/octet-stream', 'bin'],
      ['/bytes/900000', 'application/octet-stream', 'bin'],
      ['/html/900000', 'text/html; charset=utf-8', 'html'],
    ] as const) {
      const id = await scraped(site.url + path);
      const { status, headers, bytes } = await content(id);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), type, path);
      assert.equal(headers.get('content-disposition'), `attachment; filename="scrape-${id}.${ending}"`);
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('cache-control'), 'private, no-store');
      assert.equal(headers.get('content-length'), String(bytes.length));
      assert.deepEqual(bytes, Buffer.from(await (await fetch(site.url + path)).arrayBuffer()), path);
    }
  });

  test('text is UTF-8 whatever its charset was; with content_encoding: base64 the bytes are unchanged', async () => {
    const id = await scraped(`${site.url}/charset/koi8-r`);
    const { headers, bytes } = await content(id);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(bytes.toString(), 'Съешь ещё этих булок');
    const raw = await scraped(`${site.url}/charset/koi8-r`, {
      scraper_options: { content_encoding: 'base64' },
    });
    const asked = await content(raw);
    assert.equal(asked.headers.get('content-type'), 'text/html; charset=koi8-r');
    assert.equal(asked.bytes.toString('hex'), 'f3dfc5dbd820c5dda320dcd4c9c820c2d5cccfcb');
  });

  test('a view shows HTML, text and images, with a sandboxing policy and in our own frames only', async () => {
    const policy =
      "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'self'";
    const base64 = { scraper_options: { content_encoding: 'base64' } };
    for (const [url, more, type, text] of [
      [`${site.url}/charset/shift_jis`, {}, 'text/html; charset=utf-8', 'こんにちは世界、テスト'],
      [`${site.url}/charset/shift_jis`, base64, 'text/html; charset=utf-8', 'こんにちは世界、テスト'],
      [`${oddUrl}/large-1251`, {}, 'text/html; charset=utf-8', WORDS.repeat(LARGE_TIMES)],
      [`${oddUrl}/large-1251`, base64, 'text/html; charset=utf-8', WORDS.repeat(LARGE_TIMES)],
      [`${oddUrl}/untold`, {}, 'text/html; charset=utf-8', '<!doctype html><script>alert(1)</script>'],
      [`${oddUrl}/evil.exe`, {}, 'text/html; charset=utf-8', '<script>parent.postMessage(1)</script>'],
      [`${site.url}/text`, {}, 'text/plain; charset=utf-8', 'plain text\n'],
      [`${site.url}/json`, {}, 'text/plain; charset=utf-8', null],
      [`${site.url}/xml`, {}, 'text/plain; charset=utf-8', null],
      [`${site.url}/image`, {}, 'image/png', null],
      [`${site.url}/with-headers?content-type=image/svg%2Bxml`, {}, 'image/svg+xml; charset=utf-8', null],
    ] as const) {
      const { status, headers, bytes } = await content(await scraped(url, more), '?view=1');
      assert.equal(status, 200, url);
      assert.equal(headers.get('content-type'), type, url);
      assert.equal(headers.get('content-security-policy'), policy);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('content-disposition'), null);
      if (text !== null) assert.ok(bytes.toString() === text, `${url}: ${bytes.subarray(0, 100)}`);
    }
  });

  test('other types are not shown; missing content is 404; unknown parameters are refused', async () => {
    for (const url of [`${site.url}/bytes/100`, `${site.url}/bytes/900000`, `${oddUrl}/lie`]) {
      const id = await scraped(url);
      const { status, bytes } = await content(id, '?view=1');
      assert.equal(status, 400, url);
      assert.equal(JSON.parse(bytes.toString()).errors[0].pointer, '/view');
    }
    assert.equal(
      (await content(await scraped(`${oddUrl}/lie`))).headers.get('content-type'),
      'application/octet-stream',
    );
    const none = await scraped(`${site.url}/text`, { router: { retain: 'metadata' } });
    const failed = await scraped('http://127.0.0.1:1/');
    const deleted = await scraped(`${site.url}/html/900000`);
    await service.api('DELETE', `/api/v1/scrape/${deleted}/`);
    for (const id of [none, failed, deleted, '0190a000-0000-7000-8000-000000000000', 'x'])
      for (const query of ['', '?view=1']) assert.equal((await content(id, query)).status, 404, id);
    const empty = await content(await scraped(`${site.url}/status/204`));
    assert.deepEqual([empty.status, empty.bytes.length], [200, 0]);
    const good = await scraped(`${site.url}/text`);
    for (const query of ['?view=2', '?view=1&view=1', '?raw=1'])
      assert.equal((await content(good, query)).status, 400, query);
    assert.equal((await service.api('GET', `/api/v1/scrape/${good}/content/`, { key: null })).status, 401);
  });

  test('the memory for large contents is released', async () => {
    const id = await scraped(`${oddUrl}/large-1251`, { scraper_options: { content_encoding: 'base64' } });
    for (let n = 0; n < 5; n++) await content(id, n % 2 ? '?view=1' : '');
    await eventually(async () => {
      const { text } = await service.api<string>('GET', '/metrics');
      return /^sluice_memory_in_use_bytes 0$/m.test(text);
    });
  });
});
