import type { Clock, Deadline } from '../base/time.ts';
import { waitForCallback } from '../base/wait.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { FetchedPage } from '../domain/fetch-result.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import { interruptionOf } from './interruption.ts';
import { SitePacer, type SiteRequest } from './site-pacer.ts';

/** The result of an attempt, as far as the pacer needs it. */
interface AttemptOutcome {
  readonly verdict: VerdictKind;
  readonly fetched: Pick<FetchedPage, 'page'> | { readonly page: null } | null;
}

/** The right to make one attempt at a site, or the reason why there is none. */
interface SiteSlot {
  /** null: the attempt may be made. */
  readonly failure: Failure | null;
  /** Time spent waiting until fewer attempts than the limit ran at the host. */
  readonly waitedMs: number;
  /** Time spent waiting because the site asked for a pause (429, `Retry-After`). */
  readonly pausedMs: number;
  /** To be called once if there is no failure. @param outcome null: no attempt was made */
  release(outcome: AttemptOutcome | null): void;
}

type WaitTimes = Pick<SiteSlot, 'waitedMs' | 'pausedMs'>;

/** Limits the load on sites: how many attempts run at one host at once, and how fast they follow each other. */
export class SiteLimiter {
  readonly #clock: Clock;
  readonly #pacer: SitePacer;
  readonly #concurrency: HostConcurrency | null;

  /** @param hostLimit number of attempts at one host at once; null: no limit */
  constructor(clock: Clock, hostLimit: number | null) {
    this.#clock = clock;
    this.#pacer = new SitePacer(clock);
    this.#concurrency = hostLimit === null ? null : new HostConcurrency(hostLimit);
  }

  /** How many sites are paced now. */
  get pacedSites(): number {
    return this.#pacer.size;
  }

  /** Waits for a slot until the deadline. The result is a promise only if there is a wait. */
  acquire(request: SiteRequest, deadline: Deadline): SiteSlot | Promise<SiteSlot> {
    const host = this.#concurrency === null ? '' : new URL(request.url).host;
    const entering = this.#concurrency?.acquire(host, deadline) ?? null;
    if (entering === null && this.#pacer.isFree(request))
      return this.#slot(request, host, { waitedMs: 0, pausedMs: 0 });
    return this.#acquireInTurn(request, host, deadline, entering);
  }

  async #acquireInTurn(
    request: SiteRequest,
    host: string,
    deadline: Deadline,
    entering: Promise<Failure | null> | null,
  ): Promise<SiteSlot> {
    const beganAt = this.#clock.monotonic();
    const hostFailure = await entering;
    const enteredAt = this.#clock.monotonic();
    const waitedMs = enteredAt - beganAt;
    if (hostFailure !== null) return refusedSlot(hostFailure, { waitedMs, pausedMs: 0 });
    const paceFailure = await this.#pacer.waitForTurn(request, deadline);
    const pausedMs = this.#clock.monotonic() - enteredAt;
    if (paceFailure === null) return this.#slot(request, host, { waitedMs, pausedMs });
    this.#concurrency?.release(host);
    return refusedSlot(paceFailure, { waitedMs, pausedMs });
  }

  #slot(request: SiteRequest, host: string, { waitedMs, pausedMs }: WaitTimes): SiteSlot {
    const sentAt = this.#clock.monotonic();
    return {
      failure: null,
      waitedMs,
      pausedMs,
      release: (outcome) => {
        this.#concurrency?.release(host);
        if (outcome === null) return;
        const page = outcome.fetched?.page ?? null;
        this.#pacer.record({ ...request, sentAt, verdict: outcome.verdict, page });
      },
    };
  }
}

function refusedSlot(failure: Failure, { waitedMs, pausedMs }: WaitTimes): SiteSlot {
  return { failure, waitedMs, pausedMs, release: () => {} };
}

interface HostQueue {
  running: number;
  /** The functions that let a waiting attempt start, in the order of arrival. */
  readonly waiting: Set<() => void>;
}

/** Limits the attempts that run at one host at once, of all users together. */
class HostConcurrency {
  readonly #limit: number;
  /** Only hosts at which attempts run. */
  readonly #hosts = new Map<string, HostQueue>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts an attempt at the host, which `release` ends.
   * @returns null: the attempt may start; a promise: it must wait; resolves to null when it may start, or to the reason why it may not
   */
  acquire(host: string, deadline: Deadline): Promise<Failure | null> | null {
    const queue = this.#hosts.get(host) ?? { running: 0, waiting: new Set() };
    this.#hosts.set(host, queue);
    if (queue.running < this.#limit) {
      queue.running++;
      return null;
    }
    return waitForCallback<Failure | null>(
      deadline.signal,
      (settle) => {
        const grant = () => settle(null);
        queue.waiting.add(grant);
        return () => queue.waiting.delete(grant);
      },
      () => interruptionOf(deadline) ?? this.#timeout(),
    );
  }

  release(host: string): void {
    const queue = this.#hosts.get(host)!;
    const [grantNext] = queue.waiting;
    // The next attempt takes the place of the one that ended: `running` stays the same.
    if (grantNext !== undefined) grantNext();
    else if (--queue.running === 0) this.#hosts.delete(host);
  }

  #timeout(): Failure {
    return failure(
      'service.unavailable',
      `The request timed out while it waited its turn: at most ${this.#limit} scrapes run on one site at once.`,
    );
  }
}
