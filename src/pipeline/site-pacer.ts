import { hash } from 'node:crypto';
import { retryAfterMs } from '../base/retry-after.ts';
import type { Clock, Deadline } from '../base/time.ts';
import { sleep } from '../base/wait.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import type { ProxyType } from '../domain/task.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import type { Coordination, MessageBus, SharedValues } from '../ports/coordination.ts';
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

/** The time at which a waiting request may be sent. `startAt` and `slowedAt` are those of the pace. */
interface QueuedTurn {
  readonly startAt: number;
  /** `SitePace.slowedAt` when the turn was given. */
  readonly slowedAt: number;
  /** Aborted when an earlier turn has become free. */
  readonly moved: AbortController;
}

/** A turn that was given. */
interface GivenTurn {
  readonly startAt: number;
  readonly slowedAt: number;
  /** Time until the turn; 0: it is now. */
  readonly waitMs: number;
}

/** How much a site is slowed down. */
export interface KnownPace {
  /** Time between the starts of two attempts. */
  readonly gapMs: number;
  /** What is left of the pause that the site asked for; 0: none. */
  readonly pauseMs: number;
}

/** A pace is forgotten this long after its last turn. */
const FORGET_MS = 600_000;
/** Number of paced sites that are known here; the least recently used ones are forgotten first. */
const MAX_SITES = 10_000;
/** Verdicts that show that the site accepts this rate. */
const SERVED_VERDICTS: ReadonlySet<VerdictKind> = new Set(['ok', 'js_shell', 'wall', 'empty']);
/** Tells all replicas the key of a site that is paced from now on. */
const CHANNEL = 'site_paced';

/**
 * Slows down for sites that complained about too many requests (429), for all users and replicas together: additive increase of
 * the rate, multiplicative decrease, and no request before the end of `Retry-After`. A replica that missed the message about a
 * site learns of it by the next complaint.
 */
export class SitePacer {
  readonly #clock: Clock;
  readonly #values: SharedValues;
  readonly #bus: MessageBus;
  readonly #unsubscribe: () => void;
  /** Keys of the sites that are paced, as far as is known here. The most recently used last. */
  readonly #paced = new Set<string>();
  /** The turns that requests wait for, in the order of arrival. */
  readonly #queues = new Map<string, Set<QueuedTurn>>();

  constructor(clock: Clock, { values, bus }: Pick<Coordination, 'values' | 'bus'>) {
    this.#clock = clock;
    this.#values = values;
    this.#bus = bus;
    this.#unsubscribe = bus.subscribe(CHANNEL, (key) => this.#markPaced(key));
  }

  /** How many sites are paced now. */
  get size(): number {
    return this.#paced.size;
  }

  close(): void {
    this.#unsubscribe();
  }

