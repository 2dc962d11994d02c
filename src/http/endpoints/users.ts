import { Type } from 'typebox';
import { setUpUrl } from '../../account/set-up-links.ts';
import type { NewUser, UserSettings } from '../../account/users.ts';
import { ROLES, type UserRow } from '../../domain/account.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import { type LimitsChange, MAX_USER_LIMIT, USER_LIMITS } from '../../domain/user-limits.ts';
import { formatDateTime, formatDateTimeOrNull } from '../../wire/date-time.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { actorOf } from '../access.ts';
import type { EndpointDeps } from '../deps.ts';
import { endpoint, jsonBody } from '../endpoint.ts';
import { notFoundRefusal, unwrapAccountResult } from '../refusal.ts';
import { json, nothing, problem } from '../responses.ts';
import { forbidStoring } from './keys.ts';

const opt = Type.Optional;
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });
export const Email = Type.String({ minLength: 3, maxLength: 254, description: 'An e-mail address.' });
export const RoleName = Type.Enum([...ROLES], {
  description: '`viewer`: reads what an administrator reads, and changes nothing.',
});
export const Password = Type.String({ minLength: 8, maxLength: 1024 });

const OwnLimit = Type.Integer({ minimum: 0, maximum: MAX_USER_LIMIT });
/** `job_concurrency` is a member of the user, beside `concurrency`; the other limits are in `limits`. */
const LIMIT_MEMBERS = {
  job_concurrency: opt(orNull(OwnLimit)),
  limits: opt(
    closed(
      {
        open_jobs: opt(orNull(OwnLimit)),
        queued_items: opt(orNull(OwnLimit)),
        monitors: opt(orNull(OwnLimit)),
        templates: opt(orNull(OwnLimit)),
        streams: opt(orNull(OwnLimit)),
      },
      { description: 'null restores the default.' },
    ),
  ),
};

const UserCreate = closed(
  {
    email: Email,
    role: opt(RoleName),
    concurrency: opt(orNull(Limit)),
    ...LIMIT_MEMBERS,
    password: opt(orNull(Password)),
  },
  { title: 'UserCreate' },
);
const UserPatch = closed(
  { role: opt(RoleName), concurrency: opt(orNull(Limit)), ...LIMIT_MEMBERS, disabled: opt(Type.Boolean()) },
  {
    title: 'UserPatch',
    description: 'Fields left out stay unchanged. `concurrency: null` restores the default.',
  },
);
const Timestamp = Type.String({ format: 'date-time' });
export const User = closed(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    role: RoleName,
    concurrency: Type.Integer({ description: 'Maximum concurrent requests, over all keys of the user.' }),
    concurrency_is_default: Type.Boolean({
      description: 'Whether `concurrency` is the default of the service.',
    }),
    job_concurrency: Type.Integer({
      description: 'Items of jobs that may run at once, over all jobs of the user.',
    }),
    limits: closed({
      open_jobs: Type.Integer({ description: 'Jobs that have not ended.' }),
      queued_items: Type.Integer({ description: 'Items of these jobs that wait.' }),
      monitors: Type.Integer(),
      templates: Type.Integer(),
      streams: Type.Integer({ description: 'Streams of events and results that are open at once.' }),
    }),
    disabled_at: orNull(Timestamp),
    created_at: Timestamp,
    has_password: Type.Boolean({ description: 'Whether the user has set a password.' }),
    has_second_factor: Type.Boolean({ description: 'Whether sign-in asks for a code.' }),
    has_identity: Type.Boolean({ description: 'Whether the user has signed in by the OpenID provider.' }),
    last_seen_at: orNull(Timestamp, {
      description: 'Last use of the dashboard, accurate to about a minute.',
    }),
    in_flight: Type.Integer({ description: 'Requests running now.' }),
  },
  { title: 'User' },
);
const UserList = closed({ items: Type.Array(User) }, { title: 'UserList' });
const UserLink = closed(
  {
    url: Type.String({ description: 'Link that sets the password of the user. Works once.' }),
    expires_at: Timestamp,
  },
  { title: 'UserLink' },
);

type LimitBody = Readonly<{ job_concurrency?: number | null; limits?: LimitsChange }>;

/** The settings of a user, with all limits in `limits`. */
function readSettings<T>(body: JsonObject): T {
  const { job_concurrency: jobConcurrency, limits, ...settings } = body as LimitBody & JsonObject;
  if (jobConcurrency === undefined && limits === undefined) return settings as T;
  const own = jobConcurrency === undefined ? {} : { job_concurrency: jobConcurrency };
  return { ...settings, limits: { ...limits, ...own } } as T;
}

export const USER_CREATE = jsonBody(UserCreate, {
  examples: { minimal: { email: 'ada@example.com' } },
  read: readSettings<NewUser>,
});
export const USER_PATCH = jsonBody(UserPatch, {
  examples: { limit: { concurrency: 100, job_concurrency: 40 } },
  read: readSettings<Partial<UserSettings>>,
  // null restores the default.
  nulls: 'kept',
});

