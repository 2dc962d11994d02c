import { Type } from 'typebox';
import { POOL_TYPES } from '../../domain/pools.ts';
import { closed, orNull } from '../schema/build.ts';

const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
const Countries = Type.Array(Type.String(), {
  description: 'ISO 3166-1 alpha-2; empty: the operator does not say.',
});
const COUNTS = {
  attempts: count('Since the service started.'),
  ok: count('A page came.'),
  failed: count('The proxy was at fault.'),
  blocked: count('A page came that was a wall, a challenge or a block.'),
  bytes_out: count(),
  bytes_in: count(),
  cost: orNull(Type.Number({ minimum: 0, description: 'In `cost_unit`; null: no price is configured.' })),
};

const PoolProxy = closed({
  server: Type.String({ description: 'Scheme, host and port.' }),
  country: orNull(Type.String()),
  health: Type.Enum(['healthy', 'cooling', 'probing'], {
    description: '`cooling`: not used after failures; `probing`: one attempt at a time finds out.',
  }),
  in_flight: count(),
  retry_in_ms: orNull(count('Until it is tried again.')),
  last_failure: orNull(Type.String({ description: 'As `details.reason` of `proxy.failed`.' })),
  ...COUNTS,
});

const Pool = closed({
  name: Type.String(),
  type: Type.Enum([...POOL_TYPES]),
  kind: Type.Enum(['list', 'template']),
  countries: Countries,
  price_per_gb: orNull(Type.Number({ minimum: 0 })),
  price_per_request: orNull(Type.Number({ minimum: 0 })),
  concurrency_per_proxy: orNull(Type.Integer({ minimum: 1 })),
  health: closed({ healthy: count(), cooling: count(), probing: count() }),
  in_flight: count(),
  ...COUNTS,
  proxies: Type.Array(PoolProxy, { description: 'Of a template: its one gate.' }),
});

export const ProxiesState = closed(
  {
    cost_unit: Type.String(),
    allow_none: Type.Boolean(),
    allow_direct: Type.Boolean(),
    waiting: count('Attempts that wait for a proxy.'),
    file: orNull(
      closed({
        path: Type.String(),
        loaded_at: Type.String({ description: 'When the file that counts was read.' }),
        problems: Type.Array(Type.String(), {
          description: 'What is wrong with a newer one, which therefore does not count.',
        }),
      }),
    ),
    pools: Type.Array(Pool),
  },
  { title: 'Proxies' },
);

export const ProxyChoices = closed(
  {
    allow_none: Type.Boolean(),
    allow_direct: Type.Boolean({ description: 'Without a pool, `datacenter` is the own connection.' }),
    pools: Type.Array(
      closed({ name: Type.String(), type: Type.Enum([...POOL_TYPES]), countries: Countries }),
    ),
  },
  { title: 'ProxyChoices' },
);
