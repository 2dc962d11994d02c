import { showsSameContent, visibleWords } from '../assess/text-comparison.ts';
import type { MemoryBudget } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import { deadlineIn } from '../base/time.ts';
import type { Failure } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { needsBrowser } from '../domain/scraper-options.ts';
import type { Experience } from '../router/experience.ts';
import { pickProbe } from '../router/experience.ts';
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
  /** Units of effort that probes of all sites together may take a day (UTC). */
  readonly budget: number;
  readonly onTrouble: (error: unknown) => void;
}

export interface ProbeRequest {
  readonly job: Job;
  /** The ways that the request might have gone. */
  readonly steps: readonly Step[];
  readonly tried: readonly AttemptResult[];
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly userId: string;
}

export interface Probes {
  /** After a page came: fetches it once more by a cheaper way, sometimes, beside the request and after it. */
  after(ask: ProbeRequest): void;
  /** Units that probes have taken since midnight (UTC). */
  spentToday(): number;
  /** Ends those that run. */
  stop(): Promise<void>;
}

const MAX_PROBES = 2;
const TIME_MS = 20_000;
const DAY_MS = 86_400_000;
const LARGEST_BYTES = 1024 * 1024;
/** What changes nothing of who is asking. */
const NEUTRAL_HEADERS = new Set(['accept', 'accept-language', 'user-agent', 'referer']);

/**
 * Finds out whether a defence has fallen, or a site does without scripts by now: what works is never changed by asking
 * for more than it. Only plain GETs are sent once more: without data, cookies, credentials, or an exit of their own.
 */
export function createProbes(parts: ProbesDeps): Probes {
  const { experience, clock, budget } = parts;
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  let day = 0;
  let spent = 0;

  function spentToday(): number {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      spent = 0;
    }
    return spent;
  }

  return {
    after({ job, steps, tried, allowUrl, userId }) {
      const last = tried[tried.length - 1];
      if (running.size >= MAX_PROBES || last === undefined || !isGood(last) || !isPlain(job)) return;
      const key = siteKeyOf(job.url);
      const used = routeIndex(last.step);
      const cheap = steps.map(routeIndex);
      const view = experience.outlook(key, seconds(clock), []);
      const way = pickProbe(experience, key, seconds(clock), { used, paid: view.cost(used), among: cheap });
      if (way === null) return;
      const cost = view.cost(way);
      if (spentToday() + cost > budget) return;
      spent += cost;
      const step = steps[cheap.indexOf(way)]!;
      // Now: the content is gone when the answer has left.
      const good = visibleWords(last.delivered!.content!.bytes);
      const probe = runProbe(parts, { key, step, job, allowUrl, userId, good, ending })
        .catch(parts.onTrouble)
        .finally(() => running.delete(probe));
      running.add(probe);
    },
    spentToday,
    async stop() {
      ending.abort();
      await Promise.all(running);
    },
  };
}

const seconds = (clock: Clock): number => clock.now() / 1000;

function isGood({ satisfied, verdict, delivered }: AttemptResult): boolean {
  if (!satisfied || verdict !== 'ok' || delivered?.content?.encoding !== 'utf-8') return false;
  const { page, content } = delivered;
  const type = page.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return page.statusCode === 200 && type.startsWith('text/html') && content.bytes.length <= LARGEST_BYTES;
}

function isPlain({ scraper, method, body, cookies, headers, requested, proxy, proxyType }: Job): boolean {
  if (scraper !== 'auto' || method !== 'GET' || body !== null || cookies.length > 0) return false;
  if (needsBrowser(requested) || proxyType === 'custom' || proxy.session !== null) return false;
  // Nobody can say which exit it would tell of.
  if (proxy.bypass.length > 0) return false;
  return headers.every(([name]) => NEUTRAL_HEADERS.has(name.toLowerCase()));
}

interface ProbeRun {
  readonly key: SiteKey;
  readonly step: Step;
  readonly job: Job;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly userId: string;
  readonly good: ReadonlySet<string>;
  readonly ending: AbortController;
}

async function runProbe(
  parts: ProbesDeps,
  { key, step, job, good, ending, ...who }: ProbeRun,
): Promise<void> {
  using deadline = deadlineIn(TIME_MS, ending.signal);
  const room = parts.memory.open();
  try {
    const chosen = { step, reason: 'a probe', pauseMs: 0, sharesTime: false };
    // What the caller makes of the page, and accepts of it, is the caller's.
    const plain: Job = {
      ...job,
      options: { ...job.options, formats: [], extract: null },
      router: { ...job.router, accept: null },
    };
    const stay = await parts.siteLimiter.acquire(
      { url: job.url, proxyType: step.proxyType, userId: who.userId },
      deadline,
    );
    if (stay.failure !== null) return;
    let came: AttemptResult | null = null;
    try {
      const attempt = {
        n: 1,
        job: plain,
        chosen,
        deadline,
        reservation: room,
        used: [],
        document: null,
        clearance: null,
        ...who,
      };
      came = await runAttempt(parts, attempt);
    } finally {
      stay.release(came);
    }
    const observation = probeObservation(came, good);
    if (observation === null || ending.signal.aborted) return;
    parts.experience.record(
      key,
      seconds(parts.clock),
      { route: routeIndex(step), observation },
      effortOfAttempt(came),
    );
  } finally {
    room.close();
  }
}

/** It is held against the page that is there. */
function probeObservation(came: AttemptResult, good: ReadonlySet<string>): number | null {
  const lesson = lastingObservation(came);
  const content = came.delivered?.content;
  if (lesson !== OK || content === null || content === undefined) return lesson;
  const same = showsSameContent(good, visibleWords(content.bytes));
  if (same === null) return null;
  return same ? OK : ROUTES[routeIndex(came.step)]!.js ? null : SHELL;
}
