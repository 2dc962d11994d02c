import type { Browser, BrowserContext } from 'playwright-core';
import type { Job } from '../../../domain/job.ts';
import { blockAsAsked } from './blocked.ts';
import { contextOptions } from './context-options.ts';
import { cookiesAround } from './kept-cookies.ts';
import type { FullTab, Opening, Tab } from './tab.ts';
import type { BrowserIdentity } from './user-agent.ts';

export interface TabAsk {
  readonly job: Job;
  readonly proxyServer: string;
  /** Of the browser. */
  readonly identity: BrowserIdentity;
  /** Called when the page crashes or goes. */
  readonly onLost: () => void;
}

/** A tab of the full lane: Playwright's context and page, with a session of our own for the truth. */
export function openFullTab(browser: Browser, { job, proxyServer, identity, onLost }: TabAsk): Opening {
  browser.once('disconnected', onLost);
  const opening = contextOptions(job, proxyServer, identity).then((options) => browser.newContext(options));
  const tab = opening.then((context) => tabIn(context, job, onLost));
  // Whoever waits for it hears of it.
  tab.catch(() => {});
  const close = async () => {
    browser.off('disconnected', onLost);
    await (await opening).close();
  };
  return { tab, close };
}

async function tabIn(context: BrowserContext, job: Job, onLost: () => void): Promise<Tab> {
  await blockAsAsked(context, job.browser);
  const page = await context.newPage();
  page.once('crash', onLost);
  page.once('close', onLost);
  const full: FullTab = { page, context, keepsWindows: false };
  // What a page opens beside itself is nothing that was asked for, unless an action did it.
  context.on('page', (popup) => {
    if (!full.keepsWindows) popup.close().catch(() => {});
  });
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  return {
    session,
    mainFrame: frameTree.frame.id,
    jar: { add: (cookies) => context.addCookies(cookies), all: () => cookiesAround(session) },
    told: false,
    full,
    waitFor: (selector, state) => page.waitForSelector(selector, { state, timeout: 0 }),
  };
}
