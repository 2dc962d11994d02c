import { type Static, Type } from 'typebox';
import { PROXY_TYPES } from '../../domain/job.ts';
import { closed } from '../schema/build.ts';

/** The types that a caller may name as a string. */
export const PROXY_WORDS = ['datacenter', 'residential', 'mobile'] as const;
export const DEFAULT_SESSION_TTL_S = 600;

const place = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: "^[\\p{L}\\p{N} ._'-]*$",
      description: `${what}, as the pool or its provider calls it: letters, digits, spaces, \`.\`, \`'\`, \`_\`, \`-\``,
    }),
  );

export const ProxyObject = closed(
  {
    type: Type.Optional(
      Type.Enum([...PROXY_TYPES], {
        default: 'datacenter',
        description:
          'Without a pool, `datacenter` is the own connection of this host. `custom` goes with `server`; `none` only where the operator allows it.',
      }),
    ),
    server: Type.Optional(
      Type.String({
        // Empty it would mean this host's own connection: nobody who writes it wants that.
        minLength: 1,
        maxLength: 2000,
        description:
          'A proxy of your own: `http://`, `https://`, `socks5://` or `socks5h://`, host and port.',
      }),
    ),
    username: Type.Optional(Type.String({ maxLength: 1000, description: 'For `server`.' })),
    password: Type.Optional(Type.String({ maxLength: 1000, description: 'For `server`. Shown nowhere.' })),
    bypass: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 100,
        description:
          'Hosts reached without the proxy: `example.com`, `.example.com` (what lies under it), `*`.',
      }),
    ),
    pool: Type.Optional(Type.String({ maxLength: 100, description: 'One pool of this type, by its name.' })),
    country: Type.Optional(
      Type.String({
        pattern: '^(?:[A-Za-z]{2})?$',
        description: 'must be two letters (ISO 3166-1 alpha-2)',
      }),
    ),
    region: place('Region'),
    city: place('City'),
    session: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{0,64}$',
        description: 'must be 1 to 64 letters, digits, `_` or `-`',
      }),
    ),
    session_ttl_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, default: DEFAULT_SESSION_TTL_S })),
    rotate: Type.Optional(
      Type.Enum(['per_attempt', 'per_request', 'on_block'], {
        default: 'per_attempt',
        description: 'When another exit is taken: at each attempt, never within a request, or after a block.',
      }),
    ),
  },
  { title: 'ProxySettings' },
);
export type ProxyObject = Static<typeof ProxyObject>;

export const ProxyRequest = Type.Union([Type.String({ maxLength: 4000 }), ProxyObject], {
  default: 'datacenter',
  description: '`datacenter`, `residential`, `mobile`, a proxy URL, or an object.',
});
export type ProxyRequest = Static<typeof ProxyRequest>;
