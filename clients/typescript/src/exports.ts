import type { CallOptions, Query, Transport } from './transport.ts';
import type { Export, ExportJobQuery, ExportList, ExportRequest } from './types.gen.ts';

const path = (jobId: string, rest: string): string => `/api/v1/jobs/${encodeURIComponent(jobId)}/${rest}`;

/** Files of the results of jobs. */
export class Exports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Sends the results of a job to a target, in the background. */
  async send(jobId: string, request: ExportRequest, options?: CallOptions): Promise<Export> {
    return await this.#transport.json(
      { method: 'POST', path: path(jobId, 'export/'), body: request },
      options,
    );
  }

  /** Those of a job, newest first. */
  async list(jobId: string, options?: CallOptions): Promise<ExportList> {
    return await this.#transport.json({ method: 'GET', path: path(jobId, 'exports/') }, options);
  }

  async get(id: string, options?: CallOptions): Promise<Export> {
    return await this.#transport.json(
      { method: 'GET', path: `/api/v1/exports/${encodeURIComponent(id)}/` },
      options,
    );
  }

  /** The results of a job as a file, whole in memory. Large ones are better read by `jobs.results`. */
  async download(jobId: string, query: ExportJobQuery = {}, options?: CallOptions): Promise<Uint8Array> {
    const headers = { accept: '*/*' };
    return await this.#transport.bytes(
      { method: 'GET', path: path(jobId, 'export/'), query: query as Query, headers },
      options,
    );
  }
}
