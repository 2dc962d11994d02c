import { within } from './deadline.ts';
import { type Page, Pages } from './pages.ts';
import type { CallOptions, Query, Transport } from './transport.ts';
import type {
  AsyncState,
  ListScrapesQuery,
  ReadingRequest,
  ReadingResult,
  ScrapeRecord,
  ScrapeSummary,
} from './types.gen.ts';

/** How long one request waits for the end of a scrape. */
const WAIT_MS = 30_000;
/** How much longer such a request may take. */
const GRACE_MS = 15_000;

const path = (id: string, rest = ''): string => `/api/v1/scrape/${encodeURIComponent(id)}/${rest}`;

/** The scrapes that the service has stored. */
export class Scrapes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first, unless `order` says something else. */
  list(query: ListScrapesQuery = {}, options?: CallOptions): Pages<ScrapeSummary> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<ScrapeSummary>>(
        { method: 'GET', path: '/api/v1/scrape/', query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  /** The scrape; its state if it was started with `startScrape` and has not ended. A scrape that has failed is no error. */
  async get(id: string, options?: CallOptions): Promise<ScrapeRecord | AsyncState> {
    return await this.#transport.json({ method: 'GET', path: path(id) }, options);
  }

  /**
   * Waits until the scrape has ended.
   * @param options.timeoutMs limit of the whole wait. Default: none
   */
  async wait(id: string, options: CallOptions = {}): Promise<ScrapeRecord> {
    const { signal: outer, timeoutMs = Number.POSITIVE_INFINITY, ...rest } = options;
    return await within(timeoutMs, outer, async (signal) => {
      for (;;) {
        const answer = await this.#transport.json<ScrapeRecord | AsyncState>(
          { method: 'GET', path: path(id), query: { wait_ms: WAIT_MS } },
          { ...rest, signal, timeoutMs: WAIT_MS + GRACE_MS },
        );
        if ('router' in answer) return answer;
      }
    });
  }

  /** The request of the scrape, with its secrets masked. */
  async request(id: string, options?: CallOptions): Promise<Record<string, unknown>> {
    return await this.#transport.json({ method: 'GET', path: path(id, 'request/') }, options);
  }

  /** The bytes of the content. */
  async content(id: string, options?: CallOptions): Promise<Uint8Array> {
    const headers = { accept: '*/*' };
    return await this.#transport.bytes({ method: 'GET', path: path(id, 'content/'), headers }, options);
  }

  /** Reads the stored content again, in other formats and with other rules, without fetching it. */
  async read(id: string, request: ReadingRequest, options?: CallOptions): Promise<ReadingResult> {
    const spec = { method: 'POST', path: path(id, 'read/'), body: request, repeat: 'safe' } as const;
    return await this.#transport.json(spec, options);
  }

  /** Deletes the scrape; cancels it if it was started with `startScrape` and has not ended. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(id) }, options);
  }
}
