import { FAILURES } from '../../domain/failure.ts';
import type { Content, Scrape } from '../../domain/scrape.ts';
import { base64Pieces, slices, utf8Pieces } from './content-pieces.ts';

/**
 * Where `content` belongs. The first object in the text is `headers`, which is flat, and inside a JSON string every
 * quotation mark is escaped: so this can first stand only at the end of `headers`, whatever a target sends.
 */
const AFTER_HEADERS = '},"content_encoding":';

/** The answer to a scrape as one JSON text: the response object, and before it the problem's members unless 200. */
export function replyBody(scrape: Scrape, answerJson: string, baseUrl: string): string {
  const [before, after] = around(scrape, answerJson, baseUrl);
  return before + contentJson(scrape.delivered?.content ?? null) + after;
}

/** The same as bytes in memory of their own: of a larger text, a string would be copied twice more on its way out. */
export function replyBytes(scrape: Scrape, answerJson: string, baseUrl: string): Buffer {
  const [before, after] = around(scrape, answerJson, baseUrl);
  const parts = [before, contentJson(scrape.delivered?.content ?? null), after];
  let length = 0;
  for (const part of parts) length += Buffer.byteLength(part);
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) at += bytes.write(part, at);
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
  if (content.text !== null) return JSON.stringify(content.text);
  const { bytes, encoding } = content;
  if (encoding === 'utf-8') return [...utf8Pieces(bytes)].join('');
  return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}"`;
}
