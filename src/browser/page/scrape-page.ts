import { SMALL_BYTES } from '../../base/memory-budget.ts';
import { DEADLINE_EXCEEDED, deadlineIn } from '../../base/time.ts';
import { portOf } from '../../base/url-patterns.ts';
import { orAborted, orTimeout } from '../../base/wait.ts';
import { readReserveMs } from '../../domain/browser-options.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { FetchResult } from '../../domain/fetch-result.ts';
import { needsReading } from '../../domain/reading.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { BrowserCookies, BrowserPage, PendingPage } from '../engine/browser-page.ts';
import { applyEmulation } from '../engine/emulation.ts';
import { browserIdentity } from '../engine/user-agent.ts';
import { ActionRunner } from './actions/action-runner.ts';
import { collectArtifacts } from './artifacts.ts';
import { addCookies, targetCookies } from './cookies.ts';
import { readFetchedBody } from './intercepted-response.ts';
import { MainFrame } from './main-frame.ts';
import { startCapture } from './network-capture.ts';
import { openCdpPage, openPlaywrightPage } from './open-page.ts';
import { PageStopper, watchActivity } from './page-behavior.ts';
import {
  mayNavigate,
  readDocument,
  readDocumentState,
  readFrames,
  withoutSynthesized,
} from './read-document.ts';
import type { NavigationOutcome, RawResponse } from './response.ts';
import { documentUrl } from './response.ts';
import { ATTEMPT_TIMED_OUT, PAGE_CRASHED, scrapeFailure } from './scrape-failure.ts';
import type { BrowserSession, ScrapeState } from './scrape-state.ts';
import { resultWithFailure, resultWithPage } from './scrape-state.ts';
import {
  hasDefaultLoadState,
  NetworkActivity,
  waitForLateContent,
  waitForLoadState,
  waitForPage,
  waitsAutomatically,
  waitsWithoutDocument,
} from './waits.ts';

/** How often a page may lead on to another one before one of them is read for good. */
const MAX_NAVIGATIONS = 10;
/** How long what has come of a body may take to be put together. */
const BODY_MS = 750;
/** What the cookies may take at least, also when the time is up. */
const COOKIES_MS = 500;
/** How long a page may take to be made ready, until its browser is taken for hung. */
const OPEN_TIMEOUT_MS = 10_000;
/** How long a context may take to close, until its browser is taken for hung: on a busy machine it takes seconds. */
const CLOSE_TIMEOUT_MS = 5_000;
/** The same of a browser that has opened no page either. */
const HUNG_CLOSE_TIMEOUT_MS = 1_000;
/** A browser that gives way to all others may take so many times as long for both. */
const QUARANTINE_FACTOR = 2;

/** For the log. */
const NOT_IDLE = 'it did not become idle';
const SCRIPTS_STOPPED = failure(
  'timeout.total',
  'The scripts of the page did not finish in time. They were stopped, and the page was read as it was.',
);
const DOCUMENT_UNREADABLE = failure(
  'timeout.total',
  'The scripts of the page did not finish in time, and the page could not be read. This is the document as it was fetched.',
);

export interface PageScrape {
  readonly result: FetchResult;
  /** Settles when nothing of the page is open any more; false: the browser may be damaged. Never rejects. */
  readonly closed: Promise<boolean>;
}

