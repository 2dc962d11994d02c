/** The contender "Playwright loop": the obvious program with Playwright, a fresh context and page for each visit. */
import { chromium } from 'playwright-core';
import { launchOptions } from './launch-ask.ts';
import { runTurn, serveTurns } from './turns.ts';

const browser = await chromium.launch(launchOptions('--remote-debugging-pipe', '--no-startup-window'));

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

serveTurns((turn) => runTurn(visit, turn));
