import type { Clock, Deadline } from '../base/time.ts';
import { sleep } from '../base/wait.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import type { ProxyType } from '../domain/job.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import { interruptionOf } from './interruption.ts';

/** What is asked, by whom and through what. Sites limit by host, for the addresses that requests come from. */
export interface SiteRequest {
  readonly url: string;
  readonly proxyType: ProxyType;
  readonly userId: string;
}

/** How a request ended. */
interface SiteResponse extends SiteRequest {
  readonly verdict: VerdictKind;
  /** Monotonic. */
  readonly sentAt: number;
  /** null: no page came. */
  readonly page: { readonly finalUrl: string; readonly headers: HeaderList } | null;
}

/** A turn that a request waits for. */
interface QueuedTurn {
  readonly startAt: number;
  /** `SitePace.slowedAt` when the turn was given. */
  readonly slowedAt: number;
  /** Aborted when there is an earlier turn to be had. */
  readonly moved: AbortController;
}

/** So many sites are remembered; those that were used longest ago are forgotten first. */
const MAX_SITES = 10_000;
/** Verdicts that say that the site does serve us at this rate. */
const SERVED_VERDICTS: ReadonlySet<VerdictKind> = new Set(['ok', 'js_shell', 'wall', 'empty']);

/**
 * Paces sites that complained of too many requests, for all users together: additive increase of the rate, multiplicative
 * decrease, and nothing before `Retry-After` is over. In this process only, and not over a restart.
 */
export class SitePacer {
  readonly #clock: Clock;
  /** In the order of use. */
  readonly #paces = new Map<string, SitePace>();
  /** The turns that requests wait for, in the order of their coming. */
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

  /** Settles with null when the request may be sent, or with why it may not in its time. */
  async waitForTurn(request: SiteRequest, deadline: Deadline): Promise<Failure | null> {
    const key = keyOf(request.url, request);
    for (;;) {
      const now = this.#clock.monotonic();
      const pace = this.#paceOf(key, now);
      if (pace === null) return null;
      const [startAt, after] = nextStart(pace, now);
      // The attempt itself needs time, too.
      if (startAt - now >= deadline.remaining()) return pacedFailure(startAt - now);
      this.#keep(key, after);
      if (startAt <= now) return null;
      const turn = { startAt, slowedAt: pace.slowedAt, moved: new AbortController() };
      const came = await this.#inQueue(key, turn, deadline);
      if (!came && deadline.signal.aborted) return interruptionOf(deadline) ?? pacedFailure(0);
      if (came && this.#isValid(key, turn)) return null;
    }
  }

  /** Learns how fast a site may be asked. */
  record({ url, proxyType, userId, verdict, page, sentAt }: SiteResponse): void {
    if (page === null || (this.#paces.size === 0 && verdict !== 'rate')) return;
    const now = this.#clock.monotonic();
    const request = { url, proxyType, userId };
    // The host that was asked, and the one that answered.
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

  /** Settles with whether the turn came; false: the time was up, or there is an earlier turn to be had. */
  async #inQueue(key: string, turn: QueuedTurn, deadline: Deadline): Promise<boolean> {
    const queue = this.#queues.get(key) ?? new Set();
    this.#queues.set(key, queue.add(turn));
    const signal = AbortSignal.any([deadline.signal, turn.moved.signal]);
    const came = await sleep(turn.startAt - this.#clock.monotonic(), signal);
    queue.delete(turn);
    if (queue.size === 0) this.#queues.delete(key);
    if (!came && deadline.signal.aborted) this.#giveUp(key, turn, queue);
    return came;
  }

  /** Nobody will use that turn: those behind it move up. */
  #giveUp(key: string, turn: QueuedTurn, queue: ReadonlySet<QueuedTurn>): void {
    const pace = this.#paces.get(key);
    if (pace === undefined || !this.#isValid(key, turn)) return;
    this.#keep(key, { ...pace, nextAt: Math.min(pace.nextAt, turn.startAt) });
    for (const other of queue) if (other.startAt > turn.startAt) other.moved.abort();
  }

  /** A complaint that came while a turn was waited for makes it void. */
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

/** A proxy of a user's own is nobody else's. */
function keyOf(url: string, { proxyType, userId }: SiteRequest): string {
  const { host } = new URL(url);
  return proxyType === 'custom' ? `${host} custom ${userId}` : `${host} ${proxyType}`;
}

/** RFC 9110 §5.6.7: the one form that is sent today, and the two that must be understood. */
const HTTP_DATE =
  /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * What `Retry-After` (RFC 9110 §10.2.3) asks for, ms from now, at least 0: seconds or a date. null: there is none that can
 * be read. Of several the longest.
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
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** How fast one site is asked, after it said that we are too fast. Instants and times in ms, monotonic. */
export interface SitePace {
  /** Nothing is sent before: what `Retry-After` asked for, or the gap when it asked for nothing. */
  readonly until: number;
  /** Between the starts of two attempts. */
  readonly gapMs: number;
  /** When the next attempt may start. */
  readonly nextAt: number;
  /** When it was slowed down last. Turns that were given before do not hold any more. */
  readonly slowedAt: number;
}

/** The rate after the first complaint: nothing is known of what the site bears. */
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 60_000;
/** Added to the rate (starts a second) for each answer that does not complain. */
const RATE_STEP = 0.2;
/** At so short a gap the site is not paced any more. */
const UNPACED_GAP_MS = 50;
/** A site must not put itself, or others on its host, out of reach for longer by one answer. */
export const LONGEST_PAUSE_MS = 3_600_000;
/** So long after its last turn a pace is forgotten. */
const FORGET_MS = 600_000;

/**
 * The site said that it is asked too fast: the rate is halved, and there is a pause. Answers to what was sent before the
 * last complaint only repeat it: they may lengthen the pause, not halve the rate again.
 * @param sentAt when the attempt that the site complained about began
 * @param retryAfterMs what `Retry-After` asked for; null: nothing
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

/** The site answered without a complaint: a little faster. null: it is not paced any more. */
export function speedUp(pace: SitePace, sentAt: number): SitePace | null {
  // Answers to what was sent before the complaint say nothing about the rate after it.
  if (sentAt < pace.slowedAt) return pace;
  const gapMs = 1_000 / (1_000 / pace.gapMs + RATE_STEP);
  return gapMs <= UNPACED_GAP_MS ? null : { ...pace, gapMs };
}

/** When an attempt that comes `now` may start; the second member is the pace after it took that turn. */
export function nextStart(pace: SitePace, now: number): readonly [startAt: number, after: SitePace] {
  const startAt = Math.max(now, pace.nextAt);
  return [startAt, { ...pace, nextAt: startAt + pace.gapMs }];
}

export function isForgotten(pace: SitePace, now: number): boolean {
  return now > Math.max(pace.until, pace.nextAt) + FORGET_MS;
}
