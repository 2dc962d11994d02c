import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { bare, prose } from '../assess/a-page.ts';
import { listen } from '../helpers/free-port.ts';
import { useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { KeyObject } from '../helpers/wire-types.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const home = mkdtempSync(join(tmpdir(), 'sluice-max-cost-'));
after(() => rmSync(home, { recursive: true, force: true }));
const PRICES = join(home, 'prices.json');
writeFileSync(PRICES, JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));

describe('router.max_cost', () => {
  const site = useSite();
  const service = useOwnService({ SLUICE_PRICES: PRICES });
  const scrape = (router: object, more: object = {}) =>
    service.scrape({ url: `${site.url}/status/503`, scraper: 'http', router, ...more });

  test('limits the cost of all attempts together', async () => {
    for (const [ceiling, attempts] of [
      [0.0001, 1],
      [0.00029, 2],
      [0.0003, 3],
      [1, 4],
    ] as const) {
      const { body } = await scrape({ max_cost: ceiling, max_attempts: 4 });
      assert.equal(body.router.attempts.length, attempts, String(ceiling));
      assert.ok(body.router.request_cost! <= ceiling);
    }
  });

  test('if no route fits, the response is 422 with the candidates, before any attempt', async () => {
    const before = site.log.length;
    const { status, body } = await scrape({ max_cost: 0.00009 });
    assert.equal(status, 422);
    assert.equal(body.code, 'route.cost_cap');
    assert.equal(body.errors[0]!.pointer, '/router/max_cost');
    assert.equal(body.candidates![0]!.excluded_by, 'max_cost');
    assert.equal((await scrape({ max_cost: 0 })).body.code, 'route.cost_cap');
    assert.equal(site.log.length, before);
  });

  test('excludes routes without a price', async () => {
    const { body } = await scrape({ max_cost: 1 }, { scraper: 'auto' });
    const browser = body.router.candidates.find(({ scraper }) => scraper === 'browser')!;
    assert.ok(['no_price', 'unavailable'].includes(browser.excluded_by!), browser.excluded_by!);
    assert.ok(body.router.attempts.every(({ scraper }) => scraper === 'http'));
    const http = body.router.candidates.find(({ scraper }) => scraper === 'http')!;
    assert.equal(http.est_cost, 0.0001);
  });

  test('a daily budget of money: 402 when it is used up, before anything is fetched', async () => {
    const made = await service.api<KeyObject & { key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'poor', daily_budget: { amount: 0.00025, unit: 'cost' } },
    });
    assert.equal(made.status, 201, made.text);
    const { key, id } = made.body;
    const ask = { url: `${site.url}/text`, scraper: 'http' };
    for (const _ of [1, 2, 3]) assert.equal((await service.scrape(ask, { key })).status, 200);
    const before = site.log.length;
    const { status, body } = await service.scrape(ask, { key });
    assert.equal(status, 402);
    assert.equal(body.code, 'budget.exhausted');
    assert.equal(site.log.length, before);
    const { body: told } = await service.api<KeyObject>('GET', `/api/v1/keys/${id}/`);
    assert.equal(told.cost_today, 0.0003);
    assert.equal(told.requests_today, 3);
  });
});

describe('max_cost, where auto needs several attempts', { skip }, () => {
  const prices = join(home, 'escalating.json');
  const scrapers = { http: 0.0001, http_impersonate: 0.0002, browser: 0.001 };
  writeFileSync(prices, JSON.stringify({ currency: 'EUR', scrapers }));
  const service = useOwnService({ SLUICE_PRICES: prices });
  let server: Server;
  let url = '';
  before(async () => {
    const script = `document.getElementById('root').innerHTML = '<h1>Goods</h1><p>${prose(300)}</p>';`;
    const shell = bare('Goods', '<div id="root"></div><script src="/app.js"></script>');
    server = createServer((request, response) => {
      const isScript = request.url === '/app.js';
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? script : shell);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const rows: [string, number, string, string[]][] = [
    // Too little for a browser; enough for a browser alone; enough for both attempts.
    ['too little for a browser', 0.0009, 'shell', ['http']],
    ['enough for a browser, but not after another attempt', 0.00105, 'shell', ['http']],
    ['enough for both attempts', 0.0011, 'ok', ['http', 'browser']],
  ];
  for (const [name, ceiling, outcome, ways] of rows)
    test(`${name}: max_cost is never exceeded, and the candidates say so`, async () => {
      const router = { max_cost: ceiling, max_attempts: 6, only: ['http', 'browser'], order: ['http'] };
      const { status, body } = await service.scrape({ url: `${url}/goods/${ceiling}`, router });
      assert.equal(status, 200, JSON.stringify(body.errors));
      assert.deepEqual(
        body.router.attempts.map(({ scraper }) => scraper),
        ways,
      );
      assert.ok(body.router.request_cost! <= ceiling, String(body.router.request_cost));
      const browser = body.router.candidates.find(({ scraper }) => scraper === 'browser')!;
      assert.equal(body.router.verdict?.kind, outcome === 'ok' ? 'ok' : 'js_shell');
      assert.equal(browser.excluded_by, outcome === 'ok' ? null : 'max_cost');
    });
});

describe('max_cost and budgets of money, while nothing is priced', () => {
  const site = useSite();
  const service = useOwnService();

  test('are refused', async () => {
    const { status, body } = await service.scrape({ url: site.url, router: { max_cost: 5 } });
    assert.equal(status, 422);
    assert.equal(body.code, 'route.cost_cap');
    assert.ok(body.candidates!.every(({ excluded_by }) => excluded_by !== null));
    const made = await service.api('POST', '/api/v1/keys/', {
      body: { name: 'poor', daily_budget: { amount: 1, unit: 'cost' } },
    });
    assert.equal(made.status, 400);
  });
});

describe('max_cost and pools of proxies', () => {
  const pools = join(home, 'pools.json');
  const proxies = ['http://127.0.0.1:9'];
  writeFileSync(
    pools,
    JSON.stringify({
      pools: [
        { name: 'dc', type: 'datacenter', proxies, price_per_request: 0.0002, price_per_gb: 0 },
        { name: 'homes', type: 'residential', proxies, price_per_gb: 4 },
        { name: 'phones', type: 'mobile', proxies },
      ],
    }),
  );
  const service = useOwnService({ SLUICE_PRICES: PRICES, SLUICE_PROXIES: pools });
  const plan = (proxy: string, ceiling: number) =>
    service.scrape({
      url: 'http://127.0.0.1:9/',
      scraper: 'http',
      proxy,
      router: { max_cost: ceiling, dry_run: true },
    });

  test('the price of the exit counts', async () => {
    const { status, body } = await plan('datacenter', 0.0003);
    assert.equal(status, 200);
    assert.equal(body.router.candidates[0]!.est_cost, 0.0003);
    assert.equal((await plan('datacenter', 0.00029)).body.candidates![0]!.excluded_by, 'max_cost');
  });

  test('exits that are paid by the byte, or have no price, are not used', async () => {
    assert.equal((await plan('residential', 100)).body.candidates![0]!.excluded_by, 'no_bound');
    assert.equal((await plan('mobile', 100)).body.candidates![0]!.excluded_by, 'no_price');
  });
});
