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
import { initial as initialOfPostgres } from './migrations/postgres/0033-initial.ts';
import { unreadItems as unreadItemsOfPostgres } from './migrations/postgres/0034-unread-items.ts';
import { notifications as notificationsOfPostgres } from './migrations/postgres/0035-notifications.ts';
import { jobsOfRuns as jobsOfRunsOfPostgres } from './migrations/postgres/0036-jobs-of-runs.ts';
import { schedules as schedulesOfPostgres } from './migrations/postgres/0037-schedules.ts';
import { jobFacts as jobFactsOfPostgres } from './migrations/postgres/0038-job-facts.ts';
import { exports as exportsOfPostgres } from './migrations/postgres/0039-exports.ts';
import { datasets as datasetsOfPostgres } from './migrations/postgres/0040-datasets.ts';
import { usageLatency as usageLatencyOfPostgres } from './migrations/postgres/0041-usage-latency.ts';
import { profiles as profilesOfPostgres } from './migrations/postgres/0042-profiles.ts';
import { profileCredentials as profileCredentialsOfPostgres } from './migrations/postgres/0043-profile-credentials.ts';
import type { PostgresMigration } from './migrations/postgres/postgres-migration.ts';

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

/** The migrations of PostgreSQL, in the same way. Its versions are its own. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [
  initialOfPostgres,
  unreadItemsOfPostgres,
  notificationsOfPostgres,
  jobsOfRunsOfPostgres,
  schedulesOfPostgres,
  jobFactsOfPostgres,
  exportsOfPostgres,
  datasetsOfPostgres,
  usageLatencyOfPostgres,
  profilesOfPostgres,
  profileCredentialsOfPostgres,
];
