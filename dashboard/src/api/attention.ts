import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type AttentionEntry = Schema<'AttentionEntry'>;

/** As many as are shown at first. */
export const FEW = 8;

/** What does not work, the worst first. @param limit at most 50 */
export const attentionQuery = (limit: number) =>
  queryOptions({
    queryKey: ['attention', limit],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/attention/', { params: { query: { limit } }, signal })),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });
