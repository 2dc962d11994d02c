import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { sessionQuery } from './session.ts';
import type { Schema, User } from './types.ts';

export type Role = User['role'];

/** All users, the oldest first. For administrators. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/v1/users/', { signal })),
});

export function useCreateUser() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'UserCreate'>) => answerOf(api.POST('/api/v1/users/', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}

export function useChangeUser(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'UserPatch'>) =>
      answerOf(api.PATCH('/api/v1/users/{id}/', { params: { path: { id } }, body })),
    // It may have been the user who is signed in.
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
        queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ]),
  });
}

/** A link that sets the user's password: works once, for 24 hours; an older one is void then. */
export function useUserLink(id: string) {
  return useMutation({
    mutationFn: () => answerOf(api.POST('/api/v1/users/{id}/link/', { params: { path: { id } } })),
  });
}
