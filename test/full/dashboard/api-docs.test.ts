import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useDashboard } from '../../dashboard/use-dashboard.ts';

describe('the reference of the API at /docs/api', () => {
  const dashboard = useDashboard();

  test('the example command works once the key is filled in', async () => {
    const page = await dashboard.page();
    await page.goto('/docs/api');
    await page.locator('aside').getByText('Scrapes').first().click({ timeout: 30_000 });
    const shown = page.locator('pre', { hasText: 'curl' }).first();
    const text = await shown.textContent({ timeout: 30_000 });
    assert.match(text ?? '', /--header 'Authorization: Api-Key YOUR_KEY'/);
  });

  test('operations that only the dashboard calls are in a separate group after the others', async () => {
    const page = await dashboard.page();
    await page.goto('/docs/api');
    const names = page.locator('aside');
    await names.getByText('Session').first().waitFor({ timeout: 30_000 });
    const text = await names.first().textContent();
    assert.match(text ?? '', /API[\s\S]*Scrapes[\s\S]*Service[\s\S]*Dashboard[\s\S]*Session/);
  });
});