/** One scrape in a context of its own, which is being closed, at least, when it settles. Never rejects. */
export async function scrapePage(request: FetchRequest, browserSession: BrowserSession): Promise<PageScrape> {
  const { gateway } = browserSession;
  const { deadline, attemptDeadline } = request;
  const stop = new AbortController();
  const onDeadline = () => stop.abort(deadline.signal.reason);
  const onShare = () => stop.abort(ATTEMPT_TIMED_OUT);
  if (deadline.signal.aborted) onDeadline();
  deadline.signal.addEventListener('abort', onDeadline, { once: true });
  attemptDeadline?.signal.addEventListener('abort', onShare, { once: true });
  const onLost = () => stop.abort(PAGE_CRASHED);
  const opening = openPage(request, browserSession, onLost);
  const run: ScrapeState = {
    request,
    browserSession,
    signal: stop.signal,
    mainFrame: null,
    waitResult: null,
    actions: null,
    artifacts: null,
    stop,
  };
  // A browser that is well needs a tenth of a second.
  const { promise: hung, reject } = Promise.withResolvers<never>();
  hung.catch(() => {});
  const mostMs = browserSession.lease.quarantined ? OPEN_TIMEOUT_MS * QUARANTINE_FACTOR : OPEN_TIMEOUT_MS;
  let hangs = false;
  const patience = setTimeout(() => {
    hangs = true;
    reject(new Error('it cannot open a page'));
  }, mostMs);
  run.onPageReady = () => clearTimeout(patience);
  run.onResponseHead = () => attemptDeadline?.signal.removeEventListener('abort', onShare);
  let result: FetchResult;
  try {
    result = await Promise.race([
      hung,
      orAborted(opening.page, stop.signal).then((tab) => scrapeInPage(tab, run)),
    ]);
  } catch (error) {
    result = resultWithFailure(run, scrapeFailure(stop.signal, error));
  }
  clearTimeout(patience);
  if (neverSettled(result, run)) browserSession.lease.reportDisturbance(NOT_IDLE, false);
  browserSession.clock.end('read');
  deadline.signal.removeEventListener('abort', onDeadline);
  run.onResponseHead();
  const closing = opening.close().then(
    () => true,
    () => false,
  );
  run.mainFrame?.dispose();
  run.actions?.dispose();
  // What it cost is known: from here on nothing of it goes out or comes in. Nobody has to wait for its end.
  const { sent, received } = await gateway.end();
  result = { ...result, bytesOut: sent, bytesIn: received };
  // One that opened no page in all that time hangs; or gives way to all others, who left it no time.
  const { quarantined } = browserSession.lease;
  const patient = quarantined ? CLOSE_TIMEOUT_MS * QUARANTINE_FACTOR : CLOSE_TIMEOUT_MS;
  const mostCloseMs = hangs && !quarantined ? HUNG_CLOSE_TIMEOUT_MS : patient;
  const closed = orTimeout(closing, mostCloseMs, false).finally(() => browserSession.clock.end('close'));
  // It may be tried again, and not in a browser that is about to be replaced.
  if (result.failure?.code === 'browser.crashed') await closed;
  return { result, closed };
}

function openPage(
  { job }: FetchRequest,
  { lease, proxyServer }: BrowserSession,
  onLost: () => void,
): PendingPage {
  const { type, version } = lease.found;
  const ask = { job, proxyServer, identity: browserIdentity(type, version ?? ''), onClosed: onLost };
  return 'newContext' in lease.browser
    ? openPlaywrightPage(lease.browser, ask)
    : openCdpPage(lease.browser, ask);
}

