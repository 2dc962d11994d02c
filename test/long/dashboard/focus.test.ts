import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect } from '../../dashboard/expect.ts';
import { useDashboard } from '../../dashboard/use-dashboard.ts';

describe('the keyboard focus after an action on a row of a list', () => {
  const dashboard = useDashboard();
  /** Waits until the element with this label or id has the focus, and no dialog is open. */
  const focused = (page: Page, name: string) =>
    page.waitForFunction((wanted) => {
      const { activeElement } = document;
      return (
        document.querySelector('[role="dialog"]') === null &&
        (activeElement?.getAttribute('aria-label') ?? activeElement?.id) === wanted
      );
    }, name);
  /** Waits until what has opened has taken the focus: a key pressed before would go elsewhere. */
  const opened = async (page: Page, role: 'menu' | 'dialog') => {
    const part = page.getByRole(role);
    await expect.poll(() => part.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    // It takes the focus once more in a timer that has been set by now.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    return part;
  };
  const act = async (page: Page, name: string, action: string, confirm: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter');
    const menu = await opened(page, 'menu');
    await menu.getByRole('menuitem', { name: action }).press('Enter');
    const dialog = await opened(page, 'dialog');
    await dialog.getByRole('button', { name: confirm }).press('Enter');
  };

  for (const show of ['active', 'all']) {
    test(`after revoking a key, the focus is on the next key, else on the previous one, else on the page (${show})`, async () => {
      const page = await dashboard.open('/account', { as: await dashboard.user(`${show}@example.com`) });
      for (const name of ['third', 'second', 'first'])
        await page.evaluate(async (body) => {
          const headers = { 'content-type': 'application/json' };
          await fetch('/api/v1/keys/', { method: 'POST', headers, body });
        }, JSON.stringify({ name }));
      await page.goto(show === 'all' ? '/keys?show=all' : '/keys');
      for (const [name, next] of [
        ['second', 'Actions for third'],
        ['third', 'Actions for first'],
        // Revoked keys have no menu. If the filter shows them, the table still exists and gets the focus.
        ['first', show === 'all' ? 'API keys' : 'main'],
      ] as const) {
        await act(page, name, 'Revoke', 'Revoke the key');
        await focused(page, next);
      }
    });
  }

  test('after rotating a key without an overlap', async () => {
    const page = await dashboard.open('/account', { as: await dashboard.user('rotates@example.com') });
    await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      await fetch('/api/v1/keys/', { method: 'POST', headers, body: '{"name":"old"}' });
    });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Actions for old' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByLabel('Overlap in hours').fill('0');
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await focused(page, 'Actions for old');
  });

  test('after disabling and enabling a user', async () => {
    const { email } = await dashboard.user('tom@example.com');
    const page = await dashboard.open('/users');
    for (const action of ['Disable', 'Enable']) {
      await act(page, email, action, `${action} the user`);
      await focused(page, `Actions for ${email}`);
    }
  });

  test('after ending a session, the focus is on the next session, else on the page', async () => {
    const user = await dashboard.user('sessions@example.com');
    for (const _ of [1, 2]) await dashboard.open('/account', { as: user });
    const page = await dashboard.open('/account', { as: user });
    const end = page.getByRole('button', { name: /^Sign out (?!all)/ });
    // Those of the two other pages, and the one in which the user has set the password.
    for (let left = 3; left > 0; left--) {
      await expect(end).toHaveCount(left);
      const next = left > 1 ? await end.nth(1).getAttribute('aria-label') : 'main';
      await end.first().press('Enter');
      await expect(end).toHaveCount(left - 1);
      await focused(page, next!);
    }
  });

  test('filtering by host leaves the focus in the field', async () => {
    const page = await dashboard.open('/history');
    const field = page.getByRole('textbox', { name: 'Host' });
    await field.fill('https://example.com/some/page');
    await field.press('Enter');
    await page.waitForURL('**/history?host=example.com');
    await focused(page, 'Host');
    await expect(field).toHaveValue('example.com');
    await page.getByRole('button', { name: 'Remove Host example.com' }).click();
    await page.waitForURL('**/history');
    await expect(field).toHaveValue('');
  });
});
