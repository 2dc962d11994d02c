import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { type Service, startService } from '../helpers/service.ts';
import { KEY } from './stand-in.ts';

/** Characters that have a meaning in queries, forms and JSON. */
const URL_IN = 'http://127.0.0.1:1/a%20"b"?x=1&y=a+b%26c&z={key}';
const URL_SENT = new URL(URL_IN).href;

describe('templates of the kind `http`, by the front door', () => {
  let server: Server;
  let service: Service;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-http-'));
  let last = { method: '', url: new URL('http://api.test'), type: '', own: '', body: '' };
  let next = { status: 200, headers: {}, body: '{}' };
  before(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      last = {
        method: request.method!,
        url: new URL(`http://api.test${request.url}`),
        type: request.headers['content-type'] ?? '',
        own: String(request.headers['x-own'] ?? ''),
        body: Buffer.concat(chunks).toString('latin1'),
      };
      response.writeHead(next.status, next.headers).end(next.body);
    });
    await listen(server);
    const answer = { body: '$.html', headers: '$.headers' };
    const form = 'application/x-www-form-urlencoded';
    const templates = {
      query: { path: '/{session}/get?u={url}&cc={country}&k={key}&fixed=a%20b', answer },
      form: {
        method: 'POST',
        headers: { 'Content-Type': form },
        body: 'u={url}&cc={country}&t={timeout_s}',
        answer,
      },
      text: {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-Own': 'Basic {key_base64}' },
        body: '{"u":"{url}","cc":"{country}","t":{timeout_ms}}',
        answer,
      },
      bytes: {
        method: 'POST',
        path: '/?u={url}&m={method}',
        headers: { 'Content-Type': '{content_type}' },
        body: '{body}',
        answer,
      },
      same: {
        path: '/?u={url}&f={follow_redirects}',
        answer: { body: 'raw', status: 'response', headers: 'response' },
        failures: { 402: 'credits' },
      },
    };
    const { port } = server.address() as AddressInfo;
    const list = Object.entries(templates).map(([name, options]) => ({
      name,
      kind: 'http',
      key: KEY,
      base_url: `http://127.0.0.1:${port}`,
      options,
    }));
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors: list }));
    service = await startService({ SLUICE_VENDORS: join(dir, 'vendors.json') });
  });
  after(async () => {
    await service?.end();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const json = (value: object) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
  const scrape = async (name: string, more: object = {}) => {
    const reply = await service.scrape({ url: URL_IN, scraper: `vendor:${name}`, ...more });
    return reply;
  };

  test('in the query and the path, values are percent-encoded; a parameter without value is left out', async () => {
    next = json({ html: '<p>page' });
    assert.equal((await scrape('query')).status, 200);
    assert.equal(last.url.pathname, '//get');
    assert.deepEqual(Object.fromEntries(last.url.searchParams), { u: URL_SENT, k: KEY, fixed: 'a b' });
    await scrape('query', { proxy: { country: 'DE' } });
    assert.equal(last.url.searchParams.get('cc'), 'DE');
  });

  test('in a form', async () => {
    next = json({ html: '<p>page' });
    await scrape('form', { timeout_ms: 20_000 });
    const { u, t, ...rest } = Object.fromEntries(new URLSearchParams(last.body));
    assert.deepEqual([u, rest], [URL_SENT, {}]);
    assert.ok(Number(t) > 0 && Number(t) <= 20);
  });

  test('in JSON that is written as text', async () => {
    next = json({ html: '<p>page' });
    await scrape('text');
    const { u, cc, t } = JSON.parse(last.body);
    assert.deepEqual([u, cc, typeof t], [URL_SENT, '', 'number']);
    assert.equal(last.own, `Basic ${Buffer.from(KEY).toString('base64')}`);
  });

  test('the bytes of a body, as they are', async () => {
    next = json({ html: '<p>page' });
    const bytes = Buffer.from([0, 255, 128, 10]);
    const { status } = await scrape('bytes', {
      method: 'PUT',
      data: { $base64: bytes.toString('base64'), content_type: 'application/x-own' },
    });
    assert.equal(status, 200);
    assert.deepEqual(
      [last.method, last.url.searchParams.get('m'), last.type, Buffer.from(last.body, 'latin1')],
      ['POST', 'PUT', 'application/x-own', bytes],
    );
  });

  test('text in JSON is UTF-8, whatever the headers of the page say', async () => {
    next = json({
      html: '<meta charset="koi8-r"><p>Größe',
      headers: { 'Content-Type': 'text/html; charset=iso-8859-1' },
    });
    const { body } = await scrape('query');
    assert.match(String(body.content), /Größe/);
    assert.equal(body.headers['content-type'], 'text/html; charset=iso-8859-1');
  });

  test('the status of the response is that of the page, except for those of failures', async () => {
    next = { status: 404, headers: { 'content-type': 'text/html', 'x-one': '1' }, body: '<p>no such page' };
    const missing = await scrape('same');
    assert.deepEqual([missing.status, missing.body.status_code], [200, 404]);
    assert.equal(missing.body.headers['x-one'], '1');
    next = { status: 402, headers: {}, body: '' };
    const empty = await scrape('same');
    assert.equal(empty.body.errors[0]!.details?.reason, 'credits');
    // A redirect would be one of the API.
    const first = await scrape('same', { allow_redirects: false });
    assert.deepEqual([first.status, first.body.code], [422, 'scraper.unsupported_option']);
  });

  test('what the template does not tell the API is refused', async () => {
    for (const [name, more, pointer] of [
      ['form', { headers: { 'X-Own': 'a' } }, '/headers'],
      ['form', { method: 'POST', data: 'a' }, '/method'],
      ['form', { proxy: { session: 's' } }, '/proxy/session'],
      ['query', { screenshot: true }, '/screenshot'],
    ] as const) {
      const { status, body } = await scrape(name, more);
      assert.deepEqual([status, body.code], [422, 'scraper.unsupported_option']);
      assert.match(String(body.detail), new RegExp(`does not support ${pointer}`));
    }
  });
});
