import { type Static, Type } from 'typebox';
import { POOL_TYPES } from '../../domain/pools.ts';
import { closed } from '../schema/build.ts';

const Country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'two letters (ISO 3166-1 alpha-2)',
});
const Price = (of: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, description: `${of}, in the currency of SLUICE_PRICES` });
const ProxyUrl = Type.String({
  maxLength: 4000,
  description:
    '`http://`, `https://`, `socks5://` or `socks5h://`, with user:password@ if need be, host and port; or `user:password@host:port` or `host:port:user:password`, of an HTTP proxy',
});

export const PoolSchema = closed(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$',
      description: 'letters, digits, `_`, `.`, `-`',
    }),
    type: Type.Enum([...POOL_TYPES]),
    proxies: Type.Optional(
      Type.Array(
        Type.Union([
          ProxyUrl,
          closed({
            url: ProxyUrl,
            country: Type.Optional(Country),
            region: Type.Optional(Type.String({ maxLength: 100 })),
            city: Type.Optional(Type.String({ maxLength: 100 })),
          }),
        ]),
        { minItems: 1, maxItems: 20_000, description: 'A list of proxies. Either this or `template`.' },
      ),
    ),
    template: Type.Optional(
      Type.String({
        maxLength: 4000,
        description:
          'Gateway URL of a proxy provider with the placeholders {country} or {COUNTRY}, {region}, {city} and {session}. A part in [brackets] is left out if the request does not set its placeholder.',
      }),
    ),
    countries: Type.Optional(Type.Array(Country, { maxItems: 300, description: 'Countries of the exits.' })),
    price_per_gb: Type.Optional(Price('per 1,000,000,000 bytes sent and received')),
    price_per_request: Type.Optional(Price('per attempt')),
    concurrency_per_proxy: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'concurrent attempts; others wait' }),
    ),
  },
  { title: 'Pool' },
);
export type PoolJson = Static<typeof PoolSchema>;

/** The file that `SLUICE_PROXIES` names, published as docs/proxies.schema.json. */
export const PoolsSchema = closed(
  {
    pools: Type.Array(PoolSchema, { maxItems: 1_000 }),
    allow_none: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether callers may choose no proxy (`none`).' }),
    ),
  },
  { title: 'Proxy pools of Sluice' },
);
