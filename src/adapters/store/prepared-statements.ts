import type { SqliteConnection } from './database.ts';
import { BAD_VALUE, isConflict, type SerializedError, serializeError } from './sqlite-errors.ts';
import { CODEC_PLAIN, packValue } from './tables.ts';

/** A compiled query. Parameters are values that SQLite can bind: text, numbers, bytes, null. */
export type Statement = readonly [sql: string, parameters: readonly unknown[]];

interface StatementResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Runs statements in another thread (in the writer thread as one transaction). Rejects with the errors of the ports. */
export type RunStatements = (statements: readonly Statement[]) => Promise<readonly StatementResult[]>;

const MAX_PREPARED_STATEMENTS = 200;

/** Runs compiled queries on one connection. Each statement is prepared once. */
export function prepareRun(db: SqliteConnection): (statements: readonly Statement[]) => StatementResult[] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const runInTransaction = db.transaction((statements: readonly Statement[]) => statements.map(run));

  const prepare = (sql: string) => db.prepare<unknown[], unknown>(sql);

  function run([sql, parameters]: Statement): StatementResult {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      // Combinations of filters give a few hundred statements.
      if (prepared.size >= MAX_PREPARED_STATEMENTS) prepared.clear();
      statement = prepare(sql);
      prepared.set(sql, statement);
    }
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  return (statements) => (db.readonly ? statements.map(run) : runInTransaction.immediate(statements));
}

/**
 * A record as sent to the writer: the columns of `records` except `body` (ids as text), then request, answer, and the length
 * of the content (-1: none). The contents of a batch are in one buffer, one after the other.
 */
export type RecordInsertRow = readonly (string | number | null)[];

/** Positions in a `RecordInsertRow`. */
export const REQUEST_INDEX = 22;
const ANSWER_INDEX = 23;
const CONTENT_LENGTH_INDEX = 24;

/** Compiled SQL; the parameters are in the order of the columns. */
export interface InsertSql {
  readonly record: string;
  readonly body: string;
}

/** The records of a batch that were not stored: their index and the error. */
export type RefusedRecords = readonly (readonly [number, SerializedError])[];

/**
 * Prepares a function that inserts a batch in one transaction. If it throws, nothing of the batch is stored. A record whose id
 * exists is refused; the others are stored.
 */
export function prepareInsertRecords(
  db: SqliteConnection,
  sql: InsertSql,
): (rows: readonly RecordInsertRow[], contents: Uint8Array) => RefusedRecords {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insertRecord = db.prepare(sql.record);
  const insertBody = db.prepare(sql.body);
  const deleteBody = db.prepare('DELETE FROM record_bodies WHERE seq = ?');
  const recordValues: unknown[] = new Array(REQUEST_INDEX + 1).fill(null);
  const bodyValues: unknown[] = new Array(6).fill(null);
  /** The user of the previous record, which is often the same. */
  let user: { readonly text: string; readonly id: Buffer } = { text: '', id: Buffer.alloc(0) };

  function insert(row: RecordInsertRow, content: Uint8Array | null): SerializedError | null {
    for (let i = 2; i < REQUEST_INDEX; i++) recordValues[i] = row[i];
    const id = bytesOf(row[0] as string);
    const text = row[1] as string;
    if (user.text !== text) user = { text, id: bytesOf(text) };
    if (id.length !== 16 || user.id.length !== 16) return { code: BAD_VALUE, message: 'an id is not a UUID' };
    recordValues[0] = id;
    recordValues[1] = user.id;
    const body = storeBody(row[REQUEST_INDEX] as string | null, row[ANSWER_INDEX] as string | null, content);
    recordValues[REQUEST_INDEX] = body;
    try {
      insertRecord.run(recordValues);
      return null;
    } catch (error) {
      const serialized = serializeError(error);
      if (!isConflict(serialized.code)) throw error;
      if (body !== null) deleteBody.run(body);
      return serialized;
    }
  }

  function storeBody(request: string | null, answer: string | null, content: Uint8Array | null) {
    if (request === null && answer === null && content === null) return null;
    [bodyValues[0], bodyValues[1]] = request === null ? [null, CODEC_PLAIN] : packValue(request);
    [bodyValues[2], bodyValues[3]] = answer === null ? [null, CODEC_PLAIN] : packValue(answer);
    [bodyValues[4], bodyValues[5]] = content === null ? [null, CODEC_PLAIN] : packValue(content);
    return insertBody.run(bodyValues).lastInsertRowid;
  }

  return (rows, contents) => {
    const refused: [number, SerializedError][] = [];
    let at = 0;
    begin.run();
    try {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const length = row[CONTENT_LENGTH_INDEX] as number;
        const error = insert(row, length < 0 ? null : contents.subarray(at, at + length));
        if (error !== null) refused.push([i, error]);
        if (length > 0) at += length;
      }
      commit.run();
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
    return refused;
  };
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/**
 * Prepares a function that removes the contents of records in one transaction. The bodies are deleted and inserted again
 * without the content, because SQLite merges half-empty pages when it deletes rows, but not when it updates them.
 */
export function prepareDropContents(db: SqliteConnection): (ids: readonly Uint8Array[]) => null {
  // By the id of the record: the number of a body may have been reused for another record.
  const find = db.prepare(
    `SELECT seq, request, request_codec, answer, answer_codec
FROM records JOIN record_bodies ON seq = body WHERE id = ?`,
  );
  const remove = db.prepare('DELETE FROM record_bodies WHERE seq = ?');
  const insert = db.prepare(
    `INSERT INTO record_bodies (seq, request, request_codec, answer, answer_codec, content, content_codec)
VALUES (@seq, @request, @request_codec, @answer, @answer_codec, NULL, 0)`,
  );
  const update = db.prepare('UPDATE records SET content_encoding = NULL, content_in_blob = 0 WHERE id = ?');
  const dropContents = db.transaction((ids: readonly Uint8Array[]) => {
    const bodies = ids.map((id) => find.get(id)).filter((row) => row !== undefined) as { seq: number }[];
    for (const { seq } of bodies) remove.run(seq);
    for (const body of bodies) insert.run(body);
    for (const id of ids) update.run(id);
  });
  return (ids) => {
    dropContents.immediate(ids);
    return null;
  };
}

/** A list of counts is flat: user (id as text), step, at, kind, name, count, then the same for the next count. */
export type CountValue = string | number;

const VALUES_PER_COUNT = 6;

/** Prepares a function that adds all counts in one transaction. @param sql adds one count; parameters in that order */
export function prepareAddCounts(db: SqliteConnection, sql: string): (values: readonly CountValue[]) => null {
  const add = db.prepare(sql);
  const addAll = db.transaction((values: readonly CountValue[]) => {
    for (let i = 0; i < values.length; i += VALUES_PER_COUNT) {
      const [user, ...rest] = values.slice(i, i + VALUES_PER_COUNT);
      add.run(bytesOf(user as string), ...rest);
    }
  });
  return (values) => {
    addAll.immediate(values);
    return null;
  };
}
