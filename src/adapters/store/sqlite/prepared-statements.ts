import type { Statement, StatementResult } from '../queries/statements.ts';
import {
  COUNTER_TABLES,
  type CounterTableName,
  columnsOf,
  type Increments,
  onConflict,
} from '../schema/counter-tables.ts';
import { RECORD_COLUMNS } from '../schema/record-columns.ts';
import { CODEC_PLAIN, packValue } from '../schema/tables.ts';
import type { SqliteConnection } from './database.ts';
import { prepareShareContent } from './shared-contents.ts';
import { BAD_VALUE, isConflict, type SerializedError, serializeError } from './sqlite-errors.ts';

const MAX_PREPARED_STATEMENTS = 200;

/** Returns a function that runs compiled queries on this connection. Each statement is prepared once. */
export function prepareRun(db: SqliteConnection): (statements: readonly Statement[]) => StatementResult[] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const runInTransaction = db.transaction((statements: readonly Statement[]) => statements.map(run));

  const prepare = (sql: string) => db.prepare<unknown[], unknown>(sql);

  function run([sql, parameters]: Statement): StatementResult {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      // Lists have a statement for each combination of filters, which may be hundreds.
      if (prepared.size >= MAX_PREPARED_STATEMENTS) prepared.clear();
      statement = prepare(sql);
      prepared.set(sql, statement);
    }
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  if (!db.readonly) return (statements) => runInTransaction.immediate(statements);
  return (statements) => (statements.length === 1 ? statements.map(run) : runInTransaction(statements));
}

/**
 * A record as sent to the writer: the values of `RECORD_COLUMNS` (ids as text), then request, answer, and the size
 * of the content (-1: none). The contents of all records of a batch are in one buffer, one after the other.
 */
export type RecordInsertRow = readonly (string | number | null)[];

/** Positions in a `RecordInsertRow`. */
const REQUEST_INDEX = RECORD_COLUMNS.length;
const ANSWER_INDEX = REQUEST_INDEX + 1;
const CONTENT_LENGTH_INDEX = REQUEST_INDEX + 2;

const BODY_COLUMNS = [
  'request',
  'request_codec',
  'answer',
  'answer_codec',
  'content',
  'content_codec',
  'shared',
];

const insertSql = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;

/** The records of a batch that were not stored: their index in the batch, and the error. */
export type RefusedRecords = readonly (readonly [number, SerializedError])[];

/**
 * Inserts a record, as a part of a transaction.
 * @param jobId null: the record belongs to no job
 * @returns why it was not stored: its id exists, or is not a UUID; null: it was stored
 */
export type InsertRecord = (
  row: RecordInsertRow,
  content: Uint8Array | null,
  jobId: Uint8Array | null,
) => SerializedError | null;

