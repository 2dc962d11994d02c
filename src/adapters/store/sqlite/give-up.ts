import type { Connection } from './connection.ts';

/**
 * Prepares what takes the contents of records away, in one transaction. The rows of the bodies are deleted and written
 * anew without them: SQLite joins half-empty pages when it deletes, never when it updates.
 */
export function prepareGiveUp(db: Connection): (ids: readonly Uint8Array[]) => null {
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
