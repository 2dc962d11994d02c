import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from '../api/client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `expects401`: a 401 is a regular result of this call and does not mean that the session has ended. */
    queryMeta: { readonly expects401?: boolean };
    mutationMeta: { readonly expects401?: boolean };
  }
}

/** @param onSignedOut called when any call finds that the session has ended */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown, meta: { readonly expects401?: boolean } | undefined) => {
    if (isSignedOut(error) && meta?.expects401 !== true) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => onError(error, mutation.meta),
    }),
    defaultOptions: {
      // The service may run on this computer, which may have no network.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        // An outage is shown within seconds.
        retryDelay: 1_000,
        retry: (times, error) => times < 2 && error instanceof ApiError && error.retryable,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
