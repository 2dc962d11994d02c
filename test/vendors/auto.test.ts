import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { eventually, type Service, startService } from '../helpers/service.ts';
import { KEY, type StandIn, type StandIns, startStandIns } from './stand-in.ts';
import { ZYTE } from './stand-ins/zyte.ts';

const HTTP: StandIn = ZYTE[0]!;
const WALL =
  '<!doctype html><title>Just a moment...</title><form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>';
const PAGE = `<!doctype html><title>A page</title><p>${'The text of the page. '.repeat(40)}</p>`;
const ONLY_HTTP = { ignore: ['browser', 'browser_stealth', 'http_impersonate'] };

/** Shows its page only to the vendor, whose requests have no `User-Agent`. */
async function startWalledSite() {
  const server = createServer((request, response) => {
    const isVendor = request.headers['user-agent'] === undefined;
    response.writeHead(isVendor ? 200 : 403, { 'content-type': 'text/html' });
    response.end(isVendor ? PAGE : WALL);
  });
  await listen(server);
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('`auto` with vendors', () => {
  let site: { readonly server: Server; readonly url: string };
  let standIns: StandIns;
  let service: Service;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-'));
  const write = (vendors: readonly object[]) =>
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors }));
  const environment = () => ({
    SLUICE_VENDORS: join(dir, 'vendors.json'),
    SLUICE_PRICES: join(dir, 'prices.json'),
  });
  const entry = (name: string, more: object = {}) => ({
    name,
    kind: 'zyte',
    key: KEY,
    base_url: standIns.base(HTTP),
    options: { render: false },
    price: { per_success: 0.001 },
    ...more,
  });
  before(async () => {
    site = await startWalledSite();
    standIns = await startStandIns(ZYTE);
    writeFileSync(join(dir, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
    write([
      entry('chosen', { auto: true }),
      entry('other'),
      entry('paid', { price: { per_request: 0.002 } }),
    ]);
    service = await startService(environment());
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await standIns?.[Symbol.asyncDispose]();
    site?.server.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const scrape = (router: object, more: object = {}) =>
    service.scrape({ url: `${site.url}/${Math.random()}`, router: { ...ONLY_HTTP, ...router }, ...more });
  const stepsOf = ({ body }: Awaited<ReturnType<typeof scrape>>) =>
    body.router.attempts!.map(({ scraper, outcome }) => `${scraper} ${outcome}`);
  const excluded = ({ body }: Awaited<ReturnType<typeof scrape>>, name: string) =>
    (body.router?.candidates ?? body.candidates)!.find(({ scraper }) => scraper === `vendor:${name}`)!
      .excluded_by;

  test('a vendor is used when the own scrapers are refused, and is learned', async () => {
    const first = await scrape({});
    assert.deepEqual(stepsOf(first), ['http rejected', 'vendor:chosen ok']);
    assert.equal(first.body.router.request_cost, 0.0011);
    assert.match(String(first.body.content), /The text of the page/);
    assert.deepEqual([excluded(first, 'chosen'), excluded(first, 'other')], [null, 'auto']);
    // After some scrapes the wall of this site is known.
    await eventually(async () => stepsOf(await scrape({}))[0] === 'vendor:chosen ok');
  });

  test('`only`, `order` and `ignore` name vendors', async () => {
    assert.deepEqual(stepsOf(await scrape({ only: ['vendor:other'] })), ['vendor:other ok']);
    assert.deepEqual(stepsOf(await scrape({ order: ['vendor:other/datacenter'] })), ['vendor:other ok']);
    const without = await scrape({ ignore: [...ONLY_HTTP.ignore, 'vendor:chosen'] });
    assert.deepEqual(stepsOf(without), ['http rejected']);
    const unknown = await service.scrape({ url: site.url, scraper: 'vendor:nobody' });
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'scraper.unavailable']);
  });

  test('`max_cost`, credentials and proxy types exclude it', async () => {
    assert.equal(excluded(await scrape({ max_cost: 0.0005 }), 'chosen'), 'max_cost');
    assert.equal(excluded(await scrape({}, { headers: { Cookie: 'a=1' } }), 'chosen'), 'credentials');
    assert.equal(excluded(await scrape({}, { proxy: 'mobile' }), 'chosen'), 'proxy_type');
  });

  /** Values of `/metrics` by name and labels. */
  const metrics = async () => {
    const text = await (await fetch(`${service.base}/metrics`)).text();
    const lines = [...text.matchAll(/^sluice_vendor_(.*) (\S+)$/gm)];
    return new Map(lines.map(([, name, value]) => [name!, Number(value)]));
  };

  test('the metrics have requests, time and cost of each vendor', async () => {
    const earlier = await metrics();
    await scrape({ only: ['vendor:other'] });
    standIns.next({ status: 500, body: '' });
    await scrape({ only: ['vendor:other'] });
    const later = await metrics();
    const change = (name: string) => later.get(name)! - (earlier.get(name) ?? 0);
    assert.equal(change('requests_total{vendor="other",result="ok"}'), 1);
    assert.equal(change('requests_total{vendor="other",result="protocol"}'), 1);
    assert.equal(change('request_duration_seconds_count{vendor="other"}'), 2);
    assert.ok(Math.abs(change('cost_total{vendor="other"}') - 0.001) < 1e-9);
    assert.deepEqual([later.get('resting{vendor="other"}'), later.get('resting{vendor="chosen"}')], [0, 0]);
  });

  test('a vendor with an empty account is left alone, and said so; a caller that names it may try', async () => {
    standIns.next(HTTP.troubles.credits!);
    const failed = await scrape({ only: ['vendor:chosen'] });
    assert.equal(failed.body.errors[0]!.details?.reason, 'credits');
    const next = await scrape({});
    assert.deepEqual([excluded(next, 'chosen'), stepsOf(next)], ['vendor_credits', ['http rejected']]);
    const { body } = await service.api<{ items: { name: string; reason: string | null }[] }>(
      'GET',
      '/api/v1/scrapers/',
    );
    assert.match(body.items.find(({ name }) => name === 'vendor:chosen')!.reason!, /credits/);
    assert.equal((await metrics()).get('resting{vendor="chosen"}'), 1);
    const named = await service.scrape({ url: site.url, scraper: 'vendor:chosen' });
    assert.equal(named.status, 200);
    assert.equal(excluded(await scrape({}), 'chosen'), null);
  });

  test('a request that the vendor answers too late costs what each request costs', async () => {
    standIns.next(() => {});
    const { body } = await service.scrape({ url: site.url, scraper: 'vendor:paid', timeout_ms: 3_000 });
    assert.deepEqual([body.code, body.errors[0]!.details?.reason], ['vendor.failed', 'timeout']);
    assert.equal(body.router.request_cost, 0.002);
  });

  test('robots.txt is fetched by this service, whatever exits the vendor has', async () => {
    const rules = createServer((request, response) => {
      response.setHeader('content-type', 'text/plain');
      response.end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /no' : PAGE);
    });
    await listen(rules);
    const url = `http://127.0.0.1:${(rules.address() as AddressInfo).port}`;
    try {
      const named = (path: string) =>
        service.scrape({
          url: url + path,
          scraper: 'vendor:other',
          proxy: { type: 'residential', country: 'DE' },
          router: { robots: 'respect' },
        });
      const page = await named('/yes');
      assert.deepEqual(
        [page.status, page.body.router.proxy_type],
        [200, 'residential'],
        JSON.stringify(page.body),
      );
      assert.equal(page.body.router.robots!.allowed, true);
      assert.equal((await named('/no')).body.code, 'policy.robots');
    } finally {
      rules.close();
    }
  });

  test('a changed file is read; the daily cap and the concurrency hold', async () => {
    write([entry('capped', { auto: true, daily_cap: 0.003, concurrency: 1 })]);
    const named = (url = site.url) => service.scrape({ url, scraper: 'vendor:capped' });
    await eventually(async () => (await named()).status === 200);
    let atOnce = 0;
    let most = 0;
    site.server.on('request', (_, response) => {
      most = Math.max(most, ++atOnce);
      response.on('close', () => atOnce--);
    });
    const statuses = (await Promise.all([named(), named()])).map(({ status }) => status);
    assert.deepEqual([statuses, most], [[200, 200], 1]);
    const over = await named();
    assert.deepEqual([over.status, over.body.code], [422, 'route.cost_cap']);
    assert.equal(excluded(await scrape({}), 'capped'), 'daily_cap');
    // What was spent is still spent after the power has failed.
    await service.kill9();
    await using again = await startService(environment(), { dataDir: service.dataDir });
    const still = await again.scrape({ url: site.url, scraper: 'vendor:capped' });
    assert.deepEqual([still.status, still.body.code], [422, 'route.cost_cap']);
  });
});
