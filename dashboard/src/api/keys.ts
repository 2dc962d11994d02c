import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { Schema } from './types.ts';

export type ApiKey = Schema<'ApiKey'>;
export type CreatedKey = Schema<'CreatedApiKey'>;
export type Scope = ApiKey['scopes'][number];

/** The user's own keys, revoked ones too, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/v1/keys/', { signal })),
});

export function useCreateKey() {
  const changed = useKeysChanged();
  return useMutation({
    mutationFn: (body: Schema<'ApiKeyCreate'>) => answerOf(api.POST('/api/v1/keys/', { body })),
    onSuccess: changed,
  });
}

export function useChangeKey(id: string) {
  const changed = useKeysChanged();
  return useMutation({
    mutationFn: (body: Schema<'ApiKeyPatch'>) =>
      answerOf(api.PATCH('/api/v1/keys/{id}/', { params: { path: { id } }, body })),
    onSuccess: changed,
  });
}

export function useRotateKey(id: string) {
  const changed = useKeysChanged();
  return useMutation({
    mutationFn: (body: Schema<'ApiKeyRotate'>) =>
      answerOf(api.POST('/api/v1/keys/{id}/rotate/', { params: { path: { id } }, body })),
    onSuccess: changed,
  });
}

export function useRevokeKey() {
  const changed = useKeysChanged();
  return useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/api/v1/keys/{id}/', { params: { path: { id } } })),
    // Also when somebody else was faster.
    onSettled: changed,
  });
}

function useKeysChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keysQuery.queryKey });
}
