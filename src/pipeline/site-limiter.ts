import type { MicroUnits } from '../base/numbers.ts';
import type { Clock, Deadline } from '../base/time.ts';
import { waitForCallback } from '../base/wait.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { FetchedPage } from '../domain/fetch-result.ts';
import type { SiteLimits } from '../domain/site-limits.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import {
  type Coordination,
  CoordinationError,
  type Holding,
  type SharedLimits,
  type SharedValues,
} from '../ports/coordination.ts';
import { StorageError } from '../ports/store.ts';
import { interruptionOf } from './interruption.ts';
import type { SiteBudgets, SiteReservation } from './site-budgets.ts';
import { type KnownPace, SitePacer, type SiteRequest } from './site-pacer.ts';

/** The result of an attempt, as far as the pacer needs it. */
interface AttemptOutcome {
  readonly verdict: VerdictKind;
  readonly fetched: Pick<FetchedPage, 'page'> | { readonly page: null } | null;
  /** For the budgets of the site; absent: it cost nothing. */
  readonly attempt?: { readonly cost: MicroUnits | null };
}

/** What administrators allow at sites. */
export interface OwnSiteLimits {
  /** By host, without the port. */
  readonly limits: () => ReadonlyMap<string, SiteLimits>;
  readonly budgets: SiteBudgets;
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

/**
 * Limits the load on sites, over all replicas: how many attempts run at one host at once, how fast they follow each other, and what
 * they cost.
 */
export class SiteLimiter {
  readonly #clock: Clock;
  readonly #pacer: SitePacer;
  readonly #concurrency: HostConcurrency | null;
  readonly #own: OwnSiteLimits | null;
  readonly #ownConcurrency: HostConcurrency;
  readonly #delays: HostDelays;

  /**
   * @param hostLimit number of attempts at one host at once; null: no limit
   * @param own limits of single sites, which go before `hostLimit`; null: there are none
   */
  constructor(
    clock: Clock,
    hostLimit: number | null,
    coordination: Pick<Coordination, 'limits' | 'values' | 'bus'>,
    own: OwnSiteLimits | null = null,
  ) {
    this.#clock = clock;
    this.#pacer = new SitePacer(clock, coordination);
    this.#concurrency =
      hostLimit === null ? null : new HostConcurrency(() => hostLimit, coordination.limits, serviceBusy);
    this.#own = own;
    const ownLimit = (host: string) => own?.limits().get(host)?.concurrency ?? null;
    this.#ownConcurrency = new HostConcurrency(ownLimit, coordination.limits, siteBusy);
    this.#delays = new HostDelays((host) => own?.limits().get(host)?.delayMs ?? null, coordination.values);
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

  /**
   * Waits for a slot until the deadline. The result is a promise only if there is a wait, or if the site has limits of its own.
   * @param price what the attempt costs at least
   */
  acquire(request: SiteRequest, deadline: Deadline, price: MicroUnits = 0): SiteSlot | Promise<SiteSlot> {
    const limited = this.#limited(request.url);
    if (limited !== null) return this.#acquireLimited(request, deadline, limited, price);
    const entering = this.#concurrency?.enter(new URL(request.url).host, deadline) ?? null;
    if (!(entering instanceof Promise) && this.#pacer.isFree(request))
      return this.#slot(request, entering, { waitedMs: 0, pausedMs: 0 });
    return this.#acquireInTurn(request, deadline, async () => await entering);
  }

  /** Counts towards the budgets of the site what was spent beside attempts. @param cost null: not known */
  spend(url: string, cost: MicroUnits | null): void {
    const limited = cost === null ? null : this.#limited(url);
    if (limited !== null) this.#own!.budgets.spend(limited.host, limited.limits, cost!);
  }

  /** The site with its own limits; null: it has none. */
  #limited(url: string): LimitedSite | null {
    const all = this.#own?.limits();
    if (all === undefined || all.size === 0) return null;
    const { hostname: host } = new URL(url);
    const limits = all.get(host);
    return limits === undefined ? null : { host, limits };
  }

  async #acquireLimited(
    request: SiteRequest,
    deadline: Deadline,
    { host, limits }: LimitedSite,
    price: MicroUnits,
  ): Promise<SiteSlot> {
    const reserved = await orStorageFailure(() => this.#own!.budgets.reserve(host, limits, price));
    if (reserved !== null && isFailure(reserved)) return refusedSlot(reserved, { waitedMs: 0, pausedMs: 0 });
    const enter = () => this.#enterLimited(request, deadline, { host, limits });
    const slot = await this.#acquireInTurn(request, deadline, enter, reserved);
    if (slot.failure !== null) reserved?.settle(0);
    return slot;
  }

  async #enterLimited(
    { url }: SiteRequest,
    deadline: Deadline,
    { host, limits }: LimitedSite,
  ): Promise<HostPlace | Failure | null> {
    const place =
      limits.concurrency !== null
        ? await this.#ownConcurrency.enter(host, deadline)
        : this.#concurrency === null
          ? null
          : await this.#concurrency.enter(new URL(url).host, deadline);
    if (limits.delayMs === null || (place !== null && isFailure(place))) return place;
    const refused = await this.#delays.waitForTurn(host, deadline);
    if (refused === null) return place;
    place?.leave();
    return refused;
  }

