import { describe, test } from 'node:test';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';

describe('the documentation in a browser', () => {
  const dashboard = useDashboard();

  test('the dashboard links to it, and it links back', async () => {
    const page = await dashboard.open('/history');
    const [docs] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Documentation' }).click(),
    ]);
    await docs.getByRole('link', { name: 'Your first scrape' }).first().click();
    await docs.getByRole('heading', { level: 1, name: 'Your first scrape' }).waitFor();
    await docs.getByRole('link', { name: 'Dashboard' }).click();
    await expect(docs).toHaveURL('/');
  });

  test('the search finds an error code, and leads to its row, with the keyboard alone', async () => {
    const page = await dashboard.open('/docs', { as: null });
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox');
    await expect(search).toBeFocused();
    await page.keyboard.type('tls.invalid');
    // Enter opens the first result.
    await expect(page.locator('#results a').first()).toHaveText(/^Error codes: tls/);
    await expect(search).toBeFocused();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#tls*');
    await expect(page.locator(':target')).toHaveText(/^tls\./);
  });

  test('the search finds guides by the words of a job, before the contract', async () => {
    const page = await dashboard.open('/docs', { as: null });
    const first = page.locator('#results a').first();
    for (const words of ['login', 'infinite scroll', 'captcha', 'csv', 'pdf', 'slack']) {
      await page.getByRole('searchbox').fill(words);
      await expect(first).toHaveAttribute('href', /\/docs\/(?:guides|recipes)\//);
    }
  });

  test('a language that is chosen once is shown in all examples, with the keyboard too', async () => {
    const page = await dashboard.open('/docs/guides/extraction', { as: null });
    await page.getByRole('tab', { name: 'curl' }).first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    for (const path of ['/docs/guides/extraction', '/docs']) {
      await page.goto(path);
      await expect(page.getByRole('tab', { selected: true }).first()).toHaveText('Python');
      await expect(page.locator('.tabs .code:visible').first()).toContainText('sluice_client');
      await expect(page.locator('.tabs .code:visible', { hasText: 'curl -sS' })).toHaveCount(0);
    }
  });

  test('an example runs in the playground', async () => {
    const page = await dashboard.open('/docs');
    await page.getByRole('link', { name: 'Run in the playground' }).first().click();
    await expect(page.getByRole('textbox', { name: 'URL', exact: true })).toHaveValue(
      'https://shop.sluice.test/shop/SL-001',
    );
  });

  test('words that are nowhere are told', async () => {
    const page = await dashboard.open('/docs', { as: null });
    await page.getByRole('searchbox').fill('xyzzy');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Nothing found.').waitFor({ state: 'hidden' });
  });

  test('an example is copied as it stands', async () => {
    const page = await dashboard.page({ as: null });
    await page.goto('/docs/guides/first-scrape');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The button says so for a moment only, so time stands still.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const block = page.locator('.code', { hasText: 'curl' }).first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(() => block.locator('code').textContent()).toBe(copied);
  });

  test('on a phone the pages are in a menu, and nothing is wider than the screen', async () => {
    const page = await dashboard.open('/docs', { as: null, size: NARROW });
    for (const path of ['', '/errors', '/contract', '/guides/from-playwright']) {
      await page.goto(`/docs${path}`);
      await expectToFit(page);
    }
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Crawling' });
    await expect(link).toBeHidden();
    await page.getByRole('button', { name: 'Pages' }).click();
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Crawling' }).waitFor();
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`pages are accessible (${scheme})`, async () => {
      const page = await dashboard.open('/docs', { as: null, scheme });
      await expectAccessible(page);
      await page.goto('/docs/guides/first-scrape');
      await page.getByRole('searchbox').fill('proxy');
      await page.locator('#results a').first().waitFor();
      await expectAccessible(page);
    });
  }

  test('it takes the colors that the dashboard was set to', async () => {
    const page = await dashboard.open('/docs', { as: null, scheme: 'light' });
    const body = page.locator('body');
    await expect(body).toHaveCSS('background-color', 'rgb(247, 248, 250)');
    await page.evaluate(() => localStorage.setItem('sluice-color-scheme', 'dark'));
    await page.reload();
    await expect(body).toHaveCSS('background-color', 'rgb(12, 13, 17)');
  });
});
