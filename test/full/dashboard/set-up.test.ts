import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';

describe('a set-up link', () => {
  const dashboard = useDashboard();

  async function linkFor(email: string): Promise<string> {
    const user = await dashboard.service.api<{ id: string }>('POST', '/api/v1/users/', {
      body: { email, role: 'user' },
    });
    const link = await dashboard.service.api<{ url: string }>('POST', `/api/v1/users/${user.body.id}/link/`);
    const { pathname, hash } = new URL(link.body.url);
    return pathname + hash;
  }

  const usedUp = (page: Page) => page.getByRole('heading', { name: 'This link no longer works' }).waitFor();

  test('sets the password and signs in, once', async () => {
    const link = await linkFor('new@example.com');
    const page = await dashboard.open(link, { as: null, size: NARROW });
    await page.getByText('new@example.com').waitFor();
    await expectAccessible(page);
    const password = page.getByLabel('New password');
    const save = page.getByRole('button', { name: 'Set the password and sign in' });
    await password.fill('short');
    await page.getByLabel('Confirm password').fill('shorter');
    await save.click();
    await page.getByText('Use at least 8 characters.').waitFor();
    await page.getByText('The passwords do not match.').waitFor();
    await expectAccessible(page);
    await password.fill('four words in row');
    await page.getByText('Strong', { exact: false }).first().waitFor();
    await page.getByLabel('Confirm password').fill('four words in row');
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect(page, 'the secret is gone from the address').toHaveURL(({ hash }) => hash === '');
    const again = await dashboard.open(link, { as: null });
    await usedUp(again);
    await expectAccessible(again);
  });

  test('an unknown, incomplete or missing link shows what to do', async () => {
    for (const hash of ['', '#', '#unknown', `#${'x'.repeat(300)}`]) {
      await usedUp(await dashboard.open(`/set-up${hash}`, { as: null, scheme: 'dark' }));
    }
  });
});
