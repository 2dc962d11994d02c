import type { ScheduleRow, ScheduleRunRow } from '../../../domain/schedules.ts';
import { columnsFor, type TableOf } from './columns.ts';

export interface ScheduleTables {
  schedules: ScheduleTable;
  schedule_runs: ScheduleRunTable;
}

const schedule = columnsFor<ScheduleRow>();
/** What the creator of a schedule sets. */
export const SCHEDULE_SETTINGS = {
  id: schedule.id('id'),
  user_id: schedule.id('userId'),
  key_id: schedule.plain('keyId'),
  name: schedule.plain('name'),
  kind: schedule.plain('kind'),
  request: schedule.plain('request'),
  spec: schedule.plain('spec'),
  schedule: schedule.json('schedule'),
  jitter_s: schedule.plain('jitterS'),
  overlap: schedule.plain('overlap'),
  export: schedule.plain('export'),
  export_spec: schedule.plain('exportSpec'),
  dataset_id: schedule.optionalId('datasetId'),
  next_at: schedule.plain('nextAt'),
  created_at: schedule.plain('createdAt'),
};
export const SCHEDULE_COLUMNS = {
  ...SCHEDULE_SETTINGS,
  state: schedule.plain('state'),
  pause_reason: schedule.plain('pauseReason'),
  last_n: schedule.plain('lastN'),
};
export type ScheduleTable = TableOf<typeof SCHEDULE_COLUMNS>;

const run = columnsFor<ScheduleRunRow>();
/** All but the state of the job. */
export const SCHEDULE_RUN_COLUMNS = {
  schedule_id: run.id('scheduleId'),
  n: run.plain('n'),
  state: run.plain('state'),
  reason: run.plain('reason'),
  message: run.plain('message'),
  due_at: run.plain('dueAt'),
  last_due_at: run.plain('lastDueAt'),
  missed: run.plain('missed'),
  started_at: run.plain('startedAt'),
  ended_at: run.plain('endedAt'),
  job_id: run.optionalId('jobId'),
};
export type ScheduleRunTable = TableOf<typeof SCHEDULE_RUN_COLUMNS>;
