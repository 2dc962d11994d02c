import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type SavedRequest = Schema<'SavedRequest'>;

/** The user's own saved requests, by name. */
export const savedRequestsQuery = queryOptions({
  queryKey: ['saved-requests'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/saved-requests/', { signal })),
});

/** Saves a request. One of the same name is replaced. */
export function useSaveRequest() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'SavedRequestCreate'>) =>
      responseBody(api.POST('/api/v1/saved-requests/', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: savedRequestsQuery.queryKey }),
  });
}

export function useDeleteSavedRequest() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      responseBody(api.DELETE('/api/v1/saved-requests/{id}/', { params: { path: { id } } })),
    // Also after an error, because it may have been deleted in another tab.
    onSettled: () => queries.invalidateQueries({ queryKey: savedRequestsQuery.queryKey }),
  });
}
