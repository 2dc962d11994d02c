import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { createUser } from '../../helpers/users.ts';

describe('limits, prices, alerts on metrics, and keys of others', () => {
  const dashboard = useDashboard();
  const site = useSite();
  const api = <T>(...args: Parameters<typeof dashboard.service.api>) => dashboard.service.api<T>(...args);

  test('prices are set on their page, to which the usage page leads without them', async () => {
    const page = await dashboard.open('/usage');
    await page.getByRole('link', { name: 'Set prices, to see costs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
    await page.getByLabel('http', { exact: true }).fill('0.25');
    await page.getByLabel('A million tokens in').fill('1');
    await page.getByRole('button', { name: 'Save the prices' }).click();
    await page.getByText('Enter both prices.').waitFor();
    await page.getByLabel('A million tokens out').fill('2');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save the prices' }).click();
    await page.getByText('The prices are saved. They apply from now on.').waitFor();
    const { body } = await api<{ prices: object }>('GET', '/api/v1/prices/');
    assert.partialDeepStrictEqual(body.prices, { currency: 'EUR', scrapers: { http: 0.25 } });
    const phone = await dashboard.open('/prices', { size: NARROW, scheme: 'dark' });
    await expect(phone.getByLabel('http', { exact: true })).toHaveValue('0.25');
    await expectToFit(phone);
    await expectAccessible(phone);
  });

  test('a site is limited in four clicks, and the page shows what is spent', async () => {
    assert.equal(
      (await dashboard.service.scrape({ url: `${site.url}/html/10`, scraper: 'http' })).status,
      200,
    );
    const page = await dashboard.open('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sites' }).click();
    await page.getByRole('link', { name: '127.0.0.1' }).first().click();
    const budget = page.getByLabel('Budget a month, in EUR');
    await budget.click();
    await budget.fill('5');
    await page.getByRole('button', { name: 'Save the limits' }).click();
    await page.getByText('The limits of 127.0.0.1 are saved. They apply from now on.').waitFor();
    const limits = await api<{ budget_month: number }>('GET', '/api/v1/sites/127.0.0.1/limits/');
    assert.equal(limits.body.budget_month, 5);
    await page.getByText('0.25 EUR spent').first().waitFor();
    await page.getByLabel('Requests at once').fill('0');
    await page.getByRole('button', { name: 'Save the limits' }).click();
    await page.getByLabel('Requests at once').and(page.locator('[aria-invalid="true"]')).waitFor();
    await expectAccessible(page);
    await dashboard.service.api('PATCH', '/api/v1/sites/127.0.0.1/limits/', { body: { budget_month: null } });
  });

  test('an alert about what a key spends is made from the page of the keys, with the chart of the past', async () => {
    await api('POST', '/api/v1/keys/', { body: { name: 'crawler' } });
    const page = await dashboard.open('/keys');
    await page.getByRole('button', { name: 'Actions for crawler' }).click();
    await page.getByRole('menuitem', { name: 'Alert me' }).click();
    const form = page.getByRole('dialog', { name: 'Create an alert' });
    await expect(form.getByLabel('Name')).toHaveValue('A key spends too much');
    await expect(form.getByLabel('An API key', { exact: true })).toHaveValue('crawler');
    await form.getByText(/^Since .*, it would not have fired\.$/).waitFor();
    // All scrapes together did something.
    await form.getByRole('combobox', { name: 'Of', exact: true }).click();
    await page.getByRole('option', { name: 'All scrapes together' }).click();
    await form.getByLabel('Amount').fill('0.1');
    await form.getByText(/^Since .*, it would have fired once\.$/).waitFor();
    await form.getByRole('heading', { name: 'Cost', exact: true }).waitFor();
    await form.getByText(/until now: 0\.25\sEUR$/).waitFor();
    await expectAccessible(page);
    await form.getByLabel('URL').fill('https://8.8.8.8/hook');
    await form.getByLabel('Amount').fill('100000');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    const rules = page.getByRole('table', { name: 'Rules of alerts, newest first' });
    await rules.getByText('Cost: All scrapes together, at least 100,000 EUR').waitFor();
    await expect(page.getByRole('button', { name: 'A key spends too much', exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'A site is slow' }).waitFor();
    const phone = await dashboard.open('/alerts', { size: NARROW, scheme: 'dark' });
    await expectToFit(phone);
    await expectAccessible(phone);
  });

  test('an administrator sees the rules of all users, with their owners, and changes none', async () => {
    const bert = await createUser(dashboard.service, { email: 'bert@example.com' });
    const channels = [{ type: 'slack', url: 'https://8.8.8.8/secret' }];
    const rule = { name: 'The rule of Bert', kind: 'metric', channels, enabled: false };
    const conditions = { metric: 'error_rate', threshold: 0.5 };
    await api('POST', '/api/v1/alerts/', { key: bert.key, body: { ...rule, conditions } });
    const page = await dashboard.open('/alerts');
    await page.getByText('All users', { exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'The rule of Bert' });
    await row.getByText('bert@example.com').waitFor();
    await expect(row.getByRole('button', { name: 'Actions for The rule of Bert' })).toHaveCount(0);
    await expectAccessible(page);
  });

  test('the key of a colleague is revoked in four clicks', async () => {
    const carla = await createUser(dashboard.service, { email: 'carla@example.com' });
    await api('POST', '/api/v1/scrape/', {
      key: carla.key,
      body: { url: `${site.url}/html/10`, scraper: 'http' },
    });
    await eventually(async () => {
      const { body } = await api<{ scrapes_30d: number }>('GET', `/api/v1/users/${carla.id}/`);
      return body.scrapes_30d === 1;
    });
    const page = await dashboard.open('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click();
    await page.getByRole('link', { name: 'carla@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'carla@example.com' }).waitFor();
    await page.getByRole('region', { name: 'Scrapes, 30 days' }).getByText('1', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke by hand' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('“by hand” is revoked.').waitFor();
    assert.equal((await api('GET', '/api/v1/key/', { key: carla.key })).status, 401);
    const row = page.getByRole('row').filter({ hasText: 'by hand' });
    await row.getByText('Revoked').waitFor();
    // The name of the key stands where its id was.
    await page.goto('/history');
    await page.getByText('by hand').first().waitFor();
    await page.goto('/users');
    await page.getByRole('button', { name: 'Actions for carla@example.com' }).click();
    await page.getByRole('menuitem', { name: 'API keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'carla@example.com' }).waitFor();
    const phone = await dashboard.open(`/users/${carla.id}`, { size: NARROW, scheme: 'dark' });
    await expectToFit(phone);
    await expectAccessible(phone);
  });

  test('all prices are removed, and costs are not known any more', async () => {
    const page = await dashboard.open('/prices');
    await page.getByRole('button', { name: 'Remove all prices' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the prices' }).click();
    await page.getByText('The prices are removed.').waitFor();
    await expect(page.getByLabel('http', { exact: true })).toHaveValue('');
    await expect(page.getByRole('button', { name: 'Remove all prices' })).toHaveCount(0);
    await page.goto('/sites?host=127.0.0.1');
    await page.getByRole('link', { name: 'Needs prices' }).first().waitFor();
    const { body } = await api<{ prices: object | null }>('GET', '/api/v1/prices/');
    assert.equal(body.prices, null);
  });
});
