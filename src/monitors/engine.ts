import type { Accounts } from '../account/accounts.ts';
import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import { sleep } from '../base/wait.ts';
import type { Failure } from '../domain/failure.ts';
import { OPEN_STATES } from '../domain/jobs.ts';
import type { MonitorRow, MonitorRunRow } from '../domain/monitors.ts';
import type { Holding, SharedLimits } from '../ports/coordination.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { FinishDeps } from './ended-run.ts';
import { abandonRun, failRun, finishRun } from './finish-run.ts';
import { nextRun } from './schedule.ts';

export interface MonitorEngineDeps extends FinishDeps {
  readonly jobs: JobStore;
  readonly accounts: Pick<Accounts, 'currentJobPrincipal'>;
  /** Of all services that use the store: one of them at a time follows the monitors. */
  readonly limits: Pick<SharedLimits, 'take'>;
  /** Whether other services may use the store. */
  readonly isShared: boolean;
  /** Monitors that may run in this process, by id; absent: all. */
  readonly mayRun?: ((monitorId: string) => boolean) | undefined;
  /** Starts the job of a run. @returns why it cannot be started; null: it is */
  readonly startJob: (monitor: MonitorRow, jobId: string) => Promise<Failure | null>;
  /** Deletes a job with its results. */
  readonly purgeJob: (jobId: string) => Promise<void>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export interface MonitorEngine {
  /** Begins a run now. @returns its number; null: there is one under way */
  runNow(monitor: MonitorRow): Promise<number | null>;
  /** Ends the run under way without a result, before its monitor is changed. @returns its job, which the caller cancels; null: there is none */
  abandonRun(monitor: MonitorRow): Promise<string | null>;
  stop(): Promise<void>;
}

const TICK_MS = 500;
const DUE_PER_TICK = 100;
const MAX_DUE = 1_000_000;
/** The name of the limit that lets one service at a time follow the monitors. */
const LEADER = 'monitors:leader';
/** In a shared store, a run without a job may be about to get it from the service that began it. */
const START_MS = 30_000;

/**
 * Begins the runs of monitors when they are due, and compares the pages when their jobs have ended. A run that was due while the
 * service was down begins once, when it is up again.
 */
export function startMonitorEngine(deps: MonitorEngineDeps): MonitorEngine {
  const stopping = new AbortController();
  const crawls = new CrawlComparison(stopping.signal, deps.onError);
  let lead: Holding | null = null;
  const leads = async () => {
    if (lead === null || lead.signal.aborted) lead = await deps.limits.take([{ name: LEADER, limit: 1 }]);
    return lead !== null;
  };
  const attempt = async () => {
    if (await leads()) await round(deps, crawls);
  };
  const loop = async () => {
    do await attempt().catch(deps.onError);
    while (await sleep(TICK_MS, stopping.signal));
  };
  const running = loop();
  const runOf = async ({ id }: MonitorRow) =>
    (await deps.monitors.running()).find(({ monitorId }) => monitorId === id) ?? null;
  return {
    async runNow(monitor) {
      return (await runOf(monitor)) === null ? await begin(deps, monitor, null) : null;
    },
    async abandonRun(monitor) {
      const run = await runOf(monitor);
      if (run !== null) await abandonRun(deps, monitor, run.n);
      return run?.jobId ?? null;
    },
    async stop() {
      stopping.abort();
      await running;
      await crawls.ended;
      lead?.release();
    },
  };
}

/** Compares one crawl at a time, beside the loop: it may have many thousand pages, and other monitors do not wait for it. */
class CrawlComparison {
  readonly #signal: AbortSignal;
  readonly #onError: (error: unknown) => void;
  #isBusy = false;
  ended: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal, onError: (error: unknown) => void) {
    this.#signal = signal;
    this.#onError = onError;
  }

