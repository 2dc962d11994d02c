import { type BlobStore, STORAGE_TIMEOUT_MS, StorageError } from '../../ports/store.ts';
import type { Postgres, PostgresConnection } from '../postgres/postgres.ts';
import { assertBlobKey } from './blob-key.ts';
import { compressToParts, decompressBlob } from './compress-blob.ts';
import { UsageCount } from './usage-count.ts';

/** Of a row. PostgreSQL itself cuts rows into pages; larger rows take more memory at once on both sides. */
const CHUNK_BYTES = 2 ** 20;
const KEYS_PER_PAGE = 1_000;
/** All blobs are counted again after this time, for the changes of other processes. */
const COUNT_FRESH_MS = 60_000;
/** How long the compression of a row may take, on a busy machine. */
const COMPRESSION_TIMEOUT_MS = 10_000;
/** No blob has this key. */
const CHECK_KEY = '';

const LOCK_SQL = 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))';
const INSERT_SQL = 'INSERT INTO blob_chunks (key, n, bytes) VALUES (?, ?, ?)';
/** So many rows at once, because a query has a time limit that the whole of a large blob may exceed on a busy machine. */
const CHUNKS_AT_ONCE = 8;
const GET_SQL = `SELECT bytes, (SELECT count(*)::int FROM blob_chunks WHERE key = ?) AS chunks FROM blob_chunks WHERE key = ? AND n >= ? ORDER BY n LIMIT ${CHUNKS_AT_ONCE}`;
const DELETE_SQL = 'DELETE FROM blob_chunks WHERE key = ? RETURNING octet_length(bytes) AS size';
const KEYS_SQL = `SELECT key FROM blob_chunks WHERE n = 0 AND key > ? ORDER BY key LIMIT ${KEYS_PER_PAGE}`;
const USAGE_SQL = 'SELECT coalesce(sum(octet_length(bytes)), 0) AS size FROM blob_chunks';

/** Stores blobs as zstd-compressed rows of 1 MiB in the table `blob_chunks`, each blob in one transaction. `postgres` stays open. */
export function openPostgresBlobStore(postgres: Postgres): BlobStore {
  const writing = new Set<Promise<void>>();
  let closed = false;
  const count = new UsageCount(async () => {
    const [result] = await postgres.write([[USAGE_SQL, []]]);
    return sizesOf(result!.rows);
  }, COUNT_FRESH_MS);

  function assertOpen(): void {
    if (closed) throw new StorageError('the blob store is closed');
  }

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    count.add(
      await postgres.transaction((connection) => putChunks(connection, key, bytes), COMPRESSION_TIMEOUT_MS),
    );
  }

  return {
    putTimeoutMs: STORAGE_TIMEOUT_MS,
    isApart: false,
    async put(key, bytes) {
      assertOpen();
      assertBlobKey(key);
      const done = write(key, bytes);
      writing.add(done);
      try {
        await done;
      } finally {
        writing.delete(done);
      }
    },
    async get(key) {
      assertOpen();
      assertBlobKey(key);
      const chunks: Buffer[] = [];
      for (let all = 1; chunks.length < all; ) {
        // Not from the read replica, which can be behind: a record would be there without its content.
        const [result] = await postgres.write([[GET_SQL, [key, key, chunks.length]]]);
        const rows = result!.rows as { bytes: Buffer; chunks: number }[];
        // Not there, or deleted meanwhile.
        if (rows.length === 0) return null;
        chunks.push(...rows.map(({ bytes }) => bytes));
        all = rows[0]!.chunks;
      }
      return decompressBlob(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).catch((error) => {
        throw new StorageError('a blob in PostgreSQL is damaged', { cause: error });
      });
    },
    async delete(key) {
      assertOpen();
      assertBlobKey(key);
      const [result] = await postgres.write([[DELETE_SQL, [key]]]);
      count.add(-sizesOf(result!.rows));
    },
    async *keys() {
      assertOpen();
      let last = CHECK_KEY;
      for (;;) {
        const [result] = await postgres.write([[KEYS_SQL, [last]]]);
        const keys = (result!.rows as { key: string }[]).map(({ key }) => key);
        yield* keys;
        if (keys.length < KEYS_PER_PAGE) return;
        last = keys.at(-1)!;
      }
    },
    async usage() {
      assertOpen();
      return count.read();
    },
    async check() {
      assertOpen();
      await postgres.transaction(async (connection) => {
        await putChunks(connection, CHECK_KEY, new Uint8Array(1));
        await connection.run(DELETE_SQL, [CHECK_KEY]);
      });
    },
    async close() {
      closed = true;
      await Promise.allSettled(writing);
    },
  };
}

/** @returns the number of bytes by which the table has grown */
async function putChunks(connection: PostgresConnection, key: string, bytes: Uint8Array): Promise<number> {
  // Another transaction that stores the same key waits here, instead of failing at its first row.
  await connection.run(LOCK_SQL, [key]);
  let grown = -sizesOf((await connection.run(DELETE_SQL, [key])).rows);
  let n = 0;
  for await (const chunk of compressToParts(bytes, CHUNK_BYTES)) {
    await connection.run(INSERT_SQL, [key, n++, chunk]);
    grown += chunk.length;
  }
  return grown;
}

const sizesOf = (rows: readonly unknown[]): number =>
  (rows as { readonly size: number }[]).reduce((sum, { size }) => sum + size, 0);
