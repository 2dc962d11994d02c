import type { MemoryReservation } from '../base/memory-budget.ts';
import type { Clock, Deadline } from '../base/time.ts';
import { orAborted } from '../base/wait.ts';
import { decideRobots, parseRobotsTxt, ROBOTS_MAX_BYTES, type RobotsTxt } from '../content/robots-txt.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { Job, ProxyType, RobotsMode, RobotsResult } from '../domain/job.ts';
import { type AttemptDeps, runAttempt } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';
import { interruptionOf } from './interruption.ts';

/** What is known of the robots.txt of one origin. */
type CachedRobots =
  /** `size`: length of its text. `statusCode`: what it was answered with. */
  | { readonly kind: 'rules'; readonly rules: RobotsTxt; readonly size: number; readonly statusCode: number }
  /** There is none: all is allowed. */
  | { readonly kind: 'none'; readonly statusCode: number | null }
  /** The server fails: nothing is allowed (RFC 9309 §2.3.1.4). */
  | { readonly kind: 'failing'; readonly statusCode: number };

/** RFC 9309 §2.4. */
const FRESH_MS = 24 * 3_600_000;
/** A failing server is asked again soon. */
const FAILING_MS = 60_000;
const MAX_ORIGINS = 10_000;
const MAX_TEXT_LENGTH = 32 * 1024 * 1024;

/** The robots.txt of the origins that were asked last. */
class RobotsCache {
  /** In the order of their coming. */
  readonly #known = new Map<string, { readonly robots: CachedRobots; readonly until: number }>();
  #text = 0;

  /** @param now monotonic, ms */
  fresh(origin: string, now: number): CachedRobots | null {
    const found = this.#known.get(origin);
    return found === undefined || found.until <= now ? null : found.robots;
  }

  /** Rules whose time is up: good as long as the server cannot give newer ones. */
  stale(origin: string): CachedRobots | null {
    const found = this.#known.get(origin)?.robots;
    return found?.kind === 'rules' ? found : null;
  }

  keep(origin: string, robots: CachedRobots, now: number): void {
    this.#drop(origin);
    this.#text += sizeOf(robots);
    this.#known.set(origin, { robots, until: now + (robots.kind === 'failing' ? FAILING_MS : FRESH_MS) });
    while (this.#known.size > MAX_ORIGINS || this.#text > MAX_TEXT_LENGTH)
      this.#drop(this.#known.keys().next().value!);
  }

  /** The old rules go on for a while, before the server is asked again. */
  prolong(origin: string, now: number): void {
    const found = this.#known.get(origin);
    if (found !== undefined) this.#known.set(origin, { ...found, until: now + FAILING_MS });
  }

  #drop(origin: string): void {
    const found = this.#known.get(origin);
    if (found === undefined) return;
    this.#text -= sizeOf(found.robots);
    this.#known.delete(origin);
  }
}

const sizeOf = (robots: CachedRobots): number => (robots.kind === 'rules' ? robots.size : 0);

/** RFC 9309 §2.3.1.2: at least five redirects are followed. */
const MAX_REDIRECTS = 5;
const DEFAULT_AGENT = 'Sluice';

/** The job that fetches the robots.txt of a job's target: the same way out, nothing of the caller's but who it says it is. */
function robotsJob(job: Job): Job {
  const { origin } = new URL(job.url);
  return {
    ...job,
    url: `${origin}/robots.txt`,
    method: 'GET',
    headers: job.headers.filter(([name]) => name.toLowerCase() === 'user-agent'),
    cookies: [],
    body: null,
    allowRedirects: true,
    requested: [],
    scraper: 'http',
    options: {
      ...job.options,
      maxContentBytes: ROBOTS_MAX_BYTES,
      maxRedirects: MAX_REDIRECTS,
      contentEncoding: 'auto',
      formats: [],
      extract: null,
    },
    router: { ...job.router, accept: null },
  };
}

