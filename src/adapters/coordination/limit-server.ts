/** What one replica holds under some names, and what it wants further. */
export interface Exchange {
  readonly replica: string;
  readonly epoch: number;
  /** Higher than that of every earlier exchange of this replica. */
  readonly seq: number;
  readonly names: readonly string[];
  /** How many places the replica holds under each name. The server replaces its own count by it. */
  readonly held: readonly number[];
  readonly groups: readonly ExchangeGroup[];
}

interface ExchangeGroup {
  readonly wanted: number;
  /** One place under each of these names makes one holding. `name` is an index of `Exchange.names`. */
  readonly claims: readonly { readonly name: number; readonly limit: number }[];
}

/** For each group how many holdings were given, and how many more could be taken. */
export interface ExchangeResult {
  readonly granted: readonly number[];
  readonly remaining: readonly number[];
}

/**
 * Counts the places of all replicas during an epoch. Methods reject with `StorageError` if the server fails. An exchange whose
 * answer was lost is harmless, because the next one has the true counts.
 */
export interface LimitServer {
  /**
   * Renews the lease of a replica at the server.
   * @param isNew the replica enters the epoch
   * @returns `ended`: it was too late; `data_lost`: the server no longer has what this epoch counted
   */
  renew(replica: string, epoch: number, isNew: boolean): Promise<'renewed' | 'ended' | 'data_lost'>;
  /** Frees what the replica holds. */
  leave(replica: string, epoch: number): Promise<void>;
  /** @returns null: the replica, or the epoch, is unknown to the server: it must be entered again */
  exchange(exchange: Exchange): Promise<ExchangeResult | null>;
  inUse(epoch: number, name: string): Promise<number>;
  inUseBelow(epoch: number, prefix: string): Promise<number>;
}

export interface Renewal {
  readonly epoch: number;
  /** Run id of the Redis server that counts; null: PostgreSQL does. */
  readonly redisRun: string | null;
  /** All live replicas have entered the epoch, so places can be given. */
  readonly settled: boolean;
  /** false: the lease has ended, or the replica must enter the new epoch first. */
  readonly renewed: boolean;
  /** All live replicas have reached the same Redis server for half a minute. */
  readonly redisWell: boolean;
}

/** The replicas that are live, and the epoch. Methods reject with `StorageError`. */
export interface ReplicaRegistry {
  /**
   * @param epoch that the replica has entered with all that it holds; null: it is new, and holds nothing
   * @param redisRun run id of the Redis server that the replica reaches; null: none
   */
  renew(replica: string, epoch: number | null, redisRun: string | null): Promise<Renewal>;
  /**
   * Begins the epoch after `from`, unless another replica has done so.
   * @param redisRun of the Redis server that will count; null: PostgreSQL will
   * @param prepare called before, with the number of the new epoch; if it rejects, there is none
   */
  begin(from: number, redisRun: string | null, prepare?: (epoch: number) => Promise<void>): Promise<void>;
  leave(replica: string): Promise<void>;
  /** Deletes what is no longer needed, of all replicas. */
  sweep(): Promise<void>;
}
