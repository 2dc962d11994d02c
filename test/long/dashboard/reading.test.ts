import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { ARTICLE } from '../../end-to-end/reading-pages.ts';
import { useTarget } from '../../end-to-end/text-target.ts';

const HOSTILE = `<main><h1>Hello</h1><p>${'A line of text. '.repeat(20)}</p>
<p>&lt;script&gt;parent.ran = 1&lt;/script&gt; <a href="javascript:parent.ran = 1">run</a> <a href="/away">away</a></p>
<p>&lt;img src=x onerror="parent.ran = 1"&gt;</p><img src="/pixel.png" alt="A pixel"></main>`;

const PLACED = `<!doctype html><title>Placed</title><style>body{margin:0}h1,p{margin:0}
nav{height:100px}main{display:block;margin-left:200px;width:600px;height:300px;overflow:hidden;background:#dfd}</style>
<nav><a href="/">Home</a></nav><main><h1>Hello</h1><p>${'A line of text. '.repeat(20)}</main>`;

describe('what is read from a page', () => {
  const dashboard = useDashboard();
  const target = useTarget({
    '/article': ['text/html', ARTICLE],
    '/hostile': ['text/html', HOSTILE],
    '/placed': ['text/html', PLACED],
  });

  test('playground: formats are chosen, Markdown is rendered, the main content is told', async () => {
    const page = await dashboard.open('/playground');
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${target.url}/article`);
    await page.getByRole('tab', { name: 'Output' }).click();
    const formats = page.getByRole('combobox', { name: /^Formats/ });
    await formats.click();
    for (const name of ['markdown', 'structured'])
      await page.getByRole('option', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Only main content').check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/^Main content: .* of the text, in/).waitFor();
    const rendered = page.frameLocator('iframe[title="Rendered Markdown"]');
    await rendered.getByRole('heading', { name: 'Harbours', level: 1 }).waitFor();
    await rendered.getByRole('cell', { name: 'North' }).waitFor();
    await expect(rendered.getByText('Imprint')).toHaveCount(0);
    await expectAccessible(page);
    const views = page.getByRole('radiogroup', { name: 'Views of the Markdown' });
    await views.getByText('Plain text', { exact: true }).click();
    await page.getByLabel('markdown', { exact: true }).getByText('# Harbours').waitFor();
    await page.getByRole('tab', { name: 'Data', exact: true }).click();
    await page.getByRole('tab', { name: 'structured' }).click();
    await page.getByLabel('structured', { exact: true }).getByText('"headline"').first().waitFor();
  });

  test('the main content is outlined in the screenshot, beside the Markdown', async () => {
    const { body } = await dashboard.service.scrape({
      url: `${target.url}/placed`,
      screenshot: true,
      scraper_options: {
        formats: ['markdown'],
        only_main_content: true,
        viewport: { width: 1_000, height: 500 },
      },
    });
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open(`/history/${body.id}`, options);
      const screenshot = page.getByRole('img', { name: `Screenshot of ${target.url}/placed` });
      const outline = page.getByRole('img', { name: 'Outline of the main content' });
      await outline.waitFor();
      // Until everything has its size, the page may move between the two readings.
      await expect(async () => {
        const picture = (await screenshot.boundingBox())!;
        const shown = (await outline.boundingBox())!;
        // The main content is 200 of 1,000 pixels from the left and 100 of 500 from the top, 600 wide and 300 high.
        const shares = [
          (shown.x - picture.x) / picture.width,
          (shown.y - picture.y) / picture.height,
          shown.width / picture.width,
          shown.height / picture.height,
        ];
        assert.deepEqual(
          shares.map((share) => Math.round(share * 20) / 20),
          [0.2, 0.2, 0.6, 0.6],
        );
      }).toPass({ timeout: 20_000 });
      await page
        .frameLocator('iframe[title="Rendered Markdown"]')
        .getByText('A line of text.')
        .first()
        .waitFor();
      await expectAccessible(page);
      await page.getByLabel('Outline the main content').uncheck();
      await outline.waitFor({ state: 'detached' });
    }
  });

  test('a stored scrape: Markdown of a page that is hostile runs nothing and loads nothing', async () => {
    const { body } = await dashboard.service.scrape({
      url: `${target.url}/hostile`,
      scraper: 'http',
      scraper_options: { formats: ['markdown', 'main_html'] },
    });
    for (const scheme of ['light', 'dark'] as const) {
      const page = await dashboard.page({ scheme, size: NARROW });
      const away: string[] = [];
      page.on('request', (request) => {
        if (request.url().startsWith(target.url)) away.push(request.url());
      });
      // The link is not followed, and the browser says so.
      dashboard.allow(/sandboxed frame/);
      await page.goto(`/history/${body.id}`);
      const rendered = page.frameLocator('iframe[title="Rendered Markdown"]');
      await rendered.getByRole('heading', { name: 'Hello' }).waitFor();
      await rendered.getByText('<script>parent.ran = 1</script>').waitFor();
      await rendered.getByText('Image: A pixel').waitFor();
      await expect(rendered.locator('img, script, [onerror], a[href^="javascript"]')).toHaveCount(0);
      const refused = page.waitForEvent('console', (message) => message.text().includes('sandboxed frame'));
      await rendered.getByText('away').click();
      await refused;
      await rendered.getByRole('heading', { name: 'Hello' }).waitFor();
      assert.equal(await page.evaluate(() => 'ran' in globalThis), false);
      assert.deepEqual(away, []);
      await expectToFit(page);
      await expectAccessible(page);
    }
  });
});