/** What a user object needs besides the user's row. */
interface UserStatus {
  /** The limit of users without a limit of their own. */
  readonly defaultConcurrency: number;
  /** ms since the epoch; null: never. It may be newer than `lastSeenAt` of the row, which is written later. */
  readonly lastSeenAt: number | null;
  readonly inFlight: number;
  readonly hasSecondFactor: boolean;
  readonly hasIdentity: boolean;
}

function limitMembers({ limits: own }: UserRow) {
  const { job_concurrency, ...limits } = { ...USER_LIMITS, ...own };
  return { job_concurrency, limits };
}

/** A user object of the API. It shows only whether the user has a password. */
export function userObject(user: UserRow, status: UserStatus) {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    concurrency: user.concurrency ?? status.defaultConcurrency,
    concurrency_is_default: user.concurrency === null,
    ...limitMembers(user),
    disabled_at: formatDateTimeOrNull(user.disabledAt),
    created_at: formatDateTime(user.createdAt),
    has_password: user.passwordHash !== null,
    has_second_factor: status.hasSecondFactor,
    has_identity: status.hasIdentity,
    last_seen_at: formatDateTimeOrNull(status.lastSeenAt),
    in_flight: status.inFlight,
  };
}

export type UserViewDeps = Pick<EndpointDeps, 'accounts' | 'permits' | 'defaultConcurrency'>;

/** A user object with the current state of the user. */
export async function userView(user: UserRow, { accounts, permits, defaultConcurrency }: UserViewDeps) {
  return userObject(user, {
    defaultConcurrency,
    lastSeenAt: accounts.lastSeenAt(user),
    inFlight: await permits.inUse(user.id),
    hasSecondFactor: accounts.sessions.hasSecondFactor(user.id),
    hasIdentity: accounts.hasIdentity(user.id),
  });
}

const USER_ID = { id: { description: 'Id of the user.', schema: Type.String() } };

export const USERS = [
  endpoint({
    method: 'get',
    path: '/api/v1/users/',
    operationId: 'listUsers',
    tag: 'Users',
    summary: 'List users',
    access: 'role:admin',
    responses: { 200: json('The users.', UserList) },
    handler:
      ({ accounts, permits, defaultConcurrency }) =>
      async ({ principal }) => {
        const users = accounts.listUsers(principal);
        const deps = { accounts, permits, defaultConcurrency };
        return { items: await Promise.all(users.map((user) => userView(user, deps))) };
      },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/users/',
    operationId: 'createUser',
    tag: 'Users',
    summary: 'Create a user',
    access: 'role:admin',
    body: USER_CREATE,
    responses: { 201: json('The user.', User) },
    handler:
      ({ accounts, permits, defaultConcurrency }) =>
      async ({ principal, body, request }) => {
        const user = unwrapAccountResult(await accounts.createUser(actorOf(principal, request), body));
        return userView(user, { accounts, permits, defaultConcurrency });
      },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/users/{id}/',
    operationId: 'getUser',
    tag: 'Users',
    summary: 'Get a user',
    access: 'role:admin',
    params: USER_ID,
    responses: { 200: json('The user.', User) },
    handler:
      ({ accounts, permits, defaultConcurrency }) =>
      async ({ principal, params }) => {
        const user = accounts.findUser(principal, params.id);
        if (user === null) throw notFoundRefusal('user');
        return userView(user, { accounts, permits, defaultConcurrency });
      },
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/users/{id}/',
    operationId: 'changeUser',
    tag: 'Users',
    summary: 'Change a user',
    access: 'role:admin',
    params: USER_ID,
    body: USER_PATCH,
    responses: { 200: json('The user.', User) },
    handler:
      ({ accounts, permits, defaultConcurrency }) =>
      async ({ principal, params, body, request }) => {
        const user = unwrapAccountResult(
          await accounts.updateUser(actorOf(principal, request), params.id, body),
        );
        return userView(user, { accounts, permits, defaultConcurrency });
      },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/users/{id}/link/',
    operationId: 'createUserLink',
    tag: 'Users',
    summary: 'Create a link that sets the password of a user',
    description: 'The link works once and expires after 24 hours. Earlier links stop working.',
    access: 'role:admin',
    params: USER_ID,
    responses: {
      201: json('The link. Shown only once.', UserLink),
      400: problem('The user is disabled: `request.validation`.'),
    },
    handler:
      ({ accounts: { sessions }, baseUrl }) =>
      async ({ principal, params, request, reply }) => {
        const { token, expiresAt } = unwrapAccountResult(
          await sessions.createLink(actorOf(principal, request), params.id),
        );
        forbidStoring(reply);
        return { url: setUpUrl(baseUrl(), token), expires_at: formatDateTime(expiresAt) };
      },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/users/{id}/second-factor/',
    operationId: 'resetSecondFactor',
    tag: 'Users',
    summary: 'Remove the second factor of a user',
    description: 'For users who have lost their device and their recovery codes.',
    access: 'role:admin',
    params: USER_ID,
    responses: {
      204: nothing('Sign-in asks only for the password.'),
      400: problem('The user has none: `request.validation`.'),
    },
    handler:
      ({ accounts: { sessions } }) =>
      async ({ principal, params, request }) => {
        unwrapAccountResult(await sessions.resetSecondFactor(actorOf(principal, request), params.id));
      },
  }),
];
