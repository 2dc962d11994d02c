import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort, listen } from '../../helpers/free-port.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

const LIMIT = 2;
const MANY = 7;

interface Seen {
  readonly waiting: number;
  readonly pools: readonly {
    readonly name: string;
    readonly in_flight: number;
    readonly proxies: readonly { readonly attempts: number; readonly in_flight: number }[];
  }[];
}

describe(`proxies that carry ${LIMIT} attempts at once`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-concurrency-'));
  const proxies: ProxyServer[] = [];
  /** Requests in flight at the target, by the address of their exit. */
  const held: { readonly exit: string; answer(): void }[] = [];
  let target: Server;
  let url = '';
  /** A port where nothing listens at first. */
  let deadPort = 0;
  let service: Service;

  before(async () => {
    target = createServer((request, response) => {
      const page = '<!doctype html><title>A page</title><p>Here it is.</p>';
      const answer = () => void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      if (request.url !== '/held') return answer();
      const exit = request.socket.remoteAddress!;
      held.push({ exit, answer });
    });
    await listen(target);
    url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    for (const from of ['127.0.0.21', '127.0.0.22']) proxies.push(await startProxy({ from }));
    deadPort = await freePort();
    const file = join(folder, 'proxies.json');
    const list = proxies.map(({ port }) => `http://127.0.0.1:${port}`);
    const one = { type: 'datacenter', concurrency_per_proxy: LIMIT };
    const pools = [
      { name: 'one', ...one, proxies: list.slice(0, 1) },
      { name: 'two', ...one, proxies: list },
      { name: 'mends', ...one, proxies: [`http://127.0.0.1:${deadPort}`, list[1]] },
    ];
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({ SLUICE_PROXIES: file, SLUICE_BROWSER_SLOTS: '6' });
  });
  after(async () => {
    await service?.end();
    for (const proxy of proxies) await proxy.close();
    target?.closeAllConnections();
    target?.close();
    rmSync(folder, { recursive: true });
  });

  const state = async () => (await service.api<Seen>('GET', '/api/v1/proxies/')).body;
  const scrape = (scraper: string, pool: string, more: object = {}) =>
    service.scrape({ url: `${url}/held`, scraper, proxy: { pool }, timeout_ms: 60_000, ...more });

  /** Sends many scrapes, responds to one after the other, and asserts that no exit exceeds its limit. */
  const go = async (scraper: string, pool: string, room: number) => {
    const done = Array.from({ length: MANY }, () => scrape(scraper, pool));
    let seen = 0;
    for (let served = 0; served < MANY; served++) {
      // As many as allowed have arrived; no other arrives before one of them has ended.
      const out = Math.min(room, MANY - served);
      await eventually(() => held.length >= out);
      const now = await eventually(async () => {
        const { waiting, pools } = await state();
        const one = pools.find(({ name }) => name === pool)!;
        // The response arrives a moment before its exit is free.
        return waiting === MANY - served - out && one.in_flight === out && one;
      }, 10_000);
      assert.equal(held.length, out);
      const by = Object.values(Object.groupBy(held, ({ exit }) => exit));
      for (const pages of by) assert.ok(pages!.length <= LIMIT, `${pages!.length} at once`);
      for (const proxy of now.proxies) assert.ok(proxy.in_flight <= LIMIT);
      seen = Math.max(seen, held.length);
      held.shift()!.answer();
    }
    assert.equal(seen, room);
    for (const { body, text } of await Promise.all(done)) assert.equal(body.status_code, 200, text);
    await eventually(async () => {
      const { waiting, pools } = await state();
      return waiting === 0 && pools.every(({ in_flight }) => in_flight === 0);
    }, 10_000);
  };

  for (const scraper of SCRAPERS)
    test(`${scraper}: never more attempts at once; waiting ones are served`, async () => {
      await go(scraper, 'one', LIMIT);
      await go(scraper, 'two', 2 * LIMIT);
    });

  test('a scrape that waits until its time is up is 503 service.unavailable, and occupies no exit', async () => {
    const busy = [scrape('http', 'one'), scrape('http', 'one')];
    await eventually(() => held.length === LIMIT);
    const late = await scrape('http', 'one', { timeout_ms: 1_500 });
    assert.deepEqual([late.status, late.body.code], [503, 'service.unavailable'], late.text);
    assert.ok(late.body.router.timing.queue! >= 1_000, late.text);
    assert.ok(late.body.router.attempts[0]!.duration_ms >= 1_000, late.text);
    assert.equal((await state()).waiting, 0);
    for (const page of held.splice(0)) page.answer();
    for (const { body, text } of await Promise.all(busy)) assert.equal(body.status_code, 200, text);
    assert.equal(held.length, 0);
  });

  test('a waiting scrape uses a failed proxy as soon as its pause is over', async (t) => {
    const failed = await scrape('http', 'mends');
    assert.equal(failed.body.code, 'proxy.failed', failed.text);
    const done = Array.from({ length: LIMIT + 1 }, () => scrape('http', 'mends'));
    await eventually(async () => held.length === LIMIT && (await state()).waiting === 1);
    const mended = await startProxy({ port: deadPort, from: '127.0.0.23' });
    t.after(() => mended.close());
    // The running attempts continue, so no other exit becomes free meanwhile.
    await eventually(() => held.length === LIMIT + 1, 15_000);
    assert.equal(held[LIMIT]!.exit, '127.0.0.23');
    for (const page of held.splice(0)) page.answer();
    const answers = await Promise.all(done);
    for (const { body, text } of answers) assert.equal(body.status_code, 200, text);
    // The wait is reported in timing.queue.
    const waits = answers.map(({ body }) => body.router.timing.queue).filter((ms) => ms !== null);
    assert.equal(waits.length, 1, waits.join());
    assert.ok(waits[0]! > 1_000, `${waits[0]} ms`);
  });

  test('a caller that disconnects while waiting leaves the queue', async () => {
    const busy = [scrape('http', 'one'), scrape('http', 'one')];
    await eventually(() => held.length === LIMIT);
    const leaving = new AbortController();
    const left = fetch(`${service.base}/api/v1/scrape/`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${url}/held`, scraper: 'http', proxy: { pool: 'one' } }),
      signal: leaving.signal,
    });
    await eventually(async () => (await state()).waiting === 1, 10_000);
    leaving.abort();
    await assert.rejects(left);
    await eventually(async () => (await state()).waiting === 0, 10_000);
    for (const page of held.splice(0)) page.answer();
    for (const { body, text } of await Promise.all(busy)) assert.equal(body.status_code, 200, text);
    assert.equal(held.length, 0);
  });
});
