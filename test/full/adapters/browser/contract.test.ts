import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { driverFor } from '../../../../src/browser/engine/driver.ts';
import type { FetchResult } from '../../../../src/domain/fetch-result.ts';
import { METHODS } from '../../../../src/domain/job.ts';
import type { Driver } from '../../../../src/domain/option.ts';
import type { FetchRequest, Scraper } from '../../../../src/ports/scraper.ts';
import { browserScraper, LOOPBACK } from '../../../adapters/browser/kit.ts';
import { chromiums } from '../../../adapters/browser/stage.ts';
import { told } from '../../../adapters/browser/told.ts';
import { scraperContract } from '../../../contracts/scraper.ts';

/** Answers by case, in the order in which they were asked for. */
type Answers = Map<string, Promise<unknown>[]>;

/** What ends a fetch at a time of ours. */
const BY_CLOCK = /^(?:timeout\.|request\.cancelled$)/;
const DRIVERS = ['cdp', 'playwright'] as const;
const answers: { readonly [L in Driver]: Answers } = { cdp: new Map(), playwright: new Map() };
const chosenDrivers: Driver[] = [];
const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
});

if ((await chromiums()).length > 0) {
  for (const driver of DRIVERS) {
    /** The browser starts once for all cases; each still has a context of its own. */
    let scraper: Promise<Scraper> | null = null;
    scraperContract(`browser, driver ${driver}`, {
      open: async ({ name: title }, ca) => {
        const closed = { after: (end: unknown) => void ends.push(end as () => unknown) };
        scraper ??= browserScraper(
          closed,
          LOOPBACK,
          ca,
          driver === 'playwright' ? { chooseDriver: () => 'playwright' } : {},
        );
        const shared = await scraper;
        const given: Promise<unknown>[] = [];
        answers[driver].set(title, given);
        const fetch = (order: FetchRequest) => {
          if (driver === 'cdp') chosenDrivers.push(driverFor(order.job));
          const fetched = shared.fetch(order);
          given.push(fetched.then((one) => comparable(one, order.job.url)));
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
        'a coded body that ends too early is told': 'browsers take it for whole, and show what there is',
        'a body on GET is sent, with a warning': 'browsers send no body with GET: it is refused before',
        "the caller's fields go out in their order, as written, repeated where they repeat":
          'a browser has an order of its own and sends each name once: see headers.test.ts',
        "the caller's fields may hold any byte": 'the DevTools protocol takes text, which goes out as UTF-8',
      },
    });
  }

  test('both drivers gave the same answers in all cases', async () => {
    assert.ok(answers.cdp.size > 15, `${answers.cdp.size} cases`);
    assert.deepEqual([...answers.playwright.keys()], [...answers.cdp.keys()]);
    if (process.platform === 'linux')
      assert.ok(
        chosenDrivers.every((driver) => driver === 'cdp'),
        chosenDrivers.join(),
      );
    for (const [title, given] of answers.cdp)
      assert.deepEqual(await Promise.all(given), await Promise.all(answers.playwright.get(title)!), title);
  });
}

/** What is the same in both drivers. Each contract has a site of its own: its ports are the same words here. */
function comparable(fetched: FetchResult, url: string): unknown {
  // What the clock ended is as far as it happened to be.
  if (fetched.page === null && BY_CLOCK.test(fetched.failure?.code ?? '')) return fetched.failure?.code;
  const text = JSON.stringify(told(fetched, url.includes('/drip') ? ['body'] : []));
  return JSON.parse(text.replaceAll(/(127\.0\.0\.[12]|localhost)(:|%3A)\d{4,5}\b/g, '$1$2port'));
}
