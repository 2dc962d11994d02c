import type { Failure } from '../domain/failure.ts';
import type { MonitorRow } from '../domain/monitors.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { RunningMonitor } from '../ports/monitors.ts';
import { type RunEngineDeps, type RunSource, startRunEngine } from '../runs/engine.ts';
import type { FinishDeps } from './ended-run.ts';
import { abandonRun, failRun, finishRun } from './finish-run.ts';

export interface MonitorEngineDeps extends FinishDeps, RunEngineDeps {
  readonly jobs: JobStore;
  /** Starts the job of a run. @returns why it cannot be started; null: it is */
  readonly startJob: (monitor: MonitorRow, jobId: string) => Promise<Failure | null>;
  /** Deletes a job with its results. */
  readonly purgeJob: (jobId: string) => Promise<void>;
}

export interface MonitorEngine {
  /** Begins a run now. @returns its number; null: there is one under way */
  runNow(monitor: MonitorRow): Promise<number | null>;
  /** Ends the run under way without a result, before its monitor is changed. @returns its job, which the caller cancels; null: there is none */
  abandonRun(monitor: MonitorRow): Promise<string | null>;
  stop(): Promise<void>;
}

/** Begins the runs of monitors when they are due, and compares the pages when their jobs have ended. */
export function startMonitorEngine(deps: MonitorEngineDeps): MonitorEngine {
  const stopping = new AbortController();
  const crawls = new CrawlComparison(stopping.signal, deps.onError);
  const engine = startRunEngine(monitorRuns(deps, crawls), deps);
  const runOf = async ({ id }: MonitorRow) =>
    (await deps.monitors.running()).find(({ monitorId }) => monitorId === id) ?? null;
  return {
    async runNow(monitor) {
      return (await runOf(monitor)) === null ? await engine.begin(monitor) : null;
    },
    async abandonRun(monitor) {
      const run = await runOf(monitor);
      if (run !== null) await abandonRun(deps, monitor, run.n);
      return run?.jobId ?? null;
    },
    async stop() {
      stopping.abort();
      await engine.stop();
      await crawls.ended;
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

type RunOfMonitor = RunningMonitor & { readonly ownerId: string; readonly jobId: string };

function monitorRuns(deps: MonitorEngineDeps, crawls: CrawlComparison): RunSource<MonitorRow, RunOfMonitor> {
  const { monitors, jobs, clock, purgeJob } = deps;
  return {
    leader: 'monitors:leader',
    running: async () =>
      (await monitors.running()).map((run) => ({ ...run, ownerId: run.monitorId, jobId: run.jobId! })),
    due: monitors.due,
    get: (id) => monitors.get(id, null),
    pause: monitors.pause,
    begin: ({ id }, run) => monitors.begin(id, run),
    overlap: ({ id }, dueAt, nextAt) => monitors.skip(id, { dueAt, nextAt }),
    startJob: (monitor, _n, jobId) => deps.startJob(monitor, jobId),
    refused: (monitor, n, { code }) => failRun(deps, monitor, n, code),
    async finish(monitor, run) {
      const job = await jobs.get(run.jobId, null);
      if (job === null) return false;
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
    },
  };
}

const NEVER = new AbortController().signal;
