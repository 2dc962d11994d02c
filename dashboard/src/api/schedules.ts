import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import type { Schedule } from './monitors.ts';
import { BY_CURSOR, useChange, useRemoval } from './queries.ts';
import type { paths } from './schema.gen.ts';

export type ScheduledJob = Schema<'ScheduledJob'>;
export type ScheduledJobRun = Schema<'ScheduledJobRun'>;

const LIVE_MS = 1_000;
/** How often the lists are read while nothing runs: a run may become due. */
const IDLE_MS = 10_000;

const idParams = (id: string) => ({ params: { path: { id } } });

type Sort = NonNullable<paths['/api/v1/schedules/']['get']['parameters']['query']>['sort'];

/** Schedules of the user; for administrators, those of all users. @param sort default: the newest first */
export const schedulesQuery = (sort?: Sort) =>
  infiniteQueryOptions({
    queryKey: ['schedules', sort],
    queryFn: ({ pageParam: cursor, signal }) =>
      responseBody(
        api.GET('/api/v1/schedules/', { params: { query: { sort, cursor, limit: 100 } }, signal }),
      ),
    ...BY_CURSOR,
    refetchInterval: IDLE_MS,
    placeholderData: keepPreviousData,
  });

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedule', id],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/schedules/{id}/', { ...idParams(id), signal })),
    refetchInterval: IDLE_MS,
  });

const isLive = ({ state, export: sent }: ScheduledJobRun): boolean =>
  state === 'running' || state === 'waiting' || sent?.state === 'pending' || sent?.state === 'sending';

/** Runs, newest first. They are read again each second while one is under way. */
export const scheduleRunsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['schedule', id, 'runs'],
    queryFn: ({ pageParam: cursor, signal }) => {
      const params = { path: { id }, query: { cursor, limit: 30 } };
      return responseBody(api.GET('/api/v1/schedules/{id}/runs/', { params, signal }));
    },
    ...BY_CURSOR,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.slice(0, 5).some(isLive) === true ? LIVE_MS : IDLE_MS,
  });

/** The body of a new schedule. The service checks the job, because a user writes parts as JSON. */
export interface NewSchedule {
  readonly name: string;
  readonly job: Readonly<Record<string, unknown>>;
  readonly schedule: Schedule;
  readonly overlap: ScheduledJob['overlap'];
  readonly dataset?: string;
  readonly channels?: readonly string[];
  readonly notify_on: readonly ScheduledJob['notify_on'][number][];
  readonly export?: Schema<'ExportRequest'>;
}

export const useCreateSchedule = () =>
  useChange(
    (schedule: NewSchedule) =>
      responseBody(
        api.POST('/api/v1/schedules/', { body: schedule as unknown as Schema<'ScheduledJobRequest'> }),
      ),
    [['schedules']],
  );

export type ScheduleChange = Partial<
  Pick<ScheduledJob, 'name' | 'schedule' | 'overlap' | 'dataset' | 'channels' | 'notify_on'>
>;

export const useChangeSchedule = (id: string) =>
  useChange(
    (body: ScheduleChange) => responseBody(api.PATCH('/api/v1/schedules/{id}/', { ...idParams(id), body })),
    [['schedules'], ['schedule', id]],
    { settled: true },
  );

export const useSteerSchedule = (id: string) =>
  useChange(
    (action: 'pause' | 'resume' | 'run'): Promise<unknown> =>
      responseBody(api.POST(`/api/v1/schedules/{id}/${action}/`, idParams(id))),
    [['schedules'], ['schedule', id]],
    { settled: true },
  );

/** Deletes the schedule; the jobs of its runs stay. */
export const useDeleteSchedule = (id: string) =>
  useRemoval(() => responseBody(api.DELETE('/api/v1/schedules/{id}/', idParams(id))), [['schedules']]);
