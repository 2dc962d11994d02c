import { NO_TIMING } from '../../domain/fetched.ts';
import type { StoredRecord } from '../../domain/record.ts';
import { base64Pieces, slices, utf8Pieces } from '../answer/content-pieces.ts';
import { type PictureUrl, withPictureUrls } from '../answer/picture-marks.ts';
import { cutForContent } from '../answer/reply.ts';
import { timeText } from './time-text.ts';

const ENCODING = /^,"content_encoding":(?:"[^"]*"|null)/;
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
  urlOf: PictureUrl,
  withUser: boolean,
): Generator<string> {
  const answer = withPictureUrls(record.answerJson ?? bareAnswer(record), record.id, (id, number) =>
    (record.pictures[number] ?? null) === null ? null : urlOf(id, number),
  );
  const [before, after] = cutForContent(answer);
  yield* slices(before);
  if (content === null || record.contentEncoding === null) yield 'null';
  else if (record.contentEncoding === 'base64') yield* base64Pieces(content);
  else yield* utf8Pieces(content);
  // `router` is the last member, and an object that is never empty.
  const open = (content === null ? after.replace(ENCODING, NO_ENCODING) : after).slice(0, -2);
  const user = withUser ? `,"user_id":"${record.userId}"` : '';
  yield* slices(
    `${open},"created_at":"${timeText(record.createdAt)}","http_status":${record.httpStatus},"key_id":${JSON.stringify(record.keyId)}${user}}}`,
  );
}

export function recordJson(
  record: StoredRecord,
  content: Uint8Array | null,
  urlOf: PictureUrl,
  withUser: boolean,
): Buffer {
  return Buffer.from([...recordPieces(record, content, urlOf, withUser)].join(''), 'latin1');
}

/** Of `retain: none`: every member is there, hardly any has a value. */
function bareAnswer(record: StoredRecord): string {
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
