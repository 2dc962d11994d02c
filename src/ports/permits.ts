export interface PermitRequest {
  readonly userId: string;
  /** Of the user, over all keys and replicas. */
  readonly limit: number;
  readonly keyId: string | null;
  /** The key's share; null: the user's limit. */
  readonly keyLimit: number | null;
}

export interface Permit {
  /** What is left after this one: the smaller of the user's and the key's. */
  readonly remaining: number;
  /** Gives the slot back; a second call does nothing. */
  release(): void;
}

/**
 * Counts requests in flight. Every implementation keeps this: never more than `limit` permits of a user (or `keyLimit`
 * of a key) are out at once; `take` refuses only when the limit is reached at that moment; a released permit is free
 * for the next `take`.
 */
export interface Permits {
  /** A permit, or null at the limit. */
  take(ask: PermitRequest): Promise<Permit | null> | Permit | null;
  /** How many the user has out now; null: all users together. */
  inUse(userId: string | null): Promise<number> | number;
  close(): Promise<void>;
}
