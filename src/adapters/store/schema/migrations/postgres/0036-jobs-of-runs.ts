import { JOBS_OF_RUNS } from '../initial/jobs-of-runs.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const jobsOfRuns: PostgresMigration = {
  version: 36,
  name: 'jobs of runs',
  isCompatible: true,
  statements: JOBS_OF_RUNS,
};
