import { initial } from './migrations/0030-initial.ts';
import { sharedCounters } from './migrations/0031-shared-counters.ts';
import { unreadItems } from './migrations/0032-unread-items.ts';
import { notifications } from './migrations/0033-notifications.ts';
import { jobsOfRuns } from './migrations/0034-jobs-of-runs.ts';
import { schedules } from './migrations/0035-schedules.ts';
import { jobFacts } from './migrations/0036-job-facts.ts';
import { exports } from './migrations/0037-exports.ts';
import { datasets } from './migrations/0038-datasets.ts';
import { usageLatency } from './migrations/0039-usage-latency.ts';
import { profiles } from './migrations/0040-profiles.ts';
import { profileCredentials } from './migrations/0041-profile-credentials.ts';
import type { Migration } from './migrations/migration.ts';

/** The migrations of SQLite. Ordered by version, without gaps. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  sharedCounters,
  unreadItems,
  notifications,
  jobsOfRuns,
  schedules,
  jobFacts,
  exports,
  datasets,
  usageLatency,
  profiles,
  profileCredentials,
];
