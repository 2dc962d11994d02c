import type { Accounts } from '../account/accounts.ts';
import { type Clock, SHUTDOWN } from '../base/time.ts';
import { orTimeout } from '../base/wait.ts';
import type { ClaimedItem, StoredError } from '../domain/jobs.ts';
import type { ItemEnd, JobStore } from '../ports/jobs.ts';
import { EndBatcher } from './end-batcher.ts';
import type { ItemResult, ItemRunner } from './run-item.ts';
import { shareSlots } from './share-slots.ts';
import type { StartRules } from './waiting.ts';

export const INTERRUPTED: StoredError = {
  code: 'job.interrupted',
  message: 'The process ended while the request was under way, and the request may not be repeated.',
};

const COST_CAP: StoredError = {
  code: 'job.cost_cap',
  message: 'The job has reached its `max_cost`.',
};

export interface JobEngineDeps {
  readonly jobs: JobStore;
  /** Whether other services run items of the same store: those of a dead one are taken over when their leases have ended. */
  readonly isShared: boolean;
  readonly accounts: Pick<Accounts, 'jobConcurrency'>;
  readonly runItem: ItemRunner;
  readonly clock: Clock;
  /** Items that may run at once, of all users. */
  readonly concurrency: number;
  /** Items that may run at once on one host, over all jobs. */
  readonly perHost: number;
  /** Jobs that may run in this process, by id; absent: all. */
  readonly mayRun?: ((jobId: string) => boolean) | undefined;
  /** Whether records can be stored now. */
  readonly canStore: () => boolean;
  /** Whether the storage has room for the results of jobs. */
  readonly hasRoom: () => boolean;
  /** Whether requests of the API are under way. They go before items. */
  readonly requestsRun: () => boolean;
  readonly onError: (error: unknown) => void;
}

export interface JobEngine {
  /** Takes over what an earlier process left, and begins to run items. */
  start(): Promise<void>;
  /** Looks for work now: a job has been started, resumed or changed. */
  wake(): void;
  /** Ends the items of a job that run. */
  abort(jobId: string): void;
  /** Resolves when something has happened in the job, at the latest after `ms`. */
  change(jobId: string, ms: number, signal: AbortSignal): Promise<void>;
  /** Items that run now. */
  readonly running: number;
  /** For telling why items wait. */
  readonly rules: StartRules;
  /** Starts no more items; waits for those that run, at most `ms`, and gives the others back. */
  stop(ms: number): Promise<void>;
}

interface RunningItem {
  readonly claimed: ClaimedItem;
  readonly userId: string;
  readonly cancel: AbortController;
  leaseUntil: number;
}

/**
 * A lease is renewed long before it ends. Short in a shared store, where others take over what a dead service ran when its leases
 * have ended.
 */
const LEASE = {
  alone: { lengthMs: 60_000, renewMs: 20_000 },
  shared: { lengthMs: 10_000, renewMs: 3_000 },
} as const;
/** An item whose lease could not be renewed is ended so long before others may take it. */
const LEASE_MARGIN_MS = 2_000;
/** How often to look for jobs whose pause or retry has ended, and in a shared store for what others have changed. */
const TICK_MS = 250;
const MAX_SKIPPED = 1_000;
const CLAIM_DELAY_MS = 5;
/**
 * Time between the starts of items while requests of the API run: 100 a second, of which each takes about 2 ms of processor.
 * Without it, a crawl of a fast site makes requests wait several times as long as alone.
 */
const START_INTERVAL_MS = 10;
/** The job has an item that may run when another item has ended. */
const UNTIL_AN_END = Number.POSITIVE_INFINITY;

/** Runs the items of jobs: claims as many as there are places, runs them, and stores their ends. */
export function createJobEngine(deps: JobEngineDeps): JobEngine {
  return new Engine(deps);
}

class Engine implements JobEngine {
  readonly #deps: JobEngineDeps;
  readonly #running = new Map<string, RunningItem>();
  readonly #ofUser = new Map<string, number>();
  readonly #ofJob = new Map<string, number>();
  /** Jobs without a ready item: when one may be ready (ms). */
  readonly #readyAt = new Map<string, number>();
  /** Jobs whose last item waited, because those that run may use up `max_cost`. */
  readonly #waitForCost = new Set<string>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** They go on while the engine stops, until its last item has ended. */
  readonly #leaseTimers: NodeJS.Timeout[] = [];
  readonly #ends: EndBatcher;
  #claimTimer: NodeJS.Timeout | undefined;
  /** Runs for `START_INTERVAL_MS` after items have started. */
  #startTimer: NodeJS.Timeout | undefined;
  #stopping = false;
  #claiming: Promise<void> | null = null;
  #again = false;
  #onIdle = () => {};

  constructor(deps: JobEngineDeps) {
    this.#deps = deps;
    this.#ends = new EndBatcher(deps.jobs);
  }

  get running(): number {
    return this.#running.size;
  }

