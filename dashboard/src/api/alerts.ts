import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange } from './queries.ts';

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
  ...BY_CURSOR,
  refetchInterval: REFRESH_MS,
});

interface SubjectChoice {
  readonly value: string;
  readonly label: string;
}

/** What a rule of the kind can be limited to, of the user's own. Sites are not listed here. */
export const subjectsQuery = (kind: AlertKind, userId: string) =>
  queryOptions({
    queryKey: ['alert-subjects', kind],
    queryFn: async ({ signal }): Promise<SubjectChoice[]> => {
      if (kind === 'budget') {
        const { items } = await responseBody(api.GET('/api/v1/keys/', { signal }));
        return items
          .filter(({ revoked_at, daily_budget }) => revoked_at === null && daily_budget !== null)
          .map(({ id, name }) => ({ value: id, label: name }));
      }
      if (kind === 'monitor') {
        const monitors = await allMonitors(signal);
        return monitors
          .filter(({ user_id }) => user_id === userId)
          .map(({ id, name }) => ({ value: id, label: name }));
      }
      if (kind === 'pool') return named(await responseBody(api.GET('/api/v1/proxies/pools/', { signal })));
      if (kind === 'vendor') return named(await responseBody(api.GET('/api/v1/vendors/', { signal })));
      return [];
    },
  });

const named = ({ items }: { readonly items: readonly { readonly name: string }[] }): SubjectChoice[] =>
  items.map(({ name }) => ({ value: name, label: name }));

async function allMonitors(signal: AbortSignal): Promise<readonly Schema<'Monitor'>[]> {
  const monitors: Schema<'Monitor'>[] = [];
  let cursor: string | undefined;
  do {
    const params = { query: { cursor, limit: 200 } };
    const page = await responseBody(api.GET('/api/v1/monitors/', { params, signal }));
    monitors.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return monitors;
}

/** Creates a rule, or changes the one with this id. */
export const useSaveAlert = (id: string | null) =>
  useChange(
    (body: AlertRequest | AlertChange) =>
      id === null
        ? responseBody(api.POST('/api/v1/alerts/', { body: body as AlertRequest }))
        : responseBody(api.PATCH('/api/v1/alerts/{id}/', { params: { path: { id } }, body })),
    [['alerts']],
  );

export const useDeleteAlert = () =>
  useChange(
    (id: string) => responseBody(api.DELETE('/api/v1/alerts/{id}/', { params: { path: { id } } })),
    [['alerts']],
  );

/** Silences a rule. `until` null: the silence ends now. */
export const useSilenceAlert = () =>
  useChange(
    ({ id, until }: { readonly id: string; readonly until: string | null }) =>
      responseBody(api.POST('/api/v1/alerts/{id}/silence/', { params: { path: { id } }, body: { until } })),
    [['alerts']],
  );

/** Sends a test message to each channel. */
export const useTestAlert = () =>
  useChange((id: string) =>
    responseBody(api.POST('/api/v1/alerts/{id}/test/', { params: { path: { id } } })),
  );
