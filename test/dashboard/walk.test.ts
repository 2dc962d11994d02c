import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useSite } from '../helpers/use-site.ts';
import { expect, expectToFit } from './expect.ts';
import { expectAccessible } from './expect-accessible.ts';
import { NARROW, settled, useDashboard } from './use-dashboard.ts';

/** The tests of each page are in test/full/dashboard. */
describe('a walk through the dashboard', () => {
  const dashboard = useDashboard();
  const site = useSite();

  test('a new user: set-up link, key, scrape, its record, history, sign-out', async () => {
    const user = await dashboard.service.api<{ id: string }>('POST', '/api/v1/users/', {
      body: { email: 'new@example.com', role: 'user' },
    });
    const link = await dashboard.service.api<{ url: string }>('POST', `/api/v1/users/${user.body.id}/link/`);
    const { pathname, hash } = new URL(link.body.url);
    const page = await dashboard.open(pathname + hash, { as: null });
    await page.getByLabel('New password').fill('four words in row');
    await page.locator('input[type=password]').nth(1).fill('four words in row');
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
    await menu('API keys');
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Create a key' });
    await drawer.getByRole('textbox', { name: 'Name' }).fill('first');
    await drawer.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Key “first” is ready' });
    await expect(shown.getByLabel('API key', { exact: true })).not.toBeEmpty();
    const key = (await shown.getByLabel('API key', { exact: true }).textContent())!;
    const url = `${site.url}/html/2000`;
    const scraped = await dashboard.service.scrape({ url }, { key });
    assert.equal(scraped.status, 200, 'the key works');
    await shown.getByRole('button', { name: 'Done' }).click();

    await page.goto('/playground');
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(url);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();

    await menu('History');
    const lines = page.getByRole('table').getByRole('link');
    await lines.nth(1).waitFor();
    await lines.first().press('Enter');
    await page.waitForURL('**/history/*');
    await page.getByRole('heading', { level: 1, name: `GET ${new URL(url).host}` }).waitFor();
    await page.getByText(url).first().waitFor();

    await menu('Overview');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  test('an administrator: every page opens, also on a phone with the dark scheme', async () => {
    const page = await dashboard.page();
    const phone = await dashboard.page({ scheme: 'dark', size: NARROW });
    for (const path of [
      '/',
      '/history',
      '/playground',
      '/sites',
      '/keys',
      '/proxies',
      '/vendors',
      '/users',
      '/system',
      '/account',
    ]) {
      await page.goto(path);
      await settled(page);
      await phone.goto(path);
      await settled(phone);
      await expectToFit(phone);
    }
    await expectAccessible(phone);
  });
});
