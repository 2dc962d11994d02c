import type { Browser, BrowserContext } from 'playwright-core';
import { parsePlainSelector } from '../../domain/plain-selector.ts';
import type { Task } from '../../domain/task.ts';
import type { BrowserProxy } from '../engine/browser-network.ts';
import {
  type BrowserPage,
  type PendingPage,
  type PlaywrightPage,
  readPageCookies,
} from '../engine/browser-page.ts';
import type { CdpBrowser } from '../engine/cdp-browser.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import {
  contextOptions,
  DEFAULT_METRICS,
  deviceOptions,
  taskLanguages,
  toPlaywrightCookie,
} from '../engine/emulation.ts';
import { type RequestJudge, routeJudgedRequests } from '../engine/judged-requests.ts';
import { RequestBlocker, requestBlockFilter, routeBlockedRequests } from '../engine/request-blocking.ts';
import { type BrowserIdentity, createUserAgentOverride } from '../engine/user-agent.ts';
import { waitForSelector } from '../engine/wait-for-selector.ts';
import { registerIsolatedEngine } from './actions/isolated-world.ts';
import { hasScripts, SAVE_BUILT_INS_SCRIPT } from './actions/scripts.ts';
import { StorageRejected } from './scrape-failure.ts';

interface OpenPageOptions {
  readonly task: Task;
  readonly proxy: BrowserProxy | null;
  readonly identity: BrowserIdentity;
  /** Called when the page crashes or is closed. */
  readonly onClosed: () => void;
}

/**
 * WebRTC sends UDP past the guard, unless a switch of the browser forbids that. Browsers of this machine have the switch; how a remote
 * one was started is not known.
 */
const NO_WEBRTC_SCRIPT = 'delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection;';

/** Opens a page with the driver `playwright`. It has two CDP sessions: Playwright's own, and the one that our code uses. */
export function openPlaywrightPage(
  browser: Browser,
  { task, proxy, identity, onClosed, judge }: OpenPageOptions & { readonly judge: RequestJudge | null },
): PendingPage {
  browser.once('disconnected', onClosed);
  const opening = Promise.all([contextOptions(task, proxy, identity), registerIsolatedEngine()])
    .then(([options]) => browser.newContext(options))
    .catch((error: Error) => {
      // Playwright has closed the context in this case.
      const message = /Error setting storage state:\n(.*)/.exec(error.message)?.[1];
      throw message === undefined || !browser.isConnected() ? error : new StorageRejected(message);
    });
  // Only proxies of remote browsers have credentials.
  const isRemote = proxy?.password !== undefined;
  const page = opening.then(async (context) => {
    if (isRemote) await context.addInitScript({ content: NO_WEBRTC_SCRIPT });
    return createPage(context, task, onClosed, judge);
  });
  // The caller awaits `page` later; until then Node must not report a rejection as unhandled.
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

async function createPage(
  context: BrowserContext,
  task: Task,
  onClosed: () => void,
  judge: RequestJudge | null,
): Promise<BrowserPage> {
  await routeBlockedRequests(context, task.options);
  if (hasScripts(task.browser.pageActions)) await context.addInitScript({ content: SAVE_BUILT_INS_SCRIPT });
  const page = await context.newPage();
  page.once('crash', onClosed);
  page.once('close', onClosed);
  const playwright: PlaywrightPage = { page, context, keepsPopups: false };
  // Popups are closed, except while actions run that may open them (`PopupWatcher`).
  context.on('page', (popup) => {
    if (!playwright.keepsPopups) popup.close().catch(() => {});
  });
  if (judge !== null) await routeJudgedRequests(context, page, judge);
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  return {
    session,
    mainFrameId: frameTree.frame.id,
    cookies: {
      add: (cookies) => context.addCookies(cookies.map(toPlaywrightCookie)),
      all: () => readPageCookies(session),
    },
    cdpDomainsEnabled: false,
    playwright,
    frameSessions: async () => {
      const sessions: CdpSession[] = [];
      for (const frame of page.frames()) {
        // Only a frame with its own process (of another site) can have a session.
        const child =
          frame === page.mainFrame() ? null : await context.newCDPSession(frame).catch(() => null);
        if (child !== null) sessions.push(child);
      }
      return sessions;
    },
    // Screenshots are taken in our session, and Playwright has set its metrics only in its own.
    setViewportHeight: async (height) =>
      session.send('Emulation.setDeviceMetricsOverride', deviceMetrics(await deviceOptions(task), height)),
    // Timeout 0: none. The caller ends the wait.
    waitForSelector: (selector, state) => page.waitForSelector(selector, { state, timeout: 0 }),
  };
}

/** The metrics that Playwright sets, with another height. */
function deviceMetrics(
  { viewport, screen, deviceScaleFactor, isMobile }: Awaited<ReturnType<typeof deviceOptions>>,
  height: number | null,
) {
  const isLandscape = isMobile && screen.width > screen.height;
  return {
    mobile: isMobile,
    width: viewport.width,
    height: height ?? viewport.height,
    screenWidth: screen.width,
    screenHeight: screen.height,
    deviceScaleFactor,
    screenOrientation:
      isMobile && !isLandscape
        ? ({ angle: 0, type: 'portraitPrimary' } as const)
        : ({ angle: isLandscape ? 90 : 0, type: 'landscapePrimary' } as const),
  };
}

/** Opens a page with the driver `cdp`, or takes one that was prepared. */
export function openCdpPage(
  browser: CdpBrowser,
  { task, proxy, identity, onClosed }: OpenPageOptions,
): PendingPage {
  // Only browsers of this machine have this driver, and they always have a proxy.
  const proxyServer = proxy!.server;
  const opening = browser.newPage(proxyServer);
  const page = opening.then(async (page): Promise<BrowserPage> => {
    const { userAgent } = await deviceOptions(task);
    page.userAgentOverride = createUserAgentOverride(userAgent ?? identity.userAgent, {
      languages: taskLanguages(task),
      identity,
    });
    page.closed.addEventListener('abort', onClosed, { once: true });
    const { session, mainFrameId } = page;
    const isBlocked = requestBlockFilter(task.options);
    if (isBlocked !== null) {
      page.blocker = new RequestBlocker(isBlocked);
      await Promise.all(page.blocker.attach(session, 'page'));
    }
    return {
      session,
      mainFrameId,
      cookies: { add: (cookies) => page.addCookies(cookies), all: () => page.cookies() },
      cdpDomainsEnabled: true,
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
  // The caller awaits `page` later; until then Node must not report a rejection as unhandled.
  page.catch(() => {});
  const close = async () => {
    await (await opening).close();
    // Saves time for the next scrape with this proxy.
    browser.preparePage(proxyServer);
  };
  return { page, close };
}
