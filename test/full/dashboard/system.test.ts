import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatBytes } from '../../../dashboard/src/ui/format.ts';
import { chromiums } from '../../adapters/browser/stage.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';

const noBrowser = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
interface Machine {
  readonly machine: Readonly<
    Record<'memory' | 'disk', { readonly total_bytes: number; readonly short: boolean }>
  >;
}

describe('the page System', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard();

  test('shows the state of the service before a browser was needed', async () => {
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open('/system', options);
      await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
      await region(page, 'Process')
        .getByText(/^Sluice \d+\.\d+\.\d+, Node 2\d\./)
        .waitFor();
      const machine = async () =>
        (await dashboard.service.api<Machine>('GET', '/api/v1/system/')).body.machine;
      for (const [name, kind] of [
        ['Memory of this machine', 'memory'],
        ['Disk space', 'disk'],
      ] as const) {
        const { total_bytes: total } = (await machine())[kind];
        const figure = region(page, name);
        // The number, the bar and the sentence agree. The free bytes change meanwhile.
        await figure.getByText(/^[\d.]+ % in use$/).waitFor();
        const meter = figure.getByRole('meter', { name: /in use$/ });
        await expect(meter).toHaveAttribute('aria-valuemax', String(total));
        await figure.getByText(new RegExp(`^[\\d.]+ .B of ${formatBytes(total)} free$`)).waitFor();
        // Other programs on the machine may change it meanwhile.
        await expect(async () => {
          const word = (await machine())[kind].short ? 'short' : 'good';
          await expect(figure.getByText(word, { exact: true })).toBeVisible({ timeout: 10_000 });
        }).toPass({ timeout: 60_000 });
      }
      await region(page, 'Storage').getByRole('meter', { name: 'Storage in use' }).waitFor();
      await region(page, 'Memory for contents').getByText('No queue').waitFor();
      await region(page, 'Browser slots').getByText('No queue').waitFor();
      await region(page, 'Requests in flight').getByText('50').waitFor();
      const charts = region(page, 'Over time');
      await charts.getByRole('slider', { name: 'Memory of the service' }).press('End');
      await charts.getByText('Limit for contents').last().waitFor();
      await charts.getByRole('button', { name: 'Replicas: show as a table' }).click();
      const replicas = charts.getByRole('table', { name: 'Replicas, step by step' });
      await replicas.getByRole('cell', { name: '1', exact: true }).first().waitFor();
      await page.getByRole('radiogroup', { name: 'Window' }).getByText('7 d').click();
      await charts.getByText('in the last 7 days').waitFor();
      // A browser is started in advance, two seconds after the service.
      const browsers = region(page, 'Browsers');
      const none = browsers.getByText('No scrape has used a browser since the service started.');
      await none
        .or(browsers.getByRole('list', { name: 'Kinds of browsers' }))
        .first()
        .waitFor();
      await expectToFit(page);
      await expectAccessible(page);
    }
  });

  test('shows the running browsers with their figures', { skip: noBrowser }, async () => {
    const { body, text } = await dashboard.service.scrape({
      url: `${site.url}/html/2000`,
      scraper: 'browser',
      timeout_ms: 120_000,
    });
    assert.equal(body.router.outcome, 'ok', text);
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open('/system', options);
      const panel = region(page, 'Browsers');
      await panel.getByText('ready', { exact: true }).waitFor();
      await expect(panel.getByText('not needed yet')).toHaveCount(0);
      await panel.getByText(/^[1-9]\d* pages since the service started/).waitFor();
      const kinds = panel.getByRole('list', { name: 'Kinds of browsers' });
      await kinds
        .getByText(/chromium, (fast|full) lane/)
        .first()
        .waitFor();
      await kinds
        .getByText(/^1 launch · 0 crashes/)
        .first()
        .waitFor();
      const running = panel.getByRole('table', { name: 'Running browsers' });
      await expect(running.locator('tbody tr').first()).toHaveText(/^\d+ ?chromium/);
      await expectToFit(page);
      await expectAccessible(page);
    }
  });

  test('says that records cannot be stored, and since when the disk is short', async () => {
    const page = await dashboard.page();
    const hostile = '<img src=x onerror=alert(1)> disk full';
    await page.route('**/api/v1/system/', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as Machine & { storage: object };
      const disk = { total_bytes: 1e11, free_bytes: 2e9, short: true, short_since: '2026-01-02T03:04:00Z' };
      await route.fulfill({
        response: answer,
        json: {
          ...body,
          machine: { memory: { total_bytes: 1e10, free_bytes: 4e9, short: false, short_since: null }, disk },
          storage: { ...body.storage, ok: false, trouble: hostile },
        },
      });
    });
    let shares: readonly (number | null)[] = [];
    const at = (step: number) => new Date(Date.parse('2026-01-01T03:00:00Z') + step * 900_000).toISOString();
    await page.route('**/api/v1/system/history/**', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { readonly points: readonly object[] };
      const points = shares.map((share, step) => ({
        ...body.points[0],
        ...{ at: at(step), machine_memory_share: share, disk_share: 0.98 },
      }));
      await route.fulfill({ response: answer, json: { ...body, points } });
    });
    const memory = region(page, 'Memory of this machine');
    for (const [measured, text] of [
      [[0.5, 0.95, 0.5, 0.5], /^Last short \(90 % in use\): 1 Jan.*, \d\d:\d\d$/],
      [[null, 0.5, 0.5, 0.5], /^Not short \(90 % in use\) in the last 24 h$/],
      [[null, null, 0.5, 0.5], /^Not short \(90 % in use\) since 1 Jan.*, the first measurement$/],
      [[null, null, null, null], /^Short from 90 % in use$/],
    ] as const) {
      shares = measured;
      await page.goto('/system');
      await memory.getByText(text).waitFor();
    }
    const alert = page.getByRole('alert').filter({ hasText: 'Records cannot be stored' });
    await alert.getByText(hostile).waitFor();
    await expect(page.locator('main img')).toHaveCount(0);
    const disk = region(page, 'Disk space');
    await disk.getByText('98.0 % in use').waitFor();
    await disk.getByText('2.0 GB of 100 GB free').waitFor();
    await disk.getByText('short', { exact: true }).waitFor();
    await disk.getByText(/^Since 2 Jan 2026/).waitFor();
    await expectAccessible(page);
  });

  test('is only for administrators', async () => {
    const anna = await dashboard.user('anna@example.com');
    const page = await dashboard.open('/system', { as: anna });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Open the overview' }).click();
    await expect(page.getByRole('link', { name: 'Playground' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'System' })).toHaveCount(0);
  });
});
