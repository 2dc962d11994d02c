import { deadlineUnder } from '../../base/time.ts';
import { orAborted, orTimeout, sleep } from '../../base/wait.ts';
import type { BrowserOptions } from '../../domain/browser-options.ts';
import { type Failure, failure, WARNINGS, type Warning } from '../../domain/failure.ts';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import type { Task } from '../../domain/task.ts';
import type { BrowserPage } from '../engine/browser-page.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import type { MainFrame } from './main-frame.ts';
import type { DocumentState } from './read-document.ts';

/** The network is idle when no request was pending for so long. */
const IDLE_MS = 500;
/** Requests that are pending longer, such as long polls, do not count. */
const LONG_REQUEST_MS = 2_000;
/** The longest wait for an idle network. */
const MAX_NETWORK_IDLE_MS = 10_000;
/** Requests that stay open for as long as the page wants. */
const ENDLESS_TYPES = new Set(['WebSocket', 'EventSource']);

/** Tracks the pending requests of a page. To be created before it loads anything. */
export class NetworkActivity {
  readonly #pending = new Map<string, PendingRequest>();
  #onChange: (() => void) | null = null;
  #lastEnd = 0;

  constructor(cdp: CdpSession) {
    cdp.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (type !== undefined && ENDLESS_TYPES.has(type)) return;
      const isData = type === 'XHR' || type === 'Fetch';
      const isScript = type === 'Script';
      this.#pending.set(requestId, { url: request.url, isData, isScript, since: performance.now() });
      this.#onChange?.();
    });
    const onEnd = ({ requestId }: { requestId: string }) => {
      if (!this.#pending.delete(requestId)) return;
      this.#lastEnd = performance.now();
      this.#onChange?.();
    };
    cdp.on('Network.loadingFinished', onEnd);
    cdp.on('Network.loadingFailed', onEnd);
  }

  /** Whether scripts wait for data (XHR, fetch), long polls excluded. */
  get isLoadingData(): boolean {
    const from = performance.now() - LONG_REQUEST_MS;
    return [...this.#pending.values()].some(({ isData, since }) => isData && since > from);
  }

  /** Whether a script is being loaded, even if that takes long. */
  get isLoadingScripts(): boolean {
    return [...this.#pending.values()].some(({ isScript }) => isScript);
  }

  /** URLs of all pending requests, also of those that are pending for long. */
  get pendingUrls(): readonly string[] {
    return [...this.#pending.values()].map(({ url }) => url);
  }

  /** Whether scripts wait for data that they have requested since `from` (`performance.now()`). */
  isLoadingDataSince(from: number): boolean {
    return [...this.#pending.values()].some(({ isData, since }) => isData && since >= from);
  }

  /** Resolves with [] when the network is idle; after 10 s, or when the signal aborts, with the pending URLs. */
  waitForIdle(signal: AbortSignal): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const until = performance.now() + MAX_NETWORK_IDLE_MS;
      let timer: NodeJS.Timeout | undefined;
      const end = (pendingUrls: readonly string[]) => {
        clearTimeout(timer);
        this.#onChange = null;
        signal.removeEventListener('abort', check);
        resolve(pendingUrls);
      };
      const check = () => {
        clearTimeout(timer);
        const now = performance.now();
        const counted = [...this.#pending.values()].filter(({ since }) => now - since < LONG_REQUEST_MS);
        if (signal.aborted || now >= until) return end(counted.map(({ url }) => url));
        if (counted.length === 0 && now - this.#lastEnd >= IDLE_MS) return end([]);
        // The network may become idle at this time, without an event.
        const nextCheck =
          counted.length === 0
            ? this.#lastEnd + IDLE_MS
            : Math.min(...counted.map(({ since }) => since + LONG_REQUEST_MS));
        timer = setTimeout(check, Math.max(1, Math.min(nextCheck, until) - now));
      };
      this.#onChange = check;
      signal.addEventListener('abort', check, { once: true });
      // The idle time must pass from now on, even if the network has been idle for longer.
      this.#lastEnd = Math.max(this.#lastEnd, performance.now());
      check();
    });
  }
}

interface PendingRequest {
  readonly url: string;
  /** XHR or fetch. */
  readonly isData: boolean;
  readonly isScript: boolean;
  readonly since: number;
}

/** What the waits of a scrape have taken, and which conditions were not met. */
export interface WaitResult {
  readonly failures: Failure[];
  readonly warnings: Warning[];
  loadMs: number | null;
  waitMs: number | null;
}

/** The shown document, and what the caller expects of it. */
interface WaitTarget {
  readonly mainFrame: MainFrame;
  readonly network: NetworkActivity;
  readonly readState: () => Promise<DocumentState | null>;
  /** The caller did not choose a load state: parts of the page that hang are not waited for. */
  readonly ignoresHanging: boolean;
  /** A screenshot was requested: images have to be loaded. */
  readonly forScreenshot: boolean;
}

/**
 * The waits of the request in their order (contract §1): load state, selector, fixed wait. A condition that is not met in time
 * is reported in the result, and the page is read as it is. Rejects only when the browser ends.
 * @param signal aborts when the time for waits is over
 */
export async function waitForPage(
  { browser, options }: Task,
  { page, ...target }: WaitTarget & { page: Pick<BrowserPage, 'waitForSelector'> },
  signal: AbortSignal,
): Promise<WaitResult> {
  const { waitForSelector: selector, waitForTimeoutMs: waitMs } = browser;
  const result: WaitResult = { failures: [], warnings: [], loadMs: null, waitMs: null };
  const startedAt = performance.now();
  await waitForLoadState(browser, target, result, signal);
  result.loadMs = performance.now() - startedAt;
  const loadedAt = performance.now();
  if (selector !== null) {
    const message = await unmetSelector(page, selector, options.waitForSelectorState, signal);
    if (message !== null)
      result.failures.push(failure('wait.selector_timeout', message, { pointer: '/wait_for_selector' }));
  }
  if (waitMs) await sleep(waitMs, signal);
  if (selector !== null || waitMs) result.waitMs = performance.now() - loadedAt;
  return result;
}

/** The result of the waits if the response is delivered as bytes: there is no document that could have an element. */
export function waitsWithoutDocument({ browser, options }: Task): WaitResult {
  const { waitForSelector: selector } = browser;
  const { waitForSelectorState: state } = options;
  const failures: Failure[] = [];
  if (selector !== null && (state === 'visible' || state === 'attached')) {
    const message = `${shortSelector(selector)} was not ${state === 'visible' ? 'visible' : 'found'}: the browser does not display this response.`;
    failures.push(failure('wait.selector_timeout', message, { pointer: '/wait_for_selector' }));
  }
  return { failures, warnings: [], loadMs: null, waitMs: null };
}

/** Waits for the load state of the shown document (contract §1, `wait_for_load_state`). */
export async function waitForLoadState(
  { waitForLoadState: state }: Pick<BrowserOptions, 'waitForLoadState'>,
  target: WaitTarget,
  result: WaitResult,
  signal: AbortSignal,
): Promise<void> {
  const { mainFrame, network, ignoresHanging } = target;
  if (state === 'commit') return;
  try {
    if (ignoresHanging) result.warnings.push(...(await waitForContent(target, signal)));
    else if (state === 'networkidle')
      result.warnings.push(...(await waitForNetworkIdle({ mainFrame, network }, signal)));
    else
      await orAborted(
        mainFrame.waitForLoadState(state === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'),
        signal,
      );
  } catch {
    result.failures.push(
      failure('wait.load_timeout', `The page did not reach the load state ${state} in time.`, {
        pointer: '/wait_for_load_state',
      }),
    );
  }
}

/**
 * Waits until the shown document is loaded and its network is idle, at most 10 s. Returns a warning if that takes longer. Rejects
 * when the signal aborts before the document is loaded.
 */
export async function waitForNetworkIdle(
  {
    mainFrame,
    network,
  }: {
    mainFrame: Pick<MainFrame, 'waitForLoadState'>;
    network: Pick<NetworkActivity, 'waitForIdle' | 'pendingUrls'>;
  },
  signal: AbortSignal,
): Promise<Warning[]> {
  using limit = deadlineUnder(MAX_NETWORK_IDLE_MS, signal);
  const loaded = await orAborted(mainFrame.waitForLoadState('load'), limit.signal).then(
    () => true,
    () => false,
  );
  if (!loaded) signal.throwIfAborted();
  const pendingUrls = await network.waitForIdle(limit.signal);
  if (loaded && pendingUrls.length === 0) return [];
  // If the document is not loaded, requests that are pending for long count too.
  return [networkIdleWarning(loaded ? pendingUrls : network.pendingUrls)];
}

const MAX_URLS_IN_MESSAGE = 5;
const MAX_URLS_IN_DETAILS = 20;

function networkIdleWarning(pendingUrls: readonly string[]): Warning {
  const stillOpen =
    pendingUrls.length > 0
      ? pendingUrls.slice(0, MAX_URLS_IN_MESSAGE).join(', ')
      : 'what the document needs to be loaded';
  return {
    code: 'wait.networkidle_timeout',
    message: `${WARNINGS['wait.networkidle_timeout'].split(';')[0]}; still open: ${stillOpen}.`,
    details: { open: pendingUrls.slice(0, MAX_URLS_IN_DETAILS) },
  };
}

/** If the page shows something already, scripts that are being loaded are waited for no longer than this. */
const SCRIPTS_MS = 5_000;

/**
 * Waits until the shown document is loaded, or shows its content while only hanging requests are pending; at most 10 s after its
 * source was received. Then returns a warning with the hanging requests. Rejects when the signal aborts first.
 */
async function waitForContent(
  { mainFrame, network, readState, forScreenshot }: WaitTarget,
  signal: AbortSignal,
): Promise<Warning[]> {
  const loaded = orAborted(mainFrame.waitForLoadState('load'), signal).then(() => true);
  let startedAt = performance.now();
  for (;;) {
    const stopWaiting = new AbortController();
    const idle = network.waitForIdle(AbortSignal.any([signal, stopWaiting.signal])).then(() => false);
    const isLoaded = await Promise.race([loaded, idle]).finally(() => stopWaiting.abort());
    if (isLoaded) return [];
    if (!mainFrame.isComplete) {
      startedAt = performance.now();
      continue;
    }
    const waitedMs = performance.now() - startedAt;
    const state = await readState();
    const mayShowMore = state === null || state.loading || !state.parsed || network.isLoadingScripts;
    const showsContent = !mayShowMore || (state?.loading === false && waitedMs > SCRIPTS_MS);
    if ((showsContent && !forScreenshot) || waitedMs > MAX_NETWORK_IDLE_MS)
      return [networkIdleWarning(network.pendingUrls)];
  }
}

/** The longest wait for late content, which the caller did not request. */
const MAX_LATE_CONTENT_MS = 5_000;
const WAIT_POINTERS = ['/wait_for_load_state', '/wait_for_selector', '/wait_for_timeout_ms', '/page_actions'];

/** Whether the service decides when the page is complete: the scraper is `auto`, and there are no waits or actions. */
export function waitsAutomatically({ scraper, requested, options }: Task): boolean {
  return (
    scraper === 'auto' && options.javascript && !requested.some((pointer) => WAIT_POINTERS.includes(pointer))
  );
}

/** Whether the service decides which load state to wait for. */
export function hasDefaultLoadState({ scraper, requested }: Task): boolean {
  return scraper === 'auto' && !requested.includes('/wait_for_load_state');
}

/**
 * Waits for a loaded page that still fetches or renders its content: until its network is idle, and it shows content and no
 * loading indicator; at most 5 s.
 */
export async function waitForLateContent(
  {
    network,
    readState,
    mainFrame,
  }: Pick<WaitTarget, 'network' | 'readState'> & { mainFrame: Pick<MainFrame, 'navigations'> },
  result: WaitResult,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  const { committed } = mainFrame.navigations;
  using limit = deadlineUnder(MAX_LATE_CONTENT_MS, signal);
  do await network.waitForIdle(limit.signal);
  while (
    !limit.signal.aborted &&
    mainFrame.navigations.committed === committed &&
    (await readState())?.loading === true
  );
  result.waitMs = (result.waitMs ?? 0) + performance.now() - startedAt;
}

const UNMET_TEXTS: Readonly<Record<ScraperOptions['waitForSelectorState'], string>> = {
  visible: 'was not visible',
  attached: 'was not found',
  hidden: 'was still visible',
  detached: 'was still in the page',
};

/** The caller's selector, shortened. */
const shortSelector = (selector: string): string => `\`${selector.replace(/^css=/, '').slice(0, 200)}\``;

/** Waits for the selector. @returns why it was not met; null: it was. Even if no time is left, the page is searched once. */
async function unmetSelector(
  page: Pick<BrowserPage, 'waitForSelector'>,
  selector: string,
  state: ScraperOptions['waitForSelectorState'],
  signal: AbortSignal,
): Promise<string | null> {
  const startedAt = performance.now();
  const search = page.waitForSelector(selector, state).then(
    () => null,
    (error: Error) => `The browser cannot look for the selector: ${firstLine(error)}.`,
  );
  const result = await orAborted(search, signal, () => undefined);
  if (result !== undefined) return result;
  const unmet = () =>
    `${shortSelector(selector)} ${UNMET_TEXTS[state]} within ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`;
  const lateResult = await orTimeout(search, SEARCH_MS, undefined);
  return lateResult === undefined ? unmet() : lateResult;
}

/** The first line of a Playwright error, without the name of the call. */
function firstLine({ message }: Error): string {
  const line = message.replace(/^page\.waitForSelector: /, '').split('\n', 1)[0]!;
  return line.slice(0, 200).replace(/\.$/, '');
}

/** How long it takes to find an element that exists already. */
const SEARCH_MS = 200;
