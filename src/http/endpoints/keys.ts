import { Type } from 'typebox';
import { OPERATOR } from '../../account/account-actions.ts';
import type { Accounts } from '../../account/accounts.ts';
import { isTestKey } from '../../account/tokens.ts';
import {
  type DailyBudget,
  type KeyRow,
  type Principal,
  readsAll,
  SCOPES,
  type Scope,
} from '../../domain/account.ts';
import { closed, dateTime, orNull } from '../../domain/json-schema.ts';
import { formatDateTime, formatDateTimeOrNull, parseDateTime } from '../../wire/date-time.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { addValueProblem, type Problems } from '../../wire/schema/problems.ts';
import type { QueryReader, Viewer } from '../../wire/schema/query-reader.ts';
import { actorOf } from '../core/access.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, Refusal, unwrapAccountResult } from '../core/refusal.ts';
import { forbidStoring, json, nothing, problem } from '../core/responses.ts';
import { RECENT_SPEND, recentSpend } from '../operations/recent-spend.ts';

const opt = Type.Optional;
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });
const RequestTime = dateTime('Date and time (RFC 3339).');
const Scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length });
const Domains = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: 100,
  description: 'Target domains the key may scrape, including subdomains. Empty: all.',
});
const Ips = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 100,
  description: 'IP addresses or CIDR ranges the key may be used from. Empty: all.',
});
const Budget = closed({
  amount: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'A whole number if the unit is `scrapes`.',
  }),
  unit: Type.Enum(['scrapes', 'cost'], { description: '`cost` is only accepted if prices are configured.' }),
});

const KEY_MEMBERS = {
  expires_at: opt(orNull(RequestTime)),
  scopes: opt(Scopes),
  domains: opt(Domains),
  ips: opt(Ips),
  daily_budget: opt(orNull(Budget)),
  concurrency: opt(
    orNull(Limit, { description: 'Maximum concurrent requests of this key. null: the limit of the user.' }),
  ),
};
const KeyName = Type.String({ minLength: 1, maxLength: 100 });

const ApiKeyCreate = closed(
  {
    name: KeyName,
    test: opt(
      Type.Boolean({
        default: false,
        description: 'A test key: it may scrape test hosts (`*.sluice.test`) alone.',
      }),
    ),
    ...KEY_MEMBERS,
  },
  { title: 'ApiKeyCreate' },
);
const ApiKeyPatch = closed(
  { name: opt(KeyName), ...KEY_MEMBERS },
  { title: 'ApiKeyPatch', description: 'Fields left out stay unchanged; null removes a limit.' },
);
const ApiKeyRotate = closed(
  {
    overlap_hours: opt(
      Type.Number({
        minimum: 0,
        maximum: 24,
        default: 0,
        description: 'Hours during which the old key keeps working.',
      }),
    ),
  },
  { title: 'ApiKeyRotate' },
);

const Timestamp = Type.String({ format: 'date-time' });
const KEY_OBJECT = {
  id: Type.String(),
  name: Type.String(),
  test: Type.Boolean({ description: 'Whether it is a test key.' }),
  prefix: Type.String({ description: 'The first characters of the key.' }),
  last4: Type.String(),
  created_at: Timestamp,
  last_used_at: orNull(Timestamp),
  expires_at: orNull(Timestamp),
  revoked_at: orNull(Timestamp),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  domains: Type.Array(Type.String()),
  ips: Type.Array(Type.String()),
  daily_budget: orNull(closed({ amount: Type.Number(), unit: Type.Enum(['scrapes', 'cost']) })),
  concurrency: orNull(Type.Integer()),
  requests_today: Type.Integer({ description: 'Scrapes with this key since 00:00 UTC.' }),
  cost_today: Type.Number({ minimum: 0, description: 'Cost of these scrapes, in `cost_unit`.' }),
};
const ApiKey = closed(KEY_OBJECT, { title: 'ApiKey' });
const CreatedApiKey = closed(
  { ...KEY_OBJECT, key: Type.String({ description: 'The key itself. Shown only once.' }) },
  { title: 'CreatedApiKey' },
);
const ListedApiKey = closed(
  {
    ...KEY_OBJECT,
    user_id: Type.String({ format: 'uuid', description: 'Owner of the key.' }),
    user_email: Type.String(),
    ...RECENT_SPEND,
  },
  { title: 'ListedApiKey' },
);
const ApiKeyList = closed({ items: Type.Array(ListedApiKey) }, { title: 'ApiKeyList' });

