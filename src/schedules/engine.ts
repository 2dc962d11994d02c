import { uuid7 } from '../base/uuid7.ts';
import type { ExportTargetKind, FileFormat, NewExport } from '../domain/exports.ts';
import type { Failure } from '../domain/failure.ts';
import type { DueTimes, ScheduleRow, ScheduleRunRow } from '../domain/schedules.ts';
import type { DatasetStore } from '../ports/datasets.ts';
import type { ScheduleStore } from '../ports/schedules.ts';
import { type RunEngineDeps, type RunSource, startRunEngine } from '../runs/engine.ts';
import { dueTimes } from '../runs/schedule.ts';

export interface ScheduleEngineDeps extends RunEngineDeps {
  readonly schedules: ScheduleStore;
  readonly datasets: Pick<DatasetStore, 'get' | 'addRun'>;
  /** Starts the job of a run. @returns why it cannot be started; null: it is */
  readonly startJob: (schedule: ScheduleRow, jobId: string) => Promise<Failure | null>;
}

export interface ScheduleEngine {
  /**
   * Begins a run now, or lets it wait for the end of the one before, if the schedule queues runs.
   * @returns its number; null: a run is under way, or one waits already
   */
  runNow(schedule: ScheduleRow): Promise<number | null>;
  stop(): Promise<void>;
}

/** Rows of runs that are kept of a schedule. */
const KEPT_RUNS = 1_000;

/** Starts the jobs of schedules when they are due. */
export function startScheduleEngine(deps: ScheduleEngineDeps): ScheduleEngine {
  const engine = startRunEngine(scheduleRuns(deps), deps);
  return {
    async runNow(schedule) {
      const n = await engine.begin(schedule);
      if (n !== null || schedule.overlap === 'skip') return n;
      return await deps.schedules.wait(schedule.id, { claim: null, dueAt: deps.clock.now() });
    },
    stop: () => engine.stop(),
  };
}

type RunOfSchedule = ScheduleRunRow & { readonly ownerId: string; readonly jobId: string };

function scheduleRuns(deps: ScheduleEngineDeps): RunSource<ScheduleRow, RunOfSchedule> {
  const { schedules, clock } = deps;
  const end = async (
    { id }: ScheduleRow,
    n: number,
    state: 'ended' | 'missed',
    why: { readonly code: string; readonly message: string } | null = null,
    also: Pick<Parameters<ScheduleStore['endRun']>[2], 'exported' | 'refused'> = {},
  ) => {
    const [reason, message] = [why?.code ?? null, why?.message ?? null];
    await schedules.endRun(id, n, { state, reason, message, now: clock.now(), ...also });
    await schedules.sweep(id, KEPT_RUNS);
  };
  return {
    leader: 'schedules:leader',
    running: async () =>
      (await schedules.running()).map((run) => ({ ...run, ownerId: run.scheduleId, jobId: run.jobId! })),
    due: schedules.due,
    get: (id) => schedules.get(id, null),
    pause: schedules.pause,
    async begin({ id, ...schedule }, { dueAt, nextAt, jobId, now }) {
      if (dueAt === null) return await schedules.begin(id, { claim: null, dueAt: now, jobId });
      // Of several due times that have passed, the last one begins a run.
      const later = laterTimes({ id, ...schedule }, dueAt, now);
      if (later === null) return await schedules.begin(id, { claim: { dueAt, nextAt }, dueAt, jobId });
      const times = { count: later.count, first: dueAt, last: beforeLast({ id, ...schedule }, dueAt, later) };
      await schedules.miss(id, { dueAt, nextAt: later.last }, { times, reason: 'down', message: null });
      const claim = { dueAt: later.last, nextAt };
      return await schedules.begin(id, { claim, dueAt: later.last, jobId });
    },
    async overlap(schedule, dueAt, nextAt) {
      const { id, overlap } = schedule;
      const claim = { dueAt, nextAt };
      if (overlap === 'queue' && (await schedules.wait(id, { claim, dueAt })) !== null) return;
      const later = laterTimes(schedule, dueAt, clock.now());
      const times = { count: 1 + (later?.count ?? 0), first: dueAt, last: later?.last ?? dueAt };
      await schedules.miss(id, claim, { times, reason: 'overlap', message: null });
    },
    async startJob(schedule, n, jobId) {
      const refused = await deps.startJob(schedule, jobId);
      if (refused === null) await schedules.started(schedule.id, n, clock.now());
      return refused;
    },
    refused: (schedule, n, why) => end(schedule, n, 'missed', why, { refused: true }),
    async finish(schedule, run) {
      // Again after a crash: a dataset has the results of a job once.
      await addToDataset(deps, schedule, run.jobId);
      const exported = exportOf(schedule, run, clock.now());
      await end(schedule, run.n, 'ended', null, exported && { exported });
      return true;
    },
    async lost(schedule, run) {
      if (run.startedAt === null) return false;
      await end(schedule, run.n, 'ended', JOB_DELETED);
      return true;
    },
    waiting: async () => (await schedules.waiting()).map(({ schedule, n }) => ({ owner: schedule, n })),
    beginWaiting: ({ id }, n, jobId) => schedules.beginWaiting(id, n, jobId),
  };
}

/** The results are added in the background. */
async function addToDataset(
  { datasets, clock }: ScheduleEngineDeps,
  { id, userId, datasetId }: ScheduleRow,
  jobId: string,
): Promise<void> {
  const dataset = datasetId === null ? null : await datasets.get(datasetId, userId);
  if (dataset !== null) await datasets.addRun(dataset.number, { jobId, scheduleId: id, at: clock.now() });
}

/** What is sent of the run; undefined: nothing. */
function exportOf(
  { id, userId, name, export: text, exportSpec }: ScheduleRow,
  { n, jobId }: RunOfSchedule,
  now: number,
): NewExport | undefined {
  if (text === null || exportSpec === null) return undefined;
  const { format, target } = JSON.parse(text) as { format: FileFormat; target: { kind: ExportTargetKind } };
  return {
    ...{ id: uuid7(now), userId, jobId, scheduleId: id, runN: n, name, format, kind: target.kind },
    ...{ target: JSON.stringify(target), spec: exportSpec, createdAt: now },
  };
}

const JOB_DELETED = { code: 'request.not_found', message: 'The job was deleted before it had ended.' };

/** The due times after one that is due, up to now; null: there are none. */
const laterTimes = (
  { id, schedule, jitterS, createdAt }: Pick<ScheduleRow, 'id' | 'schedule' | 'jitterS' | 'createdAt'>,
  dueAt: number,
  now: number,
): DueTimes | null => dueTimes(id, schedule, jitterS, { after: dueAt, until: now, createdAt });

/** The due time before the last one. */
function beforeLast(
  { id, schedule, jitterS, createdAt }: Pick<ScheduleRow, 'id' | 'schedule' | 'jitterS' | 'createdAt'>,
  dueAt: number,
  { last }: DueTimes,
): number {
  return dueTimes(id, schedule, jitterS, { after: dueAt, until: last - 1, createdAt })?.last ?? dueAt;
}
