import { uuidBytes } from '../../../../base/uuid7.ts';
import type { NewRecord } from '../../../../domain/record.ts';
import type { Statement } from '../../queries/statements.ts';
import { columnValues, RECORD_COLUMNS } from '../../schema/record-columns.ts';
import { CODEC_PLAIN, packValue } from '../../schema/tables.ts';

const COLUMNS = [...RECORD_COLUMNS, 'job_id'];

/** The columns of `record_bodies` after the id, with their types: PostgreSQL does not infer them in a subquery. */
const BODY_COLUMNS = [
  ['request', 'bytea'],
  ['request_codec', 'smallint'],
  ['answer', 'bytea'],
  ['answer_codec', 'smallint'],
  ['content', 'bytea'],
  ['content_codec', 'smallint'],
  ['shared', 'bigint'],
] as const;
const NO_BODY: readonly (Uint8Array | number | null)[] = [
  null,
  CODEC_PLAIN,
  null,
  CODEC_PLAIN,
  null,
  CODEC_PLAIN,
];

/** A record in the form in which it is stored. */
export interface PackedRecord {
  /** Its id: 32 hexadecimal digits. */
  readonly id: string;
  /** In the order of `COLUMNS`. */
  readonly values: readonly unknown[];
  /** In the order of `BODY_COLUMNS`; null: there are no large values. */
  readonly body: readonly unknown[] | null;
  /** Approximate size of the values. */
  readonly bytes: number;
}

const bytesOf = (text: string | null): Uint8Array | null => (text === null ? null : Buffer.from(text));

/**
 * @throws TypeError if an id is not a UUID.
 * @param jobId null: the record belongs to no job
 * @param shared `shared_contents.number` of its content; null: the content is in the record, or there is none
 */
export function packRecord(
  record: NewRecord,
  jobId: Uint8Array | null = null,
  shared: number | null = null,
): PackedRecord {
  const id = uuidBytes(record.id);
  const userId = uuidBytes(record.userId);
  if (id === null || userId === null) throw new TypeError('an id is not a UUID');
  const parts = [
    bytesOf(record.requestJson),
    bytesOf(record.answerJson),
    shared === null ? record.content : null,
  ];
  const hasBody = shared !== null || parts.some((part) => part !== null);
  // In this thread, because the thread pool takes three times as long for values of this size.
  const body = hasBody
    ? parts.flatMap((part) => (part === null ? [null, CODEC_PLAIN] : packValue(part)))
    : NO_BODY;
  const bytes = body.reduce<number>(
    (sum, part) => sum + (typeof part === 'number' ? 0 : (part?.length ?? 0)),
    0,
  );
  return {
    id: Buffer.from(id).toString('hex'),
    values: [id, userId, ...columnValues(record).slice(2), jobId],
    body: hasBody ? [...body, shared] : null,
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
  const rows = Array<string>(records).fill(`(${COLUMNS.map(() => '?').join(', ')})`);
  const insert = `INSERT INTO records (${COLUMNS.join(', ')}) VALUES ${rows.join(', ')}
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
