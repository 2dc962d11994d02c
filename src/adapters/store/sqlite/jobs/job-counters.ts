import type { SqliteConnection } from '../database.ts';

/** Counts of a job by name, for one transaction: each is read and written once. */
export interface OpenCounters {
  count(name: Buffer): number;
  add(name: Buffer): void;
  /** Stores what was added. */
  store(): void;
}

interface Counter {
  readonly name: Buffer;
  readonly stored: number;
  added: number;
}

export function prepareCounters(db: SqliteConnection) {
  const countOf = db.prepare<[Buffer, Buffer], { count: number }>(
    'SELECT count FROM job_counters WHERE job_id = ? AND counter = ?',
  );
  const addTo = db.prepare(
    `INSERT INTO job_counters (job_id, counter, count) VALUES (?, ?, ?)
ON CONFLICT (job_id, counter) DO UPDATE SET count = count + excluded.count`,
  );
  return {
    open(jobId: Buffer): OpenCounters {
      const open = new Map<string, Counter>();
      const counterOf = (name: Buffer): Counter => {
        const key = name.toString('latin1');
        let counter = open.get(key);
        if (counter === undefined) {
          counter = { name, stored: countOf.get(jobId, name)?.count ?? 0, added: 0 };
          open.set(key, counter);
        }
        return counter;
      };
      return {
        count(name) {
          const { stored, added } = counterOf(name);
          return stored + added;
        },
        add(name) {
          counterOf(name).added++;
        },
        store() {
          for (const { name, added } of open.values()) if (added > 0) addTo.run(jobId, name, added);
        },
      };
    },
  };
}
