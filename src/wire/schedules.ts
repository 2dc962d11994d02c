import { type Static, Type } from 'typebox';
import { microToCurrency } from '../base/numbers.ts';
import { EXPORT_STATES } from '../domain/exports.ts';
import { JOB_STATES } from '../domain/jobs.ts';
import { closed, optional, orNull, textOrNull } from '../domain/json-schema.ts';
import { NOTIFY_EVENTS, type Notify } from '../domain/notifications.ts';
import type { LastRun } from '../domain/run-lists.ts';
import {
  OVERLAPS,
  SCHEDULE_RUN_STATES,
  SCHEDULED_KINDS,
  type ScheduleRow,
  type ScheduleRunRow,
} from '../domain/schedules.ts';
import type { Written } from './answer/json-members.ts';
import { formatDateTime } from './date-time.ts';
import { ExportBody, ExportObject } from './exports.ts';
import { JitterMember, ScheduleMembers, scheduleMembers } from './monitors.ts';
import { NOTIFY_MEMBERS } from './notifications/notify-members.ts';

const Time = Type.String({ format: 'date-time' });
const NullableTime = orNull(Time);

/** `kind`, and the members of the request that starts such a job at once, which are checked as there. */
const JobOfSchedule = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  title: 'JobOfSchedule',
  description:
    '`kind` (`scrape`, `batch`, `crawl`), and the members of `POST /api/v1/scrape/`, `/api/v1/batches/` or `/api/v1/crawls/`. The kind `search` is not available yet.',
});

const MEMBERS = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  job: JobOfSchedule,
  schedule: ScheduleMembers,
  ...optional({
    jitter_s: JitterMember,
    overlap: Type.Enum([...OVERLAPS], {
      default: 'skip',
      description:
        'A run that is due while the one before has not ended is missed (`skip`), or begins afterwards (`queue`); at most one waits.',
    }),
    export: ExportBody,
    dataset: Type.String({
      format: 'uuid',
      description: 'Id of the dataset that gets the data of the results.',
    }),
  }),
  ...NOTIFY_MEMBERS,
};

export const ScheduleRequest = closed(MEMBERS, { title: 'ScheduledJobRequest' });
export type ScheduleRequest = Static<typeof ScheduleRequest>;

export const ScheduleChangeRequest = closed(
  {
    ...MEMBERS,
    name: Type.Optional(MEMBERS.name),
    job: Type.Optional(MEMBERS.job),
    schedule: Type.Optional(MEMBERS.schedule),
    dataset: Type.Optional(orNull(Type.String({ format: 'uuid' }), { description: 'null: none any more.' })),
    export: Type.Optional(orNull(ExportBody, { description: 'null: nothing is exported any more.' })),
  },
  {
    title: 'ScheduledJobChange',
    description: '`job` is replaced as a whole. A run under way goes on as it began.',
  },
);
export type ScheduleChangeRequest = Static<typeof ScheduleChangeRequest>;

const LastRunObject = closed(
  {
    n: Type.Integer(),
    state: Type.Enum(['ended', 'missed']),
    reason: textOrNull('As of the run.'),
    ended_at: NullableTime,
    job_id: textOrNull('null: there is no job, or none any more.'),
    job_state: orNull(Type.Enum([...JOB_STATES])),
    ok: Type.Integer({ description: 'Items of the job that are `ok`.' }),
    failed: Type.Integer({ description: 'Items of the job that failed.' }),
    cost: orNull(Type.Number(), {
      description: 'Of the job; null: there is none, or no prices are configured.',
    }),
    export_state: orNull(Type.Enum([...EXPORT_STATES]), {
      description: 'Of the export of its results; `failed`: given up. null: none was made.',
    }),
  },
  { title: 'ScheduledJobLastRun' },
);

export const ScheduleObject = closed(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    user_id: Type.String({ format: 'uuid', description: 'The owner.' }),
    state: Type.Enum(['active', 'paused']),
    pause_reason: orNull(Type.Enum(['asked', 'key', 'user'])),
    job: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description:
        'The job, with secrets masked; of a batch with `urls` (the first 1,000) and `requests_total` instead of `requests`.',
    }),
    schedule: ScheduleMembers,
    jitter_s: Type.Integer(),
    overlap: Type.Enum([...OVERLAPS]),
    dataset: orNull(Type.String({ format: 'uuid' }), { description: 'null: none, or it was deleted.' }),
    channels: Type.Array(Type.String({ format: 'uuid' })),
    notify_on: Type.Array(Type.Enum([...NOTIFY_EVENTS])),
    export: orNull(ExportBody, { description: 'What is sent of each run, with secrets masked.' }),
    next_run_at: NullableTime,
    last_run: orNull(LastRunObject, {
      description: 'The last that has ended or was missed. null: none yet.',
    }),
    created_at: Time,
  },
  { title: 'ScheduledJob' },
);

