/** A scrape request that a user has saved under a name. */
export interface SavedRequestRow {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  /** As the user wrote it, with masked secrets. */
  readonly requestJson: string;
  /** ms since the epoch. */
  readonly updatedAt: number;
}

/** Saved requests of users. The same guarantees as RecordStore. Names are compared exactly. */
export interface SavedRequestStore {
  /** By name. */
  list(userId: string): Promise<readonly SavedRequestRow[]>;
  /**
   * Replaces the user's request of the same name, which keeps its id.
   * @param max how many requests the user may have
   * @returns what is stored; null: the user has `max` others already
   */
  put(userId: string, row: SavedRequestRow, max: number): Promise<SavedRequestRow | null>;
  /** @returns false: the user has no such request */
  delete(userId: string, id: string): Promise<boolean>;
}
