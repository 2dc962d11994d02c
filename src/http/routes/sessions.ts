import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionCaller } from '../../account/account-directory.ts';
import type { Accounts } from '../../account/accounts.ts';
import { sessionExpiry } from '../../account/session-activity.ts';
import type { ClientInfo, NewSession } from '../../account/sessions.ts';
import {
  parsePasswordChange,
  parseSetUp,
  parseSetUpLinkCheck,
  parseSignIn,
  sessionEntry,
  setUpLinkObject,
} from '../../wire/sessions.ts';
import type { AdmissionControl } from '../access.ts';
import { SMALL_BODY_LIMIT, sessionHook, signInHook } from '../access.ts';
import { notFoundRefusal, unwrapManaged, unwrapParsed } from '../refusal.ts';
import { expiredSessionCookie, isSecure, sessionCookie } from '../session-cookie.ts';
import type { ShowUser } from '../show-user.ts';

export interface SessionRouteParts {
  readonly gate: AdmissionControl;
  readonly accounts: Accounts;
  readonly showUser: ShowUser;
}

type ById = { Params: { id: string } };

/** Signing in and out, one's own sessions and password, and set-up links: contract §9. */
export function sessionRoutes(app: FastifyInstance, { gate, accounts, showUser }: SessionRouteParts): void {
  const { sessions } = accounts;
  const enter = { onRequest: signInHook(gate), bodyLimit: SMALL_BODY_LIMIT };
  const within = { onRequest: sessionHook(gate) };
  const change = { onRequest: sessionHook(gate, true), bodyLimit: SMALL_BODY_LIMIT };

  const show = async (caller: SessionCaller) => {
    const user = accounts.findUser(caller.principal, caller.principal.userId);
    // Deleted in this moment.
    if (user === null) throw notFoundRefusal('user');
    return { user: await showUser(user), session: entryOf(caller, true) };
  };
  const welcome = async (request: FastifyRequest, reply: FastifyReply, { token, caller }: NewSession) => {
    reply.header('set-cookie', sessionCookie(token, isSecure(request, gate.baseUrl())));
    return reply.code(201).send(await show(caller));
  };
  const takeCookie = (request: FastifyRequest, reply: FastifyReply) =>
    reply.header('set-cookie', expiredSessionCookie(isSecure(request, gate.baseUrl())));

  app.post('/api/v1/session', enter, async (request, reply) => {
    const ask = { ...unwrapParsed(parseSignIn(request.body)), ...visitorOf(request) };
    return welcome(request, reply, unwrapManaged(await sessions.signIn(ask)));
  });
  app.get('/api/v1/session', within, async (request) => show(request.session!));
  app.delete('/api/v1/session', within, async (request, reply) => {
    const { principal, session } = request.session!;
    await sessions.end(principal, principal.userId, session.id);
    return takeCookie(request, reply).code(204).send();
  });

  app.get('/api/v1/session/all', within, async (request) => {
    const { principal, session } = request.session!;
    const all = sessions.list(principal.userId);
    return { items: all.map((one) => entryOf(one, one.session.id === session.id)) };
  });
  app.delete('/api/v1/session/all', within, async (request, reply) => {
    const { principal, session } = request.session!;
    await sessions.endOthers(principal, principal.userId, session.id);
    return reply.code(204).send();
  });
  app.delete<ById>('/api/v1/session/all/:id', within, async (request, reply) => {
    const { principal, session } = request.session!;
    const { id } = request.params;
    if (!(await sessions.end(principal, principal.userId, id))) throw notFoundRefusal('session');
    if (id.toLowerCase() === session.id) takeCookie(request, reply);
    return reply.code(204).send();
  });

  app.post('/api/v1/session/password', change, async (request, reply) => {
    const ask = { ...unwrapParsed(parsePasswordChange(request.body)), ip: request.ip };
    unwrapManaged(await sessions.changePassword(request.session!, ask));
    return reply.code(204).send();
  });
  app.post('/api/v1/session/link', enter, async (request) => {
    const { user, expiresAt } = unwrapManaged(
      sessions.findLink(unwrapParsed(parseSetUpLinkCheck(request.body)).token),
    );
    return setUpLinkObject(user.email, expiresAt);
  });
  app.post('/api/v1/session/set-up', enter, async (request, reply) => {
    const ask = { ...unwrapParsed(parseSetUp(request.body)), ...visitorOf(request) };
    return welcome(request, reply, unwrapManaged(await sessions.setUp(ask)));
  });
}

const entryOf = ({ session, activity }: SessionCaller, current: boolean) =>
  sessionEntry(session, {
    lastSeenAt: activity.at,
    expiresAt: sessionExpiry(session.createdAt, activity.at),
    current,
  });

const visitorOf = ({ ip, headers }: FastifyRequest): ClientInfo => ({
  ip,
  userAgent: headers['user-agent'] ?? null,
});
