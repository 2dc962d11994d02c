import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ActiveSession } from '../../account/account-directory.ts';
import { sessionExpiry } from '../../account/session-activity.ts';
import type { ClientInfo, NewSession } from '../../account/sessions.ts';
import { closed, dateTime, textOrNull } from '../../domain/json-schema.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { actorOf } from '../core/access.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, unwrapAccountResult } from '../core/refusal.ts';
import { json, nothing, TOO_MANY_SIGN_INS } from '../core/responses.ts';
import { expiredSessionCookie, isSecure, sessionCookie } from '../core/session-cookie.ts';
import {
  Code,
  CurrentPassword,
  Password,
  User,
  type UserViewDeps,
  userView,
} from '../operations/user-object.ts';

const Email = Type.String({ minLength: 1, maxLength: 254 });
const Token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The part of the link after `#`.',
});
const Time = Type.String({ format: 'date-time' });

const SignIn = closed(
  { email: Email, password: CurrentPassword, code: Type.Optional(Code) },
  { title: 'SignIn' },
);
const PasswordChange = closed(
  { current_password: CurrentPassword, new_password: Password },
  { title: 'PasswordChange' },
);
const SetUpLinkCheck = closed({ token: Token }, { title: 'SetUpLinkCheck' });
const SetUp = closed({ token: Token, password: Password, code: Type.Optional(Code) }, { title: 'SetUp' });

const SetUpLink = closed(
  {
    email: Type.String({ description: 'User whose password the link sets.' }),
    has_password: Type.Boolean({ description: 'Whether the user has a password already.' }),
    expires_at: Time,
  },
  { title: 'SetUpLink' },
);
const SessionEntry = closed(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: Time,
    last_seen_at: dateTime('Accurate to about a minute.'),
    expires_at: dateTime('When the session expires if it is not used.'),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
    ip: textOrNull('IP address at sign-in.'),
    user_agent: textOrNull('User agent at sign-in.'),
  },
  { title: 'SessionEntry' },
);
const Session = closed({ user: User, session: SessionEntry }, { title: 'Session' });
const SessionList = closed({ items: Type.Array(SessionEntry) }, { title: 'SessionList' });

/** @param current whether this is the session of the request */
function sessionEntry({ session, activity }: ActiveSession, { current }: { readonly current: boolean }) {
  return {
    id: session.id,
    created_at: formatDateTime(session.createdAt),
    last_seen_at: formatDateTime(activity.lastSeenAt),
    expires_at: formatDateTime(sessionExpiry(session.createdAt, activity.lastSeenAt)),
    current,
    ip: session.ip,
    user_agent: session.userAgent,
  };
}

async function sessionView(caller: ActiveSession, deps: UserViewDeps) {
  const user = deps.accounts.findUser(caller.principal, caller.principal.userId);
  // The user was deleted in the meantime.
  if (user === null) throw notFoundRefusal('user');
  return { user: await userView(user, deps), session: sessionEntry(caller, { current: true }) };
}

interface SessionDeps extends UserViewDeps {
  readonly baseUrl: () => string;
}

/** Sets the cookie of a new session, and returns the session. */
function beginSession(
  { token, activeSession }: NewSession,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SessionDeps,
) {
  reply.header('set-cookie', sessionCookie(token, isSecure(request, deps.baseUrl())));
  return sessionView(activeSession, deps);
}

const clientOf = ({ ip, headers }: FastifyRequest): ClientInfo => ({
  ip,
  userAgent: headers['user-agent'] ?? null,
});

