import { type Static, Type } from 'typebox';
import { SCOPES } from '../../domain/principal.ts';
import { closed, orNull } from '../schema/build.ts';

const opt = Type.Optional;
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });
const Time = Type.String({ format: 'date-time', description: 'RFC 3339.' });
const Scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: 3 });
const Domains = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: 100,
  description: 'Target domains, with their sub-domains; empty: all.',
});
const Ips = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 100,
  description: 'Addresses or CIDR ranges that the key may be used from; empty: all.',
});
const Budget = closed({
  amount: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Of scrapes a whole number.',
  }),
  unit: Type.Enum(['scrapes', 'cost'], { description: '`cost` is refused while nothing is priced.' }),
});

const KEY_MEMBERS = {
  expires_at: opt(orNull(Time)),
  scopes: opt(Scopes),
  domains: opt(Domains),
  ips: opt(Ips),
  daily_budget: opt(orNull(Budget)),
  concurrency: opt(orNull(Limit, { description: "Share of the user's concurrency; null: all of it." })),
};
const KeyName = Type.String({ minLength: 1, maxLength: 100 });

export const KeyCreate = closed({ name: KeyName, ...KEY_MEMBERS }, { title: 'ApiKeyCreate' });
export const KeyPatch = closed(
  { name: opt(KeyName), ...KEY_MEMBERS },
  { title: 'ApiKeyPatch', description: 'Absent members stay as they are; null takes a limit away.' },
);
export const KeyRotate = closed(
  {
    overlap_hours: opt(
      Type.Number({
        minimum: 0,
        maximum: 24,
        default: 0,
        description: 'How long the old key still works.',
      }),
    ),
  },
  { title: 'ApiKeyRotate' },
);

const Email = Type.String({ minLength: 3, maxLength: 254, description: 'An e-mail address.' });
const Role = Type.Enum(['admin', 'user']);
export const Password = Type.String({ minLength: 8, maxLength: 1024 });

export const UserCreate = closed(
  { email: Email, role: opt(Role), concurrency: opt(orNull(Limit)), password: opt(orNull(Password)) },
  { title: 'UserCreate' },
);
export const UserPatch = closed(
  { role: opt(Role), concurrency: opt(orNull(Limit)), disabled: opt(Type.Boolean()) },
  { title: 'UserPatch', description: 'Absent members stay as they are; concurrency null: the default.' },
);
export type UserCreate = Static<typeof UserCreate>;
export type UserPatch = Static<typeof UserPatch>;

const RespTime = Type.String({ format: 'date-time' });
const KEY_OBJECT = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key.' }),
  last4: Type.String(),
  created_at: RespTime,
  last_used_at: orNull(RespTime),
  expires_at: orNull(RespTime),
  revoked_at: orNull(RespTime),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  domains: Type.Array(Type.String()),
  ips: Type.Array(Type.String()),
  daily_budget: orNull(closed({ amount: Type.Number(), unit: Type.Enum(['scrapes', 'cost']) })),
  concurrency: orNull(Type.Integer()),
  requests_today: Type.Integer({ description: 'Scrapes with this key since 00:00 UTC.' }),
  cost_today: Type.Number({ minimum: 0, description: 'What they cost, in `cost_unit`.' }),
};
export const ApiKey = closed(KEY_OBJECT, { title: 'ApiKey' });
export const CreatedApiKey = closed(
  { ...KEY_OBJECT, key: Type.String({ description: 'The key itself; shown this once.' }) },
  { title: 'CreatedApiKey' },
);
export const ApiKeyList = closed({ items: Type.Array(ApiKey) }, { title: 'ApiKeyList' });

export const User = closed(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    role: Role,
    concurrency: Type.Integer({ description: 'Requests in flight at once, over all keys.' }),
    concurrency_is_default: Type.Boolean({
      description: 'That is the default of the service; nobody has set a limit for this user.',
    }),
    disabled_at: orNull(RespTime),
    created_at: RespTime,
    has_password: Type.Boolean({ description: 'Whether this user can sign in with a password.' }),
    last_seen_at: orNull(RespTime, { description: 'Last use of the dashboard, to about a minute.' }),
    in_flight: Type.Integer({ description: 'Requests that are running now.' }),
  },
  { title: 'User' },
);
export const UserList = closed({ items: Type.Array(User) }, { title: 'UserList' });
export const UserLink = closed(
  {
    url: Type.String({ description: 'Sets the password of the user; works once.' }),
    expires_at: RespTime,
  },
  { title: 'UserLink' },
);
