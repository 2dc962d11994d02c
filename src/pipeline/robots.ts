import type { Clock } from '../base/time.ts';
import { orAborted } from '../base/wait.ts';
import {
  crawlDelayMs,
  decideRobots,
  parseRobotsTxt,
  ROBOTS_MAX_BYTES,
  type RobotsTxt,
} from '../content/reading/feed/robots-txt.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { RobotsMode, RobotsResult, Task } from '../domain/task.ts';
import type { AttemptDeps } from './attempt.ts';
import type { AttemptResult } from './attempt-result.ts';
import { type BesideRequest, fetchBeside } from './fetch-beside.ts';
import { interruptionOf } from './interruption.ts';

/** The result of checking robots.txt (RFC 9309) before a scrape. */
export interface RobotsCheck {
  readonly result: RobotsResult;
  /** Why the scrape must end; null if it may continue. */
  readonly failure: Failure | null;
}

/** What robots.txt says to a crawl. */
export interface KnownRobots {
  /** The rule that forbids a URL of the origin; null: it is allowed. */
  readonly rule: (url: URL) => string | null;
  /** Pause between two requests that the site asks for, ms. */
  readonly delayMs: number;
  /** URLs as they are written. */
  readonly sitemaps: readonly string[];
}

type ActiveRobotsMode = Exclude<RobotsMode, 'ignore'>;

/** `task` is the scrape whose URL is checked. */
type RobotsRequest = BesideRequest;

const MODES_BY_STRICTNESS: readonly RobotsMode[] = ['ignore', 'report', 'respect'];
const strictness = (mode: RobotsMode): number => MODES_BY_STRICTNESS.indexOf(mode);

/** Checks the robots.txt of a site before it is scraped. */
export class RobotsChecker {
  readonly #clock: Clock;
  readonly #minimum: RobotsMode;
  readonly #cache = new RobotsCache();
  /** Running fetches by cache key: requests for the same file share one. */
  readonly #fetching = new Map<string, Promise<CachedRobots | Failure>>();

  /** @param minimum the mode that the operator requires; a task may only be stricter */
  constructor(clock: Clock, minimum: RobotsMode) {
    this.#clock = clock;
    this.#minimum = minimum;
  }

  /**
   * Fetches robots.txt if it is not cached; at most half of the remaining time is spent on that. The fetch is not listed in
   * the attempts of the scrape.
   * @returns null: robots.txt is ignored
   */
  check(deps: AttemptDeps, request: RobotsRequest): Promise<RobotsCheck> | null {
    const mode = this.#modeOf(request.task);
    return mode === 'ignore' ? null : this.#check(mode, deps, request);
  }

  /**
   * What a robots.txt that is in the cache says to crawls of the origin of a URL; null: it is not in the cache. Nothing is
   * forbidden if the mode is `ignore`.
   */
  known(task: Task, userId: string): KnownRobots | null {
    const cached = this.#cache.fresh(cacheKey({ task, userId }), this.#clock.monotonic());
    if (cached === null) return null;
    const agent = robotsAgent(task);
    const respected = this.#modeOf(task) === 'respect';
    return {
      rule: (url) => {
        const { allowed, rule } = applyRules(cached, agent, url);
        return allowed || !respected ? null : (rule ?? 'the server fails');
      },
      delayMs: cached.kind === 'rules' && respected ? crawlDelayMs(cached.rules, agent) : 0,
      sitemaps: cached.kind === 'rules' ? cached.rules.sitemaps : [],
    };
  }

  /** Fetches robots.txt if it is not cached, whatever the mode is. @returns its sitemaps */
  async sitemaps(deps: AttemptDeps, request: RobotsRequest): Promise<readonly string[]> {
    const robots = await this.#robotsFor(deps, request);
    return !isFailure(robots) && robots.kind === 'rules' ? robots.rules.sitemaps : [];
  }

  #modeOf(task: Task): RobotsMode {
    const requested = task.router.robots;
    return strictness(requested) > strictness(this.#minimum) ? requested : this.#minimum;
  }

