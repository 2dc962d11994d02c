import type { StorageState } from './storage-state.ts';

/** Regular expression of JSON Schema: the name of a profile. */
export const PROFILE_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

/** Limits of one profile. Its size is that of its state as compact JSON in UTF-8. */
export const MAX_PROFILE_COOKIES = 3_000;
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
export const MAX_PROFILE_ORIGINS = 100;
export const MAX_PROFILE_SITES = 20;

/** `logged_out`: a page that was fetched with it asked to log in. `empty`: it has neither cookies nor storage. */
export const PROFILE_STATES = ['ready', 'logged_out', 'empty'] as const;
export type ProfileState = (typeof PROFILE_STATES)[number];

/** As what a visitor the sites know the profile. It holds for requests that do not say otherwise; null: they decide. */
export interface ProfileIdentity {
  readonly userAgent: string | null;
  /** The name of a device, as `scraper_options.device`. */
  readonly device: string | null;
  /** A locale, as `scraper_options.locale`. */
  readonly locale: string | null;
}

/** The exit of requests that name no `proxy.session`: see `ProxyOptions`. */
export interface ProfileExit {
  readonly country: string | null;
  readonly session: string;
}

/** What is known about a profile without opening it. Times are ms since the epoch. */
export interface ProfileFacts {
  /** UUID version 7. */
  readonly id: string;
  /** Its owner. */
  readonly userId: string;
  /** Unique for the owner; that of a shared one also among all shared ones. */
  readonly name: string;
  /** Registrable domains, or hosts that have none. Only their cookies are kept, and only they are asked with the profile. */
  readonly sites: readonly string[];
  readonly identity: ProfileIdentity | null;
  readonly exit: ProfileExit | null;
  /** Whether all users may use it. Only the owner changes or exports it. */
  readonly shared: boolean;
  readonly hasCredentials: boolean;
  readonly state: ProfileState;
  readonly cookies: number;
  /** Size of the state, see `MAX_PROFILE_BYTES`. */
  readonly bytes: number;
  readonly createdAt: number;
  /** When its values changed last. */
  readonly refreshedAt: number;
  /** Last use, to about a minute; null: never. */
  readonly usedAt: number | null;
  /** null: never. */
  readonly expiresAt: number | null;
  /** One more with each change, but not with `usedAt`. */
  readonly version: number;
}

/** A profile with its state, sealed with the purpose `profile` for its owner. */
export interface StoredProfile extends ProfileFacts {
  readonly sealed: Uint8Array;
  /** `ProfileCredentials` as JSON, sealed with the purpose `profile.credentials` for the owner; null: none. */
  readonly sealedCredentials: Uint8Array | null;
}

/** A profile with its state. */
export interface OpenProfile extends ProfileFacts {
  readonly values: StorageState;
}

export const EMPTY_STATE: StorageState = Object.freeze({ cookies: [], origins: [] });
