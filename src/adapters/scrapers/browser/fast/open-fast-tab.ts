import { unwantedOf } from '../blocked.ts';
import { screenOptions } from '../context-options.ts';
import type { TabAsk } from '../full-tab.ts';
import type { Opening, Tab } from '../tab.ts';
import { agentOverride } from '../user-agent.ts';
import { SCREEN } from './as-playwright.ts';
import { Blocker } from './blocker.ts';
import type { FastBrowser } from './fast-browser.ts';
import { simpleSelector } from './simple-selector.ts';
import { waitForSelector } from './wait-for-selector.ts';

/** A tab of the fast lane: one that was made ahead, where there is one. */
export function openFastTab(browser: FastBrowser, { job, proxyServer, identity, onLost }: TabAsk): Opening {
  const opening = browser.page(proxyServer);
  const tab = opening.then(async (page): Promise<Tab> => {
    const { userAgent } = await screenOptions(job);
    if (userAgent !== null) page.agent = agentOverride(userAgent, null, identity);
    page.lost.addEventListener('abort', onLost, { once: true });
    const { session, mainFrame } = page;
    const unwanted = unwantedOf(job.browser);
    if (unwanted !== null) {
      page.blocker = new Blocker(unwanted);
      await Promise.all(page.blocker.govern(session, 'page'));
    }
    return {
      session,
      mainFrame,
      jar: { add: (cookies) => page.addCookies(cookies), all: () => page.cookies() },
      told: true,
      full: null,
      frameSessions: async () => [...page.frames],
      setHeight: (height) =>
        session.send('Emulation.setDeviceMetricsOverride', { ...SCREEN, height: height ?? SCREEN.height }),
      waitFor: (selector, state) => waitForSelector(page, simpleSelector(selector)!, state),
    };
  });
  tab.catch(() => {});
  const close = async () => {
    await (await opening).close();
    // For the next one: nobody waits now.
    browser.prepare(proxyServer);
  };
  return { tab, close };
}