/** Settings of a key; absent ones were not sent. Times are ms since the epoch. */
interface KeyRequest {
  readonly name?: string;
  readonly test?: boolean;
  readonly expiresAt?: number | null;
  readonly scopes?: readonly Scope[];
  readonly domains?: readonly string[];
  readonly ips?: readonly string[];
  readonly dailyBudget?: DailyBudget | null;
  readonly concurrency?: number | null;
}

export const KEY_CREATE = jsonBody(ApiKeyCreate, {
  examples: { minimal: { name: 'production' } },
  // `accounts.createKey` checks the domains and addresses.
  read: (body, problems) => readKey(body, problems) as KeyRequest & { readonly name: string },
});
export const KEY_PATCH = jsonBody(ApiKeyPatch, {
  examples: { limit: { concurrency: 10 } },
  // null removes a limit.
  nulls: 'kept',
  read: readKey,
});
export const KEY_ROTATE = jsonBody(ApiKeyRotate, {
  required: false,
  examples: { overlap: { overlap_hours: 1 } },
  read: (body) => ({ overlapHours: (body.overlap_hours as number | undefined) ?? 0 }),
});

function readKey(body: JsonObject, problems: Problems): KeyRequest {
  const { expires_at: expires, daily_budget: dailyBudget, ...rest } = body;
  let request: KeyRequest = rest;
  if (dailyBudget !== undefined) request = { ...request, dailyBudget: dailyBudget as DailyBudget | null };
  if (expires === undefined) return request;
  const expiresAt = expires === null ? null : parseDateTime(String(expires));
  if (expires !== null && expiresAt === null) {
    addValueProblem(
      problems,
      '/expires_at',
      'must be an RFC 3339 time such as 2027-01-31T12:00:00Z',
      expires,
    );
  }
  return { ...request, expiresAt };
}

/** A key object of the API. */
export function keyObject(key: KeyRow, today: { readonly requests: number; readonly cost: number }) {
  return {
    id: key.id,
    name: key.name,
    test: isTestKey(key.prefix),
    prefix: key.prefix,
    last4: key.last4,
    created_at: formatDateTime(key.createdAt),
    last_used_at: formatDateTimeOrNull(key.lastUsedAt),
    expires_at: formatDateTimeOrNull(key.expiresAt),
    revoked_at: formatDateTimeOrNull(key.revokedAt),
    scopes: key.scopes,
    domains: key.domains,
    ips: key.ips,
    daily_budget: key.dailyBudget,
    concurrency: key.concurrency,
    requests_today: today.requests,
    cost_today: today.cost,
  };
}

const KEY_ID = { id: { description: 'Id of the key.', schema: Type.String() } };

/** Whether the caller sees the keys of all users: their settings and last use, never the keys themselves. */
const seesAllKeys = ({ role, scopes = [] }: Pick<Viewer, 'role' | 'scopes'>): boolean =>
  readsAll(role) && scopes.includes('admin');

/** Whose keys are asked for; null: those of all users. */
function readOwner(query: QueryReader, viewer: Viewer): string | null {
  const asked = query.text('user_id');
  if (asked === null) return viewer.userId;
  if (asked !== viewer.userId && !seesAllKeys(viewer))
    query.addProblem('user_id', 'is only for administrators and viewers');
  return asked === 'all' ? null : asked;
}

/** Keys with their owners, and what they have spent lately. */
async function listedKeys(deps: EndpointDeps, keys: readonly KeyRow[], userId: string | null) {
  const { accounts } = deps;
  const emails = new Map(accounts.listUsers(OPERATOR).map(({ id, email }) => [id, email]));
  const spentBy = await recentSpend(deps, 'key', userId);
  return keys.map((key) => ({
    ...keyView(accounts, key),
    user_id: key.userId,
    user_email: emails.get(key.userId) ?? '',
    ...spentBy(key.id),
  }));
}

/** The key with the id in the path, of the caller, or of anybody for those who see all. @throws Refusal */
function visibleKey(accounts: Accounts, principal: Principal, id: string): KeyRow {
  const key = accounts.findKey(seesAllKeys(principal) ? OPERATOR : principal, id);
  if (key === null) throw notFoundRefusal('key');
  return key;
}

/** The key with the id in the path. @throws Refusal if there is none, or if it belongs to another user */
function ownKey(accounts: Accounts, principal: Principal, id: string): KeyRow {
  const key = accounts.findKey(principal, id);
  if (key === null || key.userId !== principal.userId) throw notFoundRefusal('key');
  return key;
}

function keyView(accounts: Accounts, key: KeyRow) {
  return keyObject(key, usageToday(accounts, key));
}

