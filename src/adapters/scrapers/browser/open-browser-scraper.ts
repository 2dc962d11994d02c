import { type BrowserAsk, PLAIN_BROWSER } from '../../../domain/browser-ask.ts';
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
  /** Why there is none of a kind; null: there is one. */
  const known = new Map<string, Failure | null>();
  const keyOf = ({ type, headless }: Pick<BrowserAsk, 'type' | 'headless'>) => `${type} ${headless}`;
  return {
    name: 'browser',
    sweep: () => browsers.sweep(),
    unavailable: () => known.get(keyOf(PLAIN_BROWSER))?.message ?? null,
    refusal: ({ browser }) => notOurs(browser) ?? known.get(keyOf(browser)) ?? null,
    look(job) {
      if (job !== null && job.scraper !== 'browser' && job.browserOnly.length === 0) return null;
      const ask = job?.browser ?? PLAIN_BROWSER;
      // A failure may be gone; what is there stays.
      if (notOurs(ask) !== null || known.get(keyOf(ask)) === null) return null;
      return supervisor.whyUnavailable(ask.type, ask.headless).then((why) => void known.set(keyOf(ask), why));
    },
    async fetch(order) {
      const { type, headless } = order.job.browser;
      const { userId, deadline } = order;
      const lease = await supervisor.lease({ userId, type, headless, deadline });
      if ('code' in lease) {
        // The next request is refused with it: this one was taken.
        if (lease.code !== 'browser.unavailable') return nothing(lease);
        known.set(keyOf(order.job.browser), lease);
        return nothing(failure('browser.down', lease.message));
      }
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

/** The two that are not driven over this protocol. */
function notOurs({ type }: Pick<BrowserAsk, 'type'>): Failure | null {
  if (type !== 'firefox' && type !== 'webkit') return null;
  const message = `${type} is not available in this version; chromium, chrome and msedge are, where installed.`;
  return failure('browser.unavailable', message, { pointer: '/browser_type' });
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
