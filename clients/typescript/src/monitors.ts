import { type Page, Pages } from './pages.ts';
import type { CallOptions, KeyedCallOptions, Query, Transport } from './transport.ts';
import type {
  ListMonitorRunsQuery,
  ListMonitorsQuery,
  Monitor,
  MonitorChange,
  MonitorPreview,
  MonitorPreviewRequest,
  MonitorRequest,
  MonitorRun,
  NoiseList,
} from './types.gen.ts';

const path = (id: string, rest = ''): string => `/api/v1/monitors/${encodeURIComponent(id)}/${rest}`;

/** Pages, batches and crawls that are compared at each run of a schedule. */
export class Monitors {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(request: MonitorRequest, options?: KeyedCallOptions): Promise<Monitor> {
    const spec = { method: 'POST', path: '/api/v1/monitors/', body: request, repeat: 'key' } as const;
    return await this.#transport.json(spec, options);
  }

  /** Fetches the page once, and shows what a run would compare. */
  async preview(request: MonitorPreviewRequest, options?: CallOptions): Promise<MonitorPreview> {
    const spec = { method: 'POST', path: '/api/v1/monitors/preview/', body: request } as const;
    return await this.#transport.json(spec, options);
  }

  list(query: ListMonitorsQuery = {}, options?: CallOptions): Pages<Monitor> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<Monitor>>(
        { method: 'GET', path: '/api/v1/monitors/', query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  async get(id: string, options?: CallOptions): Promise<Monitor> {
    return await this.#transport.json({ method: 'GET', path: path(id) }, options);
  }

  async change(id: string, change: MonitorChange, options?: CallOptions): Promise<Monitor> {
    return await this.#transport.json({ method: 'PATCH', path: path(id), body: change }, options);
  }

  /** Deletes the monitor with its runs and their records. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(id) }, options);
  }

  async pause(id: string, options?: CallOptions): Promise<Monitor> {
    return await this.#transport.json({ method: 'POST', path: path(id, 'pause/') }, options);
  }

  async resume(id: string, options?: CallOptions): Promise<Monitor> {
    return await this.#transport.json({ method: 'POST', path: path(id, 'resume/') }, options);
  }

  /** Begins a run now; the schedule stays. @returns the number of the run */
  async run(id: string, options?: CallOptions): Promise<number> {
    const spec = { method: 'POST', path: path(id, 'run/') } as const;
    return (await this.#transport.json<{ readonly n: number }>(spec, options)).n;
  }

  /** Newest first. */
  runs(id: string, query: ListMonitorRunsQuery = {}, options?: CallOptions): Pages<MonitorRun> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<MonitorRun>>(
        { method: 'GET', path: path(id, 'runs/'), query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  /** Rules that would hide what changes at most runs. */
  async noise(id: string, options?: CallOptions): Promise<NoiseList> {
    return await this.#transport.json({ method: 'GET', path: path(id, 'noise/') }, options);
  }
}
