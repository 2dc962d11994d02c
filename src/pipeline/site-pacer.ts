import type { Clock, Deadline } from '../base/time.ts';
import { sleep } from '../base/wait.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import type { ProxyType } from '../domain/task.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import { interruptionOf } from './interruption.ts';

/** The properties of a request that its pace depends on: sites limit requests per host and per address of the client. */
export interface SiteRequest {
  readonly url: string;
  readonly proxyType: ProxyType;
  readonly userId: string;
}

/** A request with its result. */
interface SiteResponse extends SiteRequest {
  readonly verdict: VerdictKind;
  /** Monotonic, ms. */
  readonly sentAt: number;
  /** null: there was no response. */
  readonly page: { readonly finalUrl: string; readonly headers: HeaderList } | null;
}

/** The time at which a waiting request may be sent. Times are monotonic, in ms. */
interface QueuedTurn {
  readonly startAt: number;
  /** `SitePace.slowedAt` when the turn was given. */
  readonly slowedAt: number;
  /** Aborted when an earlier turn has become free. */
  readonly moved: AbortController;
}

/** Number of paces that are kept; the least recently used ones are forgotten first. */
const MAX_SITES = 10_000;
/** Verdicts that show that the site accepts this rate. */
const SERVED_VERDICTS: ReadonlySet<VerdictKind> = new Set(['ok', 'js_shell', 'wall', 'empty']);

/**
 * Slows down for sites that complained about too many requests (429), for all users together: additive increase of the rate,
 * multiplicative decrease, and no request before the end of `Retry-After`. Forgotten at a restart.
 */
export class SitePacer {
  readonly #clock: Clock;
  /** By `keyOf`, the most recently used last. */
  readonly #paces = new Map<string, SitePace>();
  /** The turns that requests wait for, in the order of arrival. */
  readonly #queues = new Map<string, Set<QueuedTurn>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many sites are paced now. */
  get size(): number {
    return this.#paces.size;
  }

  /** Whether the request may be sent at once. */
  isFree(request: SiteRequest): boolean {
    return this.#paces.size === 0 || !this.#paces.has(keyOf(request.url, request));
  }

