import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

/** How it stands with the service and its browsers at the moment. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: ({ signal }) => answerOf(api.GET('/readyz', { signal })),
  refetchInterval: 30_000,
});