/** For examples. */
const TOKEN = '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export const SESSIONS = [
  endpoint({
    method: 'post',
    path: '/api/v1/session/',
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Sets the cookie `sluice_session`. The response does not say whether the e-mail or the password was wrong. A user with a second factor gets 401 `auth.second_factor` without a right `code`.',
    access: 'sign-in',
    body: jsonBody(SignIn, {
      examples: { signIn: { email: 'ada@example.com', password: 'correct horse battery' } },
    }),
    responses: { 201: json('The session.', Session) },
    handler: async ({ body, request, reply }, { accounts, permits, defaultConcurrency, baseUrl }) => {
      const session = unwrapAccountResult(await accounts.sessions.signIn({ ...body, ...clientOf(request) }));
      return beginSession(session, request, reply, { accounts, permits, defaultConcurrency, baseUrl });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/session/',
    operationId: 'getSession',
    summary: 'Get the current session',
    access: 'own account',
    responses: { 200: json('The session.', Session) },
    handler: ({ session }, { accounts, permits, defaultConcurrency }) =>
      sessionView(session, { accounts, permits, defaultConcurrency }),
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/session/',
    operationId: 'signOut',
    summary: 'Sign out',
    access: 'own account',
    responses: { 204: nothing('The session has ended.') },
    handler: async ({ principal, session, request, reply }, { accounts: { sessions }, baseUrl }) => {
      await sessions.end(actorOf(principal, request), principal.userId, session.session.id);
      reply.header('set-cookie', expiredSessionCookie(isSecure(request, baseUrl())));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/session/all/',
    operationId: 'listSessions',
    summary: 'List your sessions',
    access: 'own account',
    responses: { 200: json('Your sessions, latest first.', SessionList) },
    handler: ({ principal, session: { session: current } }, { accounts: { sessions } }) => ({
      items: sessions
        .list(principal.userId)
        .map((caller) => sessionEntry(caller, { current: caller.session.id === current.id })),
    }),
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/session/all/',
    operationId: 'endOtherSessions',
    summary: 'End all your other sessions',
    access: 'own account',
    responses: { 204: nothing('The other sessions have ended.') },
    handler: async ({ principal, session, request }, { accounts: { sessions } }) => {
      await sessions.endOthers(actorOf(principal, request), principal.userId, session.session.id);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/session/all/{id}/',
    operationId: 'endSession',
    summary: 'End one of your sessions',
    access: 'own account',
    params: { id: { description: 'Id of the session.', schema: Type.String() } },
    responses: { 204: nothing('The session has ended.') },
    handler: async (
      { params: { id }, principal, session, request, reply },
      { accounts: { sessions }, baseUrl },
    ) => {
      if (!(await sessions.end(actorOf(principal, request), principal.userId, id)))
        throw notFoundRefusal('session');
      if (id.toLowerCase() === session.session.id)
        reply.header('set-cookie', expiredSessionCookie(isSecure(request, baseUrl())));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/session/password/',
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Ends all your other sessions.',
    access: 'own account',
    body: jsonBody(PasswordChange, {
      examples: {
        change: { current_password: 'correct horse battery', new_password: 'staple of the day' },
      },
    }),
    responses: { 204: nothing('The password is changed.'), 429: TOO_MANY_SIGN_INS },
    handler: async ({ session, body, request: { ip } }, { accounts: { sessions } }) => {
      const change = { currentPassword: body.current_password, newPassword: body.new_password, ip };
      unwrapAccountResult(await sessions.changePassword(session, change));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/session/link/',
    operationId: 'checkSetUpLink',
    summary: 'Check a set-up link',
    access: 'sign-in',
    body: jsonBody(SetUpLinkCheck, { examples: { check: { token: TOKEN } } }),
    responses: { 200: json('The link is valid.', SetUpLink) },
    handler: ({ body }, { accounts: { sessions } }) => {
      const { user, expiresAt } = unwrapAccountResult(sessions.findLink(body.token));
      return {
        email: user.email,
        has_password: user.passwordHash !== null,
        expires_at: formatDateTime(expiresAt),
      };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/session/set-up/',
    operationId: 'setUp',
    summary: 'Set the password with a set-up link, and sign in',
    description: 'The link stops working, and all earlier sessions of the user end.',
    access: 'sign-in',
    body: jsonBody(SetUp, { examples: { setUp: { token: TOKEN, password: 'correct horse battery' } } }),
    responses: { 201: json('The session.', Session) },
    handler: async ({ body, request, reply }, { accounts, permits, defaultConcurrency, baseUrl }) => {
      const session = unwrapAccountResult(await accounts.sessions.setUp({ ...body, ...clientOf(request) }));
      return beginSession(session, request, reply, { accounts, permits, defaultConcurrency, baseUrl });
    },
  }),
];
