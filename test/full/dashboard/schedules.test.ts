import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { seedDataset } from '../../dashboard/seed-dataset.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
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
    await page.getByText('Every day at 03:00 (Europe/Zurich)').waitFor();
    await expect(page.getByLabel('Send a file to')).toHaveValue('link');
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

    page = await dashboard.open('/jobs');
    await page.getByText('No jobs yet').waitFor();
    await page.getByRole('link', { name: 'Show runs of monitors and schedules' }).click();
    await page.getByRole('table', { name: 'Jobs' }).getByRole('link').click();
    await region(page, 'Exports').getByRole('link', { name: 'Download' }).waitFor();
    await expectAccessible(page);
    page = await dashboard.open(`/schedules/${id}`);
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const told = page.getByRole('dialog', { name: 'Notifications' });
    await told.getByRole('link', { name: /The page, each night/ }).waitFor();
    await page.keyboard.press('Escape');
    await expect(told).toBeHidden();
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

  test('a dataset is made; its rows are sorted, filtered and compared, its columns hidden', async () => {
    let page = await dashboard.open('/datasets');
    await page.getByText('No datasets yet').waitFor();
    await page.getByRole('button', { name: 'New dataset' }).click();
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await expect(name).toBeFocused();
    await name.fill('Prices');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the dataset' }).click();
    await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
    await page.getByText('No rows yet').waitFor();
    const emptyId = new URL(page.url()).pathname.split('/').at(-1)!;
    await page.getByRole('link', { name: 'New schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'New schedule' }).waitFor();
    // It fills that dataset, whose columns are the fields.
    const chosen = page.getByLabel('Add the data to a dataset');
    await expect(chosen).toHaveValue(emptyId);
    // One that is made here is chosen.
    await page.getByRole('button', { name: 'New dataset' }).click();
    await name.fill('Made in the form');
    await page.keyboard.press('Enter');
    await expect(chosen.locator('option:checked')).toHaveText('Made in the form');
    await chosen.selectOption(emptyId);
    await page.getByLabel('URL', { exact: true }).fill(`${site.url}/html`);
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByText('Enter a selector for each field.').waitFor();
    await expectAccessible(page);
    const field = page.getByRole('list', { name: 'Fields', exact: true }).locator(':scope > li');
    await field.getByLabel('Name').fill('heading');
    await field.getByLabel('Selector').fill('h1');
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByRole('heading', { level: 1, name: `${site.url}/html` }).waitFor();
    const scheduleId = new URL(page.url()).pathname.split('/').at(-1)!;
    const made = await dashboard.service.api('GET', `/api/v1/schedules/${scheduleId}/`);
    assert.partialDeepStrictEqual(made.body, {
      dataset: emptyId,
      job: { scraper_options: { extract: { heading: 'h1' } } },
    });

    const { datasetId } = await seedDataset(dashboard.service);
    page = await dashboard.open(`/datasets/${datasetId}`);
    const rows = region(page, 'Rows of the dataset').getByRole('table');
    const body = rows.locator('tbody tr[data-index]');
    await rows.getByText('Product /1').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sort by URL' }).click();
    await page.getByRole('button', { name: 'URL, ascending' }).waitFor();
    await expect(body.first()).toContainText('/1');
    await page.getByLabel('Value').fill('/3');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect(body).toHaveCount(2);
    await page.getByRole('button', { name: 'All rows' }).click();
    await expect(body).toHaveCount(6);

    await page.getByRole('button', { name: 'Columns' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitemcheckbox', { name: 'heading' }).click();
    await page.keyboard.press('Escape');
    await expect(rows.getByText('Product /1')).toHaveCount(0);
    await rows.getByText('in stock').first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'heading' }).click();
    await rows.getByText('Product /1').first().waitFor();
    await page.keyboard.press('Escape');

    const compareWith = page.getByLabel('Compare with');
    await expect(compareWith.locator('option'), 'the latest run is not compared with itself').toHaveCount(2);
    await expect(compareWith.locator('option').last()).toContainText(/^Run 1, \d+ \w+/);
    await compareWith.selectOption('1');
    const change = (text: string) => body.filter({ has: page.getByText(text, { exact: true }) });
    await expect(change('Changed')).toContainText('sold out');
    await expect(change('New')).toContainText('/4');
    await expect(change('Gone')).toContainText('/2');
    await expect(body).toHaveCount(3);
    await expectAccessible(page);
    await page.setViewportSize(NARROW);
    await expectToFit(page);
    await page.getByRole('combobox', { name: 'Runs' }).selectOption('1');
    await page.getByText('No differences').waitFor();
  });
});
