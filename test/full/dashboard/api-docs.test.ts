import { describe, test } from 'node:test';
import { expect } from '../../dashboard/expect.ts';
import { useDashboard } from '../../dashboard/use-dashboard.ts';

describe('the reference of the API at /docs/api', () => {
  const dashboard = useDashboard();

  test('the example command works once the key is filled in', async () => {
    const page = await dashboard.page();
    await page.goto('/docs/api');
    await page.locator('aside').getByText('Scrapes').first().click();
    const shown = page.locator('pre', { hasText: 'curl' }).first();
    await expect(shown).toContainText(/--header 'Authorization: Api-Key YOUR_KEY'/);
  });

  test('operations that only the dashboard calls are in a separate group after the others', async () => {
    const page = await dashboard.page();
    await page.goto('/docs/api');
    const names = page.locator('aside');
    await names.getByText('Session').first().waitFor();
    await expect(names.first()).toContainText(
      /API[\s\S]*Scrapes[\s\S]*Jobs[\s\S]*Proxies[\s\S]*Vendors[\s\S]*System[\s\S]*Dashboard[\s\S]*Session/,
    );
  });
});
