import type { Increments } from '../schema/counter-tables.ts';
import type { Db } from '../schema/tables.ts';
import type { RunStatements, Statement } from './statements.ts';

export interface StatsStoreDeps {
  readonly db: Db;
  /** Runs statements in the reader thread. */
  readonly read: RunStatements;
  /** Runs statements in the writer thread. */
  readonly write: RunStatements;
  /** Adds increments in one transaction. */
  readonly count: (increments: readonly Increments[]) => Promise<unknown>;
  /** At the begin of a transaction that merges counters; absent: nothing. */
  readonly beforeMerging?: readonly Statement[];
}
