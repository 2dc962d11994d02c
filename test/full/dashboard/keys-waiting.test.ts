import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';

describe('keys while the service responds slowly', () => {
  const dashboard = useDashboard();
  /** Holds back POST requests to these URLs. @returns a function that lets them continue */
  const holdPosts = async (page: Page, address: string) => {
    const gate = Promise.withResolvers<void>();
    await page.route(address, async (route) => {
      if (route.request().method() === 'POST') await gate.promise;
      await route.continue();
    });
    return gate.resolve;
  };
  const secretIn = (page: Page) => page.getByLabel('API key', { exact: true });

  test('a new key is shown, even if Escape is pressed while it is created', async () => {
    const page = await dashboard.open('/keys');
    const letContinue = await holdPosts(page, '**/api/v1/keys/');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Not lost');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await name.press('Enter');
    await sent;
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await expect(cancel).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(cancel).toBeDisabled();
    letContinue();
    await secretIn(page).waitFor();
  });

  test('the new key of a rotation is shown, even if Escape is pressed meanwhile', async () => {
    await dashboard.service.api('POST', '/api/v1/keys/', { body: { name: 'Turns' } });
    const page = await dashboard.open('/keys');
    const letContinue = await holdPosts(page, '**/rotate/');
    await page.getByRole('button', { name: 'Actions for Turns' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByLabel('Overlap in hours').press('Enter');
    await sent;
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await expect(cancel).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(cancel).toBeDisabled();
    letContinue();
    await secretIn(page).waitFor();
  });

  test('a very long domain does not make the page wider than a phone; a budget of one is written in the singular', async () => {
    const domains = [`${'sub'.repeat(15)}.${'sub'.repeat(15)}.example.com`];
    const body = { name: 'Long', domains, daily_budget: { amount: 1, unit: 'scrapes' } };
    await dashboard.service.api('POST', '/api/v1/keys/', { body });
    const page = await dashboard.open('/keys', { size: NARROW });
    await page
      .getByText(/1 scrape a day/)
      .filter({ visible: true })
      .waitFor();
    await expectToFit(page);
    const menu = page.getByRole('button', { name: 'Actions for Long' });
    await expect(async () => {
      const { x, width } = (await menu.boundingBox())!;
      expect(x + width, 'its menu is visible').toBeLessThanOrEqual(NARROW.width);
    }).toPass({ timeout: 20_000 });
  });
});
