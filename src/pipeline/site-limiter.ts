import type { Clock, Deadline } from '../base/time.ts';
import { sleep, waitForCallback } from '../base/wait.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { FetchedPage, HeaderList } from '../domain/fetch-result.ts';
import type { ProxyType } from '../domain/job.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import { interruptionOf } from './interruption.ts';
import { isForgotten, nextStart, retryAfterMs, type SitePace, slowDown, speedUp } from './site-pace.ts';

interface SlotQueue {
  running: number;
  /** First come, first served. */
  readonly waiting: Set<() => void>;
}

/** How many attempts are at one host at once, over all users. */
interface HostConcurrency {
  /** null: a slot is taken, to be given back by `leave`. Else settles with that, or with why there was none in time. */
  acquire(host: string, deadline: Deadline): Promise<Failure | null> | null;
  release(host: string): void;
}

/** @param most at one host */
function createHostConcurrency(most: number): HostConcurrency {
  /** Only hosts where somebody is. */
  const sites = new Map<string, SlotQueue>();

  function enter(host: string, deadline: Deadline): Promise<Failure | null> | null {
    const site = sites.get(host) ?? { running: 0, waiting: new Set() };
    sites.set(host, site);
    if (site.running < most) {
      site.running++;
      return null;
    }
    return waitForCallback<Failure | null>(
      deadline.signal,
      (settle) => {
        const grant = () => settle(null);
        site.waiting.add(grant);
        return () => site.waiting.delete(grant);
      },
      () => interruptionOf(deadline) ?? concurrencyFailure(most),
    );
  }

  function leave(host: string): void {
    const site = sites.get(host)!;
    const [next] = site.waiting;
    if (next !== undefined) {
      // The slot goes on to the next one.
      next();
    } else if (--site.running === 0) sites.delete(host);
  }

  return { acquire: enter, release: leave };
}

function concurrencyFailure(most: number): Failure {
  return failure(
    'service.unavailable',
    `The request timed out while it waited its turn: at most ${most} scrapes run on one site at once.`,
  );
}

/** Who is asked through what. A limit is kept by a host, for the addresses that its visitors come from. */
interface SiteRequest {
  readonly url: string;
  readonly proxyType: ProxyType;
  readonly userId: string;
}

/** How an attempt ended that had its turn. */
interface SiteResponse extends SiteRequest {
  readonly verdict: VerdictKind;
  /** Monotonic. */
  readonly sentAt: number;
  /** null: no page came. */
  readonly page: { readonly finalUrl: string; readonly headers: HeaderList } | null;
}

interface SitePacer {
  /** Sites that are paced now, for the metrics. */
  readonly size: number;
  /** It may go at once. */
  isFree(visit: SiteRequest): boolean;
  /** Settles with null when it may go, or with why it will not in its time. */
  waitForTurn(visit: SiteRequest, deadline: Deadline): Promise<Failure | null>;
  /** What came of it. */
  record(visited: SiteResponse): void;
}

/** That somebody waits for. */
interface QueuedTurn {
  readonly startAt: number;
  /** The complaint that it was given after. */
  readonly slowedAt: number;
  /** Aborted when there is an earlier one. */
  readonly moved: AbortController;
}

/** So many sites are remembered; those that were asked for longest ago are forgotten first. */
const MAX_SITES = 10_000;
/** Verdicts that say that the site does serve us at this rate. */
const SERVED_VERDICTS: ReadonlySet<VerdictKind> = new Set(['ok', 'js_shell', 'wall', 'empty']);

/**
 * Paces sites that said they are asked too fast, for all users together: additive increase of the rate, multiplicative
 * decrease, and never before `Retry-After` is over. In this process only, and not over a restart.
 */
