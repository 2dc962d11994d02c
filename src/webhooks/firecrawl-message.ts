import { hash } from 'node:crypto';
import { uuidText } from '../base/uuid7.ts';
import { type Failure, isFailure } from '../domain/failure.ts';
import type { ItemRow, JobKind, JobRow } from '../domain/jobs.ts';
import type { ClaimedDelivery, WebhookEvent } from '../domain/webhooks.ts';
import { fullScrape, itemOf, MAX_MESSAGE_BYTES, type MessageDeps } from './message.ts';
import { messageId, type WebhookSpec } from './webhook-spec.ts';

const EVENT_NAMES: Readonly<Partial<Record<WebhookEvent, string>>> = {
  started: 'started',
  page: 'page',
  item_failed: 'page',
  done: 'completed',
  failed: 'failed',
  cancelled: 'failed',
};
const JOB_NAMES: Readonly<Record<JobKind, string>> = {
  crawl: 'crawl',
  batch: 'batch_scrape',
  scrape: 'scrape',
};

/** Such as `crawl.page` for `job.page`. */
function typeOf({ kind }: JobRow, type: string): string {
  const event = type.slice(type.indexOf('.') + 1) as WebhookEvent;
  return `${JOB_NAMES[kind]}.${EVENT_NAMES[event] ?? event}`;
}

/** The same for each try of a message: UUID version 8 (RFC 9562 §5.8), made of the id of the message. */
function webhookIdOf(delivery: ClaimedDelivery): string {
  const bytes = Buffer.from(hash('sha256', messageId(delivery)), 'hex').subarray(0, 16);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return uuidText(bytes);
}

/**
 * The body of a message as receivers of Firecrawl expect it (https://docs.firecrawl.dev/webhooks/events). See `messageBody`.
 */
export async function firecrawlBody(
  deps: MessageDeps,
  delivery: ClaimedDelivery,
  spec: WebhookSpec,
  signal: AbortSignal,
): Promise<Buffer | Failure | null> {
  const { source, sourceId, type } = delivery;
  const common = { id: sourceId, webhookId: webhookIdOf(delivery) };
  const metadata = spec.metadata ?? {};
  if (source === 'test')
    return Buffer.from(JSON.stringify({ success: true, type, ...common, data: [], metadata }));
  const job = await deps.store.jobs.get(sourceId, null);
  if (job === null) return null;
  const item = await itemOf(deps.store, job, delivery.item);
  const page = item === null ? null : await documentOf(deps, delivery, item, spec, signal);
  if (page !== null && isFailure(page)) return page;
  const error = errorOf(job, item, type);
  const message = (data: readonly object[]) =>
    Buffer.from(
      JSON.stringify({
        success: error === null,
        type: typeOf(job, type),
        ...common,
        data,
        metadata,
        ...(error === null ? {} : { error }),
      }),
    );
  if (page === null) return message([]);
  const body = message([page]);
  return body.length > MAX_MESSAGE_BYTES ? message([{ metadata: page.metadata }]) : body;
}

/** null: the event is no failure. */
function errorOf(job: JobRow, item: ItemRow | null, type: string): string | null {
  if (type === 'job.item_failed') return item?.error?.message ?? 'The scrape failed.';
  if (type === 'job.failed') return job.error?.message ?? 'The job failed.';
  return type === 'job.cancelled' ? 'The job was cancelled.' : null;
}

/** A document of Firecrawl. Members without a value are left out. */
interface FirecrawlDocument {
  readonly [name: string]: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The members of a scrape that documents have; `data`: `scraper_data`. */
interface ScrapeParts {
  readonly status_code: number | null;
  readonly final_url: string | null;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly content: string | null;
  readonly content_encoding: string | null;
  readonly screenshot_url: string | null;
  readonly scraper_data: Readonly<Record<string, unknown>>;
}

async function documentOf(
  deps: MessageDeps,
  delivery: ClaimedDelivery,
  item: ItemRow,
  { include }: WebhookSpec,
  signal: AbortSignal,
): Promise<FirecrawlDocument | Failure> {
  const { scrapeId, url: sourceURL, error } = item;
  const ids = { sourceURL, scrapeId: scrapeId ?? undefined, error: error?.message };
  if (include === 'none' || scrapeId === null) return { metadata: ids };
  const record = await deps.store.records.get(scrapeId, null);
  const json = await fullScrape(deps, delivery, record, signal);
  if (json === null || isFailure(json)) return json ?? { metadata: ids };
  const scrape = JSON.parse(json.toString()) as ScrapeParts;
  const metadata = { ...pageMetadata(scrape), ...ids };
  return include === 'full' ? { ...contentsOf(scrape), metadata } : { metadata };
}

function pageMetadata({ status_code: statusCode, final_url: url, headers, scraper_data: data }: ScrapeParts) {
  const page = data.metadata as Readonly<Record<string, unknown>> | null | undefined;
  return {
    title: page?.title ?? undefined,
    description: page?.description ?? undefined,
    language: page?.language ?? undefined,
    url: url ?? undefined,
    statusCode: statusCode ?? undefined,
    contentType: headers['content-type'],
  };
}

function contentsOf({ content, content_encoding: encoding, screenshot_url, scraper_data }: ScrapeParts) {
  const { markdown, main_html: mainHtml, html, links, json } = scraper_data;
  return {
    markdown: markdown ?? undefined,
    html: mainHtml ?? html ?? undefined,
    rawHtml: encoding === 'utf-8' ? (content ?? undefined) : undefined,
    links: (links as readonly { readonly url: string }[] | null | undefined)?.map(({ url }) => url),
    screenshot: screenshot_url ?? undefined,
    json: (json as { readonly value: unknown } | null | undefined)?.value,
  };
}
