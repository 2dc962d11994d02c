import type { MemoryBudget } from '../base/memory-budget.ts';
import { type CompareOptions, isIgnoredSelector } from '../domain/monitors.ts';
import { pictureKey, SCREENSHOT_NUMBER, type StoredRecord } from '../domain/record.ts';
import { isBrowser, type ScraperName } from '../domain/scrapers.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { BlobStore } from '../ports/store.ts';
import { contentFacts, recordData } from '../wire/record/record-json.ts';
import { readReadingOptions } from '../wire/request/reading-options.ts';

export interface SnapshotDeps {
  readonly pipeline: Pick<Pipeline, 'read'>;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly memory: MemoryBudget;
}

/** Why a page cannot be compared. */
export type NoSnapshot = 'no_content' | 'unreadable' | 'empty' | 'no_screenshot' | 'no_data';

/** The reading has its own limits of time. */
const NEVER = new AbortController().signal;

/** What is compared of a page: its text, its data as JSON text, its picture, or its bytes. */
export async function readSnapshot(
  record: StoredRecord,
  compare: CompareOptions,
  deps: SnapshotDeps,
): Promise<Uint8Array | NoSnapshot> {
  const { format } = compare;
  if (format === 'screenshot')
    return (await deps.blobs.get(pictureKey(record.id, SCREENSHOT_NUMBER))) ?? 'no_screenshot';
  if (format === 'extract' || format === 'json') {
    const value = recordData(record)[format];
    return value === undefined ? 'no_data' : Buffer.from(JSON.stringify(value));
  }
  const bytes = record.contentInBlob ? await deps.blobs.get(record.id) : record.content;
  if (bytes === null || record.contentEncoding === null) return 'no_content';
  if (format === 'bytes') return bytes;
  return await readFormat(record, bytes, compare, deps);
}

async function readFormat(
  record: StoredRecord,
  bytes: Uint8Array,
  { format, selector, ignore }: CompareOptions,
  { pipeline, memory }: SnapshotDeps,
): Promise<Uint8Array | NoSnapshot> {
  const excluded = ignore.filter(isIgnoredSelector);
  const members = {
    formats: [format],
    only_main_content: true,
    main_content: { include: selector === null ? [] : [selector], exclude: excluded },
  };
  const options = readReadingOptions(format === 'structured' ? { formats: [format] } : members, []);
  const { finalUrl, ...facts } = contentFacts(record);
  const reservation = memory.open();
  try {
    const page = {
      bytes,
      encoding: record.contentEncoding!,
      ...facts,
      url: finalUrl ?? record.url ?? '',
      scripting: isBrowser(record.scraper as ScraperName),
    };
    const reading = await pipeline.read(page, options, NEVER, reservation);
    if (reading === 'out of memory' || reading === null) return 'unreadable';
    const json = reading.data.find(([name]) => name === format)?.[1];
    if (json === undefined) return 'unreadable';
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'string') return Buffer.from(json);
    return value.trim() === '' ? 'empty' : Buffer.from(value);
  } finally {
    reservation.close();
  }
}
