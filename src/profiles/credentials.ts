import { type LoginCredentials, loginCredentials, type ProfileCredentials } from '../domain/credentials.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { StoredProfile } from '../domain/profiles.ts';
import { SealError, type Sealer } from '../domain/sealing.ts';

/** The columns of credentials. @param credentials null: the profile has none from now on */
export function credentialColumns(
  sealer: Sealer,
  userId: string,
  credentials: ProfileCredentials | null,
): Pick<StoredProfile, 'hasCredentials' | 'sealedCredentials'> {
  if (credentials === null) return { hasCredentials: false, sealedCredentials: null };
  const text = Buffer.from(JSON.stringify(credentials));
  return { hasCredentials: true, sealedCredentials: sealer.seal('profile.credentials', userId, text) };
}

/** @param profile null: there is none of this name */
export function openCredentials(
  sealer: Sealer,
  name: string,
  profile: StoredProfile | null,
): LoginCredentials | Failure {
  const title = `The profile ${JSON.stringify(name)}`;
  if (profile === null) return failure('profile.unknown', `${title} does not exist.`);
  if (profile.sealedCredentials === null)
    return failure('profile.credentials', `${title} has no credentials.`);
  try {
    const text = sealer.open('profile.credentials', profile.userId, profile.sealedCredentials).toString();
    return loginCredentials(JSON.parse(text) as ProfileCredentials, profile.sites);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return failure('profile.unreadable', `${title} cannot be opened: its encryption key is gone.`);
  }
}
