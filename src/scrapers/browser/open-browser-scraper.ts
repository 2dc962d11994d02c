import { type BrowserEngineOptions, openBrowserEngine } from '../../browser/engine/browser-engine.ts';
import type { Driver, DriverBrowsers } from '../../browser/engine/driver.ts';
import { driverFor } from '../../browser/engine/driver.ts';
import { OperatorTrust } from '../../browser/engine/operator-trust.ts';
import { Quarantine } from '../../browser/engine/quarantine.ts';
import { BlockedHosts } from '../../browser/engine/request-blocking.ts';
import { scrapePage } from '../../browser/page/scrape-page.ts';
import type { BrowserSession } from '../../browser/page/scrape-state.ts';
import { PhaseClock } from '../../browser/page/scrape-state.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import { type FetchResult, NO_TIMING } from '../../domain/fetch-result.ts';
import type { Job } from '../../domain/job.ts';
import type { BrowserPhase } from '../../domain/system.ts';
import type { Egress } from '../../egress/egress.ts';
import type { GatewaySlot } from '../../egress/gateway/gateway.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { BrowserMonitor, FetchRequest, Scraper } from '../../ports/scraper.ts';
import { BrowserAvailability } from './browser-availability.ts';

export interface BrowserScraperDeps extends Omit<BrowserEngineOptions, 'proxyServer' | 'trustedKeyHash'> {
  /** For what actions extract. */
  readonly reader: PageReader;
  readonly egress: Pick<Egress, 'openGateway' | 'connect' | 'judge'>;
  /** Certificates (PEM) that are trusted beside the browser's own; null: none. */
  readonly ca: readonly string[] | null;
  /** Which lane a job takes; default: the fast one where it can do it. */
  readonly chooseDriver?: (job: Job) => Driver;
  /** Told at the end of each phase of each scrape. */
  readonly onPhase: (phase: BrowserPhase, ms: number) => void;
}

export interface BrowserScraper extends Scraper, BrowserMonitor {
  /**
   * For the time after the start of a service: removes what killed ones left, and, if it is to be warm, has a browser
   * running before the first needs it. Gives the reason when none can be had. Never rejects.
   */
  start(warm: boolean): Promise<Failure | null>;
}

/** How many browsers may die under one scrape that has sent nothing. */
const MAX_TRIES = 3;

/** The scraper `browser`: a real browser, in which each scrape has a context and a way out of its own. */
export async function openBrowserScraper(given: BrowserScraperDeps): Promise<BrowserScraper> {
  const { egress, reader, ca, chooseDriver = driverFor, onPhase, ...parts } = given;
  const gateway = egress.openGateway();
  // Begun by nobody: whatever a browser does outside of a scrape ends there.
  const nowhere = await gateway.openSlot();
  const trust = new OperatorTrust(ca, egress.connect, Date.now());
  const browsers = openBrowserEngine({ ...parts, proxyServer: nowhere.url, trustedKeyHash: trust.keyHash });
  const { supervisor } = browsers;
  const slots = new Map<number, Promise<GatewaySlot>>();
  /** Of those that are open, where they are. */
  const urls = new Map<number, string>();
  const isReady = (at: number, browser: DriverBrowsers[Driver]): boolean =>
    'hasPreparedPage' in browser && browser.hasPreparedPage(urls.get(at) ?? '');
  const setApart = new Quarantine(() => performance.now());
  const kinds = new BrowserAvailability(supervisor);
  return {
    name: 'browser',
    list: () => browsers.list(),
    state: () => kinds.state(),
    activity: () => supervisor.state(),
    async start(warm) {
      await browsers.removeLeftovers();
      if (warm) await kinds.check(null);
      return kinds.unavailable();
    },
    unavailable: () => kinds.unavailable()?.message ?? null,
    refusal: (job) => kinds.refusal(job),
    discover: (job) => kinds.check(job),
    async fetch(order) {
      for (let tries = 1; ; tries++) {
        const fetched = await fetchOnce(order);
        // Its browser died before anything was sent: as if nothing had been.
        const untried = fetched.failure?.code === 'browser.crashed' && !fetched.sent;
        if (!untried || tries === MAX_TRIES || order.deadline.signal.aborted) return fetched;
      }
    },
    async close() {
      await supervisor.close();
      await gateway.close();
    },
  };

  async function fetchOnce(order: FetchRequest): Promise<FetchResult> {
    const { type, headless } = order.job.browser;
    const { host } = new URL(order.job.url);
    const { userId, deadline } = order;
    const kind = { type, headless, driver: chooseDriver(order.job) };
    const lease = await supervisor.lease({
      userId,
      ...kind,
      isQuarantined: () => setApart.has(userId, host),
      deadline,
      prefersSlot: isReady,
    });
    if (isFailure(lease)) {
      // The next request is refused with it: this one was taken.
      if (lease.code !== 'browser.unavailable') return failedResult(lease);
      kinds.record(order.job.browser, lease);
      return failedResult(failure('browser.down', lease.message));
    }
    onPhase('queue', lease.queuedMs);
    const clock = new PhaseClock(onPhase);
    const at = lease.slot;
    const onMisbehavior: BrowserSession['onMisbehavior'] = (why, when) => {
      if (when === 'now') lease.reportDisturbance();
      if (!setApart.add(userId, host)) return;
      parts.log('a page slows down others: its host gets a separate browser', { user_id: userId, host, why });
      supervisor.warmUpQuarantined(kind);
    };
    let closed = Promise.resolve(true);
    try {
      const opened = slots.get(at) ?? gateway.openSlot();
      slots.set(at, opened);
      const slot = await opened;
      urls.set(at, slot.url);
      const blockedHosts = new BlockedHosts();
      const { signal } = deadline;
      const { dial } = trust;
      const { upstream } = order.lease;
      const verified = trust.keyHash !== null && order.job.options.verifyTls;
      const policy = { signal, allowUrl: null, onRefusal: blockedHosts.record, upstream };
      const use = slot.begin(verified ? { ...policy, dial } : policy);
      const done = await scrapePage(order, {
        lease,
        gateway: use,
        blockedHosts,
        reader,
        trust,
        judge: egress.judge,
        clock,
        onMisbehavior,
        proxyServer: slot.url,
      });
      ({ closed } = done);
      return done.result;
    } catch (error) {
      slots.delete(at);
      urls.delete(at);
      return failedResult(
        failure('service.unavailable', `The gateway cannot be opened: ${(error as Error).message}.`),
      );
    } finally {
      // The slot is free when nothing of its page can use its way out any more.
      void closed.then((isClosed) => lease.release(!isClosed));
    }
  }
}

function failedResult(why: Failure): FetchResult {
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
