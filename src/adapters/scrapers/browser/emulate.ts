import type { CDPSession } from 'playwright-core';
import type { Job } from '../../../domain/job.ts';
import { screenOptions } from './context-options.ts';
import { agentOverride } from './user-agent.ts';

/**
 * What Playwright's own session tells the page, in this session too: pictures have the pixels of the session that takes
 * them, and a session that says nothing of the user agent takes `navigator.platform` back.
 */
export async function emulate(session: Pick<CDPSession, 'send'>, job: Job): Promise<void> {
  const { browser } = job;
  const { userAgent, viewport, screen, deviceScaleFactor, isMobile } = await screenOptions(job);
  if (userAgent !== null)
    await session.send('Emulation.setUserAgentOverride', agentOverride(userAgent, browser.locale, null));
  if (browser.picture === null && browser.actions.length === 0) return;
  const isUpright = isMobile && screen.width <= screen.height;
  await session.send('Emulation.setDeviceMetricsOverride', {
    mobile: isMobile,
    ...viewport,
    screenWidth: screen.width,
    screenHeight: screen.height,
    deviceScaleFactor,
    screenOrientation: isUpright
      ? { angle: 0, type: 'portraitPrimary' }
      : { angle: isMobile ? 90 : 0, type: 'landscapePrimary' },
  });
}
