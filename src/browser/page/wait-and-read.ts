import { deadlineUnder } from '../../base/time.ts';
import { orAborted } from '../../base/wait.ts';
import { readReserveMs } from '../../domain/browser-options.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { FetchResult } from '../../domain/fetch-result.ts';
import { type FrameDocument, needsReading } from '../../domain/reading.ts';
import type { BrowserPage } from '../engine/browser-page.ts';
import { readFetchedBody } from './intercepted-response.ts';
import type { MainFrame } from './main-frame.ts';
import type { Navigation } from './navigation.ts';
import { PageStopper } from './page-behavior.ts';
import {
  type DocumentSnapshot,
  mayNavigate,
  readDocument,
  readDocumentState,
  readFrames,
  withoutSynthesized,
} from './read-document.ts';
import type { NavigationResponse, RawResponse } from './response.ts';
import type { ScrapeState } from './scrape-state.ts';
import {
  hasDefaultLoadState,
  type NetworkActivity,
  waitForLateContent,
  waitForLoadState,
  waitForPage,
  waitsAutomatically,
} from './waits.ts';

/** After so many navigations of its own, a page is read even if it navigates again. */
const MAX_NAVIGATIONS = 10;

/** For the log: why a page is taken to disturb others. */
export const NOT_IDLE = 'it did not become idle';
const SCRIPTS_STOPPED = failure(
  'timeout.total',
  'The scripts of the page did not finish in time. They were stopped, and the page was read as it was.',
);
const DOCUMENT_UNREADABLE = failure(
  'timeout.total',
  'The scripts of the page did not finish in time, and the page could not be read. This is the document as it was fetched.',
);

/** A document that was read from the page. */
export interface ShownDocument {
  readonly snapshot: DocumentSnapshot;
  readonly frames: readonly FrameDocument[] | undefined;
  /** Why the document is incomplete; null: it is complete. */
  readonly broken: Failure | null;
  readonly response: NavigationResponse;
}

/**
 * Waits for what the caller asked for, runs the actions, and reads the document. While the page navigates by itself, the next
 * document is read instead. If the document cannot be read at all, its body is returned as it was fetched.
 */
export async function waitAndRead(
  page: BrowserPage,
  { mainFrame, network }: { readonly mainFrame: MainFrame; readonly network: NetworkActivity },
  state: ScrapeState,
): Promise<ShownDocument | RawResponse> {
  const { signal, request, browserSession } = state;
  const { session: cdp, mainFrameId } = page;
  const { task, deadline } = request;
  const limit = task.options.maxContentBytes;
  const reserveMs = readReserveMs(task.timeoutMs);
  using waits = deadlineUnder(Math.max(0, deadline.remaining() - reserveMs), signal);
  const target = {
    mainFrame,
    network,
    readState: () => readDocumentState(cdp, mainFrameId, waits.signal),
    ignoresHanging: hasDefaultLoadState(task),
    forScreenshot: task.requested.includes('/screenshot'),
  };
  const waitResult = await waitForPage(task, { page, ...target }, waits.signal);
  state.waitResult = waitResult;
  await state.actions?.run(waits);
  browserSession.clock.end('wait');
  using reader = new DocumentReader(page, mainFrame, state, waits.signal, reserveMs);
  /** The navigation whose late content was waited for: once for each document. */
  let completedNavigation: Navigation | null = null;
  for (let navigations = 0; ; ) {
    const snapshot = await reader.read(limit);
    if ('body' in snapshot) {
      waitResult.failures.push(DOCUMENT_UNREADABLE);
      return snapshot;
    }
    if (reader.stopped) waitResult.failures.push(SCRIPTS_STOPPED);
    const { isEmpty, cut: broken } = mainFrame;
    const response = mainFrame.response!;
    const { committed } = mainFrame.navigations;
    // A page that only redirects by script is not what the caller wants: its target is.
    const mayNavigateSoon = mayNavigate(cdp, mainFrameId, snapshot, network.isLoadingData);
    if (await orAborted(mayNavigateSoon, waits.signal).catch(() => false))
      mainFrame.expectNavigation(snapshot.loadedMs);
    const mayFollow = navigations < MAX_NAVIGATIONS;
    let hasNavigated = mayFollow && (await mainFrame.waitForNavigation(waits.signal));
    const isUnfinished = snapshot.isAlmostEmpty || snapshot.loading || network.isLoadingData;
    const waitsForMore = waitsAutomatically(task) && isUnfinished && completedNavigation !== committed;
    if (!hasNavigated && waitsForMore && mayFollow && !reader.stopped) {
      completedNavigation = committed;
      await waitForLateContent(target, waitResult, waits.signal);
      hasNavigated = mainFrame.navigations.committed !== committed;
    } else if (!hasNavigated) {
      const frames = needsReading(task) ? await readFrames(page, snapshot, limit, signal) : undefined;
      return { snapshot: isEmpty ? withoutSynthesized(snapshot) : snapshot, frames, broken, response };
    }
    // Only more content has arrived: the same document is read again.
    if (!hasNavigated) continue;
    navigations++;
    await waitForLoadState(task.browser, target, waitResult, waits.signal);
  }
}