/** As whom the rules are read: the product token of the caller's own User-Agent, unless that is a browser's; else ours. */
function robotsAgent({ headers, options }: Job): string {
  const given = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? options.userAgent ?? '';
  const token = /^[A-Za-z_-]+/.exec(given)?.[0] ?? '';
  return token === '' || token.toLowerCase() === 'mozilla' ? DEFAULT_AGENT : token;
}

export interface RobotsCheck {
  readonly result: RobotsResult;
  /** Why the scrape ends here; null: it goes on. */
  readonly failure: Failure | null;
}

/** Asks robots.txt (RFC 9309) before a site is scraped. */
export interface RobotsChecker {
  /** What holds for a job: what it asks for, but not less than the operator demands. null: it is not asked. */
  effectiveMode(job: Job): Exclude<RobotsMode, 'ignore'> | null;
  /** @param fetch one plain fetch of that job, within the time of the request; what is in memory of it goes afterwards */
  check(ask: RobotsRequest, fetch: FetchRobots, deadline: Deadline): Promise<RobotsCheck>;
}

interface RobotsRequest {
  readonly job: Job;
  readonly mode: Exclude<RobotsMode, 'ignore'>;
  readonly userId: string;
}

type FetchRobots = (job: Job) => Promise<AttemptResult>;

const MODES_BY_STRICTNESS: readonly RobotsMode[] = ['ignore', 'report', 'respect'];

/** @param minimum of the operator */
export function createRobotsChecker(clock: Clock, minimum: RobotsMode): RobotsChecker {
  const cache = new RobotsCache();
  /** One fetch for all that want the same at once. */
  const fetching = new Map<string, Promise<CachedRobots | Failure>>();

  async function fetchOne(job: Job, origin: string, fetch: FetchRobots): Promise<CachedRobots | Failure> {
    const got = parseRobotsResponse(await fetch(robotsJob(job)));
    const now = clock.monotonic();
    const old = cache.stale(origin);
    const failing = isFailure(got) || got.kind === 'failing';
    if (failing && old !== null) {
      cache.prolong(origin, now);
      return old;
    }
    if (!isFailure(got)) cache.keep(origin, got, now);
    return got;
  }

  async function known(
    ask: RobotsRequest,
    fetch: FetchRobots,
    deadline: Deadline,
  ): Promise<CachedRobots | Failure> {
    const origin = cacheKey(ask);
    const fresh = cache.fresh(origin, clock.monotonic());
    if (fresh !== null) return fresh;
    const running = fetching.get(origin);
    if (running !== undefined) {
      const { signal } = deadline;
      const shared = await orAborted(running, signal, () => interruptionOf(deadline) ?? ROBOTS_TIMEOUT);
      // What ended the fetch of another (their time, their hanging up) is not ours.
      if (!isFailure(shared) || signal.aborted) return shared;
    }
    const own = fetchOne(ask.job, origin, fetch).finally(() => {
      if (fetching.get(origin) === own) fetching.delete(origin);
    });
    fetching.set(origin, own);
    return await own;
  }

  return {
    effectiveMode({ router }) {
      const mode =
        MODES_BY_STRICTNESS[
          Math.max(MODES_BY_STRICTNESS.indexOf(router.robots), MODES_BY_STRICTNESS.indexOf(minimum))
        ]!;
      return mode === 'ignore' ? null : mode;
    },
    async check(ask, fetch, deadline) {
      const { job, mode } = ask;
      const url = new URL(job.url);
      const file = `${url.origin}/robots.txt`;
      const agent = robotsAgent(job);
      const found = await known(ask, fetch, deadline);
      if (isFailure(found)) {
        const result: RobotsResult = { mode, url: file, agent, allowed: null, rule: null, statusCode: null };
        return {
          result,
          failure: mode === 'respect' || isFinal(found) ? unreadableRobots(file, found) : null,
        };
      }
      const { statusCode } = found;
      const judged = applyRules(found, agent, url);
      const result: RobotsResult = { mode, url: file, agent, ...judged, statusCode };
      return { result, failure: mode === 'respect' && !judged.allowed ? robotsRefusal(result) : null };
    },
  };
}

/**
 * What a file is kept under. What came through a proxy of the caller's own, or from a server that nobody looked at the
 * certificate of, may be anybody's word: it holds for that user alone.
 */
