import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { Problem } from '../helpers/wire-types.ts';

const SECRETS = ['geheim-1', 'geheim-2', 'vendor-key-0123456789'];
const [FIRST, SECOND, KEY] = SECRETS as [string, string, string];
const POOLS = '/api/v1/proxies/pools/';
const VENDORS = '/api/v1/vendors/';

const urlOf = ({ port }: ProxyServer, user = ''): string => `http://${user}127.0.0.1:${port}`;

/** Members of a vendor that is not left alone. */
const NOT_PAUSED = { left_alone: null, left_alone_since: null, left_alone_until: null };

describe('proxy pools and vendors by API', () => {
  const site = useSite();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-by-api-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Calls that must be refused: with this status, code and pointer. */
  const refused = async (
    service: Service,
    [method, path, body]: readonly [string, string, unknown],
    expected: readonly [number, string, (string | undefined)?],
  ) => {
    const reply = await service.api<Problem>(method, path, { body });
    const [error] = reply.body.errors ?? [];
    assert.deepEqual(
      [reply.status, reply.body.code, error?.pointer],
      [...expected, ...[undefined]].slice(0, 3),
    );
    for (const secret of SECRETS) assert.ok(!JSON.stringify(reply.body).includes(secret), secret);
    return reply.body;
  };

  test('are created, used, tested, changed and deleted; secrets stay inside; all survives a restart', async () => {
    await using one = await startProxy({ auth: ['u', FIRST] });
    await using two = await startProxy({ auth: ['u', SECOND] });
    const seenKeys: unknown[] = [];
    const api = createServer((request, response) => {
      seenKeys.push(request.headers['x-key']);
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<p>{"ip": "a page with a few words"}</p>');
    });
    const target = createServer((request, response) =>
      request.url === '/ip'
        ? response.end('{"origin": "203.0.113.7"}')
        : response.writeHead(404).end('there is no such page'),
    );
    for (const server of [api, target]) {
      server.listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      after(() => server.close());
    }
    const base = (server: typeof api) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const prices = join(folder, 'prices.json');
    writeFileSync(prices, JSON.stringify({ currency: 'EUR', scrapers: { http: 0 } }));
    const dataDir = join(folder, 'data');
    const env = { SLUICE_PRICES: prices };
    let service = await startService(env, { dataDir });
    after(() => service[Symbol.asyncDispose]());
    const bodies: string[] = [];
    const call = async <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => {
      const reply = await service.api<T>(method, path, body === undefined ? {} : { body });
      bodies.push(JSON.stringify(reply.body ?? null));
      return reply;
    };

    const pool = {
      name: 'own',
      type: 'datacenter',
      proxies: [urlOf(one, `u:${FIRST}@`), { url: `127.0.0.1:${two.port}:u:${SECOND}`, country: 'DE' }],
      price_per_request: 0.5,
    };
    const created = await call('POST', POOLS, pool);
    assert.equal(created.status, 201);
    const masked = [urlOf(one, '***@'), { url: urlOf(two, '***@'), country: 'DE' }];
    assert.deepEqual(created.body, { ...pool, proxies: masked, problems: [] });
    assert.deepEqual((await call('GET', `${POOLS}own/`)).body, created.body);

    // The same checks and messages as in the file.
    await refused(service, ['POST', POOLS, pool], [400, 'request.validation', '/name']);
    const bad = (changes: object) => ['POST', POOLS, { ...pool, name: 'x', ...changes }] as const;
    await refused(service, bad({ proxies: undefined }), [400, 'request.validation', '']);
    await refused(service, bad({ proxies: [`${urlOf(one)}/a`] }), [400, 'request.validation', '/proxies/0']);
    await refused(service, bad({ proxies: [urlOf(one, '***@')] }), [400, 'request.validation', '/proxies/0']);
    await refused(service, bad({ proxies: FIRST }), [400, 'request.validation', '/proxies']);
    await refused(service, ['PATCH', `${POOLS}none/`, { type: 'mobile' }], [404, 'request.not_found']);
    await refused(service, ['PATCH', `${POOLS}own/`, { type: null }], [400, 'request.validation', '/type']);
    await refused(service, ['DELETE', `${POOLS}none/`, undefined], [404, 'request.not_found']);

    const scrape = async (proxy: unknown, more: object = {}) =>
      (await service.scrape({ url: `${site.url}/text`, scraper: 'http', proxy, ...more })).body;
    for (let n = 0; n < 4; n++) assert.equal((await scrape('datacenter')).status_code, 200);
    assert.deepEqual([one.targets.length, two.targets.length], [2, 2]);

    // Without a mask a proxy is new; with it, it keeps its credentials, in any order.
    const changed = await call('PATCH', `${POOLS}own/`, {
      proxies: masked.toReversed(),
      price_per_request: null,
      concurrency_per_proxy: 7,
    });
    const { price_per_request: _, ...rest } = pool;
    assert.deepEqual(changed.body, {
      ...rest,
      proxies: masked.toReversed(),
      concurrency_per_proxy: 7,
      problems: [],
    });
    for (let n = 0; n < 4; n++) assert.equal((await scrape('datacenter')).status_code, 200);
    await call('PATCH', `${POOLS}own/`, { price_per_request: 0.25 });

    type Test = { cost: number; exits: number; items: Record<string, unknown>[] };
    const tested = await call<Test>('POST', `${POOLS}own/test/`, { url: `${base(target)}/ip` });
    assert.deepEqual([tested.body.cost, tested.body.exits], [0.5, 2]);
    for (const item of tested.body.items)
      assert.deepEqual(
        [item.ok, item.status_code, item.exit_ip, item.error],
        [true, 200, '203.0.113.7', null],
      );
    assert.deepEqual(
      tested.body.items.map(({ server }) => server),
      [urlOf(two), urlOf(one)],
    );
    const missing = await call<Test>('POST', `${POOLS}own/test/`, {
      url: `${base(target)}/no`,
      max_exits: 1,
    });
    assert.deepEqual(
      missing.body.items.map(({ ok, status_code, exit_ip }) => [ok, status_code, exit_ip]),
      [[false, 404, null]],
    );
    await two.close();
    const half = await call<Test>('POST', `${POOLS}own/test/`, { url: `${base(target)}/ip` });
    assert.deepEqual(
      half.body.items.map(({ ok, error }) => [ok, (error as { code: string } | null)?.code]),
      [
        [false, 'proxy.failed'],
        [true, undefined],
      ],
    );
    await refused(service, ['POST', `${POOLS}own/test/`, {}], [400, 'request.validation', '/url']);
    await refused(service, ['POST', `${POOLS}none/test/`, { url: site.url }], [404, 'request.not_found']);

    // `none` must be allowed.
    assert.equal((await scrape({ type: 'none' })).code, 'proxy.forbidden');
    for (const allow_none of [false, true])
      assert.equal((await call('PATCH', '/api/v1/proxies/', { allow_none })).status, 204);
    assert.equal((await scrape({ type: 'none' })).status_code, 200);

    const vendor = {
      name: 'own',
      kind: 'http',
      key: KEY,
      base_url: base(api),
      price: { per_request: 0.125 },
      options: { path: '/?u={url}', headers: { 'X-Key': '{key}' }, answer: { body: 'raw' } },
    };
    const made = await call('POST', VENDORS, vendor);
    const shown = { ...vendor, key: '***', problems: [], state: 'ready', ...NOT_PAUSED };
    assert.deepEqual([made.status, made.body], [201, shown]);
    await refused(
      service,
      ['POST', VENDORS, { ...vendor, name: 'x', key_file: 'a' }],
      [400, 'request.validation', '/key_file'],
    );
    await refused(
      service,
      ['POST', VENDORS, { ...vendor, name: 'x', key: '***' }],
      [400, 'request.validation', '/key'],
    );
    await refused(
      service,
      ['POST', VENDORS, { name: 'x', kind: 'zyte' }],
      [400, 'request.validation', '/key'],
    );
    await refused(
      service,
      ['PATCH', `${VENDORS}own/`, { base_url: null }],
      [400, 'request.validation', '/base_url'],
    );
    const patched = await call('PATCH', `${VENDORS}own/`, {
      key: '***',
      auto: true,
      price: { per_request: 0.5 },
    });
    assert.deepEqual(patched.body, { ...shown, auto: true, price: { per_request: 0.5 } });
    const result = await call('POST', `${VENDORS}own/test/`, { url: `${site.url}/text` });
    const { ok, status_code, cost, cost_unit, cost_source } = result.body;
    assert.deepEqual([ok, status_code, cost, cost_unit, cost_source], [true, null, 0.5, 'EUR', 'estimated']);
    assert.deepEqual(seenKeys, [KEY]);
    assert.deepEqual((await scrape('datacenter', { scraper: 'vendor:own' })).errors, []);

    /** The figures of all attempts until now. */
    const figures = async () => {
      type History = { pools: { totals: object }[]; vendors: { totals: object }[] };
      const list = [];
      for (const window of ['1h', '7d'] as const) {
        const pools = (await call<History>('GET', `/api/v1/proxies/history/?window=${window}`)).body.pools;
        const vendors = (await call<History>('GET', `/api/v1/vendors/history/?window=${window}`)).body
          .vendors;
        list.push([pools.map(({ totals }) => totals), vendors.map(({ totals }) => totals)]);
      }
      return list;
    };
    const before = await figures();
    const [pools, vendors] = before[0] as [[Record<string, number>], [Record<string, number>]];
    assert.deepEqual([pools[0].attempts, pools[0].ok, pools[0].failed, pools[0].cost], [13, 12, 1, 3.25]);
    assert.deepEqual(vendors, [{ requests: 2, ok: 2, failed: 0, cost: 1 }]);
    assert.deepEqual(before[1], before[0]);
    type Point = Record<string, number | null>;
    const points = async () =>
      (await call<{ points: Point[] }>('GET', '/api/v1/system/history/?window=1h')).body.points;
    const latest = (await points()).findLast(({ replicas }) => replicas !== null)!;
    assert.ok(
      latest.rss_bytes! > 1e6 &&
        latest.disk_free_bytes! > 0 &&
        latest.disk_share! > 0 &&
        latest.machine_memory_share! > 0 &&
        latest.slots_total! >= 0,
    );

    const output = await service.output();
    await service.stop();
    service = await startService({ ...env, SLUICE_PRICES: '' }, { dataDir });
    // A price needs a currency.
    const unused = (await call<{ items: Record<string, unknown>[] }>('GET', VENDORS)).body.items[0]!;
    assert.deepEqual([unused.state, (unused.problems as string[]).length], ['unused', 1]);
    await service.stop();
    service = await startService(env, { dataDir });
    assert.deepEqual(await figures(), before);
    assert.deepEqual((await call('GET', `${VENDORS}own/`)).body, patched.body);
    // One of the two proxies is gone, and this process does not know it yet.
    assert.equal((await scrape('datacenter', { router: { max_attempts: 2 } })).status_code, 200);
    assert.equal((await scrape({ type: 'none' })).status_code, 200);
    assert.deepEqual((await scrape('datacenter', { scraper: 'vendor:own' })).errors, []);

    assert.equal((await call('DELETE', `${POOLS}own/`)).status, 204);
    assert.equal((await call('DELETE', `${VENDORS}own/`)).status, 204);
    assert.equal((await scrape({ pool: 'own' })).code, 'proxy.pool_unconfigured');
    assert.equal((await scrape('datacenter', { scraper: 'vendor:own' })).code, 'scraper.unavailable');

    const files = readdirSync(dataDir).filter((name) => name.startsWith('sluice.db'));
    const told = [output, await service.output(), ...bodies];
    for (const secret of SECRETS) {
      for (const text of told) assert.ok(!text.includes(secret), secret);
      for (const file of files) assert.ok(!readFileSync(join(dataDir, file)).includes(secret), file);
    }
    await service.stop();
  });

  test('cannot be changed where a file is set', async () => {
    const pools = join(folder, 'pools.json');
    const vendors = join(folder, 'vendors.json');
    const pool = { name: 'own', type: 'datacenter', proxies: [`http://u:${FIRST}@127.0.0.1:1`] };
    const vendor = { name: 'zyte', kind: 'zyte', key: KEY };
    writeFileSync(pools, JSON.stringify({ pools: [pool], allow_none: true }));
    writeFileSync(vendors, JSON.stringify({ vendors: [vendor] }));
    await using service = await startService({ SLUICE_PROXIES: pools, SLUICE_VENDORS: vendors });
    const list = await service.api('GET', POOLS);
    const item = { ...pool, proxies: ['http://***@127.0.0.1:1'], problems: [] };
    assert.deepEqual(list.body, { source: 'file', allow_none: true, items: [item] });
    const shown = (await service.api<{ source: string; items: { key: string }[] }>('GET', VENDORS)).body;
    assert.deepEqual([shown.source, shown.items[0]!.key], ['file', '***']);
    const calls = [
      ['PATCH', '/api/v1/proxies/', { allow_none: false }],
      ['POST', POOLS, { ...pool, name: 'x' }],
      ['PATCH', `${POOLS}own/`, { type: 'mobile' }],
      ['DELETE', `${POOLS}own/`, undefined],
      ['POST', VENDORS, { ...vendor, name: 'x' }],
      ['PATCH', `${VENDORS}zyte/`, { auto: true }],
      ['DELETE', `${VENDORS}zyte/`, undefined],
    ] as const;
    for (const call of calls) {
      const { detail } = await refused(service, call, [409, 'settings.file']);
      assert.match(detail, /^SLUICE_(PROXIES|VENDORS) is set/);
    }
  });
});
