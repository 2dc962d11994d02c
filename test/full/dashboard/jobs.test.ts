import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { seedCrawl } from '../../dashboard/seed-crawl.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { endOf, jobOf, startBatch } from '../../end-to-end/job-calls.ts';
import { useSite } from '../../helpers/use-site.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const HTTP = { scraper: 'http' };

describe('the pages of jobs', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard();

  test('without jobs, the page says how to begin', async () => {
    const page = await dashboard.open('/jobs');
    await page.getByText('No jobs yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New batch' }).click();
    await page.getByRole('heading', { level: 1, name: 'New batch' }).waitFor();
  });

  test('a batch from the form: pasted lines, fields and JSON become requests; the page follows it to the end', async () => {
    const page = await dashboard.open('/jobs/new-batch', { size: NARROW });
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByText('Enter at least one URL.').waitFor();
    await page.getByLabel('URLs').fill(`${site.url}/html\nnot a url`);
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByText('Line 2 is neither a URL nor a JSON object: not a url').waitFor();
    const lines = [
      `${site.url}/html`,
      `{"url": "${site.url}/text", "ref": "the text"}`,
      'http://127.0.0.1:1/',
    ];
    await page.getByLabel('URLs').fill(lines.join('\n'));
    await page.getByText('3 pages').waitFor();
    await page.getByLabel('Scraper').selectOption('http');
    await page.getByRole('checkbox', { name: 'Text', exact: true }).check();
    await page.getByLabel('More options as JSON').fill('{"timeout_ms": 5000');
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByText('Enter a JSON object.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('More options as JSON').fill('{"timeout_ms": 5000}');
    await page.getByLabel('Retries per page').fill('0');
    await page.getByLabel('Name').fill('Three pages');
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Three pages' }).waitFor();
    await page.getByText('Done, 1 failed').waitFor();
    const progress = page.getByRole('progressbar', { name: 'Items that have ended' });
    await expect(progress).toHaveAttribute('aria-valuetext', '3 of 3');
    await region(page, 'Items').getByText('the text').waitFor();
    const errors = page.getByRole('table', { name: 'Errors by code' });
    await errors.getByRole('row', { name: /connect\.refused.*1 item/ }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);

    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { body } = await dashboard.service.api<{ request: object }>('GET', `/api/v1/jobs/${id}/`);
    assert.deepEqual(body.request, {
      name: 'Three pages',
      retries: 0,
      defaults: { scraper: 'http', scraper_options: { formats: ['text'] }, timeout_ms: 5_000 },
      notify_on: ['done', 'failed'],
    });

    await page.getByRole('button', { name: 'Export' }).click();
    const asCsv = page.getByRole('menuitem', { name: /^CSV/ });
    await asCsv.waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await asCsv.click();
    const csv = await readFile(await (await download).path(), 'utf8');
    assert.match(csv, /http:\/\/127\.0\.0\.1:1\/.*connect\.refused/);

    await errors.getByRole('link', { name: '1 item' }).click();
    await page.waitForURL('**?code=connect.refused');
    const items = page.getByRole('table', { name: 'Items of the job' });
    await items.getByText('http://127.0.0.1:1/').waitFor();
    await expect(items.getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: 'Error connect.refused' }).click();
    const row = items.getByRole('row').filter({ hasText: `${site.url}/html` });
    await row.getByRole('button').click();
    const panel = page.getByRole('dialog');
    await panel
      .getByRole('tab', { name: 'Content' })
      .or(panel.getByRole('tab', { name: 'Source' }))
      .first()
      .waitFor();
    await expectAccessible(page);
    await panel.getByRole('link', { name: 'Open the record' }).click();
    await page.waitForURL('**/history/*');
    await page.getByRole('heading', { level: 1, name: 'GET 127.0.0.1' }).waitFor();
    await page.getByText(`${site.url}/html`).first().waitFor();
  });

  test('a file is loaded; the columns of a CSV file are found, and a refusal names the invalid pages', async () => {
    const page = await dashboard.open('/jobs/new-batch', { scheme: 'dark' });
    const csv = `name,url\n"first","${site.url}/text"\nsecond,${site.url}/html\n`;
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'pages.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('2 pages').waitFor();
    await page.getByLabel('URLs').fill(`${site.url}/text\n{"url": "", "ref": "empty"}`);
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByRole('alert').getByText('/requests/1/url').waitFor();
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Skip invalid pages' }).check();
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByText('The batch is started without 1 invalid page.').waitFor();
    const label = `${site.url}/text`.replace('http://', '');
    await page.getByRole('heading', { level: 1, name: label, exact: true }).waitFor();
  });

  test('a crawl from the form visits the site', async () => {
    const page = await dashboard.open('/jobs/new-crawl', { size: NARROW, scheme: 'dark' });
    await page.getByRole('button', { name: 'Start the crawl' }).click();
    await page.getByText('Enter at least one URL.').waitFor();
    await page.getByLabel('Start URLs').fill(`{"url": "${site.url}/text", "scraper": "http"}`);
    await page.getByRole('button', { name: 'Start the crawl' }).click();
    await page.getByText('Enter only URLs.').waitFor();
    const file = Buffer.from(`url,name\n${site.url}/text,first\n"${site.url}/html",second\n`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'starts.csv', mimeType: 'text/csv', buffer: file });
    await page.getByLabel('Found by').selectOption('ignore');
    await page.getByLabel('Not these URLs').fill('/(unclosed/');
    await page.getByLabel('Scraper').selectOption('http');
    await page.getByRole('button', { name: 'Start the crawl' }).click();
    await page.getByLabel('Not these URLs').and(page.locator('[aria-invalid="true"]')).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByLabel('Not these URLs').fill('*.pdf');
    await page.getByLabel('Pages', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Start the crawl' }).click();
    const label = `${site.url}/text`.replace('http://', '');
    await page.getByRole('heading', { level: 1, name: label, exact: true }).waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { body } = await dashboard.service.api<{ request: object }>('GET', `/api/v1/jobs/${id}/`);
    assert.deepEqual(body.request, {
      urls: [`${site.url}/text`, `${site.url}/html`],
      scope: 'host',
      sitemap: 'ignore',
      exclude: ['*.pdf'],
      limit: 2,
      max_depth: 10,
      delay_ms: 0,
      request: {
        scraper: 'http',
        scraper_options: { formats: ['markdown'], only_main_content: true },
      },
      notify_on: ['done', 'failed'],
    });
    await expectAccessible(page);
  });

  test('the tree of a crawl is opened folder by folder; a folder shows its items', async () => {
    await using crawl = await seedCrawl(dashboard.service);
    const host = `${new URL(crawl.site.url).host}/`;
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open(`/jobs/${crawl.id}`, options);
      const tree = page.getByRole('table', { name: 'Folders of the job' });
      const counts = async (name: string) =>
        (
          await tree.getByRole('row').filter({ hasText: name }).first().getByRole('cell').allInnerTexts()
        ).slice(1, 4);
      // The only host with visited pages is open, and before the others.
      await tree.getByRole('link', { name: `${host}docs/`, exact: true }).waitFor();
      await tree.getByRole('columnheader', { name: 'Fetched' }).waitFor();
      const states = page.getByRole('list', { name: 'Items by state' });
      await states.getByText('10 fetched').waitFor();
      await region(page, 'Rate').getByText('Without skipped items, since the start').waitFor();
      await expect(tree.getByRole('link')).toHaveText([host, 'docs/', 'news/', 'other.test/', 'third.test/']);
      await expect.poll(() => counts(host)).toEqual(['10', '1', '0']);
      await expect.poll(() => counts('docs/')).toEqual(['6', '1', '0']);
      await expect.poll(() => counts('Directly in this folder')).toEqual(['2', '0', '0']);
      await expect.poll(() => counts('other.test/')).toEqual(['0', '0', '2']);
      await tree.getByRole('button', { name: `Folders in ${host}docs/`, exact: true }).click();
      const guide = tree.getByRole('link', { name: `${host}docs/guide/`, exact: true });
      await guide.waitFor();
      await expectAccessible(page);
      await expectToFit(page);
      const items = page.getByRole('table', { name: 'Items of the job' });
      await guide.click();
      await page.waitForURL(`**?folder=*`);
      const paths = ['deep/three', 'one', 'two'].map((name) => `${crawl.site.url}/docs/guide/${name}`);
      for (const path of paths) await items.getByText(path).waitFor();
      await expect(items.getByRole('row')).toHaveCount(1 + paths.length);
      // The tree stays open.
      await expect(guide).toHaveAttribute('aria-current', 'page');
      await tree.getByRole('link', { name: `${host}docs/`, exact: true }).click();
      await page.getByRole('table', { name: 'Errors by code' }).getByRole('link', { name: '1 item' }).click();
      await items.getByText('/docs/missing/page').waitFor();
      await expect(items.getByRole('row')).toHaveCount(2);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Error accept.unmet' }).click();
      await items.getByText('/docs/reference/b').waitFor();
      await page.getByRole('button', { name: `Folder ${host}docs/` }).click();
      await items.getByText(`${crawl.site.url}/about`).waitFor();
    }
  });

  test('a running job is paused, resumed and cancelled; figures are updated without a reload', async () => {
    const requests = [
      { url: `${site.url}/text` },
      { url: `${site.url}/hang` },
      { url: `${site.url}/hang?2` },
    ];
    const id = await startBatch(dashboard.service, {
      requests,
      defaults: { ...HTTP, timeout_ms: 60_000 },
      concurrency: 2,
      name: 'Slow',
    });
    const page = await dashboard.open(`/jobs/${id}`);
    await region(page, 'Ended').getByText('1 of 3', { exact: false }).waitFor();
    await region(page, 'Items').getByText(`${site.url}/text`).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('No new items start. Resume the job to continue.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel the job' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete the job' }).click();
    await page.waitForURL('**/jobs');
    const jobs = page.getByRole('table', { name: 'Jobs', exact: true });
    await jobs.getByRole('link', { name: 'Three pages' }).waitFor();
    await expect
      .poll(async () => (await dashboard.service.api('GET', `/api/v1/jobs/${id}/`)).status)
      .toBe(404);
    await expect(jobs.getByRole('link', { name: 'Slow' })).toHaveCount(0);
  });

  test('failed items are tried again', async () => {
    const requests = [{ url: `${site.url}/text` }, { url: 'http://127.0.0.1:1/' }];
    const id = await startBatch(dashboard.service, { requests, defaults: HTTP, retries: 0, name: 'Again' });
    await endOf(dashboard.service, id);
    const page = await dashboard.open(`/jobs/${id}?items=failed`);
    const items = page.getByRole('table', { name: 'Items of the job' });
    await items.getByText('http://127.0.0.1:1/').waitFor();
    await expect(items.getByText('/text')).toHaveCount(0);
    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByText('1 failed item will be tried again.').waitFor();
    await expect.poll(async () => (await jobOf(dashboard.service, id)).outcomes.failed).toBe(2);
    await page.getByText('Done, 1 failed').waitFor();
    await items.getByText('http://127.0.0.1:1/').waitFor();
    await expect(items.getByRole('row')).toHaveCount(2);
    const { body } = await dashboard.service.api<{ outcomes: { failed: number } }>(
      'GET',
      `/api/v1/jobs/${id}/`,
    );
    assert.equal(body.outcomes.failed, 2);
  });

  test('of a large job, a page of items is loaded, and the next ones when asked for', async () => {
    const requests = Array.from({ length: 130 }, (_, n) => ({ url: `${site.url}/text?${n}` }));
    const id = await startBatch(dashboard.service, { requests, defaults: HTTP, name: 'Many' });
    await endOf(dashboard.service, id);
    const page = await dashboard.open(`/jobs/${id}`);
    const items = page.getByRole('table', { name: 'Items of the job' });
    await expect(items.getByRole('row')).toHaveCount(101);
    await page.getByRole('button', { name: 'Load more items' }).click();
    await expect(items.getByRole('row')).toHaveCount(131);
    await expect(page.getByRole('button', { name: 'Load more items' })).toHaveCount(0);
    await region(page, 'Items').getByLabel('URL or title').fill('text?12');
    await page.waitForURL('**q=*');
    // 12, and 120 to 129.
    await expect(items.getByRole('row')).toHaveCount(12);
    await page.getByLabel('Order').selectOption('ended');
    await page.waitForURL('**sort=ended*');
    await expect(items.getByRole('row')).toHaveCount(12);
    await expectAccessible(page);
    await page.goto('/jobs');
    const search = page.getByRole('search', { name: 'Filter the jobs' });
    const jobs = page.getByRole('table', { name: 'Jobs', exact: true });
    await search.getByLabel('Name or URL').fill('MANY');
    await expect(jobs.getByRole('row')).toHaveCount(2);
    await search.getByLabel('Order').selectOption('duration');
    await jobs.getByRole('link', { name: 'Many' }).waitFor();
    await search.getByLabel('Name or URL').fill('nothing like that');
    await page.getByText('No such jobs').waitFor();
    await page.getByRole('link', { name: 'Search runs of monitors and schedules, too' }).click();
    await expect(search.getByRole('checkbox')).toBeChecked();
    await page.waitForURL('**q=nothing*with_runs=true*');
    await expect(page.getByRole('link', { name: /^Search runs/ })).toHaveCount(0);
  });

  test('a job that waits for a retry says so, with the last error, and tries now', async () => {
    const id = await startBatch(dashboard.service, {
      requests: [{ url: 'http://127.0.0.1:1/' }],
      defaults: HTTP,
      retries: 5,
      name: 'Waits',
    });
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open(`/jobs/${id}`, options);
      await page.getByText('Waits for the next try', { exact: true }).waitFor();
      await page
        .getByText(/^Next try in \d+/)
        .first()
        .waitFor();
      await page.getByText('Last error, http://127.0.0.1:1/').waitFor();
      await expectAccessible(page);
      await expectToFit(page);
      const tries = (await itemTries(id)) + 1;
      await page.getByRole('button', { name: 'Try now' }).click();
      await expect.poll(() => itemTries(id)).toBe(tries);
      await page.getByText('Waits for the next try', { exact: true }).waitFor();
    }
    await dashboard.service.api('DELETE', `/api/v1/jobs/${id}/?purge=1`);
  });
  const itemTries = async (id: string) => {
    const { body } = await dashboard.service.api<{ items: { tries: number }[] }>(
      'GET',
      `/api/v1/jobs/${id}/items/`,
    );
    return body.items[0]!.tries;
  };

  test('before a crawl, its URLs are shown, and some of them are scraped', async () => {
    await using crawl = await seedCrawl(dashboard.service);
    const page = await dashboard.open('/jobs/new-crawl');
    await page.getByRole('button', { name: 'Show the URLs first' }).click();
    await page.getByText('Enter at least one URL.').waitFor();
    await page.getByLabel('Start URLs').fill(`${crawl.site.url}/`);
    await page.getByLabel('Scraper').selectOption('http');
    await expect(page.getByRole('checkbox', { name: 'Markdown', exact: true })).toBeChecked();
    await expect(page.getByRole('checkbox', { name: /^Main content only/ })).toBeChecked();
    await page.getByRole('button', { name: 'Estimate cost and time' }).click();
    await page.getByText(/^Cost of 1,000 pages: unknown/).waitFor();
    await page.getByText(/^Time: about /).waitFor();
    await page.getByRole('button', { name: 'Show the URLs first' }).click();
    const urls = page.getByRole('list', { name: 'URLs that were found' });
    await urls.getByRole('checkbox').first().waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Choose none' }).click();
    await urls.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Scrape only this 1 page' }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}/);
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const job = await endOf(dashboard.service, id);
    assert.equal(job.counts.found, 1);
  });

  test('the list is filtered by state; it fits on phones', async () => {
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open('/jobs', options);
      const table = page.getByRole('table', { name: 'Jobs', exact: true });
      await table.getByRole('link', { name: 'Again' }).waitFor();
      await expectAccessible(page);
      await expectToFit(page);
      await page.getByLabel('State').selectOption('paused');
      await page.getByText('No such jobs').waitFor();
      await page.getByRole('link', { name: 'Show all jobs' }).click();
      await table.getByRole('link', { name: 'Three pages' }).click();
      await page.getByRole('heading', { level: 1, name: 'Three pages' }).waitFor();
    }
  });

  test('a user sees only their own jobs', async () => {
    const anna = await dashboard.user('anna@example.com');
    const page = await dashboard.open('/jobs', { as: anna });
    await page.getByText('No jobs yet').waitFor();
    const id = await startBatch(dashboard.service, {
      requests: [{ url: `${site.url}/text` }],
      defaults: HTTP,
    });
    await page.goto(`/jobs/${id}`);
    await page.getByRole('heading', { level: 1, name: 'No such job' }).waitFor();
    await expectAccessible(page);
  });
});
