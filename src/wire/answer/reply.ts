import { FAILURES } from '../../domain/failure.ts';
import type { Content, Scrape } from '../../domain/scrape.ts';
import { base64Json, base64Pieces, byteString, slices, utf8Json, utf8Pieces } from './content-pieces.ts';

/**
 * Where `content` belongs. The first object in the text is `headers`, which is flat, and inside a JSON string every
 * quotation mark is escaped: so this can first stand only at the end of `headers`, whatever a target sends.
 */
const AFTER_HEADERS = '},"content_encoding":';

/**
 * The answer to a scrape as JSON: the response object, and before it the problem's members unless 200. A byte string,
 * as all texts of this file are; see content-pieces.ts.
 */
export function replyBody(scrape: Scrape, answerJson: string, baseUrl: string): string {
  const [before, after] = around(scrape, answerJson, baseUrl);
  return byteString(before) + contentJson(scrape.delivered?.content ?? null) + byteString(after);
}

/** The same in memory of its own: a larger string would be copied twice more on its way out. */
export function replyBytes(scrape: Scrape, answerJson: string, baseUrl: string): Buffer {
  const [before, after] = around(scrape, answerJson, baseUrl);
  const content = contentJson(scrape.delivered?.content ?? null);
  const head = Buffer.byteLength(before);
  const tail = head + content.length;
  const bytes = Buffer.allocUnsafeSlow(tail + Buffer.byteLength(after));
  bytes.write(before, 0);
  bytes.write(content, head, 'latin1');
  bytes.write(after, tail);
  return bytes;
}

/** The same in pieces of at most 256 KiB, for contents that should not be one string. */
export function* replyPieces(scrape: Scrape, answerJson: string, baseUrl: string): Generator<string> {
  const [before, after] = around(scrape, answerJson, baseUrl);
  yield* slices(before);
  const content = scrape.delivered?.content ?? null;
  if (content === null) yield 'null';
  else if (content.encoding === 'base64') yield* base64Pieces(content.bytes);
  else yield* utf8Pieces(content.bytes);
  yield* slices(after);
}

/** The answer cut where `content` has to be put in. */
export function cutForContent(answerJson: string): readonly [before: string, after: string] {
  const end = answerJson.indexOf(AFTER_HEADERS);
  return [`${answerJson.slice(0, end)}},"content":`, answerJson.slice(end + 1)];
}

function around(scrape: Scrape, answerJson: string, baseUrl: string): readonly [string, string] {
  const [before, after] = cutForContent(answerJson);
  return scrape.httpStatus === 200
    ? [before, after]
    : [problemHead(scrape, baseUrl) + before.slice(1), after];
}

/** RFC 9457 §3.1; `errors`, the last member of a problem, is the one of the response object. */
function problemHead(scrape: Scrape, baseUrl: string): string {
  const cause = scrape.errors[0];
  const code = cause?.code ?? 'service.internal';
  const { title, status, retryable } = FAILURES[code];
  const detail = cause?.message ?? title;
  return `{"type":${JSON.stringify(`${baseUrl}/api/v1/errors/#${code}`)},"title":${JSON.stringify(title)},"status":${scrape.httpStatus ?? status ?? 500},"detail":${JSON.stringify(detail)},"code":"${code}","request_id":${JSON.stringify(scrape.requestId)},"retryable":${retryable && !scrape.sentOnce},`;
}

function contentJson(content: Content | null): string {
  if (content === null) return 'null';
  return content.encoding === 'utf-8' ? utf8Json(content.bytes) : base64Json(content.bytes);
}
