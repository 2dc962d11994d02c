import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';
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

/** Creates a pool, or changes the one with this name: then, a member that is null is removed. */
export const useSavePool = (name: string | null) =>
  useChange(
    (body: Schema<'Pool'> | PoolPatch) =>
      name === null
        ? responseBody(api.POST('/api/v1/proxies/pools/', { body: body as Schema<'Pool'> }))
        : responseBody(api.PATCH('/api/v1/proxies/pools/{name}/', { params: { path: { name } }, body })),
    [['proxies']],
  );

export const useDeletePool = () =>
  useChange(
    (name: string) =>
      responseBody(api.DELETE('/api/v1/proxies/pools/{name}/', { params: { path: { name } } })),
    [['proxies']],
  );

/** Fetches a URL through the first proxies of a pool. */
export const useTestPool = (name: string) =>
  useChange(
    (body: Schema<'PoolTestRequest'>) =>
      responseBody(api.POST('/api/v1/proxies/pools/{name}/test/', { params: { path: { name } }, body })),
    [['proxies']],
    { later: true },
  );

/** Whether requests may choose no proxy. */
export const useAllowNone = () =>
  useChange(
    (allow_none: boolean) => responseBody(api.PATCH('/api/v1/proxies/', { body: { allow_none } })),
    [['proxies']],
  );
