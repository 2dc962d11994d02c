import type { SampleKind, SampleValues } from '../domain/samples.ts';

/** What one replica measured in one step of time. */
export interface SampleRow {
  /** Length of the step, s: 60 or 3,600. */
  readonly step: number;
  /** Start of the step: ms since the epoch, a multiple of its length. */
  readonly at: number;
  readonly kind: SampleKind;
  /** Name of the pool or vendor; `` for the system. */
  readonly name: string;
  /** The process that measured; `` in steps of an hour, which are of all replicas together. */
  readonly replica: string;
  readonly values: SampleValues;
}

/** Measurements over time. The same guarantees as RecordStore. */
export interface SampleStore {
  /** Inserts or replaces all rows, or rejects and changes nothing. */
  put(rows: readonly SampleRow[]): Promise<void>;
  /** Rows of steps that begin at `from` (ms) or later, and before `to`, by time. @param kind null: all kinds */
  list(step: number, kind: SampleKind | null, from: number, to: number): Promise<readonly SampleRow[]>;
  /** The start of the latest stored step of this length; null: there is none. */
  latest(step: number): Promise<number | null>;
  /** Deletes rows of steps of this length that began before `before` (ms). */
  sweep(step: number, before: number): Promise<void>;
}
