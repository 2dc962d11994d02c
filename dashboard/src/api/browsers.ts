import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

/** How it stands with the service and its browsers at the moment. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: ({ signal }) => answerOf(api.GET('/readyz', { signal })),
  refetchInterval: 30_000,
});

/** Fails while the service does not respond at all, and asks on. */
export const reachableQuery = queryOptions({
  queryKey: ['reachable'],
  queryFn: async ({ signal }) => (await api.GET('/readyz', { signal })).response.status,
  retry: false,
  gcTime: 0,
  refetchInterval: 3_000,
});
