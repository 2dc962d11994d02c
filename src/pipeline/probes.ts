import { showsSameContent, visibleWords } from '../assess/text-comparison.ts';
import type { MemoryBudget, MemoryReservation } from '../base/memory-budget.ts';
import { type Clock, type Deadline, deadlineUnder } from '../base/time.ts';
import type { Step } from '../domain/scrape.ts';
import { needsBrowser } from '../domain/scraper-options.ts';
import { isVendor } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import { type Experience, pickProbe } from '../router/experience.ts';
import { lastingObservation, OK, SHELL } from '../router/observations.ts';
import { ROUTES, routeIndex } from '../router/routes.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';
import { type AttemptDeps, runAttempt } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';
import { effortOfAttempt } from './learn.ts';
import type { SiteLimiter } from './site-limiter.ts';

export interface ProbesDeps extends AttemptDeps {
  readonly experience: Experience;
  readonly siteLimiter: Pick<SiteLimiter, 'acquire'>;
  readonly memory: Pick<MemoryBudget, 'open'>;
  /** Limit of the units of effort of all probes per day (UTC). */
  readonly budget: number;
  readonly onError: (error: unknown) => void;
}

export interface ProbeRequest {
  readonly task: Task;
  /** The steps that the scrape could have taken. */
  readonly steps: readonly Step[];
  readonly tried: readonly AttemptResult[];
  readonly allowUrl: UrlCheck | null;
  readonly userId: string;
}

/** One fetch by a cheaper step of a page that a scrape has fetched already. */
interface Probe extends Pick<ProbeRequest, 'task' | 'allowUrl' | 'userId'> {
  readonly key: SiteKey;
  readonly step: Step;
  /** The visible words of the page that the scrape fetched. */
  readonly words: ReadonlySet<string>;
}

/** Probes that may run at once. */
const MAX_PROBES = 2;
const PROBE_TIMEOUT_MS = 20_000;
const DAY_MS = 86_400_000;
/** Larger pages are not probed: comparing them would take too long. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** Request headers that do not change which page a site returns. */
const NEUTRAL_HEADERS = new Set(['accept', 'accept-language', 'user-agent', 'referer']);

/**
 * Finds out in the background whether a cheaper route works by now: the site may have dropped a defense, or no longer need
 * scripts. Scrapes themselves start with the route that is known to work, so without probes nobody would notice. Only plain
 * GETs are sent once more: those without data, cookies, credentials, and a proxy of the caller.
 */
export class Probes {
  readonly #deps: ProbesDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** The day that `#spent` belongs to: days since 1970 (UTC). */
  #day = 0;
  #spent = 0;

  constructor(deps: ProbesDeps) {
    this.#deps = deps;
  }

