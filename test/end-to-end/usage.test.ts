import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, type Service, startService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn } from '../helpers/visitor.ts';
import type { Problem } from '../helpers/wire-types.ts';
import { KEY, type StandIn, type StandIns, startStandIns } from '../vendors/stand-in.ts';
import { ZYTE } from '../vendors/stand-ins/zyte.ts';

interface Sums {
  readonly scrapes: number;
  readonly ok: number;
  readonly failed: number;
  readonly blocked: number;
  readonly attempts: number;
  readonly cost: number | null;
  readonly unpriced: number;
  readonly bytes: number;
  readonly traffic_bytes: number;
}
interface Item extends Sums {
  readonly name: string | null;
  readonly label: string | null;
  readonly user_id: string | null;
  readonly previous: Sums | null;
}
interface Usage {
  readonly from: string;
  readonly to: string;
  readonly step_seconds: number;
  readonly cost_unit: string;
  readonly counted_from: string | null;
  readonly total: Sums;
  readonly previous: Sums | null;
  readonly change: { readonly scrapes: number | null; readonly cost: number | null };
  readonly series: readonly (Sums & { readonly at: string })[];
  readonly items: readonly Item[];
  readonly other: Sums | null;
  readonly forecast: {
    readonly month: string;
    readonly so_far: Sums;
    readonly cost: unknown;
    readonly reason: string | null;
  };
  readonly budgets: readonly { readonly name: string; readonly amount: number; readonly used: number }[];
}
interface Scraped {
  readonly id: string;
  readonly host: string;
  readonly outcome: string;
  readonly key_id: string | null;
  readonly content_bytes: number | null;
}
interface Recorded {
  readonly router: {
    readonly attempts: readonly {
      readonly scraper: string;
      readonly proxy_type: string;
      readonly cost: number | null;
    }[];
  };
}

const HTTP: StandIn = ZYTE[0]!;
const PAGE = `<!doctype html><title>A page</title><p>${'The text of the page. '.repeat(40)}</p>`;
const WALL =
  '<!doctype html><title>Just a moment...</title><form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>';

