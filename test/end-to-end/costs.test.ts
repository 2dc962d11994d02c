import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';

const home = mkdtempSync(join(tmpdir(), 'sluice-prices-'));
after(() => rmSync(home, { recursive: true, force: true }));
const PRICES = join(home, 'prices.yaml');
writeFileSync(
  PRICES,
  'currency: EUR\nscrapers: { http: 0.0001 }\ndirect: { price_per_request: 0.00002, price_per_gb: 0.05 }\n',
);

const micro = (of: number | null): number => Math.round(of! * 1e6);

/** Asserted of every response of a service with prices. */
function assertSums({ router }: ScrapeAnswer): void {
  const details = router.cost_details ?? [];
  assert.equal(
    details.reduce((sum, { cost }) => sum + micro(cost), 0),
    micro(router.request_cost),
  );
  for (const { n, cost } of router.attempts!) {
    const own = details.filter(({ attempt }) => attempt === n);
    assert.equal(
      own.reduce((sum, one) => sum + micro(one.cost), 0),
      micro(cost),
    );
  }
}

describe('costs, with prices', () => {
  const site = useSite();
  const service = useOwnService({ SLUICE_PRICES: PRICES });

  test('are in the response, the record, the list and the log', async () => {
    const { body } = await service.scrape({ url: `${site.url}/html/100000`, scraper: 'http' });
    const { router } = body;
    assert.equal(router.cost_unit, 'EUR');
    assertSums(body);
    const [own, request, traffic] = router.cost_details!;
    assert.deepEqual(own, {
      attempt: 1,
      item: 'scraper',
      name: 'http',
      quantity: 1,
      unit_price: 0.0001,
      cost: 0.0001,
    });
    assert.equal(request!.cost, 0.00002);
    assert.equal(traffic!.item, 'proxy_traffic');
    assert.ok(traffic!.quantity > 100_000 && traffic!.quantity < 102_000, String(traffic!.quantity));
    assert.equal(micro(traffic!.cost), Math.ceil((traffic!.quantity * 50_000) / 1e9));
    const stored = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal(stored.body.router.request_cost, router.request_cost);
    const list = await service.api<{ items: { request_cost: number }[] }>('GET', '/api/v1/scrape/');
    assert.equal(list.body.items[0]!.request_cost, router.request_cost);
    assert.ok(
      (await service.log()).some((line) => line.scrape_id === body.id && line.cost === router.request_cost),
    );
  });

  test('are those of every attempt, also of those that failed', async () => {
    const { body } = await service.scrape({
      url: `${site.url}/status/503`,
      scraper: 'http',
      router: { max_attempts: 3 },
    });
    assert.equal(body.router.attempts!.length, 3);
    assertSums(body);
    assert.ok(micro(body.router.request_cost) >= 360);
  });

  test('an attempt whose connection is refused costs its price per attempt, without bytes', async () => {
    const { body } = await service.scrape({ url: 'http://127.0.0.1:9/', scraper: 'http' });
    assert.equal(micro(body.router.request_cost), 120);
    assertSums(body);
  });

  test('of a dry run are 0', async () => {
    const { body } = await service.scrape({ url: site.url, router: { dry_run: true } });
    assert.equal(body.router.request_cost, 0);
  });

  test('prices are listed with the scrapers; null if a scraper has none', async () => {
    const { body } = await service.api<{
      cost_unit: string;
      items: { name: string; price: number | null }[];
    }>('GET', '/api/v1/scrapers/');
    assert.equal(body.cost_unit, 'EUR');
    assert.equal(body.items.find(({ name }) => name === 'http')!.price, 0.0001);
    assert.equal(body.items.find(({ name }) => name === 'browser')!.price, null);
    assert.equal(body.items.find(({ name }) => name === 'auto')!.price, null);
  });
});

describe('costs, without prices', () => {
  const site = useSite();
  const service = useOwnService();

  test('are null, in effort, and not listed', async () => {
    const { body } = await service.scrape({ url: `${site.url}/html/1000`, scraper: 'http' });
    assert.equal(body.router.request_cost, null);
    assert.equal(body.router.cost_unit, 'effort');
    assert.deepEqual(body.router.cost_details, []);
    assert.equal(body.router.attempts![0]!.cost, null);
  });

  test('the bytes of every attempt are still in the response and the record', async () => {
    for (const scraper of ['http', 'http_impersonate']) {
      const ask = {
        url: `${site.url}/html/5000`,
        scraper,
        router: { max_attempts: 2, accept: { contains: '#?' } },
      };
      const { body } = await service.scrape(ask);
      const stored = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
      assert.deepEqual(stored.body.router.attempts, body.router.attempts);
      assert.equal(body.router.attempts!.length, 2);
      for (const { bytes_out, bytes_in } of body.router.attempts!) {
        assert.ok(bytes_in > 5_000 && bytes_in < 5_500, `${bytes_in} bytes`);
        assert.ok(bytes_out > 50 && bytes_out < 1_000, `${bytes_out} bytes`);
      }
    }
    const { body } = await service.scrape({ url: 'http://127.0.0.1:9/', scraper: 'http' });
    const [{ bytes_in, bytes_out } = {}] = body.router.attempts!;
    assert.deepEqual([bytes_in, bytes_out], [0, 0]);
  });
});
