import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectAccessible } from './expect-accessible.ts';
import { ADMIN, NARROW, useDashboard } from './use-dashboard.ts';

describe('sign-in', () => {
  const dashboard = useDashboard();

  test('leads in, back to where one wanted to go, and out again', async () => {
    const page = await dashboard.open('/history?outcome=failed', { as: null });
    await page.waitForURL('**/sign-in?next=*');
    await expectAccessible(page);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/history?outcome=failed');
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await page.getByRole('button', { name: `Account of ${ADMIN.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/keys');
    await page.waitForURL('**/sign-in?next=*');
  });

  test('says that it was wrong, and keeps what was typed', async () => {
    const page = await dashboard.open('/sign-in', { as: null, size: NARROW, scheme: 'dark' });
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByLabel('E-mail').inputValue(), ADMIN.email);
    await expectAccessible(page);
  });

  test('whoever is in already goes on; to other sites it never leads', async () => {
    for (const next of [
      '//evil.example/',
      'https://evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const page = await dashboard.open(`/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      assert.equal(new URL(page.url()).origin, dashboard.service.base, next);
    }
  });

  test('a session that has ended leads to sign-in at the next call', async () => {
    const page = await dashboard.open('/');
    await page.context().clearCookies();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.waitForURL('**/sign-in*');
  });
});
