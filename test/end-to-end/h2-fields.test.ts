import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { selfSigned } from '../site/certificate.ts';

const server = createSecureServer(selfSigned());
/** Header fields of the last request, without pseudo-header fields. */
let seen: readonly (readonly [name: string, value: string])[] = [];
let asked = 0;
server.on('stream', (stream: ServerHttp2Stream, _headers, _flags, raw) => {
  const flat = raw as unknown as readonly string[];
  asked++;
  seen = flat.flatMap((name, at) =>
    at % 2 === 0 && !name.startsWith(':') ? [[name, flat[at + 1]!] as const] : [],
  );
  stream.on('error', () => {});
  stream.respond({ ':status': 200 });
  stream.end('hi');
});

describe('fields over HTTP/2, as a strict server sees them', () => {
  const service = useService();
  let url = '';

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());
  beforeEach(() => {
    asked = 0;
  });

  const scrape = (scraper: string, more: object) => {
    const { scraper_options: options, ...rest } = more as { scraper_options?: object };
    return service.scrape({ url, scraper, ...rest, scraper_options: { verify_tls: false, ...options } });
  };
  const valuesOf = (name: string) => seen.filter(([one]) => one === name).map(([, value]) => value);

  for (const scraper of ['http', 'http_impersonate']) {
    test(`${scraper}: blanks around values are not sent`, async () => {
      const { status, body } = await scrape(scraper, {
        headers: { Authorization: 'Bearer tok ', 'X-A': ' v', 'X-Tab': ['\ta\t', 'b'], 'X-Empty': ' ' },
        cookies: { s: '1', a: 'x ' },
        method: 'POST',
        data: { $base64: 'AA==', content_type: 'a/b ' },
        scraper_options: { user_agent: 'Me/1 ' },
      });
      assert.equal(status, 200);
      const wanted = {
        authorization: ['Bearer tok'],
        'x-a': ['v'],
        'x-tab': ['a', 'b'],
        'x-empty': [''],
        'content-type': ['a/b'],
        'user-agent': ['Me/1'],
      };
      for (const [name, values] of Object.entries(wanted)) assert.deepEqual(valuesOf(name), values, name);
      assert.equal(valuesOf('cookie').join('; '), 's=1; a=x');
      assert.equal(body.router!.request_headers!['x-a'], 'v');
    });

    test(`${scraper}: a field that usually has one value may have several`, async () => {
      const headers = { Referer: ['http://a/', 'http://b/'], 'user-agent': 'a', 'User-Agent': 'b' };
      const { status, text } = await scrape(scraper, { headers });
      assert.equal(status, 200, text);
      assert.deepEqual(
        [valuesOf('referer'), valuesOf('user-agent')],
        [
          ['http://a/', 'http://b/'],
          ['a', 'b'],
        ],
      );
    });
  }

  test('fields of an HTTP/1.1 connection are neither sent nor reported as sent', async () => {
    const { status, body } = await scrape('http', { headers: { 'HTTP2-Settings': 'x', 'X-B': 'y' } });
    assert.deepEqual([status, asked], [200, 1]);
    assert.deepEqual([valuesOf('http2-settings'), valuesOf('x-b')], [[], ['y']]);
    assert.equal(body.router!.request_headers!['http2-settings'], undefined);
  });
});
