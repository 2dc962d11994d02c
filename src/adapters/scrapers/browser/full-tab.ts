import type { Browser, BrowserContext } from 'playwright-core';
import type { Job } from '../../../domain/job.ts';
import { haveScripts } from './actions/script.ts';
import { TAKE_BUILT_INS } from './actions/script-source.ts';
import { blockAsAsked } from './blocked.ts';
import type { CdpSession } from './cdp/cdp-session.ts';
import { contextOptions, playwrightCookie, screenOptions } from './context-options.ts';
import { cookiesAround } from './kept-cookies.ts';
import type { FullTab, Opening, Tab } from './tab.ts';
import type { BrowserIdentity } from './user-agent.ts';
import { StorageRefused } from './why-ended.ts';

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
  const opening = contextOptions(job, proxyServer, identity)
    .then((options) => browser.newContext(options))
    .catch((error: Error) => {
      // Playwright has closed the context then.
      const why = /Error setting storage state:\n(.*)/.exec(error.message)?.[1];
      throw why === undefined || !browser.isConnected() ? error : new StorageRefused(why);
    });
  const tab = opening.then((context) => tabIn(context, job, onLost));
  // Whoever waits for it hears of it.
  tab.catch(() => {});
  const close = async () => {
    browser.off('disconnected', onLost);
    const context = await opening.catch((error) => {
      if (error instanceof StorageRefused) return null;
      throw error;
    });
    await context?.close();
  };
  return { tab, close };
}

async function tabIn(context: BrowserContext, job: Job, onLost: () => void): Promise<Tab> {
  await blockAsAsked(context, job.browser);
  if (haveScripts(job.browser.actions)) await context.addInitScript({ content: TAKE_BUILT_INS });
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
    jar: {
      add: (cookies) => context.addCookies(cookies.map(playwrightCookie)),
      all: () => cookiesAround(session),
    },
    told: false,
    full,
    frameSessions: async () => {
      const sessions: CdpSession[] = [];
      for (const frame of page.frames()) {
        // Only a frame in a process of its own has one.
        const own = frame === page.mainFrame() ? null : await context.newCDPSession(frame).catch(() => null);
        if (own !== null) sessions.push(own);
      }
      return sessions;
    },
    // By our session, which takes the pictures: it does not know what Playwright's has set.
    setHeight: async (height) =>
      session.send('Emulation.setDeviceMetricsOverride', metricsOf(await screenOptions(job), height)),
    waitFor: (selector, state) => page.waitForSelector(selector, { state, timeout: 0 }),
  };
}

/** The screen as Playwright sets it, but for its height. */
function metricsOf(
  { viewport, screen, deviceScaleFactor, isMobile }: Awaited<ReturnType<typeof screenOptions>>,
  height: number | null,
) {
  const turned = isMobile && screen.width > screen.height;
  return {
    mobile: isMobile,
    width: viewport.width,
    height: height ?? viewport.height,
    screenWidth: screen.width,
    screenHeight: screen.height,
    deviceScaleFactor,
    screenOrientation:
      isMobile && !turned
        ? ({ angle: 0, type: 'portraitPrimary' } as const)
        : ({ angle: turned ? 90 : 0, type: 'landscapePrimary' } as const),
  };
}
