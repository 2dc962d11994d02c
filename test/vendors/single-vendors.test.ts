import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Service } from '../helpers/service.ts';
import { startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { KEY, type StandIn, type StandIns, startStandIns } from './stand-in.ts';
import { SCRAPEDO } from './stand-ins/scrapedo.ts';
import { SCRAPERAPI } from './stand-ins/scraperapi.ts';
import { SCRAPFLY } from './stand-ins/scrapfly.ts';
import { SCRAPINGBEE } from './stand-ins/scrapingbee.ts';
import { ZENROWS } from './stand-ins/zenrows.ts';

/** What the APIs that take their parameters in the query have besides what every vendor has. */
const STAND_INS: readonly StandIn[] = [...SCRAPFLY, ...SCRAPINGBEE, ...SCRAPERAPI, ...ZENROWS, ...SCRAPEDO];
const PRICE = 0.001;

const site = useSite();
let standIns: StandIns;
let service: Service;
const dir = mkdtempSync(join(tmpdir(), 'sluice-vendors-'));
before(async () => {
  standIns = await startStandIns(STAND_INS);
  const vendors = STAND_INS.flatMap((standIn) => {
    const { name, kind, settings } = standIn;
    const entry = { kind, key: KEY, base_url: standIns.base(standIn), ...settings };
    return [
      { name, price: { per_credit: PRICE }, ...entry },
      { name: `${name}-by-success`, price: { per_success: PRICE }, ...entry },
    ];
  });
  writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors }));
  writeFileSync(join(dir, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
  service = await startService({
    SLUICE_VENDORS: join(dir, 'vendors.json'),
    SLUICE_PRICES: join(dir, 'prices.json'),
  });
});
after(async () => {
  await service?.end();
  await standIns?.[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

async function scrape(vendor: string, path: string, more: object = {}) {
  standIns.taken();
  const reply = await service.scrape({ url: `${site.url}${path}`, scraper: `vendor:${vendor}`, ...more });
  assert.deepEqual(standIns.refused(), []);
  return reply;
}

/** The parameters of the only request since the last scrape. */
function parameters(): Record<string, string> {
  const requests = standIns.taken();
  assert.equal(requests.length, 1);
  return Object.fromEntries(requests[0]!.url.searchParams);
}

const reasonOf = (body: Awaited<ReturnType<typeof scrape>>['body']) => body.errors[0]!.details?.reason;

test('cookies reach the target, and only those for it', async () => {
  for (const { name } of STAND_INS) {
    const { status, body } = await scrape(name, '/cookies', {
      cookies: [
        { name: 'mine', value: 'yes' },
        { name: 'other', value: 'no', domain: 'other.test' },
      ],
      router: { forward_credentials: true },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(String(body.content), /mine=yes/, name);
    assert.doesNotMatch(String(body.content), /other/, name);
  }
});

test('a page of the target with an error is a page, if the vendor delivers it', async () => {
  for (const { name } of STAND_INS) {
    const { body } = await scrape(name, '/status/404');
    assert.deepEqual([body.status_code, String(body.content).includes('status 404')], [404, true], name);
  }
  for (const name of ['scrapfly-http', 'scrapingbee-http', 'scrapedo-http'])
    assert.equal((await scrape(name, '/status/500')).body.status_code, 500, name);
  for (const name of ['scraperapi-http', 'zenrows-http']) {
    const { status, body } = await scrape(name, '/status/500');
    assert.deepEqual([status, body.code, reasonOf(body)], [502, 'vendor.failed', 'blocked'], name);
    assert.equal(body.router.request_cost, 0, name);
  }
});

test('what a price by success counts', async () => {
  const costs = new Map<string, number | null>();
  for (const name of ['scrapfly-http', 'scraperapi-http', 'zenrows-http', 'scrapedo-http']) {
    const { body } = await scrape(`${name}-by-success`, '/status/404');
    costs.set(name, body.router.request_cost);
    assert.partialDeepStrictEqual(body.scraper_data.vendor, { cost_source: 'estimated' });
  }
  assert.deepEqual(new Set(costs.values()), new Set([PRICE]));
});

test('the time that is left is given to the vendor, within its bounds', async () => {
  const names = { 'scrapfly-browser': 'timeout', 'scrapingbee-http': 'timeout', 'scrapedo-http': 'timeout' };
  for (const [name, parameter] of Object.entries(names)) {
    await scrape(name, '/text', { timeout_ms: 30_000 });
    const ms = Number(parameters()[parameter]);
    assert.ok(ms > 5_000 && ms <= 30_000, `${name}: ${ms}`);
  }
});

test('a wait before the page is read', async () => {
  const names = {
    'scrapfly-browser': 'rendering_wait',
    'scrapingbee-browser': 'wait',
    'zenrows-browser': 'wait',
    'scrapedo-browser': 'customWait',
  };
  for (const [name, parameter] of Object.entries(names)) {
    await scrape(name, '/text', { wait_for_timeout_ms: 1_234 });
    assert.equal(parameters()[parameter], '1234', name);
  }
});

test('ScraperAPI: callers cannot set parameters by headers, and a ceiling is passed on', async () => {
  await scrape('scraperapi-http', '/text', { headers: { 'X-SAPI-Premium': 'true', 'X-Own': 'yes' } });
  const [request] = standIns.taken();
  assert.deepEqual([request!.headers['x-sapi-premium'], request!.headers['x-own']], [undefined, 'yes']);
  assert.equal(request!.url.searchParams.get('max_cost'), null);
  await scrape('scraperapi-http', '/text', { router: { max_cost: 1 } });
  assert.equal(parameters().max_cost, '1');
});

test('Scrapfly: a body that is kept elsewhere is not fetched, and costs', async () => {
  standIns.next({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      context: { cost: { total: 2 } },
      result: { success: true, format: 'clob', content: 'https://elsewhere.test/clob', status_code: 200 },
    }),
  });
  const { body } = await scrape('scrapfly-http', '/text');
  assert.deepEqual([body.code, reasonOf(body)], ['vendor.failed', 'unsupported']);
  assert.ok(Math.abs(body.router.request_cost! - 2 * PRICE) < 1e-9);
});

test('ZenRows: the credits are counted, not the dollars; an address that does not exist costs', async () => {
  const page = await scrape('zenrows-http', '/text');
  assert.partialDeepStrictEqual(page.body.scraper_data.vendor, { credits: 1 });
  standIns.next({
    status: 404,
    headers: { 'content-type': 'application/json', 'x-request-credits': '1' },
    body: JSON.stringify({ code: 'RESP007', title: 'Domain not found', status: 404 }),
  });
  const { body } = await scrape('zenrows-http', '/text');
  assert.deepEqual([body.code, reasonOf(body)], ['vendor.failed', 'unsupported']);
  assert.ok(Math.abs(body.router.request_cost! - PRICE) < 1e-9);
});

test('replies are decoded, and broken ones are failures', async () => {
  const headers = { 'scrape.do-initial-status-code': '200', 'content-encoding': 'gzip' };
  const packed = gzipSync('packed text');
  standIns.next({ headers, body: packed });
  assert.match(String((await scrape('scrapedo-http', '/text')).body.content), /packed text/);
  standIns.next({ headers, body: packed.subarray(0, 12) });
  const { body } = await scrape('scrapedo-http', '/text');
  assert.deepEqual([body.code, reasonOf(body)], ['vendor.failed', 'protocol']);
});
