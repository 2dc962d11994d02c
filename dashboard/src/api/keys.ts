import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';

export type ApiKey = Schema<'ApiKey'>;
export type CreatedKey = Schema<'CreatedApiKey'>;
export type Scope = ApiKey['scopes'][number];

/** The user's own keys, newest first, including revoked ones. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/keys/', { signal })),
});

export const useCreateKey = () =>
  useChange(
    (body: Schema<'ApiKeyCreate'>) => responseBody(api.POST('/api/v1/keys/', { body })),
    [keysQuery.queryKey],
  );

export const useChangeKey = (id: string) =>
  useChange(
    (body: Schema<'ApiKeyPatch'>) =>
      responseBody(api.PATCH('/api/v1/keys/{id}/', { params: { path: { id } }, body })),
    [keysQuery.queryKey],
  );

export const useRotateKey = (id: string) =>
  useChange(
    (body: Schema<'ApiKeyRotate'>) =>
      responseBody(api.POST('/api/v1/keys/{id}/rotate/', { params: { path: { id } }, body })),
    [keysQuery.queryKey],
  );

export const useRevokeKey = () =>
  useChange(
    (id: string) => responseBody(api.DELETE('/api/v1/keys/{id}/', { params: { path: { id } } })),
    [keysQuery.queryKey],
    { settled: true },
  );
