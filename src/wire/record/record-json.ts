import { type HeaderList, NO_TIMING } from '../../domain/fetch-result.ts';
import type { StoredRecord } from '../../domain/record.ts';
import {
  type AnswerBody,
  type AnswerHead,
  type AnswerParts,
  answerParts,
  jsonAroundContent,
} from '../answer/answer-json.ts';
import type { ErrorEntry, ScrapeRecord, ScraperData } from '../answer/answer-schema.ts';
import { membersOf, type Written } from '../answer/json-members.ts';
import { responsePieces } from '../answer/reply.ts';
import { type LinkUrlOf, withLinks } from '../answer/signed-links.ts';
import { formatDateTime } from '../date-time.ts';

type StoredRouter = Written<typeof ScrapeRecord>['router'];
/** The members of `router` that only records have. */
type RecordMembers = Pick<
  StoredRouter,
  'created_at' | 'http_status' | 'key_id' | 'user_id' | 'job_id' | 'monitor'
>;

/** What is known of a record besides. */
export interface RecordContext {
  /** Whether to add the owner, as `router.user_id`. */
  readonly withUser: boolean;
  /** The job that it is an item of; null: none; absent: nobody has asked. */
  readonly jobId?: string | null;
  /** The run of a monitor that it belongs to; null: none; absent: nobody has asked. */
  readonly monitor?: { readonly id: string; readonly n: number } | null;
}

/**
 * A stored scrape as JSON, in pieces of at most 256 KiB (byte strings, see reply.ts): the scrape response with more members
 * in `router`. Members that were not retained, or were deleted since, are null or empty.
 * @param content as stored: the text in UTF-8, or the raw bytes; null: none
 */
export function recordPieces(
  record: StoredRecord,
  content: Uint8Array | null,
  urlOf: LinkUrlOf,
  context: RecordContext,
): Generator<string> {
  const encoding = content === null ? null : record.contentEncoding;
  const outerJson = jsonAroundContent(recordParts(record, urlOf, context), encoding);
  return responsePieces(
    outerJson,
    content === null || encoding === null ? null : { encoding, bytes: content },
  );
}

function recordParts(
  record: StoredRecord,
  urlOf: LinkUrlOf,
  { withUser, jobId, monitor }: RecordContext,
): AnswerParts {
  const { id, answerJson, createdAt, httpStatus, keyId, userId } = record;
  const stored = { picture: record.pictures, file: record.files };
  const existingUrlOf: LinkUrlOf = (kind, id, number) =>
    (stored[kind][number] ?? null) === null ? null : urlOf(kind, id, number);
  const parts =
    answerJson === null ? emptyAnswer(record) : answerParts(withLinks(answerJson, id, existingUrlOf));
  const recordMembers: RecordMembers = {
    created_at: formatDateTime(createdAt),
    http_status: httpStatus,
    key_id: keyId,
    user_id: withUser ? userId : undefined,
    job_id: jobId,
    monitor,
  };
  return { ...parts, router: `{${membersOf(parts.router)},${membersOf(JSON.stringify(recordMembers))}}` };
}

/** The same as `recordPieces`, as one buffer. */
export function recordJson(
  record: StoredRecord,
  content: Uint8Array | null,
  urlOf: LinkUrlOf,
  context: RecordContext,
): Buffer {
  return Buffer.from([...recordPieces(record, content, urlOf, context)].join(''), 'latin1');
}

interface RecordFaults {
  /** Those of the page that was delivered. Errors of other attempts are not in it. */
  readonly errors: AnswerBody['errors'];
  readonly warnings: StoredRouter['warnings'];
  /** The request asked for a part of the page. */
  readonly asksForRange: boolean;
}

/** What was wrong with the page of a stored scrape. */
export function recordFaults({ answerJson }: Pick<StoredRecord, 'answerJson'>): RecordFaults {
  if (answerJson === null) return { errors: [], warnings: [], asksForRange: false };
  const { body, router } = answerParts(answerJson);
  const { warnings, request_headers: asked } = JSON.parse(router) as StoredRouter;
  return {
    errors: (JSON.parse(body) as AnswerBody).errors.filter(({ attempt }) => attempt === undefined),
    warnings,
    asksForRange: Object.keys(asked).some((name) => name.toLowerCase() === 'range'),
  };
}

