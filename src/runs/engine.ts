import type { Accounts } from '../account/accounts.ts';
import type { Clock } from '../base/time.ts';
import { uuid7, uuid7Time } from '../base/uuid7.ts';
import { sleep } from '../base/wait.ts';
import type { Failure } from '../domain/failure.ts';
import { type JobState, OPEN_STATES } from '../domain/jobs.ts';
import type { Schedule } from '../domain/monitors.ts';
import type { Holding, SharedLimits } from '../ports/coordination.ts';
import type { JobStore } from '../ports/jobs.ts';
import { nextRun } from './schedule.ts';

/** What runs again and again: a monitor, a schedule. Times are ms since the epoch. */
export interface RunOwner {
  readonly id: string;
  readonly userId: string;
  readonly keyId: string | null;
  readonly schedule: Schedule;
  readonly jitterS: number;
  readonly createdAt: number;
  /** When the next run is due; null: never. */
  readonly nextAt: number | null;
}

/** A run under way. */
export interface RunUnderWay {
  readonly ownerId: string;
  readonly n: number;
  readonly jobId: string;
  /** null: there is no such job. */
  readonly jobState: JobState | null;
}

/** The runs of one kind of owner. Each due time is claimed in the store, so that it begins at most one run. */
export interface RunSource<Owner extends RunOwner, Run extends RunUnderWay> {
  /** The name of the limit that lets one service at a time follow these runs. */
  readonly leader: string;
  running(): Promise<readonly Run[]>;
  /** Active owners whose next run is due. */
  due(now: number, limit: number): Promise<readonly Owner[]>;
  get(id: string): Promise<Owner | null>;
  pause(id: string, reason: 'key' | 'user'): Promise<unknown>;
  /** @param dueAt null: the run was asked for, and the schedule stays @returns null: another process has begun it */
  begin(
    owner: Owner,
    run: { dueAt: number | null; nextAt: number | null; jobId: string; now: number },
  ): Promise<number | null>;
  /** A run is due while another one is under way. */
  overlap(owner: Owner, dueAt: number, nextAt: number | null): Promise<unknown>;
  /** Starts the job of a run. @returns why it cannot be started; null: it is */
  startJob(owner: Owner, n: number, jobId: string): Promise<Failure | null>;
  /** Ends a run whose job could not be started. */
  refused(owner: Owner, n: number, why: Failure): Promise<unknown>;
  /** Ends a run whose job has ended. @returns whether it is no longer under way */
  finish(owner: Owner, run: Run): Promise<boolean>;
  /** The job of the run was started and is gone. Absent: it is started again. @returns whether the run has ended */
  lost?(owner: Owner, run: Run): Promise<boolean>;
  /** Runs that wait for the end of the one before, and may begin now. Absent: none waits. */
  waiting?(): Promise<readonly { readonly owner: Owner; readonly n: number }[]>;
  /** @returns false: it does not wait any more, or another run is under way */
  beginWaiting?(owner: Owner, n: number, jobId: string, now: number): Promise<boolean>;
}

export interface RunEngineDeps {
  readonly accounts: Pick<Accounts, 'currentJobPrincipal'>;
  /** Of all services that use the store. */
  readonly limits: Pick<SharedLimits, 'take'>;
  /** Whether other services may use the store. */
  readonly isShared: boolean;
  /** Owners whose runs may begin in this process, by id; absent: all. */
  readonly mayRun?: ((ownerId: string) => boolean) | undefined;
  readonly jobs: Pick<JobStore, 'delete'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export interface RunEngine<Owner extends RunOwner> {
  /** Begins a run now, whether or not one is under way. @returns its number */
  begin(owner: Owner): Promise<number | null>;
  stop(): Promise<void>;
}

const TICK_MS = 500;
const DUE_PER_TICK = 100;
const MAX_DUE = 1_000_000;
/** Runs that begin at once: each waits for the database. */
const AT_ONCE = 8;
/** In a shared store, a run without a job may be about to get it from the service that began it. */
const START_MS = 30_000;

/**
 * Begins runs when they are due, in one service at a time, and tells the source when their jobs have ended. A run that was due while
 * the service was down begins once, when it is up again.
 */
export function startRunEngine<Owner extends RunOwner, Run extends RunUnderWay>(
  source: RunSource<Owner, Run>,
  deps: RunEngineDeps,
): RunEngine<Owner> {
  const stopping = new AbortController();
  const runs = new Runs(source, deps);
  let lead: Holding | null = null;
  const leads = async () => {
    if (lead === null || lead.signal.aborted)
      lead = await deps.limits.take([{ name: source.leader, limit: 1 }]);
    return lead !== null;
  };
  /** @returns whether there may be more to do at once */
  const attempt = async () => (await leads()) && (await runs.round(stopping.signal));
  const loop = async () => {
    for (;;) {
      const hasMore = await attempt().catch((error: unknown) => {
        deps.onError(error);
        return false;
      });
      if (!(await sleep(hasMore ? 0 : TICK_MS, stopping.signal))) return;
    }
  };
  const running = loop();
  return {
    begin: (owner) => runs.begin(owner, null),
    async stop() {
      stopping.abort();
      await running;
      lead?.release();
    },
  };
}

class Runs<Owner extends RunOwner, Run extends RunUnderWay> {
  readonly #source: RunSource<Owner, Run>;
  readonly #deps: RunEngineDeps;
  /** Jobs that this process starts now. */
  readonly #starting = new Set<string>();

