import type { MemoryBudget } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { Principal } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import { blobKeys, type NewRecord, type StoredRecord } from '../domain/record.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../domain/scraper-options.ts';
import { isBrowser, type ScraperName } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { BlobStore, RecordStore } from '../ports/store.ts';
import { contentFacts } from '../wire/record/record-json.ts';
import { rereadRecord } from '../wire/record/reread-record.ts';

export interface ReadAgainDeps {
  readonly pipeline: Pick<Pipeline, 'read'>;
  readonly records: Pick<RecordStore, 'get' | 'request'>;
  readonly blobs: Pick<BlobStore, 'get' | 'put'>;
  readonly memory: MemoryBudget;
  readonly clock: Clock;
}

/** A page that was read again. */
export interface PageReadAgain {
  readonly record: NewRecord;
  /** Why the model gave no answer again; null: it has. */
  readonly failure: Failure | null;
  /** Of the model, micro-units. */
  readonly cost: number;
}

/** How long to wait for memory: nobody waits for the answer. */
const MEMORY_WAIT_MS = 60_000;
const POINTER = '/scraper_options';
const NO_MEMORY = failure('extract.model', 'There was not enough memory to read the page again.', {
  pointer: `${POINTER}/json`,
});

/**
 * Reads the data of the format `json` again from a stored page, without fetching.
 * @returns null: the content is not stored any more; `aborted`: by the signal; a failure: the page was not read
 */
export async function readAgain(
  deps: ReadAgainDeps,
  id: string,
  {
    task,
    principal,
    signal,
  }: { readonly task: Task; readonly principal: Principal; readonly signal: AbortSignal },
): Promise<PageReadAgain | Failure | 'aborted' | null> {
  const { pipeline, records, clock } = deps;
  const record = await records.get(id, principal.userId);
  if (record === null || record.contentEncoding === null || record.answerJson === null) return null;
  const began = clock.monotonic();
  const reservation = deps.memory.open();
  try {
    const bytes = record.contentInBlob ? await deps.blobs.get(id) : record.content;
    if (bytes === null) return null;
    const { finalUrl, ...facts } = contentFacts(record);
    const page = {
      bytes,
      encoding: record.contentEncoding,
      ...facts,
      url: finalUrl ?? record.url ?? '',
      scripting: isBrowser(record.scraper as ScraperName) && task.options.javascript,
    };
    const { json, onlyMainContent, mainContent } = task.options;
    const options = { ...DEFAULT_SCRAPER_OPTIONS, json, onlyMainContent, mainContent };
    const reading = await pipeline.read(page, options, signal, reservation, MEMORY_WAIT_MS);
    if (reading === null) return 'aborted';
    if (reading === 'out of memory') return NO_MEMORY;
    const inRequest = <T extends { readonly pointer?: string }>(told: T): T =>
      told.pointer === undefined ? told : { ...told, pointer: `${POINTER}${told.pointer}` };
    const failures = reading.failures.map(inRequest);
    const now = clock.now();
    const reread = rereadRecord(record, await records.request(id, principal.userId), {
      ...reading,
      failures,
      // That the content was cut stands in the record.
      warnings: reading.warnings.filter(({ code }) => code !== 'content.truncated').map(inRequest),
      id: uuid7(now),
      createdAt: now,
      durationMs: clock.monotonic() - began,
      keyId: principal.keyId,
    });
    await copyBlobs(record, reread.id, bytes, deps);
    const unread = failures.find(({ code }) => code === 'extract.model') ?? null;
    return { record: reread, failure: unread, cost: reading.model?.cost ?? 0 };
  } finally {
    reservation.close();
  }
}

/** Content, pictures and files of a record, for one with another id. A part that was deleted meanwhile has no link. */
async function copyBlobs(
  record: StoredRecord,
  id: string,
  content: Uint8Array,
  { blobs }: Pick<ReadAgainDeps, 'blobs'>,
): Promise<void> {
  for (const key of blobKeys(record)) {
    const bytes = key === record.id ? content : await blobs.get(key);
    if (bytes !== null) await blobs.put(`${id}${key.slice(record.id.length)}`, bytes);
  }
}