async function scrapeInPage(page: BrowserPage, run: ScrapeState): Promise<FetchResult> {
  const { request, signal, browserSession } = run;
  const { session: cdp, mainFrameId, playwright, cookies: jar } = page;
  const { job, deadline } = request;
  const within = <T>(work: Promise<T>) => orAborted(work, signal);
  const refused = await within(addCookies(jar, job));
  if (refused !== null) return resultWithFailure(run, refused);
  const mainFrame = new MainFrame(cdp, mainFrameId, request, {
    gateway: browserSession.gateway,
    judge: browserSession.judge,
    onResponseHead: () => run.onResponseHead?.(),
  });
  const network = new NetworkActivity(cdp);
  run.mainFrame = mainFrame;
  watchActivity(cdp, mainFrameId, (what) => browserSession.lease.reportDisturbance(`too many ${what}`, true));
  await within(applyEmulation(cdp, job));
  const capture = await within(startCapture(playwright, request));
  const screenshotTotal = { bytes: 0 };
  const { reservation } = request;
  const { maxContentBytes } = job.options;
  const stage = {
    session: cdp,
    mainFrameId,
    mainFrame,
    network,
    reader: browserSession.reader,
    memory: reservation,
    screenshotTotal,
    scripting: job.options.javascript,
    maxContentBytes,
  };
  if (playwright !== null)
    run.actions = new ActionRunner(job.browser.pageActions, {
      ...stage,
      playwright,
      page: playwright.page,
      setViewportHeight: page.setViewportHeight,
    });
  await within(mainFrame.start(page.domainsEnabled));
  // A page that was made ahead may belong to a browser that hangs since: it has to answer once.
  if (page.domainsEnabled) await within(cdp.send('Page.getNavigationHistory'));
  run.onPageReady?.();
  browserSession.clock.end('context');
  const going = mainFrame.navigate();
  const shown = Promise.race([mainFrame.waitForLoadState('commit').then(() => null), rejectionOf(going)]);
  const early = await orPartialBody(Promise.race([mainFrame.outcome, shown]), run, mainFrame);
  browserSession.clock.end('navigate');
  const result =
    early ??
    (await orPartialBody(Promise.race([mainFrame.outcome, readShown(run, mainFrame)]), run, mainFrame));
  async function readShown({ request }: ScrapeState, mainFrame: MainFrame) {
    using waits = deadlineIn(Math.max(0, deadline.remaining() - readReserveMs(job.timeoutMs)), signal);
    const readState = () => readDocumentState(cdp, mainFrameId, waits.signal);
    const forScreenshot = job.requested.includes('/screenshot');
    const document = {
      mainFrame,
      network,
      readState,
      ignoresHanging: hasDefaultLoadState(job),
      forScreenshot,
    };
    run.waitResult = await waitForPage(job, { page, ...document }, waits.signal);
    await run.actions?.run(waits);
    browserSession.clock.end('wait');
    const limit = request.job.options.maxContentBytes;
    let fetched: Promise<RawResponse | null> | null = null;
    using still = new PageStopper(cdp, mainFrame, {
      waitsEnded: waits.signal,
      remainingMs: readReserveMs(job.timeoutMs),
      // Before the next page of its user comes.
      onStop: () => {
        browserSession.lease.reportDisturbance(NOT_IDLE, false);
        // What its thread waits for ends, and the body with it.
        browserSession.gateway.stop();
        fetched = readFetchedBody(cdp, mainFrame.navigations.committed!, request);
      },
    });
    let settled: unknown = null;
    for (let moves = 0; ; ) {
      const readIt = () => readDocument(cdp, mainFrameId, limit, signal);
      // A page that leads on for ever would be gone each time before it is read.
      const reading = readIt()
        .catch(() => {
          mainFrame.blockNavigation();
          return readIt();
        })
        .catch(async (error) => (await fetched) ?? Promise.reject(error));
      const instead = still.timedOut.then(async () => (await fetched) ?? reading);
      const read = await Promise.race([reading, instead]);
      if ('body' in read) {
        run.waitResult.missed.push(DOCUMENT_UNREADABLE);
        return read;
      }
      const { isEmpty, cut: broken } = mainFrame;
      const response = mainFrame.response!;
      const { committed } = mainFrame.navigations;
      if (still.stopped) run.waitResult.missed.push(SCRIPTS_STOPPED);
      // What a page has set out to do before it was read, or does soon, is what is asked for: the document that it leads to.
      const leads = mayNavigate(cdp, mainFrameId, read, network.isLoadingData);
      if (await orAborted(leads, waits.signal).catch(() => false)) mainFrame.expectNavigation(read.loadedMs);
      let moved = moves < MAX_NAVIGATIONS && (await mainFrame.waitForNavigation(waits.signal));
      // Each document is waited for once.
      const waitsFor =
        !moved &&
        waitsAutomatically(job) &&
        settled !== committed &&
        (read.bare || read.loading || network.isLoadingData);
      if (waitsFor && moves < MAX_NAVIGATIONS && !still.stopped) {
        settled = committed;
        await waitForLateContent(document, run.waitResult, waits.signal);
        moved = mainFrame.navigations.committed !== committed;
      } else if (!moved)
        return {
          read: isEmpty ? withoutSynthesized(read) : read,
          frames: needsReading(job) ? await readFrames(page, read, limit, signal) : undefined,
          broken,
          response,
        };
      if (!moved) continue;
      moves++;
      await waitForLoadState(job.browser, document, run.waitResult, waits.signal);
    }
  }
  // Nothing more is done: what an action began may lead nowhere now.
  run.actions?.finish();
  if ('failure' in result)
    return resultWithFailure(run, await detailedFailure(result.failure, run, mainFrame));
  const { response } = result;
  const { cookies, lost } = await readCookies(jar, run, mainFrame);
  if ('body' in result) {
    const { body, cut, undecoded } = result;
    run.waitResult ??= waitsWithoutDocument(job);
    capture?.setRawBody(result);
    run.artifacts = await collectArtifacts(
      request,
      { page: playwright?.page ?? null, target: null, capture, screenshotTotal },
      signal,
    );
    return resultWithPage(run, response, {
      body,
      cut,
      undecoded,
      cookies,
      finalUrl: response.url,
      readAs: null,
      failures: lost,
    });
  }
  const { read, frames } = result;
  const { html, url, type, cut } = read;
  const limit = job.options.maxContentBytes;
  const whole = new Uint8Array(Buffer.from(html));
  if (whole.length > SMALL_BYTES) {
    const waits = request.reservation.reserve(whole.length, limit, deadline.signal);
    if (waits !== null && !(await waits))
      return resultWithFailure(
        run,
        failure('service.unavailable', 'The request timed out while it waited for memory for the page.'),
      );
    request.reservation.adopt(whole);
  }
  const truncated = cut || whole.length > limit;
  const frame = { session: cdp, frameId: mainFrameId, setViewportHeight: page.setViewportHeight };
  run.artifacts = await collectArtifacts(
    request,
    { page: playwright?.page ?? null, target: frame, capture, screenshotTotal },
    signal,
  );
  return resultWithPage(run, response, {
    body: whole.length > limit ? whole.subarray(0, limit) : whole,
    cut: truncated ? failure('content.truncated', `The content was cut at ${limit} bytes.`) : result.broken,
    undecoded: false,
    cookies,
    finalUrl: documentUrl(url, response),
    readAs: `${type}; charset=utf-8`,
    ...(frames === undefined ? {} : { frames }),
    failures: lost,
  });
}

