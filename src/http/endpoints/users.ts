import { Type } from 'typebox';
import { OPERATOR } from '../../account/account-actions.ts';
import { setUpUrl } from '../../account/set-up-links.ts';
import type { NewUser, UserSettings } from '../../account/users.ts';
import type { UserRow } from '../../domain/account.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import { type LimitsChange, MAX_USER_LIMIT } from '../../domain/user-limits.ts';
import { formatDateTime, formatDateTimeOrNull } from '../../wire/date-time.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { actorOf } from '../core/access.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, unwrapAccountResult } from '../core/refusal.ts';
import { forbidStoring, json, nothing, problem } from '../core/responses.ts';
import { RECENT_SPEND, recentSpend } from '../operations/recent-spend.ts';
import { Email, Password, RoleName, User, userView } from '../operations/user-object.ts';

const opt = Type.Optional;
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });
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
        schedules: opt(orNull(OwnLimit)),
        datasets: opt(orNull(OwnLimit)),
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
const ListedUser = closed(
  {
    ...User.properties,
    last_used_at: orNull(Timestamp, {
      description: 'Last request with an API key of the user, to a few seconds.',
    }),
    ...RECENT_SPEND,
  },
  { title: 'ListedUser' },
);
const UserList = closed({ items: Type.Array(ListedUser) }, { title: 'UserList' });
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

/** Users with their last use of the API, and what they have spent lately. @param userId null: they are all users */
async function listedUsers(deps: EndpointDeps, users: readonly UserRow[], userId: string | null) {
  const lastUses = new Map<string, number>();
  for (const { userId: owner, lastUsedAt } of deps.accounts.listKeys(OPERATOR, userId))
    lastUses.set(owner, Math.max(lastUses.get(owner) ?? 0, lastUsedAt ?? 0));
  const spentBy = await recentSpend(deps, 'user', userId);
  return await Promise.all(
    users.map(async (user) => ({
      ...(await userView(user, deps)),
      last_used_at: formatDateTimeOrNull(lastUses.get(user.id) || null),
      ...spentBy(user.id),
    })),
  );
}

const USER_ID = { id: { description: 'Id of the user.', schema: Type.String() } };

export const USERS = [
  endpoint({
    method: 'get',
    path: '/api/v1/users/',
    operationId: 'listUsers',
    summary: 'List users',
    access: 'role:admin',
    responses: { 200: json('The users.', UserList) },
    handler: async ({ principal }, deps) => ({
      items: await listedUsers(deps, deps.accounts.listUsers(principal), null),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/users/',
    operationId: 'createUser',
    summary: 'Create a user',
    access: 'role:admin',
    body: USER_CREATE,
    responses: { 201: json('The user.', User) },
    handler: async ({ principal, body, request }, { accounts, permits, defaultConcurrency }) => {
      const user = unwrapAccountResult(await accounts.createUser(actorOf(principal, request), body));
      return userView(user, { accounts, permits, defaultConcurrency });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/users/{id}/',
    operationId: 'getUser',
    summary: 'Get a user',
    access: 'role:admin',
    params: USER_ID,
    responses: { 200: json('The user.', ListedUser) },
    handler: async ({ principal, params }, deps) => {
      const user = deps.accounts.findUser(principal, params.id);
      if (user === null) throw notFoundRefusal('user');
      const [listed] = await listedUsers(deps, [user], user.id);
      return listed!;
    },
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/users/{id}/',
    operationId: 'changeUser',
    summary: 'Change a user',
    access: 'role:admin',
    params: USER_ID,
    body: USER_PATCH,
    responses: { 200: json('The user.', User) },
    handler: async ({ principal, params, body, request }, { accounts, permits, defaultConcurrency }) => {
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
    summary: 'Create a link that sets the password of a user',
    description: 'The link works once and expires after 24 hours. Earlier links stop working.',
    access: 'role:admin',
    params: USER_ID,
    responses: {
      201: json('The link. Shown only once.', UserLink),
      400: problem('The user is disabled: `request.validation`.'),
    },
    handler: async ({ principal, params, request, reply }, { accounts: { sessions }, baseUrl }) => {
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
    summary: 'Remove the second factor of a user',
    description: 'For users who have lost their device and their recovery codes.',
    access: 'role:admin',
    params: USER_ID,
    responses: {
      204: nothing('Sign-in asks only for the password.'),
      400: problem('The user has none: `request.validation`.'),
    },
    handler: async ({ principal, params, request }, { accounts: { sessions } }) => {
      unwrapAccountResult(await sessions.resetSecondFactor(actorOf(principal, request), params.id));
    },
  }),
];
