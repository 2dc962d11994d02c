import { SMALL_BYTES } from '../../base/memory-budget.ts';
import { DEADLINE_EXCEEDED } from '../../base/time.ts';
import { portOf } from '../../base/url-patterns.ts';
import { orAborted, orTimeout } from '../../base/wait.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { FetchResult } from '../../domain/fetch-result.ts';
import type { StorageState } from '../../domain/storage-state.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { BrowserPage, PendingPage } from '../engine/browser-page.ts';
import { applyEmulation, storageStateOf } from '../engine/emulation.ts';
import { FileSaver } from '../engine/file-saver.ts';
import { judgeRedirects, type RequestJudge } from '../engine/judged-requests.ts';
import { identityOf } from '../engine/user-agent.ts';
import { ActionRunner } from './actions/action-runner.ts';
import { collectArtifacts } from './artifacts.ts';
import { addCookies, targetCookies } from './cookies.ts';
import { Downloads, filesLimit } from './downloads.ts';
import { MainFrame } from './main-frame.ts';
import { type NetworkCapture, startCapture } from './network-capture.ts';
import { openCdpPage, openPlaywrightPage } from './open-page.ts';
import { watchActivity } from './page-behavior.ts';
import { documentUrl, type NavigationOutcome, type RawResponse } from './response.ts';
import { ATTEMPT_TIMED_OUT, BROWSER_HANGS, PAGE_CRASHED, scrapeFailure } from './scrape-failure.ts';
import { type BrowserSession, resultWithFailure, resultWithPage, type ScrapeState } from './scrape-state.ts';
import { mayHaveDisturbedOthers, NOT_IDLE, type ShownDocument, waitAndRead } from './wait-and-read.ts';
import { NetworkActivity, waitsWithoutDocument } from './waits.ts';

/** How long the received part of a body may take to be delivered after the deadline. */
const PARTIAL_BODY_MS = 750;
/** The least time for reading the cookies, even after the deadline. */
const COOKIES_MS = 500;
/** A browser that has not opened a page by then hangs. Mostly it takes a tenth of a second. */
const OPEN_TIMEOUT_MS = 10_000;
/** A browser that has not closed a context by then hangs. On a busy machine it takes seconds. */
const CLOSE_TIMEOUT_MS = 10_000;
/** For a browser that has not opened a page either: it will hardly close one. */
const HUNG_CLOSE_TIMEOUT_MS = 1_000;
/** Factor for these timeouts in quarantine: that browser runs with a lower CPU priority. */
const QUARANTINE_FACTOR = 2;

export interface PageScrape {
  readonly result: FetchResult;
  /** Settles when the page is closed; false: that failed, and the browser may be damaged. Never rejects. */
  readonly closed: Promise<boolean>;
}

/** Runs a scrape in its own context and page. When it settles, the page may still be closing. Never rejects. */
export async function scrapePage(request: FetchRequest, browserSession: BrowserSession): Promise<PageScrape> {
  const { gateway, lease, clock } = browserSession;
  const { deadline, attemptDeadline } = request;
  const stop = new AbortController();
  const onDeadline = () => stop.abort(deadline.signal.reason);
  const onAttemptDeadline = () => stop.abort(ATTEMPT_TIMED_OUT);
  if (deadline.signal.aborted) onDeadline();
  deadline.signal.addEventListener('abort', onDeadline, { once: true });
  attemptDeadline?.signal.addEventListener('abort', onAttemptDeadline, { once: true });
  const timeoutFactor = lease.quarantined ? QUARANTINE_FACTOR : 1;
  const openTimer = setTimeout(() => stop.abort(BROWSER_HANGS), OPEN_TIMEOUT_MS * timeoutFactor);
  const state: ScrapeState = {
    request,
    browserSession,
    signal: stop.signal,
    mainFrame: null,
    waitResult: null,
    actions: null,
    artifacts: null,
    downloads: null,
    onPageReady: () => clearTimeout(openTimer),
    onResponseHead: () => attemptDeadline?.signal.removeEventListener('abort', onAttemptDeadline),
  };
  const opening = openPage(request, browserSession, () => stop.abort(PAGE_CRASHED));
  let result: FetchResult;
  try {
    result = await scrapeInPage(await orAborted(opening.page, stop.signal), state);
  } catch (error) {
    result = resultWithFailure(state, scrapeFailure(stop.signal, error));
  }
  state.onPageReady();
  state.onResponseHead();
  deadline.signal.removeEventListener('abort', onDeadline);
  if (mayHaveDisturbedOthers(result, state)) lease.reportDisturbance(NOT_IDLE);
  clock.end('read');
  const closing = opening.close().then(
    () => true,
    () => false,
  );
  state.mainFrame?.dispose();
  state.actions?.dispose();
  void state.downloads?.stop();
  // The traffic is final now: the gateway lets nothing more through. The result does not wait for the page to close.
  const { sent, received } = await gateway.end();
  result = withoutSecrets({ ...result, bytesOut: sent, bytesIn: received }, state);
  // In quarantine, a browser that opened no page in time may just have got too little CPU time.
  const isHung = stop.signal.reason === BROWSER_HANGS && !lease.quarantined;
  const closeTimeoutMs = isHung ? HUNG_CLOSE_TIMEOUT_MS : CLOSE_TIMEOUT_MS * timeoutFactor;
  const closed = orTimeout(closing, closeTimeoutMs, false).finally(() => clock.end('close'));
  // Waits until the supervisor knows of a damaged browser: the scrape may be repeated, and must get another one.
  if (result.failure?.code === 'browser.crashed') await closed;
  return { result, closed };
}