  /** @param enter takes a place at the host; null: its attempts are not limited */
  async #acquireInTurn(
    request: SiteRequest,
    deadline: Deadline,
    enter: () => Promise<HostPlace | Failure | null>,
    reserved: SiteReservation | null = null,
  ): Promise<SiteSlot> {
    const beganAt = this.#clock.monotonic();
    const place = await orStorageFailure(enter);
    const enteredAt = this.#clock.monotonic();
    const waitedMs = enteredAt - beganAt;
    if (place !== null && isFailure(place)) return refusedSlot(place, { waitedMs, pausedMs: 0 });
    const paceFailure = this.#pacer.isFree(request)
      ? null
      : await orStorageFailure(() => this.#pacer.waitForTurn(request, deadline));
    const pausedMs = this.#clock.monotonic() - enteredAt;
    if (paceFailure === null) return this.#slot(request, place, { waitedMs, pausedMs }, reserved);
    place?.leave();
    return refusedSlot(paceFailure, { waitedMs, pausedMs });
  }

  #slot(
    request: SiteRequest,
    place: HostPlace | null,
    { waitedMs, pausedMs }: WaitTimes,
    reserved: SiteReservation | null = null,
  ): SiteSlot {
    const sentAt = this.#clock.monotonic();
    return {
      failure: null,
      waitedMs,
      pausedMs,
      release: (outcome) => {
        place?.leave();
        const cost = outcome?.attempt?.cost ?? 0;
        if (reserved !== null) reserved.settle(cost);
        // The budget may have been set while the attempt ran.
        else this.spend(request.url, cost);
        if (outcome === null) return;
        const page = outcome.fetched?.page ?? null;
        this.#pacer.record({ ...request, sentAt, verdict: outcome.verdict, page });
      },
    };
  }
}

/** A site with limits of its own. */
interface LimitedSite {
  /** Without the port. */
  readonly host: string;
  readonly limits: SiteLimits;
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

/** What the first in a queue gets: a place, or how long to wait before it tries again (ms). */
type Turn = HostPlace | { readonly retryMs: number };

/** Attempts that wait at a host, in the order of arrival here. */
class HostQueues {
  readonly #queues = new Map<string, Set<Waiting>>();

  has(host: string): boolean {
    return this.#queues.has(host);
  }

  /**
   * Waits until `take` gives a place. Only the first in a queue tries.
   * @param timeout the failure if the time is over before
   */
  async wait(
    host: string,
    deadline: Deadline,
    take: () => Turn | Promise<Turn>,
    timeout: () => Failure,
  ): Promise<HostPlace | Failure> {
    const queue = this.#queues.get(host) ?? new Set();
    const waiting: Waiting = { tryNow() {} };
    this.#queues.set(host, queue.add(waiting));
    let waitMs = 0;
    try {
      for (;;) {
        if (waitMs > 0 && !(await mayTry(waiting, waitMs, deadline.signal)))
          return interruptionOf(deadline) ?? timeout();
        const isFirst = queue.values().next().value === waiting;
        const turn = isFirst ? await take() : { retryMs: POLL_MS };
        if ('leave' in turn) return turn;
        waitMs = turn.retryMs;
      }
    } finally {
      queue.delete(waiting);
      if (queue.size === 0) this.#queues.delete(host);
      this.wakeFirst(host);
    }
  }

