import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { Schema } from './types.ts';

export type Proxies = Schema<'Proxies'>;
export type Pool = Proxies['pools'][number];
export type PoolProxy = Pool['proxies'][number];

/** The pools with their health and traffic. For administrators. */
export const proxiesQuery = queryOptions({
  queryKey: ['proxies'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/v1/proxies/', { signal })),
  refetchInterval: 5_000,
});

/** The pools and countries that a request may ask for. */
export const proxyChoicesQuery = queryOptions({
  queryKey: ['proxies', 'choices'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/v1/proxies/choices/', { signal })),
  staleTime: 60_000,
});
