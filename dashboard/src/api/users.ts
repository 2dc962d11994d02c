import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, responseBody, type Schema, type User } from './client.ts';
import { useChange } from './queries.ts';
import { seesAllUsers, sessionQuery, useUser } from './session.ts';

export type Role = User['role'];
export type Invitation = Schema<'Invitation'>;

/** With the last use of the API, and what the user has spent lately. */
export type ListedUser = Schema<'ListedUser'>;

/** A user. For administrators and viewers. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/users/{id}/', { params: { path: { id } }, signal })),
  });

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

/** An invited user is in both lists. */
const USER_LISTS = [usersQuery.queryKey, invitationsQuery.queryKey];

export const useInvite = () =>
  useChange(
    (body: Schema<'InvitationCreate'>) => responseBody(api.POST('/api/v1/invitations/', { body })),
    USER_LISTS,
  );

/** Creates a new link, which is mailed if there is a mail server; the earlier link becomes invalid. */
export const useResendInvitation = (id: string) =>
  useChange(
    () => responseBody(api.POST('/api/v1/invitations/{id}/resend/', { params: { path: { id } } })),
    USER_LISTS,
  );

/** Deletes the invited user. */
export const useRevokeInvitation = (id: string) =>
  useChange(
    () => responseBody(api.DELETE('/api/v1/invitations/{id}/', { params: { path: { id } } })),
    USER_LISTS,
  );

export const useChangeUser = (id: string) =>
  useChange(
    (body: Schema<'UserPatch'>) =>
      responseBody(api.PATCH('/api/v1/users/{id}/', { params: { path: { id } }, body })),
    // The signed-in user may have been changed.
    [...USER_LISTS, sessionQuery.queryKey],
  );

/** Removes the second factor of a user who has lost it. */
export const useResetSecondFactor = (id: string) =>
  useChange(
    () => responseBody(api.DELETE('/api/v1/users/{id}/second-factor/', { params: { path: { id } } })),
    [usersQuery.queryKey],
  );

/** Unlinks the user from the OpenID provider. */
export const useUnlink = (id: string) =>
  useChange(
    () => responseBody(api.DELETE('/api/v1/users/{id}/identities/', { params: { path: { id } } })),
    [usersQuery.queryKey],
  );

/** Creates a link that sets the user's password. It works once, for 24 hours; an earlier link becomes invalid. */
export const useUserLink = (id: string) =>
  useChange(() => responseBody(api.POST('/api/v1/users/{id}/link/', { params: { path: { id } } })));

/** Id → e-mail for administrators and viewers; null if there is only one user, or the user sees only their own data. */
export function useUserEmails(): ReadonlyMap<string, string> | null {
  const { data } = useQuery({ ...usersQuery, enabled: seesAllUsers(useUser()) });
  if (data === undefined || data.items.length < 2) return null;
  return new Map(data.items.map(({ id, email }) => [id, email]));
}
