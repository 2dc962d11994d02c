import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, type Service, startService, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn } from '../helpers/visitor.ts';
import type { Problem } from '../helpers/wire-types.ts';
import { KEY, type StandIn, type StandIns, startStandIns } from '../vendors/stand-in.ts';
import { ZYTE } from '../vendors/stand-ins/zyte.ts';

interface Method {
  readonly scraper: string;
  readonly proxy_type: string;
}
interface SiteItem {
  readonly host: string;
  readonly scrapes: number;
  readonly ok_share: number;
  readonly method: Method | null;
  readonly median_ms: number | null;
  readonly blocked_trend: { readonly last_day: number | null; readonly week_before: number | null };
  readonly cost: number | null;
  readonly unpriced: number;
  readonly pace: { readonly per_second: number; readonly pause_s: number } | null;
  readonly last_change: {
    readonly at: string;
    readonly pattern: string;
    readonly before: string;
    readonly after: string;
  } | null;
  readonly last_seen_at: string;
}
interface SiteList {
  readonly from: string;
  readonly cost_unit: string;
  readonly items: readonly SiteItem[];
  readonly next_cursor: string | null;
}
interface BillSum {
  readonly scrapes: number;
  readonly ok: number;
  readonly cost: number | null;
  readonly unpriced: number;
  readonly ways: readonly {
    readonly scraper: string | null;
    readonly proxy_type: string | null;
    readonly attempts: number;
    readonly ok: number;
    readonly cost: number | null;
    readonly unpriced: number;
  }[];
}
interface Bill {
  readonly host: string;
  readonly cost_unit: string;
  readonly months: readonly (BillSum & { readonly month: string })[];
  readonly total: BillSum;
  readonly saving: { readonly value: number | null; readonly way: Method | null; readonly reason: string };
}

const HTTP: StandIn = ZYTE[0]!;
const PAGE = `<!doctype html><title>A page</title><p>${'The text of the page. '.repeat(40)}</p>`;
const WALL =
  '<!doctype html><title>Just a moment...</title><form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>';
const ONLY_HTTP = { ignore: ['browser', 'browser_stealth', 'http_impersonate'] };

