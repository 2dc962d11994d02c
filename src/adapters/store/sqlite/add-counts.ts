import type { Connection } from './connection.ts';

/** User (id as text), step, at, kind, name, count, and so on. */
export type CountValue = string | number;

const VALUES = 6;

/** Prepares what adds counts on this connection, all or nothing. @param sql of one, in that order */
export function prepareAddCounts(db: Connection, sql: string): (values: readonly CountValue[]) => null {
  const add = db.prepare(sql);
  const all = db.transaction((values: readonly CountValue[]) => {
    for (let i = 0; i < values.length; i += VALUES) {
      const [user, ...rest] = values.slice(i, i + VALUES);
      add.run(Buffer.from((user as string).replaceAll('-', ''), 'hex'), ...rest);
    }
  });
  return (values) => {
    all.immediate(values);
    return null;
  };
}
