import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { makeSchedule, runScheduleNow } from '../../end-to-end/scheduling.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the pages of schedules and datasets', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });

  test('a schedule is made, run, changed and deleted', async () => {
    let page = await dashboard.open('/schedules', { size: NARROW });
    await page.getByText('No schedules yet').waitFor();
    const channel = await dashboard.service.api<{ id: string }>('POST', '/api/v1/channels/', {
      body: { name: 'Team', type: 'webhook', url: 'https://127.0.0.1/' },
    });
    assert.equal(channel.status, 201, JSON.stringify(channel.body));
    await page.getByRole('link', { name: 'New schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'New schedule' }).waitFor();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByText('Enter a URL.').waitFor();
    await page.getByLabel('URL', { exact: true }).fill(`${site.url}/html`);
    await page.getByLabel('Name', { exact: true }).fill('The page, each night');
    await page.getByText('Every day at 08:00 (Europe/Zurich)').waitFor();
    await page.getByLabel('If the run before has not ended').selectOption('queue');
    await page.getByLabel('Send a file to').selectOption('put');
    await page.getByLabel('URL of the target').fill('http://10.0.0.1/{name}.csv');
    await page.getByLabel('Scraper').selectOption('http');
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByLabel('URL of the target').and(page.locator('[aria-invalid="true"]')).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByLabel('Send a file to').selectOption('link');
    await expect(page.getByRole('checkbox', { name: 'Failures' })).toBeChecked();
    await page.getByRole('checkbox', { name: 'Runs that have worked' }).check();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'The page, each night' }).waitFor();
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    const runs = page.getByRole('table', { name: 'Runs, newest first' });
    await runs.getByText('Done', { exact: true }).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    const id = new URL(page.url()).pathname.split('/').at(-1)!;

    page = await dashboard.open(`/schedules/${id}`);
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Another name');
    await page.getByRole('dialog').getByLabel('Runs', { exact: true }).selectOption({ label: 'Every hour' });
    await page.getByRole('checkbox', { name: 'Failures' }).uncheck();
    await page.getByRole('checkbox', { name: 'Team (Webhook)' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor();
    const { body } = await dashboard.service.api<{ schedule: object; overlap: string }>(
      'GET',
      `/api/v1/schedules/${id}/`,
    );
    assert.partialDeepStrictEqual(body, {
      overlap: 'queue',
      schedule: { cron: '0 * * * *' },
      channels: [channel.body.id],
      notify_on: ['done'],
    });
    const details = region(page, 'Details');
    await details.getByText('Team', { exact: true }).waitFor();
    await details.getByText('Runs that have worked', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('It does not run until it is resumed.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the schedule' }).click();
    await page.getByText('No schedules yet').waitFor();
  });

  test('a dataset is made, and its rows are sorted and filtered', async () => {
    let page = await dashboard.open('/datasets');
    await page.getByText('No datasets yet').waitFor();
    await page.getByRole('button', { name: 'New dataset' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Prices');
    await page.getByRole('button', { name: 'Create the dataset' }).click();
    await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
    await page.getByText('No rows yet').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { service } = dashboard;
    const job = {
      kind: 'batch',
      requests: [1_000, 1_200, 1_400].map((size) => ({ url: `${site.url}/html/${size}` })),
      defaults: { scraper: 'http', scraper_options: { extract: { heading: 'title', text: 'p' } } },
    };
    const schedule = await makeSchedule(service, { job, dataset: id });
    for (let run = 1; run <= 2; run++) {
      await runScheduleNow(service, schedule);
      await eventually(async () => {
        const { body } = await service.api<{ rows: number }>('GET', `/api/v1/datasets/${id}/`);
        return body.rows === run * 3;
      });
    }
    page = await dashboard.open(`/datasets/${id}`);
    const rows = region(page, 'Rows of the dataset').getByRole('table');
    await rows.getByText('/html/1400').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sort by URL' }).click();
    await page.getByRole('button', { name: 'URL, ascending' }).waitFor();
    await expect(rows.locator('tbody tr[data-index="0"]')).toContainText('/html/1000');
    await page.getByLabel('Value').fill('1200');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect(rows.locator('tbody tr[data-index]')).toHaveCount(2);
    await page.getByRole('button', { name: 'All rows' }).click();
  });
});
