import { PLAIN, pack } from '../queries/codec.ts';
import type { Connection } from './connection.ts';
import { BAD_VALUE, type ErrorNote, isConflict, noteOf } from './sqlite-errors.ts';

/**
 * A record on its way to the writer: the columns of `records` but `body` (ids as text), then request, answer and the
 * length of the content, -1 for none. The contents of a batch follow one another in one buffer.
 */
export type PutRow = readonly (string | number | null)[];

/** Where the heavy members stand in a `PutRow`. */
export const REQUEST = 22;
const ANSWER = 23;
const CONTENT_LENGTH = 24;

/** Compiled SQL; the parameters are in the order of the columns. */
export interface InsertSql {
  readonly record: string;
  readonly body: string;
}

/** Records of a batch that are refused alone: their index and why. */
export type Refused = readonly (readonly [number, ErrorNote])[];

/**
 * Prepares what inserts batches on this connection, one transaction each. What SQLite throws means: none of the
 * batch is stored. A refused record (its id exists) does not keep the others out.
 */
export function prepareInsert(
  db: Connection,
  sql: InsertSql,
): (rows: readonly PutRow[], contents: Uint8Array) => Refused {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insertRecord = db.prepare(sql.record);
  const insertBody = db.prepare(sql.body);
  const dropBody = db.prepare('DELETE FROM record_bodies WHERE seq = ?');
  const values: unknown[] = new Array(REQUEST + 1).fill(null);
  const heavy: unknown[] = new Array(6).fill(null);
  /** Of the record before: mostly it is the same user. */
  let user: { readonly text: string; readonly id: Buffer } = { text: '', id: Buffer.alloc(0) };

  function insert(row: PutRow, content: Uint8Array | null): ErrorNote | null {
    for (let i = 2; i < REQUEST; i++) values[i] = row[i];
    const id = bytesOf(row[0] as string);
    const text = row[1] as string;
    if (user.text !== text) user = { text, id: bytesOf(text) };
    if (id.length !== 16 || user.id.length !== 16) return { code: BAD_VALUE, message: 'an id is not a UUID' };
    values[0] = id;
    values[1] = user.id;
    const body = storeBody(row[REQUEST] as string | null, row[ANSWER] as string | null, content);
    values[REQUEST] = body;
    try {
      insertRecord.run(values);
      return null;
    } catch (error) {
      const note = noteOf(error);
      if (!isConflict(note.code)) throw error;
      if (body !== null) dropBody.run(body);
      return note;
    }
  }

  function storeBody(request: string | null, answer: string | null, content: Uint8Array | null) {
    if (request === null && answer === null && content === null) return null;
    [heavy[0], heavy[1]] = request === null ? [null, PLAIN] : pack(request);
    [heavy[2], heavy[3]] = answer === null ? [null, PLAIN] : pack(answer);
    [heavy[4], heavy[5]] = content === null ? [null, PLAIN] : pack(content);
    return insertBody.run(heavy).lastInsertRowid;
  }

  return (rows, contents) => {
    const refused: [number, ErrorNote][] = [];
    let at = 0;
    begin.run();
    try {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const length = row[CONTENT_LENGTH] as number;
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
