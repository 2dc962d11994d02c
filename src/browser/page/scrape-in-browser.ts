import { type Failure, isFailure } from '../../domain/failure.ts';
import { type FetchResult, NO_TIMING } from '../../domain/fetch-result.ts';
import type { Driver } from '../../domain/option.ts';
import type { BrowserPhase } from '../../domain/system.ts';
import type { Task } from '../../domain/task.ts';
import { staysOnTestHosts } from '../../domain/url-check.ts';
import type { Egress } from '../../egress/egress.ts';
import type { OpenLogin } from '../../ports/logins.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { BrowserEngine } from '../engine/browser-engine.ts';
import { BlockedHosts } from '../engine/request-blocking.ts';
import type { BrowserLease } from '../engine/supervisor.ts';
import { scrapePage } from './scrape-page.ts';
import { PhaseClock } from './scrape-state.ts';

export interface ScrapeInBrowserDeps {
  readonly engine: BrowserEngine;
  /** Reads documents for the action `extract`. */
  readonly reader: PageReader;
  readonly openLogin: OpenLogin;
  readonly checkTarget: Egress['checkTarget'];
  readonly chooseDriver: (task: Task) => Driver;
  /** Called at the end of each phase of each scrape. */
  readonly onPhase: (phase: BrowserPhase, ms: number) => void;
}

/** A scrape is repeated, in another browser, if its browser ended before anything was sent; this limits all tries. */
const MAX_TRIES = 3;

/** Runs a scrape in a browser, in its own context and page. Never rejects. */
export async function scrapeInBrowser(
  request: FetchRequest,
  deps: ScrapeInBrowserDeps,
): Promise<FetchResult> {
  for (let tries = 1; ; tries++) {
    const result = await scrapeOnce(request, deps);
    const isRepeatable = result.failure?.code === 'browser.crashed' && !result.sent;
    if (!isRepeatable || tries === MAX_TRIES || request.deadline.signal.aborted) return result;
  }
}

async function scrapeOnce(request: FetchRequest, deps: ScrapeInBrowserDeps): Promise<FetchResult> {
  const { task, userId, deadline } = request;
  request.onStep?.({ phase: 'waiting', waitingFor: 'browser' });
  const lease = await deps.engine.lease({
    userId,
    host: new URL(task.url).host,
    type: task.browser.browserType,
    headless: task.browser.headless,
    driver: deps.chooseDriver(task),
    deadline,
    isAuto: task.scraper === 'auto',
    hasProxy: request.lease.upstream !== null,
  });
  if (isFailure(lease)) return failedResult(lease);
  deps.onPhase('queue', lease.queuedMs);
  request.onStep?.({ phase: 'fetching' });
  let closed = Promise.resolve(true);
  try {
    const opened = await scrapeWithLease(request, lease, deps);
    if (isFailure(opened)) return failedResult(opened);
    closed = opened.closed;
    return opened.result;
  } finally {
    // The lease ends only when the page is closed: until then the page may use the gateway slot of the lease.
    void closed.then((isClosed) => lease.release({ suspect: !isClosed }));
  }
}

async function scrapeWithLease(
  request: FetchRequest,
  lease: BrowserLease,
  { engine, reader, openLogin, checkTarget, onPhase }: ScrapeInBrowserDeps,
) {
  const { task, deadline } = request;
  const { trust } = engine;
  const clock = new PhaseClock(onPhase);
  const blockedHosts = new BlockedHosts();
  const network = await engine.openNetwork(lease, {
    signal: deadline.signal,
    // Other domains of a key are for pages alone: their sub-resources come from anywhere.
    allowUrl: staysOnTestHosts(request.allowUrl) ? request.allowUrl : null,
    onRefusal: blockedHosts.recordConnection,
    upstream: request.lease.upstream,
    // A remote browser does not accept our own certificates.
    ...(trust.hasAuthorities && task.options.verifyTls && lease.remote === null ? { dial: trust.dial } : {}),
  });
  if (isFailure(network)) return network;
  const { judgeUrl } = network;
  const check = (url: URL) => request.allowUrl?.(url) ?? judgeUrl?.(url) ?? null;
  const allowUrl = Object.assign(check, { domains: request.allowUrl?.domains ?? [] });
  return scrapePage(judgeUrl === null ? request : { ...request, allowUrl }, {
    lease,
    ...network,
    blockedHosts,
    reader,
    openLogin,
    trust,
    checkTarget,
    clock,
  });
}

function failedResult(cause: Failure): FetchResult {
  return {
    page: null,
    failure: cause,
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