export function prepareInsertRecord(db: SqliteConnection): InsertRecord {
  const insertRecord = db.prepare(insertSql('records', [...RECORD_COLUMNS, 'body', 'job_id']));
  const insertBody = db.prepare(insertSql('record_bodies', BODY_COLUMNS));
  const deleteBody = db.prepare('DELETE FROM record_bodies WHERE seq = ?');
  const recordValues: unknown[] = new Array(RECORD_COLUMNS.length + 2).fill(null);
  const shareContent = prepareShareContent(db);
  const bodyValues: unknown[] = new Array(BODY_COLUMNS.length).fill(null);
  /** The user of the previous record, cached because it is often the same. */
  let user: { readonly text: string; readonly id: Buffer } = { text: '', id: Buffer.alloc(0) };

  function storeBody(
    request: string | null,
    answer: string | null,
    content: Uint8Array | null,
    shared: number | null,
  ) {
    if (request === null && answer === null && content === null) return null;
    [bodyValues[0], bodyValues[1]] = request === null ? [null, CODEC_PLAIN] : packValue(request);
    [bodyValues[2], bodyValues[3]] = answer === null ? [null, CODEC_PLAIN] : packValue(answer);
    [bodyValues[4], bodyValues[5]] =
      content === null || shared !== null ? [null, CODEC_PLAIN] : packValue(content);
    bodyValues[6] = shared;
    return insertBody.run(bodyValues).lastInsertRowid;
  }

  return (row, content, jobId) => {
    for (let i = 2; i < RECORD_COLUMNS.length; i++) recordValues[i] = row[i];
    const id = bytesOf(row[0] as string);
    const text = row[1] as string;
    if (user.text !== text) user = { text, id: bytesOf(text) };
    if (id.length !== 16 || user.id.length !== 16) return { code: BAD_VALUE, message: 'an id is not a UUID' };
    recordValues[0] = id;
    recordValues[1] = user.id;
    const shared = jobId === null || content === null ? null : shareContent(user.id, content);
    const texts = [row[REQUEST_INDEX] as string | null, row[ANSWER_INDEX] as string | null] as const;
    const body = storeBody(...texts, content, shared);
    recordValues[RECORD_COLUMNS.length] = body;
    recordValues[RECORD_COLUMNS.length + 1] = jobId;
    try {
      insertRecord.run(recordValues);
      return null;
    } catch (error) {
      const serialized = serializeError(error);
      if (!isConflict(serialized.code)) throw error;
      if (body !== null) deleteBody.run(body);
      return serialized;
    }
  };
}

/**
 * Prepares a function that inserts a batch in one transaction. If it throws, nothing of the batch is stored. A record whose id
 * exists is refused; the others are stored.
 */
export function prepareInsertRecords(
  db: SqliteConnection,
  insert: InsertRecord,
): (rows: readonly RecordInsertRow[], contents: Uint8Array) => RefusedRecords {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  return (rows, contents) => {
    const refused: [number, SerializedError][] = [];
    let offset = 0;
    begin.run();
    try {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const length = row[CONTENT_LENGTH_INDEX] as number;
        const error = insert(row, length < 0 ? null : contents.subarray(offset, offset + length), null);
        if (error !== null) refused.push([i, error]);
        if (length > 0) offset += length;
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
 * Prepares a function that removes the contents of records in one transaction. It deletes the bodies and inserts them again
 * without the content, because SQLite merges half-empty pages only when rows are deleted, not when they are updated.
 */
export function prepareDropContents(db: SqliteConnection): (ids: readonly Uint8Array[]) => null {
  // By the id of the record, not the number of the body, which may have been reused for another record.
  const selectBody = db.prepare(
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
    const bodies = ids.map((id) => selectBody.get(id)).filter((row) => row !== undefined) as {
      seq: number;
    }[];
    for (const { seq } of bodies) remove.run(seq);
    for (const body of bodies) insert.run(body);
    for (const id of ids) update.run(id);
  });
  return (ids) => {
    dropContents.immediate(ids);
    return null;
  };
}

/** Prepares a function that adds all increments in one transaction. */
export function prepareAddCounts(db: SqliteConnection): (increments: readonly Increments[]) => null {
  const prepared = new Map<CounterTableName, { readonly width: number; run(row: unknown[]): void }>();
  const prepare = (name: CounterTableName) => {
    const columns = columnsOf(COUNTER_TABLES[name]);
    const statement = db.prepare(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ${onConflict(name)}`,
    );
    return { width: columns.length, run: (row: unknown[]) => void statement.run(row) };
  };
  const addAll = db.transaction((increments: readonly Increments[]) => {
    for (const [name, values] of increments) {
      const add = prepared.get(name) ?? prepare(name);
      prepared.set(name, add);
      for (let i = 0; i < values.length; i += add.width) {
        const [user, ...rest] = values.slice(i, i + add.width);
        add.run([bytesOf(user as string), ...rest]);
      }
    }
  });
  return (increments) => {
    addAll.immediate(increments);
    return null;
  };
}
