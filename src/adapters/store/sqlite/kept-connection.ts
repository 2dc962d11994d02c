import type { Connection } from './connection.ts';
import { needsReopening, noteOf } from './sqlite-errors.ts';

/**
 * A connection that is opened when it is first needed and again after a failure that it may not survive. So a
 * thread heals by itself: when the disk has room again, or is writable again, the next call succeeds.
 */
export function keepConnection<T>(open: () => Connection, prepare: (db: Connection) => T) {
  let kept: { readonly db: Connection; readonly prepared: T } | null = null;

  function drop(): void {
    const { db } = kept ?? {};
    kept = null;
    db?.close();
  }

  function connect() {
    const db = open();
    try {
      return { db, prepared: prepare(db) };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  return {
    use<R>(work: (prepared: T, db: Connection) => R): R {
      kept ??= connect();
      try {
        return work(kept.prepared, kept.db);
      } catch (error) {
        if (kept.db.inTransaction || needsReopening(noteOf(error).code)) drop();
        throw error;
      }
    },
    close(last: (db: Connection) => void): void {
      try {
        if (kept !== null) last(kept.db);
      } finally {
        drop();
      }
    },
  };
}
