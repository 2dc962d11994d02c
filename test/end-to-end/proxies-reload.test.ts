import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { SCRAPERS } from '../helpers/scrapers.ts';
import { eventually, type Service, startService } from '../helpers/service.ts';

interface Seen {
  readonly waiting: number;
  readonly pools: readonly { readonly proxies: readonly { readonly server: string }[] }[];
}

describe('the file of the pools changes while a scrape is under way', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-reload-'));
  const file = join(folder, 'proxies.json');
  const held: ServerResponse[] = [];
  /** The addresses of the exits that requests came from, by path. */
  const from: { readonly path: string; readonly exit: string }[] = [];
  let target: Server;
  let url = '';
  let one: ProxyServer;
  let two: ProxyServer;
  let service: Service;

  before(async () => {
    target = createServer((request, response) => {
      from.push({ path: request.url!, exit: request.socket.remoteAddress! });
      response.setHeader('content-type', 'text/html');
      if (request.url === '/held') held.push(response);
      else response.end('<!doctype html><title>A page</title><p>Here it is.</p>');
    });
    await listen(target);
    url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    one = await startProxy({ from: '127.0.0.31' });
    two = await startProxy({ from: '127.0.0.32' });
    write(one);
    service = await startService({ SLUICE_PROXIES: file });
  });
  after(async () => {
    await service?.end();
    await Promise.all([one?.close(), two?.close()]);
    target?.closeAllConnections();
    target?.close();
    rmSync(folder, { recursive: true });
  });

  const serverOf = ({ port }: ProxyServer) => `http://127.0.0.1:${port}`;
  const write = (proxy: ProxyServer, more: object = {}) =>
    writeFileSync(
      file,
      JSON.stringify({ pools: [{ name: 'dc', type: 'datacenter', proxies: [serverOf(proxy)], ...more }] }),
    );
  const state = async () => (await service.api<Seen>('GET', '/api/v1/proxies/')).body;
  const reload = async (proxy: ProxyServer, more: object = {}) => {
    write(proxy, more);
    process.kill(service.pid, 'SIGHUP');
    await eventually(async () => (await state()).pools[0]!.proxies[0]!.server === serverOf(proxy), 10_000);
  };
  const scrape = async (scraper: string, path: string, more: object = {}) => {
    const { body, text } = await service.scrape({ url: url + path, scraper, timeout_ms: 60_000, ...more });
    assert.equal(body.status_code, 200, text);
    return body;
  };
  const exitsOf = (path: string) => from.filter((one) => one.path === path).map(({ exit }) => exit);

  for (const scraper of SCRAPERS)
    test(`${scraper}: the scrape continues through its exit, which no other scrape uses any more`, async () => {
      await reload(one);
      from.length = 0;
      const going = scrape(scraper, '/held');
      await eventually(() => held.length === 1);
      await reload(two);
      const before = one.targets.length;
      await scrape(scraper, '/after');
      await scrape(scraper, '/after', { proxy: { session: `of-${scraper}` } });
      assert.equal(one.targets.length, before);
      assert.deepEqual(exitsOf('/after'), ['127.0.0.32', '127.0.0.32']);
      // Sub-resources are fetched through the exit of the page.
      held.shift()!.end('<!doctype html><title>Late</title><img src="/picture"><p>Here it is.</p>');
      const body = await going;
      assert.deepEqual([body.router.outcome, body.errors], ['ok', []]);
      assert.deepEqual(exitsOf('/held'), ['127.0.0.31']);
      assert.deepEqual(exitsOf('/picture'), scraper === 'browser' ? ['127.0.0.31'] : []);
    });

  test('its next attempt uses an exit of the new file', async () => {
    await reload(one);
    from.length = 0;
    const accept = { contains: 'never there' };
    for (const rotate of ['per_attempt', 'per_request', 'on_block']) {
      await reload(one);
      from.length = 0;
      const going = scrape('http', '/held', { proxy: { rotate }, router: { max_attempts: 2, accept } });
      await eventually(() => held.length === 1);
      await reload(two);
      held.shift()!.end('<!doctype html><p>Not what is wanted.');
      await eventually(() => held.length === 1);
      held.shift()!.end('<!doctype html><p>Nor is this.');
      const body = await going;
      assert.equal(body.router.attempts.length, 2);
      assert.deepEqual(exitsOf('/held'), ['127.0.0.31', '127.0.0.32'], rotate);
    }
  });

  test('a session whose exit is gone gets another one', async () => {
    await reload(one);
    from.length = 0;
    for (const scraper of SCRAPERS) await scrape(scraper, '/session', { proxy: { session: 'a' } });
    await reload(two);
    for (const scraper of SCRAPERS) await scrape(scraper, '/session', { proxy: { session: 'a' } });
    const [before, then] = [
      exitsOf('/session').slice(0, SCRAPERS.length),
      exitsOf('/session').slice(SCRAPERS.length),
    ];
    assert.deepEqual(new Set(before), new Set(['127.0.0.31']));
    assert.deepEqual(new Set(then), new Set(['127.0.0.32']));
  });

  test('a scrape that waits for a busy exit uses the new one', async () => {
    await reload(one, { concurrency_per_proxy: 1 });
    from.length = 0;
    const first = scrape('http', '/held');
    await eventually(() => held.length === 1);
    const second = scrape('http', '/waiting');
    await eventually(async () => (await state()).waiting === 1, 10_000);
    await reload(two, { concurrency_per_proxy: 1 });
    await second;
    assert.deepEqual(exitsOf('/waiting'), ['127.0.0.32']);
    held.shift()!.end('<!doctype html><p>There.');
    await first;
  });
});
