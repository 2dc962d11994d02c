import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { PICKER_FRAME, pickElement } from '../../dashboard/pick-element.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useTarget } from '../../end-to-end/text-target.ts';

const card = (number: number) =>
  `<li class="card css-1x9zq${number}"><h2 class="card-name"><a href="/things/${number}">Thing ${number}</a></h2><p style="color: #333">Useful.</p><span itemprop="price">${number}.50</span></li>`;
const SHOP = `<!doctype html><html><head><title>Shop</title><style>.card { padding: 8px }</style></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main id="shop"><h1>All things</h1><p>${'We sell useful things. '.repeat(12)}</p><ul>${[1, 2, 3, 4].map(card).join('')}</ul></main>
<footer><p>Imprint</p></footer></body></html>`;

/** Names that hide members of the document and of forms, scripts in every place, and resources. */
const HOSTILE = `<!doctype html><html><head><title>x</title><meta http-equiv="refresh" content="0; url=/refresh">
<base href="/base/"><link rel="stylesheet" href="/style.css"><script>parent.ran = 1</script>
<style>@import '/import.css'; body { background: u\\72l(/bg.png) } [role=application] { display: none }</style></head>
<body onload="parent.ran = 1"><img name="body" src="/img.png" onerror="parent.ran = 1"><img name="querySelectorAll" src="/b.png">
<form name="documentElement" action="/form"><input name="parentElement" id="style" autofocus onfocus="parent.ran = 1"><input name="childNodes"><input name="attributes">
<br><b class="inside">In the form</b></form><iframe src="/frame"></iframe><iframe srcdoc="<script>parent.parent.ran = 1</script>"></iframe>
<svg onload="parent.ran = 1"><script>parent.ran = 1</script><image href="/svg.png"/></svg><object data="/object"></object><video src="/video" autoplay></video>
<a class="away" href="javascript:parent.ran = 1" target="_top">Run it</a><details ontoggle="parent.ran = 1" open><summary>More</summary></details></body></html>`;

