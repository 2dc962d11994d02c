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
import { chromiums, wrapped } from '../../../adapters/browser/stage.ts';
import type { Target } from '../../../adapters/browser/target.ts';
import { told } from '../../../adapters/browser/told.ts';
import { fetchWith, type JobChange, jobFor } from '../../../contracts/fetch-order.ts';
import { type Site, startSite } from '../../../site/site.ts';

const all = await chromiums();
/** Without windows, it takes a third of the time; both drivers of all browsers are compared in long runs. */
const packaged = all.find(({ source }) => source === 'package') ?? all[0];
const browsers = process.env.LONG === '1' ? all : packaged === undefined ? [] : [packaged];
const skip = all.length === 0 && 'there is no Chromium on this machine';
const BESIDE = 3;

describe('the drivers give the same answers', { skip }, () => {
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
      // Both are warm before times count.
      await Promise.all([cdp, playwright].map((one) => fetchWith(one, target.url, { timeoutMs: 60_000 })));
      const cases = [...CASES, ...BLOCK_CASES, ...LEADING_CASES];
      const left = [...cases];
      const wrong: unknown[] = [];
      const turns = Array.from({ length: BESIDE }, async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift())
          await same(next, cdp, playwright).catch((error: unknown) => void wrong.push(error));
      });
      await Promise.all(turns);
      assert.equal(wrong.length, 0, `${wrong.length} of ${cases.length}:\n${wrong.join('\n')}`);
    });
  }

  async function same(one: DriverCase, cdp: Scraper, playwright: Scraper): Promise<void> {
    const { url: clear, httpsUrl } = site;
    const base = one.on === 'tls' ? httpsUrl! : one.on === 'site' ? clear : target.url;
    const url = one.path.includes('://') ? one.path : `${base}${one.path}`;
    const change = { timeoutMs: 20_000, ...one.change };
    assert.equal(driverFor(jobFor(url, change)), 'cdp', `${one.name}: it is for the driver cdp`);
    const order = one.allowUrl === undefined ? {} : { allowUrl: one.allowUrl };
    const [a, b] = [
      await fetchWith(cdp, url, change, order),
      await fetchWith(playwright, url, change, order),
    ];
    assert.deepEqual(told(a, one.loose), told(b, one.loose), one.name);
    one.check?.(a);
  }
});

describe('what the driver cdp leaves to playwright', () => {
  const driver = (change: JobChange) => driverFor(jobFor('http://a/', change));
  test('everything that only playwright can do', () => {
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

  test('selectors that both drivers understand alike are taken by cdp', () => {
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
