import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema, type User } from './client.ts';
import { seesAllUsers, sessionQuery, useUser } from './session.ts';

export type Role = User['role'];
export type Invitation = Schema<'Invitation'>;

/** All users, the oldest first. For administrators. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/users/', { signal })),
});

/** The users who have not set a password yet, the oldest first. For administrators. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/invitations/', { signal })),
});

export function useInvite() {
  const reload = useReloadUsers();
  return useMutation({
    mutationFn: (body: Schema<'InvitationCreate'>) =>
      responseBody(api.POST('/api/v1/invitations/', { body })),
    onSuccess: reload,
  });
}

/** Creates a new link, which is mailed if there is a mail server; the earlier link becomes invalid. */
export function useResendInvitation(id: string) {
  const reload = useReloadUsers();
  return useMutation({
    mutationFn: () =>
      responseBody(api.POST('/api/v1/invitations/{id}/resend/', { params: { path: { id } } })),
    onSuccess: reload,
  });
}

/** Deletes the invited user. */
export function useRevokeInvitation(id: string) {
  const reload = useReloadUsers();
  return useMutation({
    mutationFn: () => responseBody(api.DELETE('/api/v1/invitations/{id}/', { params: { path: { id } } })),
    onSuccess: reload,
  });
}

function useReloadUsers() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
      queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
    ]);
}

export function useChangeUser(id: string) {
  const queries = useQueryClient();
  const reload = useReloadUsers();
  return useMutation({
    mutationFn: (body: Schema<'UserPatch'>) =>
      responseBody(api.PATCH('/api/v1/users/{id}/', { params: { path: { id } }, body })),
    // The signed-in user may have been changed.
    onSuccess: () => Promise.all([reload(), queries.invalidateQueries({ queryKey: sessionQuery.queryKey })]),
  });
}

/** Removes the second factor of a user who has lost it. */
export function useResetSecondFactor(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      responseBody(api.DELETE('/api/v1/users/{id}/second-factor/', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}

/** Unlinks the user from the OpenID provider. */
export function useUnlink(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      responseBody(api.DELETE('/api/v1/users/{id}/identities/', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}

/** Creates a link that sets the user's password. It works once, for 24 hours; an earlier link becomes invalid. */
export function useUserLink(id: string) {
  return useMutation({
    mutationFn: () => responseBody(api.POST('/api/v1/users/{id}/link/', { params: { path: { id } } })),
  });
}

/** Id → e-mail for administrators and viewers; null if there is only one user, or the user sees only their own data. */
export function useUserEmails(): ReadonlyMap<string, string> | null {
  const { data } = useQuery({ ...usersQuery, enabled: seesAllUsers(useUser()) });
  if (data === undefined || data.items.length < 2) return null;
  return new Map(data.items.map(({ id, email }) => [id, email]));
}