function createdKeyView(accounts: Accounts, { row, key }: { readonly row: KeyRow; readonly key: string }) {
  return { ...keyObject(row, usageToday(accounts, row)), key };
}

const usageToday = (accounts: Accounts, { id }: KeyRow) => ({
  requests: accounts.requestsToday(id),
  cost: accounts.costToday(id),
});

export const KEYS = [
  endpoint({
    method: 'get',
    path: '/api/v1/keys/',
    operationId: 'listKeys',
    summary: 'List keys',
    description:
      'Your own; for administrators and viewers also those of another user or of all. The newest first, revoked ones too.',
    access: 'scope:admin',
    query: {
      parameters: {
        user_id: {
          description: 'Id of a user, or `all`. Only for administrators and viewers. Default: your own keys.',
          schema: Type.String(),
        },
      },
      read: (query: QueryReader, viewer: Viewer) => ({ owner: readOwner(query, viewer) }),
    },
    responses: { 200: json('The keys.', ApiKeyList) },
    handler: async ({ query: { owner } }, deps) => ({
      items: await listedKeys(deps, deps.accounts.listKeys(OPERATOR, owner), owner),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/keys/',
    operationId: 'createKey',
    summary: 'Create a key',
    access: 'scope:admin',
    body: KEY_CREATE,
    responses: { 201: json('The key. Shown only once.', CreatedApiKey) },
    handler: async ({ principal, body, request, reply }, { accounts }) => {
      const created = unwrapAccountResult(
        await accounts.createKey(actorOf(principal, request), { ...body, userId: principal.userId }),
      );
      forbidStoring(reply);
      return createdKeyView(accounts, created);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/key/',
    operationId: 'getOwnKey',
    summary: 'Get the key of this request',
    description: 'What is left of its budget, and what it may do. A session has no key: 404.',
    access: 'scope:read',
    responses: { 200: json('The key.', ApiKey), 404: problem('The request has a session instead of a key.') },
    handler: ({ principal }, { accounts }) => {
      const { keyId } = principal;
      if (keyId === null)
        throw Refusal.of('request.not_found', 'The request has a session instead of a key.');
      const key = accounts.findKey(principal, keyId);
      if (key === null) throw notFoundRefusal('key');
      return keyView(accounts, key);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/keys/{id}/',
    operationId: 'getKey',
    summary: 'Get a key',
    access: 'scope:admin',
    params: KEY_ID,
    responses: { 200: json('The key.', ListedApiKey) },
    handler: async ({ principal, params }, deps) => {
      const key = visibleKey(deps.accounts, principal, params.id);
      const [listed] = await listedKeys(deps, [key], key.userId);
      return listed!;
    },
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/keys/{id}/',
    operationId: 'changeKey',
    summary: 'Change a key',
    access: 'scope:admin',
    params: KEY_ID,
    body: KEY_PATCH,
    responses: { 200: json('The key.', ApiKey) },
    handler: async ({ principal, params, body, request }, { accounts }) => {
      const { id } = ownKey(accounts, principal, params.id);
      return keyView(
        accounts,
        unwrapAccountResult(await accounts.updateKey(actorOf(principal, request), id, body)),
      );
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/keys/{id}/',
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    description: 'Administrators revoke those of all users.',
    access: 'scope:admin',
    params: KEY_ID,
    responses: { 204: nothing('Revoked.') },
    handler: async ({ principal, params, request }, { accounts }) => {
      const { id } = visibleKey(accounts, principal, params.id);
      if (!(await accounts.revokeKey(actorOf(principal, request), id))) throw notFoundRefusal('key');
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/keys/{id}/rotate/',
    operationId: 'rotateKey',
    summary: 'Replace a key with a new one',
    access: 'scope:admin',
    params: KEY_ID,
    body: KEY_ROTATE,
    responses: { 201: json('The new key. Shown only once.', CreatedApiKey) },
    handler: async ({ principal, params, body, request, reply }, { accounts, store, jobEngine, clock }) => {
      const { id } = ownKey(accounts, principal, params.id);
      const created = unwrapAccountResult(
        await accounts.rotateKey(actorOf(principal, request), id, body.overlapHours),
      );
      // The jobs of the old key go on after it has ended.
      await store.jobs.moveKey(id, created.row.id, clock.now());
      await store.monitors.moveKey(id, created.row.id);
      await store.schedules.moveKey(id, created.row.id);
      jobEngine.wake();
      forbidStoring(reply);
      return createdKeyView(accounts, created);
    },
  }),
];
