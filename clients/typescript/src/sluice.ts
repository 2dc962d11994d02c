import { Channels } from './channels.ts';
import { Datasets } from './datasets.ts';
import { Exports } from './exports.ts';
import { Jobs } from './jobs.ts';
import { Monitors } from './monitors.ts';
import { Profiles } from './profiles.ts';
import { Schedules } from './schedules.ts';
import { Scrapes } from './scrapes.ts';
import { ScrapePrices, SiteLimits } from './settings.ts';
import {
  type CallOptions,
  type CallSpec,
  type KeyedCallOptions,
  type SluiceOptions,
  Transport,
} from './transport.ts';
import type {
  AsyncState,
  BatchRequest,
  CrawlRequest,
  ImportRequest,
  ImportResult,
  JobAccepted,
  MapRequest,
  MapResult,
  ReadingRequest,
  ReadingResult,
  ScrapeRequest,
  ScrapeResponse,
} from './types.gen.ts';
import { Webhooks } from './webhooks.ts';

export type { Channels } from './channels.ts';
export type { Datasets } from './datasets.ts';
export { type ClientErrorCode, SluiceError } from './errors.ts';
export type { Exports } from './exports.ts';
export type { JobEvent } from './job-events.ts';
export type { JobResult, Jobs, ResultsQuery, WaitOptions } from './jobs.ts';
export type { Monitors } from './monitors.ts';
export type { Page, Pages } from './pages.ts';
export type { Profiles } from './profiles.ts';
export type { Schedules } from './schedules.ts';
export type { Scrapes } from './scrapes.ts';
export type { CallOptions, CallSpec, KeyedCallOptions, SluiceOptions } from './transport.ts';
export type * from './types.gen.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookMessage,
  WebhookVerificationError,
} from './verify-webhook.ts';
export type { Webhooks } from './webhooks.ts';

/** A client of the Sluice API. All methods reject with `SluiceError`, or with the reason of `options.signal`. */
export class Sluice {
  readonly scrapes: Scrapes;
  readonly jobs: Jobs;
  readonly monitors: Monitors;
  readonly schedules: Schedules;
  readonly webhooks: Webhooks;
  readonly channels: Channels;
  readonly profiles: Profiles;
  readonly datasets: Datasets;
  readonly exports: Exports;
  readonly prices: ScrapePrices;
  readonly siteLimits: SiteLimits;
  readonly #transport: Transport;

  constructor(options: SluiceOptions) {
    this.#transport = new Transport(options);
    this.scrapes = new Scrapes(this.#transport);
    this.jobs = new Jobs(this.#transport);
    this.monitors = new Monitors(this.#transport);
    this.schedules = new Schedules(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
    this.channels = new Channels(this.#transport);
    this.profiles = new Profiles(this.#transport);
    this.datasets = new Datasets(this.#transport);
    this.exports = new Exports(this.#transport);
    this.prices = new ScrapePrices(this.#transport);
    this.siteLimits = new SiteLimits(this.#transport);
  }

  /**
   * Fetches a page. A page with status 404 is a result like any other; look at `router.outcome`.
   * @throws SluiceError if there is no page; its `scrape` has what is known nevertheless
   */
  async scrape(request: ScrapeRequest, options?: KeyedCallOptions): Promise<ScrapeResponse> {
    return await this.#start('/api/v1/scrape/', request, options);
  }

  /** Starts a scrape that goes on without a connection; `scrapes.wait(id)` gives its result. */
  async startScrape(request: ScrapeRequest, options?: KeyedCallOptions): Promise<AsyncState> {
    return await this.#start('/api/v1/scrape/', request, options, { prefer: 'respond-async' });
  }

  /** Reads a stored scrape again, without fetching it. The same as `scrapes.read`. */
  async read(id: string, request: ReadingRequest, options?: CallOptions): Promise<ReadingResult> {
    return await this.scrapes.read(id, request, options);
  }

  /** Starts a job that scrapes many pages; `jobs.results(id)` gives its results. */
  async batch(request: BatchRequest, options?: KeyedCallOptions): Promise<JobAccepted> {
    return await this.#start('/api/v1/batches/', request, options);
  }

  /** Starts a job that visits the pages of a site; `jobs.results(id)` gives its results. */
  async crawl(request: CrawlRequest, options?: KeyedCallOptions): Promise<JobAccepted> {
    return await this.#start('/api/v1/crawls/', request, options);
  }

  /** Lists the URLs of a site. */
  async map(request: MapRequest, options?: CallOptions): Promise<MapResult> {
    return await this.#safe('/api/v1/maps/', request, options);
  }

  /** Translates a curl command or an entry of a HAR file into a scrape request. Nothing is fetched. */
  async importRequest(request: ImportRequest, options?: CallOptions): Promise<ImportResult> {
    return await this.#safe('/api/v1/import/', request, options);
  }

  /** Calls any endpoint: `request({ method: 'GET', path: '/api/v1/stats/', query: { window: '24h' } })`. */
  async request<T = unknown>(spec: CallSpec, options?: KeyedCallOptions): Promise<T> {
    return await this.#transport.json(spec, options);
  }

  async #start<T>(
    path: string,
    body: unknown,
    options: KeyedCallOptions | undefined,
    headers: Record<string, string> = {},
  ): Promise<T> {
    return await this.#transport.json({ method: 'POST', path, body, headers, repeat: 'key' }, options);
  }

  async #safe<T>(path: string, body: unknown, options: CallOptions | undefined): Promise<T> {
    return await this.#transport.json({ method: 'POST', path, body, repeat: 'safe' }, options);
  }
}
