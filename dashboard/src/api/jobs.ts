import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange, useRemoval } from './queries.ts';
import type { paths } from './schema.gen.ts';

export type Job = Schema<'Job'>;
export type Export = Schema<'Export'>;
export type ListedJobItem = Schema<'ListedJobItem'>;
export type JobFolder = Schema<'JobFolder'>;
export type JobWait = NonNullable<Job['waiting']>;
type ItemsQuery = paths['/api/v1/jobs/{id}/items/']['get']['parameters']['query'];
type JobListQuery = NonNullable<paths['/api/v1/jobs/']['get']['parameters']['query']>;
export type JobFilter = Omit<JobListQuery, 'cursor' | 'limit'>;

const LIVE_MS = 1_000;
/** How often an idle list is read, because programs start jobs, too. */
const IDLE_MS = 10_000;

/** Whether the job has not ended. */
export const isOpen = ({ state }: Job): boolean =>
  state === 'queued' || state === 'running' || state === 'paused';

/** Whether the figures of the job change by themselves. A paused job finishes the items that run. */
const isLive = (job: Job): boolean => isOpen(job) && (job.state !== 'paused' || job.counts.running > 0);

/** Jobs, newest first. It is read again each second while one of them runs. */
export const jobsQuery = (filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: ['jobs', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      responseBody(api.GET('/api/v1/jobs/', { params: { query: { ...filter, cursor, limit: 50 } }, signal })),
    ...BY_CURSOR,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isLive)) === true ? LIVE_MS : IDLE_MS,
  });

/** A job, read again each second until it has ended. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/jobs/{id}/', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return false;
      return isLive(state.data) ? LIVE_MS : state.data.state === 'paused' ? IDLE_MS : false;
    },
  });

const FOLDERS_PER_CALL = 500;

/** The folders directly in a folder ('': the hosts). While the job runs, they are read again every few seconds. */
export const jobFoldersQuery = (job: Job, folder: string) =>
  infiniteQueryOptions({
    // The last figures are read when the job has ended.
    queryKey: ['job-folders', job.id, folder, isLive(job)],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { folder: folder === '' ? undefined : folder, cursor, limit: FOLDERS_PER_CALL };
      const params = { path: { id: job.id }, query };
      return responseBody(api.GET('/api/v1/jobs/{id}/folders/', { params, signal }));
    },
    ...BY_CURSOR,
    refetchInterval: isLive(job) && 2 * LIVE_MS,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** What the list of items shows. */
export interface ItemFilter {
  /** Default: all but those that were skipped. */
  readonly items?: 'ok' | 'failed' | 'waiting' | 'skipped' | undefined;
  /** A part of the URL or the title. */
  readonly q?: string | undefined;
  /** Code of the error. */
  readonly code?: string | undefined;
  /** `example.com/docs/`: only items in it or below it. */
  readonly folder?: string | undefined;
  /** Descending; default: by their numbers. */
  readonly sort?: (typeof ITEM_SORTS)[number] | undefined;
}

export const ITEM_SORTS = ['ended', 'bytes', 'status_code'] as const;

/** Values of `state` by what is to be shown. */
const ITEM_STATES: Readonly<Record<NonNullable<ItemFilter['items']>, string>> = {
  ok: 'ok',
  failed: 'failed',
  waiting: 'queued,running',
  skipped: 'skipped',
};
const VISITED = 'queued,running,ok,failed';

const ITEMS_PER_CALL = 100;
/** Lists of more pages are not read again by themselves. */
const LIVE_PAGES = 5;

/** The items of a job. While the job runs, they are read again every few seconds. */
export const jobItemsQuery = (job: Job, { items, q, code, folder, sort }: ItemFilter) =>
  infiniteQueryOptions({
    // The last figures are read when the job has ended.
    queryKey: ['job-items', job.id, { items, q, code, folder, sort }, isLive(job)],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = {
        // What an error is looked for in may have been skipped.
        state: items === undefined ? (code === undefined ? VISITED : undefined) : ITEM_STATES[items],
        q,
        error_code: code as NonNullable<ItemsQuery>['error_code'],
        folder,
        ...(sort === undefined ? {} : { sort, order: 'desc' as const }),
        cursor,
        limit: ITEMS_PER_CALL,
      };
      const params = { path: { id: job.id }, query };
      return responseBody(api.GET('/api/v1/jobs/{id}/items/', { params, signal }));
    },
    ...BY_CURSOR,
    refetchInterval: ({ state }) =>
      isLive(job) && (state.data?.pages.length ?? 0) <= LIVE_PAGES && 2 * LIVE_MS,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

const isUnderWay = ({ state }: Export): boolean => state === 'pending' || state === 'sending';

/** The newest exports of a job, the newest first. */
export const jobExportsQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id, 'exports'],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/jobs/{id}/exports/', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => state.data?.items.some(isUnderWay) === true && LIVE_MS,
  });

