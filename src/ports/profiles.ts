import type { Principal } from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';
import type { NotificationFacts } from '../domain/notifications.ts';
import type { ProfileFacts, StoredProfile } from '../domain/profiles.ts';
import type { StorageState } from '../domain/storage-state.ts';
import type { Task } from '../domain/task.ts';
import type { NewWebhook } from '../domain/webhooks.ts';

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
    | 'sealedCredentials'
    | 'hasCredentials'
  >
>;

/** Of a change to `logged_out`: what its owner is told. */
export interface ToldLogout {
  readonly at: number;
  readonly facts: NotificationFacts;
  /** null: only the dashboard and the channels of the profile tell of it. */
  readonly webhook: NewWebhook | null;
}

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
   * Changes a profile that still has this version, which is one more then. Its owner is told in the same transaction.
   * @returns `changed`: its version is another one meanwhile, or it is gone
   */
  update(
    id: string,
    version: number,
    change: ProfileChange,
    told?: ToldLogout,
  ): Promise<'updated' | 'changed' | ProfileConflict>;
  /** Sets `usedAt`. */
  touch(id: string, at: number): Promise<void>;
  /** @returns false: there is no such profile */
  delete(id: string): Promise<boolean>;
  /** Deletes those that have expired before. */
  sweep(before: number): Promise<void>;
}

/** Who uses a profile for which request. */
export interface ProfileUse {
  readonly principal: Pick<Principal, 'userId' | 'role' | 'keyId' | 'scopes'>;
  readonly name: string;
  readonly task: Pick<Task, 'url' | 'browser' | 'proxyType'>;
  /** Whether a profile that is logged out is refused, unless the request logs in with it. */
  readonly refusesLoggedOut: boolean;
  /** Whether the scrape logs in again if it must: a profile that can is not refused. */
  readonly relogin: boolean;
}

/** `conflict`: what the site renewed was renewed by another scrape meanwhile, and the later value is kept. */
export type ProfileSaving = 'saved' | 'unchanged' | 'conflict' | 'failed';

/** A profile while a scrape uses it. */
export interface UsedProfile extends Pick<ProfileFacts, 'name' | 'userId' | 'identity' | 'exit'> {
  /** What the scrape begins with. Expired cookies are left out. */
  readonly values: StorageState;
  /** Keeps what differs from `values`, of the sites of the profile alone. Never rejects. @param after the state at the end */
  save(after: StorageState): Promise<ProfileSaving>;
  /** Notes that a page fetched with the profile asked to log in, and tells its owner. Never rejects. @param scrapeId of its record; null: there is none */
  loggedOut(scrapeId: string | null): Promise<void>;
  /**
   * Notes that an action `login` of the request failed, or that its page still asked to log in. Where the profile was logged out already,
   * the credentials are taken for wrong: for an hour no log-in is made for the sake of it.
   */
  logInFailed(): void;
  /**
   * Logs in again and keeps the new state; waits instead if another scrape of this process does so, or takes what one has brought since
   * this one began. Never rejects.
   * @param logIn logs in; the state after it
   * @returns the profile with its new values; or why there are none: what `logIn` returned, or `login.failed` where another log-in
   * with these credentials has failed within an hour
   */
  relogin(logIn: () => Promise<StorageState | Failure>, signal: AbortSignal): Promise<UsedProfile | Failure>;
}

/** Gives scrapes the profiles that they ask for. */
export interface ProfileLender {
  /**
   * Why the profile cannot be used for the request: `auth.scope`, `profile.unknown`, `profile.site`, `profile.owner`,
   * `profile.credentials`, `profile.logged_out`, `profile.unreadable`.
   */
  use(use: ProfileUse): Promise<UsedProfile | Failure>;
}
