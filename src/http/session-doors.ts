import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorise } from '../account/authenticate.ts';
import { failure } from '../domain/failure.ts';
import { type Gate, inviteBody } from './admission.ts';
import { originRefusal } from './own-origin.ts';
import { Refusal, refuseIf } from './problem.ts';
import { isSecure, noSessionCookie, sessionToken } from './session-cookie.ts';

/** Bytes of a body that has no key to it: an e-mail, a password, a token. */
export const SMALL_BODY = 16_384;

const NO_SESSION = failure('auth.missing', 'There is no session. Sign in first.');

/** For what is about the session itself: a key does not do, and no slot is taken. */
export function sessionOnly(gate: Gate, hasBody = false) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    open(gate, reply);
    const token = sessionToken(request.raw.headers.cookie);
    if (token === null) throw new Refusal([NO_SESSION]);
    const caller = gate.accounts.authenticateSession(token);
    if (caller.failure !== null) {
      reply.header('set-cookie', noSessionCookie(isSecure(request, gate.baseUrl())));
      throw new Refusal([caller.failure]);
    }
    refuseIf(originRefusal(gate.origin, request));
    refuseIf(authorise(caller, request.ip, null));
    request.principal = caller.principal;
    request.session = caller;
    inviteBody(request, reply, hasBody ? SMALL_BODY : null);
  };
}

/** For whoever has no session yet. */
export function entrance(gate: Gate) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    open(gate, reply);
    refuseIf(originRefusal(gate.origin, request));
    inviteBody(request, reply, SMALL_BODY);
  };
}

function open(gate: Gate, reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
  const closed = gate.closed();
  if (closed !== null) throw closed;
}
