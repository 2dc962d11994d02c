import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import type { StatsWindow } from './stats.ts';

export type PoolSettings = Schema<'PoolSettings'>;
export type PoolPatch = Schema<'PoolPatch'>;
export type PoolTest = Schema<'PoolTest'>;
export type ProxyHistory = Schema<'ProxyHistory'>;
export type PoolHistory = ProxyHistory['pools'][number];

const POLL_MS = 15_000;

/** The settings of the pools; credentials are `***`. For administrators and viewers. */
export const poolSettingsQuery = queryOptions({
  queryKey: ['proxies', 'pools'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/proxies/pools/', { signal })),
  refetchInterval: POLL_MS,
});

/** The pools over time, also before the last restart. */
export const proxyHistoryQuery = (window: StatsWindow) =>
  queryOptions({
    queryKey: ['proxies', 'history', window],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/proxies/history/', { params: { query: { window } }, signal })),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });

function useInvalidateProxies() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['proxies'] });
}

/** Creates a pool. */
export function useCreatePool() {
  const invalidate = useInvalidateProxies();
  return useMutation({
    mutationFn: (body: Schema<'Pool'>) => responseBody(api.POST('/api/v1/proxies/pools/', { body })),
    onSuccess: invalidate,
  });
}

/** Changes a pool. A member that is null is removed. */
export function useChangePool() {
  const invalidate = useInvalidateProxies();
  return useMutation({
    mutationFn: ({ name, body }: { readonly name: string; readonly body: PoolPatch }) =>
      responseBody(api.PATCH('/api/v1/proxies/pools/{name}/', { params: { path: { name } }, body })),
    onSuccess: invalidate,
  });
}

export function useDeletePool() {
  const invalidate = useInvalidateProxies();
  return useMutation({
    mutationFn: (name: string) =>
      responseBody(api.DELETE('/api/v1/proxies/pools/{name}/', { params: { path: { name } } })),
    onSuccess: invalidate,
  });
}

/** Fetches a URL through the first proxies of a pool. */
export function useTestPool(name: string) {
  const invalidate = useInvalidateProxies();
  return useMutation({
    mutationFn: (body: Schema<'PoolTestRequest'>) =>
      responseBody(api.POST('/api/v1/proxies/pools/{name}/test/', { params: { path: { name } }, body })),
    onSuccess: () => void invalidate(),
  });
}

/** Whether requests may choose no proxy. */
export function useAllowNone() {
  const invalidate = useInvalidateProxies();
  return useMutation({
    mutationFn: (allow_none: boolean) =>
      responseBody(api.PATCH('/api/v1/proxies/', { body: { allow_none } })),
    onSuccess: invalidate,
  });
}
