import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { BASE_PATH } from '../app/page-config.ts';
import { stringifySearch } from '../app/urls.ts';
import { api, responseBody, type Schema } from './client.ts';

export type Usage = Schema<'Usage'>;
export type UsageItem = Schema<'UsageItem'>;
export type UsageStep = Schema<'UsageStep'>;

export const USAGE_WINDOWS = ['1h', '6h', '24h', '7d', '30d', '90d'] as const;
export type UsageWindow = (typeof USAGE_WINDOWS)[number];

export const USAGE_SPLITS = ['key', 'host', 'scraper', 'proxy', 'vendor', 'user', 'outcome', 'day'] as const;
export type UsageSplit = (typeof USAGE_SPLITS)[number];

/** Parameters of the API. */
export interface UsageQuery {
  readonly window: UsageWindow;
  readonly by: UsageSplit;
  readonly sort?: 'cost' | 'scrapes' | undefined;
  readonly key_id?: string | undefined;
  readonly host?: string | undefined;
  readonly scraper?: string | undefined;
  readonly proxy_type?: string | undefined;
  readonly user_id?: string | undefined;
}

const POLL_MS = 10_000;

export const usageQuery = (query: UsageQuery) =>
  queryOptions({
    queryKey: ['usage', query],
    queryFn: ({ signal }) =>
      // The cast: names in the URL may be unknown ones, which the service refuses.
      responseBody(api.GET('/api/v1/usage/', { params: { query: query as object }, signal })),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });

/** The address of a file with all items. */
export const usageExportHref = (query: UsageQuery, format: 'csv' | 'jsonl'): string =>
  `${BASE_PATH}/api/v1/usage/export/${stringifySearch({ format, ...query })}`;
