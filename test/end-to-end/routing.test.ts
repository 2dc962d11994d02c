import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bare, ordinary, prose } from '../assess/a-page.ts';
import { listen } from '../helpers/free-port.ts';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { type Service, startService } from '../helpers/service.ts';
import { CONTENT_PAGE } from '../zoo/kinds.ts';

/** Local addresses of the exits: every address in 127.0.0.0/8 belongs to this machine. */
const HOME = '127.0.0.2';
const PHONE = '127.0.0.3';
const REFUSAL = bare('Access denied', '<h1>Access denied</h1><p>Your request was denied.</p>');
/** As large as the built-in estimate of a document, so that exits paid by the byte are not cheap. */
const HEAVY = ordinary({ body: `<p>The goods of the zoo.</p><p>${prose(60_000)}</p>` });
const SHELL = bare('Goods', '<div id="root"></div><script src="/app.js"></script>');

/** Contract §7 in the running service: the members of `router` in a request have their effect. */
describe('the `router` of a request', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-routing-'));
  const proxies: ProxyServer[] = [];
  /** Method and path of each request, and the address it came from. */
  const asked: string[] = [];
  let seldom = 0;
  let service: Service;
  let server: Server;
  let site = '';
  before(async () => {
    server = createServer((request, response) => {
      const from = request.socket.remoteAddress!;
      const path = request.url!;
      asked.push(`${request.method} ${path} ${from}`);
      const page = (status: number, text: string) =>
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
      if (path.startsWith('/open')) page(200, CONTENT_PAGE);
      else if (path.startsWith('/shell')) page(200, SHELL);
      else if (path.startsWith('/phones') && from === PHONE) page(200, CONTENT_PAGE);
      else if (path.startsWith('/seldom') && (from === PHONE || seldom++ % 3 === 0)) page(200, HEAVY);
      else page(403, REFUSAL);
    });
    await listen(server);
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const from of [HOME, PHONE]) proxies.push(await startProxy({ from }));
    const pools = (['residential', 'mobile'] as const).map((type, at) => ({
      ...{ name: type, type, proxies: [`http://127.0.0.1:${proxies[at]!.port}`] },
    }));
    const file = join(folder, 'proxies.json');
    writeFileSync(file, JSON.stringify({ pools, allow_none: true }));
    service = await startService({ SLUICE_PROXIES: file, SLUICE_ALLOW_DIRECT: 'true' });
  });
  after(async () => {
    await service?.end();
    for (const proxy of proxies) await proxy.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  let pages = 0;
  /** URLs of different kinds of pages, so that only what the site has shown elsewhere is known about each. */
  const scrape = async (kind: string, router: unknown, more: object = {}) => {
    const path = `/${kind}-${++pages}`;
    const { status, body } = await service.scrape({
      url: site + path,
      scraper: 'auto',
      router,
      ...more,
    });
    const ways = (body.router?.attempts ?? []).map((one) => `${one.scraper}/${one.proxy_type}`);
    return { status, body, ways, reached: asked.filter((line) => line.split(' ')[1] === path) };
  };
  const planned = async (router: object) => {
    const { status, body, reached } = await scrape('open', { dry_run: true, ...router });
    assert.equal(status, 200);
    assert.deepEqual(reached, []);
    const open = body.router.candidates.filter(({ excluded_by }) => excluded_by === null);
    const selected = open.filter((one) => one.selected);
    assert.equal(selected.length, 1);
    return { open, selected: selected[0]!, all: body.router.candidates };
  };
  const HTTP = ['http', 'http_impersonate'];
  const DIRECT = "No datacenter proxy is configured, so this request uses the server's own IP address.";

  test('dry_run fetches nothing, and returns cost and chance of success of each route', async () => {
    const { status, body, reached } = await scrape('open', { dry_run: true });
    assert.equal(status, 200);
    assert.equal(body.router.outcome, 'planned');
    // The type `datacenter` does not tell that there is no proxy.
    assert.deepEqual(
      body.router.warnings.map(({ message }) => message),
      [DIRECT],
    );
    assert.equal(body.content, null);
    assert.equal(body.status_code, null);
    assert.deepEqual(body.router.attempts, []);
    assert.deepEqual(reached, []);
    for (const one of body.router.candidates.filter(({ excluded_by }) => excluded_by === null)) {
      assert.ok(one.est_cost! > 0);
      assert.ok(one.est_success! > 0 && one.est_success! < 1);
    }
    const record = await service.api<{ router: { outcome: string } }>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal(record.body.router.outcome, 'planned');
  });

  test('sort as a string: reliable uses the likeliest route, fastest no slow one, cheapest no expensive one', async () => {
    const escalate_proxy = ['residential', 'mobile'];
    const reliable = await planned({ sort: 'reliable', escalate_proxy: ['residential'] });
    const most = Math.max(...reliable.open.map(({ est_success }) => est_success!));
    assert.equal(reliable.selected.est_success, most);
    assert.notDeepEqual([reliable.selected.scraper, reliable.selected.proxy_type], ['http', 'datacenter']);
    for (const sort of ['fastest', 'cheapest', 'balanced']) {
      const { selected } = await planned({ sort, escalate_proxy });
      assert.ok(HTTP.includes(selected.scraper), sort);
      assert.equal(selected.proxy_type, 'datacenter', sort);
    }
    const { body } = await scrape('open', 'cheapest', { method: 'GET' });
    assert.equal(body.router.outcome, 'ok');
    assert.deepEqual(
      body.router.warnings.map(({ message }) => message),
      [DIRECT],
    );
    assert.equal((await scrape('open', 'soonest')).status, 400);
  });

  test('sort: if a cheap route rarely succeeds, only cheapest begins with it', async () => {
    const url = `${site}/seldom/`;
    for (let n = 0; n < 9; n++) await service.scrape({ url: `${url}${n}`, scraper: 'http' });
    for (let n = 10; n < 14; n++)
      await service.scrape({ url: `${url}${n}`, scraper: 'http', proxy: 'mobile' });
    for (const [sort, proxyType] of [
      ['cheapest', 'datacenter'],
      ['fastest', 'mobile'],
      ['reliable', 'mobile'],
    ] as const) {
      const router = { sort, only: ['http'], escalate_proxy: ['mobile'], dry_run: true };
      const { body } = await service.scrape({ url: `${url}20`, router });
      const open = body.router.candidates.filter(({ excluded_by }) => excluded_by === null);
      const selected = open.filter((one) => one.selected).map(({ proxy_type }) => proxy_type);
      assert.deepEqual(selected, [proxyType], `${sort}: ${JSON.stringify(open)}`);
    }
  });

  test('routes in order are tried first; the others follow only with allow_fallbacks', async () => {
    const order = ['http_impersonate', 'http'];
    const first = await scrape('no', { order, allow_fallbacks: false, max_attempts: 6 });
    assert.deepEqual(first.ways, ['http_impersonate/datacenter', 'http/datacenter']);
    assert.ok(
      first.body.router.candidates
        .filter(({ scraper }) => scraper === 'browser')
        .every(({ excluded_by }) => excluded_by === 'order' || excluded_by === 'unavailable'),
    );
    const more = { only: HTTP, escalate_proxy: ['residential'], max_attempts: 6 };
    const then = await scrape('no', { ...more, order: ['http'] });
    assert.equal(then.ways[0], 'http/datacenter');
    assert.equal(then.ways.length, 4, then.ways.join());
    const exit = await scrape('no', { ...more, order: ['http/residential', 'http_impersonate'] });
    assert.deepEqual(exit.ways.slice(0, 2), ['http/residential', 'http_impersonate/datacenter']);
    assert.ok(exit.reached[0]!.endsWith(HOME));
  });

  test('only and ignore exclude routes, and the candidates say so', async () => {
    const { all } = await planned({ only: ['http'] });
    for (const { scraper, excluded_by } of all)
      if (scraper === 'http_impersonate') assert.equal(excluded_by, 'only');
    const { all: left, selected } = await planned({ ignore: ['http', 'browser'] });
    assert.equal(left.find(({ scraper }) => scraper === 'http')?.excluded_by, 'ignore');
    assert.equal(selected.scraper, 'http_impersonate');
    const part = await planned({ only: ['http'], ignore: ['http/datacenter'], escalate_proxy: ['mobile'] });
    assert.equal(`${part.selected.scraper}/${part.selected.proxy_type}`, 'http/mobile');
    assert.equal((await scrape('open', { only: ['curl'] })).status, 400);
  });

  test('other proxy types are used only if the request allows them, in its order', async () => {
    const never = await scrape('phones', { only: HTTP, max_attempts: 6 });
    assert.ok(never.ways.length > 0 && never.ways.every((way) => way.endsWith('/datacenter')));
    assert.equal(never.body.router.outcome, 'blocked');
    const router = { only: HTTP, max_attempts: 8, escalate_proxy: ['residential', 'mobile'] };
    const { body, ways, reached } = await scrape('phones', router);
    assert.equal(body.router.outcome, 'ok', ways.join());
    assert.equal(body.router.proxy_type, 'mobile');
    const at = (type: string) => ways.findIndex((way) => way.endsWith(type));
    assert.ok(at('residential') !== -1 && at('residential') < at('mobile'), ways.join());
    assert.ok(reached.at(-1)!.endsWith(PHONE));
    const turned = await scrape('phones', { ...router, escalate_proxy: ['mobile', 'residential'] });
    assert.equal(turned.body.router.outcome, 'ok');
    assert.ok(
      turned.ways.every((way) => !way.endsWith('residential')),
      turned.ways.join(),
    );
  });

  const fixed: [string, string, () => unknown][] = [
    ['none', 'none', () => ({ type: 'none' })],
    ['a pool', 'residential', () => ({ type: 'residential', pool: 'residential' })],
    ['a server', 'custom', () => ({ server: `http://127.0.0.1:${proxies[0]!.port}` })],
  ];
  for (const [name, type, proxy] of fixed)
    test(`a named proxy is never escalated: ${name}`, async () => {
      const router = { only: HTTP, max_attempts: 6, escalate_proxy: ['residential', 'mobile'] };
      const { status, body, ways } = await scrape('phones', router, { proxy: proxy() });
      assert.equal(status, 200, JSON.stringify(body.errors));
      assert.equal(body.router.outcome, 'blocked');
      assert.ok(ways.length > 0 && ways.every((way) => way.endsWith(`/${type}`)), ways.join());
      assert.ok(body.router.candidates.every(({ proxy_type }) => proxy_type === type));
    });

  test('max_attempts limits the attempts at the site', async () => {
    for (const max_attempts of [1, 2]) {
      const { ways, reached } = await scrape('no', { only: HTTP, max_attempts });
      assert.equal(ways.length, max_attempts);
      assert.equal(reached.length, max_attempts);
    }
  });

  test('unsafe methods are sent once, unless the caller sets max_attempts', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const once = await scrape('no', { only: HTTP }, { method });
      assert.equal(once.reached.length, 1, method);
      assert.equal(once.body.errors[0]!.retryable, false);
    }
    const often = await scrape('no', { only: HTTP, max_attempts: 2 }, { method: 'POST' });
    assert.equal(often.reached.length, 2);
    const safe = await scrape('no', { only: HTTP });
    assert.equal(safe.reached.length, 2);
  });

  test('a named scraper is repeated, never replaced', async () => {
    for (const kind of ['shell', 'no']) {
      const { ways, body } = await scrape(kind, { max_attempts: 3 }, { scraper: 'http' });
      assert.deepEqual(
        ways,
        Array.from({ length: 3 }, () => 'http/datacenter'),
        kind,
      );
      assert.deepEqual([...new Set(body.router.candidates.map(({ scraper }) => scraper))], ['http']);
    }
  });

  test('accept decides when other routes are tried, and when a page is delivered', async () => {
    const unmet = await scrape('open', { only: HTTP, max_attempts: 6, accept: { contains: 'Not there' } });
    assert.equal(unmet.ways.length, 2);
    assert.equal(unmet.body.router.outcome, 'unaccepted');
    assert.equal(unmet.body.errors[0]!.code, 'accept.unmet');
    assert.match(unmet.body.content!, /The goods of the zoo/);
    for (const accept of [
      { not_contains: 'Not there', min_bytes: 100, status: [200] },
      { selector: '#goods' },
    ]) {
      const met = await scrape('open', { only: HTTP, accept });
      assert.equal(met.body.router.outcome, 'ok', JSON.stringify(met.body.errors));
      assert.equal(met.ways.length, 1);
    }
    const status = await scrape('no', { only: HTTP, accept: { selector: 'h1' } });
    assert.equal(status.ways.length, 1, 'what the caller calls a page is one');
    assert.equal(status.body.router.verdict?.kind, 'block');
  });

  test('on_blocked: fail only applies to the delivered page: a page by another route is a 200', async () => {
    const router = { only: ['http'], max_attempts: 6, on_blocked: 'fail' };
    const failed = await scrape('phones', router);
    assert.equal(failed.status, 502);
    assert.equal(failed.body.code, 'target.blocked');
    assert.match(failed.body.content!, /Access denied/);
    const { status, body } = await scrape('phones', { ...router, escalate_proxy: ['mobile'] });
    assert.equal(status, 200);
    assert.equal(body.router.outcome, 'ok');
  });
});
