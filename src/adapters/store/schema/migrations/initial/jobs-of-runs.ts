/** What runs of monitors and schedules add to `jobs`: whose run a job is; both null: it was started by itself. Lists read the others. */
export const JOBS_OF_RUNS: readonly string[] = [
  'ALTER TABLE jobs ADD COLUMN monitor_id BYTEA',
  'ALTER TABLE jobs ADD COLUMN schedule_id BYTEA',
  'UPDATE jobs SET monitor_id = r.monitor_id FROM monitor_runs AS r WHERE r.job_id = jobs.id',
  'CREATE INDEX jobs_own ON jobs (id) WHERE monitor_id IS NULL AND schedule_id IS NULL',
  'CREATE INDEX jobs_own_user ON jobs (user_id, id) WHERE monitor_id IS NULL AND schedule_id IS NULL',
];
