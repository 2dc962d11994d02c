import { type Failure, failure } from '../../../domain/failure.ts';
import { type Fetched, NO_TIMING } from '../../../domain/fetched.ts';
import type { Egress } from '../../../egress/egress.ts';
import type { GatewaySlot } from '../../../egress/gateway/gateway.ts';
import type { Scraper } from '../../../ports/scraper.ts';
import { Refusals } from './blocked.ts';
import { scrapePage } from './scrape-page.ts';
import { type BrowserParts, openBrowsers } from './supervisor/open-browsers.ts';

export interface BrowserScraperParts extends Omit<BrowserParts, 'proxyServer'> {
  readonly egress: Pick<Egress, 'openGateway'>;
}

export interface BrowserScraper extends Scraper {
  /** Removes what killed services left; for the time after the start. */
  sweep(): Promise<void>;
}

/** The scraper `browser`: a real browser, in which each scrape has a context and a way out of its own. */
export async function openBrowserScraper({ egress, ...parts }: BrowserScraperParts): Promise<BrowserScraper> {
  const gateway = egress.openGateway();
  // Begun by nobody: whatever a browser does outside of a scrape ends there.
  const nowhere = await gateway.slot();
  const browsers = openBrowsers({ ...parts, proxyServer: nowhere.url });
  const { supervisor } = browsers;
  const slots = new Map<number, Promise<GatewaySlot>>();
  let reason: string | null = null;
  return {
    name: 'browser',
    sweep: () => browsers.sweep(),
    unavailable: () => reason,
    async look() {
      reason = (await supervisor.whyUnavailable('chromium', true))?.message ?? null;
    },
    async fetch(order) {
      const { type, headless } = order.job.browser;
      if (type === 'firefox' || type === 'webkit')
        return nothing(
          failure('browser.unavailable', `${type} is not available in this version; chromium is.`),
        );
      const { userId, deadline } = order;
      const lease = await supervisor.lease({ userId, type, headless, deadline });
      if ('code' in lease) return nothing(lease);
      const at = lease.slot;
      let suspect = false;
      try {
        const opened = slots.get(at) ?? gateway.slot();
        slots.set(at, opened);
        const slot = await opened;
        const refusals = new Refusals();
        const { signal } = deadline;
        const use = slot.begin({ signal, allowUrl: null, onRefusal: refusals.add });
        const done = await scrapePage(order, { lease, use, refusals, proxyServer: slot.url });
        suspect = done.suspect;
        return done.fetched;
      } catch (error) {
        slots.delete(at);
        return nothing(
          failure('service.unavailable', `The gateway cannot be opened: ${(error as Error).message}.`),
        );
      } finally {
        lease.release(suspect);
      }
    },
    async close() {
      await supervisor.close();
      await gateway.close();
    },
  };
}

function nothing(why: Failure): Fetched {
  return {
    page: null,
    failure: why,
    statusCode: null,
    redirects: [],
    requestHeaders: null,
    remoteIp: null,
    timing: NO_TIMING,
    sent: false,
    warnings: [],
    bytesOut: 0,
    bytesIn: 0,
  };
}