  /**
   * The paces of those of the hosts (without port) that are slowed down, as far as is known here: the slowest of their ports and
   * proxy types. Proxies of callers are left out.
   */
  async paces(hostnames: ReadonlySet<string>): Promise<ReadonlyMap<string, KnownPace>> {
    const paces = new Map<string, KnownPace>();
    for (const key of this.#paced) {
      const [host, proxyType] = key.split(' ') as [string, string];
      const { hostname } = new URL(`http://${host}/`);
      if (proxyType === 'custom' || !hostnames.has(hostname)) continue;
      let known: KnownPace | null = null;
      await this.#change(key, (pace, now) => {
        known = pace === null ? null : { gapMs: pace.gapMs, pauseMs: Math.max(0, pace.until - now) };
        return pace;
      });
      const pace = known as KnownPace | null;
      if (pace !== null && pace.gapMs >= (paces.get(hostname)?.gapMs ?? 0)) paces.set(hostname, pace);
    }
    return paces;
  }

  /** Whether the request may be sent at once. */
  isFree(request: SiteRequest): boolean {
    return this.#paced.size === 0 || !this.#paced.has(keyOf(request.url, request));
  }

  /** Resolves to null when the request may be sent; to a failure if its turn would come after the deadline. */
  async waitForTurn(request: SiteRequest, deadline: Deadline): Promise<Failure | null> {
    const key = keyOf(request.url, request);
    for (;;) {
      // At the deadline itself no time would be left for the attempt.
      const turn = await this.#takeTurn(key, deadline.remaining());
      if (turn === null || turn.waitMs === 0) return null;
      if (turn.waitMs >= deadline.remaining()) return pacedFailure(turn.waitMs);
      const queued = { ...turn, moved: new AbortController() };
      const turnCame = await this.#inQueue(key, queued, turn.waitMs, deadline);
      if (!turnCame && deadline.signal.aborted) return interruptionOf(deadline) ?? pacedFailure(/* ms */ 0);
      if (turnCame && (await this.#isValid(key, queued))) return null;
    }
  }

  /** Adapts the pace of a site to its response. Failures of the shared values are ignored: the site complains again. */
  record({ url, proxyType, userId, verdict, page, sentAt }: SiteResponse): void {
    if (page === null || (this.#paced.size === 0 && verdict !== 'rate')) return;
    const ageMs = this.#clock.monotonic() - sentAt;
    const request = { url, proxyType, userId };
    // The requested host, and the one that a redirect led to.
    for (const key of new Set([keyOf(url, request), keyOf(page.finalUrl, request)])) {
      if (verdict === 'rate') {
        const pauseMs = retryAfterMs(page.headers, this.#clock.now());
        this.#markPaced(key);
        this.#change(key, (pace, now) => slowDown(pace, now, now - ageMs, pauseMs)).catch(() => {});
        this.#bus.publish(CHANNEL, key);
      } else if (SERVED_VERDICTS.has(verdict) && this.#paced.has(key))
        this.#change(key, (pace, now) => (pace === null ? null : speedUp(pace, now - ageMs))).catch(() => {});
    }
  }

  /** Takes the next turn, unless it comes in `limitMs` or later. @returns null: the site is not paced */
  async #takeTurn(key: string, limitMs: number): Promise<GivenTurn | null> {
    let turn: GivenTurn | null = null;
    await this.#change(key, (pace, now) => {
      turn = null;
      if (pace === null) return null;
      const [startAt, paceAfter] = nextStart(pace, now);
      turn = { startAt, slowedAt: pace.slowedAt, waitMs: startAt - now };
      return turn.waitMs < limitMs ? paceAfter : pace;
    });
    return turn;
  }

  /** @param change returns null if the site is not paced any more */
  async #change(
    key: string,
    change: (pace: SitePace | null, now: number) => SitePace | null,
  ): Promise<SitePace | null> {
    const value = await this.#values.update(valueKey(key), (current, now) => {
      const pace = current === null ? null : (JSON.parse(current) as SitePace);
      const changed = change(pace, now);
      if (changed === pace) return 'keep';
      if (changed === null) return 'delete';
      return {
        value: JSON.stringify(changed),
        ttlMs: Math.max(changed.until, changed.nextAt) - now + FORGET_MS,
      };
    });
    if (value === null) this.#paced.delete(key);
    return value === null ? null : (JSON.parse(value) as SitePace);
  }

  #markPaced(key: string): void {
    this.#paced.delete(key);
    if (this.#paced.size >= MAX_SITES) this.#paced.delete(this.#paced.keys().next().value!);
    this.#paced.add(key);
  }

  /** Waits for the turn. Resolves to false if the deadline is over, or if an earlier turn has become free. */
  async #inQueue(key: string, turn: QueuedTurn, waitMs: number, deadline: Deadline): Promise<boolean> {
    const queue = this.#queues.get(key) ?? new Set();
    this.#queues.set(key, queue.add(turn));
    const signal = AbortSignal.any([deadline.signal, turn.moved.signal]);
    const turnCame = await sleep(waitMs, signal);
    queue.delete(turn);
    if (queue.size === 0) this.#queues.delete(key);
    if (!turnCame && deadline.signal.aborted) await this.#giveUp(key, turn, queue);
    return turnCame;
  }

  /** Gives an unused turn back, and lets the requests behind it that wait here take earlier turns. */
  async #giveUp(key: string, turn: QueuedTurn, queue: ReadonlySet<QueuedTurn>): Promise<void> {
    const pace = await this.#change(key, (current) =>
      current === null || !isStillValid(current, turn) || current.nextAt <= turn.startAt
        ? current
        : { ...current, nextAt: turn.startAt },
    ).catch(() => null);
    if (pace === null || !isStillValid(pace, turn)) return;
    for (const other of queue) if (other.startAt > turn.startAt) other.moved.abort();
  }

  /** Whether the request may be sent in its turn. A 429 of the site during the wait makes the turn invalid. */
  async #isValid(key: string, turn: QueuedTurn): Promise<boolean> {
    const value = await this.#values.get(valueKey(key));
    return value === null || isStillValid(JSON.parse(value) as SitePace, turn);
  }
}

const isStillValid = (pace: SitePace, { startAt, slowedAt }: QueuedTurn): boolean =>
  pace.slowedAt === slowedAt && pace.until <= startAt;

const MAX_KEY_LENGTH = 400;

/** A host may be longer than the key of a value, so a long one is hashed. */
const valueKey = (key: string): string =>
  `pace ${key.length <= MAX_KEY_LENGTH ? key : hash('sha256', key, 'base64url')}`;

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

/** The pace at a site that complained about too many requests. Times are those of `SharedValues`, in ms. */
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
