import type { FastifyReply } from 'fastify';
import type { Zip, ZipDeflate } from 'fflate';
import type { FileFormat } from '../../domain/exports.ts';
import { type ItemRow, type ItemState, type JobRow, OPEN_STATES } from '../../domain/jobs.ts';
import { isObject } from '../../domain/json-schema.ts';
import { StorageError } from '../../ports/store.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { countsJson, itemJson } from '../../wire/jobs/job-json.ts';
import { pagePath, type TakenPaths } from '../../wire/jobs/page-path.ts';
import type { ResultPart } from '../../wire/jobs/results-query.ts';
import { recordDataJson } from '../../wire/record/record-json.ts';
import { csvLine } from '../../wire/record/record-list.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { sendStream } from '../core/streaming.ts';
import { type ResultDeps, resultLine } from './job-results.ts';

type StreamDeps = ResultDeps & Pick<EndpointDeps, 'jobEngine'>;

const PAGE_ITEMS = 200;
/** Lines are sent together up to this length. */
const PIECE_CHARS = 65_536;
/** An end that another process has stored is noticed after this time. */
const POLL_MS = 1_000;
/** Proxies close connections on which nothing is sent. */
const HEARTBEAT_MS = 15_000;

export const hasEnded = ({ state }: Pick<JobRow, 'state'>): boolean =>
  !OPEN_STATES.some((open) => open === state);

/** Aborts when the response is closed. */
export function closeSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  raw.once('close', () => closed.abort());
  return closed.signal;
}

