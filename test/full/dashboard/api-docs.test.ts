import { describe, test } from 'node:test';
import { expect } from '../../dashboard/expect.ts';
import { useDashboard } from '../../dashboard/use-dashboard.ts';

/** The page draws the whole reference before it answers a click: that takes seconds of processor time. */
const DRAWN_MS = 120_000;

describe('the reference of the API at /docs/api', () => {
  const dashboard = useDashboard();

  test('it lists the operations by group, and the example command works once the key is filled in', async () => {
    const page = await dashboard.page();
    page.setDefaultTimeout(DRAWN_MS);
    await page.goto('/docs/api');
    const names = page.locator('aside');
    await names.getByText('Session').first().waitFor();
    // Operations that only the dashboard calls are in a separate group after the others.
    await expect(names.first()).toContainText(
      /API[\s\S]*Scrapes[\s\S]*Jobs[\s\S]*Proxies[\s\S]*Vendors[\s\S]*System[\s\S]*Dashboard[\s\S]*Session/,
    );
    await names.getByText('Scrapes').first().click();
    const shown = page.locator('pre', { hasText: 'curl' }).first();
    await expect(shown).toContainText(/--header 'Authorization: Api-Key YOUR_KEY'/, { timeout: DRAWN_MS });
  });
});