  /** Does nothing while another crawl is compared: the next round asks again. */
  begin(compare: (signal: AbortSignal) => Promise<void>): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.ended = compare(this.#signal)
      .catch(this.#onError)
      .finally(() => {
        this.#isBusy = false;
      });
  }
}

async function round(deps: MonitorEngineDeps, crawls: CrawlComparison): Promise<void> {
  const { monitors, clock } = deps;
  const underWay = new Set<string>();
  for (const run of await monitors.running()) {
    const ended = await follow(deps, run, crawls).catch((error: unknown) => {
      deps.onError(error);
      return false;
    });
    if (!ended) underWay.add(run.monitorId);
  }
  // Those that may not run stay due, and must not keep the others out.
  const limit = deps.mayRun === undefined ? DUE_PER_TICK : MAX_DUE;
  for (const monitor of await monitors.due(clock.now(), limit)) {
    if (deps.mayRun?.(monitor.id) === false) continue;
    const rights = await deps.accounts.currentJobPrincipal(monitor.userId, monitor.keyId);
    if (typeof rights === 'string') await monitors.pause(monitor.id, rights);
    else if (underWay.has(monitor.id)) await skip(deps, monitor);
    else await begin(deps, monitor, monitor.nextAt);
  }
}

/** The time of the run after this one: in the future, so that runs which were missed are not made up for one by one. */
function nextAfter(
  { clock }: MonitorEngineDeps,
  { id, schedule, jitterS, createdAt }: MonitorRow,
): number | null {
  return nextRun(id, schedule, jitterS, { after: clock.now(), createdAt });
}

/** @param dueAt null: the run was asked for, and the schedule stays */
async function begin(
  deps: MonitorEngineDeps,
  monitor: MonitorRow,
  dueAt: number | null,
): Promise<number | null> {
  const now = deps.clock.now();
  const jobId = uuid7(now);
  const nextAt = dueAt === null ? null : nextAfter(deps, monitor);
  const n = await deps.monitors.begin(monitor.id, { dueAt, nextAt, jobId, now });
  // If the process ends before the job is stored, `follow` starts it.
  if (n !== null) await start(deps, monitor, { n, jobId });
  return n;
}

/** Starts the job of a run, or ends the run if that is not possible. @returns whether the run has ended */
async function start(
  deps: MonitorEngineDeps,
  monitor: MonitorRow,
  { n, jobId }: { readonly n: number; readonly jobId: string },
): Promise<boolean> {
  const refused = await deps.startJob(monitor, jobId);
  if (refused !== null) await failRun(deps, monitor, n, refused.code);
  return refused !== null;
}

async function skip(deps: MonitorEngineDeps, monitor: MonitorRow): Promise<void> {
  const nextAt = nextAfter(deps, monitor);
  await deps.monitors.skip(monitor.id, { dueAt: monitor.nextAt!, nextAt });
}

/** Ends a run whose job has ended. @returns whether it is no longer under way */
async function follow(
  deps: MonitorEngineDeps,
  run: MonitorRunRow,
  crawls: CrawlComparison,
): Promise<boolean> {
  const { monitors, jobs, clock, purgeJob } = deps;
  const monitor = await monitors.get(run.monitorId, null);
  if (monitor === null) return true;
  const job = await jobs.get(run.jobId!, null);
  if (job === null) {
    if (deps.isShared && clock.now() - (run.startedAt ?? 0) < START_MS) return false;
    return await start(deps, monitor, { n: run.n, jobId: run.jobId! });
  }
  if (OPEN_STATES.some((state) => state === job.state)) return false;
  const finish = async (signal: AbortSignal) => {
    await finishRun(deps, { monitor, run, job, now: clock.now() }, signal);
    for (const old of await monitors.sweep(monitor.id, monitor.keep)) await purgeJob(old);
  };
  if (monitor.kind === 'crawl') {
    crawls.begin(finish);
    return false;
  }
  await finish(NEVER);
  return true;
}

const NEVER = new AbortController().signal;
