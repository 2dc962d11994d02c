import { Type } from 'typebox';
import {
  PasswordChange,
  Session,
  SessionList,
  SetUp,
  SetUpLink,
  SetUpLinkCheck,
  SignIn,
} from '../sessions.ts';
import type { Operation } from './operation.ts';
import { json, nothing, refusals, SIGN_IN, TOO_OFTEN } from './responses.ts';

/** What needs no session yet. */
const ENTER = { ...refusals({ scope: null, body: true }), ...SIGN_IN };
const LOOK = refusals({ scope: 'session' });

type Rest = Omit<Operation, 'tag' | 'scope'>;
const enter = (rest: Rest): Operation => ({ ...rest, tag: 'Session', scope: null });
const within = (rest: Rest): Operation => ({ ...rest, tag: 'Session', scope: 'session' });

const TOKEN = '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export const SESSION_OPERATIONS: readonly Operation[] = [
  enter({
    method: 'post',
    path: '/api/v1/session/',
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Sets the cookie `sluice_session`. The response does not say whether the e-mail or the password was wrong.',
    request: {
      schema: SignIn,
      required: true,
      examples: { signIn: { email: 'ada@example.com', password: 'correct horse battery' } },
    },
    responses: { '201': json('The session.', Session), ...ENTER },
  }),
  within({
    method: 'get',
    path: '/api/v1/session/',
    operationId: 'getSession',
    summary: 'Get the current session',
    responses: { '200': json('The session.', Session), ...LOOK },
  }),
  within({
    method: 'delete',
    path: '/api/v1/session/',
    operationId: 'signOut',
    summary: 'Sign out',
    responses: { '204': nothing('The session has ended.'), ...LOOK },
  }),
  within({
    method: 'get',
    path: '/api/v1/session/all/',
    operationId: 'listSessions',
    summary: 'List your sessions',
    responses: { '200': json('Your sessions, latest first.', SessionList), ...LOOK },
  }),
  within({
    method: 'delete',
    path: '/api/v1/session/all/',
    operationId: 'endOtherSessions',
    summary: 'End all your other sessions',
    responses: { '204': nothing('The other sessions have ended.'), ...LOOK },
  }),
  within({
    method: 'delete',
    path: '/api/v1/session/all/{id}/',
    operationId: 'endSession',
    summary: 'End one of your sessions',
    parameters: [{ name: 'id', in: 'path', description: 'Id of the session.', schema: Type.String() }],
    responses: { '204': nothing('The session has ended.'), ...refusals({ scope: 'session', id: true }) },
  }),
  within({
    method: 'post',
    path: '/api/v1/session/password/',
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Ends all your other sessions.',
    request: {
      schema: PasswordChange,
      required: true,
      examples: { change: { current_password: 'correct horse battery', new_password: 'staple of the day' } },
    },
    responses: {
      '204': nothing('The password is changed.'),
      ...refusals({ scope: 'session', body: true }),
      '429': TOO_OFTEN,
    },
  }),
  enter({
    method: 'post',
    path: '/api/v1/session/link/',
    operationId: 'checkSetUpLink',
    summary: 'Check a set-up link',
    request: { schema: SetUpLinkCheck, required: true, examples: { check: { token: TOKEN } } },
    responses: { '200': json('The link is valid.', SetUpLink), ...ENTER },
  }),
  enter({
    method: 'post',
    path: '/api/v1/session/set-up/',
    operationId: 'setUp',
    summary: 'Set the password with a set-up link, and sign in',
    description: 'The link stops working, and all earlier sessions of the user end.',
    request: {
      schema: SetUp,
      required: true,
      examples: { setUp: { token: TOKEN, password: 'correct horse battery' } },
    },
    responses: { '201': json('The session.', Session), ...ENTER },
  }),
];
