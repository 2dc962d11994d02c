import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { watchForScripts } from '../../dashboard/hostile.ts';
import { ADMIN, NARROW, useDashboard, WIDE } from '../../dashboard/use-dashboard.ts';

describe('account', () => {
  const dashboard = useDashboard();

  test('shows who is signed in, in both themes and on a phone', async () => {
    const user = await dashboard.user('me@example.com');
    for (const scheme of ['light', 'dark'] as const) {
      const page = await dashboard.open('/account', { as: user, scheme, size: NARROW });
      const profile = page.getByRole('region', { name: 'Profile' });
      await expect(profile).toHaveText(/me@example\.com.*User.*50 concurrent requests/s);
      await expectToFit(page);
      await expectAccessible(page);
    }
    const page = await dashboard.open('/account');
    await page.getByRole('region', { name: 'Profile' }).getByText('Administrator').waitFor();
    const second = page.getByRole('region', { name: 'Second factor' });
    await expect
      .poll(async () => (await second.boundingBox())?.x, 'the columns are of about the same height')
      .toBeGreaterThan(WIDE.width / 2);
    await expectAccessible(page);
  });

  test('changing the password: errors are shown at their fields; afterwards only the new password works', async () => {
    const user = await dashboard.user('changes@example.com');
    const other = await dashboard.open('/', { as: user });
    const page = await dashboard.open('/account', { as: user });
    const current = page.getByLabel('Current password', { exact: true });
    const next = page.getByLabel('New password', { exact: true });
    const again = page.getByLabel('Confirm password', { exact: true });
    const button = page.getByRole('button', { name: 'Change the password' });
    await button.click();
    await page.getByText('Enter your current password.').waitFor();
    await page.getByText('Use at least 8 characters.').waitFor();
    await current.fill('not mine at all');
    await next.fill('a better password');
    await again.fill('another password');
    await button.click();
    await page.getByText('The passwords do not match.').waitFor();
    await again.fill('a better password');
    await button.click();
    await page.getByText('The current password is wrong.').waitFor();
    await expectAccessible(page);
    await current.fill(user.password);
    await button.click();
    await page.getByText('Your password was changed').waitFor();
    await expect(current).toHaveValue('');
    await expect(next).toHaveValue('');
    assert.equal(await other.evaluate(async () => (await fetch('/api/v1/session/')).status), 401);
    assert.equal(await page.evaluate(async () => (await fetch('/api/v1/session/')).status), 200);
    await dashboard.open('/', { as: { ...user, password: 'a better password' } });
  });

  test('sessions: the current session is marked; one other can be ended, and all others together', async () => {
    const user = await dashboard.user('many@example.com');
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await dashboard.open('/', { as: user }));
    for (let i = 0; i < 4; i++) {
      const { status, text } = await dashboard.service.api('POST', '/api/v1/session/', {
        key: null,
        headers: { origin: dashboard.service.base },
        body: user,
      });
      assert.equal(status, 201, text);
    }
    const page = await dashboard.open('/account', { as: user, scheme: 'dark' });
    const sessions = page.getByRole('region', { name: 'Sessions' });
    // Setting the password has made one more session.
    await sessions.getByRole('listitem').nth(5).waitFor();
    await sessions.getByRole('button', { name: 'Show 3 more' }).click();
    await sessions.getByRole('listitem').nth(8).waitFor();
    const own = sessions.getByRole('listitem').filter({ hasText: 'This session' });
    await expect(own).toHaveCount(1);
    await expect(own.getByRole('button')).toHaveCount(0);
    await expect(own).toHaveText(/127\.0\.0\.1/);
    await sessions
      .getByRole('button', { name: /^Sign out (?!all)/ })
      .first()
      .click();
    await expect(sessions.getByRole('listitem')).toHaveCount(8);
    await sessions.getByRole('button', { name: 'Sign out all others' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out all other sessions?' });
    await dialog.getByText('7 other browsers are signed out').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Sign them out' }).click();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);
    await expect(sessions.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0);
    for (const other of others) {
      assert.equal(await other.evaluate(async () => (await fetch('/api/v1/session/')).status), 401);
    }
    assert.equal(await page.evaluate(async () => (await fetch('/api/v1/session/')).status), 200);
  });

  test('templates: created, with the errors of the service, changed and deleted', async () => {
    const user = await dashboard.user('templates@example.com');
    const page = await dashboard.open('/account', { as: user, size: NARROW });
    const templates = page.getByRole('region', { name: 'Templates' });
    await templates.getByRole('button', { name: 'Create a template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a template' });
    const rules = dialog.getByLabel('Rules as JSON');
    await dialog.getByLabel('Name').fill('product');
    await rules.fill('{"title": ');
    const create = dialog.getByRole('button', { name: 'Create the template' });
    await create.click();
    await dialog.getByText('Enter a JSON object').waitFor();
    await rules.fill('{"title": {"selector": "//h1[", "regex": "a"}}');
    await create.click();
    await dialog.getByText('the expression ends before it is complete').waitFor();
    await expectAccessible(page);
    await rules.fill('{"title": "//h1"}');
    await create.click();
    await dialog.waitFor({ state: 'detached' });
    const item = templates.getByRole('listitem');
    await expect(item).toHaveText(/product.*1 rule · version 1/s);
    const choose = async (action: string) => {
      await item.getByRole('button', { name: 'Actions for product' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Edit');
    const editor = page.getByRole('dialog', { name: 'Edit “product”' });
    await editor.getByLabel('Rules as JSON').fill('{"title": "h1", "price": ".price"}');
    await editor.getByRole('button', { name: 'Save' }).click();
    await item.getByText('2 rules · version 2').waitFor();
    await expectAccessible(page);
    await choose('Delete…');
    await page.getByRole('button', { name: 'Delete the template' }).click();
    await item.waitFor({ state: 'detached' });
  });

  test('the chosen theme is kept', async () => {
    const page = await dashboard.open('/account', { scheme: 'light' });
    const expectScheme = (scheme: string) =>
      expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
    await expectScheme('light');
    await page.getByRole('region', { name: 'Theme' }).getByText('Dark').click();
    await expectScheme('dark');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await expectScheme('dark');
  });

  test('the chosen language is kept', async () => {
    const page = await dashboard.open('/account');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor();
    await page.reload();
    const language = page.getByRole('combobox', { name: 'Sprache' });
    await expect(language).toHaveValue('de');
    await language.selectOption('English');
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  });

  test('a User-Agent that contains a script is shown as text, not run', async () => {
    const name = '<img src=x onerror=alert(1)><svg onload=alert(2)>';
    const signIn = await dashboard.service.api('POST', '/api/v1/session/', {
      key: null,
      headers: { origin: dashboard.service.base, 'user-agent': name },
      body: ADMIN,
    });
    assert.equal(signIn.status, 201, signIn.text);
    const page = await dashboard.page();
    const ran = await watchForScripts(page);
    await page.goto('/account');
    await page.getByText(name, { exact: true }).waitFor();
    assert.deepEqual(await ran(), []);
  });
});
