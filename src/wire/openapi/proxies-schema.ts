import { Type } from 'typebox';
import { POOL_TYPES } from '../../domain/pools.ts';
import { closed, orNull } from '../schema/build.ts';

const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
const Countries = Type.Array(Type.String(), {
  description: 'ISO 3166-1 alpha-2 codes. Empty if the operator has not set them.',
});
const COUNTS = {
  attempts: count('Attempts since the service started.'),
  ok: count('Attempts that returned a page.'),
  failed: count('Attempts that failed because of the proxy.'),
  blocked: count('Attempts that returned a block page, captcha, challenge or login page.'),
  bytes_out: count(),
  bytes_in: count(),
  cost: orNull(Type.Number({ minimum: 0, description: 'In `cost_unit`. null if no price is configured.' })),
};

const PoolProxy = closed({
  server: Type.String({ description: 'Scheme, host and port.' }),
  country: orNull(Type.String()),
  health: Type.Enum(['healthy', 'cooling', 'probing'], {
    description:
      '`cooling`: not used for a while after failures. `probing`: tested with one attempt at a time.',
  }),
  in_flight: count(),
  retry_in_ms: orNull(count('Time until the next attempt.')),
  last_failure: orNull(Type.String({ description: 'Same values as `details.reason` of `proxy.failed`.' })),
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
  proxies: Type.Array(PoolProxy, { description: 'For a template: its gateway only.' }),
});

export const ProxiesState = closed(
  {
    cost_unit: Type.String(),
    allow_none: Type.Boolean(),
    allow_direct: Type.Boolean(),
    waiting: count('Attempts waiting for a proxy.'),
    file: orNull(
      closed({
        path: Type.String(),
        loaded_at: Type.String({ description: 'When the active file was read.' }),
        problems: Type.Array(Type.String(), {
          description: 'Errors in a newer version of the file, which is therefore not used.',
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
    allow_direct: Type.Boolean({
      description: 'Whether `datacenter` connects directly if no pool is configured.',
    }),
    pools: Type.Array(
      closed({ name: Type.String(), type: Type.Enum([...POOL_TYPES]), countries: Countries }),
    ),
  },
  { title: 'ProxyChoices' },
);
