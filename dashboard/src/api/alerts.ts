import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange } from './queries.ts';

export type Alert = Schema<'Alert'>;
export type AlertKind = Alert['kind'];
export type AlertEvent = Schema<'AlertEvent'>;
export type TestResult = Schema<'AlertTestResult'>;
export type AlertTrial = Schema<'AlertTrial'>;
type AlertRequest = Schema<'AlertRequest'>;
type AlertChange = Schema<'AlertChange'>;

const REFRESH_MS = 15_000;

/** The newest rules first: the user's, at most 100; or the newest 200 of all users, for administrators and viewers. */
export const alertsQuery = (ofAll: boolean) =>
  queryOptions({
    queryKey: ['alerts', 'rules', ofAll],
    queryFn: ({ signal }) => {
      const query = { limit: 200, ...(ofAll ? { user_id: 'all' } : {}) };
      return responseBody(api.GET('/api/v1/alerts/', { params: { query }, signal }));
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

/** What fired and was resolved, newest first. */
export const alertEventsQuery = (ofAll: boolean) =>
  infiniteQueryOptions({
    queryKey: ['alerts', 'events', ofAll],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { cursor, limit: 20, ...(ofAll ? { user_id: 'all' } : {}) };
      return responseBody(api.GET('/api/v1/alerts/events/', { params: { query }, signal }));
    },
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

/** When a rule about a metric would have fired. @param body as JSON: `conditions`, `for_s` and `clear_for_s` */
export const alertTrialQuery = (body: string) =>
  queryOptions({
    queryKey: ['alert-trial', body],
    queryFn: ({ signal }) => {
      const rule = JSON.parse(body) as Omit<Schema<'AlertTrialRequest'>, 'kind'>;
      return responseBody(api.POST('/api/v1/alerts/try/', { body: { kind: 'metric', ...rule }, signal }));
    },
    staleTime: 60_000,
  });

/** What a rule about a metric can be limited to. Sites are not listed here. */
export const metricSubjectsQuery = (
  scope: NonNullable<Alert['conditions']['scope']>,
  { allUsers, hasBudget }: { readonly allUsers: boolean; readonly hasBudget: boolean },
) =>
  queryOptions({
    queryKey: ['alert-subjects', 'metric', scope, allUsers, hasBudget],
    queryFn: async ({ signal }): Promise<SubjectChoice[]> => {
      if (scope === 'key') {
        const params = { query: allUsers ? { user_id: 'all' } : {} };
        const { items } = await responseBody(api.GET('/api/v1/keys/', { params, signal }));
        return items
          .filter(
            ({ revoked_at, daily_budget }) => revoked_at === null && (!hasBudget || daily_budget !== null),
          )
          .map(({ id, name, user_email: owner }) => ({
            value: id,
            label: allUsers ? `${name} (${owner})` : name,
          }));
      }
      if (scope === 'user') {
        const { items } = await responseBody(api.GET('/api/v1/users/', { signal }));
        return items.map(({ id, email }) => ({ value: id, label: email }));
      }
      if (scope !== 'scraper' && scope !== 'vendor') return [];
      const { items } = await responseBody(api.GET('/api/v1/scrapers/', { signal }));
      const names = items.map(({ name }) => name).filter((name) => name !== 'auto');
      const vendors = names.filter((name) => name.startsWith(VENDOR));
      return scope === 'scraper'
        ? names.map((name) => ({ value: name, label: name }))
        : vendors.map((name) => ({ value: name.slice(VENDOR.length), label: name.slice(VENDOR.length) }));
    },
  });

const VENDOR = 'vendor:';

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
