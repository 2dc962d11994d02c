import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { driverFor } from '../../../../src/browser/engine/driver.ts';
import type { PageAction } from '../../../../src/domain/page-action.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../../../src/domain/scraper-options.ts';
import type { Scraper } from '../../../../src/ports/scraper.ts';
import { BLOCK_CASES, BLOCK_ROUTES } from '../../../adapters/browser/driver-block-cases.ts';
import { CASES, type DriverCase, targetOfDrivers } from '../../../adapters/browser/driver-cases.ts';
import { LEADING_CASES, LEADING_ROUTES } from '../../../adapters/browser/driver-leading-cases.ts';
import { browserScraper, LOOPBACK } from '../../../adapters/browser/kit.ts';
import { wrapped } from '../../../adapters/browser/stage.ts';
import type { Target } from '../../../adapters/browser/target.ts';
import { testedChromiums } from '../../../adapters/browser/tested-chromiums.ts';
import { comparableResult } from '../../../adapters/browser/told.ts';
import { fetchWith, type JobChange, jobFor } from '../../../contracts/fetch-order.ts';
import { type Site, startSite } from '../../../site/site.ts';

const browsers = await testedChromiums();
const skip = browsers.length === 0 && 'there is no Chromium on this machine';
/** Cases that run at the same time. */
const CONCURRENCY = 3;

describe('both drivers return the same results', { skip }, () => {
  let site: Site;
  let target: Target;
  before(async () => {
    site = await startSite({ tls: true });
    target = await targetOfDrivers({ ...BLOCK_ROUTES, ...LEADING_ROUTES });
  });
  after(async () => {
    await target?.[Symbol.asyncDispose]();
    await site?.close();
  });

  for (const found of browsers) {
    test(`${found.type} ${found.version}`, async (t) => {
      using binary = wrapped(found);
      const configured = [{ type: 'chromium', path: binary.path }] as const;
      const cdp = await browserScraper(t, LOOPBACK, null, { configured });
      const playwright = await browserScraper(t, LOOPBACK, null, {
        configured,
        chooseDriver: () => 'playwright',
      });
      // Both browsers run before the first case, so that their start does not count towards its time limit.
      await Promise.all([cdp, playwright].map((one) => fetchWith(one, target.url, { timeoutMs: 60_000 })));
      const cases = [...CASES, ...BLOCK_CASES, ...LEADING_CASES];
      const remaining = [...cases];
      const errors: unknown[] = [];
      const runs = Array.from({ length: CONCURRENCY }, async () => {
        for (let next = remaining.shift(); next !== undefined; next = remaining.shift())
          await compareDrivers(next, cdp, playwright).catch((error: unknown) => void errors.push(error));
      });
      await Promise.all(runs);
      assert.equal(errors.length, 0, `${errors.length} of ${cases.length}:\n${errors.join('\n')}`);
    });
  }

  async function compareDrivers(one: DriverCase, cdp: Scraper, playwright: Scraper): Promise<void> {
    const { url: httpUrl, httpsUrl } = site;
    const base = one.on === 'tls' ? httpsUrl! : one.on === 'site' ? httpUrl : target.url;
    const url = one.path.includes('://') ? one.path : `${base}${one.path}`;
    const change = { timeoutMs: 20_000, ...one.change };
    assert.equal(driverFor(jobFor(url, change)), 'cdp', `${one.name}: the driver cdp is chosen`);
    const request = one.allowUrl === undefined ? {} : { allowUrl: one.allowUrl };
    const byCdp = await fetchWith(cdp, url, change, request);
    const byPlaywright = await fetchWith(playwright, url, change, request);
    assert.deepEqual(comparableResult(byCdp, one.loose), comparableResult(byPlaywright, one.loose), one.name);
    one.check?.(byCdp);
  }
});

describe('the choice of the driver', () => {
  const driver = (change: JobChange) => driverFor(jobFor('http://a/', change));
  test('jobs that only playwright can do use playwright', () => {
    const browser: readonly JobChange['browser'][] = [
      { headless: false },
      { pageActions: [{ type: 'wait', ms: 1 } as PageAction] },
      { waitForSelector: 'xpath=//a' },
      { waitForSelector: 'text=a' },
      { waitForSelector: 'css=a:has-text("b")' },
      { waitForSelector: 'css=a:nth-child(2)' },
      { waitForSelector: 'css=a >> b' },
      { waitForSelector: String.raw`css=.a\:b` },
    ];
    const options: readonly JobChange['options'][] = [
      { javascript: false },
      { locale: 'de' },
      { timezone: 'Europe/Berlin' },
      { colorScheme: 'dark' },
      { device: 'Pixel 7' },
      { viewport: { ...DEFAULT_SCRAPER_OPTIONS.viewport, width: 800 } },
      { geolocation: { latitude: 1, longitude: 1, accuracy: 1 } },
      { storageState: { cookies: [], origins: [] } },
      { screenshot: { selector: 'css=p', fullPage: false, type: 'image/png', quality: null } },
    ];
    for (const change of [
      ...browser.map((one) => ({ browser: one })),
      ...options.map((one) => ({ options: one })),
    ])
      assert.equal(driver(change as JobChange), 'playwright', JSON.stringify(change));
    assert.equal(driverFor(jobFor('http://a/', { options: { verifyTls: false } })), 'playwright');
    assert.equal(driverFor(jobFor('http://a/'), 'darwin'), 'playwright');
    assert.equal(driver({}), 'cdp');
  });

  test('selectors that both drivers understand alike use cdp', () => {
    for (const selector of [
      'a',
      '#a.b',
      'a > b + c ~ d  e',
      'a, .b',
      'a[b="c d"] i',
      '[data-x]',
      '*',
      'a[b^=c]',
    ])
      assert.equal(driver({ browser: { waitForSelector: `css=${selector}` } }), 'cdp', selector);
  });
});
