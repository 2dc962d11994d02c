import { type Static, Type } from 'typebox';
import {
  type DailyBudget,
  type KeyRow,
  type Role,
  SCOPES,
  type Scope,
  type UserRow,
} from '../domain/account.ts';
import { closed, orNull } from '../domain/json-schema.ts';
import { formatDateTime, formatDateTimeOrNull, parseDateTime } from './date-time.ts';
import { bodyParser } from './schema/body-parser.ts';
import { addValueProblem, type Problems } from './schema/problems.ts';

const opt = Type.Optional;
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });
const RequestTime = Type.String({ format: 'date-time', description: 'Date and time (RFC 3339).' });
const Scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: 3 });
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

export const ApiKeyCreate = closed({ name: KeyName, ...KEY_MEMBERS }, { title: 'ApiKeyCreate' });
export const ApiKeyPatch = closed(
  { name: opt(KeyName), ...KEY_MEMBERS },
  { title: 'ApiKeyPatch', description: 'Fields left out stay unchanged; null removes a limit.' },
);
export const ApiKeyRotate = closed(
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

const Email = Type.String({ minLength: 3, maxLength: 254, description: 'An e-mail address.' });
const RoleName = Type.Enum(['admin', 'user']);
export const Password = Type.String({ minLength: 8, maxLength: 1024 });

export const UserCreate = closed(
  { email: Email, role: opt(RoleName), concurrency: opt(orNull(Limit)), password: opt(orNull(Password)) },
  { title: 'UserCreate' },
);
export const UserPatch = closed(
  { role: opt(RoleName), concurrency: opt(orNull(Limit)), disabled: opt(Type.Boolean()) },
  {
    title: 'UserPatch',
    description: 'Fields left out stay unchanged. `concurrency: null` restores the default.',
  },
);
export type UserCreate = Static<typeof UserCreate>;
export type UserPatch = Static<typeof UserPatch>;

const Timestamp = Type.String({ format: 'date-time' });
const KEY_OBJECT = {
  id: Type.String(),
  name: Type.String(),
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
export const ApiKey = closed(KEY_OBJECT, { title: 'ApiKey' });
export const CreatedApiKey = closed(
  { ...KEY_OBJECT, key: Type.String({ description: 'The key itself. Shown only once.' }) },
  { title: 'CreatedApiKey' },
);
export const ApiKeyList = closed({ items: Type.Array(ApiKey) }, { title: 'ApiKeyList' });

export const User = closed(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    role: RoleName,
    concurrency: Type.Integer({ description: 'Maximum concurrent requests, over all keys of the user.' }),
    concurrency_is_default: Type.Boolean({
      description: 'Whether `concurrency` is the default of the service.',
    }),
    disabled_at: orNull(Timestamp),
    created_at: Timestamp,
    has_password: Type.Boolean({ description: 'Whether the user has set a password.' }),
    last_seen_at: orNull(Timestamp, {
      description: 'Last use of the dashboard, accurate to about a minute.',
    }),
    in_flight: Type.Integer({ description: 'Requests running now.' }),
  },
  { title: 'User' },
);
export const UserList = closed({ items: Type.Array(User) }, { title: 'UserList' });
export const UserLink = closed(
  {
    url: Type.String({ description: 'Link that sets the password of the user. Works once.' }),
    expires_at: Timestamp,
  },
  { title: 'UserLink' },
);

/** Members of a key as the core names them; absent ones were not given. Times are ms since the epoch. */
interface KeyRequest {
  readonly name?: string;
  readonly expiresAt?: number | null;
  readonly scopes?: readonly Scope[];
  readonly domains?: readonly string[];
  readonly ips?: readonly string[];
  readonly dailyBudget?: DailyBudget | null;
  readonly concurrency?: number | null;
}
interface UserRequest {
  readonly email?: string;
  readonly role?: Role;
  readonly concurrency?: number | null;
  readonly password?: string | null;
  readonly disabled?: boolean;
}

type Body = Readonly<Record<string, unknown>>;

/** Body of `POST /api/v1/keys/`. Whether domains and addresses are such, the core tells. */
export const parseKeyCreate = bodyParser(
  ApiKeyCreate,
  (body, problems) => readKey(body, problems) as KeyRequest & { readonly name: string },
);
/** Body of `PATCH /api/v1/keys/{id}/`. Here null has a meaning: it takes the limit away. */
export const parseKeyPatch = bodyParser(ApiKeyPatch, readKey, 'meant');
/** Body of `POST /api/v1/keys/{id}/rotate/`. */
export const parseKeyRotate = bodyParser(ApiKeyRotate, (body) => ({
  overlapHours: (body.overlap_hours as number | undefined) ?? 0,
}));
export const parseUserCreate = bodyParser(
  UserCreate,
  (body) => body as unknown as UserRequest & { readonly email: string },
);
export const parseUserPatch = bodyParser(UserPatch, (body) => body as UserRequest, 'meant');

function readKey(body: Body, problems: Problems): KeyRequest {
  const { expires_at: expires, daily_budget: dailyBudget, ...same } = body;
  let ask: KeyRequest = same;
  if (dailyBudget !== undefined) ask = { ...ask, dailyBudget: dailyBudget as DailyBudget | null };
  if (expires === undefined) return ask;
  const expiresAt = expires === null ? null : parseDateTime(String(expires));
  if (expires !== null && expiresAt === null) {
    addValueProblem(
      problems,
      '/expires_at',
      'must be an RFC 3339 time such as 2027-01-31T12:00:00Z',
      expires,
    );
  }
  return { ...ask, expiresAt };
}

/** A key object. @param key the text of the key, only when it was made just now */
export function keyObject(
  facts: KeyRow,
  today: { readonly requests: number; readonly cost: number },
  key?: string,
) {
  return {
    id: facts.id,
    name: facts.name,
    prefix: facts.prefix,
    last4: facts.last4,
    created_at: formatDateTime(facts.createdAt),
    last_used_at: formatDateTimeOrNull(facts.lastUsedAt),
    expires_at: formatDateTimeOrNull(facts.expiresAt),
    revoked_at: formatDateTimeOrNull(facts.revokedAt),
    scopes: facts.scopes,
    domains: facts.domains,
    ips: facts.ips,
    daily_budget: facts.dailyBudget,
    concurrency: facts.concurrency,
    requests_today: today.requests,
    cost_today: today.cost,
    ...(key === undefined ? {} : { key }),
  };
}

/** What a user object tells besides what is stored. */
interface UserStatus {
  /** What holds for users without a limit of their own. */
  readonly defaultConcurrency: number;
  /** ms since the epoch; null: never. */
  readonly lastSeenAt: number | null;
  readonly inFlight: number;
}

/** A user object; of the password it tells no more than that there is one. */
export function userObject(facts: UserRow, moment: UserStatus) {
  return {
    id: facts.id,
    email: facts.email,
    role: facts.role,
    concurrency: facts.concurrency ?? moment.defaultConcurrency,
    concurrency_is_default: facts.concurrency === null,
    disabled_at: formatDateTimeOrNull(facts.disabledAt),
    created_at: formatDateTime(facts.createdAt),
    has_password: facts.passwordHash !== null,
    last_seen_at: formatDateTimeOrNull(moment.lastSeenAt),
    in_flight: moment.inFlight,
  };
}
