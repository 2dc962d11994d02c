import { deadlineIn } from '../../../base/deadline.ts';
import type { BrowserAsk } from '../../../domain/browser-ask.ts';
import { type Failure, failure, WARNINGS, type Warning } from '../../../domain/failure.ts';
import type { Job } from '../../../domain/job.ts';
import type { Tab } from './tab.ts';
import type { NetworkIdle } from './visit/network-idle.ts';
import { orAborted } from './visit/raw-body.ts';
import type { ShownState } from './visit/read-document.ts';
import type { Visit } from './visit/visit.ts';

export interface Waited {
  readonly missed: Failure[];
  readonly warnings: Warning[];
  loadMs: number | null;
  waitMs: number | null;
}

/** The document that is shown, and how to ask for its state. */
export interface Shown {
  readonly visit: Visit;
  readonly idle: NetworkIdle;
  readonly look: () => Promise<ShownState | null>;
  /** Nobody named a load state, and `auto` was asked for: parts of the page that hang are not waited for. */
  readonly leavesHanging: boolean;
  /** A picture of it is asked for: what is seen belongs to it. */
  readonly pictured: boolean;
}

/**
 * Contract §1, the order in a browser: load state, selector, fixed wait. What is not met in time is told, and the page is
 * read as it is. Rejects only with the browser.
 * @param signal aborts when the time for waits is over
 */
export async function waitAsAsked(
  ask: BrowserAsk,
  { tab, ...shown }: Shown & { tab: Pick<Tab, 'waitFor'> },
  signal: AbortSignal,
): Promise<Waited> {
  const waited: Waited = { missed: [], warnings: [], loadMs: null, waitMs: null };
  const began = performance.now();
  await waitForLoadState(ask, shown, waited, signal);
  waited.loadMs = performance.now() - began;
  const after = performance.now();
  if (ask.selector !== null) {
    const why = await selectorUnmet(tab, ask, ask.selector, signal);
    if (why !== null)
      waited.missed.push(failure('wait.selector_timeout', why, { pointer: '/wait_for_selector' }));
  }
  if (ask.waitMs > 0) await pause(ask.waitMs, signal);
  if (ask.selector !== null || ask.waitMs > 0) waited.waitMs = performance.now() - after;
  return waited;
}

/** What there is to say when the answer is delivered as its bytes: nothing can be in a document that there is not. */
export function withoutDocument({ selector, selectorState: state }: BrowserAsk): Waited {
  const missed: Failure[] = [];
  if (selector !== null && (state === 'visible' || state === 'attached')) {
    const why = `${shown(selector)} was not ${state === 'visible' ? 'visible' : 'found'}: the browser does not display this response.`;
    missed.push(failure('wait.selector_timeout', why, { pointer: '/wait_for_selector' }));
  }
  return { missed, warnings: [], loadMs: null, waitMs: null };
}

