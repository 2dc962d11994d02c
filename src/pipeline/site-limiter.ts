import type { Clock, Deadline } from '../base/time.ts';
import { waitForCallback } from '../base/wait.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { FetchedPage } from '../domain/fetch-result.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import {
  type Coordination,
  CoordinationError,
  type Holding,
  type SharedLimits,
} from '../ports/coordination.ts';
import { StorageError } from '../ports/store.ts';
import { interruptionOf } from './interruption.ts';
import { type KnownPace, SitePacer, type SiteRequest } from './site-pacer.ts';

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

/** Limits the load on sites: how many attempts run at one host at once, and how fast they follow each other, over all replicas. */
export class SiteLimiter {
  readonly #clock: Clock;
  readonly #pacer: SitePacer;
  readonly #concurrency: HostConcurrency | null;

  /** @param hostLimit number of attempts at one host at once; null: no limit */
  constructor(
    clock: Clock,
    hostLimit: number | null,
    coordination: Pick<Coordination, 'limits' | 'values' | 'bus'>,
  ) {
    this.#clock = clock;
    this.#pacer = new SitePacer(clock, coordination);
    this.#concurrency = hostLimit === null ? null : new HostConcurrency(hostLimit, coordination.limits);
  }

  /** How many sites are paced now. */
  get pacedSites(): number {
    return this.#pacer.size;
  }

  /** See `SitePacer.paces`. */
  paces(hostnames: ReadonlySet<string>): Promise<ReadonlyMap<string, KnownPace>> {
    return this.#pacer.paces(hostnames);
  }

  close(): void {
    this.#pacer.close();
  }

  /** Waits for a slot until the deadline. The result is a promise only if there is a wait. */
  acquire(request: SiteRequest, deadline: Deadline): SiteSlot | Promise<SiteSlot> {
    const entering = this.#concurrency?.enter(new URL(request.url).host, deadline) ?? null;
    if (!(entering instanceof Promise) && this.#pacer.isFree(request))
      return this.#slot(request, entering, { waitedMs: 0, pausedMs: 0 });
    return this.#acquireInTurn(request, deadline, entering);
  }

  async #acquireInTurn(
    request: SiteRequest,
    deadline: Deadline,
    entering: HostPlace | null | Promise<HostPlace | Failure>,
  ): Promise<SiteSlot> {
    const beganAt = this.#clock.monotonic();
    const place = await orStorageFailure(async () => await entering);
    const enteredAt = this.#clock.monotonic();
    const waitedMs = enteredAt - beganAt;
    if (place !== null && isFailure(place)) return refusedSlot(place, { waitedMs, pausedMs: 0 });
    const paceFailure = this.#pacer.isFree(request)
      ? null
      : await orStorageFailure(() => this.#pacer.waitForTurn(request, deadline));
    const pausedMs = this.#clock.monotonic() - enteredAt;
    if (paceFailure === null) return this.#slot(request, place, { waitedMs, pausedMs });
    place?.leave();
    return refusedSlot(paceFailure, { waitedMs, pausedMs });
  }

  #slot(request: SiteRequest, place: HostPlace | null, { waitedMs, pausedMs }: WaitTimes): SiteSlot {
    const sentAt = this.#clock.monotonic();
    return {
      failure: null,
      waitedMs,
      pausedMs,
      release: (outcome) => {
        place?.leave();
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

/** Failures of what the replicas share, as a value. */
async function orStorageFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof CoordinationError)) throw error;
    return failure(
      'service.unavailable',
      `The replicas could not agree on the load of the site: ${error.message}.`,
    );
  }
}

/** A place among the attempts at one host. */
interface HostPlace {
  /** To be called once. */
  leave(): void;
}

/** How often the first in a queue tries again, because other replicas do not tell when an attempt ends. */
const POLL_MS = 200;

/** Limits the attempts that run at one host at once, of all users together. */
class HostConcurrency {
  readonly #limit: number;
  readonly #limits: SharedLimits;
  /** Attempts that wait here, by host, in the order of arrival. */
  readonly #queues = new Map<string, Set<Waiting>>();

  constructor(limit: number, limits: SharedLimits) {
    this.#limit = limit;
    this.#limits = limits;
  }

  /** Takes a place at the host. The result is a promise if it must wait. */
  enter(host: string, deadline: Deadline): HostPlace | Promise<HostPlace | Failure> {
    const taken = this.#queues.has(host) ? null : this.#take(host);
    return taken === null || taken instanceof Promise ? this.#enterInTurn(host, deadline, taken) : taken;
  }

  async #enterInTurn(
    host: string,
    deadline: Deadline,
    taking: Promise<HostPlace | null> | null,
  ): Promise<HostPlace | Failure> {
    const taken = await taking;
    if (taken !== null) return taken;
    const queue = this.#queues.get(host) ?? new Set();
    const waiting: Waiting = { tryNow() {} };
    this.#queues.set(host, queue.add(waiting));
    try {
      for (;;) {
        if (!(await mayTry(waiting, deadline.signal))) return interruptionOf(deadline) ?? this.#timeout();
        // Only the first tries, so that the order of arrival holds here.
        const place = queue.values().next().value === waiting ? await this.#take(host) : null;
        if (place !== null) return place;
      }
    } finally {
      queue.delete(waiting);
      if (queue.size === 0) this.#queues.delete(host);
      this.#wakeFirst(host);
    }
  }

  #take(host: string): HostPlace | null | Promise<HostPlace | null> {
    const placeOf = (holding: Holding | null): HostPlace | null =>
      holding === null
        ? null
        : {
            leave: () => {
              holding.release();
              this.#wakeFirst(host);
            },
          };
    const taking = this.#limits.take([{ name: `site ${host}`, limit: this.#limit }]);
    return taking instanceof Promise ? taking.then(placeOf) : placeOf(taking);
  }

  #wakeFirst(host: string): void {
    this.#queues.get(host)?.values().next().value?.tryNow();
  }

  #timeout(): Failure {
    return failure(
      'service.unavailable',
      `The request timed out while it waited its turn: at most ${this.#limit} scrapes run on one site at once.`,
    );
  }
}

/** An attempt that waits for a place. */
interface Waiting {
  /** Ends the present wait. */
  tryNow(): void;
}

/** Waits until a place may be free. Resolves to false when the signal aborts. */
function mayTry(waiting: Waiting, signal: AbortSignal): Promise<boolean> {
  return waitForCallback<boolean>(
    signal,
    (settle) => {
      waiting.tryNow = () => settle(true);
      const timer = setTimeout(waiting.tryNow, POLL_MS);
      return () => clearTimeout(timer);
    },
    () => false,
  );
}
