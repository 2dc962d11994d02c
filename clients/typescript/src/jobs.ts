import { pause, within } from './deadline.ts';
import { followEvents, type JobEvent } from './job-events.ts';
import { type Page, Pages } from './pages.ts';
import type { CallOptions, Query, Transport } from './transport.ts';
import type {
  GetJobResultsQuery,
  Job,
  JobChange,
  JobFolder,
  JobItem,
  ListedJobItem,
  ListJobFoldersQuery,
  ListJobItemsQuery,
  ListJobsQuery,
  ScrapeProblem,
  ScrapeResponse,
  ScraperData,
} from './types.gen.ts';

/** An item that has ended. */
export type JobResult = Omit<JobItem, 'scrape' | 'scraper_data'> & {
  /** The scrape itself with `include: 'full'`, else its id; null: there is none. */
  readonly scrape: string | ScrapeResponse | ScrapeProblem | null;
  readonly scraper_data: ScraperData | null;
};

export type ResultsQuery = Omit<GetJobResultsQuery, 'follow'> & {
  /** false: only the results that are there now. Default: until the job has ended. */
  readonly follow?: boolean;
};

export interface WaitOptions extends CallOptions {
  /** Limit of the whole wait. Default: none. */
  readonly timeoutMs?: number;
}

/** Pauses between questions about a job that goes on. */
const FIRST_POLL_MS = 250;
const LAST_POLL_MS = 4_000;
const nextPoll = (ms: number): number => Math.min(LAST_POLL_MS, ms * 1.5);

const path = (id: string, rest = ''): string => `/api/v1/jobs/${encodeURIComponent(id)}/${rest}`;

/** Batches, crawls and asynchronous scrapes. */
export class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. */
  list(query: ListJobsQuery = {}, options?: CallOptions): Pages<Job> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<Job>>(
        { method: 'GET', path: '/api/v1/jobs/', query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  async get(id: string, options?: CallOptions): Promise<Job> {
    return await this.#transport.json({ method: 'GET', path: path(id) }, options);
  }

  /** Waits until the job has ended; also while it is paused. @returns the job: `done`, `failed` or `cancelled` */
  async wait(id: string, options: WaitOptions = {}): Promise<Job> {
    const { signal: outer, timeoutMs = Number.POSITIVE_INFINITY, ...rest } = options;
    return await within(timeoutMs, outer, async (signal) => {
      for (let ms = FIRST_POLL_MS; ; ms = nextPoll(ms)) {
        const job = await this.get(id, { ...rest, signal });
        if (job.ended_at !== null) return job;
        await pause(ms, signal);
      }
    });
  }

  async change(id: string, change: JobChange, options?: CallOptions): Promise<Job> {
    return await this.#transport.json({ method: 'PATCH', path: path(id), body: change }, options);
  }

  /** No item starts later, and those that run are aborted. The results stay. */
  async cancel(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(id) }, options);
  }

  /** Cancels the job, and deletes it with its results and their records. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(id), query: { purge: '1' } }, options);
  }

  async pause(id: string, options?: CallOptions): Promise<Job> {
    return await this.#steer(id, 'pause', options);
  }

  async resume(id: string, options?: CallOptions): Promise<Job> {
    return await this.#steer(id, 'resume', options);
  }

  async retryFailed(id: string, options?: CallOptions): Promise<Job> {
    return await this.#steer(id, 'retry-failed', options);
  }

  /**
   * Starts what waits for a retry at once.
   * @param items numbers of items (`item`). null (default): all that wait for a retry
   */
  async tryNow(id: string, items: readonly number[] | null = null, options?: CallOptions): Promise<Job> {
    const body = items === null ? {} : { body: { items } };
    return await this.#transport.json({ method: 'POST', path: path(id, 'try-now/'), ...body }, options);
  }

  /** Starts a new job with the settings and the first items of this one. */
  async clone(id: string, options?: CallOptions): Promise<Job> {
    return await this.#steer(id, 'clone', options);
  }

  /** Items that have ended, in the order of their ends, until the job has ended. */
  results(id: string, query: ResultsQuery = {}, options?: CallOptions): Pages<JobResult> {
    const { follow = true, ...rest } = query;
    let ms = FIRST_POLL_MS;
    const load = async (cursor: string | undefined) => {
      const spec = { method: 'GET', path: path(id, 'results/'), query: { ...rest, cursor } } as const;
      const page = await this.#transport.json<Page<JobResult>>(spec, options);
      if (page.items.length > 0) ms = FIRST_POLL_MS;
      return page;
    };
    const onEmpty = async () => {
      if (!follow) return false;
      await pause(ms, options?.signal);
      ms = nextPoll(ms);
      return true;
    };
    return new Pages(load, { cursor: query.cursor, onEmpty });
  }

  /** All items, also those that wait or run, without what was scraped. */
  items(id: string, query: ListJobItemsQuery = {}, options?: CallOptions): Pages<ListedJobItem> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<ListedJobItem>>(
        { method: 'GET', path: path(id, 'items/'), query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  /** The items as a tree by host and path, one level at a time. */
  folders(id: string, query: ListJobFoldersQuery = {}, options?: CallOptions): Pages<JobFolder> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<JobFolder>>(
        { method: 'GET', path: path(id, 'folders/'), query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  /**
   * Events until the job has ended. After a lost connection it goes on with the next event.
   * @param options.lastEventId `sequence` of the last event that is known. Default: 0
   */
  events(
    id: string,
    options: CallOptions & { readonly lastEventId?: number } = {},
  ): AsyncGenerator<JobEvent, void, undefined> {
    return followEvents(this.#transport, path(id, 'events/'), options);
  }

  async #steer(id: string, action: string, options: CallOptions | undefined): Promise<Job> {
    return await this.#transport.json({ method: 'POST', path: path(id, `${action}/`) }, options);
  }
}
