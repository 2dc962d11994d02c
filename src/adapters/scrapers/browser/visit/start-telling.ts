import type { CdpSession } from '../cdp/cdp-session.ts';
import { NAVIGATIONS } from './paused.ts';

/** Has the browser tell of a page what a `Visit` listens to; settles when it will. Rejects with the page. */
export async function startTelling(session: CdpSession): Promise<void> {
  await Promise.all([
    session.send('Network.enable'),
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    // A document that is made ahead would be shown without having come by here.
    session.send('Page.setPrerenderingAllowed', { isAllowed: false }),
    session.send('Fetch.enable', { patterns: [...NAVIGATIONS], handleAuthRequests: true }),
  ]);
}
