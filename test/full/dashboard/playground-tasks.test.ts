import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { pickElement } from '../../dashboard/pick-element.ts';
import { NARROW, type PageOptions, settled, useDashboard, WIDE } from '../../dashboard/use-dashboard.ts';
import { listen } from '../../helpers/free-port.ts';

const card = (number: number) =>
  `<li class="card"><a href="/things/${number}">Thing ${number}</a> <b class="price">${number}.50</b></li>`;
const SHOP = `<!doctype html><title>Shop</title><nav>Menu</nav><main><h1>All things</h1>
<p>${'We sell useful things. '.repeat(12)}</p><ul>${[1, 2, 3].map(card).join('')}</ul></main>`;
const LOG_IN = `<!doctype html><title>In</title><form onsubmit="document.body.textContent = 'Hello ' + username.value; return false">
<input id=username><input id=password type=password><button type=submit>Go</button></form>`;

const BOTH = [
  { size: WIDE, scheme: 'light' },
  { size: NARROW, scheme: 'dark' },
] as const satisfies readonly PageOptions[];

describe('tasks of the playground', () => {
  const dashboard = useDashboard();
  let server: Server;
  let site = '';
  let requests = 0;
  /** Requests that wait for their response. */
  const held: ServerResponse[] = [];
  before(async () => {
    server = createServer((request, response) => {
      requests++;
      if (request.url === '/held') return void held.push(response);
      const body =
        request.url === '/login' ? LOG_IN : request.url === '/echo' ? JSON.stringify(request.headers) : SHOP;
      const type = request.url === '/echo' ? 'application/json' : 'text/html; charset=utf-8';
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    await listen(server);
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const url = (page: Page) => page.getByRole('textbox', { name: 'URL', exact: true });
  const task = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const json = async (page: Page): Promise<Record<string, unknown>> =>
    JSON.parse(await page.getByLabel('Request as JSON').inputValue());
  /** Also in this order. */
  const becomes = async (page: Page, expected: unknown) =>
    expect(async () => {
      assert.equal(JSON.stringify(await json(page), null, 1), JSON.stringify(expected, null, 1));
    }).toPass({ timeout: 20_000 });
  const becomesEcho = async (page: Page) =>
    expect(async () =>
      assert.partialDeepStrictEqual(await json(page), { url: `${site}/echo`, method: 'POST' }),
    ).toPass({ timeout: 20_000 });
  const run = async (page: Page, address: string) => {
    await url(page).fill(address);
    await url(page).press('Enter');
    await page.getByRole('heading', { name: 'Result', exact: true }).waitFor({ timeout: 30_000 });
  };
  const boxes = (elements: Locator) =>
    elements.evaluateAll((all) => all.map((element) => element.getBoundingClientRect().toJSON() as DOMRect));
  const accessible = async (page: Page) => {
    // Otherwise the header of narrow screens may cover part of a button.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(page);
  };
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  test('a task fills the request, shows its fields and its part of the result; another one takes back only what was not changed', async () => {
    for (const options of BOTH) {
      const page = await dashboard.open('/playground', options);
      await expect(url(page)).toBeFocused();
      await task(page, 'Page as Markdown');
      await expect(url(page)).toBeFocused();
      // What the buttons do is written on them, also on a phone.
      for (const name of ['Saved', 'Recent', 'Copy a link', 'Reset'])
        await expect(page.getByText(name, { exact: true })).toBeVisible();
      const markdown = { formats: ['markdown'], only_main_content: true };
      await becomes(page, { url: '', scraper_options: markdown });
      await expect(page.getByLabel('Only main content')).toBeChecked();
      await expect(page.getByRole('textbox', { name: /^Timeout/ })).toHaveCount(0);
      // Without a scheme, and by Enter alone. Servers of this machine seldom have certificates.
      await run(page, `${site.replace('http://', '')}/nothing`);
      await becomes(page, { url: `${site}/nothing`, scraper_options: markdown });
      await run(page, site.replace('http:', 'https:'));
      await page.getByText('API: HTTP 502', { exact: true }).waitFor();
      // The error goes with the URL that it belongs to.
      await url(page).fill(`${site}/shop`);
      await page.getByText('No result yet').waitFor();
      await run(page, `${site}/shop`);
      await expect(tab(page, 'Markdown')).toHaveAttribute('aria-selected', 'true');
      await page
        .frameLocator('iframe[title="Rendered Markdown"]')
        .getByRole('heading', { name: 'All things' })
        .waitFor();
      const result = page.getByRole('region', { name: 'Outcome' });
      await expect(async () => {
        const { y } = (await result.boundingBox())!;
        assert.ok(y >= 0 && y < options.size.height / 2, String(y));
      }).toPass({ timeout: 20_000 });
      await accessible(page);
      await expectToFit(page);
      // All tabs are in view, and the figures are in one row or in two equal ones.
      await expect(async () => {
        for (const { x, width } of await boxes(page.getByRole('tab')))
          assert.ok(x >= 0 && x + width <= options.size.width, `${x} to ${x + width}`);
        const inRow = Map.groupBy(await boxes(page.getByRole('definition')), ({ y }) => Math.round(y));
        assert.ok(new Set([...inRow.values()].map(({ length }) => length)).size === 1, `${inRow.size} rows`);
      }).toPass({ timeout: 20_000 });
      for (const name of ['Source', 'Rendered', 'Route', 'Details']) {
        await tab(page, name).click();
        await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true');
        await settled(page);
        await accessible(page);
        await expectToFit(page);
      }
      await page.getByLabel('Only main content').uncheck();
      await task(page, 'Screenshot');
      await becomes(page, { url: `${site}/shop`, screenshot: true });
      await task(page, 'Through a country');
      await page.getByLabel('Country').fill('DE');
      await becomes(page, { url: `${site}/shop`, proxy: { country: 'DE' } });
      await accessible(page);
      await task(page, 'Log in and click');
      await page.getByRole('textbox', { name: 'Selector', exact: true }).first().fill('#user');
      await accessible(page);
      await expectToFit(page);
      // What the user has changed stays.
      await task(page, 'All options');
      await page.getByRole('textbox', { name: /^Timeout/ }).waitFor();
      const { page_actions: actions, proxy } = await json(page);
      assert.equal((actions as { selector: string }[])[0]!.selector, '#user');
      assert.deepEqual(proxy, { country: 'DE' });
    }
  });

  test('log in and click: the steps of the run, the actions and the picture', async () => {
    const page = await dashboard.open('/playground');
    await task(page, 'Log in and click');
    await page.getByRole('textbox', { name: 'Value', exact: true }).first().fill('Ada');
    await page.getByRole('textbox', { name: 'Value', exact: true }).nth(1).fill('secret');
    await page.getByRole('switch', { name: /^Screenshot/ }).check();
    await run(page, `${site}/login`);
    await page.getByRole('img', { name: `Screenshot of ${site}/login` }).waitFor();
    await tab(page, 'Actions').click();
    await page.getByText('3 of 3 done').waitFor();
    await tab(page, 'Source').click();
    await page.getByRole('region', { name: 'Source' }).getByText('Hello Ada').waitFor();
  });

  test('progress: what the scrape does is shown while it runs, and cancelling ends it', async () => {
    const page = await dashboard.open('/playground');
    await url(page).fill(`${site}/held`);
    await url(page).press('Enter');
    await page.getByText('Fetching the page').waitFor();
    await page.getByText(/^Attempt 1 of up to \d, by \w+$/).waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await accessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The scrape was stopped.').waitFor();
  });

  test('data by selectors: fields are tried on the stored page as they are typed, picked on it, saved, and used by the run', async () => {
    for (const options of BOTH) {
      const page = await dashboard.open('/playground', options);
      await task(page, 'Data by selectors');
      await expect(page.getByRole('button', { name: 'Pick on the page' })).toBeDisabled();
      await run(page, `${site}/shop`);
      const fetched = requests;
      await page.getByRole('button', { name: 'Add a field' }).click();
      const fields = page.getByRole('list', { name: 'Fields' }).first();
      // Not the values of a field, which are a list, too.
      const entries = fields.locator(':scope > li');
      const field = (number: number) => entries.nth(number);
      await field(0).getByLabel('Name').fill('title');
      await field(0).getByLabel('Selector').pressSequentially('main h1');
      await field(0).getByText('All things').waitFor();
      await page.getByRole('button', { name: 'Add a field' }).click();
      const price = field(1);
      await price.getByLabel('Selector').fill('.card a');
      await price.getByText('All matches').click();
      await price.getByText('3 values').waitFor();
      await price.getByRole('combobox', { name: /^What to take/ }).selectOption({ label: 'Link (href)' });
      await price.getByText(`${site}/things/2`).waitFor();
      // A mistake is told at its field, and goes with it.
      await price.getByLabel('Selector').fill('.card[');
      await price.getByRole('alert').waitFor();
      await accessible(page);
      await price.getByLabel('Selector').fill('.price');
      await price.getByRole('combobox', { name: /^What to take/ }).selectOption({ label: 'Text' });
      await price.getByText('2.50').waitFor();
      await expect(price.getByRole('alert')).toHaveCount(0);
      await field(1).getByLabel('Name').fill('title');
      await page.getByText('Another field has this name.').waitFor();
      await field(1).getByLabel('Name').fill('prices');
      await accessible(page);
      await expectToFit(page);
      // The picker writes into the same fields.
      await page.getByRole('button', { name: 'Pick on the page' }).click();
      await expect(tab(page, 'Picker')).toHaveAttribute('aria-selected', 'true');
      await pickElement(page, 'Thing 1');
      await expect(entries).toHaveCount(3);
      await expect(field(2).getByText('Finds 1 element.')).toBeVisible();
      // Another one like it makes a list, and each click can be undone.
      await pickElement(page, 'Thing 3');
      await page.getByText('“a” is a list now.').waitFor();
      await expect(entries).toHaveCount(3);
      await field(2).getByText('3 values').waitFor();
      await accessible(page);
      await page.getByRole('button', { name: 'Undo' }).click();
      await field(2).getByText('Finds 1 element.').waitFor();
      if (options.size === WIDE)
        // The row is in view, beside the page.
        await expect(field(2).getByLabel('Selector')).toBeInViewport();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(entries).toHaveCount(2);
      assert.equal(requests, fetched, 'nothing was fetched again');
      const { extract } = (await json(page)).scraper_options as { extract: Record<string, unknown> };
      assert.deepEqual(extract.title, 'main h1');
      assert.deepEqual(extract.prices, { selector: '.price', type: 'list' });
      const name = `shop-${options.scheme}`;
      await page.getByLabel('Save these fields as').fill(name);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(`The fields are saved as the template ${name}.`).waitFor();
      await run(page, `${site}/shop`);
      await page.getByLabel('extract', { exact: true }).getByText('"3.50"').waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      // It also takes back the task, so it must be over before.
      await becomes(page, { url: '' });
      await task(page, 'Data by selectors');
      await page.getByRole('combobox', { name: 'Load saved fields' }).click();
      await page.getByRole('option', { name }).click();
      await expect(async () => {
        const options = (await json(page)).scraper_options as { extract?: unknown } | undefined;
        assert.equal(JSON.stringify(options?.extract), JSON.stringify(extract));
      }).toPass({ timeout: 20_000 });
    }
  });

  test('an example runs at once; a schema is made by rows; an earlier result is marked; the request goes over to other forms', async () => {
    const page = await dashboard.open('/playground', { size: NARROW, scheme: 'dark' });
    await page.getByRole('button', { name: /^A product by a schema/ }).click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByText('"Steel Anvil, small"').waitFor();
    await expect(tab(page, 'Data')).toHaveAttribute('aria-selected', 'true');
    const rows = page.getByRole('list', { name: 'Fields of the schema' }).getByRole('listitem');
    await expect(rows).toHaveCount(4);
    await page.getByRole('button', { name: 'Add a field' }).click();
    await rows.last().getByLabel('Name').fill('category');
    await rows.last().getByLabel('Type').selectOption({ label: 'List of texts' });
    await page.getByRole('button', { name: 'Remove rating' }).click();
    await expect(page.getByRole('textbox', { name: 'Schema', exact: true })).toHaveValue(
      /"category": \{\s+"type": "array",\s+"items"/,
    );
    await accessible(page);
    await expectToFit(page);
    const earlier = outcome.getByText('Of the request before');
    await expect(earlier).toHaveCount(0);
    await task(page, 'Screenshot');
    await earlier.waitFor();
    await accessible(page);
    await task(page, 'Data by selectors');
    await expect(earlier, 'the fields are picked on it').toHaveCount(0);
    await page.getByRole('button', { name: 'Add a field' }).click();
    const field = page.getByRole('list', { name: 'Fields', exact: true }).locator(':scope > li');
    await field.getByLabel('Name').fill('price');
    await field.getByLabel('Selector').fill('.price');
    await url(page).fill('docs.sluice.test/docs');
    await earlier.waitFor();

    await task(page, 'Watch this page');
    await page.getByRole('heading', { level: 1, name: 'New monitor' }).waitFor();
    await expect(page.getByLabel('URL', { exact: true })).toHaveValue('docs.sluice.test/docs');
    await expect(page.getByLabel('What to compare')).toHaveValue('extract');
    await expect(page.getByLabel('Selector', { exact: true })).toHaveValue('.price');
    await page.goBack();
    await task(page, 'URLs of a site');
    await url(page).press('Enter');
    await page.getByText('9 URLs from links and sitemaps').waitFor();
    await accessible(page);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Choose none' }).click();
    await page.getByRole('checkbox', { name: 'https://docs.sluice.test/docs/anvil', exact: true }).check();
    await page.getByRole('button', { name: 'Scrape only this 1 page' }).click();
    await page.getByRole('heading', { level: 1, name: 'New batch' }).waitFor();
    await expect(page.getByLabel('URLs', { exact: true })).toHaveValue('https://docs.sluice.test/docs/anvil');
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByText('Done', { exact: true }).first().waitFor();
  });

  test('a pasted curl command becomes the request; recent requests fill the form', async () => {
    const page = await dashboard.open('/playground', { size: NARROW });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const paste = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await url(page).press('Control+V');
    };
    await paste(`curl '${site}/echo' -X POST -H 'X-Test: a b' --data-raw 'q=1' --compressed -s`);
    await becomesEcho(page);
    const imported = await json(page);
    assert.deepEqual((imported.headers as Record<string, unknown>)['X-Test'], 'a b');
    await page.getByText('Not imported').waitFor();
    await accessible(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Source' }).getByText('"a b"').waitFor();
    // The request stays if the command cannot be imported.
    await url(page).focus();
    await paste('curl --unknown-option');
    await page.getByText('The curl command could not be imported').waitFor();
    await becomes(page, imported);

    await page.getByRole('button', { name: 'Reset' }).click();
    await becomes(page, { url: '' });
    await page.getByRole('button', { name: 'Recent requests' }).click();
    await page
      .getByRole('menuitem', { name: /\/echo/ })
      .first()
      .waitFor();
    await accessible(page);
    await page
      .getByRole('menuitem', { name: /\/echo/ })
      .first()
      .click();
    await becomesEcho(page);
    await page.getByText('Loaded from the record').waitFor();

    // The request that is in the form is saved, and loaded again after a reset.
    const saved = () => page.getByRole('button', { name: 'Saved requests' }).click();
    await saved();
    const dialog = page.getByRole('dialog', { name: 'Saved requests' });
    await dialog.getByText('No saved requests yet.').waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Save this request as').fill('Echo by POST');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: /^Echo by POST/ }).waitFor();
    await accessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reset' }).click();
    await becomes(page, { url: '' });
    await saved();
    await dialog.getByRole('button', { name: /^Echo by POST/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await becomesEcho(page);
    await saved();
    await dialog.getByRole('button', { name: 'Delete “Echo by POST”' }).click();
    await dialog.getByText('No saved requests yet.').waitFor();
  });
});
