import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { Schema, Session, User } from './types.ts';

/** How often the number of requests in flight is asked for while somebody looks. */
const METER_MS = 5_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/v1/session/', { signal })),
  staleTime: 60_000,
  retry: false,
});

/** Who is signed in. Only below the signed-in route, which sees to it that there is a session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

export function useUser(): User {
  return useSession().user;
}

export function useIsAdmin(): boolean {
  return useUser().role === 'admin';
}

/** The user, asked for anew every few seconds, for what shows `in_flight`. */
export function useLiveUser(): User {
  return useSuspenseQuery({ ...sessionQuery, refetchInterval: METER_MS }).data.user;
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'SignIn'>) => answerOf(api.POST('/api/v1/session/', { body })),
    onSuccess: (session) => queries.setQueryData(sessionQuery.queryKey, session),
    meta: { own401: true },
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/v1/session/')),
  });
}

/** Whose password a set-up link sets, and until when; a 401 when it is used up, too old or unknown. */
export const setUpLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['set-up-link', token],
    queryFn: () => answerOf(api.POST('/api/v1/session/link/', { body: { token } })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { own401: true },
  });

export function useSetUp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'SetUp'>) => answerOf(api.POST('/api/v1/session/set-up/', { body })),
    onSuccess: (session) => queries.setQueryData(sessionQuery.queryKey, session),
    meta: { own401: true },
  });
}
