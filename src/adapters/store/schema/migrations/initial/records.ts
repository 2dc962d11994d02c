/**
 * The primary key keeps the records of a user adjacent, in the order of their ids and so of time: the history of a user is
 * one scan of narrow rows. The index on `id` is for single records, the history of all users, and retention.
 * `records.user_id` has no foreign key, because that would cost a look-up for every scrape. `http_status` went to the caller;
 * `status_code` came from the target. `pictures` and `files`: names, types and sizes of what is in the BlobStore.
 *
 * `record_jobs`: the records of each job, in place of an index on `records`. `shared_contents`: contents that several records of
 * a user's jobs have, each once, with the number of their bodies. `record_bodies.shared`: its number. The trigger deletes a content
 * with its last body.
 */
export const RECORD_TABLES: readonly string[] = [
  `CREATE TABLE records (
  id BLOB NOT NULL CHECK (length(id) = 16),
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  key_id TEXT,
  created_at INTEGER NOT NULL,
  url TEXT,
  host TEXT NOT NULL,
  method TEXT,
  requested_scraper TEXT,
  scraper TEXT,
  proxy_type TEXT,
  http_status INTEGER,
  status_code INTEGER,
  outcome TEXT NOT NULL,
  error_code TEXT,
  duration_ms REAL NOT NULL,
  content_bytes INTEGER,
  request_cost REAL,
  tags TEXT,
  has_screenshot INTEGER NOT NULL,
  content_encoding TEXT,
  content_in_blob INTEGER NOT NULL,
  body INTEGER, pictures TEXT, files TEXT, job_id BLOB,
  PRIMARY KEY (user_id, id)
) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX records_id ON records (id)',
  `CREATE TRIGGER record_jobs_added AFTER INSERT ON records WHEN NEW.job_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO record_jobs VALUES (NEW.job_id, NEW.id);
END`,
  `CREATE TRIGGER record_jobs_deleted AFTER DELETE ON records WHEN OLD.job_id IS NOT NULL BEGIN
  DELETE FROM record_jobs WHERE job_id = OLD.job_id AND id = OLD.id;
END`,
  `CREATE TABLE record_bodies (
  seq INTEGER PRIMARY KEY,
  request BLOB,
  request_codec INTEGER NOT NULL,
  answer BLOB,
  answer_codec INTEGER NOT NULL,
  content BLOB,
  content_codec INTEGER NOT NULL
, shared INTEGER)`,
  `CREATE TRIGGER shared_contents_left AFTER DELETE ON record_bodies WHEN OLD.shared IS NOT NULL BEGIN
  UPDATE shared_contents SET uses = uses - 1 WHERE number = OLD.shared;
  DELETE FROM shared_contents WHERE number = OLD.shared AND uses = 0;
END`,
  `CREATE TABLE shared_contents (
  number INTEGER PRIMARY KEY,
  user_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  uses INTEGER NOT NULL,
  content BLOB NOT NULL,
  content_codec INTEGER NOT NULL,
  UNIQUE (user_id, hash)
)`,
  `CREATE TABLE record_jobs (
  job_id BLOB NOT NULL,
  id BLOB NOT NULL,
  PRIMARY KEY (job_id, id)
) WITHOUT ROWID`,
];
