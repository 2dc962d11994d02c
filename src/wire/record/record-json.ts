import { type HeaderList, NO_TIMING } from '../../domain/fetch-result.ts';
import type { StoredRecord } from '../../domain/record.ts';
import { type PictureUrlOf, withPictureUrls } from '../answer/picture-links.ts';
import { base64Pieces, byteStringPieces, splitAtContent, utf8Pieces } from '../answer/reply.ts';
import { formatDateTime } from '../date-time.ts';

const ENCODING_MEMBER = /^,"content_encoding":(?:"[^"]*"|null)/;
const NO_ENCODING = ',"content_encoding":null';

/**
 * A stored scrape as JSON in pieces (byte strings) of at most 256 KiB: the scrape response object, always with every member, plus
 * `router.created_at`, `router.http_status` and `router.key_id`. What was not kept is null or empty, also a content that was given up.
 * @param content as stored: UTF-8 of the text, or the raw bytes; null: none
 * @param withUser tells whose it is, as `router.user_id`
 */
export function* recordPieces(
  record: StoredRecord,
  content: Uint8Array | null,
  urlOf: PictureUrlOf,
  withUser: boolean,
): Generator<string> {
  const answer = withPictureUrls(record.answerJson ?? emptyAnswer(record), record.id, (id, number) =>
    (record.pictures[number] ?? null) === null ? null : urlOf(id, number),
  );
  const [before, after] = splitAtContent(answer);
  yield* byteStringPieces(before);
  if (content === null || record.contentEncoding === null) yield 'null';
  else if (record.contentEncoding === 'base64') yield* base64Pieces(content);
  else yield* utf8Pieces(content);
  // `router` is the last member, and an object that is never empty.
  const open = (content === null ? after.replace(ENCODING_MEMBER, NO_ENCODING) : after).slice(0, -2);
  const user = withUser ? `,"user_id":"${record.userId}"` : '';
  yield* byteStringPieces(
    `${open},"created_at":"${formatDateTime(record.createdAt)}","http_status":${record.httpStatus},"key_id":${JSON.stringify(record.keyId)}${user}}}`,
  );
}

export function recordJson(
  record: StoredRecord,
  content: Uint8Array | null,
  urlOf: PictureUrlOf,
  withUser: boolean,
): Buffer {
  return Buffer.from([...recordPieces(record, content, urlOf, withUser)].join(''), 'latin1');
}

/** Of `retain: none`: every member is there, hardly any has a value. */
function emptyAnswer(record: StoredRecord): string {
  return JSON.stringify({
    id: record.id,
    status_code: null,
    final_url: null,
    headers: {},
    content_encoding: null,
    cookies: [],
    errors: [],
    screenshot_url: null,
    scraper_data: {},
    router: {
      scraper: null,
      request_headers: {},
      request_cost: record.requestCost,
      proxy_type: null,
      outcome: record.outcome,
      warnings: [],
      timing: { queue: null, pause: null, ...NO_TIMING, total: record.durationMs },
    },
  });
}

/** What the answer that is kept tells about its content. */
export function contentFacts(record: StoredRecord): { headers: HeaderList; undecoded: boolean } {
  const { headers, errors } = JSON.parse(record.answerJson ?? '{"headers":{},"errors":[]}') as {
    headers: Record<string, string>;
    errors: { code: string; attempt?: number }[];
  };
  const told = ['content-type', 'x-content-type-options'].filter((name) => Object.hasOwn(headers, name));
  return {
    headers: told.map((name) => [name, headers[name]!] as const),
    undecoded: errors.some(({ code }) => code === 'content.decode_failed'),
  };
}

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
 * A name for a downloaded content: nothing of it comes from the target, whose `.exe` a click would start.
 * @param essence `type/subtype`, lower-case
 */
export function fileName(id: string, essence: string): string {
  let ending = Object.hasOwn(EXTENSIONS, essence) ? EXTENSIONS[essence] : undefined;
  if (ending === undefined && essence.endsWith('+json')) ending = 'json';
  if (ending === undefined && essence.endsWith('+xml')) ending = 'xml';
  if (ending === undefined && essence.startsWith('text/')) ending = 'txt';
  return `scrape-${id}.${ending ?? 'bin'}`;
}
