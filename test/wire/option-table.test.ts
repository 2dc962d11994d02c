import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { driverFor } from '../../src/browser/engine/driver.ts';
import { BROWSER_OPTIONS } from '../../src/domain/browser-options.ts';
import { camelCase, type OptionTable } from '../../src/domain/option.ts';
import { SCRAPER_OPTIONS } from '../../src/domain/scraper-options.ts';
import { isBrowser, SCRAPER_NAMES, type ScraperName } from '../../src/domain/scrapers.ts';
import { scrapersObject } from '../../src/http/endpoints/scrapers.ts';
import { plan } from '../../src/router/plan.ts';
import { BLOCK_CASES } from '../adapters/browser/driver-block-cases.ts';
import { CASES, type DriverCase } from '../adapters/browser/driver-cases.ts';
import { LEADING_CASES } from '../adapters/browser/driver-leading-cases.ts';
import { PLAYWRIGHT_CASES } from '../adapters/browser/driver-playwright-cases.ts';
import { jobOf, refused } from './job-of.ts';

/** Values that are not the default; the first may be one that the driver `cdp` honours, too. */
const SCRAPER_SAMPLES: Readonly<Record<keyof typeof SCRAPER_OPTIONS, readonly unknown[]>> = {
  max_content_bytes: [5],
  verify_tls: [false],
  max_redirects: [1],
  content_encoding: ['base64'],
  return_content: [false],
  user_agent: ['Me/1'],
  formats: [['text']],
  only_main_content: [true],
  main_content: [{ include: ['main'] }, { exclude: ['.x'] }, { links_from: 'page' }],
  markdown: [{ links: 'text' }, { max_chars: 10 }],
  json: [{ schema: { type: 'object' } }],
  extract: [{ title: 'h1' }],
  http2: [true, false],
  impersonate: ['firefox'],
  locale: ['de-CH'],
  timezone: ['Asia/Tokyo'],
  viewport: [{ width: 800 }, { is_mobile: true }],
  device: ['Pixel 7'],
  color_scheme: ['dark', 'light', 'no-preference'],
  reduced_motion: ['reduce', 'no-preference'],
  geolocation: [{ latitude: 0, longitude: 0 }],
  javascript: [false],
  block: [{ resource_types: ['image'] }, { url_patterns: ['**/*.js'] }],
  screenshot: [{ full_page: true }, { selector: 'p' }, { type: 'jpeg', quality: 5 }],
  pdf: [{ landscape: true }, { format: 'A4', margin: { top: '1cm', left: 20 }, page_ranges: '1-2, 4' }],
  wait_for_selector_state: ['hidden', 'visible'],
  capture: [[{ url: '**' }]],
  profile: ['shop', { name: 'shop', save: 'never' }],
  storage_state: [{ origins: [{ origin: 'http://a.test', localStorage: [] }] }],
};
const BROWSER_SAMPLES: Readonly<Record<keyof typeof BROWSER_OPTIONS, readonly unknown[]>> = {
  browser_type: ['chrome', 'edge', 'chromium'],
  headless: [false],
  wait_for_selector: ['#a', '//a', 'a:nth-child(2)'],
  wait_for_timeout_ms: [5],
  wait_for_load_state: ['networkidle0', 'load'],
  page_actions: [[{ reload: true }]],
  screenshot: [true],
};

const CASES_OF_BOTH = [...CASES, ...BLOCK_CASES, ...LEADING_CASES];

const ALL_AVAILABLE = { unavailable: () => null, proxyRefusal: () => null };

const TABLES: readonly (readonly [
  table: OptionTable,
  samples: Readonly<Record<string, readonly unknown[]>>,
  request: (name: string, value: unknown) => object,
  pointer: string,
])[] = [
  [BROWSER_OPTIONS, BROWSER_SAMPLES, (name, value) => ({ [name]: value }), ''],
  [
    SCRAPER_OPTIONS,
    SCRAPER_SAMPLES,
    (name, value) => ({ scraper_options: { [name]: value } }),
    '/scraper_options',
  ],
];