/** Contract §1, `wait_for_load_state`, of the document that is shown. */
export async function waitForLoadState(
  { loadState: state }: Pick<BrowserAsk, 'loadState'>,
  shown: Shown,
  waited: Waited,
  signal: AbortSignal,
): Promise<void> {
  const { visit, idle, leavesHanging } = shown;
  if (state === 'commit') return;
  try {
    if (leavesHanging) waited.warnings.push(...(await loadedButForHanging(shown, signal)));
    else if (state === 'networkidle') waited.warnings.push(...(await networkIdle({ visit, idle }, signal)));
    else await orAborted(visit.reached(state === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'), signal);
  } catch {
    waited.missed.push(
      failure('wait.load_timeout', `The page did not reach the load state ${state} in time.`, {
        pointer: '/wait_for_load_state',
      }),
    );
  }
}

/** Of all that `networkidle` waits for. */
const MOST_IDLE_MS = 10_000;

/**
 * Waits until the document that is shown is loaded and its network is idle, at most 10 s; a warning when it did not become so.
 * Rejects when the signal aborts before it is loaded.
 */
export async function networkIdle(
  { visit, idle }: { visit: Pick<Visit, 'reached'>; idle: Pick<NetworkIdle, 'wait' | 'open'> },
  signal: AbortSignal,
): Promise<Warning[]> {
  using most = deadlineIn(MOST_IDLE_MS, signal);
  const loaded = await orAborted(visit.reached('load'), most.signal).then(
    () => true,
    () => false,
  );
  if (!loaded) signal.throwIfAborted();
  const open = await idle.wait(most.signal);
  if (loaded && open.length === 0) return [];
  return [stillOpen(loaded ? open : idle.open)];
}

function stillOpen(open: readonly string[]): Warning {
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
async function loadedButForHanging(
  { visit, idle, look, pictured }: Shown,
  signal: AbortSignal,
): Promise<Warning[]> {
  const loaded = orAborted(visit.reached('load'), signal).then(() => true);
  let began = performance.now();
  for (;;) {
    const over = new AbortController();
    const quiet = idle.wait(AbortSignal.any([signal, over.signal])).then(() => false);
    const isLoaded = await Promise.race([loaded, quiet]).finally(() => over.abort());
    if (isLoaded) return [];
    if (!visit.whole) {
      began = performance.now();
      continue;
    }
    const waitedMs = performance.now() - began;
    const state = await look();
    const mayBeMore = state === null || state.loading || !state.parsed || idle.loadsScripts;
    const shows = !mayBeMore || (state?.loading === false && waitedMs > SCRIPTS_MS);
    if ((shows && !pictured) || waitedMs > MOST_IDLE_MS) return [stillOpen(idle.open)];
  }
}

/** The longest that a page is waited for which nobody asked to wait for. */
const LINGER_MS = 5_000;
const WAITS = ['/wait_for_load_state', '/wait_for_selector', '/wait_for_timeout_ms', '/page_actions'];

/** Whether it is for us to say when a page is there: `auto` was asked for, and nothing to wait for or to do. */
export function isOurs({ scraper, browserOnly, browser }: Job): boolean {
  return scraper === 'auto' && browser.javascript && !browserOnly.some((pointer) => WAITS.includes(pointer));
}

/** The same of the load state alone. */
export function namesNoLoadState({ scraper, browserOnly }: Job): boolean {
  return scraper === 'auto' && !browserOnly.includes('/wait_for_load_state');
}

/**
 * A page that is loaded and still fetches or makes what it is for: until its network is idle and it neither shows nothing
 * nor says that it is loading, or for 5 s.
 */
export async function waitToShow(
  { idle, look, visit }: Pick<Shown, 'idle' | 'look'> & { visit: Pick<Visit, 'journey'> },
  waited: Waited,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const { shown } = visit.journey;
  using most = deadlineIn(LINGER_MS, signal);
  do await idle.wait(most.signal);
  while (!most.signal.aborted && visit.journey.shown === shown && (await look())?.loading === true);
  waited.waitMs = (waited.waitMs ?? 0) + performance.now() - began;
}

const UNMET: Readonly<Record<BrowserAsk['selectorState'], string>> = {
  visible: 'was not visible',
  attached: 'was not found',
  hidden: 'was still visible',
  detached: 'was still in the page',
};

/** As the caller wrote it, shortened. */
const shown = (selector: string): string => `\`${selector.replace(/^css=/, '').slice(0, 200)}\``;

/** Why the selector is not met; null: it is. A wait whose time is up still looks once. */
async function selectorUnmet(
  tab: Pick<Tab, 'waitFor'>,
  { selectorState: state }: BrowserAsk,
  selector: string,
  signal: AbortSignal,
): Promise<string | null> {
  const began = performance.now();
  const looking = tab.waitFor(selector, state).then(
    () => null,
    (error: Error) => `The browser cannot look for the selector: ${inShort(error)}.`,
  );
  const late = Symbol('late');
  const found = await orAborted(looking, signal).catch(() => late);
  if (typeof found !== 'symbol') return found;
  const unmet = () =>
    `${shown(selector)} ${UNMET[state]} within ${((performance.now() - began) / 1_000).toFixed(1)} s.`;
  return await Promise.race([looking, pause(LOOK_MS, new AbortController().signal).then(unmet)]);
}

/** The first line that says something; Playwright puts its own call before and its log after. */
function inShort({ message }: Error): string {
  const line = message.replace(/^page\.waitForSelector: /, '').split('\n', 1)[0]!;
  return line.slice(0, 200).replace(/\.$/, '');
}

/** What a look takes that finds what has been there all along. */
const LOOK_MS = 200;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
