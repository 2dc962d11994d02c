import { initial } from './migrations/postgres/0033-initial.ts';
import { unreadItems } from './migrations/postgres/0034-unread-items.ts';
import { notifications } from './migrations/postgres/0035-notifications.ts';
import { jobsOfRuns } from './migrations/postgres/0036-jobs-of-runs.ts';
import { schedules } from './migrations/postgres/0037-schedules.ts';
import { jobFacts } from './migrations/postgres/0038-job-facts.ts';
import { exports } from './migrations/postgres/0039-exports.ts';
import { datasets } from './migrations/postgres/0040-datasets.ts';
import { usageLatency } from './migrations/postgres/0041-usage-latency.ts';
import { profiles } from './migrations/postgres/0042-profiles.ts';
import { profileCredentials } from './migrations/postgres/0043-profile-credentials.ts';
import type { PostgresMigration } from './migrations/postgres/postgres-migration.ts';

/** The migrations of PostgreSQL, ordered by version, without gaps. The versions are not those of SQLite. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [
  initial,
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
