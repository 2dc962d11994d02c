import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';

export type Profile = Schema<'Profile'>;

const REFRESH_MS = 15_000;
const KEY = ['profiles'];

/** The profiles that a user may use; `all`: those of all users; null: those of the signed-in user. */
export const profilesQuery = (userId: string | null) =>
  queryOptions({
    queryKey: [...KEY, userId],
    queryFn: ({ signal }) =>
      responseBody(
        api.GET('/api/v1/profiles/', {
          params: { query: { limit: 200, ...(userId === null ? {} : { user_id: userId }) } },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });

/** One profile, which the user can use, with what uses it. */
export const profileQuery = (name: string) =>
  queryOptions({
    queryKey: [...KEY, 'one', name],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/profiles/{name}/', { params: { path: { name } }, signal })),
  });

/** Creates a profile, or changes the one with this name. */
export const useSaveProfile = (name: string | null) =>
  useChange(
    (body: Schema<'ProfileCreate'> | Schema<'ProfilePatch'>) =>
      name === null
        ? responseBody(api.POST('/api/v1/profiles/', { body: body as Schema<'ProfileCreate'> }))
        : responseBody(api.PATCH('/api/v1/profiles/{name}/', { params: { path: { name } }, body })),
    [KEY],
  );

/** Deletes a profile: the user's own, or an administrator's choice. */
export const useDeleteProfile = () =>
  useChange(
    ({ name, owner }: Pick<Profile, 'name' | 'owner'>) =>
      responseBody(
        api.DELETE('/api/v1/profiles/{name}/', {
          params: { path: { name }, query: { user_id: owner.id } },
        }),
      ),
    [KEY],
    { settled: true },
  );
