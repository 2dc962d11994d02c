import type { ProfileFacts, StoredProfile } from '../domain/profiles.ts';

/** What a change sets. Members that are left out stay. */
export type ProfileChange = Partial<
  Pick<
    StoredProfile,
    | 'name'
    | 'sites'
    | 'identity'
    | 'exit'
    | 'shared'
    | 'state'
    | 'cookies'
    | 'bytes'
    | 'refreshedAt'
    | 'expiresAt'
    | 'sealed'
  >
>;

/** `exists`: the owner has another profile of this name, or it would be shared and another shared one has it. */
export type ProfileConflict = 'exists';

export interface ProfileList {
  /** Own profiles and shared ones of this user; null: those of all users. */
  readonly userId: string | null;
  readonly limit: number;
  /** Id of the last profile of the previous page; null: from the newest on. */
  readonly after: string | null;
  /** ms since the epoch. Expired profiles are not found. */
  readonly now: number;
}

/** Profiles of users. The same guarantees as RecordStore. An expired profile is not found. */
export interface ProfileStore {
  /** The newest first. */
  list(list: ProfileList): Promise<readonly ProfileFacts[]>;
  /** The user's own profile of this name; if there is none, the shared one. */
  get(userId: string, name: string, now: number): Promise<StoredProfile | null>;
  /** @returns `full`: the owner has `max` profiles already */
  create(profile: StoredProfile, max: number): Promise<'created' | 'full' | ProfileConflict>;
  /**
   * Changes a profile that still has this version, which is one more then.
   * @returns `changed`: its version is another one meanwhile, or it is gone
   */
  update(
    id: string,
    version: number,
    change: ProfileChange,
  ): Promise<'updated' | 'changed' | ProfileConflict>;
  /** Sets `usedAt`. */
  touch(id: string, at: number): Promise<void>;
  /** @returns false: there is no such profile */
  delete(id: string): Promise<boolean>;
  /** Deletes those that have expired before. */
  sweep(before: number): Promise<void>;
}