export const ScheduleList = closed(
  { items: Type.Array(ScheduleObject), next_cursor: orNull(Type.String()) },
  { title: 'ScheduledJobList' },
);

export const ScheduleRunObject = closed(
  {
    n: Type.Integer({ description: 'Numbers grow, and may have gaps.' }),
    state: Type.Enum([...SCHEDULE_RUN_STATES], {
      description:
        '`waiting`: for the end of the run before. `missed`: nothing ran, for `reason`. `ended`: its job has ended, whatever its state.',
    }),
    reason: textOrNull(
      'Why the run was missed: `down` (the service did not run), `overlap`, `paused`, or the code of the error that did not let the job start, such as `limit.jobs` and `budget.exhausted`. Of a run whose job was deleted before its end: `request.not_found`.',
    ),
    message: textOrNull('The error in words.'),
    due_at: Time,
    last_due_at: { ...Time, description: 'The last of the due times that were missed in a row.' },
    missed: Type.Integer({
      description:
        'Due times from `due_at` to `last_due_at` that were missed; at most 10,080 are counted at once.',
    }),
    started_at: NullableTime,
    ended_at: NullableTime,
    job_id: orNull(Type.String()),
    export: orNull(ExportObject, { description: 'Of the results; null: none was made.' }),
    job_state: orNull(Type.Enum([...JOB_STATES]), {
      description: 'null: there is no such job, or none any more.',
    }),
    ok: Type.Integer({ description: 'Items of the job that are `ok`; 0 without a job.' }),
    failed: Type.Integer({ description: 'Items of the job that failed; 0 without a job.' }),
  },
  { title: 'ScheduledJobRun' },
);

export const ScheduleRunList = closed(
  { items: Type.Array(ScheduleRunObject), next_cursor: orNull(Type.String()) },
  { title: 'ScheduledJobRunList' },
);

export const isScheduledKind = (kind: unknown): kind is ScheduleRow['kind'] =>
  SCHEDULED_KINDS.some((known) => known === kind);

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : formatDateTime(ms));

const lastRunObject = (
  { n, state, reason, endedAt, job, exportState }: LastRun,
  costs: boolean,
): Written<typeof LastRunObject> => ({
  n,
  state,
  reason,
  ended_at: timeOrNull(endedAt),
  job_id: job?.id ?? null,
  job_state: job?.state ?? null,
  ok: job?.ok ?? 0,
  failed: job?.failed ?? 0,
  cost: costs && job !== null ? microToCurrency(job.cost) : null,
  export_state: exportState,
});

interface ScheduleFacts {
  /** null: nobody is told. */
  readonly notify: Notify | null;
  readonly lastRun: LastRun | null;
  /** Whether prices are configured. */
  readonly costs: boolean;
}

export function scheduleObject(
  row: ScheduleRow,
  { notify, lastRun, costs }: ScheduleFacts,
): Written<typeof ScheduleObject> {
  return {
    id: row.id,
    name: row.name,
    user_id: row.userId,
    state: row.state,
    pause_reason: row.pauseReason,
    job: { kind: row.kind, ...JSON.parse(row.request) },
    schedule: scheduleMembers(row.schedule),
    jitter_s: row.jitterS,
    overlap: row.overlap,
    dataset: row.datasetId,
    channels: [...(notify?.channels ?? [])],
    notify_on: [...(notify?.events ?? [])],
    export: row.export === null ? null : JSON.parse(row.export),
    next_run_at: row.state === 'active' ? timeOrNull(row.nextAt) : null,
    last_run: lastRun === null ? null : lastRunObject(lastRun, costs),
    created_at: formatDateTime(row.createdAt),
  };
}

/** @param exported of its results; null: none */
export const scheduleRunObject = (
  run: ScheduleRunRow,
  exported: Written<typeof ExportObject> | null,
): Written<typeof ScheduleRunObject> => ({
  export: exported,
  n: run.n,
  state: run.state,
  reason: run.reason,
  message: run.message,
  due_at: formatDateTime(run.dueAt),
  last_due_at: formatDateTime(run.lastDueAt),
  missed: run.missed,
  started_at: timeOrNull(run.startedAt),
  ended_at: timeOrNull(run.endedAt),
  job_id: run.jobId,
  job_state: run.jobState,
  ok: run.ok,
  failed: run.failed,
});
