import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { expect } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { awayFromMidnight, NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';

interface Key {
  readonly name: string;
  readonly daily_budget: object | null;
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-key-budgets-'));
const PRICES = join(folder, 'prices.yaml');
writeFileSync(
  PRICES,
  'currency: EUR\nscrapers: { http: 0.25 }\ndirect: { price_per_request: 0, price_per_gb: 0 }\n',
);

describe('budgets of keys in money', () => {
  after(() => rmSync(folder, { recursive: true }));
  const dashboard = useDashboard({ SLUICE_PRICES: PRICES });
  const site = useSite();

  test('can be set, are shown, and can be used up', async () => {
    const page = await dashboard.open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const drawer = page.getByRole('dialog', { name: 'Create a key' });
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Paid');
    await drawer.getByLabel('Target sites').fill('127.0.0.1');
    // The currency comes with the list of scrapers, for which the service first looks for browsers.
    const unit = drawer.getByLabel('Unit of the daily budget');
    await unit.waitFor({ timeout: 60_000 });
    await unit.selectOption('Costs in EUR');
    await drawer.getByLabel('Cost per day').fill('0.5');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Key “Paid” is ready' });
    const key = (await shown.getByLabel('API key', { exact: true }).textContent())!;
    await shown.getByRole('button', { name: 'Done' }).click();
    const { body } = await dashboard.service.api<{ items: Key[] }>('GET', '/api/v1/keys/');
    assert.deepEqual(body.items.find(({ name }) => name === 'Paid')!.daily_budget, {
      amount: 0.5,
      unit: 'cost',
    });
    const scrape = async () =>
      (await dashboard.service.scrape({ url: site.url, scraper: 'http' }, { key })).status;
    await awayFromMidnight();
    assert.deepEqual([await scrape(), await scrape(), await scrape()], [200, 200, 402]);
    await page.reload();
    const row = page.getByRole('row').filter({ has: page.getByText('Paid', { exact: true }) });
    await row.getByText('0.5 EUR a day').filter({ visible: true }).waitFor();
    await row.getByRole('cell', { name: '2 scrapes, 0.5 of 0.5 EUR', exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('can get another unit, also on a phone and in the dark theme', async () => {
    await dashboard.service.api('POST', '/api/v1/keys/', {
      body: { name: 'Changes', daily_budget: { amount: 2.5, unit: 'cost' } },
    });
    const page = await dashboard.open('/keys', { size: NARROW, scheme: 'dark' });
    await page.getByRole('button', { name: 'Actions for Changes' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit “Changes”' });
    await expect(drawer.getByLabel('Cost per day')).toHaveValue('2.5');
    await drawer.getByLabel('Unit of the daily budget').selectOption('Scrapes');
    await drawer.getByLabel('Scrapes per day').fill('7');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.waitFor({ state: 'detached' });
    const { body } = await dashboard.service.api<{ items: Key[] }>('GET', '/api/v1/keys/');
    assert.deepEqual(body.items.find(({ name }) => name === 'Changes')!.daily_budget, {
      amount: 7,
      unit: 'scrapes',
    });
  });
});
