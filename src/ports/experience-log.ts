/** A batch of changes by one replica. */
export interface LoggedChanges {
  /** Greater than that of all batches before it. */
  readonly position: number;
  /** Id of the replica. */
  readonly origin: string;
  /** Only the router knows the format. */
  readonly data: string;
}

/**
 * What the replicas of a service learn about sites, in one order for all of them. Every implementation guarantees: whoever
 * has read up to a position never finds a new batch at or before it; an appended batch survives `kill -9`. Methods reject with
 * `StorageError` if the storage fails.
 */
export interface ExperienceLog {
  /**
   * Adds a batch. If the origin has added this batch before, it is not added again.
   * @param batch number of the batch, of this origin
   * @returns its position
   */
  append(origin: string, batch: number, data: string): Promise<number>;
  /** Batches after a position, in their order. */
  after(position: number, limit: number): Promise<readonly LoggedChanges[]>;
  /** Deletes batches that were added more than `ageS` seconds ago, by the clock of the storage. */
  sweep(ageS: number): Promise<void>;
}
