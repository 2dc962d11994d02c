import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

const SCHEMA = new URL('../fixtures/schema-0.1.sql', import.meta.url);

/** The user of all records, who is the administrator. */
export const OLD_USER = Buffer.from('01890000000070008000000000000001', 'hex');

const USER = `INSERT INTO users (id, email, email_key, role, created_at) VALUES (?, 'old@example.com', 'old@example.com', 'admin', 0)`;

/** Ids are UUIDs of version 7, as old as the record. Record 1 is the newest, and each further one is a millisecond older. */
const RECORDS = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
INSERT INTO records (id, user_id, key_id, created_at, url, host, method, requested_scraper, scraper, http_status, status_code,
outcome, duration_ms, content_bytes, has_screenshot, content_encoding, content_in_blob, body)
SELECT unhex(printf('%012x7%03x8%015x', @now - n, n % 4096, n)), @user, 'oldkey', @now - n,
'https://example.com/page/' || n, 'example.com', 'GET', 'auto', 'http', 200, 200, 'ok', 12, @bytes, 0, 'utf-8', 0, n
FROM numbers ORDER BY n DESC`;

const BODIES = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
INSERT INTO record_bodies (seq, request, request_codec, answer, answer_codec, content, content_codec)
SELECT n, '{"url":"https://example.com/"}', 0, '{}', 0, randomblob(@bytes), 0 FROM numbers`;

/** Makes a database with the schema of version 0.1, and this many records with contents of `bytes` bytes each. */
export function makeOldDatabase(file: string, count: number, bytes: number): void {
  const schema = readFileSync(SCHEMA, 'utf8');
  const db = new Database(file);
  const pragmas = [...schema.matchAll(/^-- PRAGMA (.*)$/gm)].map(([, pragma]) => pragma!);
  // The mode of the journal is last. It cannot be set before the size of pages.
  for (const pragma of pragmas) db.pragma(pragma);
  db.exec(schema);
  db.exec(`INSERT INTO meta (name, value) VALUES ('accounts_version', 1), ('heartbeat', 0)`);
  db.prepare(USER).run(OLD_USER);
  if (count > 0) {
    db.pragma('synchronous = OFF');
    db.prepare(BODIES).run({ count, bytes });
    db.prepare(RECORDS).run({ count, bytes, user: OLD_USER, now: Date.now() });
  }
  db.close();
}

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
