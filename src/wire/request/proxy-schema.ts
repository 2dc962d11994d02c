import { type Static, Type } from 'typebox';
import { PROXY_TYPES } from '../../domain/job.ts';
import { closed } from '../schema/build.ts';

/** The types that a caller may name as a string. */
export const PROXY_WORDS = ['datacenter', 'residential', 'mobile'] as const;
export const DEFAULT_SESSION_TTL_S = 600;

export const ProxyObject = closed(
  {
    type: Type.Optional(Type.Enum([...PROXY_TYPES])),
    server: Type.Optional(Type.String({ maxLength: 2000 })),
    username: Type.Optional(Type.String({ maxLength: 1000 })),
    password: Type.Optional(Type.String({ maxLength: 1000 })),
    bypass: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 })),
    pool: Type.Optional(Type.String({ maxLength: 100 })),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2}$', description: 'must be two letters (ISO 3166-1 alpha-2)' }),
    ),
    region: Type.Optional(Type.String({ maxLength: 100 })),
    city: Type.Optional(Type.String({ maxLength: 100 })),
    session: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        description: 'must be 1 to 64 letters, digits, `_` or `-`',
      }),
    ),
    session_ttl_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, default: DEFAULT_SESSION_TTL_S })),
    rotate: Type.Optional(Type.Enum(['per_attempt', 'per_request', 'on_block'])),
  },
  { title: 'ProxySettings' },
);
export type ProxyObject = Static<typeof ProxyObject>;

export const ProxyAsk = Type.Union([Type.String({ maxLength: 4000 }), ProxyObject], {
  default: 'datacenter',
  description: '`datacenter`, `residential`, `mobile`, a proxy URL, or an object.',
});
export type ProxyAsk = Static<typeof ProxyAsk>;
