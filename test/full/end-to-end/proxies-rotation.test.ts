import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EXAMPLES } from '../../assess/examples/all.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { type Service, startService } from '../../helpers/service.ts';

/** What leads to the address of the target that shows a wall: the target judges by the exit. */
const TO_THE_WALL = { names: { '127.0.0.1': '127.0.0.2' } };

interface Seen {
  readonly pools: readonly {
    readonly name: string;
    readonly proxies: readonly { readonly attempts: number }[];
  }[];
}

describe('how long an exit is kept', () => {
  const servers: Server[] = [];
  const pools = new Map<string, readonly ProxyServer[]>();
  let url = '';
  let service: Service;
  let folder = '';

  const listen = async (host: string, port: number, blocked: boolean): Promise<number> => {
    const wall = EXAMPLES['akamai/reference']!.for;
    const page = blocked ? wall : { body: '<!doctype html><title>A page</title><p>Come in.</p>' };
    const server = createServer((_, response) => {
      const { status = 200, headers = {}, type = 'text/html', body = '' } = page;
      response.writeHead(status, { ...headers, 'content-type': type }).end(body);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return (server.address() as AddressInfo).port;
  };

  before(async () => {
    const port = await listen('127.0.0.1', 0, false);
    await listen('127.0.0.2', port, true);
    url = `http://127.0.0.1:${port}/`;
    for (const scraper of SCRAPERS) {
      pools.set(`walled-${scraper}`, [await startProxy(TO_THE_WALL), await startProxy()]);
      pools.set(`free-${scraper}`, [await startProxy(), await startProxy()]);
    }
    pools.set('sticky', [await startProxy(), await startProxy()]);
    folder = mkdtempSync(join(tmpdir(), 'sluice-rotation-'));
    const file = join(folder, 'proxies.json');
    const list = [...pools].map(([name, proxies]) => ({
      name,
      type: 'datacenter',
      proxies: proxies.map((proxy) => `http://127.0.0.1:${proxy.port}`),
    }));
    writeFileSync(file, JSON.stringify({ pools: list }));
    service = await startService({ SLUICE_PROXIES: file });
  });
  after(async () => {
    await service?.end();
    for (const proxy of [...pools.values()].flat()) await proxy.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(folder, { recursive: true });
  });

  const attempts = async (pool: string): Promise<readonly number[]> => {
    const { pools: list } = (await service.api<Seen>('GET', '/api/v1/proxies/')).body;
    return list.find(({ name }) => name === pool)!.proxies.map((proxy) => proxy.attempts);
  };

  /** How many attempts of one scrape went by each exit of the pool, and what came of it. */
  const ask = async (pool: string, scraper: string, proxy: object, router: object = {}) => {
    const exits = pools.get(pool)!;
    const [asked, before] = [exits.map((exit) => exit.targets.length), await attempts(pool)];
    const { body, text } = await service.scrape({ url, scraper, proxy: { pool, ...proxy }, router });
    const by = (await attempts(pool)).map((count, at) => count - before[at]!);
    // A browser asks for more than the page: seen from outside, it is only whether there was something.
    const used = exits.map((exit, at) => exit.targets.length > asked[at]!);
    assert.deepEqual(
      used,
      by.map((count) => count > 0),
      text,
    );
    const codes = body.router.attempts.map(({ error_code }) => error_code);
    return { by, outcome: body.router.outcome, codes };
  };
  const ONE_WALL = { outcome: 'blocked', codes: ['target.blocked'] };
  const TWO_WALLS = { outcome: 'blocked', codes: ['target.blocked', 'target.blocked'] };
  const IN_AT_ONCE = { outcome: 'ok', codes: [null] };

  for (const scraper of SCRAPERS) {
    test(`on_block, ${scraper}: another exit after a block, which uses up an attempt; a session moves`, async () => {
      const pool = `walled-${scraper}`;
      const moving = { session: 'moving', rotate: 'on_block' };
      assert.deepEqual(await ask(pool, scraper, moving, { max_attempts: 1 }), { by: [1, 0], ...ONE_WALL });
      assert.deepEqual(await ask(pool, scraper, moving, { max_attempts: 2 }), {
        by: [1, 1],
        outcome: 'ok',
        codes: ['target.blocked', null],
      });
      // It stays where it was let in.
      for (const _ of [1, 2])
        assert.deepEqual(await ask(pool, scraper, moving, { max_attempts: 2 }), {
          by: [0, 1],
          ...IN_AT_ONCE,
        });
      // Others hold on to their exit through all walls.
      for (const _ of [1, 2])
        assert.deepEqual(await ask(pool, scraper, { session: 'staying' }, { max_attempts: 2 }), {
          by: [2, 0],
          ...TWO_WALLS,
        });
    });

    test(`on_block, ${scraper}: after other failures the same exit is tried again`, async () => {
      const router = { max_attempts: 2, accept: { contains: 'never there' } };
      const pool = `free-${scraper}`;
      assert.deepEqual((await ask(pool, scraper, { rotate: 'on_block' }, router)).by, [2, 0]);
      assert.deepEqual((await ask(pool, scraper, { rotate: 'on_block' }, router)).by, [0, 2]);
      assert.deepEqual((await ask(pool, scraper, {}, router)).by, [1, 1]);
    });
  }

  test('a session has one exit for every scraper until its time is over, and then may have another', async (t) => {
    const ttlMs = 6_000;
    const proxy = { session: 'short', session_ttl_s: ttlMs / 1000 };
    const first = await ask('sticky', 'http', { session: 'long' });
    assert.deepEqual(first.by, [1, 0]);
    // The time counts from the first use, which is somewhere between these two.
    const earliest = performance.now();
    assert.deepEqual((await ask('sticky', 'http', proxy)).by, [0, 1]);
    const latest = performance.now();
    let within = 0;
    for (let at = 0; ; at++) {
      const began = performance.now();
      const { by } = await ask('sticky', SCRAPERS[at % SCRAPERS.length]!, proxy);
      if (performance.now() < earliest + ttlMs) {
        assert.deepEqual(by, [0, 1]);
        within++;
      } else if (began >= latest + ttlMs) {
        // Uses did not prolong it; the other exit is the one with fewer of them.
        assert.deepEqual(by, [1, 0]);
        break;
      } else if (by[0] === 1) break;
      await pause(100);
    }
    t.diagnostic(`${within} scrapes within the time of the session`);
    // One whose time is not over stays.
    for (const scraper of SCRAPERS)
      assert.deepEqual((await ask('sticky', scraper, { session: 'long' })).by, [1, 0], scraper);
  });
});
