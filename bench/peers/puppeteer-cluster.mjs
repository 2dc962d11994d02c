/** The contender puppeteer-cluster, used as its manual shows, with a context for each page. */
import puppeteer from 'puppeteer';
import { Cluster } from 'puppeteer-cluster';
import { launchOptions } from '../lib/launch-ask.ts';
import { runTurn, serveTurns } from '../lib/turns.ts';

const cluster = await Cluster.launch({
  concurrency: Cluster.CONCURRENCY_CONTEXT,
  // The highest concurrency of the benchmark.
  maxConcurrency: 8,
  puppeteer,
  puppeteerOptions: {
    // Puppeteer waits for a first page when it starts a browser.
    ...launchOptions('about:blank'),
    // The default, 800 × 600, has half of the pixels that all others draw.
    defaultViewport: { width: 1280, height: 720 },
  },
});
await cluster.task(async ({ page, data: url }) => {
  await page.goto(url);
  return page.content();
});

serveTurns((turn) => runTurn((url) => cluster.execute(url), turn));
