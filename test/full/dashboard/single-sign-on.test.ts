import { after, before, describe, test } from 'node:test';
import { expect } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { freePort } from '../../helpers/free-port.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOpenIdProvider,
  type TestProvider,
} from '../../helpers/open-id-provider.ts';

const port = await freePort();
const providerPort = await freePort();

describe('single sign-on', () => {
  const people = { 'sub-ada': { email: 'ada@example.com', email_verified: true } };
  const dashboard = useDashboard(
    {
      SLUICE_OIDC_ISSUER: `http://127.0.0.1:${providerPort}`,
      SLUICE_OIDC_CLIENT_ID: CLIENT_ID,
      SLUICE_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      SLUICE_OIDC_NAME: 'Example Login',
      SLUICE_OIDC_SIGN_UP: 'true',
    },
    { port },
  );
  const redirectUri = `http://127.0.0.1:${port}/api/v1/session/oidc/callback/`;
  let provider: TestProvider | undefined;
  before(async () => {
    provider = await startOpenIdProvider(providerPort, [redirectUri], people);
  });
  after(async () => {
    await provider?.[Symbol.asyncDispose]();
  });

  test('leads over the provider to the page that was requested; an administrator unlinks the user', async () => {
    // The page of the provider has no icon.
    dashboard.allow(/favicon|404/);
    const page = await dashboard.open('/history?outcome=failed', { as: null });
    await page.waitForURL('**/sign-in?next=*');
    await page.getByRole('link', { name: 'Sign in with Example Login' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    await page.getByLabel('Subject').fill('sub-ada');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/history?outcome=failed');
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await page.goto('/account');
    await page.getByText('You have no password.').waitFor();

    const users = await dashboard.open('/users');
    const row = users.getByRole('row').filter({ hasText: 'ada@example.com' });
    await row.getByText('None, single sign-on').waitFor();
    await row.getByText('Active').waitFor();
    await users.getByRole('button', { name: 'Actions for ada@example.com' }).click();
    await users.getByRole('menuitem', { name: 'Unlink from single sign-on' }).click();
    await users.getByRole('button', { name: 'Unlink the user' }).waitFor();
    await expectAccessible(users);
    await users.getByRole('button', { name: 'Unlink the user' }).click();
    await users.getByText('ada@example.com is no longer linked').waitFor();
    await row.getByText('Not set').waitFor();
  });

  test('who cancels is told so, and signs in by the same button', async () => {
    dashboard.allow(/favicon|404/);
    const page = await dashboard.open('/sign-in?next=%2Fkeys', { as: null, size: NARROW, scheme: 'dark' });
    await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    await page.getByLabel('Subject').fill('cancel');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('You have cancelled the sign-in').waitFor();
    await expectAccessible(page);
    const button = page.getByRole('link', { name: 'Sign in with Example Login' });
    await expect(button).toHaveAttribute('href', /\/start\/\?next=%2Fkeys$/);
    await page.goto('/sign-in?error=made-up');
    await page.getByRole('link', { name: 'Sign in with Example Login' }).waitFor();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