for (const [table, samples, requestOf, basePointer] of TABLES)
  for (const [name, row] of Object.entries(table))
    describe(`${basePointer}/${name}`, () => {
      const { scrapers, drivers } = row.honouredBy;
      for (const value of samples[name]!) {
        const request = requestOf(name, value);
        if (scrapers.length === 0) {
          test('no scraper honours it: it is refused', () =>
            refused(request, `${basePointer}/${name}`, /not available in this version/));
          continue;
        }
        for (const scraper of SCRAPER_NAMES)
          test(`${JSON.stringify(value)}: ${scraper} honours it, or is not chosen`, () => {
            const task = jobOf({ ...request, scraper });
            const { plan: result, failure } = plan(task, ALL_AVAILABLE);
            if (!scrapers.includes(scraper)) {
              assert.deepEqual(
                [failure?.code, failure?.pointer],
                ['scraper.unsupported_option', `${basePointer}/${name}`],
              );
              return;
            }
            assert.equal(result?.steps[0]?.scraper, scraper);
            if (!isBrowser(scraper)) return;
            const driver = driverFor(task, 'linux');
            const optionsPart: Readonly<Record<string, unknown>> =
              basePointer === '' ? task.browser : task.options;
            const actual = optionsPart[camelCase(name)];
            assert.ok(
              drivers.includes(driver) || isDefault(actual, row.default) || row.cdpHonours?.(actual) === true,
            );
          });
        test(`${JSON.stringify(value)}: \`auto\` plans only the scrapers that honour it`, () => {
          const { plan: result } = plan(jobOf(request), ALL_AVAILABLE);
          assert.deepEqual(new Set(result?.steps.map(({ scraper }) => scraper)), new Set(scrapers));
        });
      }
    });

const isDefault = (value: unknown, defaultValue: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(defaultValue);

test('what any browser honours, the driver `playwright` honours: it is used for all that `cdp` does not support', () => {
  for (const [table] of TABLES)
    for (const [name, { honouredBy }] of Object.entries(table))
      assert.equal(honouredBy.drivers.includes('playwright'), honouredBy.scrapers.some(isBrowser), name);
});

test('the service lists for each scraper the options that it honours', () => {
  const { items } = scrapersObject(() => null, [], { sandbox: 'on' }, null);
  for (const { name, options } of items) {
    const scrapers: readonly ScraperName[] = name === 'auto' ? SCRAPER_NAMES : [name];
    const honoured = Object.entries<OptionTable[string]>(SCRAPER_OPTIONS).flatMap(([option, row]) =>
      scrapers.some((scraper) => row.honouredBy.scrapers.includes(scraper)) ? option : [],
    );
    assert.deepEqual(Object.keys((options as { properties: object }).properties), honoured, name);
  }
});

/** What decides before there is a driver, or is made of the page afterwards; and what has tests of its own. */
const NOT_IN_CASES: ReadonlySet<string> = new Set([
  'browser_type',
  'content_encoding',
  'return_content',
  'formats',
  'only_main_content',
  'main_content',
  'markdown',
  'json',
  'extract',
  // Needs a screen: adapters/browser/launch.test.ts.
  'headless',
  // end-to-end/actions-*.test.ts
  'page_actions',
]);

for (const [table, , , pointer] of TABLES)
  for (const [name, { honouredBy, default: defaultValue, cdpHonours }] of Object.entries(table)) {
    if (NOT_IN_CASES.has(name)) continue;
    const isShown = (cases: readonly DriverCase[]) =>
      cases.some(({ change = {} }) => {
        const part: Readonly<Record<string, unknown>> =
          (pointer === '' ? change.browser : change.options) ?? {};
        const value = part[camelCase(name)];
        return value !== undefined && !isDefault(value, defaultValue);
      });
    if (honouredBy.drivers.includes('cdp') || cdpHonours !== undefined)
      test(`${pointer}/${name}: a case shows that both drivers honour it`, () =>
        assert.ok(isShown(CASES_OF_BOTH)));
    else if (honouredBy.drivers.length > 0)
      test(`${pointer}/${name}: a case shows that the driver \`playwright\` honours it`, () =>
        assert.ok(isShown(PLAYWRIGHT_CASES)));
  }
