import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { hostileTexts, watchForScripts } from '../../dashboard/hostile.ts';
import { awayFromMidnight, NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';

const run = promisify(execFile);

interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: string[];
  readonly domains: string[];
  readonly ips: string[];
  readonly daily_budget: object | null;
  readonly concurrency: number | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly key?: string;
}

describe('keys', () => {
  const dashboard = useDashboard();
  const site = useSite();
  const create = async (body: object): Promise<Key> => {
    const { status, text, body: key } = await dashboard.service.api<Key>('POST', '/api/v1/keys/', { body });
    assert.equal(status, 201, text);
    return key;
  };
  const named = async (name: string): Promise<Key[]> => {
    const { body } = await dashboard.service.api<{ items: Key[] }>('GET', '/api/v1/keys/');
    return body.items.filter((key) => key.name === name);
  };
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  const secretOf = async (ready: Locator): Promise<string> => {
    const text = ready.getByLabel('API key', { exact: true });
    await expect(text).not.toBeEmpty();
    return (await text.textContent())!;
  };
  const act = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  test('a new user is shown what keys are for', async () => {
    const user = await dashboard.user('empty@example.com');
    const page = await dashboard.open('/keys', { as: user });
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await page.getByRole('heading', { name: 'Good practice' }).waitFor();
    for (const advice of ['One key per environment', 'Rotate regularly', 'Never in version control']) {
      await page.getByRole('heading', { name: advice }).waitFor();
    }
    await expectAccessible(page);
  });

  test('create: the service stores the chosen settings; the key is shown once and works', async () => {
    await awayFromMidnight();
    const page = await dashboard.open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const drawer = page.getByRole('dialog', { name: 'Create a key' });
    await drawer.getByRole('textbox', { name: 'Name' }).fill('All of it');
    await drawer.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'In 30 days' }).click();
    await drawer.getByLabel('Manage').check();
    await drawer.getByLabel('Target sites').fill('example.com, 127.0.0.1');
    await drawer.getByLabel('Callers').fill('127.0.0.0/8');
    await drawer.getByLabel('Scrapes per day').fill('1500');
    await drawer.getByLabel('Concurrent requests').fill('7');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Key “All of it” is ready' });
    const secret = await secretOf(shown);
    const [key] = await named('All of it');
    assert.deepEqual(key!.scopes, ['scrape', 'read', 'jobs', 'admin']);
    assert.deepEqual(key!.domains, ['example.com', '127.0.0.1']);
    assert.deepEqual(key!.ips, ['127.0.0.0/8']);
    assert.deepEqual(key!.daily_budget, { amount: 1500, unit: 'scrapes' });
    assert.equal(key!.concurrency, 7);
    const days = (Date.parse(key!.expires_at!) - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days < 30.1, key!.expires_at!);
    const { status } = await dashboard.service.scrape({ url: site.url, scraper: 'auto' }, { key: secret });
    assert.equal(status, 200);
    await expectAccessible(page);

    await page.keyboard.press('Escape');
    await expect(shown, 'a key that was not stored yet must not go away by accident').toBeVisible();
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    await expect(page.getByText(secret)).toHaveCount(0);
    await row(page, 'All of it')
      .getByTitle(
        'May manage · only example.com and 127.0.0.1 · from 127.0.0.0/8 · 1,500 scrapes a day · 7 at once',
      )
      .waitFor();
    await page.reload();
    await row(page, 'All of it').getByRole('cell', { name: '1 of 1,500 scrapes', exact: true }).waitFor();
  });

  test('a test key has no sites and no budget of its own, and is marked in the list', async () => {
    const page = await dashboard.open('/keys', { size: NARROW, scheme: 'dark' });
    await page.getByRole('button', { name: 'Create a key' }).click();
    const drawer = page.getByRole('dialog', { name: 'Create a key' });
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Suite');
    await drawer.getByLabel('Target sites').fill('example.com');
    await drawer.getByLabel('Scrapes per day').fill('5');
    await drawer.getByRole('switch', { name: /^Test key/ }).check();
    await expect(drawer.getByLabel('Target sites')).toHaveCount(0);
    await expect(drawer.getByLabel('Scrapes per day')).toHaveCount(0);
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Key “Suite” is ready' });
    assert.match(await secretOf(shown), /^slc_test_/);
    await shown.getByText('https://shop.sluice.test/shop/SL-001').first().waitFor();
    await shown.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Suite').getByText('Test', { exact: true }).waitFor();
    await row(page, 'Suite')
      .getByRole('paragraph')
      .filter({ hasText: 'Only test hosts · any address' })
      .waitFor();
    await expectAccessible(page);
    await act(page, 'Suite', 'Edit');
    await page.getByRole('dialog').getByLabel('Callers').waitFor();
    await expect(page.getByRole('dialog').getByLabel('Target sites')).toHaveCount(0);
  });

  test('the key can be copied, and the examples for curl, Node and Python work', async (t) => {
    const page = await dashboard.page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Snippets');
    await page.getByLabel('Target sites').fill('127.0.0.1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const secret = await secretOf(page.getByRole('dialog'));
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);

    const env = { ...process.env, SLUICE_KEY: secret };
    for (const [language, command] of [
      ['curl', (code: string) => run('bash', ['-c', code], { env })],
      ['Node', (code: string) => run(process.execPath, ['--input-type=module', '-e', code], { env })],
      ['Python', (code: string) => run('python3', ['-c', code], { env })],
    ] as const) {
      await page.getByRole('tab', { name: language }).click();
      const shown = page.getByRole('region', { name: language });
      await expect(shown).toContainText(`${dashboard.service.base}/api/v1/scrape/`);
      await expect(shown, 'the key belongs into the environment').not.toContainText(secret);
      const code = (await shown.textContent())!;
      try {
        const { stdout } = await command(code.replace('https://127.0.0.1/', `${site.url}/html/300`));
        assert.match(stdout, /<html|\\u003chtml/i, language);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        t.diagnostic(`not on this machine: ${language}`);
      }
    }
  });

  test('errors of the service are shown at their fields, and the input is kept', async () => {
    const page = await dashboard.open('/keys', { size: NARROW, scheme: 'dark' });
    await page.getByRole('button', { name: 'Create a key' }).click();
    const drawer = page.getByRole('dialog', { name: 'Create a key' });
    await drawer.getByRole('button', { name: 'Create the key' }).click();
    await drawer.getByText('Give it a name').waitFor();
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Refused');
    await drawer.getByLabel('Target sites').fill('https://example.com/path');
    await drawer.getByLabel('Callers').fill('300.1.1.1');
    await drawer.getByRole('button', { name: 'Create the key' }).click();
    await drawer.getByText('An entry must be a domain such as example.com').waitFor();
    await drawer.getByText('An entry must be an address or a CIDR range').waitFor();
    await expect(drawer.getByRole('textbox', { name: 'Name' })).toHaveValue('Refused');
    await expectAccessible(page);
    for (const scope of ['Scrape', 'Read', 'Jobs']) await drawer.getByLabel(scope, { exact: true }).uncheck();
    await drawer.getByRole('button', { name: 'Create the key' }).click();
    await drawer.getByText('Choose at least one').waitFor();
    assert.deepEqual(await named('Refused'), []);
  });

  test('edit: only changed fields are sent; an empty field removes the limit', async () => {
    const before = await create({
      name: 'To edit',
      domains: ['example.com'],
      daily_budget: { amount: 5, unit: 'scrapes' },
      concurrency: 3,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const page = await dashboard.open('/keys');
    await row(page, 'To edit')
      .getByRole('cell', { name: 'Expires in 23 hours' })
      .getByTitle(/^until \d+ \w+( \d{4})?, \d\d:\d\d$/)
      .waitFor();
    await act(page, 'To edit', 'Edit');
    const drawer = page.getByRole('dialog', { name: 'Edit “To edit”' });
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Edited');
    await drawer.getByLabel('Target sites').press('Backspace');
    await drawer.getByLabel('Scrapes per day').fill('');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.waitFor({ state: 'detached' });
    await row(page, 'Edited').getByTitle('Any site · any address · no daily limit · 3 at once').waitFor();
    const [after] = await named('Edited');
    assert.equal(after!.expires_at, before.expires_at);
    assert.deepEqual(after!.domains, []);
    assert.equal(after!.daily_budget, null);
  });

  test('expiry: a custom time in the time zone of the browser, and no expiry', async () => {
    await create({ name: 'Ends' });
    const page = await dashboard.open('/keys', { scheme: 'dark' });
    const drawer = page.getByRole('dialog', { name: 'Edit “Ends”' });
    const choose = async (option: string) => {
      await act(page, 'Ends', 'Edit');
      await drawer.getByRole('combobox', { name: 'Expires' }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose('At a custom time');
    await drawer.getByLabel('Works until').fill('2020-01-01T10:00');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByText('Choose a time that is still to come.').waitFor();
    await expectAccessible(page);
    await drawer.getByLabel('Works until').fill('2099-07-06T09:08');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.waitFor({ state: 'detached' });
    assert.equal(Date.parse((await named('Ends'))[0]!.expires_at!), Date.UTC(2099, 6, 6, 7, 8));
    await choose('Never');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.waitFor({ state: 'detached' });
    assert.equal((await named('Ends'))[0]!.expires_at, null);
  });

  test('rotate: with an overlap the old key still works; without one it does not', async () => {
    const old = await create({ name: 'To rotate', domains: ['127.0.0.1'] });
    const page = await dashboard.open('/keys?show=all', { scheme: 'dark' });
    await act(page, 'To rotate', 'Rotate');
    const dialog = page.getByRole('dialog', { name: 'Rotate “To rotate”' });
    await dialog.getByLabel('Overlap in hours').fill('25');
    await dialog.getByRole('button', { name: 'Rotate the key' }).click();
    await dialog.getByText('Enter a number from 0 to 24.').waitFor();
    await dialog.getByLabel('Overlap in hours').fill('2');
    await dialog.getByText(/^The old key works until/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Rotate the key' }).click();
    const shown = page.getByRole('dialog', { name: 'The new key is ready' });
    const secret = await secretOf(shown);
    await expectAccessible(page);
    const status = async (key: string) =>
      (await dashboard.service.scrape({ url: site.url, scraper: 'auto' }, { key })).status;
    assert.equal(await status(secret), 200);
    assert.equal(await status(old.key!), 200);
    const hours =
      (Date.parse((await named('To rotate')).find(({ id }) => id === old.id)!.expires_at!) - Date.now()) /
      3_600_000;
    assert.ok(hours > 1.9 && hours < 2.1);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });

    // The new key comes first.
    await expect(row(page, 'To rotate')).toHaveCount(2);
    await expect(row(page, 'To rotate').first()).toContainText(secret.slice(-4));
    await page.getByRole('button', { name: 'Actions for To rotate' }).first().click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await dialog.getByLabel('Overlap in hours').fill('0');
    await dialog.getByText('The old key stops at once.').waitFor();
    await dialog.getByRole('button', { name: 'Rotate the key' }).click();
    await shown.getByText('The old key has stopped.').waitFor();
    assert.equal(await status(secret), 401);
  });

  test('revoke asks for confirmation, also by keyboard; the focus returns; the URL keeps the filter', async () => {
    const key = await create({ name: 'To revoke' });
    const page = await dashboard.open('/keys');
    await page.getByText('The keys of others are on their pages, below Users.').waitFor();
    const button = page.getByRole('button', { name: 'Actions for To revoke' });
    await button.press('Enter');
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Revoke “To revoke”?' });
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect(button).toBeFocused();
    assert.equal((await dashboard.service.api('GET', '/api/v1/keys/', { key: null })).status, 401);
    await act(page, 'To revoke', 'Revoke');
    await dialog.getByRole('button', { name: 'Revoke the key' }).click();
    await row(page, 'To revoke').waitFor({ state: 'detached' });
    assert.equal((await dashboard.service.scrape({ url: site.url }, { key: key.key! })).status, 401);

    await page.getByText('All', { exact: true }).click();
    await page.waitForURL('**/keys?show=all');
    await row(page, 'To revoke')
      .getByRole('cell', { name: /^Revoked/ })
      .waitFor();
    await row(page, 'To revoke').getByRole('button').click();
    await expect(page.getByRole('menuitem')).toHaveText(['Who revoked it']);
    await expect(page.getByRole('menuitem')).toHaveAttribute('href', `/audit?target_id=${key.id}`);
    await page.reload();
    await row(page, 'To revoke')
      .getByRole('cell', { name: /^Revoked/ })
      .waitFor();
    await expectAccessible(page);
  });

  test('a key that another tab has revoked: the message of the service is shown', async () => {
    const key = await create({ name: 'Gone' });
    const page = await dashboard.open('/keys');
    await dashboard.service.api('DELETE', `/api/v1/keys/${key.id}/`);
    await act(page, 'Gone', 'Revoke');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('alert').getByText('There is no such key, or it is not yours.').waitFor();
  });

  test('a user sees only their own keys, also on a phone and in the dark theme', async () => {
    await create({ name: 'Of the administrator' });
    const user = await dashboard.user('own@example.com');
    const page = await dashboard.open('/keys', { as: user, size: NARROW, scheme: 'dark' });
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('Create and revoke your API keys.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Mine').getByText('Used never · 0 scrapes today').waitFor();
    await expect(page.getByText('Of the administrator')).toHaveCount(0);
    await expect(page.getByText('The keys of others')).toHaveCount(0);
    await expectToFit(page);
    await expectAccessible(page);
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`every dialog is accessible: ${scheme}`, async () => {
      const name = `Dialogs ${scheme}`;
      await create({ name, expires_at: new Date(Date.now() + 864e5).toISOString(), ips: ['192.0.2.0/24'] });
      const page = await dashboard.open('/keys?show=all', { scheme });
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      for (const action of ['Edit', 'Rotate', 'Revoke']) {
        await act(page, name, action);
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    });
  }

  test('names that contain scripts are shown as text', { skip: hostileTexts.skip }, async () => {
    const user = await dashboard.user('hostile@example.com');
    const page = await dashboard.page({ as: user });
    const ran = await watchForScripts(page);
    await page.goto('/keys');
    const names = hostileTexts.list((text) => text.trim() === text && text.length <= 100);
    assert.ok(names.length > 100, String(names.length));
    const refused = await page.evaluate(async (list) => {
      let count = 0;
      for (const name of list) {
        const { status } = await fetch('/api/v1/keys/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        });
        if (status !== 201) count++;
      }
      return count;
    }, names);
    assert.equal(refused, 0);
    await page.goto('/keys');
    await page.getByRole('row').nth(names.length).waitFor();
    const shown = page.locator('tbody tr td:first-child > span:first-child');
    await expect.poll(async () => (await shown.allTextContents()).toSorted()).toEqual(names.toSorted());
    for (const action of ['Edit', 'Rotate', 'Revoke']) {
      await page
        .getByRole('button', { name: /^Actions for <img/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByRole('dialog').getByText('<img').first().waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    assert.deepEqual(await ran(), []);
  });
});