  get rules(): StartRules {
    const { perHost, canStore } = this.#deps;
    return { perHost, canStore, waitsForCost: (id) => this.#waitForCost.has(id) };
  }

  get #lease() {
    return LEASE[this.#deps.isShared ? 'shared' : 'alone'];
  }

  async start(): Promise<void> {
    const { jobs, clock, isShared } = this.#deps;
    const { renewMs } = this.#lease;
    await jobs.recover(clock.now(), !isShared, INTERRUPTED);
    if (isShared) {
      jobs.listen((id) => void this.#attempt(() => this.#followChange(id)));
      this.#timers.push(setInterval(() => void this.#attempt(() => this.#takeOver()), renewMs).unref());
      this.#leaseTimers.push(setInterval(() => void this.#attempt(() => this.#endLost()), TICK_MS).unref());
    }
    this.#timers.push(setInterval(() => void this.#attempt(() => this.#tick()), TICK_MS).unref());
    this.#leaseTimers.push(setInterval(() => void this.#attempt(() => this.#renew()), renewMs).unref());
    this.wake();
  }

  /** Items of other services that died wait again. */
  async #takeOver(): Promise<void> {
    const { jobs, clock } = this.#deps;
    if ((await jobs.recover(clock.now(), false, INTERRUPTED)) > 0) this.wake();
  }

  /** Another service may have started, ended or changed a job. */
  async #followChange(jobId: string): Promise<void> {
    this.#notify(jobId);
    this.#readyAt.delete(jobId);
    this.#claim();
    await this.#endLost();
  }

