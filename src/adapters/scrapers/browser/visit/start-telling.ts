import type { CdpSession } from '../cdp/cdp-session.ts';
import { NAVIGATIONS } from './paused.ts';

/** Of the bodies of a page, outside of the process that shows it. */
const KEPT_BYTES = 32 * 2 ** 20;

/** Has the browser tell of a page what a `Visit` listens to; settles when it will. Rejects with the page. */
export async function startTelling(session: CdpSession): Promise<void> {
  await Promise.all([
    session.send('Network.enable'),
    // For pages whose scripts never end. An older Chromium does not know the command.
    session
      .send('Network.configureDurableMessages', {
        maxTotalBufferSize: KEPT_BYTES,
        maxResourceBufferSize: KEPT_BYTES,
      })
      .catch(() => {}),
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    // A document that is made ahead would be shown without having come by here.
    session.send('Page.setPrerenderingAllowed', { isAllowed: false }),
    session.send('Fetch.enable', { patterns: [...NAVIGATIONS], handleAuthRequests: true }),
  ]);
}
