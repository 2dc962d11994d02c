import type { JobState } from './jobs.ts';
import type { Schedule } from './monitors.ts';

/** A schedule starts a job again and again (contract §24). Times are ms since the epoch. */

export const SCHEDULED_KINDS = ['scrape', 'batch', 'crawl'] as const;
export type ScheduledKind = (typeof SCHEDULED_KINDS)[number];

/** What happens when a run is due while the one before has not ended: it is missed, or it begins afterwards. */
export const OVERLAPS = ['skip', 'queue'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export interface ScheduleRow {
  /** UUID version 7. */
  readonly id: string;
  readonly userId: string;
  /** The key whose rights hold for the runs; null: the user's session. */
  readonly keyId: string | null;
  readonly name: string;
  readonly kind: ScheduledKind;
  readonly state: 'active' | 'paused';
  /** null: not paused. */
  readonly pauseReason: 'asked' | 'key' | 'user' | null;
  /** The members of the job as JSON text, secrets masked. */
  readonly request: string;
  /** The same, sealed. */
  readonly spec: Uint8Array;
  readonly schedule: Schedule;
  readonly jitterS: number;
  readonly overlap: Overlap;
  /** What is done with the results of a run, as JSON text `{format, target}`, secrets masked; null: nothing. */
  readonly export: string | null;
  /** The target, sealed; null: none. */
  readonly exportSpec: Uint8Array | null;
  /** The dataset that gets the results; null: none. */
  readonly datasetId: string | null;
  /** When the next run is due; null: never. */
  readonly nextAt: number | null;
  readonly createdAt: number;
  /** Number of the latest run. */
  readonly lastN: number;
}

/**
 * `waiting`: for the end of the run before. `missed`: nothing ran, for `reason`; consecutive due times that were missed for the same
 * reason are one row.
 */
export const SCHEDULE_RUN_STATES = ['waiting', 'running', 'ended', 'missed'] as const;
export type ScheduleRunState = (typeof SCHEDULE_RUN_STATES)[number];

/** Due times in a row. */
export interface DueTimes {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

export interface ScheduleRunRow {
  readonly scheduleId: string;
  readonly n: number;
  readonly state: ScheduleRunState;
  /**
   * Why it was missed: `down`, `overlap`, `paused`, or the code of the failure that did not let its job start. null: the run was not
   * missed, and its job was not lost.
   */
  readonly reason: string | null;
  readonly message: string | null;
  /** The first due time of a row of missed ones; of a run that was asked for, that time. */
  readonly dueAt: number;
  /** The last due time of the row. */
  readonly lastDueAt: number;
  /** Due times that were missed; 0: the run was not missed. */
  readonly missed: number;
  /** When the job was started. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly jobId: string | null;
  /** null: there is no such job, or none any more. */
  readonly jobState: JobState | null;
  /** Items of the job that are OK, and that failed; 0 without a job. */
  readonly ok: number;
  readonly failed: number;
}
