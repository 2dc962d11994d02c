import type { Migration } from './migration.ts';

/**
 * `record_jobs`: the records of each job. It replaces an index on `records`, for which SQLite would read all records of an older
 * database before the service is ready. `backfills`: the back-fills that have not ended, with the key of the last row handled.
 */
export const recordJobs: Migration = {
  version: 21,
  name: 'record-jobs',
  statements: [
    'CREATE TABLE backfills (version INTEGER PRIMARY KEY, after BLOB NOT NULL)',
    `CREATE TABLE record_jobs (
  job_id BLOB NOT NULL,
  id BLOB NOT NULL,
  PRIMARY KEY (job_id, id)
) WITHOUT ROWID`,
    `CREATE TRIGGER record_jobs_added AFTER INSERT ON records WHEN NEW.job_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO record_jobs VALUES (NEW.job_id, NEW.id);
END`,
    `CREATE TRIGGER record_jobs_deleted AFTER DELETE ON records WHEN OLD.job_id IS NOT NULL BEGIN
  DELETE FROM record_jobs WHERE job_id = OLD.job_id AND id = OLD.id;
END`,
    'DROP INDEX IF EXISTS records_job',
  ],
  backfill: {
    table: 'records',
    key: 'id',
    statement: `INSERT OR IGNORE INTO record_jobs
SELECT job_id, id FROM records WHERE id > @after AND id <= @to AND job_id IS NOT NULL`,
  },
};
