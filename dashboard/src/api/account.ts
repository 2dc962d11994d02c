import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { Schema } from './types.ts';

export type SessionEntry = Schema<'SessionEntry'>;

/** The user's own sessions, the one used last first. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/v1/session/all/', { signal })),
});

/** All other sessions end with it. */
export function useChangePassword() {
  const changed = useSessionsChanged();
  return useMutation({
    mutationFn: (body: Schema<'PasswordChange'>) => answerOf(api.POST('/api/v1/session/password/', { body })),
    onSuccess: changed,
  });
}

export function useEndSession() {
  const changed = useSessionsChanged();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE('/api/v1/session/all/{id}/', { params: { path: { id } } })),
    onSettled: changed,
  });
}

export function useEndOtherSessions() {
  const changed = useSessionsChanged();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/v1/session/all/')),
    onSuccess: changed,
  });
}

function useSessionsChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
}
