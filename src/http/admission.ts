import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../account/accounts.ts';
import { authorise, requireAdmin } from '../account/authenticate.ts';
import type { Caller, NoCaller, SessionCaller } from '../account/caller.ts';
import { HUNG_UP } from '../base/abort-reasons.ts';
import type { ByteRoom } from '../base/byte-room.ts';
import { failure } from '../domain/failure.ts';
import type { Principal, Scope } from '../domain/principal.ts';
import type { Permit, Permits } from '../ports/permits.ts';
import { BODY_LIMIT, bodyRefusal } from './json-body.ts';
import { originRefusal } from './own-origin.ts';
import { Refusal, refuseIf } from './problem.ts';
import { countOf } from './request-head.ts';
import { sessionToken } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** null: by key, or nobody. */
    session: SessionCaller | null;
    /** What must settle before the permit is given back, even when nobody waits for the answer. */
    work: Promise<unknown> | null;
    /** Aborts the work when the caller hangs up. */
    cancel: AbortController | null;
    /** Memory that is held until the answer has been written. */
    room: ByteRoom | null;
  }
}

export interface Gate {
  readonly accounts: Accounts;
  readonly permits: Permits;
  /** Why no new work is taken; null: it is. */
  readonly closed: () => Refusal | null;
  /** The origin of SLUICE_BASE_URL; null: it is not set. */
  readonly origin: string | null;
  readonly baseUrl: () => string;
}

export interface Door {
  readonly scope: Scope;
  /** Marked (admin) in contract §9. */
  readonly adminOnly?: boolean;
  /** `'optional'`: what all its members have defaults for may be left out. */
  readonly hasBody?: boolean | 'optional';
  /** Runs a scrape, which takes a slot by session too. */
  readonly scrapes?: boolean;
}

/** Seconds a caller at its limit should wait: about the length of a short scrape. */
const RETRY_AFTER_S = '1';

/** The hook that lets in whom `admit` does. */
export function admission(gate: Gate, door: Door) {
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
  gate: Gate,
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | null {
  const closed = gate.closed();
  if (closed !== null) throw closed;
  const caller = callerOf(gate, request);
  // The next line of the script that had the command line make it may use it already.
  if (caller.failure?.code === 'auth.invalid')
    return gate.accounts.catchUp().then(async () => {
      await letIn(gate, door, request, reply, callerOf(gate, request));
    });
  return letIn(gate, door, request, reply, caller);
}

function letIn(
  gate: Gate,
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | SessionCaller | NoCaller,
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
  const hasBody = door.hasBody === true || (door.hasBody === 'optional' && !sendsNothing(request));
  const limit = hasBody ? BODY_LIMIT : null;
  if (bySession && door.scrapes !== true) giveBackOnce(null, request, reply);
  else {
    const { userId, keyId, concurrency, keyConcurrency } = principal;
    const taken = gate.permits.take({ userId, limit: concurrency, keyId, keyLimit: keyConcurrency });
    if (taken instanceof Promise)
      return taken.then((permit) => {
        hold(permit, principal, request, reply);
        inviteBody(request, reply, limit);
      });
    hold(taken, principal, request, reply);
  }
  inviteBody(request, reply, limit);
  return null;
}

/** A key counts before a session. */
function callerOf({ accounts }: Gate, { raw }: FastifyRequest): Caller | SessionCaller | NoCaller {
  const { authorization } = raw.headers;
  if (authorization === undefined) {
    const token = sessionToken(raw.headers.cookie);
    return token === null ? accounts.authenticate(undefined) : accounts.authenticateSession(token);
  }
  const twoKeys = countOf(raw, 'authorization') > 1;
  // As one field, which no key fits.
  return accounts.authenticate(twoKeys ? `${authorization}, another` : authorization);
}

/** @param limit bytes of the body; null: none is looked at */
export function inviteBody(request: FastifyRequest, reply: FastifyReply, limit: number | null): void {
  if (limit !== null) {
    const refusal = bodyRefusal(request, limit);
    if (refusal !== null) throw refusal;
  } else ignoreTypeOfNothing(request);
  // Only now is the body invited.
  if (request.raw.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
}

const sendsNothing = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Clients that send a Content-Type with all they send, do so without a body, too: none is parsed because of it. */
function ignoreTypeOfNothing(request: FastifyRequest): void {
  if (sendsNothing(request)) delete request.raw.headers['content-type'];
}

/** Tells the caller where it stands, and holds its permit until the end. @param permit null: there was none */
function hold(
  permit: Permit | null,
  { concurrency, keyConcurrency }: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const quota = Math.min(concurrency, keyConcurrency ?? concurrency);
  reply.header('ratelimit-policy', `"concurrency";q=${quota};qu="concurrent-requests"`);
  reply.header('ratelimit', `"concurrency";r=${permit === null ? 0 : permit.remaining}`);
  if (permit === null) {
    reply.header('retry-after', RETRY_AFTER_S);
    throw new Refusal([
      failure(
        'limit.concurrency',
        keyConcurrency === null
          ? `${concurrency} requests of this user are running, which is the limit. Wait for one to finish.`
          : `${keyConcurrency} requests of this key or ${concurrency} of its user are running, which are the limits. Wait for one to finish.`,
      ),
    ]);
  }
  giveBackOnce(permit, request, reply);
}

/**
 * The one place that gives a permit and memory back. Fastify's `onResponse` does not run when a caller hangs up; the raw reply's
 * `close` does, in every ending. The slot is free when the work has settled too, also if nobody waits for it.
 */
export function giveBackOnce(permit: Permit | null, request: FastifyRequest, reply: FastifyReply): void {
  const release = () => {
    permit?.release();
    request.room?.close();
  };
  const onClose = () => {
    if (!reply.raw.writableFinished) request.cancel?.abort(HUNG_UP);
    if (request.work === null) release();
    else request.work.then(release, release);
  };
  if (reply.raw.closed) onClose();
  else reply.raw.once('close', onClose);
}