  async #check(mode: ActiveRobotsMode, deps: AttemptDeps, request: RobotsRequest): Promise<RobotsCheck> {
    const { task } = request;
    const page = new URL(task.url);
    const url = `${page.origin}/robots.txt`;
    const agent = robotsAgent(task);
    const robots = await this.#robotsFor(deps, request);
    if (isFailure(robots)) {
      const ends = mode === 'respect' || isFinal(robots);
      const result: RobotsResult = { mode, url, agent, allowed: null, rule: null, statusCode: null };
      return { result, failure: ends ? unreadableRobots(url, robots) : null };
    }
    const { allowed, rule } = applyRules(robots, agent, page);
    const result: RobotsResult = { mode, url, agent, allowed, rule, statusCode: robots.statusCode };
    return { result, failure: mode === 'respect' && !allowed ? robotsRefusal(result) : null };
  }

  async #robotsFor(deps: AttemptDeps, request: RobotsRequest): Promise<CachedRobots | Failure> {
    const key = cacheKey(request);
    const fresh = this.#cache.fresh(key, this.#clock.monotonic());
    if (fresh !== null) return fresh;
    const running = this.#fetching.get(key);
    if (running !== undefined) {
      const { deadline, task } = request;
      const shared = await orAborted(
        running,
        deadline.signal,
        () => interruptionOf(deadline) ?? timeoutOf(task),
      );
      // The other request may have failed for a reason of its own, such as its deadline: then this one fetches the file itself.
      if (!isFailure(shared) || deadline.signal.aborted) return shared;
    }
    const fetching = this.#fetchAndKeep(key, deps, request).finally(() => {
      if (this.#fetching.get(key) === fetching) this.#fetching.delete(key);
    });
    this.#fetching.set(key, fetching);
    return await fetching;
  }

  async #fetchAndKeep(
    key: string,
    deps: AttemptDeps,
    request: RobotsRequest,
  ): Promise<CachedRobots | Failure> {
    const fetched = await fetchRobots(deps, request);
    const now = this.#clock.monotonic();
    const stale = this.#cache.stale(key);
    if (stale !== null && (isFailure(fetched) || fetched.kind === 'failing')) {
      this.#cache.prolong(key, now);
      return stale;
    }
    if (!isFailure(fetched)) this.#cache.keep(key, fetched, now);
    return fetched;
  }
}

/** The robots.txt of one origin. */
type CachedRobots =
  /** `size` is the length of the text, `statusCode` that of the response. */
  | { readonly kind: 'rules'; readonly rules: RobotsTxt; readonly size: number; readonly statusCode: number }
  /** There is no robots.txt: everything is allowed (RFC 9309 §2.3.1.3). */
  | { readonly kind: 'none'; readonly statusCode: number | null }
  /** The server fails: nothing is allowed (RFC 9309 §2.3.1.4). */
  | { readonly kind: 'failing'; readonly statusCode: number };

/** A cached file should not be used for longer than 24 hours (RFC 9309 §2.4). */
const FRESH_MS = 24 * 3_600_000;
/** Time after which a failing server is asked again. */
const FAILING_MS = 60_000;
const MAX_ORIGINS = 10_000;
/** Limit of the length of all cached files together. */
const MAX_TEXT_LENGTH = 32 * 1024 * 1024;

/** The most recently fetched robots.txt files, by `cacheKey`. */
class RobotsCache {
  /** In the order of the fetches, so that the oldest is removed first. */
  readonly #entries = new Map<string, { readonly robots: CachedRobots; readonly expiresAt: number }>();
  #textLength = 0;

  /** @param now monotonic, ms */
  fresh(key: string, now: number): CachedRobots | null {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.expiresAt <= now ? null : entry.robots;
  }

  /** Rules that may have expired: they are used as long as the server fails (RFC 9309 §2.3.1.4). */
  stale(key: string): CachedRobots | null {
    const robots = this.#entries.get(key)?.robots;
    return robots?.kind === 'rules' ? robots : null;
  }

  keep(key: string, robots: CachedRobots, now: number): void {
    this.#delete(key);
    this.#textLength += sizeOf(robots);
    const expiresAt = now + (robots.kind === 'failing' ? FAILING_MS : FRESH_MS);
    this.#entries.set(key, { robots, expiresAt });
    while (this.#entries.size > MAX_ORIGINS || this.#textLength > MAX_TEXT_LENGTH)
      this.#delete(this.#entries.keys().next().value!);
  }

  /** Uses stale rules for another `FAILING_MS`, before the server is asked again. */
  prolong(key: string, now: number): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#entries.set(key, { ...entry, expiresAt: now + FAILING_MS });
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#textLength -= sizeOf(entry.robots);
    this.#entries.delete(key);
  }
}

