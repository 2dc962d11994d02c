import type { SqliteConnection } from './database.ts';
import { BAD_VALUE, isConflict, type SerializedError, serializeError } from './sqlite-errors.ts';
import { CODEC_PLAIN, packValue } from './tables.ts';

/** A compiled query. Parameters are what SQLite can bind: text, numbers, bytes, null. */
export type Statement = readonly [sql: string, parameters: readonly unknown[]];

interface StatementResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Runs statements in another thread, in one transaction where they write; rejects with the errors of the ports. */
export type RunStatements = (statements: readonly Statement[]) => Promise<readonly StatementResult[]>;

const MAX_PREPARED_STATEMENTS = 200;

/** Runs compiled queries on one connection; statements are prepared once. */
export function prepareRun(db: SqliteConnection): (statements: readonly Statement[]) => StatementResult[] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const all = db.transaction((statements: readonly Statement[]) => statements.map(run));

  const prepare = (sql: string) => db.prepare<unknown[], unknown>(sql);

  function run([sql, parameters]: Statement): StatementResult {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      // Filters make a few hundred shapes at most; a bound all the same.
      if (prepared.size >= MAX_PREPARED_STATEMENTS) prepared.clear();
      statement = prepare(sql);
      prepared.set(sql, statement);
    }
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  return (statements) => (db.readonly ? statements.map(run) : all.immediate(statements));
}

/**
 * A record on its way to the writer: the columns of `records` but `body` (ids as text), then request, answer and the
 * length of the content, -1 for none. The contents of a batch follow one another in one buffer.
 */
export type RecordInsertRow = readonly (string | number | null)[];

/** Where the heavy members stand in a `RecordInsertRow`. */
export const REQUEST_INDEX = 22;
const ANSWER_INDEX = 23;
const CONTENT_LENGTH_INDEX = 24;

/** Compiled SQL; the parameters are in the order of the columns. */
export interface InsertSql {
  readonly record: string;
  readonly body: string;
}

/** Records of a batch that are refused alone: their index and why. */
export type RefusedRecords = readonly (readonly [number, SerializedError])[];

/**
 * Prepares what inserts batches on this connection, one transaction each. What SQLite throws means: none of the
 * batch is stored. A refused record (its id exists) does not keep the others out.
 */
export function prepareInsertRecords(
  db: SqliteConnection,
  sql: InsertSql,
): (rows: readonly RecordInsertRow[], contents: Uint8Array) => RefusedRecords {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insertRecord = db.prepare(sql.record);
  const insertBody = db.prepare(sql.body);
  const dropBody = db.prepare('DELETE FROM record_bodies WHERE seq = ?');
  const values: unknown[] = new Array(REQUEST_INDEX + 1).fill(null);
  const heavy: unknown[] = new Array(6).fill(null);
  /** Of the record before: mostly it is the same user. */
  let user: { readonly text: string; readonly id: Buffer } = { text: '', id: Buffer.alloc(0) };

  function insert(row: RecordInsertRow, content: Uint8Array | null): SerializedError | null {
    for (let i = 2; i < REQUEST_INDEX; i++) values[i] = row[i];
    const id = bytesOf(row[0] as string);
    const text = row[1] as string;
    if (user.text !== text) user = { text, id: bytesOf(text) };
    if (id.length !== 16 || user.id.length !== 16) return { code: BAD_VALUE, message: 'an id is not a UUID' };
    values[0] = id;
    values[1] = user.id;
    const body = storeBody(row[REQUEST_INDEX] as string | null, row[ANSWER_INDEX] as string | null, content);
    values[REQUEST_INDEX] = body;
    try {
      insertRecord.run(values);
      return null;
    } catch (error) {
      const note = serializeError(error);
      if (!isConflict(note.code)) throw error;
      if (body !== null) dropBody.run(body);
      return note;
    }
  }

  function storeBody(request: string | null, answer: string | null, content: Uint8Array | null) {
    if (request === null && answer === null && content === null) return null;
    [heavy[0], heavy[1]] = request === null ? [null, CODEC_PLAIN] : packValue(request);
    [heavy[2], heavy[3]] = answer === null ? [null, CODEC_PLAIN] : packValue(answer);
    [heavy[4], heavy[5]] = content === null ? [null, CODEC_PLAIN] : packValue(content);
    return insertBody.run(heavy).lastInsertRowid;
  }

  return (rows, contents) => {
    const refused: [number, SerializedError][] = [];
    let at = 0;
    begin.run();
    try {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const length = row[CONTENT_LENGTH_INDEX] as number;
        const note = insert(row, length < 0 ? null : contents.subarray(at, at + length));
        if (note !== null) refused.push([i, note]);
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
 * Prepares what takes the contents of records away, in one transaction. The rows of the bodies are deleted and written
 * anew without them: SQLite joins half-empty pages when it deletes, never when it updates.
 */
export function prepareDropContents(db: SqliteConnection): (ids: readonly Uint8Array[]) => null {
  // By id, for the number of a body may belong to another record by now.
  const find = db.prepare(
    `SELECT seq, request, request_codec, answer, answer_codec
FROM records JOIN record_bodies ON seq = body WHERE id = ?`,
  );
  const drop = db.prepare('DELETE FROM record_bodies WHERE seq = ?');
  const insert = db.prepare(
    `INSERT INTO record_bodies (seq, request, request_codec, answer, answer_codec, content, content_codec)
VALUES (@seq, @request, @request_codec, @answer, @answer_codec, NULL, 0)`,
  );
  const mark = db.prepare('UPDATE records SET content_encoding = NULL, content_in_blob = 0 WHERE id = ?');
  const all = db.transaction((ids: readonly Uint8Array[]) => {
    const bodies = ids.map((id) => find.get(id)).filter((row) => row !== undefined) as { seq: number }[];
    for (const { seq } of bodies) drop.run(seq);
    for (const body of bodies) insert.run(body);
    for (const id of ids) mark.run(id);
  });
  return (ids) => {
    all.immediate(ids);
    return null;
  };
}

/** User (id as text), step, at, kind, name, count, and so on. */
export type CountValue = string | number;

const VALUES_PER_COUNT = 6;

/** Prepares what adds counts on this connection, all or nothing. @param sql of one, in that order */
export function prepareAddCounts(db: SqliteConnection, sql: string): (values: readonly CountValue[]) => null {
  const add = db.prepare(sql);
  const all = db.transaction((values: readonly CountValue[]) => {
    for (let i = 0; i < values.length; i += VALUES_PER_COUNT) {
      const [user, ...rest] = values.slice(i, i + VALUES_PER_COUNT);
      add.run(Buffer.from((user as string).replaceAll('-', ''), 'hex'), ...rest);
    }
  });
  return (values) => {
    all.immediate(values);
    return null;
  };
}
