import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { driverFor } from '../../../../src/browser/engine/driver.ts';
import type { FetchResult } from '../../../../src/domain/fetch-result.ts';
import type { Driver } from '../../../../src/domain/option.ts';
import type { PageAction } from '../../../../src/domain/page-action.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../../../src/domain/scraper-options.ts';
import type { Scraper } from '../../../../src/ports/scraper.ts';
import { BLOCK_CASES, BLOCK_ROUTES } from '../../../adapters/browser/driver-block-cases.ts';
import { CASES, type DriverCase, targetOfDrivers } from '../../../adapters/browser/driver-cases.ts';
import { LEADING_CASES, LEADING_ROUTES } from '../../../adapters/browser/driver-leading-cases.ts';
import { PLAYWRIGHT_CASES, PLAYWRIGHT_ROUTES } from '../../../adapters/browser/driver-playwright-cases.ts';
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
const DRIVERS = ['cdp', 'playwright'] as const;
/** Of each kind of cases one: these run in both drivers, and their results must be the same. */
const SMOKE: ReadonlySet<string> = new Set([
  'a page',
  'what a page can find out',
  'made by script',
  'networkidle',
  'a selector that is never seen',
  'too many redirects',
  'an error page',
  'a download',
  'a page that is cut',
  'Shift_JIS',
  'no answer',
  'POST',
  'cookies of the target',
  'a picture of all of it',
  'block: a pattern',
]);

/** The drivers that a case takes: by turns one of them, and both with LONG=1 or if nothing but the other result checks it. */
const driversOf = ({ name, check }: DriverCase, place: number): readonly Driver[] =>
  process.env.LONG === '1' || SMOKE.has(name) || check === undefined ? DRIVERS : [DRIVERS[place % 2]!];

describe('both drivers return the same results', { skip }, () => {
  let site: Site;
  let target: Target;
  before(async () => {
    site = await startSite({ tls: true });
    target = await targetOfDrivers({ ...BLOCK_ROUTES, ...LEADING_ROUTES, ...PLAYWRIGHT_ROUTES });
  });
  after(async () => {
    await target?.[Symbol.asyncDispose]();
    await site?.close();
  });

  for (const found of browsers) {
    test(`${found.type} ${found.version}`, async (t) => {
      using binary = wrapped(found);
      const configured = [{ type: 'chromium', path: binary.path }] as const;
      const scrapers = {
        cdp: await browserScraper(t, LOOPBACK, null, { configured }),
        playwright: await browserScraper(t, LOOPBACK, null, { configured, chooseDriver: () => 'playwright' }),
      };
      // Both browsers run before the first case, so that their start does not count towards its time limit.
      const starts = DRIVERS.map((one) => fetchWith(scrapers[one], target.url, { timeoutMs: 60_000 }));
      await Promise.all(starts);
      const cases = [...CASES, ...BLOCK_CASES, ...LEADING_CASES];
      const names = new Set(cases.map(({ name }) => name));
      assert.deepEqual(
        [...SMOKE].filter((name) => !names.has(name)),
        [],
      );
      const remaining = [
        ...cases.map((one, place) => [one, driversOf(one, place)] as const),
        ...PLAYWRIGHT_CASES.map((one) => [one, ['playwright']] as const),
      ];
      const errors: unknown[] = [];
      const runs = Array.from({ length: CONCURRENCY }, async () => {
        for (let next = remaining.shift(); next !== undefined; next = remaining.shift())
          await runCase(...next, scrapers).catch((error: unknown) => void errors.push(error));
      });
      await Promise.all(runs);
      assert.equal(errors.length, 0, `${errors.length} errors:\n${errors.join('\n')}`);
    });
  }

  type Scrapers = Readonly<Record<Driver, Scraper>>;

  /** What ends by its short time is tried again with more: on a busy machine, the page itself may need that. */
  async function runCase(one: DriverCase, drivers: readonly Driver[], scrapers: Scrapers): Promise<void> {
    const timeoutMs = one.change?.timeoutMs ?? 60_000;
    const times = timeoutMs < 10_000 ? [timeoutMs, 4 * timeoutMs, 12 * timeoutMs] : [timeoutMs];
    const failed: unknown[] = [];
    for (const ms of times) {
      try {
        return await runWithin(ms, one, drivers, scrapers);
      } catch (error) {
        failed.push(error);
      }
    }
    throw new AggregateError(failed, failed.map(String).join('\n'));
  }

  async function runWithin(
    timeoutMs: number,
    one: DriverCase,
    drivers: readonly Driver[],
    scrapers: Scrapers,
  ): Promise<void> {
    const { url: httpUrl, httpsUrl } = site;
    const bases = {
      site: httpUrl,
      tls: httpsUrl!,
      'wrong name': httpsUrl!.replace('localhost', '127.0.0.2'),
    };
    const base = one.on === undefined ? target.url : bases[one.on];
    const url = one.path.includes('://') ? one.path : `${base}${one.path}`;
    const change = { ...one.change, timeoutMs };
    const chosen = PLAYWRIGHT_CASES.includes(one) ? 'playwright' : 'cdp';
    assert.equal(driverFor(jobFor(url, change)), chosen, `${one.name}: the driver that is chosen`);
    const request = one.allowUrl === undefined ? {} : { allowUrl: one.allowUrl };
    const results: FetchResult[] = [];
    for (const driver of drivers) results.push(await fetchWith(scrapers[driver], url, change, request));
    const [first, ...others] = results;
    for (const other of others)
      assert.deepEqual(comparableResult(first!, one.loose), comparableResult(other, one.loose), one.name);
    one.check?.(first!);
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
