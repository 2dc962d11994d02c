import type { MemoryBudget } from '../base/memory-budget.ts';
import { type CompareOptions, isIgnoredSelector } from '../domain/monitors.ts';
import { pictureKey, SCREENSHOT_NUMBER, type StoredRecord } from '../domain/record.ts';
import { isBrowser, type ScraperName } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { BlobStore } from '../ports/store.ts';
import { contentFacts, recordData, recordFaults } from '../wire/record/record-json.ts';
import { readReadingOptions } from '../wire/request/reading-options.ts';
import { endsWithinMarkup, isSignInForm } from './page-signs.ts';

export interface SnapshotDeps {
  readonly pipeline: Pick<Pipeline, 'read'>;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly memory: MemoryBudget;
}

/** Why a page cannot be compared. */
export type NoSnapshot =
  | 'no_content'
  | 'unreadable'
  | 'empty'
  | 'incomplete'
  | 'signed_out'
  | 'no_screenshot'
  | 'no_data';

/** Warnings of pages that show nothing, or nothing yet. */
const EMPTY_PAGES: readonly string[] = ['page.empty', 'page.js_shell'];

/**
 * What a request lacks for a comparison by this format: data and pictures are compared only if the request asks for them.
 * null: it lacks nothing
 */
export function missingOption({ options, browser }: Task, format: CompareOptions['format']): string | null {
  if (format === 'extract' && options.extract === null) return 'scraper_options.extract';
  if (format === 'json' && options.json === null) return 'scraper_options.json';
  return format === 'screenshot' && !browser.screenshot ? 'screenshot' : null;
}

/** The reading has its own limits of time. */
const NEVER = new AbortController().signal;

/** What is compared of a page: its text, its data as JSON text, its picture, or its bytes. */
export async function readSnapshot(
  record: StoredRecord,
  compare: CompareOptions,
  deps: SnapshotDeps,
): Promise<Uint8Array | NoSnapshot> {
  return await snapshotOf(record, await contentOf(record, deps), compare, deps);
}

/**
 * The same, if the page may be a version of what is watched: it is whole and shows something.
 * @param wasOpen the page was got before, so that a sign-in form is news
 */
export async function readVersion(
  record: StoredRecord,
  compare: CompareOptions,
  deps: SnapshotDeps,
  wasOpen: boolean,
): Promise<Uint8Array | NoSnapshot> {
  const { format } = compare;
  const content = await contentOf(record, deps);
  const page = content && { bytes: content, headers: contentFacts(record).headers, url: record.url ?? '' };
  if (page !== null && wasOpen && isSignInForm(page)) return 'signed_out';
  const isText = ['markdown', 'text', 'main_html'].includes(format);
  if (isText && page !== null && endsWithinMarkup(page)) return 'incomplete';
  const showsNothing = recordFaults(record).warnings.some(({ code }) => EMPTY_PAGES.includes(code));
  if (content?.length === 0 || showsNothing) {
    if (isText || format === 'screenshot') return 'empty';
    // Data may be in a page that shows nothing before its scripts run.
    if ((format === 'extract' || format === 'json') && !hasValues(recordData(record)[format])) return 'empty';
  }
  return await snapshotOf(record, content, compare, deps);
}

const contentOf = async ({ id, content, contentInBlob }: StoredRecord, { blobs }: SnapshotDeps) =>
  contentInBlob ? await blobs.get(id) : content;

async function snapshotOf(
  record: StoredRecord,
  content: Uint8Array | null,
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
  if (content === null || record.contentEncoding === null) return 'no_content';
  if (content.length === 0) return 'empty';
  return format === 'bytes' ? content : await readFormat(record, content, compare, deps);
}

/** Whether a JSON value has any value but null, empty texts and empty lists. */
function hasValues(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasValues);
  return value !== undefined && value !== null && value !== '';
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
    const shown =
      format === 'main_html' && !SHOWN_ELEMENT.test(value) ? value.replace(/<[^>]*>/g, '') : value;
    return shown.trim() === '' ? 'empty' : Buffer.from(value);
  } finally {
    reservation.close();
  }
}

/** Elements that show something without text. */
const SHOWN_ELEMENT = /<(?:img|picture|svg|video|audio|canvas|iframe|object|embed|input|math)\b/i;
