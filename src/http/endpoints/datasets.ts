import { Type } from 'typebox';
import { uuid7, uuidBytes } from '../../base/uuid7.ts';
import { OWN_COLUMNS } from '../../datasets/columns.ts';
import { compareRuns } from '../../datasets/compare-runs.ts';
import { queryRows } from '../../datasets/query-rows.ts';
import type { Principal } from '../../domain/account.ts';
import type { DatasetRow, DatasetRun } from '../../domain/datasets.ts';
import { EXPORT_FORMATS, EXPORT_TYPES, type FileFormat } from '../../domain/exports.ts';
import { closed } from '../../domain/json-schema.ts';
import {
  DatasetChange,
  DatasetImport,
  DatasetList,
  DatasetObject,
  DatasetRequest,
  DatasetRowList,
  DatasetRunList,
  datasetObject,
  datasetRunObject,
  rowObject,
} from '../../wire/datasets.ts';
import { csvLine } from '../../wire/record/record-list.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { bytes, json, nothing, problem } from '../core/responses.ts';
import {
  cursorText,
  diffCursorText,
  ROW_PARAMETERS,
  readCursor,
  readDiffCursor,
  readFilters,
  readRowQuery,
  readSort,
} from '../operations/dataset-query.ts';
import { closeSignal, hasEnded, sendPieces } from '../operations/job-streams.ts';
import { visibleUser } from '../operations/missing-record.ts';
import { NAMED_PAGES, pageOf, pageParameters, readPage } from '../operations/page.ts';
import { refuse } from '../operations/run-requests.ts';

const DATASET_ID = { id: { description: 'Id of the dataset.', schema: Type.String({ format: 'uuid' }) } };
const ROWS_PER_PIECE = 250;

async function visibleDataset(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  principal: Principal,
): Promise<DatasetRow> {
  const userId = visibleUser(principal);
  const dataset = uuidBytes(id) === null ? null : await store.datasets.get(id.toLowerCase(), userId);
  if (dataset === null)
    throw Refusal.of('request.not_found', 'There is no such dataset, or it is not yours.');
  return dataset;
}

async function existingRun(
  { store }: Pick<EndpointDeps, 'store'>,
  { number }: DatasetRow,
  n: number,
  pointer: string,
): Promise<DatasetRun> {
  return (await store.datasets.run(number, n)) ?? refuse(pointer, 'is no run of the dataset');
}

async function create(deps: EndpointDeps, { userId }: Principal, body: DatasetRequest): Promise<DatasetRow> {
  const { columns = [], key = null, name } = body;
  for (const [at, column] of columns.entries()) {
    const isOwn = OWN_COLUMNS.some((own) => own.name === column.name);
    if (isOwn || columns.findIndex((other) => other.name === column.name) !== at)
      refuse(`/columns/${at}/name`, 'is the name of another column');
  }
  const now = deps.clock.now();
  const id = uuid7(now);
  const made = {
    ...{ id, userId, name, key, createdAt: now },
    columns: columns.map((column) => ({ ...column, nulls: 0, fromRow: 0 })),
  };
  const limit = deps.accounts.limits(userId).datasets;
  if (!(await deps.store.datasets.create(made, limit)))
    throw Refusal.of('limit.datasets', `A user may have at most ${limit} datasets. Delete one first.`);
  return (await deps.store.datasets.get(id, null))!;
}

async function* datasetFile(
  { store }: EndpointDeps,
  { number, columns }: DatasetRow,
  range: { readonly first: number; readonly last: number },
  format: FileFormat,
  signal: AbortSignal,
): AsyncGenerator<string | Uint8Array> {
  async function* pages() {
    for (let { first } = range; !signal.aborted; ) {
      const rows = await store.datasets.rows(
        number,
        { ...range, first, isDescending: false },
        ROWS_PER_PIECE,
      );
      if (rows.length === 0) return;
      yield rows;
      first = rows.at(-1)!.row + 1;
      if (first > range.last) return;
    }
  }
  const names = ['run', 'url', 'index', 'status', 'title', 'scrape', ...columns.map(({ name }) => name)];
  async function* table() {
    yield [names];
    for await (const rows of pages())
      yield rows.map(({ run, data: { url, index, status, title, scrapeId, values } }) => [
        ...[run, url, index, status, title, scrapeId],
        ...columns.map((_, at) => values[at] ?? null),
      ]);
  }
  if (format === 'jsonl') {
    for await (const rows of pages())
      yield rows
        .map((row) => {
          const { change: _, before: __, ...object } = rowObject(columns, row);
          return `${JSON.stringify(object)}\n`;
        })
        .join('');
  } else if (format === 'csv') for await (const rows of table()) yield rows.map(csvLine).join('');
  else {
    const { xlsxFile } = await import('../operations/xlsx-file.ts');
    async function* lines() {
      for await (const rows of table()) yield* rows;
    }
    yield* xlsxFile('Rows', lines());
  }
}

