import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/session/second-factor/', { signal })),
});

/** Begins to add an authenticator app. */
export const useEnrolSecondFactor = () =>
  useChange((body: Schema<'SecondFactorEnrol'>) =>
    responseBody(api.POST('/api/v1/session/second-factor/', { body })),
  );

/** Turns the second factor on, and gives the recovery codes. */
export const useConfirmSecondFactor = () =>
  useChange(
    (body: Schema<'SecondFactorConfirm'>) =>
      responseBody(api.POST('/api/v1/session/second-factor/confirm/', { body })),
    [secondFactorQuery.queryKey],
    { later: true },
  );

export const useDisableSecondFactor = () =>
  useChange(
    (body: Schema<'SecondFactorDisable'>) =>
      responseBody(api.POST('/api/v1/session/second-factor/disable/', { body })),
    [secondFactorQuery.queryKey],
  );
