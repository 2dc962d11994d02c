import type { MemoryBudget } from '../base/memory-budget.ts';
import { type Clock, deadlineUnder } from '../base/time.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { ItemRow, JobRow } from '../domain/jobs.ts';
import type { StoredRecord } from '../domain/record.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { ClaimedDelivery } from '../domain/webhooks.ts';
import type { BlobStore, Store } from '../ports/store.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import { returnsContent } from '../wire/answer/answer-json.ts';
import type { LinkUrlOf } from '../wire/answer/signed-links.ts';
import { formatDateTime } from '../wire/date-time.ts';
import { itemJson, jobJson } from '../wire/jobs/job-json.ts';
import { runObject } from '../wire/monitors.ts';
import { recordJson } from '../wire/record/record-json.ts';
import type { WebhookSpec } from './webhook-spec.ts';

export interface MessageDeps {
  readonly store: Pick<Store, 'alerts' | 'jobs' | 'monitors' | 'records'>;
  readonly deliveries: Pick<WebhookStore, 'content'>;
  readonly sealer: Sealer;
  readonly blobs: BlobStore;
  readonly memory: MemoryBudget;
  readonly clock: Clock;
  /** Whether prices are configured. */
  readonly priced: () => boolean;
  readonly baseUrl: () => string;
  readonly linkUrl: LinkUrlOf;
}

/** A scrape that makes the message longer is left out (contract §13). */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/**
 * The body of a message as it is now: the job and the record are read at each try.
 * @returns null: what it is about was deleted. A failure: there is no memory now for what only this message contains
 */
export async function messageBody(
  deps: MessageDeps,
  delivery: ClaimedDelivery,
  spec: WebhookSpec,
  signal: AbortSignal,
): Promise<Buffer | Failure | null> {
  const data =
    delivery.source === 'test'
      ? { id: delivery.sourceId, metadata: spec.metadata, message: 'This is a test event of Sluice.' }
      : await dataOf(deps, delivery, spec);
  if (data === null) return null;
  const { scrape = null, ...rest } = data;
  const { type, sequence } = delivery;
  const message = { type, timestamp: formatDateTime(delivery.at), sequence, data: rest };
  const full = await fullScrape(deps, delivery, scrape, signal);
  if (full !== null && isFailure(full)) return full;
  const text = JSON.stringify(message);
  if (full === null) return Buffer.from(text);
  // `data` is the last member: its end and that of the message are cut off, and written again after the scrape.
  const body = Buffer.concat([Buffer.from(`${text.slice(0, -2)},"scrape":`), full, Buffer.from('}}')]);
  return body.length > MAX_MESSAGE_BYTES ? Buffer.from(text) : body;
}

interface MessageData {
  readonly [name: string]: unknown;
  /** To be added in full. */
  readonly scrape?: StoredRecord | null;
}

async function dataOf(
  { store, clock, priced, baseUrl }: MessageDeps,
  delivery: ClaimedDelivery,
  { include, metadata }: WebhookSpec,
): Promise<MessageData | null> {
  const { source, sourceId, item: number } = delivery;
  if (source === 'monitor') return await runDataOf({ store, baseUrl }, delivery, { include, metadata });
  const job = await store.jobs.get(sourceId, null);
  if (job === null) return null;
  // An asynchronous scrape is its only item.
  const item = source === 'scrape' ? await itemOf(store, job, 1) : await itemOf(store, job, number);
  const scrapeId = item?.scrapeId ?? null;
  const resultUrl =
    item === null && source === 'job'
      ? `${baseUrl()}/api/v1/jobs/${job.id}/results/`
      : scrapeId === null
        ? null
        : `${baseUrl()}/api/v1/scrape/${scrapeId}/`;
  const ids = { id: job.id, metadata, result_url: resultUrl };
  if (include === 'none') return { ...ids, ...(item === null ? {} : { item: idsOf(item) }) };
  const isFull = include === 'full' && scrapeId !== null;
  return {
    ...ids,
    ...(source === 'job' ? { job: withoutRequest(jobJson(job, clock.now(), priced(), NOT_TOLD)) } : {}),
    ...(item === null ? {} : { item: JSON.parse(itemJson(item, JSON.stringify(scrapeId), 'null')) }),
    scrape: isFull ? await store.records.get(scrapeId, null) : null,
  };
}

