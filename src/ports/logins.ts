import type { LoginCredentials } from '../domain/credentials.ts';
import type { Failure } from '../domain/failure.ts';

/**
 * Opens the credentials of a profile that a user may use, for the action `login`.
 * @param profile its name
 * @returns `profile.unknown`, `profile.credentials` or `profile.unreadable`
 */
export type OpenLogin = (userId: string, profile: string) => Promise<LoginCredentials | Failure>;
