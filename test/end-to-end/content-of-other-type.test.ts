import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { listen } from '../helpers/free-port.ts';
import { useService } from '../helpers/service.ts';

const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>N</title>
<item><title>One</title><link>/one</link></item></channel></rss>`;
const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://site.test/caf\u00e9</loc></url></urlset>`;

type Answer = readonly [headers: Record<string, string>, body: string | Buffer];
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/rss': [{ 'content-type': 'text/html; charset=utf-8' }, RSS],
  '/sitemap-html': [{ 'content-type': 'text/html' }, SITEMAP],
  '/sitemap.xml.gz': [
    { 'content-type': 'application/x-gzip', 'content-encoding': 'gzip' },
    gzipSync(SITEMAP),
  ],
  '/plain.gz': [{ 'content-type': 'application/gzip' }, gzipSync(SITEMAP)],
  '/gzip-as-xml': [{ 'content-type': 'application/xml' }, gzipSync(SITEMAP)],
  '/bomb': [
    { 'content-type': 'application/x-gzip', 'content-encoding': 'gzip' },
    gzipSync(Buffer.alloc(64 * 2 ** 20)),
  ],
  '/plain-bytes': [{ 'content-type': 'text/plain' }, Buffer.from('a\0b')],
  '/plain-latin1-bytes': [
    { 'content-type': 'text/plain; charset=ISO-8859-1' },
    Buffer.from('\x89PNG\x01', 'latin1'),
  ],
  '/plain-other-charset': [{ 'content-type': 'text/plain; charset=windows-1252' }, Buffer.from('a\0b')],
  '/plain-nosniff': [
    { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' },
    Buffer.from('a\0b'),
  ],
  '/json-as-html': [{ 'content-type': 'text/html' }, '{"items":[1]}'],
  '/json-as-bytes': [{ 'content-type': 'application/octet-stream' }, '{"items":[1]}'],
  '/guarded': [{ 'content-type': 'application/json' }, ')]}\',\n{"items":[1]}'],
  '/jsonp': [{ 'content-type': 'application/javascript' }, '/**/cb({"items":[1]});'],
  '/lines': [{ 'content-type': 'application/x-ndjson' }, '{"a":1}\n{"items":[1]}\n'],
  '/bom': [{ 'content-type': 'application/json' }, '\ufeff{"items":[1]}'],
  '/no-json': [{ 'content-type': 'text/html' }, '<p>{"items":[1]}'],
};

describe('content that is not what its type says', () => {
  const service = useService();
  const server = createServer((request, response) => {
    const [headers, body] = ANSWERS[request.url ?? ''] ?? [{}, 'no such page'];
    response.writeHead(200, headers).end(body);
  });
  before(async () => {
    await listen(server);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const ask = async (path: string, more: object = { scraper_options: { formats: ['links'] } }) => {
    const { body } = await service.scrape({ url: at(path), scraper: 'http', ...more });
    return body;
  };

  for (const [path, link, text] of [
    ['/rss', '/one', RSS],
    ['/sitemap-html', 'http://site.test/caf%C3%A9', SITEMAP],
    ['/sitemap.xml.gz', 'http://site.test/caf%C3%A9', SITEMAP],
  ] as const) {
    test(`${path} is read as XML`, async () => {
      const body = await ask(path);
      assert.equal(body.content, text);
      assert.equal(body.content_encoding, 'utf-8');
      assert.deepEqual(
        (body.scraper_data.links as { url: string }[]).map(({ url }) => url),
        [link.startsWith('/') ? at(link) : link],
      );
    });
  }

  for (const [path, warned] of [
    ['/gzip-as-xml', ['content.gzip']],
    ['/plain.gz', []],
  ] as const) {
    test(`${path} stays bytes`, async () => {
      const body = await ask(path);
      assert.equal(body.content_encoding, 'base64');
      assert.deepEqual(Buffer.from(body.content ?? '', 'base64'), gzipSync(SITEMAP));
      assert.equal(body.scraper_data.links, null);
      const codes = body.router.warnings.map(({ code }) => code).filter((code) => code !== 'proxy.direct');
      assert.deepEqual(codes, warned);
      assert.deepEqual(body.errors, []);
    });
  }

  test('content that unpacks to more than the limit is cut there', async () => {
    const body = await ask('/bomb', { scraper_options: { max_content_bytes: 100_000 } });
    assert.equal(Buffer.from(body.content ?? '', 'base64').length, 100_000);
    assert.deepEqual(
      body.errors.map(({ code }) => code),
      ['content.truncated'],
    );
  });

  for (const [path, encoding] of [
    ['/plain-bytes', 'base64'],
    ['/plain-latin1-bytes', 'base64'],
    ['/plain-other-charset', 'utf-8'],
    ['/plain-nosniff', 'utf-8'],
  ] as const) {
    test(`${path} is ${encoding}`, async () => {
      const body = await ask(path, {});
      assert.equal(body.content_encoding, encoding);
      assert.deepEqual(body.errors, []);
    });
  }

  for (const path of ['/json-as-html', '/json-as-bytes', '/guarded', '/jsonp', '/lines', '/bom']) {
    test(`accept.json_path is met by ${path}`, async () => {
      const { router } = await ask(path, { router: { accept: { json_path: '$.items[0]' } } });
      assert.equal(router.outcome, 'ok');
    });
  }

  test('accept.json_path is not met by JSON inside of a page', async () => {
    const { router } = await ask('/no-json', { router: { accept: { json_path: '$.items[0]' } } });
    assert.equal(router.outcome, 'unaccepted');
  });
});
