/** Fills a PostgreSQL database of Sluice with as many records as an old and busy service has, by SQL alone: minutes for 10⁷. */
import pg from 'pg';
import { openPostgresStore } from '../../src/adapters/store/postgres/open-postgres-store.ts';
import { RARE_HOST } from './made-history.ts';

/** Records are spread evenly over these days: less than the default retention (7 days), so that none is deleted. */
const DAYS = 6;
const DAY_MS = 86_400_000;
/** Records inserted by one statement. */
const CHUNK = 250_000;

/** A user with 20 records, spread over all days. */
export const USER_WITH_FEW = '01890000-0000-7000-8000-0000000000ff';
export const RECORDS_OF_FEW = 20;
/** A finished job of the main user, with an item for every 100 records. */
export const LARGE_JOB = '01890000-0000-7000-8000-0000000000ee';

const bytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
/** The id of what was made at `at` ms (bigint): a UUID of version 7. */
const idSql = (at: string): string =>
  `decode(lpad(to_hex(${at}), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || lpad(to_hex(n), 15, '0'), 'hex')`;

/** `made (n, at)` from `$1` to `$2`; the last of `$3` is at `$4`, in ms. */
const MADE = `made AS (
  SELECT n, $4::bigint - ($3::bigint - n) * ${DAYS * DAY_MS} / $3::bigint AS at FROM generate_series($1::bigint, $2::bigint) AS n
)`;

/** Nine in ten are of the user `$5`, 20 of `$6`, the others of 500 users. */
const RECORDS = `WITH ${MADE}
INSERT INTO records (id, user_id, key_id, created_at, url, host, method, requested_scraper, scraper, proxy_type, http_status,
  status_code, outcome, error_code, duration_ms, content_bytes, tags, has_screenshot, content_encoding, content_in_blob)
SELECT ${idSql('at')},
  CASE WHEN n % greatest($3::bigint / ${RECORDS_OF_FEW}, 1) = 5 THEN $6::bytea WHEN n % 10 > 0 THEN $5::bytea
    ELSE decode('018900000000700080000000' || lpad(to_hex(n / 10 % 500 + 4096), 8, '0'), 'hex') END,
  'key' || n % 5, at,
  'https://www.shop-' || n * 7919 % 5000 || '.example/catalogue/section-' || n % 40 || '/item-' || n || '.html?page=' || n % 9,
  'www.shop-' || n * 7919 % 5000 || '.example', 'GET', 'auto', 'http', 'datacenter', CASE WHEN n % 7 = 0 THEN 504 ELSE 200 END,
  CASE WHEN n % 7 = 0 THEN NULL WHEN n % 13 = 0 THEN 404 ELSE 200 END,
  CASE WHEN n % 7 = 0 THEN 'failed' WHEN n % 13 = 0 THEN 'target_error' ELSE 'ok' END,
  CASE WHEN n % 7 = 0 THEN CASE WHEN n % 3 = 0 THEN 'timeout.total' ELSE 'connect.timeout' END END,
  40 + n * 7919 % 3000, 30000,
  CASE WHEN n % 4 = 0 THEN '{"team":"' || CASE WHEN n % 8 = 0 THEN 'blue' ELSE 'green' END || '","task":"' || n % 50 || '"}' END,
  0, 'utf-8', 0
FROM made`;

/** Request, answer and content of 64 + 192 + 512 bytes, as small pages have after compression. */
const BODIES = `WITH ${MADE}
INSERT INTO record_bodies (id, request, request_codec, answer, answer_codec, content, content_codec)
SELECT ${idSql('at')}, decode(repeat(md5(n::text), 4), 'hex'), 0, decode(repeat(md5(n::text), 12), 'hex'), 0,
  decode(repeat(md5(n::text), 32), 'hex'), 0
FROM made`;

const JOB_COLUMNS = `id, user_id, kind, tags, priority, per_host, delay_ms, retries, kept_ms, created_at, request, spec, state, ok,
  started_at, ended_at, last_item, last_n`;

/** A job for every 1,000 records, one in four with tags. */
const JOBS = `WITH ${MADE}
INSERT INTO jobs (${JOB_COLUMNS})
SELECT ${idSql('at')}, $5::bytea, CASE WHEN n % 5 = 0 THEN 'crawl' ELSE 'batch' END,
  CASE WHEN n % 4 = 0 THEN '{"team":"blue","task":"' || n % 50 || '"}' ELSE '{}' END, 0, 10, 0, 2, ${30 * DAY_MS}, at,
  '{"kind":"batch"}', decode(repeat(md5(n::text), 40), 'hex'), CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'done' END, 1, at, at + 500, 1, 1
FROM made`;

const JOB = `INSERT INTO jobs (${JOB_COLUMNS})
VALUES ($1, $2, 'batch', '{}', 0, 10, 0, 2, ${30 * DAY_MS}, $3, '{"kind":"batch"}', '\\x00', 'done', $4, $3, $3, $4, $4)`;
const ITEMS = `INSERT INTO job_items (job_id, item, n, url, host, depth, repeatable, state, tries, outcome, ended_at)
SELECT $1, n, n, 'https://${RARE_HOST}/section-' || n % 40 || '/item-' || n, '${RARE_HOST}', 0, 1, 'ok', 1, 'ok', $2
FROM generate_series(1, $3::bigint) AS n`;

/** @param url a database that Sluice has started on. @param userId who has most of the records; the last one is made at `until` (ms) */
export async function makeManyRecords(
  url: string,
  total: number,
  userId: string,
  until: number,
): Promise<void> {
  await makePartitions(url, until);
  const run = async (sql: string, count: number, users: readonly Buffer[]) => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query('SET synchronous_commit = off');
    for (let first = 1; first <= count; first += CHUNK)
      await client.query(sql, [first, Math.min(first + CHUNK - 1, count), count, until, ...users]);
    await client.end();
  };
  await Promise.all([
    run(RECORDS, total, [bytes(userId), bytes(USER_WITH_FEW)]),
    run(BODIES, total, []),
    run(JOBS, Math.ceil(total / 1000), [bytes(userId)]),
  ]);
  const client = new pg.Client(url);
  await client.connect();
  const items = Math.ceil(total / 100);
  await client.query(JOB, [bytes(LARGE_JOB), bytes(userId), until, items]);
  await client.query(ITEMS, [bytes(LARGE_JOB), until, items]);
  // As autovacuum does by and by, which would disturb the measurement.
  await client.query('VACUUM (ANALYZE)');
  await client.end();
}

/** A start makes the partitions of its day and of the three that follow. */
async function makePartitions(url: string, until: number): Promise<void> {
  for (let day = until - DAYS * DAY_MS; day < until; day += 3 * DAY_MS) {
    const store = await openPostgresStore({ url, directUrl: null, readUrl: null, now: () => day });
    await store.close();
  }
}
