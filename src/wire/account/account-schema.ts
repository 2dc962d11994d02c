import { type Static, Type } from 'typebox';
import { SCOPES } from '../../domain/principal.ts';
import { closed, orNull } from '../schema/build.ts';

const opt = Type.Optional;
const Limit = Type.Integer({ minimum: 1, maximum: 100_000 });
const Time = Type.String({ format: 'date-time', description: 'Date and time (RFC 3339).' });
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
  expires_at: opt(orNull(Time)),
  scopes: opt(Scopes),
  domains: opt(Domains),
  ips: opt(Ips),
  daily_budget: opt(orNull(Budget)),
  concurrency: opt(
    orNull(Limit, { description: 'Maximum concurrent requests of this key. null: the limit of the user.' }),
  ),
};
const KeyName = Type.String({ minLength: 1, maxLength: 100 });

export const KeyCreate = closed({ name: KeyName, ...KEY_MEMBERS }, { title: 'ApiKeyCreate' });
export const KeyPatch = closed(
  { name: opt(KeyName), ...KEY_MEMBERS },
  { title: 'ApiKeyPatch', description: 'Fields left out stay unchanged; null removes a limit.' },
);
export const KeyRotate = closed(
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
const Role = Type.Enum(['admin', 'user']);
export const Password = Type.String({ minLength: 8, maxLength: 1024 });

export const UserCreate = closed(
  { email: Email, role: opt(Role), concurrency: opt(orNull(Limit)), password: opt(orNull(Password)) },
  { title: 'UserCreate' },
);
export const UserPatch = closed(
  { role: opt(Role), concurrency: opt(orNull(Limit)), disabled: opt(Type.Boolean()) },
  {
    title: 'UserPatch',
    description: 'Fields left out stay unchanged. `concurrency: null` restores the default.',
  },
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
    role: Role,
    concurrency: Type.Integer({ description: 'Maximum concurrent requests, over all keys of the user.' }),
    concurrency_is_default: Type.Boolean({
      description: 'Whether `concurrency` is the default of the service.',
    }),
    disabled_at: orNull(RespTime),
    created_at: RespTime,
    has_password: Type.Boolean({ description: 'Whether the user has set a password.' }),
    last_seen_at: orNull(RespTime, { description: 'Last use of the dashboard, accurate to about a minute.' }),
    in_flight: Type.Integer({ description: 'Requests running now.' }),
  },
  { title: 'User' },
);
export const UserList = closed({ items: Type.Array(User) }, { title: 'UserList' });
export const UserLink = closed(
  {
    url: Type.String({ description: 'Link that sets the password of the user. Works once.' }),
    expires_at: RespTime,
  },
  { title: 'UserLink' },
);
