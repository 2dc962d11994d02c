import type { SealPurpose } from '../domain/sealing.ts';

/** A sealed value with what it is bound to, and the place where it is stored. */
export interface SealedValue {
  readonly purpose: SealPurpose;
  readonly owner: string;
  readonly sealed: Uint8Array;
  /** Identifies the value for `replace`. Its form belongs to the store. */
  readonly place: unknown;
}

export interface SealedCount {
  readonly purpose: SealPurpose;
  /** null: the value is not encrypted, or damaged. */
  readonly keyId: string | null;
  readonly count: number;
}

interface SealedPage {
  readonly values: readonly SealedValue[];
  /** For the next call; null: these were the last. */
  readonly next: unknown;
}

/** All values of the store that were encrypted by a `Sealer`. The same guarantees as RecordStore. */
export interface SecretStore {
  /** A secret of the service itself, by its name. @param sealed stored if there is none yet. @returns what is stored */
  getOrAdd(name: string, sealed: Uint8Array): Promise<Uint8Array>;
  /** Deletes a secret of the service, if there is one. */
  delete(name: string): Promise<void>;
  /** Ids of the keys that may have been used. */
  keyIds(): Promise<readonly string[]>;
  /** To be called before the key is used for the first time. */
  addKeyId(keyId: string, now: number): Promise<void>;
  /** Forgets ids of keys. */
  removeKeyIds(keyIds: readonly string[]): Promise<void>;
  /** Examines all values, which takes time. */
  counts(): Promise<readonly SealedCount[]>;
  /**
   * Values that were sealed with another key. A call examines a limited number of values: a page may be empty although `next` is
   * not null.
   * @param after `next` of the previous page; null: from the beginning
   */
  sealedOtherwise(keyId: string, after: unknown): Promise<SealedPage>;
  /** Replaces values that have not changed meanwhile, in one transaction. @returns how many it replaced */
  replace(changes: readonly { readonly value: SealedValue; readonly sealed: Uint8Array }[]): Promise<number>;
  /** Deletes what cannot be used without the values of this key: jobs with all their items, webhooks with their deliveries, secrets. @returns number of values deleted */
  deleteSealedWith(keyId: string): Promise<number>;
}
