import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../helpers/service.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';
import { type Site, startSite } from '../site/site.ts';

const PAGES: readonly (readonly [path: string, more?: object])[] = [
  ['/'],
  ['/html/30000'],
  ['/html/400000'],
  ['/bytes/1000'],
  ['/bytes/0'],
  ['/text'],
  ['/json'],
  ['/xml'],
  ['/image'],
  ['/nothing-here'],
  ...[200, 201, 203, 204, 301, 304, 400, 401, 403, 404, 410, 500, 503].map(
    (status) => [`/status/${status}`] as const,
  ),
  ['/status/302?location=', {}],
  ['/status/302?location=%2Ftext', { allow_redirects: false }],
  ['/status/302?location=ftp%3A%2F%2Fa.test%2F'],
  ['/redirect/1'],
  ['/redirect/5?status=307', { method: 'POST', data: 'kept' }],
  ['/redirect/3?status=303', { method: 'POST', data: 'dropped' }],
  ['/redirect/4', { scraper_options: { max_redirects: 3 } }],
  ['/cookies/set?a=1&b=2', { cookies: { c: '3' } }],
  ['/with-headers?x-one=1&x-one=2&set-cookie=k%3Dv&x-two=%20spaced%20'],
  ['/gzip'],
  ['/deflate'],
  ['/deflate-raw'],
  ['/br'],
  ['/zstd'],
  ['/gzip-br'],
  ['/gzip-broken'],
  ['/charset/koi8-r'],
  ['/charset/koi8-r?in=meta'],
  ['/drip?bytes=5&ms=5'],
  ['/delay/20'],
  ['/html/5000', { scraper_options: { max_content_bytes: 1024 } }],
  ['/html/5000', { method: 'HEAD' }],
];

let site: Site;
let service: Service;
const folder = mkdtempSync(join(tmpdir(), 'sluice-h2-'));

before(async () => {
  site = await startSite({ tls: true });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, site.ca!);
  service = await startService({ SLUICE_CA_FILE: ca });
});
after(async () => {
  await service?.end();
  await site?.close();
  rmSync(folder, { recursive: true });
});

test('the response for every page is the same over HTTP/2 and HTTP/1.1', async (t) => {
  const versions = new Set<string>();
  await Promise.all(
    PAGES.map(async ([path, more = {}]) => {
      // One after the other, because all at once would exceed the user's concurrency.
      const one = await told(path, more, false);
      assert.deepEqual(await told(path, more, true), one, path);
    }),
  );
  // Not with the others: the first ends the connection that they share over HTTP/2, and the second must be sent in time.
  for (const [path, more] of [
    ['/close-midway', {}],
    ['/delay/20000', { timeout_ms: 4_000 }],
  ] as const)
    assert.deepEqual(await told(path, more, true), await told(path, more, false), path);
  for (const { httpVersion } of site.log) versions.add(httpVersion);
  assert.deepEqual([...versions].sort(), ['1.1', '2.0']);
  t.diagnostic(`${PAGES.length + 2} pages the same over both`);
});

test('the sent header fields are the same, except for the case of names', async () => {
  const more = {
    method: 'PUT',
    data: { type: 'json', value: { a: ['ü', 1] } },
    headers: { 'X-Second': 'b', 'X-First': ['a', 'b'], Accept: 'text/html' },
    cookies: { one: '1', two: '2' },
  };
  const seen: unknown[] = [];
  for (const http2 of [false, true]) {
    site.log.length = 0;
    await told('/echo?q=%20%C3%BC&r', more, http2);
    const { httpVersion, headers, method, url, body } = site.log[0]!;
    assert.equal(httpVersion, http2 ? '2.0' : '1.1');
    const fields = headers.map(([name, value]) => [name.toLowerCase(), value]);
    // Over HTTP/2 the host is in the pseudo-header field :authority.
    seen.push({ method, url, body: body.toString(), fields: fields.filter(([name]) => name !== 'host') });
  }
  assert.deepEqual(seen[1], seen[0]);
});

/** A response without members that differ between equal scrapes, and without header fields of the framing. */
async function told(path: string, more: object, http2: boolean): Promise<unknown> {
  const { scraper_options = {}, ...rest } = more as { scraper_options?: object };
  const { status, body } = await service.scrape({
    url: `${site.httpsUrl}${path}`,
    scraper: 'http',
    ...rest,
    scraper_options: { ...scraper_options, http2 },
  });
  assert.ok(body.router !== undefined, `${path}: ${JSON.stringify(body)}`);
  const { headers, router, errors, content, cookies, final_url, status_code, code } = body;
  const framing = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
  return {
    status,
    status_code,
    code,
    content,
    cookies,
    final_url,
    headers: Object.entries(headers)
      .filter(([name]) => !framing.includes(name))
      .sort(),
    errors: errors.map(({ code, attempt, retryable }) => ({ code, attempt, retryable })),
    router: pick(router),
  };
}

function pick({ outcome, verdict, redirects, warnings, request_headers }: ScrapeAnswer['router']): unknown {
  return { outcome, verdict, redirects, warnings: warnings.map(({ code }) => code), request_headers };
}
