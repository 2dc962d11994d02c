import { type Page, Pages } from './pages.ts';
import type { CallOptions, Query, Transport } from './transport.ts';
import type {
  Dataset,
  DatasetChange,
  DatasetRequest,
  DatasetRow,
  DatasetRun,
  ExportDatasetQuery,
  ListDatasetRowsQuery,
  ListDatasetRunsQuery,
  ListDatasetsQuery,
} from './types.gen.ts';

const path = (id: string, rest = ''): string => `/api/v1/datasets/${encodeURIComponent(id)}/${rest}`;

/** Tables of results over runs. */
export class Datasets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(request: DatasetRequest, options?: CallOptions): Promise<Dataset> {
    return await this.#transport.json({ method: 'POST', path: '/api/v1/datasets/', body: request }, options);
  }

  list(query: ListDatasetsQuery = {}, options?: CallOptions): Pages<Dataset> {
    return this.#pages('/api/v1/datasets/', query, options);
  }

  async get(id: string, options?: CallOptions): Promise<Dataset> {
    return await this.#transport.json({ method: 'GET', path: path(id) }, options);
  }

  async change(id: string, change: DatasetChange, options?: CallOptions): Promise<Dataset> {
    return await this.#transport.json({ method: 'PATCH', path: path(id), body: change }, options);
  }

  /** Deletes the dataset; jobs and schedules stay. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(id) }, options);
  }

  /** Adds the results of a job that has ended, in the background. @returns the number of the run */
  async importJob(id: string, jobId: string, options?: CallOptions): Promise<number> {
    const spec = { method: 'POST', path: path(id, 'import/'), body: { job_id: jobId } } as const;
    return (await this.#transport.json<{ readonly n: number }>(spec, options)).n;
  }

  /** Newest first. */
  runs(id: string, query: ListDatasetRunsQuery = {}, options?: CallOptions): Pages<DatasetRun> {
    return this.#pages(path(id, 'runs/'), query, options);
  }

  /** The rows, or with `diff_to` what has changed since a run. */
  rows(id: string, query: ListDatasetRowsQuery = {}, options?: CallOptions): Pages<DatasetRow> {
    return this.#pages(path(id, 'rows/'), query, options);
  }

  /** The table as a file, whole in memory. */
  async export(id: string, query: ExportDatasetQuery = {}, options?: CallOptions): Promise<Uint8Array> {
    const headers = { accept: '*/*' };
    return await this.#transport.bytes(
      { method: 'GET', path: path(id, 'export/'), query: query as Query, headers },
      options,
    );
  }

  #pages<T>(url: string, query: { readonly cursor?: string }, options: CallOptions | undefined): Pages<T> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<T>>(
        { method: 'GET', path: url, query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }
}
