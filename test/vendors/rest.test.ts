import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { type Service, startService } from '../helpers/service.ts';
import { KEY } from './stand-in.ts';

/** Far more than the 5 s that a vendor must have had to be to blame for being late. */
const LATE_MS = 9_000;

interface Vendor {
  readonly name: string;
  readonly left_alone: string | null;
  readonly left_alone_since: string | null;
  readonly left_alone_until: string | null;
}

describe('vendors that are left alone for a while', () => {
  let server: Server;
  let service: Service;
  let answer: (response: ServerResponse) => void = () => {};
  const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-rest-'));
  before(async () => {
    server = createServer((_, response) => answer(response));
    await listen(server);
    const { port } = server.address() as AddressInfo;
    const vendors = ['late', 'hasty', 'left', 'dated', 'seconds', 'past', 'down'].map((name) => ({
      name,
      kind: 'http',
      key: KEY,
      base_url: `http://127.0.0.1:${port}`,
      auto: true,
      options: { path: '/?u={url}', answer: { body: 'raw' } },
    }));
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors }));
    service = await startService({ SLUICE_VENDORS: join(dir, 'vendors.json') });
  });
  after(async () => {
    server?.closeAllConnections();
    await service?.end();
    server?.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const fails = async (vendor: string, reason: string, timeoutMs = 30_000) => {
    const { body } = await service.scrape({
      url: 'http://127.0.0.1:1/',
      scraper: `vendor:${vendor}`,
      timeout_ms: timeoutMs,
    });
    assert.deepEqual([body.code, body.errors[0]!.details?.reason], ['vendor.failed', reason]);
  };
  /** Why `auto` leaves the vendor out; null: it does not. */
  const excluded = async (vendor: string) => {
    const { body } = await service.api<{ items: { name: string; reason: string | null }[] }>(
      'GET',
      '/api/v1/scrapers/',
    );
    return body.items.find(({ name }) => name === `vendor:${vendor}`)!.reason;
  };
  const silence = () => {};
  const status = (code: number, headers: Record<string, string> = {}) => {
    answer = (response) => response.writeHead(code, headers).end();
  };
  const resting = (reason: string) => `the vendor is left alone for a while: ${reason}`;

  test('one that is late three times, and `auto` says so', async () => {
    answer = silence;
    assert.equal(await excluded('late'), null);
    await Promise.all(
      [1, 2, 3].flatMap(() => [fails('late', 'timeout', LATE_MS), fails('hasty', 'timeout', 1_000)]),
    );
    assert.equal(await excluded('late'), resting('timeout'));
    const { status: code, body } = await service.scrape({
      url: 'http://127.0.0.1:1/',
      router: { only: ['vendor:late'] },
    });
    assert.deepEqual(
      [code, body.candidates?.find(({ scraper }) => scraper === 'vendor:late')?.excluded_by],
      [422, 'vendor_timeout'],
    );
    status(200);
    await service.scrape({ url: 'http://127.0.0.1:1/', scraper: 'vendor:late' });
    assert.equal(await excluded('late'), null);
  });

  test('not one that had no time', async () => {
    assert.equal(await excluded('hasty'), null);
  });

  test('not one that callers have left', async () => {
    for (let n = 0; n < 3; n++) {
      const leaving = new AbortController();
      answer = () => leaving.abort();
      const body = JSON.stringify({ url: 'http://127.0.0.1:1/', scraper: 'vendor:left' });
      const headers = { 'content-type': 'application/json', authorization: `Api-Key ${service.key}` };
      const left = fetch(`${service.base}/api/v1/scrape/`, {
        method: 'POST',
        headers,
        body,
        signal: leaving.signal,
      });
      await assert.rejects(left, { name: 'AbortError' });
    }
    assert.equal(await excluded('left'), null);
  });

  test('one that is down three times', async () => {
    answer = (response) => response.destroy();
    for (let n = 0; n < 3; n++) {
      assert.equal(await excluded('down'), null);
      await fails('down', 'protocol');
    }
    assert.equal(await excluded('down'), resting('protocol'));
    const { body } = await service.api<{ items: Vendor[] }>('GET', '/api/v1/vendors/');
    const down = body.items.find(({ name }) => name === 'down')!;
    assert.equal(down.left_alone, 'protocol');
    assert.ok(Date.parse(down.left_alone_until!) - Date.parse(down.left_alone_since!) >= 30_000);
    const past = body.items.find(({ name }) => name === 'past')!;
    assert.deepEqual([past.left_alone_since, past.left_alone_until], [null, null]);
  });

  test('one that says for how long, in seconds or until a date', async () => {
    status(429, { 'retry-after': '60' });
    await fails('seconds', 'throttled');
    assert.equal(await excluded('seconds'), resting('throttled'));
    status(429, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    await fails('dated', 'throttled');
    assert.equal(await excluded('dated'), resting('throttled'));
    status(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' });
    await fails('past', 'throttled');
    assert.equal(await excluded('past'), null);
  });
});
