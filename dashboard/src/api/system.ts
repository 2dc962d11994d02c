import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import type { StatsWindow } from './stats.ts';

/** The readiness of the service and its browsers. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: ({ signal }) => responseBody(api.GET('/readyz', { signal })),
  refetchInterval: 30_000,
});

/** Fails while the service does not respond, and retries. */
export const reachabilityQuery = queryOptions({
  queryKey: ['reachable'],
  queryFn: async ({ signal }) => (await api.GET('/readyz', { signal })).response.status,
  retry: false,
  gcTime: 0,
  refetchInterval: 3_000,
});

export type System = Schema<'System'>;

/** Polling interval while the tab is visible. */
const POLL_MS = 5_000;

/** The state of the service. For administrators. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/system/', { signal })),
  refetchInterval: POLL_MS,
});

export type SystemHistory = Schema<'SystemHistory'>;

/** The state of all replicas over time. */
export const systemHistoryQuery = (window: StatsWindow) =>
  queryOptions({
    queryKey: ['system', 'history', window],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/system/history/', { params: { query: { window } }, signal })),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });

export type Proxies = Schema<'Proxies'>;
export type Pool = Proxies['pools'][number];
export type PoolProxy = Pool['proxies'][number];

/** The pools with their health and traffic. For administrators. */
export const proxiesQuery = queryOptions({
  queryKey: ['proxies'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/proxies/', { signal })),
  refetchInterval: POLL_MS,
});

/** The pools and countries that a request may name. */
export const proxyChoicesQuery = queryOptions({
  queryKey: ['proxies', 'choices'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/proxies/choices/', { signal })),
  staleTime: 60_000,
});
