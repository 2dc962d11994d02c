import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';

export type SavedRequest = Schema<'SavedRequest'>;

/** The user's own saved requests, by name. */
export const savedRequestsQuery = queryOptions({
  queryKey: ['saved-requests'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/saved-requests/', { signal })),
});

/** Saves a request. One of the same name is replaced. */
export const useSaveRequest = () =>
  useChange(
    (body: Schema<'SavedRequestCreate'>) => responseBody(api.POST('/api/v1/saved-requests/', { body })),
    [savedRequestsQuery.queryKey],
  );

export const useDeleteSavedRequest = () =>
  useChange(
    (id: string) => responseBody(api.DELETE('/api/v1/saved-requests/{id}/', { params: { path: { id } } })),
    [savedRequestsQuery.queryKey],
    { settled: true },
  );
