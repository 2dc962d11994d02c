/** What anybody would write with Playwright: a fresh context and page for each visit. */
import { chromium } from 'playwright-core';
import { launchAsk } from './launch-ask.ts';
import { serveTurns, takeTurn } from './turns.ts';

const browser = await chromium.launch(launchAsk('--remote-debugging-pipe', '--no-startup-window'));

async function visit(url: string): Promise<string> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    return await page.content();
  } finally {
    await context.close();
  }
}

serveTurns((turn) => takeTurn(visit, turn));