  /**
   * Ends items that others may soon run, because their lease could not be renewed (the database failed, or this process was
   * paused), and items of jobs that another service has cancelled or deleted.
   */
  async #endLost(): Promise<void> {
    const now = this.#deps.clock.now();
    for (const { cancel, leaseUntil } of this.#running.values())
      if (leaseUntil - now < LEASE_MARGIN_MS) cancel.abort(SHUTDOWN);
    const ids = [...this.#ofJob.keys()];
    if (ids.length > 0) for (const id of await this.#deps.jobs.stopped(ids)) this.abort(id);
  }

  wake(): void {
    this.#readyAt.clear();
    this.#claim();
  }

  abort(jobId: string): void {
    for (const { claimed, cancel } of this.#running.values())
      if (claimed.jobId === jobId) cancel.abort(SHUTDOWN);
  }

  async change(jobId: string, ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listeners = this.#listeners.get(jobId) ?? new Set();
    this.#listeners.set(jobId, listeners.add(resolve));
    signal.addEventListener('abort', () => resolve(), { once: true });
    await orTimeout(promise, ms, undefined);
    listeners.delete(resolve);
    if (listeners.size === 0) this.#listeners.delete(jobId);
  }

  async stop(ms: number): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#claimTimer);
    clearTimeout(this.#startTimer);
    await this.#claiming;
    await this.#endAll(ms);
    for (const timer of this.#leaseTimers) clearInterval(timer);
  }

  /** Waits for the items that run, at most `ms`, and gives the others back. */
  async #endAll(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    await orTimeout(idle, ms, undefined);
    for (const { cancel } of this.#running.values()) cancel.abort(SHUTDOWN);
    if (this.#running.size > 0) await idle;
  }

  async #tick(): Promise<void> {
    const { jobs, clock, hasRoom, isShared } = this.#deps;
    const now = clock.now();
    if (hasRoom()) for (const id of await jobs.resumeDue(now)) this.#notify(id);
    // The end may come in another service.
    for (const [id, readyAt] of this.#readyAt)
      if (readyAt <= now || (isShared && readyAt === UNTIL_AN_END)) this.#readyAt.delete(id);
    this.#claim();
  }

  async #renew(): Promise<void> {
    const { jobs, clock } = this.#deps;
    if (this.#running.size === 0) return;
    const items = [...this.#running.values()];
    const leaseUntil = clock.now() + this.#lease.lengthMs;
    const lost = await jobs.renew(
      items.map(({ claimed }) => claimed),
      leaseUntil,
    );
    for (const item of items) item.leaseUntil = leaseUntil;
    for (const lease of lost) this.#running.get(itemKey(lease))?.cancel.abort(SHUTDOWN);
  }

  /** Claims when other items may have ended, too, because a claim for one takes as long as a claim for many. */
  #claimSoon(): void {
    if (this.#running.size === 0) this.#claim();
    else
      this.#claimTimer ??= setTimeout(() => {
        this.#claimTimer = undefined;
        this.#claim();
      }, CLAIM_DELAY_MS);
  }

  /** Claims items until all places are taken or nothing is ready. One claim runs at a time. */
  #claim(): void {
    if (this.#stopping) return;
    if (this.#claiming !== null) {
      this.#again = true;
      return;
    }
    this.#claiming = this.#attempt(() => this.#fillPlaces()).then(() => {
      this.#claiming = null;
      if (!this.#again) return;
      this.#again = false;
      this.#claim();
    });
  }

  async #fillPlaces(): Promise<void> {
    const { jobs, accounts, clock, concurrency, perHost, mayRun = () => true } = this.#deps;
    const free = Math.min(concurrency - this.#running.size, this.#startsAllowed());
    if (free <= 0 || !this.#deps.canStore()) return;
    const runnable = (await jobs.runnable()).filter(({ id }) => mayRun(id) && !this.#readyAt.has(id));
    if (runnable.length === 0) return;
    if (!this.#deps.hasRoom()) {
      for (const { id } of runnable) await this.#pause(id, 'storage', clock.now() + STORAGE_PAUSE_MS);
      return;
    }
    const counts = {
      ofUser: (id: string) => this.#ofUser.get(id) ?? 0,
      ofJob: (id: string) => this.#ofJob.get(id) ?? 0,
    };
    const shares = shareSlots(runnable, free, counts, (id) => accounts.jobConcurrency(id));
    if (shares.size === 0) return;
    const now = clock.now();
    const leaseUntil = now + this.#lease.lengthMs;
    const { items, readyAt } = await jobs.claim({
      jobs: [...shares].map(([id, limit]) => ({ id, limit })),
      now,
      leaseUntil,
      perHost,
    });
    for (const [id, at] of readyAt) if (at === null || at > now) this.#readyAt.set(id, at ?? UNTIL_AN_END);
    const users = new Map(runnable.map(({ id, userId }) => [id, userId]));
    for (const claimed of items)
      void this.#attempt(() => this.#run(claimed, users.get(claimed.jobId)!, leaseUntil));
    if (items.length > 0) this.#startTimer ??= setTimeout(() => this.#startAgain(), START_INTERVAL_MS);
    if (readyAt.size > 0) this.#again = true;
  }

  /** How many items may start now. */
  #startsAllowed(): number {
    if (!this.#deps.requestsRun()) return Number.POSITIVE_INFINITY;
    return this.#startTimer === undefined ? 1 : 0;
  }

  #startAgain(): void {
    this.#startTimer = undefined;
    if (this.#deps.requestsRun()) this.#claim();
  }

  async #run(claimed: ClaimedItem, userId: string, leaseUntil: number): Promise<void> {
    const { jobs, clock, runItem } = this.#deps;
    const { jobId } = claimed;
    const cancel = new AbortController();
    const key = itemKey(claimed);
    this.#running.set(key, { claimed, userId, cancel, leaseUntil });
    add(this.#ofUser, userId, 1);
    add(this.#ofJob, jobId, 1);
    let waits = false;
    try {
      const result = await runItem(claimed, cancel, (end) => this.#store(end));
      if (result.kind !== 'ended') await jobs.release([claimed], clock.now());
      await this.#follow(jobId, result);
      waits = result.kind === 'waits';
    } finally {
      this.#running.delete(key);
      add(this.#ofUser, userId, -1);
      add(this.#ofJob, jobId, -1);
      this.#notify(jobId);
      if (this.#running.size === 0) this.#onIdle();
      // An item that ended frees its host, also for other jobs.
      for (const [id, at] of this.#readyAt) if (at === UNTIL_AN_END) this.#readyAt.delete(id);
      if (waits) {
        this.#readyAt.set(jobId, UNTIL_AN_END);
        this.#waitForCost.add(jobId);
      } else {
        this.#readyAt.delete(jobId);
        this.#waitForCost.delete(jobId);
      }
      this.#claimSoon();
    }
  }

  /** @throws LostLease if another claim has taken the item */
  async #store(end: ItemEnd): Promise<void> {
    const stored = await this.#ends.store(end);
    if (stored === 'lost') throw new LostLease('the lease of the item is lost');
  }

  /** What the result of an item means for its job. */
  async #follow(jobId: string, result: ItemResult): Promise<void> {
    const { jobs, clock } = this.#deps;
    if (result.kind === 'paused') await this.#pause(jobId, result.reason, result.resumesAt, result.keyId);
    else if (result.kind === 'cost_cap') {
      while ((await jobs.skipQueued(jobId, COST_CAP, MAX_SKIPPED, clock.now())) > 0);
    }
  }

  async #pause(...[jobId, reason, resumesAt, keyId]: PauseArguments): Promise<void> {
    const { jobs, clock } = this.#deps;
    if (await jobs.pause(jobId, reason, resumesAt, clock.now(), keyId)) this.#notify(jobId);
  }

  #notify(jobId: string): void {
    for (const listener of this.#listeners.get(jobId) ?? []) listener();
  }

  /** Work in the background: an error is reported, and the next round tries again. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LostLease)) this.#deps.onError(error);
    }
  }
}

type PauseArguments = readonly [
  jobId: string,
  reason: Parameters<JobStore['pause']>[1],
  resumesAt: number | null,
  keyId?: string | null,
];

/** While the storage is full, the job is tried again after this time. */
const STORAGE_PAUSE_MS = 10_000;

/** Somebody else has claimed the item, so its result was not stored. */
export class LostLease extends Error {}

/** With the lease: an item whose lease was lost may be claimed again before the first try has ended. */
const itemKey = ({ jobId, item, lease }: Pick<ClaimedItem, 'jobId' | 'item' | 'lease'>): string =>
  `${jobId}/${item}/${lease}`;

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
