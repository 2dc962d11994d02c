import { FAILURES, type Failure } from '../../domain/failure.ts';
import type { Candidate, Content, Scrape } from '../../domain/scrape.ts';
import { candidatesJson, errorsJson } from './answer-json.ts';

/**
 * So many bytes give at most 256 KiB of JSON: the worst becomes 6 characters (`\u001f`).
 *
 * All here are byte strings: text whose characters 0–255 each stand for one byte of UTF-8, to be written as `latin1`.
 * JSON escapes only quotation marks, backslashes and controls (RFC 8259 §7), which are bytes of their own in UTF-8; so
 * UTF-8 is escaped as it is, without decoding it to text of twice the size and encoding it again.
 */
const TEXT_PIECE_BYTES = 43_000;
/** A multiple of 3, so that the pieces of base64 join without padding between; gives 64 KiB. */
const BASE64_PIECE_BYTES = 48 * 1024;

/** A JSON string of UTF-8, with the quotation marks. */
export function utf8Json(bytes: Uint8Array): string {
  return JSON.stringify(bufferOf(bytes).toString('latin1'));
}

/** The same, piece by piece. */
export function* utf8Pieces(bytes: Uint8Array): Generator<string> {
  const buffer = bufferOf(bytes);
  yield '"';
  for (let from = 0; from < buffer.length; from += TEXT_PIECE_BYTES) {
    yield JSON.stringify(
      buffer.toString('latin1', from, Math.min(from + TEXT_PIECE_BYTES, buffer.length)),
    ).slice(1, -1);
  }
  yield '"';
}

/** A JSON string of the bytes in base64 (RFC 4648 §4). */
function base64Json(bytes: Uint8Array): string {
  return `"${bufferOf(bytes).toString('base64')}"`;
}

/** The same, piece by piece. */
export function* base64Pieces(bytes: Uint8Array): Generator<string> {
  const buffer = bufferOf(bytes);
  yield '"';
  for (let from = 0; from < buffer.length; from += BASE64_PIECE_BYTES) {
    yield buffer.toString('base64', from, Math.min(from + BASE64_PIECE_BYTES, buffer.length));
  }
  yield '"';
}

/** Text as a byte string. */
function utf8ByteString(text: string): string {
  // As many bytes as characters: it is ASCII.
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** Long text as byte strings. */
export function* byteStringPieces(text: string): Generator<string> {
  const bytes = utf8ByteString(text);
  for (let from = 0; from < bytes.length; from += TEXT_PIECE_BYTES)
    yield bytes.slice(from, from + TEXT_PIECE_BYTES);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Where `content` belongs. The first object in the text is `headers`, which is flat, and inside a JSON string every
 * quotation mark is escaped: so this can first stand only at the end of `headers`, whatever a target sends.
 */
const AFTER_HEADERS = '},"content_encoding":';

/**
 * The answer to a scrape as JSON: the response object, and before it the problem's members unless 200. A byte string:
 * each character is one byte of UTF-8.
 */
export function replyBody(scrape: Scrape, answerJson: string, baseUrl: string): string {
  const [before, after] = beforeAndAfterContent(scrape, answerJson, baseUrl);
  return utf8ByteString(before) + contentJson(scrape.delivered?.content ?? null) + utf8ByteString(after);
}

/** The same in memory of its own: a larger string would be copied twice more on its way out. */
export function replyBytes(scrape: Scrape, answerJson: string, baseUrl: string): Buffer {
  const [before, after] = beforeAndAfterContent(scrape, answerJson, baseUrl);
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
  const [before, after] = beforeAndAfterContent(scrape, answerJson, baseUrl);
  yield* byteStringPieces(before);
  const content = scrape.delivered?.content ?? null;
  if (content === null) yield 'null';
  else if (content.encoding === 'base64') yield* base64Pieces(content.bytes);
  else yield* utf8Pieces(content.bytes);
  yield* byteStringPieces(after);
}

/** The answer cut where `content` has to be put in. */
export function splitAtContent(answerJson: string): readonly [before: string, after: string] {
  const end = answerJson.indexOf(AFTER_HEADERS);
  return [`${answerJson.slice(0, end)}},"content":`, answerJson.slice(end + 1)];
}

function beforeAndAfterContent(
  scrape: Scrape,
  answerJson: string,
  baseUrl: string,
): readonly [string, string] {
  const [before, after] = splitAtContent(answerJson);
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

interface ProblemOptions {
  /** Not empty; the first is the cause. */
  readonly errors: readonly Failure[];
  readonly requestId: string;
  readonly baseUrl: string;
  /** What was thought of, when nothing can do the request (422). */
  readonly candidates?: readonly Candidate[] | undefined;
}

/** A problem (RFC 9457) for what is refused before there is a scrape, as JSON text. */
export function problemJson({ errors, requestId, baseUrl, candidates }: ProblemOptions): string {
  const { code, message } = errors[0]!;
  const { title, status, retryable } = FAILURES[code];
  const listed = candidates === undefined ? '' : `,"candidates":${candidatesJson(candidates)}`;
  return `{"type":${JSON.stringify(`${baseUrl}/api/v1/errors/#${code}`)},"title":${JSON.stringify(title)},"status":${status ?? 500},"detail":${JSON.stringify(message)},"code":"${code}","request_id":${JSON.stringify(requestId)},"retryable":${retryable},"errors":${errorsJson(errors, false)}${listed}}`;
}
