import { t } from '@lingui/core/macro';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BASE_PATH } from '../app/page-config.ts';
import { stringifySearch } from '../app/urls.ts';
import { ApiError, api, responseBody, type Schema, type Session, type User } from './client.ts';
import { useChange } from './queries.ts';

/** Polling interval for the number of requests in flight, while the tab is visible. */
const IN_FLIGHT_POLL_MS = 5_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/session/', { signal })),
  staleTime: 60_000,
  retry: false,
});

/** The current session. Only for pages below the signed-in route, which ensures that there is a session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

export function useUser(): User {
  return useSession().user;
}

/** Whether the signed-in user is still the same as at the first call; somebody else may have signed in in another tab. */
export function useIsSameUser(): boolean {
  const select = ({ user }: Session) => user.id;
  const { data: id } = useSuspenseQuery({ ...sessionQuery, select });
  const [initialId] = useState(id);
  return id === initialId;
}

export function useIsAdmin(): boolean {
  return useUser().role === 'admin';
}

/** Whether the user sees the data of all users, as administrators and viewers do. */
export const seesAllUsers = ({ role }: User): boolean => role !== 'user';

/** Whether the user may change anything or run scrapes. Viewers may not. */
export const canChange = ({ role }: User): boolean => role !== 'viewer';

export const useCanChange = (): boolean => canChange(useUser());

export const ROLE_LABELS: Readonly<Record<User['role'], string>> = {
  admin: t`Administrator`,
  user: t`User`,
  viewer: t`Viewer`,
};

/**
 * The user, fetched again every few seconds, for components that show `in_flight`. Also fetched when the tab becomes visible,
 * because somebody else may have signed in in another tab.
 */
export function usePolledUser(): User {
  const polling = { refetchInterval: IN_FLIGHT_POLL_MS, refetchOnWindowFocus: 'always' } as const;
  return useSuspenseQuery({ ...sessionQuery, ...polling }).data.user;
}

/** Whether a sign-in was refused because the code of the second factor is missing or wrong. */
export const needsCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'auth.second_factor';

/** A call that gives a session. A 401 of it means wrong credentials, not that a session has ended. */
function useSessionCall<Body>(call: (body: Body) => Promise<Session>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: (session) => queries.setQueryData(sessionQuery.queryKey, session),
    meta: { expects401: true },
  });
}

export const useSignIn = () =>
  useSessionCall((body: Schema<'SignIn'>) => responseBody(api.POST('/api/v1/session/', { body })));

/** How to sign in by the OpenID provider. */
export const singleSignOnQuery = queryOptions({
  queryKey: ['single-sign-on'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/session/oidc/', { signal })),
  staleTime: 60_000,
  retry: false,
});

/** A page of the service that leads to the provider. @param next path of the dashboard to return to */
export const singleSignOnUrl = (next: string | undefined): string =>
  `${BASE_PATH}/api/v1/session/oidc/start/${stringifySearch({ next })}`;

/** Why a sign-in by the provider failed. Must be the same as in the service: src/domain/open-id.ts. */
export const SINGLE_SIGN_ON_ERRORS = [
  'cancelled',
  'disabled',
  'email_not_verified',
  'expired',
  'no_role',
  'no_user',
  'other_identity',
  'provider_failed',
  'provider_unavailable',
  'too_many',
] as const;
export type SingleSignOnError = (typeof SINGLE_SIGN_ON_ERRORS)[number];

export const useSignOut = () => useChange(() => responseBody(api.DELETE('/api/v1/session/')));

/** The user and the expiry of a set-up link; a 401 if it was used, has expired or is unknown. */
export const setUpLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['set-up-link', token],
    queryFn: () => responseBody(api.POST('/api/v1/session/link/', { body: { token } })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { expects401: true },
  });

export const useSetUp = () =>
  useSessionCall((body: Schema<'SetUp'>) => responseBody(api.POST('/api/v1/session/set-up/', { body })));

export type SessionEntry = Schema<'SessionEntry'>;

/** The user's own sessions, the last used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/session/all/', { signal })),
});

/** Also ends all other sessions. */
export const useChangePassword = () =>
  useChange(
    (body: Schema<'PasswordChange'>) => responseBody(api.POST('/api/v1/session/password/', { body })),
    [sessionsQuery.queryKey],
  );

export const useEndSession = () =>
  useChange(
    (id: string) => responseBody(api.DELETE('/api/v1/session/all/{id}/', { params: { path: { id } } })),
    [sessionsQuery.queryKey],
    { settled: true },
  );

export const useEndOtherSessions = () =>
  useChange(() => responseBody(api.DELETE('/api/v1/session/all/')), [sessionsQuery.queryKey]);
