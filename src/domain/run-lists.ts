import type { ExportState } from './exports.ts';
import type { JobState } from './jobs.ts';

/** Lists of monitors and schedules. */

/** `next_run`: those that do not run come last. `changed`: of monitors, when the last change was found. */
export const SCHEDULE_SORTS = ['created', 'name', 'next_run'] as const;
export const MONITOR_SORTS = [...SCHEDULE_SORTS, 'changed'] as const;
export type ScheduleSort = (typeof SCHEDULE_SORTS)[number];
export type RunSort = (typeof MONITOR_SORTS)[number];

/** Where a page ended. */
export interface RunCursor {
  /** By which the list is sorted. */
  readonly value: string | number;
  readonly id: string;
}

export interface RunListQuery<S extends RunSort = RunSort> {
  readonly sort: S;
  readonly descending: boolean;
  readonly limit: number;
  readonly after: RunCursor | null;
  /** A part of the name, ASCII letters in any case; null: any. */
  readonly search: string | null;
}

/** The newest first. */
export const newestFirst = (limit: number): RunListQuery<'created'> => ({
  sort: 'created',
  descending: true,
  limit,
  after: null,
  search: null,
});

/** ASCII letters in lower case, as `lower` of both databases makes them. */
export const lowered = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

interface Listed {
  readonly name: string;
  readonly state: string;
  readonly nextAt: number | null;
  readonly changedAt?: number | null;
}

/** Later than all runs. */
export const NO_NEXT_RUN = Number.MAX_SAFE_INTEGER;

/** What the list is sorted by, as the database computes it. */
export function sortedValue({ name, state, nextAt, changedAt }: Listed, sort: RunSort): string | number {
  switch (sort) {
    case 'created':
      return 0;
    case 'name':
      return lowered(name);
    case 'next_run':
      return state === 'active' ? (nextAt ?? NO_NEXT_RUN) : NO_NEXT_RUN;
    case 'changed':
      return changedAt ?? 0;
  }
}

/** The last run of a schedule that has ended or was missed. */
export interface LastRun {
  readonly n: number;
  readonly state: 'ended' | 'missed';
  /** As of the run. */
  readonly reason: string | null;
  readonly endedAt: number | null;
  /** Of its job; null: there is none, or none any more. */
  readonly job: {
    readonly id: string;
    readonly state: JobState;
    readonly ok: number;
    readonly failed: number;
    /** In millionths of the currency. */
    readonly cost: number;
  } | null;
  /** Of its results; null: none was made. */
  readonly exportState: ExportState | null;
}

/** The last run of a monitor that has ended. */
export interface LastMonitorRun extends Pick<LastRun, 'n' | 'endedAt'> {
  /** Of its job, in millionths of the currency; null: there is none any more. */
  readonly cost: number | null;
}