describe('the picker of selectors', () => {
  const dashboard = useDashboard();
  const target = useTarget({ '/shop': ['text/html', SHOP], '/hostile': ['text/html', HOSTILE] });

  /** The picker of a new record. */
  async function openPicker(path: string, options: object = {}, pageOptions = {}): Promise<Page> {
    const { body } = await dashboard.service.scrape({
      url: target.url + path,
      scraper: 'http',
      scraper_options: options,
    });
    const page = await dashboard.open(`/history/${body.id}`, pageOptions);
    await page.getByRole('tab', { name: 'Picker' }).click();
    await page.frameLocator(PICKER_FRAME).locator('body > *').first().waitFor({ state: 'attached' });
    return page;
  }

  test('playground: clicks become rules of extract, and what they find is shown at once', async () => {
    const page = await dashboard.open('/playground');
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${target.url}/shop`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('tab', { name: 'Picker' }).click();
    const fields = page.getByRole('list', { name: 'Fields', exact: true }).locator(':scope > li');
    const price = fields.nth(0);
    await pickElement(page, '2.50');
    await expect(price.getByLabel('Selector')).toHaveValue(/:nth-of-type\(2\)/);
    await price.getByText('Finds 1 element.').waitFor();
    await expect(price.getByLabel('Name')).toHaveValue('price');
    await price.getByText('2.50', { exact: true }).waitFor();
    // A click on another one like it makes a list.
    await pickElement(page, '4.50');
    await price.getByText('Finds 4 elements.').waitFor();
    await expect(price.getByLabel('Selector')).toHaveValue('span[itemprop="price"]');
    await price.getByText('4 values').waitFor();
    await expectAccessible(page);
    const link = fields.nth(1);
    await pickElement(page, 'Thing 3');
    await link.getByText('All matches', { exact: true }).click();
    await link.getByRole('combobox', { name: /^What to take/ }).selectOption({ label: 'Link (href)' });
    await link.getByLabel('Name').fill('link');
    await link.getByText(`${target.url}/things/3`).waitFor();
    const text = JSON.parse(await page.getByLabel('Request as JSON').inputValue());
    assert.deepEqual(text.scraper_options.extract.price, {
      selector: 'span[itemprop="price"]',
      type: 'list',
    });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const extract = page.getByLabel('extract', { exact: true });
    await extract.getByText('"2.50"').waitFor();
    await extract.getByText(`"${target.url}/things/3"`).waitFor();
  });

  test('a record: the main content is outlined, and the fields are taken along to the playground', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await openPicker('/shop', { formats: ['main_html'] }, { scheme, size: NARROW });
      await page.getByText('Main content', { exact: true }).waitFor();
      await pickElement(page, 'All things');
      const field = page.getByRole('list', { name: 'Fields', exact: true }).locator(':scope > li');
      await expect(field.getByLabel('Selector')).toHaveValue('h1');
      await expectAccessible(page);
      await expectToFit(page);
      await field.getByLabel('Selector').fill('h1[');
      await field.getByRole('alert').waitFor();
      await field.getByLabel('Selector').fill('main > h1');
      await field.getByLabel('Name').fill('heading');
      await field.getByText('All things').waitFor();
      await page.getByRole('button', { name: 'Open in the playground' }).click();
      await page.getByText('JSON and code').click();
      const json = page.getByRole('textbox', { name: 'Request as JSON' });
      await expect(json).toHaveValue(/"heading"/);
      const request = JSON.parse(await json.inputValue());
      assert.deepEqual(request.scraper_options, {
        formats: ['main_html'],
        extract: { heading: 'main > h1' },
      });
    }
  });

  test('by keyboard alone', async () => {
    const page = await openPicker('/shop');
    const layer = page.getByRole('application');
    await layer.focus();
    const steps = [
      ['ArrowDown', /^body: Home About/],
      ['ArrowDown', /^nav: Home About$/],
      ['ArrowRight', /^main#shop: All things/],
      ['ArrowDown', /^h1: All things$/],
      ['ArrowRight', /^p: We sell/],
      ['ArrowLeft', /^h1: All things$/],
      ['ArrowUp', /^main#shop: All things/],
      ['ArrowUp', /^body: Home About/],
    ] as const;
    for (const [key, named] of steps) {
      await page.keyboard.press(key);
      await page.getByRole('status').filter({ hasText: named }).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.getByText('Finds 1 element.').waitFor();
  });

  test('a hostile page runs nothing, loads nothing, and can be picked from', async () => {
    const { body } = await dashboard.service.scrape({ url: `${target.url}/hostile`, scraper: 'http' });
    const page = await dashboard.page();
    const away: string[] = [];
    // What the page itself loads, at any time.
    const own = new RegExp(`^${dashboard.service.base}/(api/|assets/|history/${body.id}$)`);
    page.on('request', (request) => {
      if (!own.test(request.url()) && request.url().startsWith('http')) away.push(request.url());
    });
    const stopped: string[] = [];
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') stopped.push(request.url());
    });
    // The policy stops the disguised URL of the style sheet.
    dashboard.allow(/Content Security Policy/);
    await page.goto(`/history/${body.id}`);
    await page.getByRole('tab', { name: 'Picker' }).click();
    const frame = page.frameLocator(PICKER_FRAME);
    await frame.getByText('In the form').waitFor();
    await expect(page.locator(PICKER_FRAME)).toHaveAttribute('sandbox', 'allow-same-origin');
    const forbidden =
      'script, iframe, object, video, link, base, form, [href], [src], [name], [onload], [onerror], [onfocus]';
    await expect(frame.locator(forbidden)).toHaveCount(0);
    await pickElement(page, 'Run it');
    const field = page.getByRole('list', { name: 'Fields', exact: true }).locator(':scope > li');
    await expect(field.first().getByLabel('Selector')).toHaveValue('a.away');
    await field.first().getByText('Run it').waitFor();
    await pickElement(page, 'In the form');
    await expect(field.last().getByLabel('Selector')).toHaveValue('b.inside');
    await field.last().getByText('In the form').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.evaluate(() => 'ran' in globalThis), false);
    assert.deepEqual(
      away.filter((url) => !stopped.includes(url)),
      [],
    );
    assert.deepEqual([...new Set(stopped)], [`${dashboard.service.base}/bg.png`]);
    assert.match(page.url(), /\/history\//);
  });
});
