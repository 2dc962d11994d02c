import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';
import { seesAllUsers, useUser } from './session.ts';

export type ApiKey = Schema<'ApiKey'>;
export type CreatedKey = Schema<'CreatedApiKey'>;
/** With its owner, and what it has spent lately. */
export type ListedKey = Schema<'ListedApiKey'>;
export type Scope = ApiKey['scopes'][number];

/** The user's own keys, newest first, including revoked ones. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/keys/', { signal })),
});

/** The keys of a user, or of `all`; also revoked ones. For administrators and viewers. */
export const userKeysQuery = (userId: string) =>
  queryOptions({
    queryKey: ['keys', userId],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/keys/', { params: { query: { user_id: userId } }, signal })),
  });

/** The keys whose names the signed-in user may see: for administrators and viewers, those of all users. */
export function useVisibleKeys(enabled = true): readonly ListedKey[] | undefined {
  const seesAll = seesAllUsers(useUser());
  const { data } = useQuery({ ...(seesAll ? userKeysQuery('all') : keysQuery), enabled });
  return data?.items;
}

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
