import { parseTotpSeed, type Totp } from './totp.ts';

/** What a profile logs in with. Nothing of it is ever returned. */
export interface ProfileCredentials {
  readonly username: string | null;
  readonly password: string;
  /** Base32, or an otpauth:// URI; null: the site asks for no code. */
  readonly totpSeed: string | null;
}

/** Credentials in use, with the sites into whose pages they may be typed. */
export interface LoginCredentials {
  readonly username: string | null;
  readonly password: string;
  readonly totp: Totp | null;
  /** As the seed was given, to be kept out of what is returned; null: there is none. */
  readonly totpSeed: string | null;
  /** Registrable domains, or hosts that have none. */
  readonly sites: readonly string[];
}

/** @throws Error if the seed is none, which was checked when it came */
export function loginCredentials(
  { username, password, totpSeed }: ProfileCredentials,
  sites: readonly string[],
): LoginCredentials {
  const totp = totpSeed === null ? null : parseTotpSeed(totpSeed);
  if (totp !== null && 'problem' in totp) throw new Error(`a stored TOTP seed ${totp.problem}`);
  return { username, password, totp, totpSeed, sites };
}
