import { hash, timingSafeEqual } from 'node:crypto';
import { addressBytes, inIpRange } from '../base/ip-range.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Principal, Scope } from '../domain/principal.ts';
import type { Caller, NoCaller, SessionCaller, Snapshot } from './caller.ts';
import { endOfSession } from './session-life.ts';

const refuse = (code: Failure['code'], message: string): NoCaller =>
  Object.freeze({ failure: Object.freeze(failure(code, message)), principal: null });

const MISSING = refuse('auth.missing', 'Send the header `Authorization: Api-Key <key>`.');
const MALFORMED = refuse(
  'auth.malformed',
  'The Authorization header must be `Api-Key <key>` or `Bearer <key>`, with exactly one key.',
);
const INVALID = refuse('auth.invalid', 'The API key is mistyped, unknown or revoked.');
const EXPIRED = refuse('auth.expired', 'The API key has expired.');
const IP = failure('auth.ip', 'This API key may not be used from the calling address.');
const ENDED = refuse('auth.invalid', 'The session has ended. Sign in again.');
export const DISABLED = failure('auth.disabled', 'The user is disabled.');
const NOT_ADMIN = failure('auth.scope', 'This needs a user with the role admin.');
const NO_SCOPE: Readonly<Record<Scope, Failure>> = {
  scrape: failure('auth.scope', 'This API key lacks the scope `scrape`.'),
  read: failure('auth.scope', 'This API key lacks the scope `read`.'),
  admin: failure('auth.scope', 'This API key lacks the scope `admin`.'),
};

/** Longer than any key; nothing of that length is hashed. */
const MAX_TOKEN = 512;

/** The token of an Authorization header (RFC 9110 §11.4, scheme without regard to case); null when malformed. */
export function readAuthorization(header: string): string | null {
  const space = header.indexOf(' ');
  if (space === -1) return null;
  const scheme = header.slice(0, space);
  if (scheme !== 'Api-Key' && !/^(?:api-key|bearer)$/i.test(scheme)) return null;
  const token = header.slice(space + 1).trim();
  return token === '' || /\s/.test(token) ? null : token;
}

/**
 * The first step: whose key is this (401)? Synchronous, from memory.
 * @param now ms since the epoch
 */
export function findCaller(
  snapshot: Snapshot,
  authorization: string | undefined,
  now: number,
): Caller | NoCaller {
  if (authorization === undefined) return MISSING;
  const token = readAuthorization(authorization);
  if (token === null) return MALFORMED;
  if (token.length > MAX_TOKEN) return INVALID;
  const digest = hashOf(token);
  const caller = snapshot.callers.get(digest);
  if (caller === undefined || !isSame(digest, caller.hash)) return INVALID;
  return caller.expiresAt !== null && caller.expiresAt <= now ? EXPIRED : caller;
}

/**
 * The first step of a browser: whose session is this (401)? Synchronous, from memory.
 * @param now ms since the epoch
 */
export function findSession(snapshot: Snapshot, token: string, now: number): SessionCaller | NoCaller {
  if (token.length > MAX_TOKEN) return ENDED;
  const digest = hashOf(token);
  const caller = snapshot.sessions.get(digest);
  if (caller === undefined || !isSame(digest, caller.session.hash)) return ENDED;
  return endOfSession(caller.session.createdAt, caller.seen.at) <= now ? ENDED : caller;
}

/** As `hashText` has it. */
const hashOf = (token: string): string => hash('sha256', token, 'latin1');

/** Memory of its own for each comparison would cost more than all the rest of looking a key up. */
const compared = Buffer.alloc(32);

/** In constant time. */
function isSame(digest: string, stored: Uint8Array): boolean {
  compared.write(digest, 'latin1');
  return timingSafeEqual(compared, stored);
}

/**
 * The second step (403), in the order of the contract: the key's IP list, its scope, whether the user is disabled.
 * @param ip of the caller as text; IPv4-mapped addresses count as IPv4
 * @param scope null: any
 */
export function authorise(
  caller: Pick<Caller, 'ips' | 'principal' | 'disabled'>,
  ip: string,
  scope: Scope | null,
): Failure | null {
  if (caller.ips.length > 0) {
    const address = addressBytes(ip);
    if (address === null || !caller.ips.some((range) => inIpRange(range, address))) return IP;
  }
  if (scope !== null) {
    const refusal = requireScope(caller.principal, scope);
    if (refusal !== null) return refusal;
  }
  return caller.disabled ? DISABLED : null;
}

export function requireScope(principal: Pick<Principal, 'scopes'>, scope: Scope): Failure | null {
  return principal.scopes.includes(scope) ? null : NO_SCOPE[scope];
}

/** For what is marked (admin) in the contract: the role, beside the scope. */
export function requireAdmin(principal: Pick<Principal, 'role'>): Failure | null {
  return principal.role === 'admin' ? null : NOT_ADMIN;
}
