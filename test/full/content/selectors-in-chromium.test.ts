import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { SELECTOR_PAGE, SELECTORS } from '../../content/selector-table.ts';

const EXECUTABLE = process.env.SLUICE_TEST_CHROMIUM ?? '/usr/bin/chromium';

/** What the table of selectors expects is what a real browser finds. */
describe('querySelectorAll of Chromium', {
  skip: existsSync(EXECUTABLE) ? false : `no ${EXECUTABLE} here`,
}, () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.setContent(SELECTOR_PAGE);
  });
  after(() => browser?.close());

  for (const [css, expected] of SELECTORS) {
    it(css, async () => {
      const found = `[...document.querySelectorAll(${JSON.stringify(css)})]`;
      const ids = await page.evaluate<string[]>(`${found}.map((one) => one.id || one.localName)`);
      assert.equal(ids.join(' '), expected);
    });
  }
});
