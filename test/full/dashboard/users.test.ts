import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { hostileTexts, watchForScripts } from '../../dashboard/hostile.ts';
import { ADMIN, NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { type MailServer, startMailServer } from '../../helpers/mail-server.ts';

interface User {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly concurrency: number;
  readonly disabled_at: string | null;
}

describe('users', () => {
  let mail: MailServer;
  const env: NodeJS.ProcessEnv = { SLUICE_SMTP_FROM: 'sluice@example.com' };
  before(async () => {
    mail = await startMailServer({ noTls: true, unknown: ['unknown@example.com'] });
    env.SLUICE_SMTP_URL = `smtp://127.0.0.1:${mail.port}`;
  });
  const dashboard = useDashboard(env);
  after(() => mail[Symbol.asyncDispose]());
  const found = async (email: string): Promise<User | undefined> => {
    const { body } = await dashboard.service.api<{ items: User[] }>('GET', '/api/v1/users/');
    return body.items.find((user) => user.email === email);
  };
  const pending = (page: Page) => page.getByRole('table', { name: 'Invited users' });
  const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });
  const act = async (page: Page, email: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  test('an invitation: mailed, its link shown once; it works, and the person is a user', async () => {
    const page = await dashboard.page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/users');
    await row(page, ADMIN.email).getByText('You').waitFor();
    await page.getByRole('button', { name: 'Invite a user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a user' });
    await dialog.getByRole('button', { name: 'Invite the user' }).click();
    await dialog.getByText('Enter an e-mail address').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('E-mail').fill(ADMIN.email);
    await dialog.getByRole('button', { name: 'Invite the user' }).click();
    await dialog.getByText('A user with the e-mail').waitFor();
    await dialog.getByLabel('E-mail').fill('lena@example.com');
    await dialog.getByLabel('Viewer').check();
    await dialog.getByRole('button', { name: 'Invite the user' }).click();
    const added = page.getByRole('dialog', { name: 'User invited' });
    await added.getByText('The link was mailed to').waitFor();
    const link = (await added.getByLabel('set-up link', { exact: true }).textContent())!;
    await mail.received(link);
    await added.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await expectAccessible(page);
    await added.getByRole('button', { name: 'Done' }).click();
    await added.waitFor({ state: 'detached' });
    await expect(page.getByText(link)).toHaveCount(0);
    const invited = pending(page).getByRole('row').filter({ hasText: 'lena@example.com' });
    await expect(invited).toHaveText(
      /Viewer.*Pending.*(just now|\d minutes? ago)\d+ \w+( 20\d\d)?, \d\d:\d\d$/s,
    );
    await expect(row(page, 'lena@example.com'), 'not in both lists').toHaveCount(1);
    await expect(row(page, ADMIN.email)).toHaveText(/Administrator.*Set.*default 50/s);
    await expectAccessible(page);

    const hers = await dashboard.open(link, { as: null });
    await hers.getByRole('heading', { level: 1, name: 'Welcome to Sluice' }).waitFor();
    await hers.getByText('Set a password for lena@example.com.').waitFor();
    await expectAccessible(hers);
    await hers.getByLabel('New password').fill('a good long password');
    await hers.getByLabel('Confirm password').fill('a good long password');
    await hers.getByRole('button', { name: 'Set the password and sign in' }).click();
    await hers.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.reload();
    await row(page, 'lena@example.com').getByText('Active').waitFor();
    await expect(pending(page)).toHaveCount(0);
  });

  test('a pending invitation is sent again, gets another role, expires, is revoked', async () => {
    const page = await dashboard.open('/users', { size: NARROW, scheme: 'dark' });
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('unknown@example.com');
    await page.getByRole('button', { name: 'Invite the user' }).click();
    await page.getByText('The mail was not sent').waitFor();
    await page.getByText('The mail server').waitFor();
    const first = (await page.getByLabel('set-up link', { exact: true }).textContent())!;
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await act(page, 'unknown@example.com', 'Role and limit');
    await page.getByLabel('Administrator').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await pending(page).getByText('Administrator · expires').waitFor();
    await act(page, 'unknown@example.com', 'Send again');
    await page.getByText('The earlier link stops working.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send again' }).click();
    const second = (await page.getByLabel('set-up link', { exact: true }).textContent())!;
    assert.notEqual(second, first);
    await page.getByRole('button', { name: 'Done' }).click();
    const old = await dashboard.open(first, { as: null });
    await old.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    // A user without a link has the state of an invitation that has expired.
    await dashboard.service.api('POST', '/api/v1/users/', { body: { email: 'late@example.com' } });
    await page.reload();
    await row(page, 'late@example.com').getByText('Expired', { exact: true }).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    // The users may be loaded after the invitations.
    const menuUsed = Promise.withResolvers<void>();
    await page.route('**/api/v1/users/', async (route) => {
      await menuUsed.promise;
      await route.continue();
    });
    await page.reload();
    await act(page, 'late@example.com', 'Role and limit');
    menuUsed.resolve();
    await page
      .getByRole('dialog', { name: 'Role and limit' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
    for (const email of ['unknown@example.com', 'late@example.com']) {
      await act(page, email, 'Revoke');
      await page.getByRole('dialog', { name: 'Revoke the invitation?' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Revoke the invitation' }).click();
      await page.getByText(`The invitation of ${email} is revoked.`).waitFor();
      await row(page, email).waitFor({ state: 'detached' });
      assert.equal(await found(email), undefined);
    }
    await expect(pending(page)).toHaveCount(0);
  });

  test('role and limit: an empty limit is the default', async () => {
    await dashboard.user('ben@example.com');
    const page = await dashboard.open('/users', { scheme: 'dark' });
    await act(page, 'ben@example.com', 'Role and limit');
    const dialog = page.getByRole('dialog', { name: 'Role and limit' });
    await dialog.getByLabel('Administrator').check();
    await dialog.getByLabel('Concurrent requests').fill('0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByLabel('Concurrent requests').and(page.locator('[aria-invalid="true"]')).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Concurrent requests').fill('75');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'ben@example.com').getByRole('cell', { name: '75', exact: true }).waitFor();
    const { role, concurrency } = (await found('ben@example.com'))!;
    assert.deepEqual({ role, concurrency }, { role: 'admin', concurrency: 75 });
    await act(page, 'ben@example.com', 'Role and limit');
    await dialog.getByLabel('User', { exact: true }).check();
    await dialog.getByLabel('Concurrent requests').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'ben@example.com').getByRole('cell', { name: 'default 50', exact: true }).waitFor();
    await act(page, 'ben@example.com', 'Role and limit');
    await dialog.getByLabel('Concurrent requests').fill('50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'ben@example.com').getByRole('cell', { name: '50', exact: true }).waitFor();
    await act(page, 'ben@example.com', 'Role and limit');
    await expect(dialog.getByLabel('Concurrent requests')).toHaveValue('50');
  });

  test('the last administrator cannot be disabled or lose the role; the message of the service is shown', async () => {
    const page = await dashboard.open('/users');
    await act(page, ADMIN.email, 'Role and limit');
    await page.getByLabel('User', { exact: true }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is the last administrator. Create another one first.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await act(page, ADMIN.email, 'Disable');
    await page.getByRole('button', { name: 'Disable the user' }).click();
    await page
      .getByRole('alert')
      .getByText('This is the last administrator. Create another one first.')
      .waitFor();
    await expectAccessible(page);
  });

  test('disabling a user ends their sessions; after enabling they can sign in again', async () => {
    const tom = await dashboard.user('tom@example.com');
    const his = await dashboard.open('/', { as: tom });
    const page = await dashboard.open('/users', { size: NARROW, scheme: 'dark' });
    await act(page, 'tom@example.com', 'Disable');
    await page.getByRole('dialog', { name: 'Disable the user?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Disable the user' }).click();
    await row(page, 'tom@example.com').getByText('Disabled').waitFor();
    assert.ok((await found('tom@example.com'))!.disabled_at !== null);
    assert.equal(await his.evaluate(async () => (await fetch('/api/v1/session/')).ok), false);
    await expectToFit(page);
    await expectAccessible(page);
    await his.reload();
    await his.getByText('The user is disabled').first().waitFor();
    await expectAccessible(his);
    await his.getByRole('link', { name: 'Sign in as another user' }).click();
    await his.getByLabel('E-mail').waitFor();
    await act(page, 'tom@example.com', 'Enable');
    await page.getByRole('button', { name: 'Enable the user' }).click();
    await row(page, 'tom@example.com').getByText('Active').waitFor();
    const again = await dashboard.open('/', { as: tom });
    await again.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('a new reset link replaces the previous one; the focus returns', async () => {
    const eva = await dashboard.user('eva@example.com');
    const page = await dashboard.open('/users');
    const links: string[] = [];
    for (const _ of [1, 2]) {
      await act(page, eva.email, 'Reset the password');
      await page.getByText('The current password works').waitFor();
      await page.getByRole('button', { name: 'Create the link' }).click();
      links.push((await page.getByLabel('set-up link', { exact: true }).textContent())!);
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('button', { name: `Actions for ${eva.email}` })).toBeFocused();
    }
    const old = await dashboard.open(links[0]!, { as: null });
    await old.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    const good = await dashboard.open(links[1]!, { as: null });
    await good.getByText(eva.email).waitFor();
  });

  test('users who are not administrators do not see the page', async () => {
    const user = await dashboard.user('plain@example.com');
    const page = await dashboard.open('/users', { as: user });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expect(page.getByText(ADMIN.email)).toHaveCount(0);
    await page.goto('/');
    await page.getByRole('link', { name: 'API keys' }).waitFor();
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
    assert.equal(await page.evaluate(async () => (await fetch('/api/v1/users/')).status), 403);
  });

  test('an administrator who gives up the role leaves the page', async () => {
    const second = await dashboard.user('second@example.com', 'admin');
    const page = await dashboard.open('/users', { as: second });
    await act(page, second.email, 'Role and limit');
    await page.getByLabel('User', { exact: true }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  });

  test('the URL keeps the search for an e-mail; the page says if no user matches', async () => {
    await dashboard.user('needle@example.com');
    const page = await dashboard.open('/users');
    await page.getByLabel('Find by e-mail').fill('NEEDLE');
    await page.waitForURL('**/users?q=NEEDLE');
    await page.reload();
    await row(page, 'needle@example.com').waitFor();
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByLabel('Find by e-mail').fill('nobody');
    await page.getByRole('heading', { name: 'No such user' }).waitFor();
    await expectAccessible(page);
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`every dialog is accessible: ${scheme}`, async () => {
      const email = `dialogs-${scheme}@example.com`;
      const page = await dashboard.open('/users', { scheme });
      await page.getByRole('button', { name: 'Invite a user' }).click();
      await page.getByRole('dialog').getByLabel('E-mail').fill(email);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Invite the user' }).click();
      await page.getByLabel('set-up link', { exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectAccessible(page);
      for (const action of ['Role and limit', 'Send again', 'Revoke']) {
        await act(page, email, action);
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    });
  }

  test('e-mails that contain scripts are shown as text', { skip: hostileTexts.skip }, async () => {
    const emails = hostileTexts
      .list((text) => !/[\s@]/.test(text) && text.length <= 200)
      .map((text) => `${text}@x.example`);
    assert.ok(emails.length > 20, String(emails.length));
    for (const email of emails) {
      const { status, text } = await dashboard.service.api('POST', '/api/v1/users/', { body: { email } });
      assert.equal(status, 201, text);
    }
    const page = await dashboard.page();
    const ran = await watchForScripts(page);
    await page.goto('/users');
    await page.getByRole('row').nth(emails.length).waitFor();
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll('tbody tr td:first-child > span:first-child')].map(
        ({ textContent }) => textContent,
      ),
    );
    for (const email of emails) assert.ok(shown.includes(email), email);
    const email = emails.find((one) => one.toLowerCase().startsWith('<img'))!;
    assert.deepEqual(await ran(), []);
    await page.goto(`/users?q=${encodeURIComponent(email)}`);
    for (const action of ['Role and limit', 'Send again', 'Revoke']) {
      await act(page, email, action);
      await page.getByRole('dialog').getByText(email).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    assert.deepEqual(await ran(), []);
  });
});
