import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { freePort } from '../helpers/free-port.ts';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { CONTENT_PAGE } from '../zoo/kinds.ts';

interface Known {
  readonly pages: readonly {
    readonly pattern: string;
    readonly attempts: number;
    readonly ways: readonly {
      readonly scraper: string;
      readonly proxy_type: string;
      readonly est_cost: number;
    }[];
  }[];
}

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
/** Its content appears some time after it is loaded. */
const APP = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';
const LATE =
  'setTimeout(() => { document.getElementById("root").textContent = "Here it is. ".repeat(50) }, 1500)';

describe('what is learned of sites', () => {
  const site = useSite();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-learning-'));
  let service: Service;
  let proxy: ProxyServer;
  before(async () => {
    const proxies = join(folder, 'proxies.json');
    // A port where nothing listens.
    const dead = [`http://127.0.0.1:${await freePort()}`];
    proxy = await startProxy({ names: { '127.0.0.1': '127.0.0.2' } });
    const pools = [
      { name: 'dead', type: 'residential', proxies: dead },
      { name: 'good', type: 'mobile', proxies: [`http://127.0.0.1:${proxy.port}`] },
    ];
    writeFileSync(proxies, JSON.stringify({ pools }));
    service = await startService({ SLUICE_PROXIES: proxies, SLUICE_ALLOW_DIRECT: 'true' });
  });
  after(async () => {
    await service.end();
    await proxy.close();
    rmSync(folder, { recursive: true });
  });
  const known = async (url: string) => {
    const host = encodeURIComponent(new URL(url).host);
    const { status, body } = await service.api<Known>('GET', `/api/v1/sites/${host}/`);
    return status === 404 ? [] : body.pages.map(({ pattern, attempts }) => `${pattern} ${attempts}`);
  };

  const own: [string, string, object][] = [
    ['timeout.total', '/hang', { timeout_ms: 1000 }],
    ['proxy.failed', '/text', { proxy: 'residential' }],
    ['accept.unmet', '/text', { router: { accept: { contains: 'what is not there' } } }],
    ['redirect.too_many', '/redirect/5', { scraper_options: { max_redirects: 1 } }],
  ];
  for (const [code, path, more] of own)
    test(`nothing is learned from problems of the service or of the caller: ${code}`, async () => {
      const { body } = await service.scrape({ url: site.url + path, scraper: 'http', ...more });
      assert.equal(body.errors[0]?.code, code, JSON.stringify(body.errors));
      assert.equal(body.router.attempts?.length, 1);
      assert.deepEqual(await known(site.url), []);
    });

  test('nothing is learned from a proxy of the caller', async () => {
    const { body } = await service.scrape({
      url: `${site.url}/text`,
      scraper: 'http',
      proxy: `http://127.0.0.1:${await freePort()}`,
    });
    assert.equal(body.errors[0]?.code, 'proxy.failed');
    assert.deepEqual(await known(site.url), []);
  });

  test('responses of the target are learned', async () => {
    await service.scrape({ url: `${site.url}/text`, scraper: 'http' });
    assert.deepEqual(await known(site.url), ['/text 1']);
  });

  const bare: [string, object][] = [
    ['without scripts', { scraper_options: { javascript: false } }],
    ['without what scripts need', { scraper_options: { block: { resource_types: ['script'] } } }],
    ['too early', { wait_for_load_state: 'commit' }],
    ['for as long as its caller wants', { wait_for_timeout_ms: 1 }],
    ['no longer than until it is loaded', {}],
  ];
  for (const [how, more] of bare)
    test(`nothing is learned from an empty page in a browser ${how}`, { skip }, async (t) => {
      const target = createServer(({ url }, response) => {
        if (url === '/app.js') return void response.end(LATE);
        response.setHeader('content-type', 'text/html').end(APP);
      });
      await new Promise<void>((done) => target.listen(0, '127.0.0.1', done));
      t.after(() => target.close());
      const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
      const { body } = await service.scrape({ url: `${url}/a`, scraper: 'browser', ...more });
      assert.equal(body.router.verdict?.kind, 'js_shell', JSON.stringify(body.errors));
      assert.deepEqual(await known(url), []);
    });

  test('the size of a page through an exit paid by the byte is the estimate for the next page', async (t) => {
    const target = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(CONTENT_PAGE + '<!-- weight -->'.repeat(8_000));
    });
    await new Promise<void>((done) => target.listen(0, '0.0.0.0', () => done()));
    t.after(() => new Promise((done) => target.close(done)));
    const host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
    const scrape = async (proxy: string) => {
      const { body } = await service.scrape({ url: `http://${host}/a`, scraper: 'http', proxy });
      assert.equal(body.router.outcome, 'ok', JSON.stringify(body.errors));
    };
    const costOf = async (type: string) => {
      const { pages } = (await service.api<Known>('GET', `/api/v1/sites/${host}/`)).body;
      return pages[0]!.ways.find((way) => way.scraper === 'http' && way.proxy_type === type)!.est_cost;
    };
    await scrape('datacenter');
    const estimated = await costOf('mobile');
    await scrape('mobile');
    // 120 kB instead of 50.
    const paid = await costOf('mobile');
    assert.ok(paid > 1.8 * estimated && paid < 3 * estimated, `${estimated}, then ${paid}`);
    assert.equal(await costOf('datacenter'), 1);
  });

  test('of 50 requests at an unknown site a few find out what it requires, and the others wait for them', async (t) => {
    let refused = 0;
    // Through the proxy, requests arrive at another address of the target.
    const target = createServer(({ socket }, response) => {
      const welcome = socket.localAddress === '127.0.0.2';
      if (!welcome) refused++;
      response.writeHead(welcome ? 200 : 403, { 'content-type': 'text/html' });
      if (welcome) response.end(CONTENT_PAGE);
      // By then the other requests have arrived.
      else setTimeout(() => response.end('error code: 1006'), 500);
    });
    await new Promise<void>((resolve) => target.listen(0, '0.0.0.0', resolve));
    t.after(() => target.close());
    const { port } = target.address() as AddressInfo;
    const crowd = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        service.scrape({
          url: `http://127.0.0.1:${port}/goods/${n}`,
          router: { only: ['http'], escalate_proxy: ['mobile'] },
        }),
      ),
    );
    for (const { status, body } of crowd) {
      assert.equal(status, 200, JSON.stringify(body.errors));
      assert.equal(body.router.outcome, 'ok', JSON.stringify([body.router.attempts, body.errors]));
    }
    assert.ok(refused >= 1 && refused <= 10, `${refused} of 50 began with what the site refuses`);
    const waited = crowd.filter(({ body }) => (body.router.timing.queue ?? 0) > 0).length;
    assert.ok(waited >= 1, 'nobody waited');
    const [page] = (await service.api<Known>('GET', `/api/v1/sites/127.0.0.1:${port}/`)).body.pages;
    assert.equal(page?.pattern, '/goods/*');
  });
});
