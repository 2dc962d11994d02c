import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expect } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { ADMIN, NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';

describe('sign-in', () => {
  const dashboard = useDashboard();

  test('leads to the page that was requested; signing out ends the session', async () => {
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

  test('says that the credentials are wrong, and keeps the input', async () => {
    const page = await dashboard.open('/sign-in', { as: null, size: NARROW, scheme: 'dark' });
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await expect(page.getByLabel('E-mail')).toHaveValue(ADMIN.email);
    await expectAccessible(page);
  });

  test('a signed-in user is redirected to the requested page, but never to another site', async () => {
    for (const next of [
      '//evil.example/',
      'https://evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const page = await dashboard.open(`/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await expect(page, next).toHaveURL(({ origin }) => origin === dashboard.service.base);
    }
  });

  test('when the session has ended, the next API call leads to sign-in', async () => {
    const page = await dashboard.open('/');
    await page.context().clearCookies();
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.waitForURL('**/sign-in*');
  });

  test('a request in a shared link is kept through sign-in, and is not sent to the server before', async () => {
    const text = '{"url":"https://example.com/shared"}';
    const page = await dashboard.page({ as: null });
    const told: string[] = [];
    page.on('request', (request) => told.push(request.url(), request.headers().referer ?? ''));
    const fragment = `#request=${Buffer.from(text).toString('base64url')}`;
    await page.goto(`/playground${fragment}`);
    await page.waitForURL(`**/sign-in?next=*${fragment}`);
    await page.reload();
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/playground');
    await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue('https://example.com/shared');
    const sent = told.map((url) => decodeURIComponent(url.split('#', 1)[0]!));
    assert.deepEqual(
      sent.filter((url) => url.includes('request=')),
      [],
    );
  });

  test('the pause after wrong passwords is shown once', async () => {
    const page = await dashboard.open('/sign-in', { as: null });
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    const pause = page.getByRole('alert').getByText(/try again in/i);
    for (let status = 401, tries = 0; status !== 429; tries++) {
      assert.equal(status, 401);
      assert.ok(tries < 10);
      const answered = page.waitForResponse('**/api/v1/session/');
      await page.getByRole('button', { name: 'Sign in' }).click();
      status = (await answered).status();
    }
    await expect(pause).toHaveText(/^((?!try again in).)*try again in((?!try again in).)*$/i);
  });

  test('offline, sign-in says that the service cannot be reached; it is tried anyway, because the service may be local', async () => {
    dashboard.allow(/ERR_INTERNET_DISCONNECTED/);
    const page = await dashboard.open('/sign-in', { as: null });
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    // A computer without a network still reaches a service on itself.
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false });
      window.dispatchEvent(new Event('offline'));
    });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