function openPage(
  { task }: FetchRequest,
  { lease, proxy, judgeUrl, blockedHosts }: BrowserSession,
  onClosed: () => void,
): PendingPage {
  const options = { task, proxy, identity: identityOf(lease.found, task.browser.headless), onClosed };
  if (!('newContext' in lease.browser)) return openCdpPage(lease.browser, options);
  const judge = judgeOf({ judgeUrl, blockedHosts });
  return openPlaywrightPage(lease.browser, { ...options, judge });
}

const judgeOf = ({
  judgeUrl,
  blockedHosts,
}: Pick<BrowserSession, 'judgeUrl' | 'blockedHosts'>): RequestJudge | null =>
  judgeUrl === null ? null : { judgeUrl, onRefusal: blockedHosts.record };

async function scrapeInPage(page: BrowserPage, state: ScrapeState): Promise<FetchResult> {
  const { signal, request, browserSession } = state;
  const { clock } = browserSession;
  const rejected = await orAborted(addCookies(page.cookies, request.task), signal);
  if (rejected !== null) return resultWithFailure(state, rejected);
  const prepared = await preparePage(page, state);
  const { mainFrame } = prepared;
  state.onPageReady();
  clock.end('context');
  const navigation = mainFrame.navigate();
  // null: a document is shown. `navigation` only tells when the browser ends before that.
  const shown = Promise.race([
    mainFrame.waitForLoadState('commit').then(() => null),
    rejectionOf(navigation),
  ]);
  const earlyOutcome = await orPartialBody(Promise.race([mainFrame.outcome, shown]), state, mainFrame);
  clock.end('navigate');
  const outcome =
    earlyOutcome ??
    (await orPartialBody(
      Promise.race([mainFrame.outcome, waitAndRead(page, prepared, state)]),
      state,
      mainFrame,
    ));
  // From here on, actions that are still running no longer change the result.
  state.actions?.finish();
  if ('failure' in outcome)
    return resultWithFailure(state, await detailedFailure(outcome.failure, state, mainFrame));
  return 'body' in outcome
    ? await deliverBytes(outcome, page, prepared, state)
    : await deliverDocument(outcome, page, prepared, state);
}

/** Masks what `login` has typed, wherever the page shows it. The state for the profile stays as the site needs it. */
function withoutSecrets(result: FetchResult, { actions }: ScrapeState): FetchResult {
  if (actions === null || actions.guard.mask.isEmpty) return result;
  const { mask } = actions.guard;
  const { page } = result;
  if (page === null) return mask.json(result);
  const { storageState, ...shown } = page;
  const masked = mask.json({ ...shown, body: mask.bytes(page.body) });
  const kept = storageState === undefined ? {} : { storageState };
  return { ...mask.json({ ...result, page: null, failure: null }), page: { ...masked, ...kept } };
}

/** The parts that observe a page. */
interface PreparedPage {
  readonly mainFrame: MainFrame;
  readonly network: NetworkActivity;
  readonly capture: NetworkCapture | null;
  /** Bytes of all screenshots so far. */
  readonly screenshotTotal: { bytes: number };
}