  /** Resolves to null when the request may be sent; to a failure if its turn would come after the deadline. */
  async waitForTurn(request: SiteRequest, deadline: Deadline): Promise<Failure | null> {
    const key = keyOf(request.url, request);
    for (;;) {
      const now = this.#clock.monotonic();
      const pace = this.#paceOf(key, now);
      if (pace === null) return null;
      const [startAt, paceAfter] = nextStart(pace, now);
      // At the deadline itself no time would be left for the attempt.
      if (startAt - now >= deadline.remaining()) return pacedFailure(startAt - now);
      this.#keep(key, paceAfter);
      if (startAt <= now) return null;
      const turn = { startAt, slowedAt: pace.slowedAt, moved: new AbortController() };
      const turnCame = await this.#inQueue(key, turn, deadline);
      if (!turnCame && deadline.signal.aborted) return interruptionOf(deadline) ?? pacedFailure(/* ms */ 0);
      if (turnCame && this.#isValid(key, turn)) return null;
    }
  }

  /** Adapts the pace of a site to its response. */
  record({ url, proxyType, userId, verdict, page, sentAt }: SiteResponse): void {
    if (page === null || (this.#paces.size === 0 && verdict !== 'rate')) return;
    const now = this.#clock.monotonic();
    const request = { url, proxyType, userId };
    // The requested host, and the one that a redirect led to.
    for (const key of new Set([keyOf(url, request), keyOf(page.finalUrl, request)])) {
      const pace = this.#paceOf(key, now);
      if (verdict === 'rate')
        this.#keep(key, slowDown(pace, now, sentAt, retryAfterMs(page.headers, this.#clock.now())));
      else if (pace !== null && SERVED_VERDICTS.has(verdict)) this.#keep(key, speedUp(pace, sentAt));
    }
  }

  #paceOf(key: string, now: number): SitePace | null {
    const pace = this.#paces.get(key);
    if (pace === undefined) return null;
    if (!isForgotten(pace, now)) return pace;
    this.#paces.delete(key);
    return null;
  }

  #keep(key: string, pace: SitePace | null): void {
    this.#paces.delete(key);
    if (pace === null) return;
    if (this.#paces.size >= MAX_SITES) this.#paces.delete(this.#paces.keys().next().value!);
    this.#paces.set(key, pace);
  }

  /** Waits for the turn. Resolves to false if the deadline is over, or if an earlier turn has become free. */
  async #inQueue(key: string, turn: QueuedTurn, deadline: Deadline): Promise<boolean> {
    const queue = this.#queues.get(key) ?? new Set();
    this.#queues.set(key, queue.add(turn));
    const signal = AbortSignal.any([deadline.signal, turn.moved.signal]);
    const turnCame = await sleep(turn.startAt - this.#clock.monotonic(), signal);
    queue.delete(turn);
    if (queue.size === 0) this.#queues.delete(key);
    if (!turnCame && deadline.signal.aborted) this.#giveUp(key, turn, queue);
    return turnCame;
  }

  /** Gives an unused turn back, and lets the requests behind it take earlier turns. */
  #giveUp(key: string, turn: QueuedTurn, queue: ReadonlySet<QueuedTurn>): void {
    const pace = this.#paces.get(key);
    if (pace === undefined || !this.#isValid(key, turn)) return;
    this.#keep(key, { ...pace, nextAt: Math.min(pace.nextAt, turn.startAt) });
    for (const other of queue) if (other.startAt > turn.startAt) other.moved.abort();
  }

  /** Whether the request may be sent in its turn. A 429 of the site during the wait makes the turn invalid. */
  #isValid(key: string, { startAt, slowedAt }: QueuedTurn): boolean {
    const pace = this.#paces.get(key);
    return pace === undefined || (pace.slowedAt === slowedAt && pace.until <= startAt);
  }
}

function pacedFailure(ms: number): Failure {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return failure(
    'route.paced',
    `The site asked for a pause (Retry-After) that is longer than the time left for this request. Retry in ${seconds} s.`,
    { details: { retry_after_s: seconds } },
  );
}

/** The key of a pace: host and proxy type. For custom proxies also the user, because no other user has the same proxy. */
function keyOf(url: string, { proxyType, userId }: SiteRequest): string {
  const { host } = new URL(url);
  return proxyType === 'custom' ? `${host} custom ${userId}` : `${host} ${proxyType}`;
}

/** RFC 9110 §5.6.7: IMF-fixdate, which is sent today, and the two obsolete forms, which recipients must accept. */
const HTTP_DATE =
  /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * The pause that `Retry-After` (RFC 9110 §10.2.3: seconds or a date) asks for, in ms from now, at least 0. If there are
 * several, the longest. Null if there is no valid one.
 * @param now wall clock, ms since the epoch
 */
export function retryAfterMs(headers: HeaderList, now: number): number | null {
  let longest: number | null = null;
  for (const [name, value] of headers) {
    if (name !== 'retry-after') continue;
    const ms = parseRetryAfter(value.trim(), now);
    if (ms !== null) longest = Math.max(longest ?? 0, ms);
  }
  return longest;
}

function parseRetryAfter(text: string, now: number): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return null;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The pace at a site that complained about too many requests. Times are monotonic, in ms. */
export interface SitePace {
  /** No request is sent before this time: the end of `Retry-After`, or of the gap if there was no `Retry-After`. */
  readonly until: number;
  /** Time between the starts of two attempts. */
  readonly gapMs: number;
  /** When the next attempt may start. */
  readonly nextAt: number;
  /** When the pace was last slowed down. Turns assigned before that are invalid. */
  readonly slowedAt: number;
}

/** The gap after the first complaint, when nothing is known about the limits of the site. */
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 60_000;
/** Added to the rate (attempts per second) for each response without a complaint. */
const RATE_STEP = 0.2;
/** When the gap has become this short, the site is no longer paced. */
const UNPACED_GAP_MS = 50;
/** Limit of `Retry-After`: a single response must not make a site unreachable for longer. */
export const LONGEST_PAUSE_MS = 3_600_000;
/** A pace is forgotten this long after its last turn. */
const FORGET_MS = 600_000;

/**
 * The pace after a complaint: the rate is halved, and there is a pause. A complaint about a request that was sent before the
 * last complaint may only lengthen the pause, and does not halve the rate again.
 * @param sentAt when the attempt that the site complained about was sent
 * @param retryAfterMs the pause by `Retry-After`; null if there is none
 */
export function slowDown(
  pace: SitePace | null,
  now: number,
  sentAt: number,
  retryAfterMs: number | null,
): SitePace {
  const repeated = pace !== null && sentAt < pace.slowedAt;
  const gapMs =
    pace === null ? FIRST_GAP_MS : repeated ? pace.gapMs : Math.min(LONGEST_GAP_MS, pace.gapMs * 2);
  const until = Math.max(pace?.until ?? 0, now + Math.min(LONGEST_PAUSE_MS, retryAfterMs ?? gapMs));
  if (repeated && until === pace.until) return pace;
  return { until, gapMs, nextAt: until, slowedAt: repeated ? pace.slowedAt : now };
}

/** The pace after a response without a complaint: a little faster. Null: the site is no longer paced. */
export function speedUp(pace: SitePace, sentAt: number): SitePace | null {
  // A request sent before the complaint says nothing about the rate after it.
  if (sentAt < pace.slowedAt) return pace;
  const gapMs = 1_000 / (1_000 / pace.gapMs + RATE_STEP);
  return gapMs <= UNPACED_GAP_MS ? null : { ...pace, gapMs };
}

/** The next turn, and the pace after it was assigned. */
export function nextStart(pace: SitePace, now: number): readonly [startAt: number, paceAfter: SitePace] {
  const startAt = Math.max(now, pace.nextAt);
  return [startAt, { ...pace, nextAt: startAt + pace.gapMs }];
}

export function isForgotten(pace: SitePace, now: number): boolean {
  return now > Math.max(pace.until, pace.nextAt) + FORGET_MS;
}