/** Reads the document, also if its scripts never end: then they are stopped, or its fetched body is used. */
class DocumentReader implements Disposable {
  readonly #page: BrowserPage;
  readonly #mainFrame: MainFrame;
  readonly #signal: AbortSignal;
  readonly #stopper: PageStopper;
  /** Set when the scripts have been stopped. */
  #fetchedBody: Promise<RawResponse | null> | null = null;

  constructor(
    page: BrowserPage,
    mainFrame: MainFrame,
    { request, signal, browserSession }: ScrapeState,
    waitsEnded: AbortSignal,
    remainingMs: number,
  ) {
    this.#page = page;
    this.#mainFrame = mainFrame;
    this.#signal = signal;
    const onStop = () => {
      // Reported at once, so that it counts before another page of this user is opened.
      browserSession.lease.reportDisturbance(NOT_IDLE);
      // Ends a synchronous request that blocks the page, and the body that is still being received.
      browserSession.gateway.stop();
      this.#fetchedBody = readFetchedBody(page.session, mainFrame.navigations.committed!, request);
    };
    this.#stopper = new PageStopper(page.session, mainFrame, { waitsEnded, remainingMs, onStop });
  }

  /** The scripts of the page were stopped. */
  get stopped(): boolean {
    return this.#stopper.stopped;
  }

  async read(limit: number): Promise<DocumentSnapshot | RawResponse> {
    const { session, mainFrameId } = this.#page;
    const read = () => readDocument(session, mainFrameId, limit, this.#signal);
    const reading = read()
      .catch(() => {
        // The document was replaced each time: the page navigates again and again.
        this.#mainFrame.blockNavigation();
        return read();
      })
      .catch(async (error) => (await this.#fetchedBody) ?? Promise.reject(error));
    const fallback = this.#stopper.timedOut.then(async () => (await this.#fetchedBody) ?? reading);
    return await Promise.race([reading, fallback]);
  }

  [Symbol.dispose](): void {
    this.#stopper[Symbol.dispose]();
  }
}

/**
 * Whether the page may have disturbed others: its scripts had to be stopped, it was shown and could not be read, or it crashed
 * and its browser did not.
 */
export function mayHaveDisturbedOthers(
  { failure: cause }: FetchResult,
  { mainFrame, waitResult, browserSession }: ScrapeState,
): boolean {
  if (waitResult?.failures.some((cause) => cause === SCRIPTS_STOPPED || cause === DOCUMENT_UNREADABLE))
    return true;
  if (cause?.code === 'browser.crashed') return !browserSession.lease.isBrowserGone();
  return (
    mainFrame?.response != null && (cause?.code === 'timeout.total' || cause?.code === 'timeout.attempt')
  );
}
