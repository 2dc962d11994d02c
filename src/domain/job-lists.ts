import type { ItemRow, ItemState, JobKind, JobRow, JobState } from './jobs.ts';

/** Lists of jobs and of their items. */

export interface JobFilter {
  /** null: the jobs of all users, for administrators. */
  readonly userId: string | null;
  readonly kind: JobKind | null;
  readonly state: JobState | null;
  /** null: jobs with any tags. */
  readonly tag: { readonly name: string; readonly value: string } | null;
  /** createdAt ≥ from (ms). */
  readonly from: number | null;
  /** createdAt < to (ms). */
  readonly to: number | null;
  /** Also jobs that are runs of monitors and schedules. */
  readonly withRuns: boolean;
  /** A part of the name or of the first URL, in the form of `searchForm`; null: any. */
  readonly search: string | null;
}

/**
 * `duration`: from the start to the end, or until now. `ok_share`: of the items that ended as `ok` or `failed`. `name`: the label.
 */
export const JOB_SORTS = ['created', 'name', 'duration', 'cost', 'ok_share'] as const;
export type JobSort = (typeof JOB_SORTS)[number];

/** Where a page of jobs ended. */
export interface JobCursor {
  /** By which the list is sorted. */
  readonly value: string | number;
  readonly id: string;
  /** `now` of the first page. */
  readonly now: number;
}

export interface JobOrder {
  readonly sort: JobSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly after: JobCursor | null;
  /** ms since the epoch; of a further page: that of its cursor, so that the durations of jobs that run stay in their order. */
  readonly now: number;
}

export interface JobListPage {
  readonly jobs: readonly JobRow[];
  /** null: there is no further page. */
  readonly next: JobCursor | null;
}

export const ITEM_SORTS = ['item', 'ended', 'status_code', 'bytes'] as const;
export type ItemSort = (typeof ITEM_SORTS)[number];

/** Where a page of items ended. */
export interface ItemCursor {
  /** By which the list is sorted. */
  readonly value: number;
  readonly item: number;
}

export interface ItemQuery {
  /** null: items of all states. */
  readonly states: readonly ItemState[] | null;
  /** A part of the URL or the title, ASCII letters in any case; null: any. */
  readonly search: string | null;
  /** Only items in this folder or below it; '': all. */
  readonly folder: string;
  /** Code of the error; null: any. */
  readonly errorCode: string | null;
  /** `ended`, `status_code` and `bytes`: only items that have one. */
  readonly sort: ItemSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly after: ItemCursor | null;
}

export interface ItemPage {
  readonly items: readonly ItemRow[];
  /** null: there is no further page. */
  readonly next: ItemCursor | null;
}
