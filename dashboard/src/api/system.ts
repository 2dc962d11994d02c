import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { Schema } from './types.ts';

export type System = Schema<'System'>;

/** How often it is asked for while somebody looks. */
const POLL_MS = 5_000;

/** How the service is doing at this moment. For administrators. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/v1/system/', { signal })),
  refetchInterval: POLL_MS,
});