  constructor(source: RunSource<Owner, Run>, deps: RunEngineDeps) {
    this.#source = source;
    this.#deps = deps;
  }

  /** @returns whether more owners may be due than it took */
  async round(signal: AbortSignal): Promise<boolean> {
    const { clock, mayRun, onError } = this.#deps;
    const source = this.#source;
    const underWay = new Set<string>();
    for (const run of await source.running()) {
      if (signal.aborted) return false;
      const ended = await this.#follow(run).catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (!ended) underWay.add(run.ownerId);
    }
    for (const { owner, n } of (await source.waiting?.()) ?? []) {
      if (underWay.has(owner.id) || mayRun?.(owner.id) === false) continue;
      if (await this.#beginWaiting(owner, n)) underWay.add(owner.id);
    }
    // Those that may not run stay due, and must not keep the others out.
    const limit = mayRun === undefined ? DUE_PER_TICK : MAX_DUE;
    const due = await source.due(clock.now(), limit);
    await inTurns(due, signal, async (owner) => {
      if (mayRun?.(owner.id) === false) return;
      await this.#dueRun(owner, underWay.has(owner.id)).catch(onError);
    });
    return due.length === limit;
  }

  async #dueRun(owner: Owner, isUnderWay: boolean): Promise<void> {
    const rights = await this.#deps.accounts.currentJobPrincipal(owner.userId, owner.keyId);
    if (typeof rights === 'string') await this.#source.pause(owner.id, rights);
    else if (isUnderWay) await this.#source.overlap(owner, owner.nextAt!, this.#nextAfter(owner));
    else await this.begin(owner, owner.nextAt);
  }

  /** In the future, so that runs which were missed are not made up for one by one. */
  #nextAfter({ id, schedule, jitterS, createdAt, nextAt }: Owner): number | null {
    // Later than the time that is due, also if the clock was set back just now.
    const after = Math.max(this.#deps.clock.now(), nextAt ?? 0);
    return nextRun(id, schedule, jitterS, { after, createdAt });
  }

  /** @param dueAt null: the run was asked for, and the schedule stays */
  async begin(owner: Owner, dueAt: number | null): Promise<number | null> {
    const now = this.#deps.clock.now();
    const jobId = uuid7(now);
    const nextAt = dueAt === null ? null : this.#nextAfter(owner);
    const n = await this.#source.begin(owner, { dueAt, nextAt, jobId, now });
    // If the process ends before the job is stored, `follow` starts it.
    if (n !== null) await this.#start(owner, n, jobId);
    return n;
  }

  async #beginWaiting(owner: Owner, n: number): Promise<boolean> {
    const now = this.#deps.clock.now();
    const jobId = uuid7(now);
    if (!(await this.#source.beginWaiting!(owner, n, jobId, now))) return false;
    return !(await this.#start(owner, n, jobId));
  }

  /** Starts the job of a run, or ends the run if that is not possible. @returns whether the run has ended */
  async #start(owner: Owner, n: number, jobId: string): Promise<boolean> {
    this.#starting.add(jobId);
    try {
      const refused = await this.#source.startJob(owner, n, jobId);
      if (refused !== null) await this.#source.refused(owner, n, refused);
      return refused !== null;
    } finally {
      this.#starting.delete(jobId);
    }
  }

  /** Ends a run whose job has ended. @returns whether it is no longer under way */
  async #follow(run: Run): Promise<boolean> {
    if (OPEN_STATES.some((state) => state === run.jobState) || this.#starting.has(run.jobId)) return false;
    const owner = await this.#source.get(run.ownerId);
    if (owner === null) return true;
    if (run.jobState !== null) return await this.#source.finish(owner, run);
    if ((await this.#source.lost?.(owner, run)) === true) return true;
    const { isShared, clock, jobs } = this.#deps;
    if (isShared && clock.now() - uuid7Time(run.jobId) < START_MS) return false;
    // What the other process stored of it before it ended.
    await jobs.delete(run.jobId);
    return await this.#start(owner, run.n, run.jobId);
  }
}

/** Calls `work` for each item, for a few at once, until `signal` aborts. */
async function inTurns<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const open = items.values();
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, items.length) }, async () => {
      for (const item of open) {
        if (signal.aborted) return;
        await work(item);
      }
    }),
  );
}
