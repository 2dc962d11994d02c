import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { expect } from '../../dashboard/expect.ts';
import { settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';
import { createUser } from '../../helpers/users.ts';

/** The pages with lists, and what each of them loads. */
const LISTS: readonly (readonly [path: string, load: string])[] = [
  ['/', 'stats'],
  ['/usage', 'usage'],
  ['/history', 'scrape'],
  ['/jobs', 'jobs'],
  ['/monitors', 'monitors'],
  ['/schedules', 'schedules'],
  ['/datasets', 'datasets'],
  ['/alerts', 'alerts'],
  ['/channels', 'channels'],
  ['/webhooks', 'webhooks'],
  ['/sites', 'sites'],
  ['/keys', 'keys'],
  ['/users', 'users'],
  ['/users', 'invitations'],
  ['/proxies', 'proxies/pools'],
  ['/vendors', 'vendors'],
  ['/prices', 'prices'],
  ['/system', 'system'],
  ['/audit', 'audit'],
  ['/account', 'session/all'],
];

/** What the page itself needs. */
const SESSION = /\/api\/v1\/(?:session\/|openapi\.json)(?:\?|$)/;

const PROBLEM = {
  type: '/docs/errors#service-storage',
  title: 'The record cannot be stored',
  status: 503,
  code: 'service.storage',
  detail: 'The database does not answer.',
  // Otherwise each page would try again for seconds.
  retryable: false,
  request_id: '01890000-0000-7000-8000-000000000000',
  errors: [],
};

const fail = (route: Route) =>
  route.request().method() === 'GET' && !SESSION.test(route.request().url())
    ? route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify(PROBLEM),
      })
    : route.fallback();

describe('lists of the dashboard', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard();
  const alerts = (page: Page) => page.getByRole('main').getByRole('alert');

  before(async () => {
    const { service } = dashboard;
    const post = async (path: string, body: object) => {
      const { status, text } = await service.api('POST', path, { body });
      assert.ok(status < 300, text);
    };
    const request = { url: `${site.url}/text`, scraper: 'http' };
    for (const name of ['b, a rather long name of something that is watched each night', 'A']) {
      await post('/api/v1/monitors/', { name, request, schedule: { cron: '0 8 * * *' } });
      await post('/api/v1/schedules/', {
        name,
        job: { kind: 'scrape', ...request },
        schedule: { cron: '0 8 29 2 *' },
      });
      await post('/api/v1/batches/', { name, requests: [request] });
      await post('/api/v1/keys/', { name, domains: ['example.com', 'example.org'] });
    }
    await createUser(service, { email: 'a.rather.long.name.of.a.user@mail.example.com' });
    await createUser(service, { email: 'bert@example.com' });
  });

  test('a page says what it cannot load, and tries again', async () => {
    const page = await dashboard.open('/account');
    for (const [path, load] of LISTS) {
      const calls = new RegExp(`/api/v1/${load}/(?:\\?|$)`);
      await page.route(calls, fail);
      await page.goto(path);
      await settled(page);
      const shown = alerts(page).first();
      await expect(shown, `${path}, ${load}`).toContainText(PROBLEM.detail);
      await shown.getByRole('link', { name: 'What service.storage means' }).waitFor();
      await page.unroute(calls);
      await shown.getByRole('button', { name: 'Try again' }).click();
      await expect(alerts(page), `${path}, ${load}`).toHaveCount(0);
    }
  });

  test('no placeholder stays on any page if nothing can be loaded', async () => {
    const page = await dashboard.open('/account');
    await page.route('**/api/v1/**', fail);
    for (const path of new Set(LISTS.map(([path]) => path))) {
      await page.goto(path);
      await alerts(page).first().waitFor();
      await settled(page);
    }
  });

  test('each row is one line on wide screens', async () => {
    for (const path of ['/jobs', '/monitors', '/schedules', '/sites', '/keys', '/users']) {
      const page = await dashboard.open(path);
      const rows = page.getByRole('main').locator('table[data-one-line] tbody tr');
      await rows.first().waitFor();
      const tall = await rows.evaluateAll((all) =>
        all.filter((row) => row.getBoundingClientRect().height > 52).map((row) => row.textContent),
      );
      assert.deepEqual(tall, [], path);
      const cut = await page
        .getByRole('main')
        .locator('section:has(> table)')
        .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
      assert.deepEqual(
        cut.filter((pixels) => pixels > 0),
        [],
        path,
      );
    }
  });

  test('a failed export marks its schedule, and a monitor shows what its last run cost', async () => {
    const page = await dashboard.open('/jobs');
    const changed = (path: string, last_run: object) =>
      page.route(`**/api/v1/${path}/?*`, async (route) => {
        const response = await route.fetch();
        const { items, ...rest } = (await response.json()) as { items: object[] };
        await route.fulfill({ json: { ...rest, items: items.map((item) => ({ ...item, last_run })) } });
      });
    const run = { n: 1, state: 'ended', reason: null, ended_at: null, cost: 0.25 };
    const ended = { job_id: null, job_state: 'done', ok: 1, failed: 0, export_state: 'failed' };
    await changed('schedules', { ...run, ...ended });
    await changed('monitors', run);
    await page.goto('/schedules');
    await page
      .getByRole('row', { name: /^A/ })
      .getByText('Export failed')
      .filter({ visible: true })
      .waitFor();
    await page.goto('/monitors');
    await page.getByRole('row', { name: /^A.*0\.25/ }).waitFor();
  });

  test('lists are sorted', async () => {
    const orders: readonly (readonly [path: string, order: string, first: RegExp])[] = [
      ['/jobs', 'By name', /^A/],
      ['/monitors', 'By name', /^A/],
      ['/schedules', 'By name', /^A/],
      ['/keys', 'By name', /^A/],
      ['/users', 'By e-mail', /^a\.rather/],
      ['/sites', 'By name', /^127\.0\.0\.1/],
    ];
    for (const [path, order, first] of orders) {
      const page = await dashboard.open(path);
      await page.getByLabel('Order', { exact: true }).selectOption(order);
      await expect(page.locator('table[data-one-line] tbody tr').first()).toHaveText(first);
      await page.waitForURL('**?sort=*');
    }
  });
});
