import { inCurrency } from '../domain/micro.ts';
import type { ExitState, PoolState, PoolsFileState, ProxiesState } from '../domain/pools-state.ts';
import { timeText } from './record/time-text.ts';

const exitJson = (one: ExitState) => ({
  server: one.server,
  country: one.country,
  health: one.health,
  in_flight: one.inFlight,
  retry_in_ms: one.retryInMs === null ? null : Math.ceil(one.retryInMs),
  last_failure: one.lastFailure,
  ...countsJson([one]),
});

const countsJson = (exits: readonly ExitState[]) => {
  const sum = (of: (one: ExitState) => number) => exits.reduce((all, one) => all + of(one), 0);
  return {
    attempts: sum((one) => one.attempts),
    ok: sum((one) => one.ok),
    failed: sum((one) => one.failed),
    blocked: sum((one) => one.blocked),
    bytes_out: sum((one) => one.bytesOut),
    bytes_in: sum((one) => one.bytesIn),
    cost: exits.some(({ cost }) => cost === null) ? null : inCurrency(sum((one) => one.cost!)),
  };
};

const poolJson = ({ name, type, isTemplate, countries, price, concurrency, exits }: PoolState) => {
  const count = (health: ExitState['health']) => exits.filter((one) => one.health === health).length;
  return {
    name,
    type,
    kind: isTemplate ? 'template' : 'list',
    countries,
    price_per_gb: price === null ? null : inCurrency(price.perGb),
    price_per_request: price === null ? null : inCurrency(price.perRequest),
    concurrency_per_proxy: concurrency,
    health: { healthy: count('healthy'), cooling: count('cooling'), probing: count('probing') },
    in_flight: exits.reduce((all, one) => all + one.inFlight, 0),
    ...countsJson(exits),
    proxies: exits.map(exitJson),
  };
};

/** The body of `GET /api/v1/proxies/`. Nothing in it is a secret. */
export function proxiesObject(state: ProxiesState, file: PoolsFileState | null, costUnit: string) {
  return {
    cost_unit: costUnit,
    allow_none: state.allowNone,
    allow_direct: state.allowDirect,
    waiting: state.waiting,
    file:
      file === null
        ? null
        : { path: file.path, loaded_at: timeText(file.loadedAt), problems: file.problems ?? [] },
    pools: state.pools.map(poolJson),
  };
}

/** What may be asked for, for everybody who may scrape: the body of `GET /api/v1/proxies/choices/`. */
export function choicesObject({ pools, allowNone, allowDirect }: ProxiesState) {
  return {
    allow_none: allowNone && allowDirect,
    allow_direct: allowDirect,
    pools: pools.map(({ name, type, countries }) => ({ name, type, countries })),
  };
}
