import { createHash } from 'node:crypto';
import { packValue } from '../schema/tables.ts';
import type { SqliteConnection } from './database.ts';

/** Smaller contents take less space in their record than their hash and its index do here. */
const MIN_SHARED_BYTES = 1_024;

/**
 * Stores the content of a record of a job, which is often that of an earlier record: crawls and monitors visit the same pages
 * again and again. Contents of other scrapes are rarely equal, so that looking for them would only cost time.
 * @returns `shared_contents.number`; null: the content is too small, and belongs into its own record
 */
export type ShareContent = (userId: Buffer, content: Uint8Array) => number | null;

export function prepareShareContent(db: SqliteConnection): ShareContent {
  const use = db.prepare<[Buffer, Buffer], { number: number }>(
    'UPDATE shared_contents SET uses = uses + 1 WHERE user_id = ? AND hash = ? RETURNING number',
  );
  const insert = db.prepare<unknown[], { number: number }>(
    `INSERT INTO shared_contents (user_id, hash, uses, content, content_codec)
VALUES (?, ?, 1, ?, ?) RETURNING number`,
  );
  return (userId, content) => {
    if (content.length < MIN_SHARED_BYTES) return null;
    const hash = createHash('sha256').update(content).digest();
    const { number } = use.get(userId, hash) ?? insert.get(userId, hash, ...packValue(content))!;
    return number;
  };
}
