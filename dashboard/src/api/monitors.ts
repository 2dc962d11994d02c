import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange, useRemoval } from './queries.ts';
import type { paths } from './schema.gen.ts';

export type Monitor = Schema<'Monitor'>;
export type MonitorRun = Schema<'MonitorRun'>;
export type Change = NonNullable<MonitorRun['change']>;
export type Schedule = Schema<'Schedule'>;
export type CompareFormat = NonNullable<Schema<'Compare'>['format']>;

const LIVE_MS = 1_000;
/** How often the lists are read while nothing runs: a run may become due. */
const IDLE_MS = 10_000;

const idParams = (id: string) => ({ params: { path: { id } } });

type Sort = NonNullable<paths['/api/v1/monitors/']['get']['parameters']['query']>['sort'];

/** Monitors of the user; for administrators, those of all users. @param sort default: the newest first */
export const monitorsQuery = (sort?: Sort) =>
  infiniteQueryOptions({
    queryKey: ['monitors', sort],
    queryFn: ({ pageParam: cursor, signal }) =>
      responseBody(api.GET('/api/v1/monitors/', { params: { query: { sort, cursor, limit: 100 } }, signal })),
    ...BY_CURSOR,
    refetchInterval: IDLE_MS,
    placeholderData: keepPreviousData,
  });

export const monitorQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor', id],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/monitors/{id}/', { ...idParams(id), signal })),
    refetchInterval: IDLE_MS,
  });

/** Runs, newest first. They are read again each second while one is under way. */
export const monitorRunsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['monitor', id, 'runs'],
    queryFn: ({ pageParam: cursor, signal }) => {
      const params = { path: { id }, query: { cursor, limit: 30 } };
      return responseBody(api.GET('/api/v1/monitors/{id}/runs/', { params, signal }));
    },
    ...BY_CURSOR,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.some((run) => run.state === 'running') === true ? LIVE_MS : IDLE_MS,
  });

/** Rules that would hide lines which change in most runs. @param runs how many there were, so that it is read after each */
export const monitorNoiseQuery = (id: string, runs: number) =>
  queryOptions({
    queryKey: ['monitor', id, 'noise', runs],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/monitors/{id}/noise/', { ...idParams(id), signal })),
  });

type Members = Readonly<Record<string, unknown>>;

/** The body of a new monitor, with one of `request`, `crawl` and `batch`. The service checks them, because a user writes parts as JSON. */
export interface NewMonitor {
  readonly name: string;
  readonly request?: Members;
  readonly crawl?: Members;
  readonly batch?: Members;
  readonly schedule: Schedule;
  readonly compare: Schema<'Compare'>;
  readonly channels: readonly string[];
  readonly notify_on: readonly Schema<'Monitor'>['notify_on'][number][];
  readonly keep: number;
  readonly webhook?: Schema<'Webhook'>;
}

/** What a change leaves out stays as it is. */
export type MonitorChange = Partial<Omit<NewMonitor, 'webhook'>> & {
  /** null: nothing is sent any more. */
  readonly webhook?: Schema<'Webhook'> | null;
};

export type MonitorPreview = Schema<'MonitorPreview'>;

export const useChangeMonitor = (id: string) =>
  useChange(
    (change: MonitorChange) =>
      responseBody(
        api.PATCH('/api/v1/monitors/{id}/', {
          ...idParams(id),
          body: change as unknown as Schema<'MonitorChange'>,
        }),
      ),
    [['monitors'], ['monitor', id]],
  );

/** Fetches the page once, of several the first one, and shows what a run would compare. */
export const usePreviewMonitor = () =>
  useChange(
    (body: Pick<NewMonitor, 'request' | 'crawl' | 'batch'> & { readonly compare: Schema<'Compare'> }) =>
      responseBody(
        api.POST('/api/v1/monitors/preview/', { body: body as unknown as Schema<'MonitorPreviewRequest'> }),
      ),
  );

export const useCreateMonitor = () =>
  useChange(
    (monitor: NewMonitor) =>
      responseBody(api.POST('/api/v1/monitors/', { body: monitor as unknown as Schema<'MonitorRequest'> })),
    [['monitors']],
  );

export const useSteerMonitor = (id: string) =>
  useChange(
    (action: 'pause' | 'resume' | 'run'): Promise<unknown> =>
      responseBody(api.POST(`/api/v1/monitors/{id}/${action}/`, idParams(id))),
    [['monitors'], ['monitor', id]],
    { settled: true },
  );

/** Changes what does not count as a change. The next run is the first again. */
export const useChangeIgnored = ({ id, compare }: Monitor) =>
  useChange(
    (ignore: string[]) =>
      responseBody(
        api.PATCH('/api/v1/monitors/{id}/', { ...idParams(id), body: { compare: { ...compare, ignore } } }),
      ),
    [['monitors'], ['monitor', id]],
    { settled: true },
  );

/** Deletes the monitor with its runs and their records. */
export const useDeleteMonitor = (id: string) =>
  useRemoval(
    () => responseBody(api.DELETE('/api/v1/monitors/{id}/', idParams(id))),
    [['monitors'], ['history']],
  );
