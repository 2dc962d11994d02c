import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { components } from '../../../dashboard/src/api/schema.gen.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { aSeason, seedUsage } from '../../dashboard/seed-stats.ts';
import { awayFromMidnight, NARROW, settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';

type Usage = components['schemas']['Usage'];

const home = mkdtempSync(join(tmpdir(), 'sluice-usage-page-'));
after(() => rmSync(home, { recursive: true, force: true }));
const prices = join(home, 'prices.json');
writeFileSync(prices, JSON.stringify({ currency: 'EUR', scrapers: { http: 0.00002, browser: 0.0005 } }));

const figure = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const searchOf = (url: string | null) => Object.fromEntries(new URL(url ?? '', 'http://x').searchParams);
const rows = (page: Page) => page.getByRole('table', { name: /^Usage by / }).locator('tbody tr');

describe('usage', () => {
  const dashboard = useDashboard({ SLUICE_PRICES: prices });
  const site = useSite();
  const ids: string[] = [];

  before(async () => {
    await awayFromMidnight();
    const { service } = dashboard;
    for (const [name, amount] of [
      ['Catalogue', 2],
      ['Books', 5],
      ['Prices', 1],
    ] as const) {
      const body = { name, daily_budget: { amount, unit: 'cost' } };
      ids.push((await service.api<{ id: string }>('POST', '/api/v1/keys/', { body })).body.id);
    }
    const { body } = await service.api<Usage>('GET', '/api/v1/usage/');
    await seedUsage(service, aSeason(body.budgets[0]!.user_id, ids as [string, string, string]));
  });
  const usageOf = async (query: string) =>
    (await dashboard.service.api<Usage>('GET', `/api/v1/usage/?${query}`)).body;

  test('which key spent the most last week takes two clicks; the figures are those of the API', async () => {
    const page = await dashboard.open('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Usage' }).click();
    await page.getByText('7 d', { exact: true }).click();
    await page.getByText('Spend and volume in the last 7 days').waitFor();
    await settled(page);
    const money = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
    // The next hour may begin between the two readings. The page then reads again.
    await expect(async () => {
      const usage = await usageOf('window=7d&by=key');
      assert.equal(usage.items[0]!.label, 'Prices');
      await expect(rows(page).locator('td:first-child')).toHaveText(
        usage.items.map(({ label }) => label ?? 'Dashboard, without a key'),
        { timeout: 1_000 },
      );
      await expect(figure(page, 'Spend').first()).toContainText(
        `${money.format(usage.total.cost!)}\u00a0EUR`,
        { timeout: 1_000 },
      );
    }).toPass({ timeout: 30_000 });
    await expect(figure(page, 'Spend').first()).toHaveText(/[+−±]\d+(\.\d)? % vs\. 7\sd before/);
    await expect(figure(page, /^Forecast for /)).toHaveText(/EUR[\d.,]+ to [\d.,]+\sEUR/);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
  });

  test('a row leads to its scrapes, and to its own usage; splits, order and window are in the URL', async () => {
    const page = await dashboard.open('/usage?window=30d');
    const prices = rows(page).filter({ hasText: 'Prices' });
    // The next day may begin between the two readings. The page then reads again.
    await expect(async () => {
      const history = searchOf(
        await prices.getByRole('link', { name: 'Prices', exact: true }).getAttribute('href'),
      );
      assert.equal(history.key_id, ids[2]);
      const { from, to } = await usageOf('window=30d');
      assert.equal(history.from, from);
      assert.ok(Math.abs(Date.parse(history.to!) - Date.parse(to)) < 120_000);
    }).toPass({ timeout: 30_000 });
    await page.getByText('Most scrapes', { exact: true }).click();
    await expect(rows(page).first()).toHaveText(/^Catalogue/);
    await prices.getByRole('link', { name: 'Show only Prices' }).click();
    await page.getByRole('heading', { name: 'By host' }).waitFor();
    await settled(page);
    await expect(rows(page).locator('td:first-child')).toHaveText(['prices.example.net']);
    await expect
      .poll(() => searchOf(page.url()))
      .toMatchObject({ key_id: ids[2], by: 'host', sort: 'scrapes' });
    await page.reload();
    await settled(page);
    for (const [split, first] of [
      ['Vendor', 'zyte'],
      ['Proxy', 'Residential'],
      ['Outcome', 'OK'],
      ['Scraper', 'vendor:zyte'],
      ['Day', ''],
    ] as const) {
      await page.getByText(split, { exact: true }).click();
      await page.getByRole('table', { name: `Usage by ${split.toLowerCase()}` }).waitFor();
      await settled(page);
      await expect(rows(page).first().locator('td').first(), split).toHaveText(new RegExp(`^${first}`));
    }
    await page.getByRole('button', { name: 'Remove the filter Key' }).click();
    await page.waitForURL((url) => !url.searchParams.has('key_id'));
    await settled(page);
    await expectAccessible(page);
  });

  test('the chart shows spend or scrapes, reads each step, and opens its scrapes', async () => {
    const page = await dashboard.open('/usage?window=30d', { size: NARROW, scheme: 'dark' });
    const chart = page.getByRole('slider', { name: 'Spend over time, in EUR' });
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await expect(chart).toHaveAttribute(
      'aria-valuetext',
      /^\w{3} \d+ \w+, UTC: [\d,]+ scrapes, .* OK, spend /,
    );
    await expectAccessible(page);
    await expectToFit(page);
    const ends = [
      page.getByText('Day', { exact: true }),
      rows(page).getByRole('link', { name: /^Show only/ }),
    ];
    const rightOf = async (element: Locator) => {
      const { x, width } = (await element.boundingBox())!;
      return x + width;
    };
    for (const end of ends) await expect.poll(() => rightOf(end.first())).toBeLessThanOrEqual(NARROW.width);
    await page.getByRole('radiogroup', { name: 'Chart' }).getByText('Scrapes').click();
    const scrapes = page.getByRole('slider', { name: 'Scrapes over time' });
    await scrapes.focus();
    await page.keyboard.press('Home');
    await expect(scrapes).toHaveAttribute('aria-valuenow', '1');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/history?*');
    const { from, to } = searchOf(page.url());
    assert.equal(Date.parse(to!) - Date.parse(from!), 86_400_000);
  });

  test('budgets are beside the figures, and both exports have the items', async () => {
    const page = await dashboard.open('/usage?window=7d');
    const budgets = figure(page, 'Daily budgets');
    await expect(budgets.getByRole('meter')).toHaveCount(3);
    await budgets.getByText('0 of 5 EUR').waitFor();
    for (const [item, pattern] of [
      ['CSV, for spreadsheets', /^by,name,label,/],
      ['JSON Lines, for programs', /^{"by":"key","name":/],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      const text = readFileSync(await download.path(), 'utf8');
      assert.match(text, pattern);
      assert.ok(text.includes('Prices'));
    }
  });

  test('the overview shows the spend, and the change against the time before', async () => {
    await dashboard.service.scrape({ url: `${site.url}/html/500`, scraper: 'http' });
    const page = await dashboard.open('/?window=7d');
    const spend = figure(page, 'Spend');
    await expect(spend).toHaveText(/^Spend[\d.,]+\sEUR[+−±][\d.]+ % spend vs\. 7\sd before/);
    await spend.getByRole('link', { name: 'Show usage (7 d)' }).click();
    await page.waitForURL('**/usage?window=7d');
  });

  test('users see their own usage, without the split by user', async () => {
    const as = await dashboard.user('maria@example.com');
    const page = await dashboard.open('/usage', { as });
    await page.getByText('No scrapes in this time.').first().waitFor();
    await expect(page.getByRole('radio', { name: 'Outcome' })).toHaveCount(1);
    await expect(page.getByRole('radio', { name: 'User' })).toHaveCount(0);
    await figure(page, 'Daily budgets').getByText('No key has a daily budget.').waitFor();
    await expectAccessible(page);
  });
});

describe('usage without prices', () => {
  const dashboard = useDashboard();
  const site = useSite();

  test('a new service shows volume, and the overview does not show one bar at the edge of an empty chart', async () => {
    await dashboard.service.scrape({ url: `${site.url}/html/500`, scraper: 'http' });
    const page = await dashboard.open('/usage?window=1h');
    await expect(figure(page, 'Scrapes').first()).toHaveText(/^Scrapes1/);
    await figure(page, 'Spend').getByRole('link', { name: 'Set prices, to see costs' }).waitFor();
    await page.getByRole('slider', { name: 'Scrapes over time' }).waitFor();
    await page.getByText(/^Usage is counted since .*, so there is nothing to compare with\.$/).waitFor();
    await expectAccessible(page);
    await page.goto('/');
    await settled(page);
    const chart = page.getByRole('slider', { name: 'Outcomes over time' });
    await expect(chart).toHaveAttribute('aria-valuemax', '12');
    await figure(page, 'Content').waitFor();
  });
});
