import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { driverFor } from '../../../../src/browser/engine/driver.ts';
import type { FetchResult } from '../../../../src/domain/fetch-result.ts';
import type { Driver } from '../../../../src/domain/option.ts';
import { METHODS } from '../../../../src/domain/task.ts';
import type { FetchRequest, Scraper } from '../../../../src/ports/scraper.ts';
import { browserScraper, LOOPBACK } from '../../../adapters/browser/kit.ts';
import { chromiums, wrapped } from '../../../adapters/browser/stage.ts';
import { html, startTarget } from '../../../adapters/browser/target.ts';
import { comparableResult } from '../../../adapters/browser/told.ts';
import { pageOf, textOf } from '../../../contracts/fetch-order.ts';
import { scraperContract } from '../../../contracts/scraper.ts';

/** The comparable results by the title of the case, in the order of the fetches. */
type Results = Map<string, Promise<unknown>[]>;

/** The codes of fetches that a deadline or the caller ended. */
const BY_CLOCK = /^(?:timeout\.|request\.cancelled$)/;
const DRIVERS = ['cdp', 'playwright'] as const;
const results: { readonly [D in Driver]: Results } = { cdp: new Map(), playwright: new Map() };
const chosenDrivers: Driver[] = [];
const cleanups: (() => unknown)[] = [];
after(async () => {
  for (const cleanup of cleanups) await cleanup();
});

const [first, ...others] = await chromiums();
if (first !== undefined) {
  for (const driver of DRIVERS) {
    /** One scraper for all cases, so that its browser starts only once. */
    let scraper: Promise<Scraper> | null = null;
    scraperContract(`browser, driver ${driver}`, {
      open: async ({ name: title }, ca) => {
        const context = { after: (cleanup: unknown) => void cleanups.push(cleanup as () => unknown) };
        scraper ??= browserScraper(
          context,
          LOOPBACK,
          ca,
          driver === 'playwright' ? { chooseDriver: () => 'playwright' } : {},
        );
        const shared = await scraper;
        const ofCase: Promise<unknown>[] = [];
        results[driver].set(title, ofCase);
        const fetch = (request: FetchRequest) => {
          if (driver === 'cdp') chosenDrivers.push(driverFor(request.task));
          const fetched = shared.fetch(request);
          ofCase.push(fetched.then((result) => comparable(result, request.task.url)));
          return fetched;
        };
        return { name: shared.name, fetch, close: async () => {} };
      },
      traits: {
        methods: METHODS.filter((method) => method !== 'HEAD' && method !== 'OPTIONS'),
        pace: 10,
        many: 8,
        lateMs: 2_000,
      },
      skips: {
        'a coded body that ends too early is told': 'browsers treat it as complete, and show what arrived',
        'a body on GET is sent, with a warning':
          'browsers send no body with GET: the job is refused before a fetch',
        "the caller's fields go out in their order, as written, repeated where they repeat":
          'a browser has an order of its own and sends each name once: see headers.test.ts',
        "the caller's fields may hold any byte": 'the DevTools protocol takes text, and sends it as UTF-8',
      },
    });
  }

  test('both drivers returned the same results in all cases', async () => {
    assert.ok(results.cdp.size > 15, `${results.cdp.size} cases`);
    assert.deepEqual([...results.playwright.keys()], [...results.cdp.keys()]);
    if (process.platform === 'linux')
      assert.ok(
        chosenDrivers.every((driver) => driver === 'cdp'),
        chosenDrivers.join(),
      );
    for (const [title, ofCase] of results.cdp)
      assert.deepEqual(await Promise.all(ofCase), await Promise.all(results.playwright.get(title)!), title);
  });
}

/**
 * The contract takes the first browser. Of the others it is seen that they work, by turns in one of the drivers, and in both with
 * LONG=1: most tests take only one.
 */
for (const [place, found] of others.entries())
  for (const driver of process.env.LONG === '1' ? DRIVERS : [DRIVERS[place % 2]!])
    test(`${found.type} ${found.version} (${found.source}), driver ${driver}: a page as its script has left it`, async (t) => {
      await using target = await startTarget({
        '/': html('<p id=p>x<script>p.textContent = "made by " + navigator.userAgent</script>'),
      });
      using wrapper = wrapped(found);
      // Whole browsers need no environment, and are told from shells by their name.
      const path = found.headlessShell ? wrapper.path : found.path;
      const scraper = await browserScraper(t, LOOPBACK, null, {
        configured: [{ type: 'chromium', path }],
        chooseDriver: () => driver,
      });
      const text = textOf(await pageOf(scraper, `${target.url}/`, { timeoutMs: 60_000 }));
      assert.match(text, new RegExp(`made by .*Chrome/${Number.parseInt(found.version!, 10)}\\.`));
    });

/** The parts that must be the same with both drivers. Each driver is tested with its own site, so ports are replaced. */
function comparable(fetched: FetchResult, url: string): unknown {
  // How far a fetch got before a deadline or the caller ended it is chance.
  if (fetched.page === null && BY_CLOCK.test(fetched.failure?.code ?? '')) return fetched.failure?.code;
  const text = JSON.stringify(comparableResult(fetched, url.includes('/drip') ? ['body'] : []));
  return JSON.parse(text.replaceAll(/(127\.0\.0\.[12]|localhost)(:|%3A)\d{4,5}\b/g, '$1$2port'));
}
