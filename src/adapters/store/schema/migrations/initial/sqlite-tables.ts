import { jobsTable } from './jobs.ts';
import { sqliteStatement } from './sqlite-statement.ts';

/**
 * Tables whose text on SQLite differs from that on PostgreSQL in more than the types, and what only SQLite has. The files by topic
 * say what they hold. Columns after the last line were added by a migration of the development. `backfills`: the back-fills that have not ended, with the key of the last
 * row handled.
 */
export const SQLITE_TABLES: readonly string[] = [
  `CREATE TABLE users (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  concurrency INTEGER,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
, last_seen_at INTEGER, limits TEXT NOT NULL DEFAULT '{}', role TEXT NOT NULL DEFAULT 'user') WITHOUT ROWID`,
  sqliteStatement(jobsTable('', ', visits BIGINT NOT NULL DEFAULT 0, unlisted BIGINT NOT NULL DEFAULT 0')),
  `CREATE TABLE job_folders (
  job_id BLOB NOT NULL,
  parent TEXT NOT NULL,
  name TEXT NOT NULL,
  open INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  PRIMARY KEY (job_id, parent, name)
) WITHOUT ROWID`,
  `CREATE TABLE webhook_deliveries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  user_id BLOB NOT NULL,
  receiver TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  item INTEGER,
  state TEXT NOT NULL DEFAULT 'queued',
  queued_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  lease INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0,
  last_at INTEGER,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  answer BLOB,
  UNIQUE (source_id, sequence)
)`,
  `CREATE TRIGGER webhook_contents_deleted AFTER DELETE ON webhook_deliveries BEGIN
  DELETE FROM webhook_contents WHERE number = OLD.number;
END`,
  `CREATE TRIGGER webhook_contents_ended AFTER UPDATE OF state ON webhook_deliveries
WHEN NEW.state IN ('delivered', 'failed') BEGIN
  DELETE FROM webhook_contents WHERE number = NEW.number;
END`,
  'CREATE TABLE webhook_contents (number INTEGER PRIMARY KEY, sealed BLOB NOT NULL)',
  `CREATE TABLE templates (
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  rules TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
)`,
  'CREATE TABLE backfills (version INTEGER PRIMARY KEY, after BLOB NOT NULL)',
];
