import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { listen } from '../../helpers/free-port.ts';

/** A page that says how often it was fetched. */
let visits = 0;
/** Whether the page with a login is shown. */
let isOpen = false;
const target = createServer((request, response) => {
  if (request.url === '/login' && !isOpen) return void response.writeHead(403).end('denied');
  response.setHeader('content-type', 'text/html').setHeader('x-visit', String(++visits));
  response.end(`<h1>News</h1>\n<p>The same line</p>\n<p>Visit ${visits}</p>\n`);
});

describe('the history as a tool', () => {
  const dashboard = useDashboard();
  let base = '';
  const ids: string[] = [];

  before(async () => {
    await listen(target);
    base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    const paths = ['/news', '/a-long/path/to/a/page?with=parameters', '/news', '/login'];
    for (const path of paths) {
      const { body } = await dashboard.service.scrape({
        url: base + path,
        scraper: 'browser',
        screenshot: path === '/news',
      });
      ids.push(body.id!);
    }
  });
  after(() => {
    target.close();
    target.closeAllConnections();
  });

  const rows = (page: Page) =>
    page.getByRole('table', { name: 'Scrapes, newest first' }).locator('tr[data-index]');

  test('paths are shown in full, and found by a part of them', async () => {
    const page = await dashboard.open('/history');
    await page.getByText('/a-long/path/to/a/page?with=parameters').first().waitFor();
    const picture = rows(page).filter({ hasText: '/news' }).first().locator('img');
    assert.ok(
      await picture.evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.naturalWidth;
      }),
    );
    await page.getByRole('textbox', { name: 'Path' }).fill('TO/a/page');
    await page.waitForURL('**/history?path=*');
    await rows(page).filter({ hasText: '/news' }).first().waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: '/a-long' }).waitFor();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Remove Path TO/a/page' }).click();
    await rows(page).nth(3).waitFor();
  });

  test('totals and a histogram show what the filters match; a bar narrows the time', async () => {
    const page = await dashboard.open('/history');
    const totals = page.getByRole('region', { name: 'Totals' });
    await totals.getByText('75.0 %').waitFor();
    const chart = totals.getByRole('img', { name: /^4 scrapes from .*, at most \d in a minute$/ });
    await chart.waitFor();
    // The few bars end where the axis ends.
    await expect(async () => {
      const [end, area] = await Promise.all([chart.locator('g').last().boundingBox(), chart.boundingBox()]);
      expect(Math.abs(end!.x + end!.width - area!.x - area!.width)).toBeLessThan(1);
    }).toPass({ timeout: 20_000 });
    await expectAccessible(page);
    await page.goto('/history?path=login');
    await totals.getByText('0 %').waitFor();
    await totals.getByRole('img').locator('g').first().click();
    await page.waitForURL(/path=login&?.*from=|from=.*path=login/);
    await page
      .getByRole('list', { name: 'Filters' })
      .getByText(/^From /)
      .waitFor();
    await expect(rows(page)).toHaveCount(1);
  });

  test('selected records are run again as a batch, exported, and compared', async () => {
    const page = await dashboard.open('/history?live=off');
    const select = async (...numbers: number[]) => {
      for (const n of numbers) await rows(page).nth(n).getByRole('checkbox').click();
    };
    await select(1, 3);
    const bar = page.getByRole('region', { name: 'Selected scrapes' });
    await bar.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Export selected' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'JSON Lines' }).click();
    const text = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString();
    const exported = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    assert.deepEqual(exported, [ids[2], ids[0]]);
    await bar.getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(`**/history/compare?before=${ids[0]}&after=${ids[2]}`);
    await page.goBack();
    // The selection is kept.
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await select(0);
    await page
      .getByRole('region', { name: 'Selected scrapes' })
      .getByRole('button', { name: 'Run again' })
      .click();
    await page.waitForURL('**/jobs/*');
    await page.getByRole('heading', { level: 1, name: 'Run again' }).waitFor();
    await page.getByText('/login').first().waitFor();
    // Its scrapes are not among those of the next tests.
    await page.getByText('Done', { exact: true }).waitFor();
  });

  test('what changed since the last record of the URL is three clicks from the overview', async () => {
    const page = await dashboard.open('/');
    await page.getByRole('navigation').getByRole('link', { name: 'History' }).click();
    await rows(page).filter({ hasText: '/news' }).first().getByText('/news').click();
    await page.getByRole('link', { name: 'What changed' }).click();
    await page.waitForURL(`**/history/compare?after=${ids[2]}`);
    // The way back over the comparison keeps the filters of the list.
    await page.goto('/history?path=%2Fnews&last=24h');
    await rows(page).first().getByText('/news').click();
    await page.getByRole('link', { name: 'What changed' }).click();
    await page.getByRole('link', { name: 'Record', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'History', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('path') === '/news' && url.searchParams.has('last'));
    await page.goto(`/history/compare?after=${ids[2]}`);
    await page.getByText('Lines added: 1. Lines removed: 1.').waitFor();
    const diff = page.getByRole('region', { name: 'Difference' });
    await diff.getByText('<p>Visit 3</p>').waitFor();
    await diff.getByRole('columnheader', { name: /^Before · \d+ \w+ \d{4}/ }).waitFor();
    await page.getByText(/^Lines added.*Size before: \d+ B\. Size after: \d+ B\.$/).waitFor();
    const headers = page.getByRole('region', { name: 'Response headers' });
    await headers.getByRole('row', { name: /^x-visit changed 1 3$/ }).waitFor();
    await page.getByRole('region', { name: 'Timing' }).getByRole('rowheader', { name: 'Total' }).waitFor();
    await page.getByRole('img', { name: 'The page before' }).waitFor();
    await page.getByRole('switch', { name: 'Show the difference' }).press('Space');
    await page.getByText('Black where the pictures are the same.').waitFor();
    await expectAccessible(page);
    // With one earlier record there is nothing to choose.
    await expect(page.getByRole('combobox', { name: 'Compare with' })).toHaveCount(0);
    const latest = (await dashboard.service.scrape({ url: `${base}/news`, scraper: 'browser' })).body.id!;
    await page.goto(`/history/compare?after=${latest}`);
    await diff.getByText('<p>Visit 3</p>').waitFor();
    const earlier = page.getByRole('combobox', { name: 'Compare with' });
    await expect(earlier).toHaveValue(ids[2]!);
    await expect(earlier.locator('option').first()).toHaveText(/^\d+ \w+ \d{4}.* · OK$/);
    await earlier.selectOption(ids[0]!);
    await page.waitForURL(`**/history/compare?after=${latest}&before=${ids[0]}`);
    await diff.getByText('<p>Visit 1</p>').waitFor();
    await expectAccessible(page);
    await page.goto(`/history/compare?after=${ids[1]}`);
    await page.getByRole('heading', { name: 'Nothing to compare with' }).waitFor();
    // A response that is not OK: with the last OK one of its URL, or else of its host.
    await page.goto(`/history/compare?after=${ids[3]}`);
    await page
      .getByText(/^This response is not OK, .+ compared with the last OK response of the same host\.$/)
      .waitFor();
    const other = (await dashboard.service.scrape({ url: `${base}/login`, scraper: 'http' })).body.id!;
    await page.goto(`/history/compare?after=${other}`);
    await page.getByText(/^This response is not OK, .+ It is compared with the record before\.$/).waitFor();
    await earlier
      .getByRole('option', { name: /· last OK response, of another URL$/ })
      .waitFor({ state: 'attached' });
    await expect(earlier).not.toHaveValue(latest);
    isOpen = true;
    const opened = (await dashboard.service.scrape({ url: `${base}/login`, scraper: 'http' })).body.id!;
    isOpen = false;
    for (let n = 0; n < 2; n++) await dashboard.service.scrape({ url: `${base}/login`, scraper: 'http' });
    const denied = (await dashboard.service.scrape({ url: `${base}/login`, scraper: 'http' })).body.id!;
    await page.goto(`/history/compare?after=${denied}`);
    await page
      .getByText('It is compared with the last OK response of the same URL.', { exact: false })
      .waitFor();
    await expect(earlier).toHaveValue(opened);
    await expect(earlier.locator('option:checked')).toHaveText(/ · last OK response$/);
    const phone = await dashboard.open(`/history/compare?before=${ids[3]}&after=${ids[2]}`, {
      size: NARROW,
      scheme: 'dark',
    });
    await phone.getByRole('region', { name: 'Difference' }).waitFor();
    await expectToFit(phone);
    const numbers = phone
      .getByRole('region', { name: 'Difference' })
      .getByRole('columnheader', { name: 'Before' });
    await expect
      .poll(async () => (await numbers.first().boundingBox())?.width, 'wide columns of line numbers')
      .toBeLessThan(40);
    await expectAccessible(phone);
  });

  test('on a phone, two records are selected and compared', async () => {
    const page = await dashboard.open('/history?live=off', { size: NARROW });
    const cards = page.getByRole('list', { name: 'Scrapes, newest first' }).getByRole('listitem');
    for (const n of [0, 1])
      await cards
        .nth(n)
        .getByRole('checkbox', { name: /^Select / })
        .click();
    const bar = page.getByRole('region', { name: 'Selected scrapes' });
    await bar.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await bar.getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(/\/history\/compare\?before=.+&after=.+$/);
  });

  test('advice is a button, if this installation can follow it; an error status is explained', async () => {
    const { body } = await dashboard.service.scrape({ url: `${base}/login`, scraper: 'http' });
    const page = await dashboard.open(`/history/${body.id}`);
    const wrong = page.getByRole('region', { name: 'What went wrong' });
    await wrong.getByText('The site refused access (status 403).').waitFor();
    await wrong.getByRole('button', { name: 'Retry in a browser' }).waitFor();
    const outcome = page.getByText('fetched it (status 403', { exact: false }).first();
    await expect(async () => {
      expect((await outcome.boundingBox())!.y).toBeLessThan((await wrong.boundingBox())!.y);
    }).toPass({ timeout: 20_000 });
    await expect(wrong.getByRole('button', { name: 'Retry through residential' })).toHaveCount(0);
    await expectAccessible(page);
    await wrong.getByRole('button', { name: 'Retry in a browser' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/history/') && !url.pathname.endsWith(body.id!));
    await page.getByText('browser fetched it (status 403', { exact: false }).waitFor();
  });

  test('captured requests of the page are a waterfall', async () => {
    const { body } = await dashboard.service.scrape({
      url: `${base}/news`,
      scraper: 'browser',
      scraper_options: { capture: [{ url: '**' }] },
    });
    const page = await dashboard.open(`/history/${body.id}`);
    const waterfall = page.getByRole('region', { name: 'Waterfall', exact: true });
    await waterfall.getByRole('row', { name: /^GET news 200 .*ms$/ }).waitFor();
    await expectAccessible(page);
  });
});
