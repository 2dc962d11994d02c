import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';
import { jobOf, startBatch } from './job-calls.ts';

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

  test('of the last run of a monitor are in its object', async () => {
    const request = { url: `${site.url}/html/10`, scraper: 'http' };
    const body = { name: 'priced', request, schedule: { every_s: 86_400 } };
    interface Monitor {
      readonly id: string;
      readonly last_run: { readonly n: number; readonly cost: number | null } | null;
    }
    const made = await service.api<Monitor>('POST', '/api/v1/monitors/', { body });
    assert.equal(made.body.last_run, null, made.text);
    const path = `/api/v1/monitors/${made.body.id}/`;
    const last = await eventually(async () => (await service.api<Monitor>('GET', path)).body.last_run);
    assert.equal(last.n, 1);
    assert.ok(last.cost !== null && last.cost > 0, JSON.stringify(last));
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

  test('prices of a file are shown, and cannot be changed by the API', async () => {
    const { body } = await service.api<{ source: string; prices: { currency: string } }>(
      'GET',
      '/api/v1/prices/',
    );
    assert.deepEqual([body.source, body.prices.currency], ['file', 'EUR']);
    const change = { currency: 'USD', scrapers: { http: 1 } };
    const refused = await service.api<{ code: string }>('PUT', '/api/v1/prices/', { body: change });
    assert.deepEqual([refused.status, refused.body.code], [409, 'settings.file']);
    assert.equal((await service.api('DELETE', '/api/v1/prices/')).status, 409);
  });

  const LIMITS = '/api/v1/sites/127.0.0.1/limits/';
  interface Limits {
    readonly spent_month: number;
    readonly budget_month: number | null;
    readonly cost_unit: string;
  }
  const limit = async (body: unknown) => (await service.api<Limits>('PATCH', LIMITS, { body })).body;

  test('a budget of a site counts what was spent before; what exceeds it is 429 until it is raised', async () => {
    const scrape = () => service.scrape({ url: `${site.url}/html/10`, scraper: 'http' });
    await scrape();
    // Records are there at once; usage is stored within a second or two of the scrapes.
    const { body: records } = await service.api<{ cost: number }>(
      'GET',
      '/api/v1/scrape/totals/?host=127.0.0.1',
    );
    const spent = await eventually(async () => {
      const { spent_month: known } = await limit({});
      return micro(known) === micro(records.cost) && known;
    });
    const over = (more: number) => (micro(spent) + more) / 1e6;
    const { budget_month, cost_unit } = await limit({ budget_month: over(100) });
    assert.deepEqual([budget_month, cost_unit], [over(100), 'EUR']);
    const refused = await scrape();
    assert.equal(refused.status, 429, refused.text);
    assert.equal(refused.body.code, 'limit.site');
    assert.equal(refused.body.errors?.[0]?.details?.limit, 'budget_month');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    await limit({ budget_month: over(300) });
    const statuses = (await Promise.all([scrape(), scrape(), scrape(), scrape()])).map(
      ({ status }) => status,
    );
    assert.deepEqual(statuses.sort(), [200, 200, 429, 429], 'two prices of 120 fit into 300');
    assert.ok((await limit({})).spent_month <= over(300));
    await limit({ budget_month: over(-1) });
    assert.equal((await scrape()).status, 429, 'a budget below what is spent already');
    await limit({ budget_month: null });
    assert.equal((await scrape()).status, 200);
  });

  test('a job waits while the budget of its site is used up', async () => {
    await limit({ budget_day: 0 });
    const id = await startBatch(service, {
      requests: [{ url: `${site.url}/html/10`, scraper: 'http' }],
      retries: 0,
    });
    const { counts } = await eventually(async () => {
      const job = await jobOf(service, id);
      return job.state === 'running' && job.counts.queued === 1 && job;
    });
    assert.deepEqual([counts.failed, counts.ok], [0, 0]);
    await service.api('POST', `/api/v1/jobs/${id}/cancel/`);
    await limit({ budget_day: null });
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

  const PATH = '/api/v1/prices/';
  interface View {
    readonly source: string;
    readonly prices: {
      readonly currency: string;
      readonly scrapers: object;
      readonly model: object | null;
    } | null;
  }
  const put = (body: unknown) => service.api<View & { errors: { pointer: string }[] }>('PUT', PATH, { body });
  const scrape = async () =>
    (await service.scrape({ url: `${site.url}/html/10`, scraper: 'http' })).body.router;

  test('prices that are none are refused with a pointer', async () => {
    const good = { currency: 'EUR', scrapers: { http: 0.001 } };
    const cases: readonly [object, string][] = [
      [{ scrapers: good.scrapers }, '/currency'],
      [{ ...good, currency: 'effort' }, '/currency'],
      [{ ...good, currency: '€' }, '/currency'],
      [{ currency: 'EUR' }, '/scrapers'],
      [{ ...good, scrapers: {} }, '/scrapers'],
      [{ ...good, scrapers: { unknown: 1 } }, '/scrapers/unknown'],
      [{ ...good, scrapers: { auto: 1 } }, '/scrapers/auto'],
      [{ ...good, scrapers: { http: -1 } }, '/scrapers/http'],
      [{ ...good, scrapers: { http: 1e308 } }, '/scrapers/http'],
      [{ ...good, scrapers: { http: 0.000_000_1 } }, '/scrapers/http'],
      [{ ...good, direct: { price_per_gb: '1' } }, '/direct/price_per_gb'],
      [{ ...good, model: { price_per_million_tokens_in: 1 } }, '/model/price_per_million_tokens_out'],
      [{ ...good, more: 1 }, '/more'],
    ];
    for (const [body, pointer] of cases) {
      const refused = await put(body);
      assert.equal(refused.status, 400, JSON.stringify(body));
      assert.equal(refused.body.errors[0]!.pointer, pointer, JSON.stringify(body));
    }
    assert.deepEqual((await service.api<View>('GET', PATH)).body, { source: 'database', prices: null });
    assert.equal((await service.api('DELETE', PATH)).status, 404);
  });

  test('prices set by the API hold at once; what was counted keeps its cost; they can be removed', async () => {
    const vendor = { name: 'priced', kind: 'zyte', key: 'k', price: { per_success: 0.01 } };
    assert.equal((await service.api('POST', '/api/v1/vendors/', { body: vendor })).status, 400);
    const set = await put({ currency: 'EUR', scrapers: { http: 0.001 } });
    assert.equal(set.status, 200);
    assert.deepEqual(set.body.prices, {
      ...{ currency: 'EUR', scrapers: { http: 0.001 } },
      ...{ direct: { price_per_request: 0, price_per_gb: 0 }, model: null },
    });
    const first = await scrape();
    assert.deepEqual([first.request_cost, first.cost_unit], [0.001, 'EUR']);
    assert.equal((await service.api('POST', '/api/v1/vendors/', { body: vendor })).status, 201);
    const key = { name: 'paid', daily_budget: { amount: 1, unit: 'cost' } };
    assert.equal((await service.api('POST', '/api/v1/keys/', { body: key })).status, 201);
    await put({ currency: 'EUR', scrapers: { http: 0.002 } });
    assert.equal((await scrape()).request_cost, 0.002);
    const total = async () =>
      (await service.api<{ total: { cost: number | null }; cost_unit: string }>('GET', '/api/v1/usage/'))
        .body;
    assert.deepEqual(await eventually(async () => (await total()).total.cost === 0.003 && true), true);
    // Costs in another currency are not added up.
    await put({ currency: 'USD', scrapers: { http: 0.002 } });
    assert.equal((await total()).cost_unit, 'USD');
    assert.equal((await total()).total.cost, null);

    assert.equal((await service.api('DELETE', PATH)).status, 204);
    const after = await scrape();
    assert.deepEqual([after.request_cost, after.cost_unit], [null, 'effort']);
    const { items } = (
      await service.api<{ items: { name: string; problems: string[] }[] }>('GET', '/api/v1/vendors/')
    ).body;
    assert.equal(
      items.find(({ name }) => name === 'priced')!.problems.length,
      1,
      'it is not used, and says why',
    );
    const { body } = await service.api<{ items: { action: string }[] }>('GET', '/api/v1/audit/?limit=20');
    const actions = body.items.map(({ action }) => action).filter((action) => action.startsWith('prices.'));
    assert.deepEqual(actions, ['prices.deleted', ...Array(3).fill('prices.changed')]);
  });
});