  wakeFirst(host: string): void {
    this.#queues.get(host)?.values().next().value?.tryNow();
  }
}

/** The limit was set by the operator for all sites. */
const serviceBusy = (_host: string, limit: number): Failure =>
  failure(
    'service.unavailable',
    `The request timed out while it waited its turn: at most ${limit} scrapes run on one site at once.`,
  );

/** The limit is one of the site itself. */
const siteBusy = (host: string, limit: number): Failure =>
  failure(
    'limit.site',
    `The request timed out while it waited its turn: at most ${limit} attempts run at ${host} at once.`,
    { details: { limit: 'concurrency', retry_after_s: 5 } },
  );

/** Limits the attempts that run at one host at once, of all users together. */
class HostConcurrency {
  readonly #limitOf: (host: string) => number | null;
  readonly #limits: SharedLimits;
  readonly #busy: (host: string, limit: number) => Failure;
  readonly #queues = new HostQueues();

  /**
   * @param limitOf the present limit; null: there is none any more
   * @param busy the failure of whoever has waited in vain
   */
  constructor(
    limitOf: (host: string) => number | null,
    limits: SharedLimits,
    busy: (host: string, limit: number) => Failure,
  ) {
    this.#limitOf = limitOf;
    this.#limits = limits;
    this.#busy = busy;
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
    const take = async () => (await this.#take(host)) ?? { retryMs: POLL_MS };
    return await this.#queues.wait(host, deadline, take, () => this.#busy(host, this.#limitOf(host) ?? 0));
  }

  #take(host: string): HostPlace | null | Promise<HostPlace | null> {
    const limit = this.#limitOf(host);
    if (limit === null) return { leave() {} };
    const placeOf = (holding: Holding | null): HostPlace | null =>
      holding === null
        ? null
        : {
            leave: () => {
              holding.release();
              this.#queues.wakeFirst(host);
            },
          };
    const taking = this.#limits.take([{ name: `site ${host}`, limit }]);
    return taking instanceof Promise ? taking.then(placeOf) : placeOf(taking);
  }
}

/** The time of the next start is forgotten so long after it. */
const FORGET_DELAY_MS = 60_000;
const NO_PLACE: HostPlace = { leave() {} };

/** Keeps some time between the starts of attempts at one host. A turn is taken when it has come, so nobody who left holds one. */
class HostDelays {
  readonly #delayOf: (host: string) => number | null;
  readonly #values: SharedValues;
  readonly #queues = new HostQueues();

  /** @param delayOf the present delay, ms; null: there is none any more */
  constructor(delayOf: (host: string) => number | null, values: SharedValues) {
    this.#delayOf = delayOf;
    this.#values = values;
  }

  /** Resolves to null when the attempt may start. */
  async waitForTurn(host: string, deadline: Deadline): Promise<Failure | null> {
    const take = () => this.#take(host);
    const timeout = () => this.#timeout(host);
    const turn = await this.#queues.wait(host, deadline, take, timeout);
    return isFailure(turn) ? turn : null;
  }

  async #take(host: string): Promise<Turn> {
    const delayMs = this.#delayOf(host);
    if (delayMs === null) return NO_PLACE;
    let leftMs = 0;
    await this.#values.update(`delay ${host}`, (current, now) => {
      const last = current === null ? null : Number(current);
      leftMs = last === null ? 0 : Math.max(0, last + delayMs - now);
      return leftMs > 0 ? 'keep' : { value: String(now), ttlMs: delayMs + FORGET_DELAY_MS };
    });
    return leftMs > 0 ? { retryMs: leftMs } : NO_PLACE;
  }

  #timeout(host: string): Failure {
    const seconds = (this.#delayOf(host) ?? 0) / 1_000;
    return failure(
      'limit.site',
      `The request timed out while it waited its turn: attempts at ${host} start at least ${seconds} s apart.`,
      { details: { limit: 'delay', retry_after_s: Math.max(1, Math.ceil(seconds)) } },
    );
  }
}

/** An attempt that waits for a place. */
interface Waiting {
  /** Ends the present wait. */
  tryNow(): void;
}

/** Waits until a place may be free, at most `ms`. Resolves to false when the signal aborts. */
function mayTry(waiting: Waiting, ms: number, signal: AbortSignal): Promise<boolean> {
  return waitForCallback<boolean>(
    signal,
    (settle) => {
      waiting.tryNow = () => settle(true);
      const timer = setTimeout(waiting.tryNow, ms);
      return () => clearTimeout(timer);
    },
    () => false,
  );
}
