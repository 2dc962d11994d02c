/** Identifies an `Idempotency-Key`: keys of different users or paths are different. */
export interface IdempotencyKey {
  readonly userId: string;
  /** Path of the endpoint. */
  readonly path: string;
  /** SHA-256 of the text that the caller sent, 32 bytes. */
  readonly hash: Uint8Array;
}

export interface IdempotentRun {
  /** UUID. Later calls change nothing if another run has the key. For a scrape it is the id of the record. */
  readonly id: string;
  /** SHA-256 of the request, 32 bytes. */
  readonly requestHash: Uint8Array;
}

/** What is known of a key that a request has used before. */
export interface UsedKey {
  readonly run: IdempotentRun;
  /** `running`: the response is not known yet. `answered`: it can be replayed. `lost`: it is not known, and never will be. */
  readonly state: 'running' | 'answered' | 'lost';
}

/** Requests with an `Idempotency-Key` and their responses. Times are ms since the epoch. The same guarantees as RecordStore. */
export interface IdempotencyStore {
  /**
   * Gives an unused or expired key to a run.
   * @param times `runsUntil`: when a run that has not ended must have died; `expiresAt`: when the key is unused again
   * @returns null: the key was unused; else what it was used for
   */
  begin(
    key: IdempotencyKey,
    run: IdempotentRun,
    times: { readonly now: number; readonly runsUntil: number; readonly expiresAt: number },
  ): Promise<UsedKey | null>;
  /** Gives a key whose response is lost to another run. @returns false: another request was faster */
  takeOver(
    key: IdempotencyKey,
    lostRunId: string,
    run: IdempotentRun,
    times: { readonly now: number; readonly runsUntil: number; readonly expiresAt: number },
  ): Promise<boolean>;
  /** Stores the response of a run. @param answer sealed with the purpose `idempotency`, for the user */
  answer(key: IdempotencyKey, runId: string, answer: Uint8Array, expiresAt: number): Promise<void>;
  /** null: there is no response (any more). */
  answerOf(key: IdempotencyKey): Promise<Uint8Array | null>;
  /** The run has ended, but its response is not kept. */
  lose(key: IdempotencyKey, runId: string): Promise<void>;
  /** The key is unused again. */
  release(key: IdempotencyKey, runId: string): Promise<void>;
  /** All runs have died, because no service was running on this store until now. */
  loseAll(): Promise<void>;
  /** Deletes at most `limit` keys that have expired. @returns how many */
  sweep(now: number, limit: number): Promise<number>;
  /** Deletes the oldest responses beyond `maxBytes` in all, at most `limit` of them; the keys stay. @returns how many */
  trim(maxBytes: number, limit: number): Promise<number>;
}