/** `/walled` shows its page only to vendors, whose requests have no `User-Agent`. */
async function startShop(): Promise<Server> {
  const server = createServer(({ url, headers }, response) => {
    const isWalled = url!.startsWith('/walled') && headers['user-agent'] !== undefined;
    response.setHeader('content-type', 'text/html');
    response.statusCode = isWalled ? 403 : 200;
    response.end(isWalled ? WALL : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const usageOf = async (service: Service, query = '', key?: string): Promise<Usage> =>
  (await service.api<Usage>('GET', `/api/v1/usage/?${query}`, key === undefined ? {} : { key })).body;
const named = ({ items }: Usage, name: string | null) => items.find((item) => item.name === name)!;
const micro = (cost: number | null) => Math.round((cost ?? 0) * 1e6);

describe('usage', () => {
  let shop: Server;
  let standIns: StandIns;
  let service: Service;
  let environment: NodeJS.ProcessEnv;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-usage-'));
  const dataDir = join(dir, 'data');
  before(async () => {
    shop = await startShop();
    standIns = await startStandIns(ZYTE);
    const vendor = {
      ...{ name: 'shop', kind: 'zyte', key: KEY, base_url: standIns.base(HTTP), auto: true },
      ...{ options: { render: false }, price: { per_success: 0.001 } },
    };
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors: [vendor] }));
    writeFileSync(join(dir, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
    environment = {
      SLUICE_VENDORS: join(dir, 'vendors.json'),
      SLUICE_PRICES: join(dir, 'prices.json'),
    };
    service = await startService(environment, { dataDir });
  });
  after(async () => {
    await service?.end();
    await standIns?.[Symbol.asyncDispose]();
    shop?.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const urlOf = (path: string, host = '127.0.0.1') =>
    `http://${host}:${(shop.address() as AddressInfo).port}${path}`;
  const counted = (scrapes: number, query = '', key?: string) =>
    eventually(async () => {
      const usage = await usageOf(service, query, key);
      return usage.total.scrapes === scrapes ? usage : null;
    });
  let otherKey: string;

  test('each split adds up to what the records tell, in every window; dry runs are left out', async () => {
    const none = await usageOf(service);
    assert.deepEqual([none.counted_from, none.total.scrapes, none.total.cost], [null, 0, 0]);
    otherKey = (
      await service.api<{ key: string }>('POST', '/api/v1/keys/', {
        body: { name: 'nightly', daily_budget: { amount: 0.01, unit: 'cost' } },
      })
    ).body.key;
    // The first attempt is refused, and the vendor gets the page: both cost.
    const auto = { router: { ignore: ['browser', 'browser_stealth', 'http_impersonate'] } };
    await service.scrape({ url: urlOf('/walled'), ...auto });
    for (let n = 0; n < 3; n++)
      await service.scrape({ url: urlOf(`/walled?${n}`), scraper: 'vendor:shop' }, { key: otherKey });
    await service.scrape({ url: urlOf('/walled'), scraper: 'http' });
    // A scraper without a price.
    await service.scrape({ url: urlOf('/'), scraper: 'http_impersonate' });
    await service.scrape({ url: urlOf('/'), router: { dry_run: true } });
    await service.scrape({ url: urlOf('/', 'localhost'), scraper: 'http' });
    await service.scrape({ url: 'http://127.0.0.1:1/', scraper: 'http' }, { key: otherKey });
    await counted(8);

    const { text } = await service.api('GET', '/api/v1/scrape/export/');
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Scraped)
      .filter(({ outcome }) => outcome !== 'planned');
    assert.equal(records.length, 8);
    const details = await Promise.all(
      records.map(async ({ id }) => (await service.api<Recorded>('GET', `/api/v1/scrape/${id}/`)).body),
    );
    const attempts = details.flatMap(({ router }, index) =>
      router.attempts.map((attempt) => ({
        ...records[index]!,
        ...attempt,
        outcome: records[index]!.outcome,
      })),
    );
    const expected = (name: (one: Scraped & (typeof attempts)[0]) => string | null) => {
      const sums = new Map<string | null, number[]>();
      for (const attempt of attempts) {
        const [count = 0, unpriced = 0, cost = 0] = sums.get(name(attempt)) ?? [];
        sums.set(name(attempt), [
          count + 1,
          unpriced + (attempt.cost === null ? 1 : 0),
          cost + micro(attempt.cost),
        ]);
      }
      return Object.fromEntries([...sums].sort());
    };
    // Counters of steps of three lengths.
    for (const window of ['1h', '24h', '90d'])
      for (const [by, name] of [
        ['key', ({ key_id }) => key_id],
        ['host', ({ host }) => host],
        ['scraper', ({ scraper }) => scraper],
        ['proxy', ({ proxy_type }) => proxy_type],
        ['vendor', ({ scraper }) => (scraper.startsWith('vendor:') ? scraper.slice(7) : null)],
        ['outcome', ({ outcome }) => outcome],
      ] as readonly [string, Parameters<typeof expected>[0]][]) {
        const usage = await usageOf(service, `window=${window}&by=${by}`);
        const found = usage.items.map(
          (item) => [item.name, [item.attempts, item.unpriced, micro(item.cost)]] as const,
        );
        assert.deepEqual(Object.fromEntries(found.toSorted()), expected(name), `${window} ${by}`);
        assert.equal(usage.other, null);
        const { total, series, items } = usage;
        assert.deepEqual(
          [total.scrapes, total.ok, total.failed, total.blocked],
          [8, ...['ok', 'failed', 'blocked'].map((name) => records.filter((r) => r.outcome === name).length)],
        );
        assert.equal(
          total.bytes,
          records.reduce((sum, record) => sum + (record.content_bytes ?? 0), 0),
        );
        assert.ok(total.traffic_bytes > total.bytes);
        for (const part of [series, items])
          for (const figure of ['scrapes', 'ok', 'attempts', 'unpriced', 'bytes', 'traffic_bytes'] as const)
            assert.equal(
              part.reduce((sum, one) => sum + one[figure], 0),
              total[figure],
              `${by} ${figure}`,
            );
        assert.equal(usage.previous, null, 'nothing was counted before');
      }
    assert.equal(micro((await usageOf(service)).total.cost), 4 * 1_000 + 4 * 100);
  });

  test('scrapes count at the scraper of their result; names, filters and the rest', async () => {
    const byScraper = await usageOf(service, 'by=scraper&sort=scrapes');
    assert.deepEqual(
      byScraper.items.map(({ name, scrapes, ok, cost }) => [name, scrapes, ok, cost]),
      [
        ['vendor:shop', 4, 4, 0.004],
        ['http', 3, 1, 0.0004],
        ['http_impersonate', 1, 1, null],
      ],
    );
    const byKey = await usageOf(service, 'by=key');
    const [nightly] = byKey.items;
    assert.deepEqual([nightly!.label, nightly!.scrapes, nightly!.cost], ['nightly', 4, 0.0031]);
    assert.match(nightly!.user_id!, /^[0-9a-f-]{36}$/);
    const one = await usageOf(service, 'by=key&limit=1');
    assert.deepEqual([one.items.length, one.other!.scrapes], [1, 4]);
    assert.deepEqual(one.total, byKey.total);
    const hosts = await usageOf(service, `by=host&key_id=${nightly!.name}`);
    assert.deepEqual(
      hosts.items.map(({ name, scrapes }) => [name, scrapes]),
      [['127.0.0.1', 4]],
    );
    for (const [query, scrapes] of [
      ['host=localhost', 1],
      ['host=LOCALHOST', 1],
      ['scraper=vendor:shop', 4],
      ['vendor=shop', 4],
      ['scraper=model', 0],
      ['proxy_type=residential', 0],
      ['key_id=none', 0],
      [`from=${new Date(Date.now() - 3_600_000).toISOString()}`, 8],
      [
        `from=${new Date(Date.now() - 9 * 86_400_000).toISOString()}&to=${new Date(Date.now() - 86_400_000).toISOString()}`,
        0,
      ],
    ] as const)
      assert.equal((await usageOf(service, query)).total.scrapes, scrapes, query);
    const hours = await usageOf(service, 'by=hour&window=24h');
    assert.deepEqual([hours.items.length, hours.step_seconds], [24, 3_600]);
    // 168 hours touch eight days of UTC, but seven in the last hour of a day.
    const week = await usageOf(service, 'by=day&window=7d');
    const days = (Date.parse(week.to) - Date.parse(`${week.from.slice(0, 10)}T00:00:00Z`)) / 86_400_000;
    assert.equal(week.items.length, Math.ceil(days));
    assert.ok(week.items.length === 8 || week.items.length === 7, week.from);
    assert.equal((await usageOf(service)).items.length, 30);
  });

  test('budgets, the month, and when counting began', async () => {
    const { budgets, forecast, counted_from } = await usageOf(service);
    assert.deepEqual(
      budgets.map(({ name, amount, used }) => [name, amount, used]),
      [['nightly', 0.01, 0.0031]],
    );
    assert.equal(forecast.month, new Date().toISOString().slice(0, 7));
    assert.deepEqual([forecast.so_far.scrapes, forecast.cost], [8, null]);
    assert.match(forecast.reason!, /seven whole days/);
    assert.ok(Date.parse(counted_from!) > Date.now() - 600_000, counted_from!);
  });

  test('exports have all items, and figures as in the answer', async () => {
    const lines = await service.api('GET', '/api/v1/usage/export/?by=key&format=jsonl');
    const rows = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Item & { is_other: boolean });
    const { items } = await usageOf(service, 'by=key');
    assert.deepEqual(
      rows.map(({ name, label, cost, scrapes, is_other }) => [name, label, cost, scrapes, is_other]),
      items.map(({ name, label, cost, scrapes }) => [name, label, cost, scrapes, false]),
    );
    const csv = await service.api('GET', '/api/v1/usage/export/?by=host');
    assert.match(csv.headers.get('content-disposition')!, /usage-by-host\.csv/);
    const [head, ...hosts] = csv.text.trim().split('\r\n');
    assert.match(head!, /^by,name,label,user_id,is_other,scrapes,ok,failed,blocked,attempts,cost,/);
    assert.deepEqual(hosts.map((line) => line.split(',')[1]).sort(), ['127.0.0.1', 'localhost']);
  });

  test('wrong queries are refused, with the name of the parameter', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const [query, parameter] of [
      ['window=2d', 'window'],
      ['by=month', 'by'],
      ['by=hour', 'by'],
      ['limit=1001', 'limit'],
      [`to=${ago(1)}`, 'to'],
      [`from=${ago(200)}`, 'from'],
      [`from=${ago(-1)}`, 'from'],
      [`from=${ago(2)}&to=${ago(3)}`, 'from'],
      [`window=1h&from=${ago(2)}`, 'window'],
      ['host=a/b', 'host'],
      ['scraper=curl', 'scraper'],
      ['vendor=shop&scraper=http', 'vendor'],
      ['proxy_type=satellite', 'proxy_type'],
      ['user_id=all', 'user_id'],
      ['timezone=Europe/Berlin', 'timezone'],
    ] as const) {
      const { status, body } = await service.api<Problem>('GET', `/api/v1/usage/?${query}`);
      assert.deepEqual([status, body.errors[0]!.pointer], [400, `/${parameter}`], query);
    }
    assert.equal((await service.api('GET', '/api/v1/usage/export/?format=xlsx')).status, 400);
    for (const path of ['/api/v1/usage/', '/api/v1/usage/export/'])
      assert.equal((await service.api('GET', path, { key: null })).status, 401);
  });

  test('users see their own usage; sessions of administrators that of all, or of one', async () => {
    const { key } = await createUser(service, { email: 'other@example.com' });
    assert.equal((await usageOf(service, '', key)).total.scrapes, 0);
    await service.scrape({ url: urlOf('/', 'localhost'), scraper: 'http' }, { key });
    const own = await counted(1, 'by=user', key);
    assert.deepEqual([own.items[0]!.label, own.budgets], ['other@example.com', []]);
    assert.equal((await usageOf(service)).total.scrapes, 8);

    const { email, id } = await newUser(service, { role: 'admin' });
    const admin = await signIn(service, email);
    const all = (await admin.call<Usage>('GET', '/api/v1/usage/?by=user')).body;
    assert.equal(all.total.scrapes, 9);
    assert.equal(all.budgets.length, 1);
    const other = named(all, own.items[0]!.name);
    assert.deepEqual([other.label, other.scrapes, other.cost], ['other@example.com', 1, 0.0001]);
    const ofOne = async (userId: string) =>
      (await admin.call<Usage>('GET', `/api/v1/usage/?user_id=${userId}`)).body.total.scrapes;
    assert.deepEqual([await ofOne(id), await ofOne(other.name!), await ofOne('all')], [0, 1, 9]);
    // The name of a key is known when it is revoked.
    const nightly = (await usageOf(service, 'by=key')).items[0]!;
    assert.equal((await service.api('DELETE', `/api/v1/keys/${nightly.name}/`)).status, 204);
    const revoked = await usageOf(service, 'by=key&window=90d');
    assert.deepEqual([named(revoked, nightly.name).label, revoked.budgets], ['nightly', []]);
  });

  test('what was counted survives kill -9, and nothing counts twice', async () => {
    const before = (await usageOf(service, 'by=host')).items.map(({ name, scrapes, cost }) => [
      name,
      scrapes,
      cost,
    ]);
    await service.kill9();
    service = await startService(environment, { dataDir });
    const after = (await usageOf(service, 'by=host')).items;
    assert.deepEqual(
      after.map(({ name, scrapes, cost }) => [name, scrapes, cost]),
      before,
    );
    await service.scrape({ url: urlOf('/', 'localhost'), scraper: 'http' });
    await counted(9);
  });
});
