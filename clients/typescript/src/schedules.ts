import { type Page, Pages } from './pages.ts';
import type { CallOptions, KeyedCallOptions, Query, Transport } from './transport.ts';
import type {
  ListScheduleRunsQuery,
  ListSchedulesQuery,
  ScheduledJob,
  ScheduledJobChange,
  ScheduledJobRequest,
  ScheduledJobRun,
} from './types.gen.ts';

const path = (id: string, rest = ''): string => `/api/v1/schedules/${encodeURIComponent(id)}/${rest}`;

/** Scrapes, batches and crawls that start again and again. */
export class Schedules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(request: ScheduledJobRequest, options?: KeyedCallOptions): Promise<ScheduledJob> {
    const spec = { method: 'POST', path: '/api/v1/schedules/', body: request, repeat: 'key' } as const;
    return await this.#transport.json(spec, options);
  }

  list(query: ListSchedulesQuery = {}, options?: CallOptions): Pages<ScheduledJob> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<ScheduledJob>>(
        { method: 'GET', path: '/api/v1/schedules/', query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  async get(id: string, options?: CallOptions): Promise<ScheduledJob> {
    return await this.#transport.json({ method: 'GET', path: path(id) }, options);
  }

  async change(id: string, change: ScheduledJobChange, options?: CallOptions): Promise<ScheduledJob> {
    return await this.#transport.json({ method: 'PATCH', path: path(id), body: change }, options);
  }

  /** Deletes the schedule; the jobs of its runs stay. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(id) }, options);
  }

  async pause(id: string, options?: CallOptions): Promise<ScheduledJob> {
    return await this.#transport.json({ method: 'POST', path: path(id, 'pause/') }, options);
  }

  async resume(id: string, options?: CallOptions): Promise<ScheduledJob> {
    return await this.#transport.json({ method: 'POST', path: path(id, 'resume/') }, options);
  }

  /** Begins a run now; the due times stay. @returns the number of the run */
  async run(id: string, options?: CallOptions): Promise<number> {
    const spec = { method: 'POST', path: path(id, 'run/') } as const;
    return (await this.#transport.json<{ readonly n: number }>(spec, options)).n;
  }

  /** Newest first, with those that were missed. */
  runs(id: string, query: ListScheduleRunsQuery = {}, options?: CallOptions): Pages<ScheduledJobRun> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<ScheduledJobRun>>(
        { method: 'GET', path: path(id, 'runs/'), query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }
}
