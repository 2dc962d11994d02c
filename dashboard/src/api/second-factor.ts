import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/session/second-factor/', { signal })),
});

/** Begins to add an authenticator app. */
export function useEnrolSecondFactor() {
  return useMutation({
    mutationFn: (body: Schema<'SecondFactorEnrol'>) =>
      responseBody(api.POST('/api/v1/session/second-factor/', { body })),
  });
}

/** Turns the second factor on, and gives the recovery codes. */
export function useConfirmSecondFactor() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (body: Schema<'SecondFactorConfirm'>) =>
      responseBody(api.POST('/api/v1/session/second-factor/confirm/', { body })),
    onSuccess: () => void invalidate(),
  });
}

export function useDisableSecondFactor() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (body: Schema<'SecondFactorDisable'>) =>
      responseBody(api.POST('/api/v1/session/second-factor/disable/', { body })),
    onSuccess: invalidate,
  });
}

function useInvalidate() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
}