export function createSitePacer(clock: Clock): SitePacer {
  /** In the order of use. */
  const sites = new Map<string, SitePace>();
  /** Who waits for a turn there, in the order of their coming. */
  const lines = new Map<string, Set<QueuedTurn>>();

  function keep(key: string, pace: SitePace | null): void {
    sites.delete(key);
    if (pace === null) return;
    if (sites.size >= MAX_SITES) sites.delete(sites.keys().next().value!);
    sites.set(key, pace);
  }

  function paceOf(key: string, now: number): SitePace | null {
    const pace = sites.get(key);
    if (pace === undefined) return null;
    if (!isForgotten(pace, now)) return pace;
    sites.delete(key);
    return null;
  }

  /** Settles with whether the turn came; false: the time was up, or there is an earlier turn to be had. */
  async function inLine(key: string, turn: QueuedTurn, deadline: Deadline): Promise<boolean> {
    const line = lines.get(key) ?? new Set();
    lines.set(key, line.add(turn));
    const signal = AbortSignal.any([deadline.signal, turn.moved.signal]);
    const came = await sleep(turn.startAt - clock.monotonic(), signal);
    line.delete(turn);
    if (line.size === 0) lines.delete(key);
    if (!came && deadline.signal.aborted) giveUp(key, turn, line);
    return came;
  }

  /** Nobody will use that turn: who stands behind it moves up. A complaint has made it void already. */
  function giveUp(key: string, { startAt, slowedAt }: QueuedTurn, line: ReadonlySet<QueuedTurn>): void {
    const pace = sites.get(key);
    if (pace === undefined || pace.slowedAt !== slowedAt || pace.until > startAt) return;
    keep(key, { ...pace, nextAt: Math.min(pace.nextAt, startAt) });
    for (const one of line) if (one.startAt > startAt) one.moved.abort();
  }

  async function waitFor(key: string, deadline: Deadline): Promise<Failure | null> {
    for (;;) {
      const now = clock.monotonic();
      const pace = paceOf(key, now);
      if (pace === null) return null;
      const [startAt, after] = nextStart(pace, now);
      // The attempt itself needs time, too; what is left of none is none.
      if (startAt - now >= deadline.remaining()) return pacedFailure(startAt - now);
      keep(key, after);
      if (startAt <= now) return null;
      const turn = { startAt, slowedAt: pace.slowedAt, moved: new AbortController() };
      const came = await inLine(key, turn, deadline);
      if (!came && deadline.signal.aborted) return interruptionOf(deadline) ?? pacedFailure(0);
      if (!came) continue;
      // A complaint that came meanwhile makes this turn void.
      const then = sites.get(key);
      if (then === undefined || (then.slowedAt === pace.slowedAt && then.until <= startAt)) return null;
    }
  }

  return {
    get size() {
      return sites.size;
    },
    isFree: (visit) => sites.size === 0 || !sites.has(keyOf(visit.url, visit)),
    waitForTurn: (visit, deadline) => waitFor(keyOf(visit.url, visit), deadline),
    record(visited) {
      const { verdict, page, sentAt } = visited;
      if (page === null || (sites.size === 0 && verdict !== 'rate')) return;
      const now = clock.monotonic();
      // The host that was asked, and the one that answered.
      for (const key of new Set([keyOf(visited.url, visited), keyOf(page.finalUrl, visited)])) {
        const pace = paceOf(key, now);
        if (verdict === 'rate')
          keep(key, slowDown(pace, now, sentAt, retryAfterMs(page.headers, clock.now())));
        else if (pace !== null && SERVED_VERDICTS.has(verdict)) keep(key, speedUp(pace, sentAt));
      }
    },
  };
}

function pacedFailure(ms: number): Failure {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return failure(
    'route.paced',
    `The site asked for a pause (Retry-After) that is longer than the time left for this request. Retry in ${seconds} s.`,
    { details: { retry_after_s: seconds } },
  );
}

/** The exits of a user's own are nobody else's. */
function keyOf(url: string, { proxyType, userId }: SiteRequest): string {
  const { host } = new URL(url);
  return proxyType === 'custom' ? `${host} custom ${userId}` : `${host} ${proxyType}`;
}

/** What came of an attempt. */
interface SlotOutcome {
  readonly verdict: VerdictKind;
  readonly fetched: Pick<FetchedPage, 'page'> | { readonly page: null } | null;
}

/** A turn at a site, or why there is none. */
interface SiteSlot {
  readonly failure: Failure | null;
  readonly waitedMs: number;
  /** For a pause that the site asked for. */
  readonly pausedMs: number;
  /** To be called when there is no failure, once, with what came of the turn; null: nothing that can be told. */
  release(outcome: SlotOutcome | null): void;
}

/** What we owe to sites: not to be more at once, and not to be faster, than they bear. */
export interface SiteLimiter {
  /** Sites that are paced now. */
  pacedSites(): number;
  /** Settles when the site may be asked, or with why not; a promise only when there is something to wait for. */
  acquire(visit: SiteRequest, deadline: Deadline): SiteSlot | Promise<SiteSlot>;
}

/** @param atOnce attempts at one host; null: as many as there are */
export function createSiteLimiter(clock: Clock, atOnce: number | null): SiteLimiter {
  const pacing = createSitePacer(clock);
  const slots = atOnce === null ? null : createHostConcurrency(atOnce);

  function stay(visit: SiteRequest, host: string, waitedMs: number, pausedMs: number): SiteSlot {
    const sentAt = clock.monotonic();
    return {
      failure: null,
      waitedMs,
      pausedMs,
      release(outcome) {
        slots?.release(host);
        if (outcome === null) return;
        pacing.record({ ...visit, sentAt, verdict: outcome.verdict, page: outcome.fetched?.page ?? null });
      },
    };
  }

  async function waitIn(
    visit: SiteRequest,
    host: string,
    deadline: Deadline,
    slot: Promise<Failure | null> | null,
  ): Promise<SiteSlot> {
    const began = clock.monotonic();
    const full = await slot;
    const entered = clock.monotonic();
    const waitedMs = entered - began;
    if (full !== null) return refusedSlot(full, waitedMs, 0);
    const failure = await pacing.waitForTurn(visit, deadline);
    const pausedMs = clock.monotonic() - entered;
    if (failure === null) return stay(visit, host, waitedMs, pausedMs);
    slots?.release(host);
    return refusedSlot(failure, waitedMs, pausedMs);
  }

  return {
    pacedSites: () => pacing.size,
    acquire(visit, deadline) {
      const host = slots === null ? '' : new URL(visit.url).host;
      const slot = slots?.acquire(host, deadline) ?? null;
      if (slot === null && pacing.isFree(visit)) return stay(visit, host, 0, 0);
      return waitIn(visit, host, deadline, slot);
    },
  };
}

function refusedSlot(failure: Failure, waitedMs: number, pausedMs: number): SiteSlot {
  return { failure, waitedMs, pausedMs, release: () => {} };
}
