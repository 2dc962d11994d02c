import { hash, timingSafeEqual } from 'node:crypto';
import { addressBytes, inIpRange } from '../base/ip-range.ts';
import { type Principal, readsAll, type Scope } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type {
  AccountSnapshot,
  ActiveKey,
  ActiveSession,
  AuthenticationFailure,
} from './account-directory.ts';
import { sessionExpiry } from './session-activity.ts';

const authenticationFailure = (code: Failure['code'], message: string): AuthenticationFailure =>
  Object.freeze({ failure: Object.freeze(failure(code, message)), principal: null });

const MISSING = authenticationFailure('auth.missing', 'Send the header `Authorization: Api-Key <key>`.');
const MALFORMED = authenticationFailure(
  'auth.malformed',
  'Send exactly one key: `Authorization: Api-Key <key>`, `Authorization: Bearer <key>` or `X-API-Key: <key>`.',
);
const INVALID = authenticationFailure('auth.invalid', 'The API key is mistyped, unknown or revoked.');
const EXPIRED = authenticationFailure('auth.expired', 'The API key has expired.');
const IP_NOT_ALLOWED = failure('auth.ip', 'This API key may not be used from the calling address.');
const SESSION_ENDED = authenticationFailure('auth.invalid', 'The session has ended. Sign in again.');
export const USER_DISABLED = failure('auth.disabled', 'The user is disabled.');
const NOT_ADMIN = failure('auth.scope', 'This needs a user with the role admin.');
const READS_ONLY = failure(
  'auth.role',
  'A user with the role viewer can read, but not change anything or run scrapes.',
);
export const MISSING_SCOPE: Readonly<Record<Scope, Failure>> = {
  scrape: failure('auth.scope', 'This API key lacks the scope `scrape`.'),
  read: failure('auth.scope', 'This API key lacks the scope `read`.'),
  jobs: failure('auth.scope', 'This API key lacks the scope `jobs`.'),
  profiles: failure('auth.scope', 'This API key lacks the scope `profiles`.'),
  profiles_export: failure('auth.scope', 'This API key lacks the scope `profiles_export`.'),
  admin: failure('auth.scope', 'This API key lacks the scope `admin`.'),
};

/** Longer tokens are refused without hashing them; all valid tokens are shorter. */
const MAX_TOKEN_LENGTH = 512;

/** The token of an Authorization header (RFC 9110 §11.4; the scheme is case-insensitive); null if it is malformed. */
export function readAuthorization(header: string): string | null {
  const space = header.indexOf(' ');
  if (space === -1) return null;
  const scheme = header.slice(0, space);
  if (!/^(?:api-key|bearer)$/i.test(scheme)) return null;
  const token = header.slice(space + 1).trim();
  return token === '' || /\s/.test(token) ? null : token;
}

/**
 * The first step (401): finds the key and its user. Synchronous, from memory.
 * @param now ms since the epoch
 */
export function findKeyByAuthorization(
  snapshot: AccountSnapshot,
  authorization: string | undefined,
  now: number,
): ActiveKey | AuthenticationFailure {
  if (authorization === undefined) return MISSING;
  const token = readAuthorization(authorization);
  if (token === null) return MALFORMED;
  if (token.length > MAX_TOKEN_LENGTH) return INVALID;
  const digest = hashOf(token);
  const key = snapshot.activeKeys.get(digest);
  if (key === undefined || !equalsDigest(digest, key.hash)) return INVALID;
  return key.expiresAt !== null && key.expiresAt <= now ? EXPIRED : key;
}

/**
 * The first step for the dashboard (401): finds the session and its user. Synchronous, from memory.
 * @param now ms since the epoch
 */
export function findSession(
  snapshot: AccountSnapshot,
  token: string,
  now: number,
): ActiveSession | AuthenticationFailure {
  if (token.length > MAX_TOKEN_LENGTH) return SESSION_ENDED;
  const digest = hashOf(token);
  const found = snapshot.sessions.get(digest);
  if (found === undefined || !equalsDigest(digest, found.session.hash)) return SESSION_ENDED;
  return sessionExpiry(found.session.createdAt, found.activity.lastSeenAt) <= now ? SESSION_ENDED : found;
}

/** SHA-256 in the form of `hashAsMapKey`, which makes the keys of the maps in a snapshot. */
const hashOf = (token: string): string => hash('sha256', token, 'latin1');

/** Reused, because a new buffer for each comparison would take longer than the rest of finding a key. */
const comparisonBuffer = Buffer.alloc(32);

/** The lookup in the map has compared the hashes already, but not in constant time, which the contract (§9) requires. */
function equalsDigest(digest: string, stored: Uint8Array): boolean {
  comparisonBuffer.write(digest, 'latin1');
  return timingSafeEqual(comparisonBuffer, stored);
}

/**
 * The second step (403). Checks, in the order of contract §8, the address, the scope, the role, and whether the user is disabled.
 * @param ip address of the caller; IPv4-mapped addresses count as IPv4
 * @param scope null: no scope is needed
 * @param use `read`: changes nothing and runs no scrape, which is all that viewers may do
 */
export function authorise(
  caller: Pick<ActiveKey, 'ips' | 'principal' | 'disabled'>,
  ip: string,
  scope: Scope | null,
  use: 'read' | 'change',
): Failure | null {
  if (caller.ips.length > 0) {
    const address = addressBytes(ip);
    if (address === null || !caller.ips.some((range) => inIpRange(range, address))) return IP_NOT_ALLOWED;
  }
  if (scope !== null) {
    const refusal = requireScope(caller.principal, scope);
    if (refusal !== null) return refusal;
  }
  if (use === 'change' && caller.principal.role === 'viewer') return READS_ONLY;
  return caller.disabled ? USER_DISABLED : null;
}

export function requireScope(principal: Pick<Principal, 'scopes'>, scope: Scope): Failure | null {
  return principal.scopes.includes(scope) ? null : MISSING_SCOPE[scope];
}

/** For endpoints marked (admin) in the contract, after `authorise`: viewers come here only to read. */
export function requireAdmin(principal: Pick<Principal, 'role'>): Failure | null {
  return readsAll(principal.role) ? null : NOT_ADMIN;
}