export function sendPieces(
  { logger }: Pick<EndpointDeps, 'logger'>,
  reply: FastifyReply,
  type: string,
  pieces: AsyncGenerator<string | Uint8Array>,
): Promise<FastifyReply> {
  reply.headers({ 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  return sendStream(reply, pieces, (error) => {
    if (!(error instanceof StorageError)) logger.error({ err: error }, 'internal error');
  });
}

interface ItemPageOptions {
  /** `n` of the last item that the caller has. */
  readonly after: number;
  /** Goes on until the job has ended; an empty page after each wait. */
  readonly follow: boolean;
  /** Only items in this folder or below it; absent: all. */
  readonly folder?: string;
  /** Only items of these states; null: all. */
  readonly states: readonly ItemState[] | null;
  /** Aborts when the caller has disconnected. */
  readonly signal: AbortSignal;
}

/** Pages of ended items, in the order of their ends. */
async function* itemPages(
  deps: StreamDeps,
  id: string,
  options: ItemPageOptions,
): AsyncGenerator<{ readonly job: JobRow; readonly items: readonly ItemRow[] }> {
  let { after } = options;
  while (!options.signal.aborted) {
    // Read before its items: if it has ended now, they are complete.
    const job = await deps.store.jobs.get(id, null);
    if (job === null) return;
    const items = await deps.store.jobs.results(id, after, PAGE_ITEMS, options);
    after = items.at(-1)?.n ?? after;
    yield { job, items };
    if (items.length === PAGE_ITEMS) continue;
    if (!options.follow || hasEnded(job)) return;
    await deps.jobEngine.change(id, POLL_MS, options.signal);
  }
}

/** All results as lines of JSON. */
export async function* resultStream(
  deps: StreamDeps,
  id: string,
  include: ResultPart,
  options: ItemPageOptions,
): AsyncGenerator<string> {
  for await (const { job, items } of itemPages(deps, id, options)) {
    let piece = '';
    for (const item of items) {
      piece += `${await resultLine(deps, job, item, include)}\n`;
      if (piece.length < PIECE_CHARS) continue;
      yield piece;
      piece = '';
    }
    // Also an empty piece: after each piece, the stream checks whether the caller is still connected.
    yield piece;
  }
}

/** Events as Server-Sent Events (HTML Living Standard §9.2), until the job has ended. */
export async function* eventStream(
  deps: StreamDeps,
  id: string,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { store, jobEngine, clock } = deps;
  let { after } = options;
  let sentAt = clock.monotonic();
  let hadEnded = false;
  yield 'retry: 2000\n\n';
  while (!options.signal.aborted) {
    const events = await store.jobs.events(id, after, PAGE_ITEMS);
    // All events of a job that had ended before they were read.
    if (events.length === 0 && hadEnded) return;
    // Read after its events, so that its counts include them.
    const job = await store.jobs.get(id, null);
    if (job === null) return;
    hadEnded = hasEnded(job);
    for (const { sequence, type, at, item: number } of events) {
      const [item] = number === null ? [] : await store.jobs.items(id, null, number - 1, 1);
      const itemText = item === undefined ? 'null' : itemJson(item, JSON.stringify(item.scrapeId), 'null');
      const { state } = job;
      const head = JSON.stringify({
        type,
        sequence,
        at: formatDateTime(at),
        state,
        counts: countsJson(job.counts),
      });
      yield `id: ${sequence}\nevent: ${type}\ndata: ${head.slice(0, -1)},"item":${itemText}}\n\n`;
      after = sequence;
      sentAt = clock.monotonic();
    }
    if (events.length > 0 || hadEnded) continue;
    await jobEngine.change(id, POLL_MS, options.signal);
    const isSilent = clock.monotonic() - sentAt > HEARTBEAT_MS;
    if (isSilent) sentAt = clock.monotonic();
    yield isSilent ? ':\n\n' : '';
  }
}

const CSV_COLUMNS = [
  'n',
  'ref',
  'url',
  'depth',
  'parent',
  'state',
  'tries',
  'outcome',
  'error_code',
  'error',
  'scrape',
  'status_code',
  'title',
  'bytes',
] as const;

/** Members of `scraper_data` that are the caller's own data: each field of theirs is a column. */
const DATA_MEMBERS = ['extract', 'json'] as const;
/** Further fields are left out. */
const MAX_DATA_COLUMNS = 1_000;

/**
 * The items as rows of a table, first the names of the columns. They are read twice, because the columns of their data must be known
 * before the first row. null: a moment to look whether the caller is still connected.
 */
async function* tableRows(
  deps: StreamDeps,
  id: string,
  options: ItemPageOptions,
): AsyncGenerator<readonly unknown[] | null> {
  const pages = () => itemPages(deps, id, options);
  const columns = new Set<string>();
  for await (const { items } of pages()) {
    for (const item of items)
      for (const name of (await dataCells(deps, item)).keys())
        if (columns.size < MAX_DATA_COLUMNS) columns.add(name);
    yield null;
  }
  const names = [...columns];
  yield [...CSV_COLUMNS, ...names];
  for await (const { items } of pages()) {
    for (const item of items) {
      const cells = names.length === 0 ? null : await dataCells(deps, item);
      yield [...csvValues(item), ...names.map((name) => cells?.get(name))];
    }
    yield null;
  }
}

async function* csvExport(deps: StreamDeps, id: string, options: ItemPageOptions): AsyncGenerator<string> {
  let lines = '';
  for await (const row of tableRows(deps, id, options)) {
    if (row !== null) lines += csvLine(row);
    if (row !== null && lines.length < PIECE_CHARS) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

async function* xlsxExport(
  deps: StreamDeps,
  id: string,
  options: ItemPageOptions,
): AsyncGenerator<Uint8Array> {
  const { xlsxFile } = await import('./xlsx-file.ts');
  async function* rows() {
    for await (const row of tableRows(deps, id, options)) if (row !== null) yield row;
  }
  yield* xlsxFile('Results', rows());
}

/** The results of a job as a file. */
export function exportFile(
  deps: StreamDeps,
  id: string,
  format: FileFormat,
  signal: AbortSignal,
  states: ItemPageOptions['states'] = null,
): AsyncGenerator<string | Uint8Array> {
  const options = { after: 0, follow: false, states, signal };
  if (format === 'csv') return csvExport(deps, id, options);
  if (format === 'xlsx') return xlsxExport(deps, id, options);
  return resultStream(deps, id, 'formats', options);
}

/** The data of an item by column, such as `extract.price`: plain values as they are, others as JSON. */
async function dataCells(
  { store, linkUrl }: ResultDeps,
  { scrapeId }: ItemRow,
): Promise<ReadonlyMap<string, unknown>> {
  const cells = new Map<string, unknown>();
  const record = scrapeId === null ? null : await store.records.get(scrapeId, null);
  if (record === null) return cells;
  const data = JSON.parse(recordDataJson(record, linkUrl)) as Readonly<Record<string, unknown>>;
  for (const member of DATA_MEMBERS) {
    const value = data[member];
    if (isObject(value))
      for (const [name, field] of Object.entries(value)) cells.set(`${member}.${name}`, field);
    else if (value !== undefined) cells.set(member, value);
  }
  return cells;
}

const csvValues = ({ error, scrapeId, ...item }: ItemRow): readonly unknown[] => {
  const values = {
    ...item,
    error_code: error?.code ?? null,
    error: error?.message ?? null,
    scrape: scrapeId,
    status_code: item.statusCode,
  };
  return CSV_COLUMNS.map((name) => values[name]);
};

/** A zip archive: the Markdown of the pages as files in the folders of their URLs, and an index as lines of JSON. */
export async function* zipExport(
  deps: StreamDeps,
  id: string,
  options: ItemPageOptions,
): AsyncGenerator<Uint8Array> {
  const { Zip, ZipDeflate } = await import('fflate');
  let chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  const taken: TakenPaths = new Map();
  const index: string[] = [];
  const takeChunks = (): Uint8Array => {
    const joined = Buffer.concat(chunks);
    chunks = [];
    return joined;
  };
  for await (const { items } of itemPages(deps, id, options)) {
    for (const item of items) {
      const markdown = await markdownOf(deps, item);
      const path = markdown === null ? null : pagePath(item.url, taken);
      if (path !== null) addFile(zip, new ZipDeflate(path, LEVEL), markdown!);
      const line = itemJson(item, JSON.stringify(item.scrapeId), 'null');
      index.push(`${line.slice(0, -1)},"file":${JSON.stringify(path)}}\n`);
      yield takeChunks();
    }
  }
  addFile(zip, new ZipDeflate('index.jsonl', LEVEL), index.join(''));
  zip.end();
  yield takeChunks();
}

const LEVEL = { level: 6 } as const;

function addFile(zip: Zip, file: ZipDeflate, text: string): void {
  zip.add(file);
  file.push(Buffer.from(text), true);
}

/** The Markdown that was stored with the scrape; null: its request did not ask for it. */
async function markdownOf({ store, linkUrl }: ResultDeps, { scrapeId }: ItemRow): Promise<string | null> {
  const record = scrapeId === null ? null : await store.records.get(scrapeId, null);
  if (record === null) return null;
  const { markdown } = JSON.parse(recordDataJson(record, linkUrl)) as { readonly markdown?: unknown };
  return typeof markdown === 'string' ? markdown : null;
}
