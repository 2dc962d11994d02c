import { deadlineIn } from '../../base/time.ts';
import { orAborted, orTimeout, sleep } from '../../base/wait.ts';
import type { BrowserOptions } from '../../domain/browser-options.ts';
import { type Failure, failure, WARNINGS, type Warning } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import type { BrowserPage } from '../engine/browser-page.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import type { MainFrame } from './main-frame.ts';
import type { DocumentState } from './read-document.ts';

/** So long nothing is under way: then it is idle. */
const IDLE_MS = 500;
/** What is open longer, such as a long poll, does not count. */
const LONG_REQUEST_MS = 2_000;
const MAX_IDLE_WAIT_MS = 10_000;
const ENDLESS_TYPES = new Set(['WebSocket', 'EventSource']);

/** Watches what a page loads; to be made before it loads anything. */
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
    const ended = ({ requestId }: { requestId: string }) => {
      if (!this.#pending.delete(requestId)) return;
      this.#lastEnd = performance.now();
      this.#onChange?.();
    };
    cdp.on('Network.loadingFinished', ended);
    cdp.on('Network.loadingFailed', ended);
  }

  /** Whether scripts are waiting for data, other than by a long poll. */
  get isLoadingData(): boolean {
    const from = performance.now() - LONG_REQUEST_MS;
    return [...this.#pending.values()].some(({ isData, since }) => isData && since > from);
  }

  /** Whether a script is on its way, for however long. */
  get isLoadingScripts(): boolean {
    return [...this.#pending.values()].some(({ isScript }) => isScript);
  }

  /** URLs of all that is under way, for however long. */
  get pendingUrls(): readonly string[] {
    return [...this.#pending.values()].map(({ url }) => url);
  }

  /** Whether scripts are waiting for data that they have asked for since then (`performance.now()`). */
  isLoadingDataSince(from: number): boolean {
    return [...this.#pending.values()].some(({ isData, since }) => isData && since >= from);
  }

  /** Settles when the network is idle: []; or at the latest after 10 s, or with the signal: the URLs still open. */
  waitForIdle(signal: AbortSignal): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const until = performance.now() + MAX_IDLE_WAIT_MS;
      let timer: NodeJS.Timeout | undefined;
      const end = (open: readonly string[]) => {
        clearTimeout(timer);
        this.#onChange = null;
        signal.removeEventListener('abort', look);
        resolve(open);
      };
      const look = () => {
        clearTimeout(timer);
        const now = performance.now();
        const counted = [...this.#pending.values()].filter(({ since }) => now - since < LONG_REQUEST_MS);
        if (signal.aborted || now >= until) return end(counted.map(({ url }) => url));
        if (counted.length === 0 && now - this.#lastEnd >= IDLE_MS) return end([]);
        // The next moment at which time alone could change the answer.
        const next =
          counted.length === 0
            ? this.#lastEnd + IDLE_MS
            : Math.min(...counted.map(({ since }) => since + LONG_REQUEST_MS));
        timer = setTimeout(look, Math.max(1, Math.min(next, until) - now));
      };
      this.#onChange = look;
      signal.addEventListener('abort', look, { once: true });
      this.#lastEnd = Math.max(this.#lastEnd, performance.now());
      look();
    });
  }
}

interface PendingRequest {
  readonly url: string;
  /** What a script asked for. */
  readonly isData: boolean;
  readonly isScript: boolean;
  readonly since: number;
}

export interface WaitResult {
  readonly missed: Failure[];
  readonly warnings: Warning[];
  loadMs: number | null;
  waitMs: number | null;
}

/** The document that is shown, and how to ask for its state. */
interface WaitTarget {
  readonly mainFrame: MainFrame;
  readonly network: NetworkActivity;
  readonly readState: () => Promise<DocumentState | null>;
  /** Nobody named a load state, and `auto` was asked for: parts of the page that hang are not waited for. */
  readonly ignoresHanging: boolean;
  /** A picture of it is asked for: what is seen belongs to it. */
  readonly forScreenshot: boolean;
}

/**
 * Contract §1, the order in a browser: load state, selector, fixed wait. What is not met in time is told, and the page is
 * read as it is. Rejects only with the browser.
 * @param signal aborts when the time for waits is over
 */
export async function waitForPage(
  { browser, options }: Job,
  { page, ...shown }: WaitTarget & { page: Pick<BrowserPage, 'waitForSelector'> },
  signal: AbortSignal,
): Promise<WaitResult> {
  const { waitForSelector: selector, waitForTimeoutMs: waitMs } = browser;
  const waited: WaitResult = { missed: [], warnings: [], loadMs: null, waitMs: null };
  const began = performance.now();
  await waitForLoadState(browser, shown, waited, signal);
  waited.loadMs = performance.now() - began;
  const after = performance.now();
  if (selector !== null) {
    const why = await unmetSelector(page, selector, options.waitForSelectorState, signal);
    if (why !== null)
      waited.missed.push(failure('wait.selector_timeout', why, { pointer: '/wait_for_selector' }));
  }
  if (waitMs) await sleep(waitMs, signal);
  if (selector !== null || waitMs) waited.waitMs = performance.now() - after;
  return waited;
}

/** What there is to say when the answer is delivered as its bytes: nothing can be in a document that there is not. */
export function waitsWithoutDocument({ browser, options }: Job): WaitResult {
  const { waitForSelector: selector } = browser;
  const { waitForSelectorState: state } = options;
  const missed: Failure[] = [];
  if (selector !== null && (state === 'visible' || state === 'attached')) {
    const why = `${shortSelector(selector)} was not ${state === 'visible' ? 'visible' : 'found'}: the browser does not display this response.`;
    missed.push(failure('wait.selector_timeout', why, { pointer: '/wait_for_selector' }));
  }
  return { missed, warnings: [], loadMs: null, waitMs: null };
}

/** Contract §1, `wait_for_load_state`, of the document that is shown. */
export async function waitForLoadState(
  { waitForLoadState: state }: Pick<BrowserOptions, 'waitForLoadState'>,
  shown: WaitTarget,
  waited: WaitResult,
  signal: AbortSignal,
): Promise<void> {
  const { mainFrame, network, ignoresHanging } = shown;
  if (state === 'commit') return;
  try {
    if (ignoresHanging) waited.warnings.push(...(await waitForContent(shown, signal)));
    else if (state === 'networkidle')
      waited.warnings.push(...(await waitForNetworkIdle({ mainFrame, network }, signal)));
    else
      await orAborted(
        mainFrame.waitForLoadState(state === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'),
        signal,
      );
  } catch {
    waited.missed.push(
      failure('wait.load_timeout', `The page did not reach the load state ${state} in time.`, {
        pointer: '/wait_for_load_state',
      }),
    );
  }
}

/** Of all that `networkidle` waits for. */
const MAX_NETWORK_IDLE_MS = 10_000;

/**
 * Waits until the document that is shown is loaded and its network is idle, at most 10 s; a warning when it did not become so.
 * Rejects when the signal aborts before it is loaded.
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
  using most = deadlineIn(MAX_NETWORK_IDLE_MS, signal);
  const loaded = await orAborted(mainFrame.waitForLoadState('load'), most.signal).then(
    () => true,
    () => false,
  );
  if (!loaded) signal.throwIfAborted();
  const open = await network.waitForIdle(most.signal);
  if (loaded && open.length === 0) return [];
  return [networkIdleWarning(loaded ? open : network.pendingUrls)];
}

function networkIdleWarning(open: readonly string[]): Warning {
  const still = open.length > 0 ? open.slice(0, 5).join(', ') : 'what the document needs to be loaded';
  return {
    code: 'wait.networkidle_timeout',
    message: `${WARNINGS['wait.networkidle_timeout'].split(';')[0]}; still open: ${still}.`,
    details: { open: open.slice(0, 20) },
  };
}

/** How long scripts may take that are on their way, while the page shows something already. */
const SCRIPTS_MS = 5_000;

/**
 * Waits until the document that is shown is loaded; or shows what it is for, with nothing under way but what hangs, at most
 * 10 s from when its source is there: then a warning names what hangs. Rejects when the signal aborts before.
 */
async function waitForContent(
  { mainFrame, network, readState, forScreenshot }: WaitTarget,
  signal: AbortSignal,
): Promise<Warning[]> {
  const loaded = orAborted(mainFrame.waitForLoadState('load'), signal).then(() => true);
  let began = performance.now();
  for (;;) {
    const over = new AbortController();
    const quiet = network.waitForIdle(AbortSignal.any([signal, over.signal])).then(() => false);
    const isLoaded = await Promise.race([loaded, quiet]).finally(() => over.abort());
    if (isLoaded) return [];
    if (!mainFrame.isComplete) {
      began = performance.now();
      continue;
    }
    const waitedMs = performance.now() - began;
    const state = await readState();
    const mayBeMore = state === null || state.loading || !state.parsed || network.isLoadingScripts;
    const shows = !mayBeMore || (state?.loading === false && waitedMs > SCRIPTS_MS);
    if ((shows && !forScreenshot) || waitedMs > MAX_NETWORK_IDLE_MS)
      return [networkIdleWarning(network.pendingUrls)];
  }
}

/** The longest that a page is waited for which nobody asked to wait for. */
const MAX_LINGER_MS = 5_000;
const WAIT_POINTERS = ['/wait_for_load_state', '/wait_for_selector', '/wait_for_timeout_ms', '/page_actions'];

/** Whether it is for us to say when a page is there: `auto` was asked for, and nothing to wait for or to do. */
export function waitsAutomatically({ scraper, requested, options }: Job): boolean {
  return (
    scraper === 'auto' && options.javascript && !requested.some((pointer) => WAIT_POINTERS.includes(pointer))
  );
}

/** The same of the load state alone. */
export function hasDefaultLoadState({ scraper, requested }: Job): boolean {
  return scraper === 'auto' && !requested.includes('/wait_for_load_state');
}

/**
 * A page that is loaded and still fetches or makes what it is for: until its network is idle and it neither shows nothing
 * nor says that it is loading, or for 5 s.
 */
export async function waitForLateContent(
  {
    network,
    readState,
    mainFrame,
  }: Pick<WaitTarget, 'network' | 'readState'> & { mainFrame: Pick<MainFrame, 'navigations'> },
  waited: WaitResult,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const { committed } = mainFrame.navigations;
  using most = deadlineIn(MAX_LINGER_MS, signal);
  do await network.waitForIdle(most.signal);
  while (
    !most.signal.aborted &&
    mainFrame.navigations.committed === committed &&
    (await readState())?.loading === true
  );
  waited.waitMs = (waited.waitMs ?? 0) + performance.now() - began;
}

const UNMET_TEXTS: Readonly<Record<ScraperOptions['waitForSelectorState'], string>> = {
  visible: 'was not visible',
  attached: 'was not found',
  hidden: 'was still visible',
  detached: 'was still in the page',
};

/** As the caller wrote it, shortened. */
const shortSelector = (selector: string): string => `\`${selector.replace(/^css=/, '').slice(0, 200)}\``;

/** Why the selector is not met; null: it is. A wait whose time is up still looks once. */
async function unmetSelector(
  tab: Pick<BrowserPage, 'waitForSelector'>,
  selector: string,
  state: ScraperOptions['waitForSelectorState'],
  signal: AbortSignal,
): Promise<string | null> {
  const began = performance.now();
  const looking = tab.waitForSelector(selector, state).then(
    () => null,
    (error: Error) => `The browser cannot look for the selector: ${firstLine(error)}.`,
  );
  const found = await orAborted(looking, signal, () => undefined);
  if (found !== undefined) return found;
  const unmet = () =>
    `${shortSelector(selector)} ${UNMET_TEXTS[state]} within ${((performance.now() - began) / 1_000).toFixed(1)} s.`;
  const late = await orTimeout(looking, PROBE_MS, undefined);
  return late === undefined ? unmet() : late;
}

/** The first line that says something; Playwright puts its own call before and its log after. */
function firstLine({ message }: Error): string {
  const line = message.replace(/^page\.waitForSelector: /, '').split('\n', 1)[0]!;
  return line.slice(0, 200).replace(/\.$/, '');
}

/** What a look takes that finds what has been there all along. */
const PROBE_MS = 200;
