import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { textOf } from '../../content/reading.ts';
import { TEXT_PAGES, TEXT_PARTS } from '../../content/text-pages.ts';
import fc from '../../helpers/fast-check.ts';

const EXECUTABLE = process.env.SLUICE_TEST_CHROMIUM ?? '/usr/bin/chromium';

/** The pages of the text format in a real browser: what the table expects is what `innerText` gives there. */
describe('innerText of Chromium', { skip: existsSync(EXECUTABLE) ? false : `no ${EXECUTABLE} here` }, () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
    page = await browser.newPage();
  });
  after(() => browser?.close());

  async function innerText(html: string): Promise<string> {
    await page.setContent(html);
    return await page.evaluate<string>('document.body.innerText');
  }

  for (const [name, html, expected] of TEXT_PAGES)
    it(name, async () => {
      assert.equal(await innerText(html), expected);
    });

  it('is what the format gives, whatever the page', async () => {
    await fc.assert(
      fc.asyncProperty(TEXT_PARTS, async (parts) => {
        const html = `<!doctype html><body>${parts}`;
        assert.equal(textOf(html), await innerText(html));
      }),
      { numRuns: 300 },
    );
  });
});
