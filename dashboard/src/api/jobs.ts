import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange, useRemoval } from './queries.ts';
import type { paths } from './schema.gen.ts';

export type Job = Schema<'Job'>;
export type JobItem = Schema<'JobItem'>;
export type JobFolder = Schema<'JobFolder'>;
type JobListQuery = NonNullable<paths['/api/v1/jobs/']['get']['parameters']['query']>;
export type JobFilter = Pick<JobListQuery, 'kind' | 'state' | 'with_runs'>;

const LIVE_MS = 1_000;
/** How often an idle list is read, because programs start jobs, too. */
const IDLE_MS = 10_000;
const RESULTS_PER_CALL = 200;
/** Results that are loaded without being asked for. */
export const FIRST_RESULTS = 2_000;

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

interface LoadedResults {
  /** In the order of their ends. */
  readonly items: readonly JobItem[];
  readonly cursor: string | undefined;
  /** There will be no more results. */
  readonly complete: boolean;
}

const resultsKey = (id: string) => ['job-results', id] as const;

/**
 * The items of a job that have ended, without their content. While the job runs, each refetch adds those that ended since.
 * @param limit items that are loaded
 * @param folder only items in this folder and below it; undefined: all
 */
export function useJobResults(job: Job, limit: number, folder: string | undefined) {
  const queries = useQueryClient();
  const { id } = job;
  const queryKey = [...resultsKey(id), folder];
  const results = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<LoadedResults> => {
      let { items, cursor, complete } = queries.getQueryData<LoadedResults>(queryKey) ?? NOTHING_LOADED;
      while (!complete && items.length < limit) {
        const query = { cursor, limit: RESULTS_PER_CALL, include: 'none', folder } as const;
        const params = { path: { id }, query };
        const body = await responseBody(api.GET('/api/v1/jobs/{id}/results/', { params, signal }));
        // Results are text only with `Accept: application/x-ndjson`.
        const page = body as Exclude<typeof body, string>;
        items = [...items, ...page.items];
        complete = page.next_cursor === null;
        cursor = page.next_cursor ?? cursor;
        if (page.items.length < RESULTS_PER_CALL) break;
      }
      return { items, cursor, complete };
    },
    refetchInterval: ({ state: { data = NOTHING_LOADED } }) => {
      if (data.complete || data.items.length >= limit) return false;
      return job.state === 'paused' && !isLive(job) ? IDLE_MS : LIVE_MS;
    },
    staleTime: 0,
    // Read from the start when the page is opened again: in the meantime, failed items may have been tried again.
    gcTime: 0,
  });
  const { refetch } = results;
  useEffect(() => {
    if (limit > FIRST_RESULTS) void refetch();
  }, [limit, refetch]);
  return results;
}

const NOTHING_LOADED: LoadedResults = { items: [], cursor: undefined, complete: false };

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
      // Failed items leave the results.
      if (steering === 'retry-failed') await queries.resetQueries({ queryKey: resultsKey(id) });
    },
  });
}

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
