import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange, useRemoval } from './queries.ts';

export type Dataset = Schema<'Dataset'>;
export type DatasetRun = Schema<'DatasetRun'>;
export type DatasetRow = Schema<'DatasetRow'>;

const IDLE_MS = 10_000;
const LIVE_MS = 1_000;

const idParams = (id: string) => ({ params: { path: { id } } });

/** Datasets, newest first. */
export const datasetsQuery = infiniteQueryOptions({
  queryKey: ['datasets'],
  queryFn: ({ pageParam: cursor, signal }) =>
    responseBody(api.GET('/api/v1/datasets/', { params: { query: { cursor, limit: 100 } }, signal })),
  ...BY_CURSOR,
  refetchInterval: IDLE_MS,
});

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/datasets/{id}/', { ...idParams(id), signal })),
    refetchInterval: IDLE_MS,
  });

/** The newest runs. They are read again each second while results are added. */
export const datasetRunsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'runs'],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { limit: 100 } };
      return responseBody(api.GET('/api/v1/datasets/{id}/runs/', { params, signal }));
    },
    refetchInterval: ({ state }) =>
      state.data?.items.some((run) => run.state === 'importing') === true ? LIVE_MS : IDLE_MS,
  });

/** Which rows are shown. */
export interface RowsFilter {
  readonly run?: number | undefined;
  readonly sort?: string | undefined;
  /** JSON, as the API takes it. */
  readonly filter?: string | undefined;
  readonly diff_to?: number | undefined;
}

const ROWS_PER_CALL = 100;

/** @param rows how many the dataset has, so that new ones are read */
export const datasetRowsQuery = (id: string, filter: RowsFilter, rows: number) =>
  infiniteQueryOptions({
    queryKey: ['dataset', id, 'rows', filter, rows],
    queryFn: ({ pageParam: cursor, signal }) => {
      const params = { path: { id }, query: { ...filter, cursor, limit: ROWS_PER_CALL } };
      return responseBody(api.GET('/api/v1/datasets/{id}/rows/', { params, signal }));
    },
    ...BY_CURSOR,
    placeholderData: keepPreviousData,
  });

export const useCreateDataset = () =>
  useChange(
    (body: Schema<'DatasetRequest'>) => responseBody(api.POST('/api/v1/datasets/', { body })),
    [['datasets']],
  );

/** Deletes the dataset with its rows; jobs stay. */
export const useDeleteDataset = (id: string) =>
  useRemoval(
    () => responseBody(api.DELETE('/api/v1/datasets/{id}/', idParams(id))),
    [['datasets'], ['schedules'], ['schedule']],
  );
