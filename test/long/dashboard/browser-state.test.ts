import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { expect } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, settled, useDashboard } from '../../dashboard/use-dashboard.ts';

/** A namespace without an unprivileged user, so that no browser can start. */
const ALONE = ['unshare', '--user', '--map-root-user'];
const noPlace =
  spawnSync(ALONE[0]!, [...ALONE.slice(1), 'true']).status !== 0 && 'user namespaces cannot be had';
const noBrowser = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('if no browser can run', { skip: noPlace }, () => {
  const dashboard = useDashboard({}, { wrap: ALONE });

  test('the overview and the playground say so, with the reason', async () => {
    const { body } = await dashboard.service.api<{ items: { name: string; reason: string | null }[] }>(
      'GET',
      '/api/v1/scrapers/',
    );
    const reason = body.items.find(({ name }) => name === 'browser')!.reason!;
    assert.ok(reason.length > 10, reason);
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const first = await dashboard.open('/', options);
      const notice = first.getByRole('status').filter({ hasText: 'No browser is available' });
      await notice.filter({ hasText: reason }).waitFor();
      await expectAccessible(first);
    }
    // The message stays when there are figures to show.
    await dashboard.service.scrape({ url: 'http://127.0.0.1:9/' });
    const later = await dashboard.open('/');
    await later.getByText('No browser is available').waitFor();
    await expectAccessible(later);

    const page = await dashboard.open('/playground');
    await page.getByRole('tab', { name: 'Scraper' }).click();
    await page.getByRole('combobox', { name: 'Scraper' }).click();
    const browser = page.getByRole('option', { name: /^browser(?!_)/ });
    await expect(browser).toHaveAttribute('data-combobox-disabled', 'true');
    await expect(browser).toContainText(reason);
    await page.keyboard.press('Escape');
    await expect(browser).toBeHidden();
    await expect(page.getByLabel('Browser type')).toHaveCount(0);
    await page.getByRole('tab', { name: 'Wait' }).click();
    await page.getByText('Waits and page actions need a browser, and none is available').waitFor();
    await expectAccessible(page);
  });
});

describe('if browsers run without a sandbox', { skip: noBrowser }, () => {
  const dashboard = useDashboard({ SLUICE_BROWSER_SANDBOX: 'off' });

  test('the overview says so', async () => {
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open('/', options);
      await page.getByText('Browsers run without their sandbox').waitFor();
      await page.getByText('SLUICE_BROWSER_SANDBOX is off').waitFor();
      await expectAccessible(page);
    }
  });
});

describe('if browsers run normally', { skip: noBrowser }, () => {
  const dashboard = useDashboard();

  test('the overview does not mention them, and the playground names the browser that is used', async () => {
    const { body } = await dashboard.service.api<{
      browsers: { items: { browser_type: string; version: string; used: boolean }[] };
    }>('GET', '/api/v1/scrapers/');
    const used = body.browsers.items.find(({ browser_type, used }) => used && browser_type === 'chromium')!;
    const overview = await dashboard.page();
    const isReady = overview.waitForResponse('**/readyz');
    await overview.goto('/');
    await settled(overview);
    await overview.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await (await isReady).finished();
    const page = await dashboard.open('/playground');
    await page.getByRole('tab', { name: 'Scraper' }).click();
    await page.getByRole('combobox', { name: 'Browser type' }).click();
    await page
      .getByRole('option', { name: /^chromium/ })
      .filter({ hasText: used.version })
      .waitFor();
    const webkit = page.getByRole('option', { name: /^webkit/ });
    await expect(webkit).toHaveAttribute('data-combobox-disabled', 'true');
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    // By now, the overview shows what it has read of the browsers.
    await expect(overview.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    await expect(overview.getByText(/sandbox|No browser is available|does not start/)).toHaveCount(0);
  });
});
