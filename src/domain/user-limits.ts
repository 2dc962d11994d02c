/** Limits of a user that an administrator can change, with their defaults (contract §13). */
export const USER_LIMITS = {
  /** Items of all jobs that run at once. */
  job_concurrency: 20,
  /** Jobs that have not ended. */
  open_jobs: 1_000,
  /** Items of these jobs that wait. */
  queued_items: 1_000_000,
  monitors: 500,
  schedules: 500,
  datasets: 100,
  templates: 100,
  profiles: 100,
  /** Streams of events and results that are open at once. */
  streams: 20,
} as const satisfies Record<string, number>;

export type UserLimitName = keyof typeof USER_LIMITS;
export const USER_LIMIT_NAMES = Object.keys(USER_LIMITS) as readonly UserLimitName[];

export type UserLimits = Readonly<Record<UserLimitName, number>>;
/** Those that differ from the defaults. */
export type OwnLimits = Readonly<Partial<UserLimits>>;
/** null: the default again. */
export type LimitsChange = Readonly<Partial<Record<UserLimitName, number | null>>>;

export const MAX_USER_LIMIT = 10_000_000;

export const isUserLimit = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= MAX_USER_LIMIT;

export function changedLimits(own: OwnLimits, change: LimitsChange): OwnLimits {
  const entries = Object.entries({ ...own, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}
