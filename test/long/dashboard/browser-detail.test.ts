import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, type PageOptions, useDashboard } from '../../dashboard/use-dashboard.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const SHOP = `<title>A shop</title><body style="margin: 0; height: 3000px; background: linear-gradient(red, blue)">
<button id="more" onclick="list.append('second item')">More</button><p id="list">first item </p>
<script>
  fetch('/api/items').then((answer) => answer.json()).then(({ items }) => list.append(items.join()));
  fetch('/api/bytes');
</script>`;
const PNG_SIGNATURE = '89504e470d0a1a0a';

describe('detail of a scrape in a browser', { skip }, () => {
  const dashboard = useDashboard();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/shop': html(SHOP),
      '/api/items': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"items":["from the API"]}'),
      '/api/bytes': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/octet-stream' })
          .end(Buffer.from([0, 255, 1, 254])),
      '/elsewhere': html('<img src="http://10.0.0.1/a.png"><img src="http://10.0.0.1/b.png"><p>here</p>'),
    });
  });
  after(() => target?.[Symbol.asyncDispose]());

  const scraped = async (more: object, path = '/shop'): Promise<string> => {
    const { body, text } = await dashboard.service.scrape({
      url: target.url + path,
      timeout_ms: 120_000,
      ...more,
    });
    assert.ok(typeof body.id === 'string', text);
    return body.id;
  };
  const open = (id: string, options?: PageOptions): Promise<Page> =>
    dashboard.open(`/history/${id}`, options);
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  test('shows the screenshot and its size, scaled down and in full size, with links to open and download it', async () => {
    const id = await scraped({ screenshot: true, scraper_options: { screenshot: { full_page: true } } });
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await open(id, options);
      const shot = panel(page, 'Screenshot');
      await shot.getByText('1280 × 3000 px').waitFor();
      const picture = shot.getByRole('img', { name: `Screenshot of ${target.url}/shop` });
      const width = () => picture.evaluate((image) => image.getBoundingClientRect().width);
      const scroll = shot.getByRole('region');
      const height = () => scroll.evaluate((element) => element.getBoundingClientRect().height);
      await expect.poll(width).toBeGreaterThan(100);
      await expect.poll(width).toBeLessThan(1280);
      await expect.poll(height).toBeLessThan(1000);
      await expectToFit(page);
      await shot.getByRole('switch', { name: 'Full size' }).press('Space');
      await expect.poll(width).toBe(1280);
      await expectToFit(page);
      await expectAccessible(page);
      const opens = shot.getByRole('link', { name: 'Open in a tab' });
      const saves = shot.getByRole('link', { name: 'Download' });
      await expect(opens).toHaveAttribute('href', `/api/v1/scrape/${id}/screenshot`);
      await expect(async () => {
        assert.equal((await opens.boundingBox())!.y, (await saves.boundingBox())!.y);
      }).toPass({ timeout: 20_000 });
      const download = page.waitForEvent('download');
      await saves.click();
      assert.equal((await download).suggestedFilename(), `screenshot-${id}.png`);
      const bytes = Buffer.concat(await (await (await download).createReadStream()).toArray());
      assert.equal(bytes.subarray(0, 8).toString('hex'), PNG_SIGNATURE);
    }
  });

  test('the screenshot link of the response can be copied, and works without a session', async () => {
    const page = await open(await scraped({ screenshot: true }));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText(/^Public link, until /).waitFor();
    await page.getByRole('button', { name: 'Copy the link of the picture' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).not.toBe('');
    const link = await copied();
    const answer = await fetch(link);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'image/png');
  });

  test('says why there is no screenshot: it was deleted, was not stored, or there was no page', async () => {
    const id = await scraped({ screenshot: true });
    const page = await dashboard.page();
    await page.route('**/screenshot', async (route) => {
      await dashboard.service.api('DELETE', `/api/v1/scrape/${id}/`);
      await route.continue();
    });
    await page.goto(`/history/${id}`);
    await panel(page, 'Screenshot').getByText('it was deleted with its record, or was not stored').waitFor();
    await expectAccessible(page);
    const unkept = await open(await scraped({ screenshot: true, router: { retain: 'metadata' } }));
    await panel(unkept, 'Screenshot')
      .getByText('It was not stored: only the response contained it.')
      .waitFor();
    const missing = await open(
      await scraped({ screenshot: true, scraper_options: { screenshot: { selector: '#nothing-like-it' } } }),
    );
    await panel(missing, 'Screenshot')
      .getByText(/no screenshot/i)
      .waitFor();
    const { body } = await dashboard.service.scrape({ url: 'http://127.0.0.1:9/', screenshot: true });
    const failed = await open(body.id!);
    await panel(failed, 'Screenshot').getByText('No page was fetched').waitFor();
    const unasked = await open(await scraped({ scraper: 'browser' }));
    await panel(unasked, 'Facts').waitFor();
    await expect(panel(unasked, 'Screenshot')).toHaveCount(0);
  });

  test('shows each page action with its target, its outcome and its result', async () => {
    const id = await scraped({
      page_actions: [
        { click: '#more' },
        { type: 'evaluate', script: '({ title: document.title, deep: { list: [1, null, "x"] } })' },
        { type: 'screenshot', name: 'after the click' },
        Object.fromEntries([
          ['type', 'if'],
          ['selector', '#list'],
          [
            'then',
            [{ type: 'fill', selector: '#secret-place', value: 'a secret', optional: true, timeout_ms: 50 }],
          ],
        ]),
        { type: 'click', selector: '#nowhere', timeout_ms: 300, id: 'lost' },
        { type: 'wait', ms: 10 },
      ],
    });
    const page = await open(id);
    const steps = panel(page, 'Actions')
      .getByRole('listitem')
      .filter({ has: page.locator('b') });
    await panel(page, 'Actions')
      .getByText(/of 7 done, 1 failed, 2 skipped/)
      .waitFor();
    await expect(steps.nth(0)).toHaveText(/^0\s*click\s*#more[\s\S]*done[\s\S]*\d\sm?s$/);
    await expect(steps.nth(1)).toHaveText(/evaluate[\s\S]*title: “A shop”[\s\S]*deep: \{1 member\}/);
    await steps.nth(2).getByText('1280 × 720 px').waitFor();
    await steps.nth(2).getByRole('img', { name: 'Screenshot after the click' }).waitFor();
    await expect(steps.nth(4)).toHaveText(/^3\s*fill\s*#secret-place[\s\S]*skipped/);
    await expect(steps.nth(5)).toHaveText(/^4\s*click\s*#nowhere\s*lost[\s\S]*failed[\s\S]*action\.failed/);
    await expect(steps.nth(6)).toHaveText(/^5\s*wait[\s\S]*skipped/);
    await expect(panel(page, 'Actions')).not.toHaveText(/a secret/);
    // By keyboard: if the tree is closed, its members are not in the page.
    await steps.nth(1).locator('summary').first().press('Enter');
    await steps.nth(1).getByText('“A shop”').waitFor({ state: 'hidden' });
    await expectAccessible(page);
    const timing = page.getByRole('table', { name: 'Where the time went' });
    for (const name of ['Load', 'Actions'])
      await timing.getByRole('rowheader', { name, exact: true }).waitFor();
    const narrow = await open(id, { size: NARROW, scheme: 'dark' });
    await panel(narrow, 'Actions').getByText('1280 × 720 px').waitFor();
    await expectToFit(narrow);
    await expectAccessible(narrow);
  });

  test('shows captured requests with headers and bodies', async () => {
    const id = await scraped({
      wait_for_load_state: 'networkidle',
      scraper_options: { capture: [{ url: '**/api/**', body: true }] },
    });
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await open(id, options);
      const network = panel(page, 'Network');
      await network.getByRole('button', { name: /^GET .*\/api\/items$/ }).click();
      await network
        .getByRole('region', { name: 'the body of request' })
        .getByText('"from the API"')
        .waitFor();
      await network.getByRole('tab', { name: /^Response headers/ }).click();
      await network.getByRole('row', { name: 'content-type application/json' }).waitFor();
      await network.getByRole('tab', { name: /^Sent headers/ }).click();
      await network.getByRole('row', { name: /^user-agent / }).waitFor();
      await network.getByRole('button', { name: /items$/ }).click();
      await network.getByRole('button', { name: /^GET .*\/api\/bytes$/ }).click();
      await network.getByText('00000000  00 ff 01 fe').waitFor();
      await expectToFit(page);
      await expectAccessible(page);
    }
    const none = await open(await scraped({ scraper_options: { capture: [{ url: '**/nothing' }] } }));
    await none.getByText('No request of the page matched').waitFor();
    await expectAccessible(none);
  });

  test('names the hosts that the page was not allowed to reach', async () => {
    const page = await open(await scraped({ scraper: 'browser' }, '/elsewhere'));
    const notes = panel(page, 'Good to know');
    await notes.getByText('egress.blocked').waitFor();
    await notes.getByText('10.0.0.1, 2 times').waitFor();
    await expectAccessible(page);
  });
});
