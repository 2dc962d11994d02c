import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Collector, startCollector } from '../helpers/collector.ts';
import { listen } from '../helpers/free-port.ts';
import { type Service, startService } from '../helpers/service.ts';
import { PIXEL } from './stand-in.ts';

const PASSWORD = 'p/a+s=s"w&o<rd-0123456789';
const KEY = `user:${PASSWORD}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const url64 = (text: string) => Buffer.from(text).toString('base64url');

/** How services write a key. */
const LEAKS: Readonly<Record<string, string>> = {
  plain: KEY,
  password: PASSWORD,
  query: encodeURIComponent(KEY),
  form: new URLSearchParams({ k: KEY }).toString(),
  lower: encodeURIComponent(KEY).replace(/%../g, (hex) => hex.toLowerCase()),
  json: JSON.stringify({ key: KEY }),
  php: JSON.stringify({ key: KEY }).replaceAll('/', '\\/'),
  html: KEY.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  basic: `Basic ${base64(KEY)}`,
  token: `Basic ${base64(`${PASSWORD}:`)}`,
  ...Object.fromEntries(['', 'a', 'ab'].map((more) => [`within${more}`, base64(`${more}${KEY}${more}`)])),
  url64: url64(`?${KEY}`),
  escaped64: encodeURIComponent(base64(KEY)),
};

/** Longer parts of the key that a mask has left. */
const parts = (text: string): readonly string[] =>
  [
    KEY,
    PASSWORD,
    ...Object.values(LEAKS),
    base64(KEY).slice(4, -4),
    '0123456789',
    base64('0123456789').slice(4),
  ].filter((form) => text.includes(form));

describe('the key of a vendor that answers with it', () => {
  let server: Server;
  let service: Service;
  let collector: Collector;
  let answer: object = {};
  const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-keys-'));
  before(async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await listen(server);
    collector = await startCollector();
    const { port } = server.address() as AddressInfo;
    const own = {
      kind: 'http',
      base_url: `http://127.0.0.1:${port}`,
      options: {
        path: '/?u={url}&k={key}&s={screenshot}',
        answer: {
          body: '$.body',
          body_encoding: 'base64',
          headers: '$.headers',
          cookies: '$.cookies',
          final_url: '$.url',
          request_id: '$.id',
          screenshot: '$.screenshot',
          error: '$.error',
        },
      },
    };
    const vendors = [
      { name: 'own', key: KEY, ...own },
      { name: 'short', key: 'abc', ...own },
    ];
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors }));
    service = await startService({
      SLUICE_VENDORS: join(dir, 'vendors.json'),
      SLUICE_LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
  });
  after(async () => {
    await service?.end();
    await collector?.[Symbol.asyncDispose]();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const scrape = (more: object = {}, vendor = 'own') =>
    service.scrape({ url: 'http://127.0.0.1:1/page', scraper: `vendor:${vendor}`, ...more });
  const maskedMembers = ({ body }: Awaited<ReturnType<typeof scrape>>) =>
    body.router.warnings.find(({ code }: { code: string }) => code === 'vendor.key_masked')?.details?.members;

  test('is masked in the content, in each way to write it, and said so', async () => {
    for (const [name, leak] of Object.entries(LEAKS)) {
      answer = { body: base64(`<p>The page said ${leak} and ${leak}, and went on.`) };
      const reply = await scrape();
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
      const content = String(reply.body.content);
      assert.match(content, /^<p>The page said .*\*\*\*.* and .*\*\*\*.*, and went on\.$/, name);
      assert.deepEqual(parts(content), [], `${name}: ${content}`);
      assert.deepEqual(maskedMembers(reply), ['content'], name);
    }
  });

  test('bytes beside it stay as they are', async () => {
    const before = Buffer.from([0, 255, 128, 42, 13, 10]);
    answer = {
      body: Buffer.concat([before, Buffer.from(KEY), before]).toString('base64'),
      headers: { 'content-type': 'application/octet-stream' },
    };
    const reply = await scrape({ scraper_options: { content_encoding: 'base64' } });
    const bytes = Buffer.from(String(reply.body.content), 'base64');
    assert.deepEqual(bytes, Buffer.concat([before, Buffer.from('***'), before]));
  });

  test('is masked in headers, cookies, the final URL, the id and the screenshot', async () => {
    answer = {
      body: base64('<p>page'),
      headers: { 'x-echo': `key=${KEY}`, 'x-auth': `Basic ${base64(KEY)}`, 'x-other': 'kept' },
      cookies: [{ name: 'session', value: encodeURIComponent(KEY), domain: '127.0.0.1', path: '/' }],
      url: `http://127.0.0.1:1/end?key=${encodeURIComponent(KEY)}&a=1`,
      id: `r-${KEY}`,
      screenshot: Buffer.concat([PIXEL, Buffer.from(`key ${KEY}`)]).toString('base64'),
    };
    const reply = await scrape({ screenshot: true });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    const { headers, cookies, final_url, scraper_data, screenshot_url, errors } = reply.body;
    assert.deepEqual(
      [headers['x-echo'], headers['x-auth'], headers['x-other']],
      ['key=***', 'Basic ***', 'kept'],
    );
    assert.equal(cookies[0]!.value, '***');
    assert.equal(final_url, 'http://127.0.0.1:1/end?key=***&a=1');
    assert.equal((scraper_data.vendor as { request_id?: string }).request_id, 'r-***');
    assert.deepEqual([screenshot_url, errors[0]!.code], [null, 'screenshot.failed']);
    assert.deepEqual(maskedMembers(reply), ['headers', 'cookies', 'final_url', 'screenshot']);
    assert.deepEqual(parts(JSON.stringify(reply.body)), []);
  });

  test('is masked in errors', async () => {
    for (const leak of Object.values(LEAKS)) {
      answer = { error: `no access with ${leak}`, id: leak };
      const { status, body } = await scrape();
      assert.deepEqual([status, body.code], [502, 'vendor.failed']);
      assert.match(String(body.detail), /no access with .*\*\*\*/);
      assert.deepEqual(parts(JSON.stringify(body)), []);
    }
  });

  test('a key that is as short as words is masked in errors alone', async () => {
    answer = { body: base64('<p>the alphabet: abcdef') };
    const page = await scrape({}, 'short');
    assert.match(String(page.body.content), /abcdef/);
    assert.equal(maskedMembers(page), undefined);
    answer = { error: 'wrong key abc' };
    assert.match(String((await scrape({}, 'short')).body.detail), /wrong key \*\*\*/);
  });

  test('is in no record, log line, trace and file', async () => {
    const list = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/scrape/?limit=100');
    assert.ok(list.body.items.length >= Object.keys(LEAKS).length * 2);
    for (const { id } of list.body.items) {
      const { body } = await service.api('GET', `/api/v1/scrape/${id}/`);
      assert.deepEqual(parts(JSON.stringify(body)), []);
    }
    assert.deepEqual(parts(await service.output()), []);
    await service.stop();
    assert.ok(collector.spans().length > 0);
    assert.deepEqual(parts(JSON.stringify(collector.spans())), []);
    const files = readdirSync(service.dataDir, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    assert.ok(files.length > 0);
    for (const { parentPath, name } of files)
      assert.deepEqual(parts(readFileSync(join(parentPath, name), 'latin1')), [], name);
  });
});