async function preparePage(page: BrowserPage, state: ScrapeState): Promise<PreparedPage> {
  const { request, signal, browserSession } = state;
  const { session: cdp, mainFrameId, playwright } = page;
  const { task, reservation } = request;
  const { gateway, checkTarget, reader, lease, proxy, blockedHosts } = browserSession;
  const { onResponseHead } = state;
  const mainFrame = new MainFrame(cdp, mainFrameId, request, {
    ...{ gateway, checkTarget, onResponseHead, proxy },
  });
  const network = new NetworkActivity(cdp);
  state.mainFrame = mainFrame;
  blockedHosts.onConnectionRefused = (refusal) => mainFrame.connectionRefused(refusal);
  watchActivity(cdp, mainFrameId, (activity) =>
    lease.reportDisturbance(`too many ${activity}`, { ongoing: true }),
  );
  const identity = identityOf(lease.found, task.browser.headless);
  const by = lease.remote !== null ? 'remote' : playwright === null ? 'cdp' : 'playwright';
  await orAborted(applyEmulation(cdp, task, identity, by), signal);
  const capture = await orAborted(startCapture(playwright, request), signal);
  const screenshotTotal = { bytes: 0 };
  if (playwright !== null)
    state.actions = new ActionRunner(task.browser.pageActions, request.onStep, {
      page: playwright.page,
      playwright,
      session: cdp,
      mainFrameId,
      setViewportHeight: page.setViewportHeight,
      mainFrame,
      network,
      reader,
      memory: reservation,
      screenshotTotal,
      scripting: task.options.javascript,
      maxContentBytes: task.options.maxContentBytes,
      openLogin: (profile) => browserSession.openLogin(request.userId, profile, request.profile ?? null),
    });
  // A remote browser saves files on its own machine.
  if (playwright !== null && lease.downloadsDir !== null && task.browser.pageActions.length > 0) {
    const starting = FileSaver.start(playwright, cdp, lease.downloadsDir).then((saver) => {
      if (signal.aborted) void saver.stop();
      return saver;
    });
    const saver = await orAborted(starting, signal);
    const isForbidden = (url: string) => mainFrame.isForbidden(url);
    state.downloads = new Downloads(saver, mainFrame.downloadRequests, isForbidden, filesLimit(task));
    mainFrame.saveDownloads();
  }
  await orAborted(mainFrame.start(page.cdpDomainsEnabled), signal);
  const judge = judgeOf(browserSession);
  if (judge !== null) await orAborted(judgeRedirects(cdp, judge), signal);
  // The page was prepared some time ago, and its browser may hang by now: one command must succeed first.
  if (page.cdpDomainsEnabled) await orAborted(cdp.send('Page.getNavigationHistory'), signal);
  return { mainFrame, network, capture, screenshotTotal };
}

const savedBy = ({ downloads, actions }: ScrapeState) => ({
  downloads,
  lastEffectAt: actions?.lastEffectAt ?? Number.NEGATIVE_INFINITY,
});

/** The result for a body that the browser does not show. */
async function deliverBytes(
  raw: RawResponse,
  { cookies: jar, playwright }: BrowserPage,
  { mainFrame, capture, screenshotTotal }: PreparedPage,
  state: ScrapeState,
): Promise<FetchResult> {
  const { response, body, cut, undecoded } = raw;
  const { cookies, failures } = await readCookies(jar, state, mainFrame);
  state.waitResult ??= waitsWithoutDocument(state.request.task);
  capture?.setRawBody(raw);
  const options = {
    page: playwright?.page ?? null,
    target: null,
    capture,
    screenshotTotal,
    isSecret: false,
    ...savedBy(state),
  };
  state.artifacts = await collectArtifacts(state.request, options, state.signal);
  return resultWithPage(state, response, {
    body,
    cut,
    undecoded,
    cookies,
    ...(await readStorage(playwright, state)),
    finalUrl: response.url,
    contentType: null,
    failures,
  });
}

