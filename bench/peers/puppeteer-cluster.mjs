/** puppeteer-cluster as its manual shows it, with a context for each page. */
import puppeteer from 'puppeteer';
import { Cluster } from 'puppeteer-cluster';
import { launchAsk } from '../lib/launch-ask.ts';
import { serveTurns, takeTurn } from '../lib/turns.ts';

const cluster = await Cluster.launch({
  concurrency: Cluster.CONCURRENCY_CONTEXT,
  // Turns ask for less or as much.
  maxConcurrency: 8,
  puppeteer,
  puppeteerOptions: {
    // It waits for the page that is there at the start.
    ...launchAsk('about:blank'),
    // Its own is 800 by 600: half of what all others draw.
    defaultViewport: { width: 1280, height: 720 },
  },
});
await cluster.task(async ({ page, data: url }) => {
  await page.goto(url);
  return page.content();
});

serveTurns((turn) => takeTurn((url) => cluster.execute(url), turn));
