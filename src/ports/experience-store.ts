export type ExperienceKind = 'site' | 'tables' | 'pin';

/** One thing that is remembered, as text that only the router reads. */
export interface ExperienceRow {
  readonly name: string;
  /** Seconds since the epoch, of the last change. */
  readonly at: number;
  readonly data: string;
}

/** What the router has learned. The same promise as RecordStore. */
export interface ExperienceStore {
  /** Replaces what there was under these names; all of it, or rejects and changes nothing. */
  put(kind: ExperienceKind, rows: readonly ExperienceRow[]): Promise<void>;
  /** The latest first, of the same instant by name. @param skip so many of them are passed over */
  list(kind: ExperienceKind, limit: number, skip: number): Promise<readonly ExperienceRow[]>;
  delete(kind: ExperienceKind, name: string): Promise<void>;
  /** Deletes what was last changed before `before` (s). */
  sweep(kind: ExperienceKind, before: number): Promise<void>;
}
