import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { runMonitor, seedMonitor } from '../../dashboard/seed-monitor.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { startMadeSite } from '../../helpers/made-site.ts';
import { useSite } from '../../helpers/use-site.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

interface MonitorBody {
  readonly name: string;
  readonly state: string;
  readonly schedule: object;
  readonly compare: { readonly ignore: readonly string[] };
  readonly request: object;
}

describe('the pages of monitors', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard();
  const monitorOf = async (id: string) =>
    (await dashboard.service.api<MonitorBody>('GET', `/api/v1/monitors/${id}/`)).body;
  const idOf = async (page: Page) => {
    await page.waitForURL(/\/monitors\/[\da-f-]{36}$/);
    return new URL(page.url()).pathname.split('/').at(-1)!;
  };

  test('without monitors, the page says how to begin', async () => {
    const page = await dashboard.open('/monitors');
    await page.getByText('No monitors yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New monitor' }).click();
    await page.getByRole('heading', { level: 1, name: 'New monitor' }).waitFor();
  });

  test('the form shows the schedule in words and as cron, and creates a monitor that runs', async () => {
    const page = await dashboard.open('/monitors/new', { size: NARROW });
    // Without leaving the form.
    await page.getByRole('button', { name: 'Add a channel' }).waitFor();
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByText('Enter a URL.').waitFor();
    await page.getByLabel('URL').fill(`${site.url}/html`);
    await page.getByLabel('Name').fill('The page');
    await page.getByText('Every day at 08:00 (Europe/Zurich)').waitFor();
    await page.getByLabel('Runs', { exact: true }).selectOption({ label: 'Every week' });
    await page.getByLabel('Day').selectOption({ label: 'Friday' });
    await page.getByLabel('Time', { exact: true }).fill('17:30');
    await page.getByText('Every Friday at 17:30 (Europe/Zurich)').waitFor();
    await page.getByText('30 17 * * 5').waitFor();
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await page.getByRole('checkbox', { name: 'Dates and times' }).check();
    await page.getByLabel('Ignore also').fill('.advert\n/(unclosed/');
    await page.getByLabel('Scraper').selectOption('http');
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByLabel('Ignore also').and(page.locator('[aria-invalid="true"]')).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByLabel('Ignore also').fill('.advert');
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByRole('heading', { level: 1, name: 'The page' }).waitFor();
    const id = await idOf(page);
    const { schedule, compare, request } = await monitorOf(id);
    assert.deepEqual(schedule, { cron: '30 17 * * 5', timezone: 'America/New_York' });
    assert.deepEqual(compare.ignore, ['dates', '.advert']);
    assert.deepEqual(request, { url: `${site.url}/html`, scraper: 'http' });
    // The baseline is taken at once.
    await page.getByText('The first run: later ones are compared with it.').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('link', { name: 'Run 2' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('It does not run until it is resumed.').waitFor();
    await expect.poll(async () => (await monitorOf(id)).state).toBe('paused');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('a site and a list of pages can be watched, and the pages of a run are counted', async () => {
    const page = await dashboard.open('/monitors/new');
    await page.getByLabel('Pages to fetch').selectOption({ label: 'A list of pages' });
    await page.getByLabel('URLs', { exact: true }).fill(`${site.url}/html\nhttp://`);
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByText('“http://” is no URL.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Pages to fetch').selectOption({ label: 'A site' });
    await page.getByLabel('Start URL').fill(`${site.url}/html`);
    await page.getByLabel('Name').fill('The site');
    await page.getByLabel('Which pages').selectOption({ label: 'Below the same path' });
    await page.getByLabel('Pages at most').fill('5');
    await page.getByLabel('Not these URLs').fill('*.pdf');
    await page.getByLabel('Scraper').selectOption('http');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByRole('heading', { level: 1, name: 'The site' }).waitFor();
    assert.partialDeepStrictEqual((await monitorOf(await idOf(page))).request, {
      url: `${site.url}/html`,
      scope: 'path',
      limit: 5,
      exclude: ['*.pdf'],
      request: { scraper: 'http' },
    });
    await page.getByText(/^\d+ new/).waitFor();
    await expectAccessible(page);
  });

  test('a preview shows what would be compared, and a monitor is edited', async () => {
    await using town = await startMadeSite(
      () => '<main><h1>Weather</h1><p>The sun shines today, all day long.</p><p>Visitors: 1234</p></main>',
    );
    const page = await dashboard.open('/monitors/new');
    await page.getByLabel('URL', { exact: true }).fill(`${town.url}/`);
    await page.getByLabel('Ignore also').fill('/Visitors: (\\d+)/');
    await page.getByLabel('Scraper').selectOption('http');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The sun shines today', { exact: false }).waitFor();
    await page.getByText('leaves out 1 line, or a part of it:', { exact: false }).waitFor();
    await expectAccessible(page);
    // Of a site, the first page.
    await page.getByLabel('Pages to fetch').selectOption('crawl');
    await page.getByText('Fetches the first page once', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The sun shines today', { exact: false }).waitFor();
    const made = await dashboard.service.api<{ id: string }>('POST', '/api/v1/monitors/', {
      body: {
        name: 'Weather',
        request: { url: `${town.url}/`, scraper: 'http', headers: { 'X-Api-Key': 'secret' } },
        schedule: { every_s: 7_200 },
        first_run: 'scheduled',
        webhook: { url: 'http://93.184.216.34/hook', events: ['changed'] },
      },
    });
    const { id } = made.body;
    await page.goto(`/monitors/${id}`);
    await page.getByText('http://93.184.216.34/hook').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit “Weather”' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Sun and rain');
    await page.getByLabel('Minutes between runs').fill('30');
    await page.getByLabel('Runs kept').fill('50');
    await page.getByLabel('Webhook', { exact: true }).fill('');
    await page.getByRole('checkbox', { name: 'Failures' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sun and rain' }).waitFor();
    const edited = await dashboard.service.api<Record<string, unknown>>('GET', `/api/v1/monitors/${id}/`);
    assert.partialDeepStrictEqual(edited.body, {
      name: 'Sun and rain',
      schedule: { every_s: 1_800 },
      keep: 50,
      webhook: null,
      notify_on: ['changed'],
      request: { url: `${town.url}/`, headers: { 'X-Api-Key': '***' } },
    });
    await page.goto(`/monitors/${id}/edit`);
    await page.getByLabel('URL', { exact: true }).fill(`${town.url}/other`);
    await page.getByText('the next run is the first again', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Secrets are shown as ***.', { exact: false }).waitFor();
    await page.getByLabel('More options as JSON').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sun and rain', exact: true }).waitFor();
    assert.deepEqual((await monitorOf(id)).request, { url: `${town.url}/other`, scraper: 'http' });
  });

  test('a refusal of a cron expression is shown at its field', async () => {
    const page = await dashboard.open('/monitors/new', { scheme: 'dark' });
    await page.getByLabel('URL').fill('example.com');
    await page.getByLabel('Runs', { exact: true }).selectOption({ label: 'Custom (cron)' });
    await page.getByLabel('Cron').fill('every day');
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByLabel('Cron').and(page.locator('[aria-invalid="true"]')).waitFor();
    await expectAccessible(page);
  });

  test('a change is shown side by side and unified; noise is ignored with one click', async () => {
    const id = await seedMonitor(dashboard.service);
    const page = await dashboard.open(`/monitors/${id}`);
    const difference = region(page, 'Difference');
    const changed = difference.getByRole('row').filter({ hasText: 'The bridge stays closed.' });
    await expect(changed).toHaveText(/−The bridge stays closed\..*\+The bridge is open again\./);
    await difference
      .getByRole('columnheader', { name: /^After · \d+ \w+ \d{4}/ })
      .first()
      .waitFor();
    await page.getByText(/\+\d+ −\d+ · \d+ \w+ \d{4}/).waitFor();
    await expectAccessible(page);
    await page.getByText('Unified', { exact: true }).click();
    await difference.getByRole('cell', { name: 'The bridge is open again.' }).waitFor();
    await expect(changed).not.toHaveText(/open again/);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Run 1' }).click();
    await page.getByText('The first run: later ones are compared with it.').waitFor();
    await page.getByRole('link', { name: 'Run 4' }).click();
    await difference.waitFor();

    const proposals = page.getByRole('list', { name: 'Proposals of what to ignore' });
    await proposals.getByText('In 3 of 3 comparisons.').waitFor();
    await proposals.getByRole('button', { name: /^Ignore / }).click();
    await proposals.waitFor({ state: 'detached' });
    const ignored = page.getByRole('list', { name: 'Ignored' });
    await ignored.getByText(/Served.+machine/).waitFor();
    await expect.poll(async () => (await monitorOf(id)).compare.ignore).toHaveLength(2);
    await expectAccessible(page);
    await difference.getByRole('button', { name: 'Ignore the line: The bridge is open again.' }).click();
    await ignored.getByText('The.*bridge.*is.*open.*again', { exact: false }).waitFor();
    await ignored.getByRole('button', { name: 'Remove dates' }).click();
    await expect.poll(async () => (await monitorOf(id)).compare.ignore).not.toContain('dates');
    await page.getByRole('link', { name: /^Compared with \d+ \w+ \d{4}/ }).click();
    await page.waitForURL('**/history/*');
  });

  test('a changed line is ignored with one click, whatever its numbers are', async () => {
    let visit = 0;
    await using town = await startMadeSite(() => {
      visit++;
      const weather = visit < 4 ? 'The sun shines today.' : 'Today it rains.';
      return `<main><h1>Weather</h1><p>${weather}</p><p>Visit number ${visit * 7} of all</p></main>`;
    });
    const { body } = await dashboard.service.api<{ id: string }>('POST', '/api/v1/monitors/', {
      body: {
        name: 'Weather',
        request: { url: `${town.url}/`, scraper: 'http' },
        schedule: { every_s: 86_400 },
        first_run: 'scheduled',
      },
    });
    const latest = async () => {
      await runMonitor(dashboard.service, body.id);
      const path = `/api/v1/monitors/${body.id}/runs/?limit=1`;
      const runs = await dashboard.service.api<{
        items: { n: number; change: { state: string; diff: string | null } }[];
      }>('GET', path);
      return runs.body.items[0]!.change;
    };
    await latest();
    assert.equal((await latest()).state, 'changed');
    const page = await dashboard.open(`/monitors/${body.id}`);
    const difference = region(page, 'Difference');
    await difference.getByRole('button', { name: 'Ignore the line: Visit number 14 of all' }).click();
    await page.getByRole('list', { name: 'Ignored' }).getByText('Visit number', { exact: false }).waitFor();
    await expectAccessible(page);
    await expect
      .poll(async () => (await monitorOf(body.id)).compare.ignore)
      .toEqual(['/(?m)^[ \\t]*Visit number \\d+ of all[ \\t]*$/']);
    assert.equal((await latest()).state, 'first');
    const { diff } = await latest();
    assert.match(diff!, /^\+Today it rains/m);
    assert.doesNotMatch(diff!, /Visit/);
  });

  test('on phones, a difference is unified, and the pages fit', async () => {
    const page = await dashboard.open('/monitors', { size: NARROW, scheme: 'dark' });
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'News of the town' }).click();
    await region(page, 'Difference').getByRole('columnheader', { name: 'Line' }).first().waitFor();
    await expectToFit(page);
    await expectAccessible(page);
  });

  test('changed fields are a table; a failed run says why; a monitor is deleted', async () => {
    const run = { n: 2, state: 'ended', due_at: '2026-11-01T08:00:00Z', job_id: null, scrape_id: null };
    const none = {
      previous_id: null,
      diff: null,
      fields: [],
      picture: null,
      pages: [],
      counts: null,
      incomplete: null,
      reason: null,
    };
    const times = { started_at: run.due_at, ended_at: run.due_at };
    const numbers = { added: 1, removed: 1, similarity: 0.5 };
    const fields = [{ path: '/price', before: '<b>10</b>', after: { amount: 12 } }];
    const items = [
      { ...run, ...times, change: { ...none, ...numbers, state: 'changed', fields } },
      { ...run, ...times, n: 1, change: { ...none, ...numbers, state: 'error', reason: 'signed_out' } },
    ];
    const made = await dashboard.service.api<{ id: string }>('POST', '/api/v1/monitors/', {
      body: { name: 'Fields', request: { url: site.url }, schedule: { every_s: 7_200 } },
    });
    const page = await dashboard.page();
    await page.route('**/runs/**', (route) => route.fulfill({ json: { items, next_cursor: null } }));
    await page.goto(`/monitors/${made.body.id}`);
    await page.getByRole('row', { name: '/price <b>10</b> { "amount": 12 }' }).waitFor();
    await page.getByText('Every 2 hours').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Run 1' }).click();
    await page.getByText('The site asks to sign in. Update the cookies of the request.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the monitor' }).click();
    await page.waitForURL('**/monitors');
    await page.getByRole('link', { name: 'News of the town' }).waitFor();
    await expect(page.getByRole('link', { name: 'Fields' })).toHaveCount(0);
  });
});