/** What a run of a monitor found. Its number is the sequence of the delivery. */
async function runDataOf(
  { store, baseUrl }: Pick<MessageDeps, 'store' | 'baseUrl'>,
  { sourceId, sequence }: ClaimedDelivery,
  { include, metadata }: Pick<WebhookSpec, 'include' | 'metadata'>,
): Promise<MessageData | null> {
  const monitor = await store.monitors.get(sourceId, null);
  const [run] = await store.monitors.runs(sourceId, 1, sequence + 1);
  if (monitor === null || run === undefined || run.n !== sequence) return null;
  const { id, name } = monitor;
  const resultUrl = `${baseUrl()}/api/v1/monitors/${id}/runs/`;
  const ids = { id, metadata, result_url: resultUrl, n: run.n, state: run.result?.state ?? null };
  if (include === 'none') return ids;
  const isFull = include === 'full' && run.scrapeId !== null;
  return {
    ...ids,
    name,
    run: runObject(run),
    scrape: isFull ? await store.records.get(run.scrapeId!, null) : null,
  };
}

export async function itemOf(
  { jobs }: MessageDeps['store'],
  job: JobRow,
  number: number | null,
): Promise<ItemRow | null> {
  if (number === null) return null;
  const [item] = await jobs.items(job.id, null, number - 1, 1);
  return item ?? null;
}

const idsOf = ({ n, ref, url, state, scrapeId }: ItemRow) => ({ n, ref, url, state, scrape: scrapeId });

/** What holds the job up has changed when the message is read. */
export const NOT_TOLD = { waiting: null, nextTryAt: null };

/** The request may be long, and the caller knows it. */
function withoutRequest(json: string): object {
  const { request: _, waiting: __, next_try_at: ___, ...job } = JSON.parse(json) as Record<string, unknown>;
  return job;
}

/**
 * The scrape as JSON: as it was stored with the delivery, or else from its record.
 * @returns null: there is none, or it is too long. A failure: as for `messageBody`
 */
export async function fullScrape(
  deps: MessageDeps,
  delivery: ClaimedDelivery,
  record: StoredRecord | null,
  signal: AbortSignal,
): Promise<Buffer | Failure | null> {
  if (delivery.contentBytes > 0) return await keptScrape(deps, delivery, signal);
  return record === null ? null : await scrapeJson(deps, record, signal);
}

/** @returns null: there is no memory for the content now, or it is too long */
async function scrapeJson(
  { memory, blobs, linkUrl }: MessageDeps,
  record: StoredRecord,
  signal: AbortSignal,
): Promise<Buffer | null> {
  if (!returnsContent(record.answerJson)) return recordJson(record, null, linkUrl, { withUser: false });
  const bytes = record.contentBytes ?? 0;
  if (bytes > MAX_MESSAGE_BYTES) return null;
  if (!record.contentInBlob) return recordJson(record, record.content, linkUrl, { withUser: false });
  const reservation = memory.open();
  try {
    using deadline = deadlineUnder(MEMORY_WAIT_MS, signal);
    const waiting = reservation.reserve(2 * bytes, 2 * bytes, deadline.signal);
    if (waiting !== null && !(await waiting)) return null;
    return recordJson(record, await blobs.get(record.id), linkUrl, { withUser: false });
  } finally {
    reservation.close();
  }
}

/** What was stored with the delivery, because the record of the scrape has no content. */
async function keptScrape(
  { memory, deliveries, sealer }: MessageDeps,
  { number, userId, contentBytes }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Buffer | Failure | null> {
  const reservation = memory.open();
  try {
    using deadline = deadlineUnder(MEMORY_WAIT_MS, signal);
    const waiting = reservation.reserve(2 * contentBytes, 2 * contentBytes, deadline.signal);
    if (waiting !== null && !(await waiting))
      return failure('service.unavailable', 'There is not enough memory for the message now.');
    const sealed = await deliveries.content(number);
    return sealed === null ? null : sealer.open('webhook.content', userId, sealed);
  } finally {
    reservation.close();
  }
}

const MEMORY_WAIT_MS = 5_000;
