import { JOBS_OF_RUNS } from './initial/jobs-of-runs.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import type { Migration } from './migration.ts';

export const jobsOfRuns: Migration = {
  version: 34,
  name: 'jobs of runs',
  statements: JOBS_OF_RUNS.map(sqliteStatement),
};
