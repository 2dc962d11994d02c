import type { NewExport } from '../domain/exports.ts';
import type { Notify } from '../domain/notifications.ts';
import type { LastRun, RunListQuery, ScheduleSort } from '../domain/run-lists.ts';
import type { DueTimes, ScheduleRow, ScheduleRunRow } from '../domain/schedules.ts';

export interface NewSchedule extends Omit<ScheduleRow, 'lastN' | 'state' | 'pauseReason'> {
  /** Who is told of its runs. Notifications name the schedule. */
  readonly notify: Notify;
}

export type ScheduleChange = Partial<
  Pick<
    NewSchedule,
    | 'name'
    | 'kind'
    | 'request'
    | 'spec'
    | 'schedule'
    | 'jitterS'
    | 'overlap'
    | 'export'
    | 'exportSpec'
    | 'datasetId'
    | 'nextAt'
    | 'notify'
  >
>;

/** A claim of a due time: `dueAt` is `nextAt` of the schedule as it was read. */
export interface DueClaim {
  readonly dueAt: number;
  readonly nextAt: number | null;
}

/** Due times that begin no run. */
export interface MissedRuns {
  readonly times: DueTimes;
  /** As of `ScheduleRunRow`. */
  readonly reason: string;
  readonly message: string | null;
}

/**
 * Schedules and their runs. Every implementation guarantees what JobStore does: methods are transactions, and what they have resolved
 * survives `kill -9`; each due time of a schedule begins at most one run, or is missed once.
 */
export interface ScheduleStore {
  /** @returns false: the user has `limit` schedules already */
  create(schedule: NewSchedule, limit: number): Promise<boolean>;
  /** @param userId null: any user */
  get(id: string, userId: string | null): Promise<ScheduleRow | null>;
  /** @param userId null: of all users */
  list(userId: string | null, query: RunListQuery<ScheduleSort>): Promise<readonly ScheduleRow[]>;
  /** The last ended or missed run of each of these schedules that has one. */
  lastRuns(ids: readonly string[]): Promise<ReadonlyMap<string, LastRun>>;
  update(id: string, change: ScheduleChange): Promise<void>;
  /** With its runs; their jobs stay. @returns false: there is none */
  delete(id: string): Promise<boolean>;
  /** @returns false: it is paused already */
  pause(id: string, reason: 'asked' | 'key' | 'user'): Promise<boolean>;
  /**
   * @param keyId the key whose rights hold from now on
   * @param missed due times of the pause; null: none
   * @returns false: it is not paused
   */
  resume(
    id: string,
    keyId: string | null,
    nextAt: number | null,
    missed: MissedRuns | null,
  ): Promise<boolean>;
  /** Moves schedules from one key to another. */
  moveKey(fromKeyId: string, toKeyId: string): Promise<void>;

  /** Active schedules whose next run is due. */
  due(now: number, limit: number): Promise<readonly ScheduleRow[]>;
  /**
   * Begins a run.
   * @param claim null: the run was asked for, and the schedule stays
   * @returns number of the run; null: another process has claimed the due time, or a run is under way
   */
  begin(
    id: string,
    run: { readonly claim: DueClaim | null; readonly dueAt: number; readonly jobId: string },
  ): Promise<number | null>;
  /** Adds a run that waits for the end of the one before. @returns null: claimed by another process, or one waits already */
  wait(id: string, run: { readonly claim: DueClaim | null; readonly dueAt: number }): Promise<number | null>;
  /** Lists due times that begin no run. Those that follow others of the same reason are added to them. */
  miss(id: string, claim: DueClaim, missed: MissedRuns): Promise<void>;
  /** Runs under way, the oldest first. */
  running(): Promise<readonly ScheduleRunRow[]>;
  /** Waiting runs of active schedules without a run under way. */
  waiting(): Promise<readonly { readonly schedule: ScheduleRow; readonly n: number }[]>;
  /** @returns false: it does not wait any more, or a run is under way */
  beginWaiting(id: string, n: number, jobId: string): Promise<boolean>;
  /** The job of a run under way has started. */
  started(id: string, n: number, now: number): Promise<void>;
  /** Ends a run under way. */
  endRun(
    id: string,
    n: number,
    end: {
      readonly state: 'ended' | 'missed';
      readonly reason: string | null;
      readonly message: string | null;
      /** Is added in the same transaction; absent: nothing is exported. */
      readonly exported?: NewExport;
      /** Of a missed run whose job did not start, so that people are told (`schedule.failed`): once for runs in a row that are missed for one reason. */
      readonly refused?: boolean;
      readonly now: number;
    },
  ): Promise<boolean>;
  /** The newest first. @param before number of the run after the page; null: the first page */
  runs(id: string, limit: number, before: number | null): Promise<readonly ScheduleRunRow[]>;
  /** Deletes the rows of ended and missed runs but the newest `keep`. */
  sweep(id: string, keep: number): Promise<void>;
}
