export interface PermitRequest {
  readonly userId: string;
  /** Limit of the user, over all keys and replicas. */
  readonly limit: number;
  readonly keyId: string | null;
  /** Limit of the key; null: the user's limit. */
  readonly keyLimit: number | null;
}

export interface Permit {
  /** How many more permits could be taken now: by the user or with the key, whichever is fewer. */
  readonly remaining: number;
  /** Aborts with `HOLDING_LOST` when another replica may soon get the permit: the request must end at once. */
  readonly signal: AbortSignal;
  /** Returns the permit. A second call does nothing. */
  release(): void;
}

/**
 * Counts requests in flight. Every implementation guarantees: there are never more than `limit` permits of a user (or
 * `keyLimit` of a key) at once; `take` refuses only if the limit is reached at that moment; a released permit is available
 * to the next `take`. `take` rejects with `StorageError` or `CoordinationError` if permits cannot be counted.
 */
export interface Permits {
  /** @returns null: the limit is reached */
  take(request: PermitRequest): Promise<Permit | null> | Permit | null;
  /** The number of permits in use. @param userId null: all users together */
  inUse(userId: string | null): Promise<number> | number;
}