const sizeOf = (robots: CachedRobots): number => (robots.kind === 'rules' ? robots.size : 0);

/**
 * The key of a file in the cache. A file fetched through the caller's own proxy, or with an unverified certificate, may be
 * forged: only the same user gets it from the cache.
 */
function cacheKey({ task, userId }: Pick<RobotsRequest, 'task' | 'userId'>): string {
  const { origin } = new URL(task.url);
  return task.proxyType !== 'custom' && task.options.verifyTls ? origin : `${origin} ${userId}`;
}

/** RFC 9309 §2.3.1.2: at least five redirects are followed. */
const MAX_REDIRECTS = 5;

async function fetchRobots(deps: AttemptDeps, request: RobotsRequest): Promise<CachedRobots | Failure> {
  const url = `${new URL(request.task.url).origin}/robots.txt`;
  const limits = { maxContentBytes: ROBOTS_MAX_BYTES, maxRedirects: MAX_REDIRECTS };
  return await fetchBeside(
    deps,
    request,
    { url, ...limits, finds: null, reason: 'robots.txt' },
    parseRobotsResponse,
  );
}

/** Interprets the response to the fetch of robots.txt. @returns a failure: there was no response, or it was incomplete */
function parseRobotsResponse({ delivered, errors }: AttemptResult): CachedRobots | Failure {
  if (delivered === null) {
    const cause = errors[0]!;
    // After more than five redirects the file counts as missing (RFC 9309 §2.3.1.2).
    return cause.code === 'redirect.too_many' ? { kind: 'none', statusCode: null } : cause;
  }
  const { statusCode, cut } = delivered.page;
  if (statusCode >= 500) return { kind: 'failing', statusCode };
  if (statusCode >= 300) return { kind: 'none', statusCode };
  if (cut !== null && cut.code !== 'content.truncated') return cut;
  const text = new TextDecoder().decode(delivered.content?.bytes ?? new Uint8Array());
  return { kind: 'rules', rules: parseRobotsTxt(text), size: text.length, statusCode };
}

const DEFAULT_AGENT = 'Sluice';

/** The name looked up in robots.txt: the product token of the caller's User-Agent, or `Sluice` if that is a browser's. */
function robotsAgent({ headers, options }: Task): string {
  const header = headers.find(([name]) => name.toLowerCase() === 'user-agent');
  const userAgent = header?.[1] ?? options.userAgent ?? '';
  const token = /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? '';
  return token === '' || token.toLowerCase() === 'mozilla' ? DEFAULT_AGENT : token;
}

/** Longer patterns are cut in `robots.rule`. */
const MAX_PATTERN_LENGTH = 200;

function applyRules(
  robots: CachedRobots,
  agent: string,
  url: URL,
): { allowed: boolean; rule: string | null } {
  // The file itself may always be fetched (RFC 9309 §2.2.2).
  if (robots.kind === 'none' || url.pathname === '/robots.txt') return { allowed: true, rule: null };
  if (robots.kind === 'failing') return { allowed: false, rule: null };
  const { allowed, rule } = decideRobots(robots.rules, agent, url.pathname + url.search);
  if (rule === null) return { allowed, rule: null };
  const pattern = rule.pattern.slice(0, MAX_PATTERN_LENGTH);
  return { allowed, rule: `${rule.allow ? 'Allow' : 'Disallow'}: ${pattern}` };
}

const timeoutOf = ({ timeoutMs }: Task): Failure =>
  failure(
    'timeout.total',
    `Timed out after ${(timeoutMs / 1000).toFixed(1)} s: robots.txt had not been received.`,
    { details: { phase: 'robots' } },
  );

/** Whether a failure ends the scrape even if robots.txt is only reported. */
const isFinal = ({ code }: Failure): boolean =>
  code === 'request.cancelled' || code === 'service.unavailable';

function unreadableRobots(url: string, cause: Failure): Failure {
  if (isFinal(cause)) return cause;
  return { ...cause, message: `${url} could not be read, so nothing else was fetched: ${cause.message}` };
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
