import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { uuidBytes } from '../../../../base/uuid7.ts';
import type { NewRecord } from '../../../../domain/record.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import type { Statement } from '../../prepared-statements.ts';
import { insertRowOf } from '../../put-batcher.ts';
import { CODEC_PLAIN, CODEC_ZSTD } from '../../tables.ts';

/** The columns of `records` but the job, in the order of `insertRowOf`. */
const RECORD_COLUMNS = [
  'id',
  'user_id',
  'key_id',
  'created_at',
  'url',
  'host',
  'method',
  'requested_scraper',
  'scraper',
  'proxy_type',
  'http_status',
  'status_code',
  'outcome',
  'error_code',
  'duration_ms',
  'content_bytes',
  'request_cost',
  'tags',
  'has_screenshot',
  'content_encoding',
  'content_in_blob',
  'pictures',
  'files',
];

/** The columns of `record_bodies` after the id, with their types: PostgreSQL does not infer them in a subquery. */
const BODY_COLUMNS = [
  ['request', 'bytea'],
  ['request_codec', 'smallint'],
  ['answer', 'bytea'],
  ['answer_codec', 'smallint'],
  ['content', 'bytea'],
  ['content_codec', 'smallint'],
] as const;

/** A record in the form in which it is stored. */
export interface PackedRecord {
  /** Its id: 32 hexadecimal digits. */
  readonly id: string;
  readonly userId: Uint8Array;
  /** In the order of `RECORD_COLUMNS`. */
  readonly values: readonly unknown[];
  /** In the order of `BODY_COLUMNS`; null: there are no large values. */
  readonly body: readonly unknown[] | null;
  /** Approximate size of the values. */
  readonly bytes: number;
}

/** Shorter values (in bytes) are not worth compressing. */
const MIN_COMPRESSED_BYTES = 4096;
const FAST_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify(zstdCompress);

/** Compresses in the thread pool. Values that would not become smaller are returned as they are. */
async function pack(value: Uint8Array | null): Promise<readonly [Uint8Array | null, number]> {
  if (value === null || value.length < MIN_COMPRESSED_BYTES) return [value, CODEC_PLAIN];
  const packed = await compress(value, FAST_OPTIONS);
  return packed.length < value.length ? [packed, CODEC_ZSTD] : [value, CODEC_PLAIN];
}

const bytesOf = (text: string | null): Uint8Array | null => (text === null ? null : Buffer.from(text));

/** Rejects with TypeError if an id is not a UUID. */
export async function packRecord(record: NewRecord): Promise<PackedRecord> {
  const id = uuidBytes(record.id);
  const userId = uuidBytes(record.userId);
  if (id === null || userId === null) throw new TypeError('an id is not a UUID');
  const { requestJson, answerJson, content } = record;
  const hasBody = requestJson !== null || answerJson !== null || content !== null;
  const parts = hasBody ? [bytesOf(requestJson), bytesOf(answerJson), content] : [];
  const body = (await Promise.all(parts.map(pack))).flat();
  const bytes = body.reduce<number>(
    (sum, part) => sum + (typeof part === 'number' ? 0 : (part?.length ?? 0)),
    0,
  );
  return {
    id: Buffer.from(id).toString('hex'),
    userId,
    values: [id, userId, ...insertRowOf(record).slice(2, RECORD_COLUMNS.length)],
    body: hasBody ? body : null,
    bytes,
  };
}

/**
 * A statement that inserts records, none twice, with their bodies. It returns the ids (hexadecimal) of those that were stored: the
 * others exist.
 */
export function insertStatement(records: readonly PackedRecord[]): Statement {
  const bodies = records.filter(({ body }) => body !== null);
  const parameters = [
    ...records.flatMap(({ values }) => values),
    ...bodies.flatMap(({ values, body }) => [values[0], ...body!]),
  ];
  return [insertSql(records.length, bodies.length), parameters];
}

const statements = new Map<string, string>();

function insertSql(records: number, bodies: number): string {
  const name = `${records} ${bodies}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const rows = Array<string>(records).fill(`(${RECORD_COLUMNS.map(() => '?').join(', ')})`);
  const insert = `INSERT INTO records (${RECORD_COLUMNS.join(', ')}) VALUES ${rows.join(', ')}
ON CONFLICT (id) DO NOTHING RETURNING id`;
  const sql = `WITH stored AS (${insert})${bodies === 0 ? '' : `, bodies AS (${bodySql(bodies)})`}
SELECT encode(id, 'hex') AS id FROM stored`;
  statements.set(name, sql);
  return sql;
}

function bodySql(count: number): string {
  const names = BODY_COLUMNS.map(([column]) => column).join(', ');
  const typed = BODY_COLUMNS.map(([, type]) => `?::${type}`).join(', ');
  const rows = Array<string>(count).fill(`(?::bytea, ${typed})`);
  return `INSERT INTO record_bodies (id, ${names}) SELECT body.* FROM (VALUES ${rows.join(', ')}) AS body (id, ${names})
JOIN stored ON stored.id = body.id`;
}

/** Smaller contents take less space in their record than their hash and its index do in `shared_contents`. */
const MIN_SHARED_BYTES = 1_024;

/**
 * Inserts a record of a job, as a part of a transaction. A content that another record of the user's jobs has is stored once.
 * @returns false: its id exists, so nothing was changed
 */
export async function insertJobRecord(
  connection: PostgresConnection,
  record: NewRecord,
  jobId: Uint8Array,
): Promise<boolean> {
  const { content } = record;
  const isShared = content !== null && content.length >= MIN_SHARED_BYTES;
  const packed = await packRecord(isShared ? { ...record, content: null } : record);
  const names = [...RECORD_COLUMNS, 'job_id'];
  const stored = await connection.run(
    `INSERT INTO records (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT (id) DO NOTHING`,
    [...packed.values, jobId],
  );
  if (stored.changes === 0) return false;
  const shared = isShared ? await shareContent(connection, packed.userId, content) : null;
  const body = packed.body ?? [null, CODEC_PLAIN, null, CODEC_PLAIN, null, CODEC_PLAIN];
  if (packed.body === null && shared === null) return true;
  await connection.run(
    `INSERT INTO record_bodies (id, ${BODY_COLUMNS.map(([column]) => column).join(', ')}, shared)
VALUES (?, ${BODY_COLUMNS.map(() => '?').join(', ')}, ?)`,
    [packed.values[0], ...body, shared],
  );
  return true;
}

/** @returns `shared_contents.number` */
async function shareContent(
  connection: PostgresConnection,
  userId: Uint8Array,
  content: Uint8Array,
): Promise<number> {
  const hash = createHash('sha256').update(content).digest();
  const used = await connection.run(
    'UPDATE shared_contents SET uses = uses + 1 WHERE user_id = ? AND hash = ? RETURNING number',
    [userId, hash],
  );
  const { rows } =
    used.rows.length > 0
      ? used
      : await connection.run(
          // Another transaction may have inserted it meanwhile.
          `INSERT INTO shared_contents (user_id, hash, uses, content, content_codec) VALUES (?, ?, 1, ?, ?)
ON CONFLICT (user_id, hash) DO UPDATE SET uses = shared_contents.uses + 1 RETURNING number`,
          [userId, hash, ...(await pack(content))],
        );
  return (rows[0] as { number: number }).number;
}