/** What came of a body until the time was up, is a page. */
async function orPartialBody<T>(
  work: Promise<T>,
  { signal }: ScrapeState,
  visit: MainFrame,
): Promise<T | NavigationOutcome> {
  try {
    return await orAborted(work, signal);
  } catch (error) {
    // Without a body and without a document there is nothing to wait for.
    if (signal.reason !== DEADLINE_EXCEEDED || (!visit.isReadingBody && visit.response === null)) throw error;
    const partial: Promise<T | NavigationOutcome> = visit.isReadingBody ? visit.outcome : work;
    const ending = await orTimeout(partial, BODY_MS, null);
    if (ending === null) throw error;
    return ending;
  }
}

/** Contract §8 (c): once there is a page, what can no longer be had is an error of it. */
async function readCookies(
  all: BrowserCookies,
  { request }: ScrapeState,
  { setCookies, nonUtf8Cookies }: MainFrame,
) {
  const { job, deadline } = request;
  const inTime = Math.max(COOKIES_MS, deadline.remaining());
  const jar = await orTimeout(
    all.all().catch(() => null),
    inTime,
    null,
  );
  return {
    cookies: targetCookies(nonUtf8Cookies.restore(jar ?? []), job, setCookies.all),
    lost: jar === null ? [failure('browser.crashed', 'The browser did not return the cookies in time.')] : [],
  };
}

/** A browser does not tell a certificate that signs itself from one that is not trusted: we look for ourselves. */
async function detailedFailure(
  why: Failure,
  { request, browserSession, signal }: ScrapeState,
  { navigations }: MainFrame,
): Promise<Failure> {
  if (why.code !== 'tls.invalid' || why.details?.net !== 'ERR_CERT_AUTHORITY_INVALID') return why;
  const url = new URL(navigations.decisive?.url ?? '');
  const target = {
    host: url.hostname,
    port: portOf(url),
    signal,
    upstream: request.lease.upstream,
  };
  return (await browserSession.trust.certificateFailure(target, browserSession.gateway)) ?? why;
}

/** Its scripts had to be stopped, or its page was there and could not be read, or crashed by itself. */
function neverSettled(
  { failure: why }: FetchResult,
  { mainFrame, waitResult, browserSession }: ScrapeState,
): boolean {
  if (waitResult?.missed.some((one) => one === SCRIPTS_STOPPED || one === DOCUMENT_UNREADABLE)) return true;
  if (why?.code === 'browser.crashed') return !browserSession.lease.isBrowserGone();
  return mainFrame?.response != null && (why?.code === 'timeout.total' || why?.code === 'timeout.attempt');
}

/** Never settles but when the work fails. */
function rejectionOf(work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject);
  });
}
