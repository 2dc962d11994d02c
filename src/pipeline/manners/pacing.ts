import type { Clock } from '../../base/clock.ts';
import type { Deadline } from '../../base/deadline.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetched.ts';
import type { ProxyType } from '../../domain/job.ts';
import type { VerdictKind } from '../../domain/verdict.ts';
import { reached, whyEnded } from './reached.ts';
import { retryAfterMs } from './retry-after.ts';
import { isForgotten, quickened, type SitePace, slowed, turnAt } from './site-pace.ts';

/** Who is asked through what. A limit is kept by a host, for the addresses that its visitors come from. */
export interface Visit {
  readonly url: string;
  readonly proxyType: ProxyType;
  readonly userId: string;
}

/** How an attempt ended that had its turn. */
export interface Visited extends Visit {
  readonly verdict: VerdictKind;
  /** Monotonic. */
  readonly sentAt: number;
  /** null: no page came. */
  readonly page: { readonly finalUrl: string; readonly headers: HeaderList } | null;
}

export interface Pacing {
  /** Sites that are paced now, for the metrics. */
  readonly size: number;
  /** It may go at once. */
  isFree(visit: Visit): boolean;
  /** Settles with null when it may go, or with why it will not in its time. */
  turn(visit: Visit, deadline: Deadline): Promise<Failure | null>;
  /** What came of it. */
  note(visited: Visited): void;
}

/** That somebody waits for. */
interface Turn {
  readonly startAt: number;
  /** The complaint that it was given after. */
  readonly slowedAt: number;
  /** Aborted when there is an earlier one. */
  readonly moved: AbortController;
}

/** So many sites are remembered; those that were asked for longest ago are forgotten first. */
const SITES_MOST = 10_000;
/** Verdicts that say that the site does serve us at this rate. */
const SERVED: ReadonlySet<VerdictKind> = new Set(['ok', 'js_shell', 'wall', 'empty']);

/**
 * Paces sites that said they are asked too fast, for all users together: additive increase of the rate, multiplicative
 * decrease, and never before `Retry-After` is over. In this process only, and not over a restart.
 */
export function createPacing(clock: Clock): Pacing {
  /** In the order of use. */
  const sites = new Map<string, SitePace>();
  /** Who waits for a turn there, in the order of their coming. */
  const lines = new Map<string, Set<Turn>>();

  function keep(key: string, pace: SitePace | null): void {
    sites.delete(key);
    if (pace === null) return;
    if (sites.size >= SITES_MOST) sites.delete(sites.keys().next().value!);
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
  async function inLine(key: string, turn: Turn, deadline: Deadline): Promise<boolean> {
    const line = lines.get(key) ?? new Set();
    lines.set(key, line.add(turn));
    const signal = AbortSignal.any([deadline.signal, turn.moved.signal]);
    const came = await reached(turn.startAt - clock.monotonic(), { signal });
    line.delete(turn);
    if (line.size === 0) lines.delete(key);
    if (!came && deadline.signal.aborted) giveUp(key, turn, line);
    return came;
  }

  /** Nobody will use that turn: who stands behind it moves up. A complaint has made it void already. */
  function giveUp(key: string, { startAt, slowedAt }: Turn, line: ReadonlySet<Turn>): void {
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
      const [startAt, after] = turnAt(pace, now);
      // The attempt itself needs time, too; what is left of none is none.
      if (startAt - now >= deadline.remaining()) return paced(startAt - now);
      keep(key, after);
      if (startAt <= now) return null;
      const turn = { startAt, slowedAt: pace.slowedAt, moved: new AbortController() };
      const came = await inLine(key, turn, deadline);
      if (!came && deadline.signal.aborted) return whyEnded(deadline) ?? paced(0);
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
    turn: (visit, deadline) => waitFor(keyOf(visit.url, visit), deadline),
    note(visited) {
      const { verdict, page, sentAt } = visited;
      if (page === null || (sites.size === 0 && verdict !== 'rate')) return;
      const now = clock.monotonic();
      // The host that was asked, and the one that answered.
      for (const key of new Set([keyOf(visited.url, visited), keyOf(page.finalUrl, visited)])) {
        const pace = paceOf(key, now);
        if (verdict === 'rate') keep(key, slowed(pace, now, sentAt, retryAfterMs(page.headers, clock.now())));
        else if (pace !== null && SERVED.has(verdict)) keep(key, quickened(pace, sentAt));
      }
    },
  };
}

function paced(ms: number): Failure {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return failure(
    'route.paced',
    `The site asked for a pause (Retry-After) that is longer than the time left for this request. Retry in ${seconds} s.`,
    { details: { retry_after_s: seconds } },
  );
}

/** The exits of a user's own are nobody else's. */
function keyOf(url: string, { proxyType, userId }: Visit): string {
  const { host } = new URL(url);
  return proxyType === 'custom' ? `${host} custom ${userId}` : `${host} ${proxyType}`;
}