const ERRORS_PER_CALL = 200;

/** The first items that have failed, or wait for a retry. */
export const jobErrorsQuery = (job: Job, folder: string | undefined) =>
  queryOptions({
    queryKey: ['job-items', job.id, 'errors', folder, isLive(job)],
    queryFn: ({ signal }) => {
      const query = { state: 'failed', folder, limit: ERRORS_PER_CALL };
      const params = { path: { id: job.id }, query };
      return responseBody(api.GET('/api/v1/jobs/{id}/items/', { params, signal }));
    },
    enabled: job.counts.failed > 0,
    refetchInterval: isLive(job) && 5 * LIVE_MS,
    placeholderData: keepPreviousData,
  });

type Steering = 'pause' | 'resume' | 'retry-failed' | 'cancel';

/** Pauses, resumes or cancels a job, or tries its failed items again. */
export function useSteerJob(id: string) {
  const queries = useQueryClient();
  const params = { path: { id } };
  return useMutation({
    mutationFn: async (steering: Steering): Promise<void> => {
      if (steering === 'cancel') await responseBody(api.DELETE('/api/v1/jobs/{id}/', { params }));
      else await responseBody(api.POST(`/api/v1/jobs/{id}/${steering}/`, { params }));
    },
    // Also after an error, because the job may have ended in the meantime.
    onSettled: async (_data, _error, steering) => {
      await queries.invalidateQueries({ queryKey: ['job', id] });
      void queries.invalidateQueries({ queryKey: ['jobs'] });
      // Failed items wait again.
      if (steering === 'retry-failed') await queries.invalidateQueries({ queryKey: ['job-items', id] });
    },
  });
}

/** Starts items that wait for a retry, by their numbers; null: all of them. */
export const useTryNow = (id: string) =>
  useChange(
    (items: readonly number[] | null) => {
      const body = items === null ? {} : { items: [...items] };
      return responseBody(api.POST('/api/v1/jobs/{id}/try-now/', { params: { path: { id } }, body }));
    },
    [
      ['job', id],
      ['job-items', id],
    ],
  );

/** Deletes a job with its results and their records. */
export const useDeleteJob = (id: string) =>
  useRemoval(
    () => responseBody(api.DELETE('/api/v1/jobs/{id}/', { params: { path: { id }, query: { purge: '1' } } })),
    [['jobs'], ['history']],
  );

/** The body of a new batch. Its types are checked by the service, because a user writes parts of it as JSON. */
export interface NewBatch {
  readonly name?: string;
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly invalid: 'refuse' | 'skip';
  readonly concurrency?: number;
  readonly retries?: number;
  readonly channels?: readonly string[];
  readonly notify_on?: readonly string[];
}

export const useCreateBatch = () =>
  useChange(
    (batch: NewBatch) =>
      responseBody(api.POST('/api/v1/batches/', { body: batch as unknown as Schema<'BatchRequest'> })),
    [['jobs']],
  );

/** The body of a new crawl, as `NewBatch`. */
export type NewCrawl = Readonly<Record<string, unknown>>;

export const useCreateCrawl = () =>
  useChange(
    (crawl: NewCrawl) =>
      responseBody(api.POST('/api/v1/crawls/', { body: crawl as unknown as Schema<'CrawlRequest'> })),
    [['jobs']],
  );

/** Lists URLs of a site without visiting its pages. */
export const useMapSite = () =>
  useMutation({
    mutationFn: (body: Readonly<Record<string, unknown>>) =>
      responseBody(api.POST('/api/v1/maps/', { body: body as unknown as Schema<'MapRequest'> })),
  });

/** Plans a scrape without making it: which ways there are, and what each is expected to cost and take. */
export const useEstimate = () =>
  useMutation({
    mutationFn: async ({ router, ...request }: Readonly<Record<string, unknown>>) => {
      const settings = typeof router === 'string' ? { sort: router } : ((router ?? {}) as object);
      const body = { ...request, router: { ...settings, dry_run: true } };
      return (await responseBody(
        api.POST('/api/v1/scrape/', { body: body as unknown as Schema<'ScrapeRequest'> }),
      )) as Schema<'ScrapeResponse'>;
    },
  });
