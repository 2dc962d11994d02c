import type { Clock, Deadline } from '../base/time.ts';
import { waitForCallback } from '../base/wait.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { FetchedPage } from '../domain/fetch-result.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import { interruptionOf } from './interruption.ts';
import { SitePacer, type SiteRequest } from './site-pacer.ts';

/** How an attempt ended that had a slot. */
interface AttemptOutcome {
  readonly verdict: VerdictKind;
  readonly fetched: Pick<FetchedPage, 'page'> | { readonly page: null } | null;
}

/** Leave to send one attempt to a site, or why there is none. */
interface SiteSlot {
  readonly failure: Failure | null;
  /** Until there was a free place at the host. */
  readonly waitedMs: number;
  /** Because the site asked for it. */
  readonly pausedMs: number;
  /** To be called once when there is no failure. null: the attempt ended without anything to learn from. */
  release(outcome: AttemptOutcome | null): void;
}

/** Limits what sites have to bear: how many attempts run at one host at once, and how fast they follow each other. */
export class SiteLimiter {
  readonly #clock: Clock;
  readonly #pacer: SitePacer;
  readonly #concurrency: HostConcurrency | null;

  /** @param hostLimit attempts at one host at once; null: no limit */
  constructor(clock: Clock, hostLimit: number | null) {
    this.#clock = clock;
    this.#pacer = new SitePacer(clock);
    this.#concurrency = hostLimit === null ? null : new HostConcurrency(hostLimit);
  }

  /** How many sites are paced now. */
  get pacedSites(): number {
    return this.#pacer.size;
  }

  /** A slot, or why there is none in time; a promise only when there is something to wait for. */
  acquire(request: SiteRequest, deadline: Deadline): SiteSlot | Promise<SiteSlot> {
    const host = this.#concurrency === null ? '' : new URL(request.url).host;
    const entering = this.#concurrency?.acquire(host, deadline) ?? null;
    if (entering === null && this.#pacer.isFree(request)) return this.#slot(request, host, 0, 0);
    return this.#acquireInTurn(request, host, deadline, entering);
  }

  async #acquireInTurn(
    request: SiteRequest,
    host: string,
    deadline: Deadline,
    entering: Promise<Failure | null> | null,
  ): Promise<SiteSlot> {
    const beganAt = this.#clock.monotonic();
    const full = await entering;
    const enteredAt = this.#clock.monotonic();
    const waitedMs = enteredAt - beganAt;
    if (full !== null) return refusedSlot(full, waitedMs, 0);
    const paced = await this.#pacer.waitForTurn(request, deadline);
    const pausedMs = this.#clock.monotonic() - enteredAt;
    if (paced === null) return this.#slot(request, host, waitedMs, pausedMs);
    this.#concurrency?.release(host);
    return refusedSlot(paced, waitedMs, pausedMs);
  }

  #slot(request: SiteRequest, host: string, waitedMs: number, pausedMs: number): SiteSlot {
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

function refusedSlot(failure: Failure, waitedMs: number, pausedMs: number): SiteSlot {
  return { failure, waitedMs, pausedMs, release: () => {} };
}

interface HostQueue {
  running: number;
  /** First come, first served. */
  readonly waiting: Set<() => void>;
}

/** How many attempts run at one host at once, over all users. */
class HostConcurrency {
  readonly #limit: number;
  /** Only hosts at which an attempt runs. */
  readonly #hosts = new Map<string, HostQueue>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** null: there is a place, to be given back by `release`. Else settles with that, or with why there was none in time. */
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
    // The place goes on to the next attempt.
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
