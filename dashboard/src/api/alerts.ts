import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type Alert = Schema<'Alert'>;
export type AlertKind = Alert['kind'];
export type AlertEvent = Schema<'AlertEvent'>;
export type TestResult = Schema<'AlertTestResult'>;
type AlertRequest = Schema<'AlertRequest'>;
type AlertChange = Schema<'AlertChange'>;

const REFRESH_MS = 15_000;

/** The user's rules, at most 100, the newest first. */
export const alertsQuery = queryOptions({
  queryKey: ['alerts', 'rules'],
  queryFn: ({ signal }) =>
    responseBody(api.GET('/api/v1/alerts/', { params: { query: { limit: 200 } }, signal })),
  refetchInterval: REFRESH_MS,
});

/** What fired and was resolved, newest first. */
export const alertEventsQuery = infiniteQueryOptions({
  queryKey: ['alerts', 'events'],
  queryFn: ({ pageParam: cursor, signal }) =>
    responseBody(api.GET('/api/v1/alerts/events/', { params: { query: { cursor, limit: 20 } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  refetchInterval: REFRESH_MS,
});

function useInvalidateAlerts() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['alerts'] });
}

/** Creates a rule. */
export function useCreateAlert() {
  const invalidate = useInvalidateAlerts();
  return useMutation({
    mutationFn: (body: AlertRequest) => responseBody(api.POST('/api/v1/alerts/', { body })),
    onSuccess: invalidate,
  });
}

export function useChangeAlert() {
  const invalidate = useInvalidateAlerts();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: AlertChange }) =>
      responseBody(api.PATCH('/api/v1/alerts/{id}/', { params: { path: { id } }, body })),
    onSuccess: invalidate,
  });
}

export function useDeleteAlert() {
  const invalidate = useInvalidateAlerts();
  return useMutation({
    mutationFn: (id: string) =>
      responseBody(api.DELETE('/api/v1/alerts/{id}/', { params: { path: { id } } })),
    onSuccess: invalidate,
  });
}

/** Silences a rule. `until` null: the silence ends now. */
export function useSilenceAlert() {
  const invalidate = useInvalidateAlerts();
  return useMutation({
    mutationFn: ({ id, until }: { readonly id: string; readonly until: string | null }) =>
      responseBody(api.POST('/api/v1/alerts/{id}/silence/', { params: { path: { id } }, body: { until } })),
    onSuccess: invalidate,
  });
}

/** Sends a test message to each channel. */
export function useTestAlert() {
  return useMutation({
    mutationFn: (id: string) =>
      responseBody(api.POST('/api/v1/alerts/{id}/test/', { params: { path: { id } } })),
  });
}