/** The result for a document that the browser shows. */
async function deliverDocument(
  { snapshot, frames, broken, response }: ShownDocument,
  page: BrowserPage,
  { mainFrame, capture, screenshotTotal }: PreparedPage,
  state: ScrapeState,
): Promise<FetchResult> {
  const { request, signal } = state;
  const { reservation, deadline, task } = request;
  const { html, url, type, charset, cut } = snapshot;
  const { cookies, failures } = await readCookies(page.cookies, state, mainFrame);
  const limit = task.options.maxContentBytes;
  const bytes = new Uint8Array(Buffer.from(html));
  if (bytes.length > SMALL_BYTES) {
    const reserved = reservation.reserve(bytes.length, limit, deadline.signal);
    if (reserved !== null && !(await reserved)) {
      const message = 'The request timed out while it waited for memory for the page.';
      return resultWithFailure(state, failure('service.unavailable', message));
    }
    reservation.adopt(bytes);
  }
  const isCut = cut || bytes.length > limit;
  const { session, mainFrameId: frameId, setViewportHeight, playwright } = page;
  const target = { session, frameId, setViewportHeight };
  const options = {
    page: playwright?.page ?? null,
    target,
    capture,
    screenshotTotal,
    isSecret: state.actions?.guard.isSecret(mainFrame.response) === true,
    ...savedBy(state),
  };
  state.artifacts = await collectArtifacts(request, options, signal);
  return resultWithPage(state, response, {
    body: bytes.length > limit ? bytes.subarray(0, limit) : bytes,
    cut: isCut ? failure('content.truncated', `The content was cut at ${limit} bytes.`) : broken,
    undecoded: false,
    cookies,
    ...(await readStorage(playwright, state)),
    finalUrl: documentUrl(url, response),
    contentType: `${type}; charset=utf-8`,
    documentCharset: charset.toLowerCase(),
    ...(frames === undefined ? {} : { frames }),
    failures,
  });
}

/** Like `orAborted`, but after the deadline the received part of a body, or the shown document, is still delivered. */
async function orPartialBody<T>(
  work: Promise<T>,
  { signal }: ScrapeState,
  mainFrame: MainFrame,
): Promise<T | NavigationOutcome> {
  try {
    return await orAborted(work, signal);
  } catch (error) {
    const { isReadingBody, response, outcome } = mainFrame;
    if (signal.reason !== DEADLINE_EXCEEDED || (!isReadingBody && response === null)) throw error;
    const partial: Promise<T | NavigationOutcome> = isReadingBody ? outcome : work;
    const result = await orTimeout(partial, PARTIAL_BODY_MS, null);
    if (result === null) throw error;
    return result;
  }
}

/** Contract §8 (c): cookies that cannot be read are an error of the page, which is delivered. */
async function readCookies(
  jar: BrowserPage['cookies'],
  { request: { task, deadline } }: ScrapeState,
  { setCookies, nonUtf8Cookies }: MainFrame,
) {
  const reading = jar.all().catch(() => null);
  const all = await orTimeout(reading, Math.max(COOKIES_MS, deadline.remaining()), null);
  const unreadable = failure('browser.crashed', 'The browser did not return the cookies in time.');
  return {
    cookies: targetCookies(nonUtf8Cookies.restore(all ?? []), task, setCookies.all),
    failures: all === null ? [unreadable] : [],
  };
}

/** What a profile is to keep. A browser that does not give it in time keeps nothing. */
async function readStorage(
  playwright: BrowserPage['playwright'],
  { request: { task, deadline } }: ScrapeState,
): Promise<{ readonly storageState?: StorageState }> {
  if (playwright === null || task.options.profile?.save !== 'on_success') return {};
  const reading = playwright.context.storageState({ indexedDB: true }).catch(() => null);
  const state = await orTimeout(reading, Math.max(COOKIES_MS, deadline.remaining()), null);
  return state === null ? {} : { storageState: storageStateOf(state) };
}

/** Browsers report self-signed certificates as untrusted. The certificate is fetched once more to tell the two apart. */
async function detailedFailure(
  cause: Failure,
  { request, browserSession, signal }: ScrapeState,
  { navigations }: MainFrame,
): Promise<Failure> {
  if (cause.code !== 'tls.invalid' || cause.details?.net !== 'ERR_CERT_AUTHORITY_INVALID') return cause;
  const url = new URL(navigations.decisive?.url ?? '');
  const { upstream } = request.lease;
  const target = { host: url.hostname, port: portOf(url), signal, upstream };
  return (await browserSession.trust.certificateFailure(target, browserSession.gateway)) ?? cause;
}

/** Rejects when the work does, and never resolves. */
function rejectionOf(work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject);
  });
}