/** `scraper_data` of a stored scrape, with placeholders for links. */
export function recordData({ answerJson }: StoredRecord): Readonly<Record<string, unknown>> {
  if (answerJson === null) return {};
  return (JSON.parse(answerParts(answerJson).body) as AnswerBody).scraper_data;
}

/** `scraper_data` of a stored scrape as JSON text. */
export function recordDataJson(record: StoredRecord, urlOf: LinkUrlOf): string {
  const { scraper_data: data } = JSON.parse(
    recordParts(record, urlOf, { withUser: false }).body,
  ) as AnswerBody;
  return JSON.stringify(data);
}

/** The answer of a record with `retain: none`, for which no answer is stored. */
function emptyAnswer(record: StoredRecord): AnswerParts {
  const head: AnswerHead = { id: record.id, status_code: null, final_url: null, headers: {} };
  const body: AnswerBody = { cookies: [], errors: [], screenshot_url: null, scraper_data: {} };
  const router: Omit<StoredRouter, keyof RecordMembers> = {
    scraper: null,
    request_headers: {},
    request_cost: record.requestCost,
    proxy_type: null,
    direct: null,
    outcome: record.outcome,
    warnings: [],
    timing: { queue: null, pause: null, ...NO_TIMING, total: record.durationMs },
  };
  return { head: JSON.stringify(head), body: JSON.stringify(body), router: JSON.stringify(router) };
}

interface ContentFacts {
  /** The response headers that state the type of the content. */
  readonly headers: HeaderList;
  /** The content coding could not be decoded. */
  readonly undecoded: boolean;
  /** null: not retained, or there was no page. */
  readonly finalUrl: string | null;
  /** Encoding of the page; null: unknown. */
  readonly charset: string | null;
  /** The content is only the beginning of the page. */
  readonly cut: boolean;
}

/** What the stored answer says about its content. */
export function contentFacts({ answerJson }: Pick<StoredRecord, 'answerJson'>): ContentFacts {
  if (answerJson === null)
    return { headers: [], undecoded: false, finalUrl: null, charset: null, cut: false };
  const { head, body } = answerParts(answerJson);
  const { headers, final_url: finalUrl } = JSON.parse(head) as AnswerHead;
  const { errors, scraper_data } = JSON.parse(body) as AnswerBody;
  const { charset } = scraper_data as Written<typeof ScraperData>;
  const names = ['content-type', 'x-content-type-options'].filter((name) => Object.hasOwn(headers, name));
  return {
    headers: names.map((name) => [name, headers[name]!] as const),
    undecoded: errors.some(({ code }) => code === 'content.decode_failed'),
    finalUrl: finalUrl as string | null,
    charset: charset?.name ?? null,
    cut: errors.some(isCutContent),
  };
}

/** Whether the error says that the content was cut. Other truncations have a pointer, to the member that was cut. */
const isCutContent = ({ code, pointer, attempt }: Written<typeof ErrorEntry>): boolean =>
  (code === 'content.truncated' || code === 'content.incomplete') &&
  attempt === undefined &&
  pointer === undefined;

const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'xhtml',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/css': 'css',
  'text/javascript': 'js',
  'application/javascript': 'js',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
};

/**
 * A file name for downloading the content. The target has no influence on it, so that it cannot be `invoice.exe`.
 * @param essence `type/subtype`, lower-case
 */
export function fileName(id: string, essence: string): string {
  let extension = Object.hasOwn(EXTENSIONS, essence) ? EXTENSIONS[essence] : undefined;
  if (extension === undefined && essence.endsWith('+json')) extension = 'json';
  if (extension === undefined && essence.endsWith('+xml')) extension = 'xml';
  if (extension === undefined && essence.startsWith('text/')) extension = 'txt';
  return `scrape-${id}.${extension ?? 'bin'}`;
}
