import type { Browser, BrowserContext } from 'playwright-core';
import type { Job } from '../../domain/job.ts';
import { parsePlainSelector } from '../../domain/plain-selector.ts';
import {
  type BrowserPage,
  type PendingPage,
  type PlaywrightPage,
  readPageCookies,
} from '../engine/browser-page.ts';
import type { CdpBrowser } from '../engine/cdp-browser.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import { contextOptions, DEFAULT_METRICS, deviceOptions, toPlaywrightCookie } from '../engine/emulation.ts';
import { RequestBlocker, requestBlockFilter, routeBlockedRequests } from '../engine/request-blocking.ts';
import { type BrowserIdentity, createUserAgentOverride } from '../engine/user-agent.ts';
import { waitForSelector } from '../engine/wait-for-selector.ts';
import { registerIsolatedEngine } from './actions/isolated-world.ts';
import { hasScripts, SAVE_BUILT_INS_SCRIPT } from './actions/scripts.ts';
import { StorageRejected } from './scrape-failure.ts';

interface OpenPageOptions {
  readonly job: Job;
  readonly proxyServer: string;
  /** Of the browser. */
  readonly identity: BrowserIdentity;
  /** Called when the page crashes or goes. */
  readonly onClosed: () => void;
}

/** A tab of the full lane: Playwright's context and page, with a session of our own for the truth. */
export function openPlaywrightPage(
  browser: Browser,
  { job, proxyServer, identity, onClosed }: OpenPageOptions,
): PendingPage {
  browser.once('disconnected', onClosed);
  const opening = Promise.all([contextOptions(job, proxyServer, identity), registerIsolatedEngine()])
    .then(([options]) => browser.newContext(options))
    .catch((error: Error) => {
      // Playwright has closed the context then.
      const why = /Error setting storage state:\n(.*)/.exec(error.message)?.[1];
      throw why === undefined || !browser.isConnected() ? error : new StorageRejected(why);
    });
  const page = opening.then((context) => createPage(context, job, onClosed));
  // Whoever waits for it hears of it.
  page.catch(() => {});
  const close = async () => {
    browser.off('disconnected', onClosed);
    const context = await opening.catch((error) => {
      if (error instanceof StorageRejected) return null;
      throw error;
    });
    await context?.close();
  };
  return { page, close };
}

async function createPage(context: BrowserContext, job: Job, onLost: () => void): Promise<BrowserPage> {
  await routeBlockedRequests(context, job.options);
  if (hasScripts(job.browser.pageActions)) await context.addInitScript({ content: SAVE_BUILT_INS_SCRIPT });
  const page = await context.newPage();
  page.once('crash', onLost);
  page.once('close', onLost);
  const playwright: PlaywrightPage = { page, context, keepsPopups: false };
  // What a page opens beside itself is nothing that was asked for, unless an action did it.
  context.on('page', (popup) => {
    if (!playwright.keepsPopups) popup.close().catch(() => {});
  });
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  return {
    session,
    mainFrameId: frameTree.frame.id,
    cookies: {
      add: (cookies) => context.addCookies(cookies.map(toPlaywrightCookie)),
      all: () => readPageCookies(session),
    },
    domainsEnabled: false,
    playwright,
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
    setViewportHeight: async (height) =>
      session.send('Emulation.setDeviceMetricsOverride', deviceMetrics(await deviceOptions(job), height)),
    waitForSelector: (selector, state) => page.waitForSelector(selector, { state, timeout: 0 }),
  };
}

/** The screen as Playwright sets it, but for its height. */
function deviceMetrics(
  { viewport, screen, deviceScaleFactor, isMobile }: Awaited<ReturnType<typeof deviceOptions>>,
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

/** A tab of the fast lane: one that was made ahead, where there is one. */
export function openCdpPage(
  browser: CdpBrowser,
  { job, proxyServer, identity, onClosed }: OpenPageOptions,
): PendingPage {
  const opening = browser.newPage(proxyServer);
  const tab = opening.then(async (page): Promise<BrowserPage> => {
    const { userAgent } = await deviceOptions(job);
    if (userAgent !== null) page.userAgentOverride = createUserAgentOverride(userAgent, null, identity);
    page.closed.addEventListener('abort', onClosed, { once: true });
    const { session, mainFrameId } = page;
    const unwanted = requestBlockFilter(job.options);
    if (unwanted !== null) {
      page.blocker = new RequestBlocker(unwanted);
      await Promise.all(page.blocker.attach(session, 'page'));
    }
    return {
      session,
      mainFrameId,
      cookies: { add: (cookies) => page.addCookies(cookies), all: () => page.cookies() },
      domainsEnabled: true,
      playwright: null,
      frameSessions: async () => [...page.frameSessions],
      setViewportHeight: (height) =>
        session.send('Emulation.setDeviceMetricsOverride', {
          ...DEFAULT_METRICS,
          height: height ?? DEFAULT_METRICS.height,
        }),
      waitForSelector: (selector, state) => waitForSelector(page, parsePlainSelector(selector)!, state),
    };
  });
  tab.catch(() => {});
  const close = async () => {
    await (await opening).close();
    // For the next one: nobody waits now.
    browser.preparePage(proxyServer);
  };
  return { page: tab, close };
}
