import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type ApiKey = Schema<'ApiKey'>;
export type CreatedKey = Schema<'CreatedApiKey'>;
export type Scope = ApiKey['scopes'][number];

/** The user's own keys, newest first, including revoked ones. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/keys/', { signal })),
});

export function useCreateKey() {
  const invalidate = useInvalidateKeys();
  return useMutation({
    mutationFn: (body: Schema<'ApiKeyCreate'>) => responseBody(api.POST('/api/v1/keys/', { body })),
    onSuccess: invalidate,
  });
}

export function useChangeKey(id: string) {
  const invalidate = useInvalidateKeys();
  return useMutation({
    mutationFn: (body: Schema<'ApiKeyPatch'>) =>
      responseBody(api.PATCH('/api/v1/keys/{id}/', { params: { path: { id } }, body })),
    onSuccess: invalidate,
  });
}

export function useRotateKey(id: string) {
  const invalidate = useInvalidateKeys();
  return useMutation({
    mutationFn: (body: Schema<'ApiKeyRotate'>) =>
      responseBody(api.POST('/api/v1/keys/{id}/rotate/', { params: { path: { id } }, body })),
    onSuccess: invalidate,
  });
}

export function useRevokeKey() {
  const invalidate = useInvalidateKeys();
  return useMutation({
    mutationFn: (id: string) => responseBody(api.DELETE('/api/v1/keys/{id}/', { params: { path: { id } } })),
    // Also after an error, because somebody else may have changed the keys.
    onSettled: invalidate,
  });
}

function useInvalidateKeys() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keysQuery.queryKey });
}
