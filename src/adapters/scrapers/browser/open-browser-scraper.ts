import type { BrowserPhase } from '../../../domain/browser-phase.ts';
import { type Failure, failure } from '../../../domain/failure.ts';
import { type Fetched, NO_TIMING } from '../../../domain/fetched.ts';
import type { Job } from '../../../domain/job.ts';
import type { Egress } from '../../../egress/egress.ts';
import type { GatewaySlot } from '../../../egress/gateway/gateway.ts';
import type { Browsers } from '../../../ports/browsers.ts';
import type { PageReader } from '../../../ports/page-reader.ts';
import type { FetchOrder, Scraper } from '../../../ports/scraper.ts';
import { Refusals } from './blocked.ts';
import { laneOf } from './fast/lane-of.ts';
import { KnownKinds } from './known-kinds.ts';
import type { Drivers, Lane } from './launch/lane.ts';
import { PhaseClock } from './phase-clock.ts';
import type { Place } from './run.ts';
import { scrapePage } from './scrape-page.ts';
import { type BrowserParts, openBrowsers } from './supervisor/open-browsers.ts';
import { SetApart } from './supervisor/set-apart.ts';
import { OperatorTrust } from './trust/operator-trust.ts';

export interface BrowserScraperParts extends Omit<BrowserParts, 'proxyServer' | 'ownKeyHash'> {
  /** For what actions extract. */
  readonly reader: PageReader;
  readonly egress: Pick<Egress, 'openGateway' | 'connect' | 'judge'>;
  /** Certificates (PEM) that are trusted beside the browser's own; null: none. */
  readonly ca: readonly string[] | null;
  /** Which lane a job takes; default: the fast one where it can do it. */
  readonly lane?: (job: Job) => Lane;
  /** Told at the end of each phase of each scrape. */
  readonly onPhase: (phase: BrowserPhase, ms: number) => void;
}

export interface BrowserScraper extends Scraper, Browsers {
  /**
   * For the time after the start of a service: removes what killed ones left, and, if it is to be warm, has a browser
   * running before the first needs it. Gives the reason when none can be had. Never rejects.
   */
  start(warm: boolean): Promise<Failure | null>;
}

/** How many browsers may die under one scrape that has sent nothing. */
const MOST_TRIES = 3;

/** The scraper `browser`: a real browser, in which each scrape has a context and a way out of its own. */
export async function openBrowserScraper(given: BrowserScraperParts): Promise<BrowserScraper> {
  const { egress, reader, ca, lane = laneOf, onPhase, ...parts } = given;
  const gateway = egress.openGateway();
  // Begun by nobody: whatever a browser does outside of a scrape ends there.
  const nowhere = await gateway.slot();
  const trust = new OperatorTrust(ca, egress.connect, Date.now());
  const browsers = openBrowsers({ ...parts, proxyServer: nowhere.url, ownKeyHash: trust.keyHash });
  const { supervisor } = browsers;
  const slots = new Map<number, Promise<GatewaySlot>>();
  /** Of those that are open, where they are. */
  const urls = new Map<number, string>();
  const isReady = (at: number, browser: Drivers[Lane]): boolean =>
    'has' in browser && browser.has(urls.get(at) ?? '');
  const setApart = new SetApart(() => performance.now());
  const kinds = new KnownKinds(supervisor);
  return {
    name: 'browser',
    list: () => browsers.here(),
    state: () => kinds.state(),
    atWork: () => supervisor.state(),
    async start(warm) {
      await browsers.sweep();
      if (warm) await kinds.look(null);
      return kinds.unavailable();
    },
    unavailable: () => kinds.unavailable()?.message ?? null,
    refusal: (job) => kinds.refusal(job),
    look: (job) => kinds.look(job),
    async fetch(order) {
      for (let tries = 1; ; tries++) {
        const fetched = await fetchOnce(order);
        // Its browser died before anything was sent: as if nothing had been.
        const untried = fetched.failure?.code === 'browser.crashed' && !fetched.sent;
        if (!untried || tries === MOST_TRIES || order.deadline.signal.aborted) return fetched;
      }
    },
    async close() {
      await supervisor.close();
      await gateway.close();
    },
  };

  async function fetchOnce(order: FetchOrder): Promise<Fetched> {
    const { type, headless } = order.job.browser;
    const { host } = new URL(order.job.url);
    const { userId, deadline } = order;
    const kind = { type, headless, lane: lane(order.job) };
    const lease = await supervisor.lease({
      userId,
      ...kind,
      isApart: () => setApart.has(userId, host),
      deadline,
      prefers: isReady,
    });
    if ('code' in lease) {
      // The next request is refused with it: this one was taken.
      if (lease.code !== 'browser.unavailable') return nothing(lease);
      kinds.note(order.job.browser, lease);
      return nothing(failure('browser.down', lease.message));
    }
    onPhase('queue', lease.queuedMs);
    const clock = new PhaseClock(onPhase);
    const at = lease.slot;
    const onMisconduct: Place['onMisconduct'] = (why, when) => {
      if (when === 'now') lease.disturbs();
      if (!setApart.note(userId, host)) return;
      parts.log('a page slows down others: its host gets a separate browser', { user_id: userId, host, why });
      supervisor.warmApart(kind);
    };
    let closed = Promise.resolve(true);
    try {
      const opened = slots.get(at) ?? gateway.slot();
      slots.set(at, opened);
      const slot = await opened;
      urls.set(at, slot.url);
      const refusals = new Refusals();
      const { signal } = deadline;
      const { dial } = trust;
      const { upstream } = order.lease;
      const verified = trust.keyHash !== null && order.job.options.verifyTls;
      const policy = { signal, allowUrl: null, onRefusal: refusals.add, upstream };
      const use = slot.begin(verified ? { ...policy, dial } : policy);
      const done = await scrapePage(order, {
        lease,
        use,
        refusals,
        reader,
        trust,
        judge: egress.judge,
        clock,
        onMisconduct,
        proxyServer: slot.url,
      });
      ({ closed } = done);
      return done.fetched;
    } catch (error) {
      slots.delete(at);
      urls.delete(at);
      return nothing(
        failure('service.unavailable', `The gateway cannot be opened: ${(error as Error).message}.`),
      );
    } finally {
      // The slot is free when nothing of its page can use its way out any more.
      void closed.then((isClosed) => lease.release(!isClosed));
    }
  }
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
