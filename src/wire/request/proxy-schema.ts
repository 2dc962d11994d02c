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
      description: `${what}, as the pool or the proxy provider names it: letters, digits, spaces, \`.\`, \`'\`, \`_\`, \`-\``,
    }),
  );

export const ProxyObject = closed(
  {
    type: Type.Optional(
      Type.Enum([...PROXY_TYPES], {
        default: 'datacenter',
        description:
          '`custom`: the proxy in `server`. `none`: no proxy, if the operator allows it. If no pool is configured, `datacenter` connects directly, without a proxy.',
      }),
    ),
    server: Type.Optional(
      Type.String({
        // Empty it would mean this host's own connection: nobody who writes it wants that.
        minLength: 1,
        maxLength: 2000,
        description:
          'Your own proxy: `http://`, `https://`, `socks5://` or `socks5h://`, then host and port. Without a scheme, it is an HTTP proxy.',
      }),
    ),
    username: Type.Optional(Type.String({ maxLength: 1000, description: 'User name for `server`.' })),
    password: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Password for `server`. Never returned.' }),
    ),
    bypass: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 100,
        description:
          'Hosts to reach without the proxy: `example.com`, `.example.com` (its subdomains), or `*`.',
      }),
    ),
    pool: Type.Optional(Type.String({ maxLength: 100, description: 'Name of one pool of this type.' })),
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
        description:
          'When to change the exit IP address: for each attempt, once per request, or after a block.',
      }),
    ),
  },
  { title: 'ProxySettings' },
);
export type ProxyObject = Static<typeof ProxyObject>;

export const ProxyRequest = Type.Union([Type.String({ maxLength: 4000 }), ProxyObject], {
  default: 'datacenter',
  description:
    '`datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.',
});
export type ProxyRequest = Static<typeof ProxyRequest>;
