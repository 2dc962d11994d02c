import type { LoginCredentials } from '../domain/credentials.ts';
import type { Failure } from '../domain/failure.ts';
import type { UsedProfile } from './profiles.ts';

/**
 * Opens the credentials of a profile that a user may use, for the action `login`.
 * @param profile its name
 * @param used the profile that the scrape uses; null: none. Credentials of another user are for scrapes with that profile alone.
 * @returns `profile.unknown`, `profile.owner`, `profile.credentials` or `profile.unreadable`
 */
export type OpenLogin = (
  userId: string,
  profile: string,
  used: LentProfile | null,
) => Promise<LoginCredentials | Failure>;

/** Which profile a scrape uses. */
export type LentProfile = Pick<UsedProfile, 'name' | 'userId'>;
