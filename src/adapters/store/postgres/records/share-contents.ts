import { createHash } from 'node:crypto';
import { uuidBytes } from '../../../../base/uuid7.ts';
import type { NewRecord } from '../../../../domain/record.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { packValue } from '../../schema/tables.ts';

/** Smaller contents take less space in their record than their hash and its index do in `shared_contents`. */
const MIN_SHARED_BYTES = 1_024;

/** A content of a user, and how many of the records have it. */
interface SharedContent {
  readonly key: string;
  readonly userId: Uint8Array;
  readonly hash: Buffer;
  readonly content: Uint8Array;
  uses: number;
}

// The rows are locked in the order of their numbers, so that transactions do not wait for each other in a circle.
const USE_SQL = `UPDATE shared_contents AS s SET uses = s.uses + known.uses FROM (
  SELECT t.number, x.uses FROM unnest(?::bytea[], ?::bytea[], ?::bigint[]) AS x (user_id, hash, uses)
  JOIN shared_contents AS t ON t.user_id = x.user_id AND t.hash = x.hash ORDER BY t.number FOR UPDATE OF t
) AS known WHERE s.number = known.number RETURNING s.number, s.user_id, s.hash`;

// Another transaction may have inserted the same content meanwhile.
const INSERT_SQL = `INSERT INTO shared_contents (user_id, hash, uses, content, content_codec)
SELECT * FROM unnest(?::bytea[], ?::bytea[], ?::bigint[], ?::bytea[], ?::smallint[]) AS x (user_id, hash, uses, content, codec)
ORDER BY user_id, hash
ON CONFLICT (user_id, hash) DO UPDATE SET uses = shared_contents.uses + excluded.uses RETURNING number, user_id, hash`;

/**
 * Stores the contents of records of jobs, each once for a user, as a part of a transaction.
 * @returns for each record `shared_contents.number`; null: its content is too small, and belongs into the record
 */
export async function shareContents(
  connection: PostgresConnection,
  records: readonly NewRecord[],
): Promise<readonly (number | null)[]> {
  const contents = new Map<string, SharedContent>();
  const keys = records.map((record) => addContent(contents, record));
  const numbers = new Map<string, number>();
  const remember = (rows: readonly unknown[]) => {
    for (const { number, user_id, hash } of rows as readonly {
      number: number;
      user_id: Uint8Array;
      hash: Uint8Array;
    }[])
      numbers.set(keyOf(user_id, hash), number);
  };
  if (contents.size > 0) remember((await connection.run(USE_SQL, columnsOf([...contents.values()]))).rows);
  const added = [...contents.values()].filter(({ key }) => !numbers.has(key));
  if (added.length > 0) {
    const packed = added.map(({ content }) => packValue(content));
    const values = [packed.map(([content]) => content), packed.map(([, codec]) => codec)];
    remember((await connection.run(INSERT_SQL, [...columnsOf(added), ...values])).rows);
  }
  return keys.map((key) => (key === null ? null : numbers.get(key)!));
}

/** @returns its key; null: it is not to be shared */
function addContent(
  contents: Map<string, SharedContent>,
  { userId: user, content }: NewRecord,
): string | null {
  const userId = uuidBytes(user);
  if (content === null || content.length < MIN_SHARED_BYTES || userId === null) return null;
  const hash = createHash('sha256').update(content).digest();
  const key = keyOf(userId, hash);
  const known = contents.get(key);
  if (known === undefined) contents.set(key, { key, userId, hash, content, uses: 1 });
  else known.uses++;
  return key;
}

const keyOf = (userId: Uint8Array, hash: Uint8Array): string =>
  Buffer.concat([userId, hash]).toString('base64');

const columnsOf = (contents: readonly SharedContent[]) => [
  contents.map(({ userId }) => userId),
  contents.map(({ hash }) => hash),
  contents.map(({ uses }) => uses),
];