/** `/walled` shows its page only to vendors, whose requests have no `User-Agent`; `/slower` asks for a pause. */
async function startShop(): Promise<Server> {
  const server = createServer(({ url, headers }, response) => {
    const isWalled = url!.startsWith('/walled') && headers['user-agent'] !== undefined;
    response.setHeader('content-type', 'text/html');
    if (url === '/slower') response.setHeader('retry-after', '600');
    response.statusCode = url === '/slower' ? 429 : isWalled ? 403 : 200;
    response.end(isWalled ? WALL : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const listOf = async (service: Service, query = '', key?: string) =>
  (await service.api<SiteList>('GET', `/api/v1/sites/?${query}`, key === undefined ? {} : { key })).body;
const hostsOf = ({ items }: SiteList) => items.map(({ host }) => host);

describe('figures of sites, with prices', () => {
  let shop: Server;
  let standIns: StandIns;
  let service: Service;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-site-figures-'));
  before(async () => {
    shop = await startShop();
    standIns = await startStandIns(ZYTE);
    const vendor = {
      ...{ name: 'shop', kind: 'zyte', key: KEY, base_url: standIns.base(HTTP), auto: true },
      ...{ options: { render: false }, price: { per_success: 0.001 } },
    };
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors: [vendor] }));
    writeFileSync(join(dir, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
    service = await startService({
      SLUICE_VENDORS: join(dir, 'vendors.json'),
      SLUICE_PRICES: join(dir, 'prices.json'),
    });
  });
  after(async () => {
    await service?.end();
    await standIns?.[Symbol.asyncDispose]();
    shop?.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const urlOf = (path: string, host = '127.0.0.1') =>
    `http://${host}:${(shop.address() as AddressInfo).port}${path}`;
  const scrape = async (path: string, more: object = {}) =>
    (await service.scrape({ url: urlOf(path), ...more })).body.router.request_cost!;
  const billOf = async (host = '127.0.0.1') =>
    await service.api<Bill>('GET', `/api/v1/sites/${encodeURIComponent(host)}/bill/`);

  test('the list sums up what the scrapes have had and cost; dry runs are left out', async () => {
    assert.deepEqual((await listOf(service)).items, []);
    const from = Date.now();
    // The first attempt is refused, and the vendor gets the page: both cost.
    let cost = await scrape('/walled', { router: ONLY_HTTP });
    assert.equal(cost, 0.0011);
    for (let n = 0; n < 3; n++) cost += await scrape(`/walled?${n}`, { scraper: 'vendor:shop' });
    cost += await scrape('/walled', { scraper: 'http' });
    // A scraper without a price.
    await service.scrape({ url: urlOf('/'), scraper: 'http_impersonate' });
    await service.scrape({ url: urlOf('/'), router: { dry_run: true } });
    await service.scrape({ url: urlOf('/', 'localhost'), scraper: 'http' });
    const list = await eventually(async () => {
      const found = await listOf(service);
      return found.items[0]?.scrapes === 6 && found.items.length === 2 ? found : null;
    });
    assert.equal(list.cost_unit, 'EUR');
    assert.equal(list.next_cursor, null);
    const [first, second] = list.items as [SiteItem, SiteItem];
    assert.equal(first.host, '127.0.0.1');
    assert.equal(first.ok_share, 0.833);
    assert.equal(first.cost, Math.round(cost * 1e6) / 1e6);
    assert.equal(first.unpriced, 1);
    assert.deepEqual(first.method, { scraper: 'vendor:shop', proxy_type: 'datacenter' });
    assert.ok(first.median_ms! >= 0 && first.median_ms! < 60_000);
    assert.deepEqual(first.blocked_trend, { last_day: 0.167, week_before: null });
    assert.equal(first.pace, null);
    assert.ok(Date.parse(first.last_seen_at) >= from && Date.parse(first.last_seen_at) <= Date.now());
    assert.deepEqual(
      [second.host, second.scrapes, second.cost, second.method],
      ['localhost', 1, 0.0001, { scraper: 'http', proxy_type: 'datacenter' }],
    );
    const start = new Date(list.from);
    assert.deepEqual([start.getUTCDate(), start.getUTCHours()], [1, 0]);
  });

  test('sorted in other orders, in pages', async () => {
    const all = (await listOf(service, '')).items;
    const value: Readonly<Record<string, (site: SiteItem) => number | string | null>> = {
      scrapes: ({ scrapes }) => scrapes,
      host: ({ host }) => host,
      ok_share: ({ ok_share }) => ok_share,
      blocked: ({ blocked_trend }) => blocked_trend.last_day,
      cost: ({ cost }) => cost,
      last_seen: ({ last_seen_at }) => last_seen_at,
    };
    for (const [sort, of] of Object.entries(value))
      for (const order of ['asc', 'desc']) {
        const found: SiteItem[] = [];
        for (let cursor: string | null = ''; cursor !== null && found.length < 9; ) {
          const page: SiteList = await listOf(
            service,
            `limit=1&sort=${sort}&order=${order}&cursor=${cursor}`,
          );
          found.push(...page.items);
          cursor = page.next_cursor;
        }
        assert.equal(found.length, all.length, `${sort} ${order}`);
        const values = found.map(of).filter((one) => one !== null);
        const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        assert.deepEqual(values, order === 'asc' ? sorted : sorted.toReversed(), `${sort} ${order}`);
      }
    const { next_cursor } = await listOf(service, 'limit=1&sort=cost');
    for (const query of [`sort=host&cursor=${next_cursor}`, 'sort=median', 'order=up'])
      assert.equal((await service.api('GET', `/api/v1/sites/?${query}`)).status, 400, query);
  });

  test('pages, a part of the name, and what is no cursor', async () => {
    const one = await listOf(service, 'limit=1');
    assert.deepEqual(hostsOf(one), ['127.0.0.1']);
    const two = await listOf(service, `limit=1&cursor=${one.next_cursor}`);
    assert.deepEqual([hostsOf(two), two.next_cursor], [['localhost'], null]);
    assert.deepEqual(hostsOf(await listOf(service, 'q=LOCAL')), ['localhost']);
    assert.deepEqual(hostsOf(await listOf(service, 'q=%25')), []);
    for (const query of ['cursor=x', 'limit=0', 'limit=201', 'user_id=all', 'x=1'])
      assert.equal((await service.api('GET', `/api/v1/sites/?${query}`)).status, 400, query);
  });

  test('the bill has the attempts and costs of each method, by month', async () => {
    const { status, body } = await billOf();
    assert.equal(status, 200);
    assert.deepEqual([body.host, body.cost_unit, body.months.length], ['127.0.0.1', 'EUR', 12]);
    const { month, ...last } = body.months.at(-1)!;
    assert.equal(month, new Date().toISOString().slice(0, 7));
    assert.deepEqual(last, body.total);
    for (const earlier of body.months.slice(0, -1))
      assert.deepEqual([earlier.scrapes, earlier.cost, earlier.ways], [0, null, []]);
    assert.deepEqual([last.scrapes, last.ok, last.unpriced], [6, 5, 1]);
    assert.equal(last.cost, (await listOf(service)).items[0]!.cost);
    const ways = last.ways.map(
      ({ scraper, proxy_type, ...way }) => [`${scraper}/${proxy_type}`, way] as const,
    );
    assert.deepEqual(Object.fromEntries(ways), {
      'vendor:shop/datacenter': { attempts: 4, ok: 4, cost: 0.004, unpriced: 0 },
      'http/datacenter': { attempts: 2, ok: 0, cost: 0.0002, unpriced: 0 },
      'http_impersonate/datacenter': { attempts: 1, ok: 1, cost: null, unpriced: 1 },
    });
    assert.deepEqual((await billOf(new URL(urlOf('/')).host)).body, body, 'the port does not count');
    for (const host of ['never.test', 'a%2Fb'])
      assert.equal((await service.api('GET', `/api/v1/sites/${host}/bill/`)).status, 404);
  });

  test('the cheapest method that works as well is told, with what it would have saved', async () => {
    const before = (await billOf()).body;
    assert.deepEqual([before.saving.value, before.saving.way], [null, null]);
    assert.match(before.saving.reason, /^Only 4 pages /);
    // Pages that need no vendor.
    const local = (path: string, scraper: string) =>
      service.scrape({ url: urlOf(path, 'localhost'), scraper });
    for (let n = 0; n < 6; n++) await local(`/?${n}`, 'http');
    for (let n = 0; n < 20; n++) await local(`/?${n}`, 'vendor:shop');
    const { saving, total } = await eventually(async () => {
      const { body } = await billOf('localhost');
      return body.total.scrapes === 27 ? body : null;
    });
    assert.equal(total.cost, 0.0207);
    assert.deepEqual(saving.way, { scraper: 'http', proxy_type: 'datacenter' });
    // 27 pages by http, whose success is known to be at least 95 %.
    assert.ok(saving.value! > 0.0207 - 0.0027 / 0.95 && saving.value! <= 0.018, String(saving.value));
    assert.match(
      saving.reason,
      /^http alone would have got the 27 pages of the last twelve months for about 0\.002\d+ EUR instead of 0\.0207 EUR/,
    );
  });

  test('a site that asked for a pause has a pace', async () => {
    await service.scrape({ url: urlOf('/slower'), scraper: 'http' });
    const { pace } = (await listOf(service, 'q=127.0.0.1')).items[0]!;
    assert.equal(pace!.per_second, 1);
    assert.ok(pace!.pause_s > 500 && pace!.pause_s <= 600, String(pace!.pause_s));
  });

  test('users see their own figures; sessions of administrators those of all, or of one', async () => {
    const { key } = await createUser(service, { email: 'other@example.com' });
    assert.deepEqual((await listOf(service, '', key)).items, []);
    const hidden = await service.api<Problem>('GET', '/api/v1/sites/localhost/bill/', { key });
    assert.deepEqual([hidden.status, hidden.body.code], [404, 'request.not_found']);
    await service.scrape({ url: urlOf('/', 'localhost'), scraper: 'http' }, { key });
    const own = await eventually(async () => {
      const { items } = await listOf(service, '', key);
      return items.length === 1 ? items[0]! : null;
    });
    assert.deepEqual([own.host, own.scrapes, own.cost], ['localhost', 1, 0.0001]);

    const { email, id } = await newUser(service, { role: 'admin' });
    const admin = await signIn(service, email);
    const scrapes = async (query: string) =>
      (await admin.call<SiteList>('GET', `/api/v1/sites/?q=localhost&${query}`)).body.items[0]?.scrapes;
    assert.deepEqual(
      [await scrapes(''), await scrapes('user_id=all'), await scrapes(`user_id=${id}`)],
      [28, 28, undefined],
    );
    const all = await admin.call<Bill>('GET', '/api/v1/sites/localhost/bill/');
    assert.equal(all.body.total.scrapes, 28);
    const user = await signIn(service, (await newUser(service)).email);
    assert.equal((await user.call('GET', '/api/v1/sites/?user_id=all')).status, 400);
    assert.equal((await user.call('GET', '/api/v1/sites/localhost/bill/')).status, 404);
    assert.equal((await service.api('GET', '/api/v1/sites/', { key: null })).status, 401);
  });
});

describe('figures of sites, without prices', () => {
  const site = useSite();
  const service = useOwnService();

  test('costs are unknown, never effort', async () => {
    await service.scrape({ url: `${site.url}/text`, scraper: 'http' });
    const list = await eventually(async () => {
      const found = await listOf(service);
      return found.items.length === 1 ? found : null;
    });
    assert.deepEqual([list.cost_unit, list.items[0]!.cost, list.items[0]!.unpriced], ['effort', null, 1]);
    const { body } = await service.api<Bill>('GET', '/api/v1/sites/127.0.0.1/bill/');
    assert.deepEqual([body.total.cost, body.total.unpriced, body.total.ways[0]!.cost], [null, 1, null]);
    assert.deepEqual(body.saving, { value: null, way: null, reason: 'No prices are configured.' });
  });
});
