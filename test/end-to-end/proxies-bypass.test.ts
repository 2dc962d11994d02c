import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

interface Seen {
  readonly pools: readonly [
    {
      readonly attempts: number;
      readonly bytes_in: number;
      readonly cost: number;
      readonly health: { readonly healthy: number };
    },
  ];
}

const PRICES = `currency: EUR
scrapers: { http: 0 }
direct: { price_per_request: 0.5 }
`;

describe('attempts that bypass the proxies of a pool', () => {
  const site = useSite();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bypass-'));
  let proxy: ProxyServer;
  let service: Service;
  before(async () => {
    proxy = await startProxy();
    const pool = { name: 'dc', type: 'datacenter', countries: ['DE'], price_per_request: 0.001 };
    const pools = [{ ...pool, proxies: [`http://127.0.0.1:${proxy.port}`] }];
    writeFileSync(join(folder, 'proxies.json'), JSON.stringify({ pools }));
    writeFileSync(join(folder, 'prices.yaml'), PRICES);
    service = await startService({
      SLUICE_PROXIES: join(folder, 'proxies.json'),
      SLUICE_PRICES: join(folder, 'prices.yaml'),
    });
  });
  after(async () => {
    await service?.end();
    await proxy?.close();
    rmSync(folder, { recursive: true });
  });

  const pool = async () => (await service.api<Seen>('GET', '/api/v1/proxies/')).body.pools[0];
  const past = { proxy: { bypass: ['127.0.0.1'] }, scraper: 'http' };

  test('do not affect the health of the proxies', async () => {
    const page = await service.scrape({ url: `${site.url}/text`, ...past });
    assert.deepEqual([page.body.status_code, page.body.router.attempts![0]!.country], [200, null], page.text);
    for (let n = 0; n < 3; n++) {
      const late = await service.scrape({ url: `${site.url}/hang`, ...past, timeout_ms: 1_000 });
      assert.equal(late.body.code, 'timeout.total', late.text);
    }
    const { attempts, bytes_in, cost, health } = await pool();
    assert.deepEqual([attempts, bytes_in, cost, health.healthy], [0, 0, 0, 1]);
    assert.equal(proxy.connections(), 0);
  });

  test('teach nothing about the proxy type at the site', async () => {
    const host = new URL(site.url).host;
    assert.equal((await service.api('GET', `/api/v1/sites/${host}/`)).status, 404);
    const through = { url: `${site.url}/text`, scraper: 'http' };
    assert.equal((await service.scrape(through)).body.status_code, 200);
    assert.equal((await service.api('GET', `/api/v1/sites/${host}/`)).status, 200);
  });

  test('are billed as direct connections', async () => {
    const { body } = await service.scrape({ url: `${site.url}/text`, ...past });
    assert.equal(body.router.request_cost, 0.5);
    assert.equal((body.router as { readonly direct?: boolean }).direct, true, 'no proxy was used');
    const capped = await service.scrape({ url: `${site.url}/text`, ...past, router: { max_cost: 0.1 } });
    assert.equal(capped.body.code, 'route.cost_cap', capped.text);
  });

  test('count for the proxy if one redirect goes through it', async () => {
    const url = `${site.url}/redirect-to?url=${encodeURIComponent(site.url.replace('127.0.0.1', 'localhost'))}`;
    const { body } = await service.scrape({ url, ...past });
    assert.deepEqual([body.router.request_cost, body.router.attempts![0]!.country], [0.001, 'DE']);
    assert.equal((await pool()).attempts, 2);
  });
});
