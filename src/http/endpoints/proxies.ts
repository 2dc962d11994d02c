import { Type } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { closed, dateTime, orNull } from '../../domain/json-schema.ts';
import type { ExitState, PoolState, ProxiesState, SettingsFileState } from '../../domain/pools.ts';
import { POOLED_TYPES } from '../../domain/task.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { endpoint } from '../core/endpoint.ts';
import { json } from '../core/responses.ts';

const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
const Countries = Type.Array(Type.String(), {
  description: 'ISO 3166-1 alpha-2 codes. Empty if the operator has not set them.',
});
const COUNT_MEMBERS = {
  attempts: Count('Attempts since the service started.'),
  ok: Count('Attempts that returned a page.'),
  failed: Count('Attempts that failed because of the proxy.'),
  blocked: Count('Attempts that returned a block page, captcha, challenge or login page.'),
  bytes_out: Count(),
  bytes_in: Count(),
  cost: orNull(Type.Number({ minimum: 0, description: 'In `cost_unit`. null if no price is configured.' })),
};

const PoolProxy = closed({
  server: Type.String({ description: 'Scheme, host and port.' }),
  country: orNull(Type.String()),
  health: Type.Enum(['healthy', 'cooling', 'probing'], {
    description:
      '`cooling`: not used for a while after failures. `probing`: tested with one attempt at a time.',
  }),
  in_flight: Count(),
  retry_in_ms: orNull(Count('Time until the next attempt.')),
  last_failure: orNull(Type.String({ description: 'Same values as `details.reason` of `proxy.failed`.' })),
  consecutive_failures: Count('Failures since its last success, or since the service started.'),
  failing_since: orNull(dateTime('The first of these failures. null if there are none.')),
  ...COUNT_MEMBERS,
});

const Pool = closed({
  name: Type.String(),
  type: Type.Enum([...POOLED_TYPES]),
  kind: Type.Enum(['list', 'template']),
  countries: Countries,
  price_per_gb: orNull(Type.Number({ minimum: 0 })),
  price_per_request: orNull(Type.Number({ minimum: 0 })),
  concurrency_per_proxy: orNull(Type.Integer({ minimum: 1 })),
  health: closed({ healthy: Count(), cooling: Count(), probing: Count() }),
  in_flight: Count(),
  ...COUNT_MEMBERS,
  proxies: Type.Array(PoolProxy, { description: 'For a template: its gateway only.' }),
});

const ProxiesSchema = closed(
  {
    cost_unit: Type.String(),
    allow_none: Type.Boolean(),
    allow_direct: Type.Boolean(),
    waiting: Count('Attempts waiting for a proxy.'),
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

const ProxyChoices = closed(
  {
    allow_none: Type.Boolean(),
    allow_direct: Type.Boolean({
      description: 'Whether `datacenter` connects directly if no pool is configured.',
    }),
    pools: Type.Array(
      closed({ name: Type.String(), type: Type.Enum([...POOLED_TYPES]), countries: Countries }),
    ),
  },
  { title: 'ProxyChoices' },
);

/** The names of the API for the states of an exit. */
const HEALTH_NAMES = { healthy: 'healthy', paused: 'cooling', trial: 'probing' } as const;

const exitJson = (exit: ExitState) => ({
  server: exit.server,
  country: exit.country,
  health: HEALTH_NAMES[exit.health],
  in_flight: exit.inFlight,
  retry_in_ms: exit.retryInMs === null ? null : Math.ceil(exit.retryInMs),
  last_failure: exit.lastFailure,
  consecutive_failures: exit.consecutiveFailures,
  failing_since: exit.failingSince === null ? null : formatDateTime(exit.failingSince),
  ...countsJson([exit]),
});

const countsJson = (exits: readonly ExitState[]) => {
  const sum = (countOf: (exit: ExitState) => number) =>
    exits.reduce((total, exit) => total + countOf(exit), 0);
  return {
    attempts: sum(({ attempts }) => attempts),
    ok: sum(({ ok }) => ok),
    failed: sum(({ failed }) => failed),
    blocked: sum(({ blocked }) => blocked),
    bytes_out: sum(({ bytesOut }) => bytesOut),
    bytes_in: sum(({ bytesIn }) => bytesIn),
    cost: exits.some(({ cost }) => cost === null) ? null : microToCurrency(sum(({ cost }) => cost!)),
  };
};

const poolJson = ({ name, type, isTemplate, countries, price, concurrency, exits }: PoolState) => {
  const count = (health: ExitState['health']) => exits.filter((exit) => exit.health === health).length;
  return {
    name,
    type,
    kind: isTemplate ? ('template' as const) : ('list' as const),
    countries,
    price_per_gb: price === null ? null : microToCurrency(price.perGb),
    price_per_request: price === null ? null : microToCurrency(price.perRequest),
    concurrency_per_proxy: concurrency,
    health: { healthy: count('healthy'), cooling: count('paused'), probing: count('trial') },
    in_flight: exits.reduce((total, { inFlight }) => total + inFlight, 0),
    ...countsJson(exits),
    proxies: exits.map(exitJson),
  };
};

/** The body of `GET /api/v1/proxies/`. It contains no credentials. */
function proxiesObject(state: ProxiesState, file: SettingsFileState | null, costUnit: string) {
  return {
    cost_unit: costUnit,
    allow_none: state.allowNone,
    allow_direct: state.allowDirect,
    waiting: state.waiting,
    file:
      file === null
        ? null
        : { path: file.path, loaded_at: formatDateTime(file.loadedAt), problems: file.problems ?? [] },
    pools: state.pools.map(poolJson),
  };
}

/** The body of `GET /api/v1/proxies/choices/`: the proxy settings that a request may have. */
function choicesObject({ pools, allowNone, allowDirect }: ProxiesState) {
  return {
    allow_none: allowNone && allowDirect,
    allow_direct: allowDirect,
    pools: pools.map(({ name, type, countries }) => ({ name, type, countries })),
  };
}

export const PROXIES = [
  endpoint({
    method: 'get',
    path: '/api/v1/proxies/',
    operationId: 'listProxies',
    summary: 'List proxy pools',
    description: 'Health, traffic and cost of each proxy, without credentials. For administrators.',
    access: 'role:admin',
    responses: { 200: json('The pools.', ProxiesSchema) },
    handler: (_call, { proxyPools, prices }) =>
      proxiesObject(proxyPools.state(), proxyPools.file(), prices?.currency ?? EFFORT_UNIT),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/proxies/choices/',
    operationId: 'listProxyChoices',
    summary: 'List the proxy pools and countries that requests can use',
    access: 'scope:read',
    responses: { 200: json('The choices.', ProxyChoices) },
    handler: (_call, { proxyPools }) => choicesObject(proxyPools.state()),
  }),
];
