/**
 * Indexes of lists of items: by state, in the order of their numbers and of their ends; by status and size; and of those that wait
 * for a retry.
 */
export const JOB_FACTS_INDEXES: readonly string[] = [
  'CREATE INDEX job_items_state ON job_items (job_id, state, item)',
  'CREATE INDEX job_items_ended ON job_items (job_id, state, n) WHERE n IS NOT NULL',
  `CREATE INDEX job_items_retry ON job_items (job_id, run_at, item) WHERE state = 'queued' AND tries > 0`,
  'CREATE INDEX job_items_status ON job_items (job_id, status_code, item) WHERE status_code IS NOT NULL',
  'CREATE INDEX job_items_bytes ON job_items (job_id, bytes, item) WHERE bytes IS NOT NULL',
];

/** `search`: what lists of jobs search, in lower case (see `searchText`). Of jobs of before, the name and the URL as they are. */
export const JOBS_OF_BEFORE: readonly string[] = [
  'UPDATE jobs SET first_url = (SELECT url FROM job_items WHERE job_id = jobs.id ORDER BY item LIMIT 1)',
  "UPDATE jobs SET search = lower(coalesce(name || '\n', '') || coalesce(first_url, ''))",
];