function cacheKey({ job, userId }: RobotsRequest): string {
  const { origin } = new URL(job.url);
  return job.proxyType !== 'custom' && job.options.verifyTls ? origin : `${origin} ${userId}`;
}

const ROBOTS_TIMEOUT = failure('timeout.total', 'The request timed out before robots.txt was received.');

/** What a fetch of robots.txt brought; a failure: nothing that could be judged by. */
function parseRobotsResponse({ delivered, errors }: AttemptResult): CachedRobots | Failure {
  if (delivered === null) {
    const cause = errors[0]!;
    // More redirects than have to be followed: as if there were none (RFC 9309 §2.3.1.2).
    return cause.code === 'redirect.too_many' ? { kind: 'none', statusCode: null } : cause;
  }
  const { statusCode, cut } = delivered.page;
  if (statusCode >= 500) return { kind: 'failing', statusCode };
  if (statusCode >= 300) return { kind: 'none', statusCode };
  if (cut !== null && cut.code !== 'content.truncated') return cut;
  const text = new TextDecoder().decode(delivered.content?.bytes ?? new Uint8Array());
  return { kind: 'rules', rules: parseRobotsTxt(text), size: text.length, statusCode };
}

function applyRules(known: CachedRobots, agent: string, url: URL): { allowed: boolean; rule: string | null } {
  // The file itself may always be fetched (RFC 9309 §2.2.2).
  if (known.kind === 'none' || url.pathname === '/robots.txt') return { allowed: true, rule: null };
  if (known.kind === 'failing') return { allowed: false, rule: null };
  const { allowed, rule } = decideRobots(known.rules, agent, url.pathname + url.search);
  // Long patterns are of no use to a reader.
  const text = rule === null ? null : `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern.slice(0, 200)}`;
  return { allowed, rule: text };
}

/** It ends the scrape whether robots.txt is respected or not. */
const isFinal = ({ code }: Failure): boolean =>
  code === 'request.cancelled' || code === 'service.unavailable';

function unreadableRobots(file: string, cause: Failure): Failure {
  if (isFinal(cause)) return cause;
  return { ...cause, message: `${file} could not be read, so nothing else was fetched: ${cause.message}` };
}

function robotsRefusal({ url, agent, rule, statusCode }: RobotsResult): Failure {
  const why =
    rule === null
      ? `its server returned ${statusCode}, so nothing may be fetched`
      : `the rule "${rule}" applies to ${JSON.stringify(agent)}`;
  return failure('policy.robots', `${url} does not allow this page: ${why}.`, {
    details: { url, agent, rule, status_code: statusCode },
  });
}

interface RobotsFetchRequest {
  readonly job: Job;
  readonly proxyType: ProxyType;
  readonly deadline: Deadline;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly reservation: MemoryReservation;
  readonly userId: string;
}

/**
 * Asks robots.txt before the first attempt, if that is to be asked; null: it is not. A fetch of it is no attempt, and has
 * at most half of the time.
 */
export async function checkRobots(
  parts: AttemptDeps & { readonly robots: RobotsChecker },
  { job, proxyType, deadline, allowUrl, reservation, userId }: RobotsFetchRequest,
): Promise<RobotsCheck | null> {
  const mode = parts.robots.effectiveMode(job);
  if (mode === null) return null;
  let got: AttemptResult | null = null;
  const fetch = async (of: Job): Promise<AttemptResult> => {
    const step = { scraper: 'http', proxyType } as const;
    const chosen = { step, reason: 'robots.txt', pauseMs: 0, sharesTime: true };
    got = await runAttempt(parts, {
      ...{ n: 0, job: of, chosen, deadline, allowUrl, reservation, userId },
      ...{ used: [], document: null, clearance: null },
    });
    return got;
  };
  try {
    return await parts.robots.check({ job, mode, userId }, fetch, deadline);
  } finally {
    const content = (got as AttemptResult | null)?.delivered?.content ?? null;
    if (content !== null) reservation.free(content.bytes.buffer);
    reservation.retain(0);
  }
}
