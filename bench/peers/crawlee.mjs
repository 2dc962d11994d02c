/**
 * The contender crawlee: its PlaywrightCrawler with `useIncognitoPages`, a context for each page. It takes pages from a
 * queue, so a turn is a number of pages, computed from the rate of the turn before.
 */
import { Configuration, log, PlaywrightCrawler } from '@crawlee/playwright';
import { chromium } from 'playwright';
import { launchOptions } from '../lib/launch-ask.ts';
import { messageOf, missingIn, serveTurns } from '../lib/turns.ts';

log.setLevel(log.LEVELS.OFF);

/** State of the running turn. */
let turn = null;
let began = new Map();
let latencies = [];
let errors = 0;
let firstError = null;
let left = 0;
let ended = () => {};

const crawler = new PlaywrightCrawler(
  {
    launchContext: {
      launcher: chromium,
      useIncognitoPages: true,
      launchOptions: launchOptions('--remote-debugging-pipe', '--no-startup-window'),
    },
    browserPoolOptions: {
      useFingerprints: false,
      // During the benchmark Sluice does not restart its browser either.
      retireBrowserAfterPageCount: Number.MAX_SAFE_INTEGER,
      maxOpenPagesPerBrowser: 100,
      prePageCreateHooks: [(pageId) => void began.set(pageId, performance.now())],
      postPageCloseHooks: [
        (pageId) => {
          latencies.push(performance.now() - began.get(pageId));
          if (--left === 0) ended();
        },
      ],
    },
    keepAlive: true,
    maxRequestRetries: 0,
    useSessionPool: false,
    statisticsOptions: { logIntervalSecs: 3600 },
    maxConcurrency: 1,
    async requestHandler({ page }) {
      const error = missingIn(await page.content(), turn);
      if (error !== null) throw new Error(error);
    },
    failedRequestHandler(_, error) {
      errors++;
      firstError ??= messageOf(error);
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: true }),
);
let queued = 0;
const rates = new Map();
let running = false;

async function runTurn(next) {
  turn = next;
  const { url, concurrency, seconds } = turn;
  const cell = `${url} ${concurrency}`;
  const pages = Math.max(2 * concurrency, Math.round((rates.get(cell) ?? 2) * seconds));
  began = new Map();
  latencies = [];
  [errors, firstError, left] = [0, null, pages];
  const done = new Promise((resolve) => {
    ended = resolve;
  });
  if (!running) {
    running = true;
    crawler.run().catch((error) => {
      firstError = messageOf(error);
      ended();
    });
  }
  while (crawler.autoscaledPool === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  // In this order: the setters refuse a minimum above the maximum.
  crawler.autoscaledPool.minConcurrency = 1;
  crawler.autoscaledPool.maxConcurrency = concurrency;
  crawler.autoscaledPool.minConcurrency = concurrency;
  crawler.autoscaledPool.desiredConcurrency = concurrency;
  const requests = Array.from({ length: pages }, () => ({ url, uniqueKey: String(queued++) }));
  await crawler.addRequests(requests, { waitForAllRequestsToBeAdded: true });
  await done;
  const perSecond = ((pages - errors) * 1000) / (performance.now() - Math.min(...began.values()));
  rates.set(cell, perSecond);
  return { latencies, perSecond, errors, firstError };
}

serveTurns(runTurn);
