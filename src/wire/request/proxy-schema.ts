import { type Static, Type } from 'typebox';
import { PROXY_TYPES } from '../../domain/job.ts';
import { closed } from '../schema/build.ts';
import { LATER, unavailableValues } from '../schema/notes.ts';

/** The types that a caller may name as a string. */
export const PROXY_WORDS = ['datacenter', 'residential', 'mobile'] as const;
export const DEFAULT_SESSION_TTL_S = 600;

const NO_POOL = 'No pool of this type is configured.';
/** This version has no pools, and the operator cannot allow `none` yet. */
const UNAVAILABLE_TYPES = unavailableValues({
  residential: NO_POOL,
  mobile: NO_POOL,
  custom: 'Not available in this version.',
  none: 'The operator does not allow it.',
});

export const ProxyObject = closed(
  {
    type: Type.Optional(
      Type.Enum([...PROXY_TYPES], {
        default: 'datacenter',
        description: 'Without a pool, `datacenter` is the own connection of this host.',
        ...UNAVAILABLE_TYPES,
      }),
    ),
    server: Type.Optional(Type.String({ maxLength: 2000, ...LATER })),
    username: Type.Optional(Type.String({ maxLength: 1000, ...LATER })),
    password: Type.Optional(Type.String({ maxLength: 1000, ...LATER })),
    bypass: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100, ...LATER })),
    pool: Type.Optional(Type.String({ maxLength: 100, ...LATER })),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        description: 'must be two letters (ISO 3166-1 alpha-2)',
        ...LATER,
      }),
    ),
    region: Type.Optional(Type.String({ maxLength: 100, ...LATER })),
    city: Type.Optional(Type.String({ maxLength: 100, ...LATER })),
    session: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        description: 'must be 1 to 64 letters, digits, `_` or `-`',
        ...LATER,
      }),
    ),
    session_ttl_s: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3600, default: DEFAULT_SESSION_TTL_S, ...LATER }),
    ),
    rotate: Type.Optional(
      Type.Enum(['per_attempt', 'per_request', 'on_block'], { default: 'per_attempt', ...LATER }),
    ),
  },
  { title: 'ProxySettings' },
);
export type ProxyObject = Static<typeof ProxyObject>;

export const ProxyAsk = Type.Union([Type.String({ maxLength: 4000 }), ProxyObject], {
  default: 'datacenter',
  description: '`datacenter`, `residential`, `mobile`, a proxy URL, or an object.',
});
export type ProxyAsk = Static<typeof ProxyAsk>;
