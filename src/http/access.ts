import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticationFailure, Caller, SessionCaller } from '../account/account-directory.ts';
import type { Accounts } from '../account/accounts.ts';
import { authorise, requireAdmin } from '../account/authenticate.ts';
import type { Principal, Scope } from '../domain/account.ts';
import { failure } from '../domain/failure.ts';
import type { Permit, Permits } from '../ports/permits.ts';
import { BODY_LIMIT, bodyRefusal } from './json-body.ts';
import { Refusal, refuseIf } from './refusal.ts';
import { headerCount } from './request-headers.ts';
import { releaseOnClose } from './request-resources.ts';
import { expiredSessionCookie, isSecure, originRefusal, sessionToken } from './session-cookie.ts';

export interface AdmissionControl {
  readonly accounts: Accounts;
  readonly permits: Permits;
  /** Why no new work is taken; null: it is. */
  readonly unavailable: () => Refusal | null;
  /** The origin of SLUICE_BASE_URL; null: it is not set. */
  readonly origin: string | null;
  readonly baseUrl: () => string;
}

export interface RouteAccess {
  readonly scope: Scope;
  /** Marked (admin) in contract §9. */
  readonly adminOnly?: boolean;
  /** `'optional'`: what all its members have defaults for may be left out. */
  readonly hasBody?: boolean | 'optional';
  /** Runs a scrape, which takes a slot by session too. */
  readonly isScrape?: boolean;
}

/** Seconds a caller at its limit should wait: about the length of a short scrape. */
const LIMIT_RETRY_AFTER_S = '1';

/** The hook that lets in whom `admit` does. */
export function admissionHook(gate: AdmissionControl, door: RouteAccess) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const admitting = admit(gate, door, request, reply);
    if (admitting !== null) await admitting;
  };
}

/**
 * The order of contract §8 up to the body: key or session (401), its origin, IP list, scope, user (403), concurrency
 * (429), media type and length (415, 413). The slot is taken before the body is read. A promise, where permits are one, and
 * for a key that nobody here knows; throws or rejects with the refusal.
 */
export function admit(
  gate: AdmissionControl,
  door: RouteAccess,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | null {
  const closed = gate.unavailable();
  if (closed !== null) throw closed;
  const caller = authenticateRequest(gate, request);
  // The next line of the script that had the command line make it may use it already.
  if (caller.failure?.code === 'auth.invalid')
    return gate.accounts.catchUp().then(async () => {
      await admitCaller(gate, door, request, reply, authenticateRequest(gate, request));
    });
  return admitCaller(gate, door, request, reply, caller);
}

function admitCaller(
  gate: AdmissionControl,
  door: RouteAccess,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | SessionCaller | AuthenticationFailure,
): Promise<void> | null {
  if (caller.failure !== null) throw new Refusal([caller.failure]);
  const { principal } = caller;
  const bySession = principal.keyId === null;
  if (bySession) {
    refuseIf(originRefusal(gate.origin, request));
    request.session = caller as SessionCaller;
  }
  refuseIf(authorise(caller, request.ip, door.scope));
  if (door.adminOnly === true) refuseIf(requireAdmin(principal));
  request.principal = principal;
  const hasBody = door.hasBody === true || (door.hasBody === 'optional' && !hasNoBody(request));
  const limit = hasBody ? BODY_LIMIT : null;
  if (bySession && door.isScrape !== true) releaseOnClose(null, request, reply);
  else {
    const { userId, keyId, concurrency, keyConcurrency } = principal;
    const taken = gate.permits.take({ userId, limit: concurrency, keyId, keyLimit: keyConcurrency });
    if (taken instanceof Promise)
      return taken.then((permit) => {
        holdPermit(permit, principal, request, reply);
        acceptBody(request, reply, limit);
      });
    holdPermit(taken, principal, request, reply);
  }
  acceptBody(request, reply, limit);
  return null;
}

/** A key counts before a session. */
function authenticateRequest(
  { accounts }: AdmissionControl,
  { raw }: FastifyRequest,
): Caller | SessionCaller | AuthenticationFailure {
  const { authorization } = raw.headers;
  if (authorization === undefined) {
    const token = sessionToken(raw.headers.cookie);
    return token === null ? accounts.authenticate(undefined) : accounts.authenticateSession(token);
  }
  const twoKeys = headerCount(raw, 'authorization') > 1;
  // As one field, which no key fits.
  return accounts.authenticate(twoKeys ? `${authorization}, another` : authorization);
}

/** @param limit bytes of the body; null: none is looked at */
function acceptBody(request: FastifyRequest, reply: FastifyReply, limit: number | null): void {
  if (limit !== null) {
    const refusal = bodyRefusal(request, limit);
    if (refusal !== null) throw refusal;
  } else dropTypeOfNoBody(request);
  // Only now is the body invited.
  if (request.raw.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
}

const hasNoBody = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Clients that send a Content-Type with all they send, do so without a body, too: none is parsed because of it. */
function dropTypeOfNoBody(request: FastifyRequest): void {
  if (hasNoBody(request)) delete request.raw.headers['content-type'];
}

/** Tells the caller where it stands, and holds its permit until the end. @param permit null: there was none */
function holdPermit(
  permit: Permit | null,
  { concurrency, keyConcurrency }: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const quota = Math.min(concurrency, keyConcurrency ?? concurrency);
  reply.header('ratelimit-policy', `"concurrency";q=${quota};qu="concurrent-requests"`);
  reply.header('ratelimit', `"concurrency";r=${permit === null ? 0 : permit.remaining}`);
  if (permit === null) {
    reply.header('retry-after', LIMIT_RETRY_AFTER_S);
    throw new Refusal([
      failure(
        'limit.concurrency',
        keyConcurrency === null
          ? `${concurrency} requests of this user are running, which is the limit. Wait for one to finish.`
          : `${keyConcurrency} requests of this key or ${concurrency} of its user are running, which are the limits. Wait for one to finish.`,
      ),
    ]);
  }
  releaseOnClose(permit, request, reply);
}

/** Bytes of a body that has no key to it: an e-mail, a password, a token. */
export const SMALL_BODY_LIMIT = 16_384;

const NO_SESSION = failure('auth.missing', 'There is no session. Sign in first.');

/** For what is about the session itself: a key does not do, and no slot is taken. */
export function sessionHook(gate: AdmissionControl, hasBody = false) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    beginSessionRoute(gate, reply);
    const token = sessionToken(request.raw.headers.cookie);
    if (token === null) throw new Refusal([NO_SESSION]);
    const caller = gate.accounts.authenticateSession(token);
    if (caller.failure !== null) {
      reply.header('set-cookie', expiredSessionCookie(isSecure(request, gate.baseUrl())));
      throw new Refusal([caller.failure]);
    }
    refuseIf(originRefusal(gate.origin, request));
    refuseIf(authorise(caller, request.ip, null));
    request.principal = caller.principal;
    request.session = caller;
    acceptBody(request, reply, hasBody ? SMALL_BODY_LIMIT : null);
  };
}

/** For whoever has no session yet. */
export function signInHook(gate: AdmissionControl) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    beginSessionRoute(gate, reply);
    refuseIf(originRefusal(gate.origin, request));
    acceptBody(request, reply, SMALL_BODY_LIMIT);
  };
}

function beginSessionRoute(gate: AdmissionControl, reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
  const closed = gate.unavailable();
  if (closed !== null) throw closed;
}