async function rangeOf(deps: EndpointDeps, dataset: DatasetRow, run: number | null) {
  if (run === null) return { first: 1, last: dataset.lastRow };
  const { firstRow, lastRow } = await existingRun(deps, dataset, run, '/run');
  return { first: firstRow, last: lastRow };
}

export const DATASETS = [
  endpoint({
    method: 'post',
    path: '/api/v1/datasets/',
    operationId: 'createDataset',
    summary: 'Make a dataset',
    description:
      'A table of what `extract` and `json` gave, over the runs of the schedules that name it, and jobs that are imported.',
    access: 'scope:jobs',
    body: jsonBody(DatasetRequest, {
      examples: { prices: { name: 'Prices', columns: [{ name: 'price', type: 'number' }], key: ['sku'] } },
    }),
    responses: {
      201: json('The dataset.', DatasetObject),
      429: problem('Too many datasets: `limit.datasets`; or requests: `limit.concurrency`.'),
    },
    handler: async ({ body, principal }, deps) => datasetObject(await create(deps, principal, body)),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/datasets/',
    operationId: 'listDatasets',
    summary: 'List datasets',
    description: 'The newest first.',
    access: 'scope:read',
    query: NAMED_PAGES,
    responses: { 200: json('A page of datasets.', DatasetList) },
    handler: async ({ query: { limit, cursor, search }, principal }, { store: { datasets } }) => {
      const rows = await datasets.list(visibleUser(principal), limit + 1, cursor, search);
      const { page, next_cursor } = pageOf(rows, limit, ({ id }) => id);
      return { items: page.map(datasetObject), next_cursor };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/datasets/{id}/',
    operationId: 'getDataset',
    summary: 'Get a dataset',
    access: 'scope:read',
    params: DATASET_ID,
    responses: { 200: json('The dataset.', DatasetObject) },
    handler: async ({ params, principal }, deps) =>
      datasetObject(await visibleDataset(deps, params.id, principal)),
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/datasets/{id}/',
    operationId: 'changeDataset',
    summary: 'Rename a dataset',
    access: 'scope:jobs',
    params: DATASET_ID,
    body: jsonBody(DatasetChange, { examples: { name: { name: 'Prices of 2027' } } }),
    responses: { 200: json('The changed dataset.', DatasetObject) },
    handler: async ({ params, body, principal }, deps) => {
      const { id } = await visibleDataset(deps, params.id, principal);
      if (body.name !== undefined) await deps.store.datasets.rename(id, body.name);
      return datasetObject((await deps.store.datasets.get(id, null))!);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/datasets/{id}/',
    operationId: 'deleteDataset',
    summary: 'Delete a dataset',
    description: 'With its rows. Schedules that name it name none afterwards; the jobs stay.',
    access: 'scope:jobs',
    params: DATASET_ID,
    responses: { 204: nothing('Deleted.') },
    handler: async ({ params, principal }, deps) => {
      const { id } = await visibleDataset(deps, params.id, principal);
      await deps.store.datasets.delete(id);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/datasets/{id}/import/',
    operationId: 'importIntoDataset',
    summary: 'Add the results of a job to a dataset',
    description: 'They are added in the background, as one run.',
    access: 'scope:jobs',
    params: DATASET_ID,
    body: jsonBody(DatasetImport, { examples: { job: { job_id: '01890a5d-ac96-774b-bcce-b302099a8057' } } }),
    responses: {
      202: json('The number of the run.', closed({ n: Type.Integer() })),
      409: problem('The job has not ended, or the dataset has its results already: `job.state`.'),
    },
    handler: async ({ params, body, principal, reply }, deps) => {
      const dataset = await visibleDataset(deps, params.id, principal);
      const job = await deps.store.jobs.get(body.job_id.toLowerCase(), dataset.userId);
      if (job === null) refuse('/job_id', 'is no job of yours');
      if (!hasEnded(job)) throw Refusal.of('job.state', 'The job has not ended.');
      const { id: jobId, scheduleId } = job;
      const n = await deps.store.datasets.addRun(dataset.number, { jobId, scheduleId, at: deps.clock.now() });
      if (n === null) throw Refusal.of('job.state', 'The dataset has the results of this job already.');
      return reply.code(202).send({ n });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/datasets/{id}/runs/',
    operationId: 'listDatasetRuns',
    summary: 'List the runs of a dataset',
    description: 'The newest first: jobs whose results it has.',
    access: 'scope:read',
    params: DATASET_ID,
    query: { parameters: pageParameters(), read: readPage },
    responses: { 200: json('A page of runs.', DatasetRunList) },
    handler: async ({ params, query: { limit, cursor }, principal }, deps) => {
      const { number } = await visibleDataset(deps, params.id, principal);
      if (cursor !== null && !/^\d{1,9}$/.test(cursor)) refuse('/cursor', 'is not a cursor of this list');
      const rows = await deps.store.datasets.runs(number, limit + 1, cursor === null ? null : Number(cursor));
      const { page, next_cursor } = pageOf(rows, limit, ({ n }) => String(n));
      return { items: page.map(datasetRunObject), next_cursor };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/datasets/{id}/rows/',
    operationId: 'listDatasetRows',
    summary: 'List the rows of a dataset',
    access: 'scope:read',
    params: DATASET_ID,
    query: {
      parameters: { ...ROW_PARAMETERS, ...pageParameters('Rows per page.') },
      read: (query: QueryReader) => ({ ...readRowQuery(query), ...readPage(query) }),
    },
    responses: { 200: json('A page of rows.', DatasetRowList) },
    handler: async ({ params, query, principal }, deps) => {
      const dataset = await visibleDataset(deps, params.id, principal);
      const { columns } = dataset;
      const { limit, cursor, diffTo } = query;
      if (diffTo !== null) {
        if (query.filter !== null) refuse('/filter', 'is not for `diff_to`');
        if (query.sort !== null) refuse('/sort', 'is not for `diff_to`');
        const before = await existingRun(deps, dataset, diffTo, '/diff_to');
        const latest = query.run ?? (await deps.store.datasets.runs(dataset.number, 1, null))[0]!.n;
        const now = await existingRun(deps, dataset, latest, '/run');
        const { rows, next } = await compareRuns(
          deps.store.datasets,
          dataset.number,
          { now, before },
          readDiffCursor(cursor),
          limit,
        );
        return {
          items: rows.map(({ now: row, before: old }) =>
            row === null
              ? rowObject(columns, old!, 'gone')
              : rowObject(columns, row, old === null ? 'new' : 'changed', old),
          ),
          next_cursor: next === null ? null : diffCursorText(next),
        };
      }
      const { rows, next } = await queryRows(deps.store.datasets, dataset, {
        filters: readFilters(query.filter, columns),
        sort: readSort(query.sort, columns),
        range: await rangeOf(deps, dataset, query.run),
        cursor: readCursor(cursor),
        limit,
      });
      return {
        items: rows.map((row) => rowObject(columns, row)),
        next_cursor: next === null ? null : cursorText(next),
      };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/datasets/{id}/export/',
    operationId: 'exportDataset',
    summary: 'Export a dataset',
    description:
      'All rows, or those of a run, the oldest first. If the connection breaks, the file is incomplete.',
    access: 'scope:read',
    params: DATASET_ID,
    query: {
      parameters: {
        format: {
          description: 'Format of the file.',
          schema: Type.Enum([...EXPORT_FORMATS], { default: 'jsonl' }),
        },
        run: ROW_PARAMETERS.run,
      },
      read: (query: QueryReader) => ({
        format: query.oneOf('format', EXPORT_FORMATS) ?? 'jsonl',
        run: query.integer('run', 1, 999_999),
      }),
    },
    responses: { 200: bytes('The file.', ...Object.values(EXPORT_TYPES).map((type) => type.split(';')[0]!)) },
    handler: async ({ params, query: { format, run }, principal, reply }, deps) => {
      const dataset = await visibleDataset(deps, params.id, principal);
      const range = await rangeOf(deps, dataset, run);
      reply.header('content-disposition', `attachment; filename="dataset-${dataset.id}.${format}"`);
      const pieces = datasetFile(deps, dataset, range, format, closeSignal(reply));
      return await sendPieces(deps, reply, EXPORT_TYPES[format], pieces);
    },
  }),
];
