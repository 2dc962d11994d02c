import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { watchForScripts } from '../../dashboard/hostile.ts';
import { aYearOfSites, seedSites } from '../../dashboard/seed-stats.ts';
import { awayFromMidnight, NARROW, settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';

/** Expects that no column of a table is cut. */
const expectWhole = (table: Locator, message: string) =>
  expect
    .poll(
      () => table.evaluate(({ parentElement: frame }) => frame!.scrollWidth <= frame!.clientWidth),
      message,
    )
    .toBe(true);
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const PAGE = `<!doctype html><title>A page</title><p>${'The text of the page. '.repeat(40)}</p>`;
const WALL =
  '<!doctype html><title>Just a moment...</title><form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>';
const home = mkdtempSync(join(tmpdir(), 'sluice-prices-'));
const PRICES = join(home, 'prices.json');
writeFileSync(PRICES, JSON.stringify({ currency: 'EUR', scrapers: { http: 0.00002 } }));
after(() => rmSync(home, { recursive: true, force: true }));

describe('the page Sites', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard({ SLUICE_PRICES: PRICES });
  const host = () => new URL(site.url).host;
  const path = () => `/sites?host=${encodeURIComponent(host())}`;

  test('without known sites, the page says what it will show', async () => {
    const page = await dashboard.open('/sites');
    await page.getByText('No sites yet').waitFor();
    await expectAccessible(page);
    const search = page.getByRole('searchbox', { name: 'Host or URL' });
    await search.fill('nowhere.test');
    await search.press('Enter');
    await page.getByText('Nothing is known about this site').waitFor();
    await expectAccessible(page);
  });

  test('shows what is known of each kind of page, which method would be next, and why', async () => {
    for (let n = 0; n < 3; n++) {
      const { body, text } = await dashboard.service.scrape({
        url: `${site.url}/text?${n}`,
        scraper: 'http',
      });
      assert.equal(body.router.outcome, 'ok', text);
    }
    const start = await dashboard.open('/sites');
    await start
      .getByRole('table', { name: /^Sites scraped/ })
      .getByRole('link', { name: '127.0.0.1' })
      .waitFor();
    await start.getByRole('searchbox', { name: 'Host or URL' }).fill(`${site.url}/text?9`);
    await start.getByRole('button', { name: 'Show' }).click();
    await start.waitForURL(`**${path()}`);
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open(path(), options);
      const kind = region(page, '/text');
      await kind.getByText('3 attempts seen').waitFor();
      await kind.getByText(/^Next: http/).waitFor();
      await kind.getByText(/^the site shows no protection/).waitFor();
      const demands = kind.getByRole('list', { name: 'Protection of the site' });
      await demands
        .getByText(/^\d+ %$/)
        .first()
        .waitFor();
      const ways = kind.getByRole('table', { name: 'Methods for /text' });
      const http = ways.getByRole('row', { name: /^http · direct/ });
      await expectWhole(ways, 'the table of methods is cut');
      await expect(http).toHaveText(/next(9\d|100) %0\.0000\d+\sEUR\d attempts/);
      await expectToFit(page);
      await expectAccessible(page);
    }
  });

  test('what changed is shown at a page that was OK before, not at the latest failure of any page', async () => {
    let walled = false;
    const shop = createServer((_request, response) => {
      response.writeHead(walled ? 403 : 200, { 'content-type': 'text/html' });
      response.end(walled ? WALL : PAGE);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.3', resolve));
    const shopHost = `127.0.0.3:${(shop.address() as AddressInfo).port}`;
    const scrape = async (path: string, more: object = {}) =>
      (await dashboard.service.scrape({ url: `http://${shopHost}${path}`, scraper: 'http', ...more })).body
        .id!;
    const ok = await scrape('/a');
    await scrape('/b');
    walled = true;
    const failed = await scrape('/a');
    const order = { scraper: 'auto', router: { order: ['browser', 'http_impersonate', 'http'] } };
    const other = await scrape('/new', order);
    shop.close();
    const page = await dashboard.open(`/sites?host=${shopHost}`);
    const compare = page.getByRole('link', {
      name: 'Compare an OK response with a later failure of the same page',
    });
    await expect(compare).toHaveAttribute('href', `/history/compare?before=${ok}&after=${failed}`);
    await expectAccessible(page);
    await page.goto(`/history/${failed}`);
    await page.getByRole('button', { name: 'Retry in a browser' }).waitFor();
    // What was tried already is not advised. The page is not reloaded, so what the advice depends on is there already.
    await page.evaluate((to) => history.pushState({}, '', to), `/history/${other}`);
    await region(page, 'Facts').getByText(other).first().waitFor();
    await page.getByText('target.blocked').first().waitFor();
    await settled(page);
    await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
  });

  test('the history: how each day went by method, and when the protection changed', async () => {
    await awayFromMidnight();
    let walled = false;
    const shop = createServer((_request, response) => {
      response.writeHead(walled ? 403 : 200, { 'content-type': 'text/html' });
      response.end(walled ? WALL : PAGE);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.2', resolve));
    const ids: string[] = [];
    const shopHost = `127.0.0.2:${(shop.address() as AddressInfo).port}`;
    for (let n = 0; n < 12; n++) {
      walled = n >= 4;
      const { body } = await dashboard.service.scrape({ url: `http://${shopHost}/`, scraper: 'http' });
      ids.push(body.id!);
    }
    shop.close();
    const list = await dashboard.open('/sites');
    const row = list.getByRole('row', { name: /^127\.0\.0\.2/ });
    await row.getByTitle(/: now it .+; before, it shows no protection$/).waitFor();
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open(`/sites?host=${shopHost}`, options);
      const history = region(page, 'History');
      await history.getByText(/^Since .+, 33\.3 % of the scrapes were OK\. Most of .+ blocked\.$/).waitFor();
      const turn = (name: string) =>
        history
          .getByRole('term')
          .filter({ hasText: new RegExp(`^${name}$`) })
          .locator('xpath=..')
          .getByRole('link');
      for (const [name, n] of [
        ['Last OK response before the failures', 3],
        ['First stored failure', 4],
        ['Latest failure', 11],
      ] as const)
        await expect(turn(name)).toHaveAttribute('href', `/history/${ids[n]}`);
      const compare = history.getByRole('link', {
        name: 'Compare the last OK response with the latest failure',
      });
      await expect(compare).toHaveAttribute('href', `/history/compare?before=${ids[3]}&after=${ids[11]}`);
      const marks = history.getByRole('list', { name: 'Marks of the days' });
      await expect(marks).toHaveText(/at least 90 % OK.*at least 50 % OK.*less than 50 % OK.*no scrapes/);
      await history.getByRole('heading', { name: 'Why 8 of the last 12 scrapes were not OK' }).waitFor();
      const reason = history.getByRole('listitem').filter({ hasText: /^target\.blocked.*8 of 12/ });
      await reason.getByText('The target blocked the request').waitFor();
      await history.getByText(/^\/ Now it .+\. Before, it shows no protection\.$/).waitFor();
      const days = history.getByRole('table', { name: 'Scrapes by day and method' });
      const today = /: 12 scrapes, 33\.3 % OK, 8 blocked, 0 failed/;
      for (const method of ['All methods', 'http'])
        await days.getByRole('row', { name: method }).getByRole('link', { name: today }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
      await days.getByRole('link', { name: today }).first().click();
      await page.waitForURL(
        ({ pathname, searchParams }) => pathname === '/history' && searchParams.get('host') === '127.0.0.2',
      );
      await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    }
    // Without the records of the failures, the counters are left.
    for (const id of ids.slice(4)) await dashboard.service.api('DELETE', `/api/v1/scrape/${id}/`);
    const later = await dashboard.open(`/sites?host=${shopHost}`);
    await region(later, 'History')
      .getByText(/^No record of these failures is stored any more\./)
      .waitFor();
    await region(later, 'History')
      .getByRole('link', { name: /: 12 scrapes/ })
      .first()
      .click();
    await later
      .getByText(
        '12 scrapes were counted here, and 4 of their records are still stored. Counters are kept longer than records.',
      )
      .waitFor();
    await expectAccessible(later);
  });

  test('the table of sites shows how their scrapes go, and is filtered by what is typed', async () => {
    await seedSites(dashboard.service, aYearOfSites('shop.example.com'));
    for (const options of [
      {},
      { scheme: 'dark' },
      { size: NARROW },
      { size: NARROW, scheme: 'dark' },
    ] as const) {
      const page = await dashboard.open('/sites', options);
      await page.getByText(/^Scrapes since 1 \w+ \d{4} \(UTC\)\.$/).waitFor();
      const table = page.getByRole('table', { name: /^Sites scraped/ });
      const row = table.getByRole('row', { name: /bücher\.example/ });
      await row.waitFor();
      await expect(row).toHaveText('size' in options ? /78\.8 %812 scrapes/ : /81278\.8 %/);
      await expectWhole(table, 'the table of sites is cut');
      await expect(row).toHaveText(/0\.00812\sEUR/);
      await table.getByRole('cell', { name: 'All other hosts' }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
    }
    const page = await dashboard.open('/sites');
    const links = page.getByRole('table').getByRole('link');
    await page.getByRole('searchbox', { name: 'Host or URL' }).fill('https://CATALOGUE.shops');
    await page.getByText('bücher.example').waitFor({ state: 'detached' });
    await expect(links).toHaveText(['a-rather-long-name-of-a-catalogue.shops.example.com']);
    await page.getByRole('searchbox', { name: 'Host or URL' }).fill('nothing-like-it');
    await page.getByText('No such site').waitFor();
    await expectAccessible(page);
  });

  test('the page of a site shows what it has cost in a year, and what would have been saved', async () => {
    for (const options of [
      {},
      { scheme: 'dark' },
      { size: NARROW },
      { size: NARROW, scheme: 'dark' },
    ] as const) {
      const page = await dashboard.open('/sites?host=shop.example.com', options);
      const panel = region(page, 'Cost');
      await panel.getByText(/^The last twelve months: [\d,]+ scrapes, 98\.\d % OK, 49\.34\sEUR$/).waitFor();
      await panel.getByRole('heading', { name: 'Nothing would have been saved' }).waitFor();
      await panel
        .getByText(
          /^No cheaper method is known to work as well at this site\. The best of the cheaper ones is .+ at least 95 of 100 are needed/,
        )
        .waitFor();
      const table = panel.getByRole('table', { name: 'Cost by month and method' });
      // Eleven months, the head and the sum.
      await expect(table.getByRole('row')).toHaveCount(13);
      const sum = table.getByRole('row', { name: /^Total/ }).last();
      await expect(sum).toHaveText(/^Total49\.34\sEUR12 attempts without a price/);
      await expectWhole(table, 'the table of costs is cut');
      // Phones show only the total of each month.
      if (!('size' in options))
        await table.getByRole('columnheader', { name: 'vendor:zyte', exact: true }).waitFor();
      await panel.getByRole('button', { name: 'Compare methods' }).click();
      const field = region(page, 'Which method for this site?').getByRole('textbox', { name: 'Page' });
      await expect(field).toBeFocused();
      await expectToFit(page);
      await expectAccessible(page);
    }
  });

  test('methods are compared side by side on a page of the site', async () => {
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open(path(), options);
      const panel = region(page, 'Which method for this site?');
      const compare = panel.getByRole('button', { name: 'Compare' });
      await panel.getByRole('checkbox', { name: 'browser', exact: true }).uncheck();
      const url = panel.getByRole('textbox', { name: 'Page' });
      await expect(url, 'the last page that was scraped').toHaveValue(new RegExp(`^${site.url}/`));
      await url.fill('https://elsewhere.test/');
      await panel.getByText('Enter a page of this site.').waitFor();
      await expect(compare).toBeDisabled();
      await url.fill(`${site.url}/html/5000`);
      await panel.getByRole('checkbox', { name: 'http', exact: true }).uncheck();
      await panel.getByText('Choose at least 2 methods.').waitFor();
      await expect(compare).toBeDisabled();
      await expectAccessible(page);
      await panel.getByRole('checkbox', { name: 'http', exact: true }).check();
      await panel.getByRole('checkbox', { name: 'residential' }).check();
      await panel.getByText('4 methods').waitFor();
      await compare.click();
      await panel
        .getByRole('status')
        .getByText(/^Use http: of those that got the whole page, it is the cheapest/)
        .waitFor();
      const table = panel.getByRole('table', { name: 'Methods compared' });
      const row = table.getByRole('row', { name: /^http best/ });
      await expect(row).toHaveText(/^http bestOK100 %.*0\.00002\sEUROpen$/);
      // No pool of such proxies is configured, so there is no scrape.
      const refused = table.getByRole('row', { name: /^http\/residential/ });
      await expect(refused).toHaveText(/No pool of the proxy type "residential" is configured\.Failed––––$/);
      await expectToFit(page);
      await expectAccessible(page);
      await row.getByRole('link', { name: 'Open the record of http', exact: true }).click();
      await page.waitForURL('**/history/*');
    }
  });

  test('a pin is shown at once, also if the site was entered without its port', async () => {
    const page = await dashboard.open('/sites?host=127.0.0.1');
    await region(page, host()).getByText('No pinned method').waitFor();
    await page
      .getByText(`What was learned is shown for ${host()}, the port with the most attempts.`)
      .waitFor();
    await page.getByRole('button', { name: 'Pin a method' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pin it' }).click();
    await region(page, host()).getByText('Pinned: http · direct').waitFor();
    await page.getByRole('button', { name: 'Remove the pin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await region(page, host()).getByText('No pinned method').waitFor();
  });

  test('a cheaper method is pinned from the advice', async () => {
    const page = await dashboard.page();
    const way = { scraper: 'http_impersonate', proxy_type: 'datacenter' };
    await page.route('**/api/v1/sites/*/bill/', async (route) => {
      const response = await route.fetch();
      const bill = (await response.json()) as object;
      await route.fulfill({ json: { ...bill, saving: { value: 1, way, reason: 'It is cheaper.' } } });
    });
    await page.goto(path());
    const cost = region(page, 'Cost');
    await cost.getByRole('button', { name: 'Pin http_impersonate · direct' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pin it' }).click();
    await cost.getByText('This method is pinned: the router tries it first.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the pin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await region(page, host()).getByText('No pinned method').waitFor();
  });

  test('an administrator can pin a method, remove the pin, and make the service forget the site', async () => {
    const page = await dashboard.open(path());
    await page.getByRole('button', { name: 'Pin a method' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Scraper' }).selectOption('http_impersonate');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Pin it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await region(page, host()).getByText('Pinned: http_impersonate').waitFor();
    const { body } = await dashboard.service.scrape({ url: `${site.url}/text`, scraper: 'auto' });
    assert.match(body.router.attempts![0]!.reason, /^pinned/);

    await page.getByRole('button', { name: 'Remove the pin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await region(page, host()).getByText('No pinned method').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Forget this site' }).click();
    const forget = dialog.getByRole('button', { name: 'Forget it' });
    await forget.waitFor();
    await expectAccessible(page);
    await forget.click();
    await page.getByText('Nothing is known about this site').waitFor();
    await expectAccessible(page);
  });

  test('a user sees the sites of their own scrapes, without the controls of administrators', async () => {
    const anna = await dashboard.user('anna@example.com');
    await dashboard.service.scrape({ url: `${site.url}/text?again`, scraper: 'http' });
    const page = await dashboard.open(path(), { as: anna });
    await page.getByText('You have no recent scrapes of it.', { exact: false }).waitFor();
    await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' };
        await (await fetch('/api/v1/scrape/', { method: 'POST', headers, body })).json();
      },
      JSON.stringify({ url: `${site.url}/text?hers`, scraper: 'http' }),
    );
    await page.reload();
    await settled(page);
    await region(page, '/text')
      .getByText(/^Next: /)
      .waitFor();
    await expect(page.getByRole('button', { name: /pin|forget/i })).toHaveCount(0);
    await expectAccessible(page);
  });

  test('host names that contain scripts are shown as text', async () => {
    const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    const page = await dashboard.page();
    const ran = await watchForScripts(page);
    await page.route('**/api/v1/sites/*/bill/', (route) => {
      const sum = { scrapes: 1, ok: 1, cost: 1, unpriced: 0 };
      const way = { scraper: evil, proxy_type: evil, attempts: 1, ok: 1, cost: 1, unpriced: 0 };
      const months = [{ month: '2026-11', ...sum, ways: [way] }];
      const saving = { value: 1, way: null, reason: evil };
      return route.fulfill({
        json: { host: evil, cost_unit: evil, months, total: { ...sum, ways: [way] }, saving },
      });
    });
    await page.route(/\/api\/v1\/sites\/[^/]+\/$/, async (route) => {
      const way = { scraper: 'http', proxy_type: 'datacenter' };
      await route.fulfill({
        json: {
          host: evil,
          pinned: null,
          pages: [
            {
              pattern: `/${evil}`,
              attempts: 1,
              demands: [{ name: evil, words: evil, probability: 1 }],
              history: [{ since: '2026-11-26T00:00:00Z', name: evil, words: evil }],
              ways: [{ ...way, est_success: 1, est_cost: 1, remembered: 1 }],
              next: way,
              reason: evil,
            },
          ],
        },
      });
    });
    await page.goto(`/sites?host=${encodeURIComponent(evil)}`);
    await page.getByRole('heading', { name: `/${evil}` }).waitFor();
    await page.getByRole('columnheader', { name: 'Relative cost' }).waitFor();
    await region(page, 'Cost').getByRole('table', { name: 'Cost by month and method' }).waitFor();
    await settled(page);
    assert.deepEqual(await ran(), []);
    await expectAccessible(page);
  });

  test('a record links to the page of its site', async () => {
    const { body } = await dashboard.service.scrape({ url: `${site.url}/text?link`, scraper: 'http' });
    const page = await dashboard.open(`/history/${body.id}`);
    await page.getByRole('link', { name: 'About this site' }).click();
    await page.waitForURL(`**${path()}`);
    await region(page, '/text').waitFor();
  });
});