  /** Starts a probe of the page of a scrape if one is due; does not wait for the probe. */
  afterScrape({ task, steps, tried, allowUrl, userId }: ProbeRequest): void {
    const { experience, clock, budget, onError } = this.#deps;
    const last = tried[tried.length - 1];
    if (
      this.#running.size >= MAX_PROBES ||
      last === undefined ||
      !isComparablePage(last) ||
      !isRepeatablePlainGet(task)
    )
      return;
    const key = siteKeyOf(task.url);
    const now = seconds(clock);
    const used = routeIndex(last.step, experience.routes);
    if (used < 0) return;
    // A probe by a vendor would cost money.
    const own = steps.filter(({ scraper }) => !isVendor(scraper));
    const routes = own.map((step) => routeIndex(step));
    const outlook = experience.outlook(key, now, []);
    const route = pickProbe(experience, key, now, { used, paid: outlook.effort(used), among: routes });
    if (route === null) return;
    const effort = outlook.effort(route);
    if (this.spentToday() + effort > budget) return;
    this.#spent += effort;
    // Read before the probe: the content is released when the response has been sent.
    const words = visibleWords(last.delivered!.content!.bytes);
    const probe = { key, step: own[routes.indexOf(route)]!, task, allowUrl, userId, words };
    const running = runProbe(this.#deps, probe, this.#stopping.signal)
      .catch(onError)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Units that probes have taken since midnight (UTC). */
  spentToday(): number {
    const today = Math.floor(this.#deps.clock.now() / DAY_MS);
    if (today !== this.#day) {
      this.#day = today;
      this.#spent = 0;
    }
    return this.#spent;
  }

  /** Ends the running probes. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }
}

const seconds = (clock: Clock): number => clock.now() / 1000;

/** Whether the attempt returned a complete HTML page that a probe can be compared with. */
function isComparablePage({ satisfied, verdict, delivered }: AttemptResult): boolean {
  if (!satisfied || verdict !== 'ok' || delivered?.content?.encoding !== 'utf-8') return false;
  const { page, content } = delivered;
  const type = page.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return page.statusCode === 200 && type.startsWith('text/html') && content.bytes.length <= MAX_PAGE_BYTES;
}

/** Whether the request can be sent again without effects: a GET with nothing personal in it. */
function isRepeatablePlainGet({
  scraper,
  method,
  body,
  cookies,
  headers,
  requested,
  proxy,
  proxyType,
}: Task): boolean {
  if (scraper !== 'auto' || method !== 'GET' || body !== null || cookies.length > 0) return false;
  if (needsBrowser(requested) || proxyType === 'custom' || proxy.session !== null) return false;
  // The attempt may have bypassed the proxy, so it is not known which exit its result belongs to.
  if (proxy.bypass.length > 0) return false;
  return headers.every(([name]) => NEUTRAL_HEADERS.has(name.toLowerCase()));
}

async function runProbe(deps: ProbesDeps, probe: Probe, stopping: AbortSignal): Promise<void> {
  using deadline = deadlineUnder(PROBE_TIMEOUT_MS, stopping);
  const reservation = deps.memory.open();
  try {
    const result = await probeAtSite(deps, probe, deadline, reservation);
    const observation = result === null ? null : probeObservation(result, probe.words);
    if (result === null || observation === null || stopping.aborted) return;
    const shownByProbe = { route: routeIndex(probe.step), observation };
    deps.experience.record(probe.key, seconds(deps.clock), shownByProbe, effortOfAttempt(result));
  } finally {
    reservation.close();
  }
}

/** Makes the attempt. @returns null: the limiter gave no slot at the site */
async function probeAtSite(
  deps: ProbesDeps,
  { task, step, allowUrl, userId }: Probe,
  deadline: Deadline,
  reservation: MemoryReservation,
): Promise<AttemptResult | null> {
  const { proxyType } = step;
  const slot = await deps.siteLimiter.acquire({ url: task.url, proxyType, userId }, deadline);
  if (slot.failure !== null) return null;
  let result: AttemptResult | null = null;
  try {
    result = await runAttempt(deps, {
      n: 1,
      task: plainTask(task),
      chosen: { step, reason: 'a probe', pauseMs: 0, sharesTime: false },
      deadline,
      allowUrl,
      reservation,
      userId,
      used: [],
      document: null,
      clearance: null,
    });
    return result;
  } finally {
    slot.release(result);
  }
}

/** The task without the caller's formats, extraction and conditions, which say nothing about the site. */
const plainTask = (task: Task): Task => ({
  ...task,
  options: { ...task.options, formats: [], extract: null },
  router: { ...task.router, accept: null },
});

/**
 * The observation that a probe made; null: none.
 * @param words the visible words of the page that the scrape fetched
 */
function probeObservation(result: AttemptResult, words: ReadonlySet<string>): number | null {
  const observation = lastingObservation(result);
  const content = result.delivered?.content;
  if (observation !== OK || content === null || content === undefined) return observation;
  const same = showsSameContent(words, visibleWords(content.bytes));
  if (same === null) return null;
  if (same) return OK;
  // Without scripts, other content means that the page needs them; with scripts, the page may simply have changed.
  return ROUTES[routeIndex(result.step)]!.js ? null : SHELL;
}
