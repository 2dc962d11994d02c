import { isTestHost } from './test-hosts.ts';
import type { OwnLimits } from './user-limits.ts';

export const SCOPES = ['scrape', 'read', 'jobs', 'profiles', 'profiles_export', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
export const DEFAULT_SCOPES: readonly Scope[] = ['scrape', 'read', 'jobs'];

/** `admin` may do everything, `user` all with what is their own. `viewer` reads what an administrator reads, and changes nothing. */
export const ROLES = ['admin', 'user', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a person of this role reads what belongs to all users. */
export const readsAll = (role: Role): boolean => role !== 'user';

export interface DailyBudget {
  readonly amount: number;
  readonly unit: 'scrapes' | 'cost';
}

/** The authenticated caller. With a session it has all scopes, and no limits but those of the user. */
export interface Principal {
  readonly userId: string;
  readonly role: Role;
  /** Requests in flight at once, over all keys of the user. */
  readonly concurrency: number;
  /** null: the caller uses a session. */
  readonly keyId: string | null;
  /** Requests in flight at once with this key; null: as many as the user may have. */
  readonly keyConcurrency: number | null;
  readonly scopes: readonly Scope[];
  /** Target domains (and their sub-domains) this key may scrape; empty: all. */
  readonly domains: readonly string[];
  readonly dailyBudget: DailyBudget | null;
}

/** Whose budget a scrape of this host counts in: what test hosts give counts in none. @param host of a task */
export const payerOf = (principal: Principal, host: string): Principal =>
  isTestHost(host) ? { ...principal, keyId: null, dailyBudget: null } : principal;

/** A user as stored. Times of this and the following rows are ms since the epoch. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** null: no password set yet. */
  readonly passwordHash: string | null;
  /** null: the default of the service. */
  readonly concurrency: number | null;
  readonly limits: OwnLimits;
  readonly disabledAt: number | null;
  readonly createdAt: number;
  /** Last use by session, to about a minute; null: never. */
  readonly lastSeenAt: number | null;
}

/** A sign-in to the dashboard. `sessionExpiry` of src/account/session-activity.ts says when it ends. */
export interface SessionRow {
  /** UUID version 7. */
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the token, 32 bytes. */
  readonly hash: Uint8Array;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Client address of the sign-in. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** A link by which a user sets a password. Each user has at most one. */
export interface SetUpLinkRow {
  readonly userId: string;
  /** SHA-256 of the token, 32 bytes. */
  readonly hash: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface KeyRow {
  /** The id in the text of a generated key. A key that the operator has chosen gets a random id. */
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** SHA-256 of the whole key text, 32 bytes. */
  readonly hash: Uint8Array;
  /** The first characters of the key, for people. */
  readonly prefix: string;
  readonly last4: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly scopes: readonly Scope[];
  readonly domains: readonly string[];
  readonly ips: readonly string[];
  readonly dailyBudget: DailyBudget | null;
  /** Requests in flight at once with this key; null: as many as the user may have. */
  readonly concurrency: number | null;
}
