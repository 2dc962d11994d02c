import Database from 'better-sqlite3';
import type { Migration } from '../../src/adapters/store/schema/migrations/migration.ts';
import { MIGRATIONS } from '../../src/adapters/store/schema/migrations.ts';
import { newestVersion, prepareDatabase } from '../../src/adapters/store/sqlite/prepare-database.ts';
import { uuidText } from '../../src/base/uuid7.ts';

const USER = Buffer.from('01890000000070008000000000000001', 'hex');
/** The user of all records, who is the administrator. */
export const RECORDS_USER: string = uuidText(USER);
/** The job of every other record, which is not in the table of jobs. */
const JOB = Buffer.from('01890000000070008000000000000002', 'hex');
export const RECORDS_JOB: string = uuidText(JOB);

const INSERT_USER = `INSERT INTO users (id, email, email_key, role, created_at) VALUES (?, 'old@example.com', 'old@example.com', 'admin', 0)`;

/** Ids are UUIDs of version 7, as old as the record. Record 1 is the newest, and each further one is a millisecond older. */
const RECORDS = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
INSERT INTO records (id, user_id, key_id, created_at, url, host, method, requested_scraper, scraper, http_status, status_code,
outcome, duration_ms, content_bytes, has_screenshot, content_encoding, content_in_blob, body, job_id)
SELECT unhex(printf('%012x7%03x8%015x', @now - n, n % 4096, n)), @user, 'oldkey', @now - n,
'https://example.com/page/' || n, 'example.com', 'GET', 'auto', 'http', 200, 200, 'ok', 12, @bytes, 0, 'utf-8', 0, n, iif(n % 2, NULL, @job)
FROM numbers ORDER BY n DESC`;

const BODIES = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
INSERT INTO record_bodies (seq, request, request_codec, answer, answer_codec, content, content_codec)
SELECT n, '{"url":"https://example.com/"}', 0, '{}', 0, randomblob(@bytes), 0 FROM numbers`;

/** Makes a database with this many records with contents of `bytes` bytes each. No back-fill is under way. */
export function makeDatabase(file: string, count: number, bytes: number): void {
  prepareDatabase({ file, migrations: MIGRATIONS, log: () => {} }, () => {});
  const db = new Database(file);
  db.exec('DELETE FROM backfills');
  db.prepare(INSERT_USER).run(USER);
  db.pragma('synchronous = OFF');
  if (count > 0) {
    db.prepare(BODIES).run({ count, bytes });
    db.prepare(RECORDS).run({ count, bytes, user: USER, job: JOB, now: Date.now() });
  }
  db.close();
}

/** As the next version may have it: a column, a table, and a back-fill of it from the records. */
export const NEXT_MIGRATION: Migration = {
  version: newestVersion(MIGRATIONS) + 1,
  name: 'made by a test',
  statements: [
    'CREATE TABLE made_marks (id BLOB PRIMARY KEY) WITHOUT ROWID',
    `ALTER TABLE records ADD COLUMN made_note TEXT NOT NULL DEFAULT 'none'`,
  ],
  backfill: {
    table: 'records',
    key: 'id',
    statement: 'INSERT OR IGNORE INTO made_marks SELECT id FROM records WHERE id > @after AND id <= @to',
  },
};

/** How far a back-fill is: the key of the last row handled; null: none is under way. */
export function backfillMark(file: string): string | null {
  const db = new Database(file, { readonly: true });
  try {
    const after = db.prepare('SELECT after FROM backfills').pluck().get() as Buffer | undefined;
    return after?.toString('hex') ?? null;
  } finally {
    db.close();
  }
}
