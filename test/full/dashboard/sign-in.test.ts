import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { ADMIN, NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';

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

  test('a request that was shared as a link is still there behind sign-in, and on no wire before', async () => {
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
    assert.equal(await page.getByRole('textbox', { name: 'URL' }).inputValue(), 'https://example.com/shared');
    const sent = told.map((url) => decodeURIComponent(url.split('#', 1)[0]!));
    assert.deepEqual(
      sent.filter((url) => url.includes('request=')),
      [],
    );
  });

  test('a pause after wrong passwords is told once', async () => {
    const page = await dashboard.open('/sign-in', { as: null });
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    const pause = page.getByRole('alert').getByText(/try again in/i);
    for (let tries = 0; (await pause.count()) === 0; tries++) {
      assert.ok(tries < 10);
      const answered = page.waitForResponse('**/api/v1/session/');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await answered;
      await page.getByRole('alert').waitFor();
    }
    assert.equal((await pause.textContent())!.match(/try again in/gi)!.length, 1);
  });

  test('without a network the service may still be there; if not, that is said at once', async () => {
    dashboard.allow(/ERR_INTERNET_DISCONNECTED/);
    const page = await dashboard.open('/sign-in', { as: null });
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    // A computer that has no way out reaches itself all the same.
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false });
      window.dispatchEvent(new Event('offline'));
    });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
