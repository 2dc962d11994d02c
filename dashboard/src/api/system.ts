import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

/** How it stands with the service and its browsers at the moment. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: ({ signal }) => responseBody(api.GET('/readyz', { signal })),
  refetchInterval: 30_000,
});

/** Fails while the service does not respond at all, and asks on. */
export const reachabilityQuery = queryOptions({
  queryKey: ['reachable'],
  queryFn: async ({ signal }) => (await api.GET('/readyz', { signal })).response.status,
  retry: false,
  gcTime: 0,
  refetchInterval: 3_000,
});

export type System = Schema<'System'>;

/** How often it is asked for while somebody looks. */
const POLL_MS = 5_000;

/** How the service is doing at this moment. For administrators. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/system/', { signal })),
  refetchInterval: POLL_MS,
});

export type Proxies = Schema<'Proxies'>;
export type Pool = Proxies['pools'][number];
export type PoolProxy = Pool['proxies'][number];

/** The pools with their health and traffic. For administrators. */
export const proxiesQuery = queryOptions({
  queryKey: ['proxies'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/proxies/', { signal })),
  refetchInterval: 5_000,
});

/** The pools and countries that a request may ask for. */
export const proxyChoicesQuery = queryOptions({
  queryKey: ['proxies', 'choices'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/proxies/choices/', { signal })),
  staleTime: 60_000,
});
