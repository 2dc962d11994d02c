import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { scrapersQuery } from './playground.ts';
import { useChange } from './queries.ts';

export type Prices = Schema<'Prices'>;
export type PricesView = Schema<'PricesView'>;

/** The prices in force. For administrators and viewers. */
export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/prices/', { signal })),
});

/** What shows costs, or whether there are any. */
const PRICED = [
  pricesQuery.queryKey,
  scrapersQuery.queryKey,
  ['usage'],
  ['sites'],
  ['site-bill'],
  ['site-limits'],
  ['vendors'],
  ['proxies'],
];

export const useSetPrices = () =>
  useChange((body: Prices) => responseBody(api.PUT('/api/v1/prices/', { body })), PRICED, { later: true });

export const useDeletePrices = () =>
  useChange(() => responseBody(api.DELETE('/api/v1/prices/')), PRICED, { later: true });
