import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';

const SECRET = 'a-value-that-nobody-sees';
const cookies = (value = SECRET) =>
  JSON.stringify([{ name: 'sid', value, domain: '.shop.example', path: '/' }]);

interface Profile {
  readonly name: string;
  readonly shared: boolean;
  readonly cookies: number;
  readonly channels: readonly string[];
}

describe('the page Profiles', () => {
  const dashboard = useDashboard({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  const act = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const profiles = async () =>
    (await dashboard.service.api<{ items: Profile[] }>('GET', '/api/v1/profiles/')).body.items;

  test('a profile is added from pasted cookies, renewed from a file, shared and deleted', async () => {
    const page = await dashboard.open('/profiles');
    await page.getByText('No profiles yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a profile' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Add the profile' }).click();
    await form.getByText('Paste cookies, or load a file.').waitFor();
    await form.getByLabel('Name').fill('shop');
    await form.getByLabel('Cookies and storage').fill('[{');
    await form.getByRole('button', { name: 'Add the profile' }).click();
    await form.getByText('This is not JSON.').waitFor();
    await expectAccessible(page);
    await form.getByLabel('Cookies and storage').fill(cookies());
    await form.getByLabel('Sites').fill('other.example');
    await form.getByRole('button', { name: 'Add the profile' }).click();
    await form.getByRole('textbox', { name: 'Sites' }).fill('');
    await form.getByRole('button', { name: 'Add the profile' }).click();
    const row = page.getByRole('row', { name: /^shop/ });
    await expect(row).toHaveText(/shop\.example.*Ready.*1 cookie.*Never/s);
    assert.ok(!(await page.content()).includes(SECRET), 'no value is shown');

    await act(page, 'shop', 'Renew or edit');
    await form.locator('input[type=file]').setInputFiles({
      ...{ name: 'cookies.txt', mimeType: 'text/plain' },
      buffer: Buffer.from(
        ['a', 'b'].map((name) => `.shop.example\tTRUE\t/\tFALSE\t0\t${name}\t1\n`).join(''),
      ),
    });
    await form.getByLabel('Other users may use it').check();
    await form.getByRole('button', { name: 'Add a channel' }).click();
    const channel = page.getByRole('dialog', { name: 'Add a channel' });
    await channel.getByLabel('URL').fill('http://127.0.0.1:1/slack');
    await page.keyboard.press('Enter');
    await expect(form.getByRole('checkbox', { name: 'Slack (Slack)' })).toBeChecked();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(row).toHaveText(/2 cookies/);
    assert.deepEqual(
      (await profiles()).map(({ name, shared, cookies, channels }) => [
        name,
        shared,
        cookies,
        channels.length,
      ]),
      [['shop', true, 2, 1]],
    );

    const other = await dashboard.user('other@example.com');
    const theirs = await dashboard.open('/profiles', { as: other, size: NARROW, scheme: 'dark' });
    await theirs.getByRole('row', { name: /^shop/ }).waitFor();
    await expect(theirs.getByRole('button', { name: 'Actions for shop' })).toHaveCount(0);
    await expectToFit(theirs);
    await expectAccessible(theirs);

    await dashboard.service.api('POST', '/api/v1/monitors/', {
      body: {
        name: 'Orders',
        request: { url: 'https://shop.example/', scraper_options: { profile: 'shop' } },
        schedule: { every_s: 86_400 },
        first_run: 'scheduled',
      },
    });
    await act(page, 'shop', 'Where it is used');
    const uses = page.getByRole('dialog', { name: 'Where “shop” is used' });
    await uses.getByRole('link', { name: 'Orders' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await act(page, 'shop', 'Delete');
    await page.getByRole('dialog').getByRole('link', { name: 'Orders' }).waitFor();
    await page.getByRole('button', { name: 'Delete the profile' }).click();
    await page.getByText('No profiles yet').waitFor();
    assert.deepEqual(await profiles(), []);
  });
});
