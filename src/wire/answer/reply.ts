import { FAILURES, type Failure } from '../../domain/failure.ts';
import { type Candidate, type Content, returnedContent, type Scrape } from '../../domain/scrape.ts';
import {
  answerParts,
  candidateOf,
  errorEntries,
  type JsonAroundContent,
  jsonAroundContent,
  type ProblemMembers,
} from './answer-json.ts';
import type { Problem } from './answer-schema.ts';
import type { Written } from './json-members.ts';

/**
 * A string whose characters (0 to 255) are the bytes of UTF-8 text; it is sent with the encoding `latin1`. Contents are
 * large and already UTF-8: as byte strings they need not be decoded and encoded again. Escaping for JSON works on them
 * too, because the escaped characters (RFC 8259 §7) are single bytes in UTF-8.
 */
type ByteString = string;

/** Gives at most 256 KiB of JSON, because a control character becomes six bytes (`\u001f`). */
const TEXT_PIECE_BYTES = 43_000;
/** A multiple of 3, so that pieces of base64 need no padding between them; gives 64 KiB. */
const BASE64_PIECE_BYTES = 48 * 1024;

/** UTF-8 text as a JSON string with its quotation marks. */
export const utf8Json = (bytes: Uint8Array): ByteString => JSON.stringify(bufferOf(bytes).toString('latin1'));

export function* utf8Pieces(bytes: Uint8Array): Generator<ByteString> {
  yield '"';
  for (let from = 0; from < bytes.length; from += TEXT_PIECE_BYTES)
    yield utf8Json(bytes.subarray(from, from + TEXT_PIECE_BYTES)).slice(1, -1);
  yield '"';
}

/** Bytes in base64 (RFC 4648 §4), as a JSON string with its quotation marks. */
const base64Json = (bytes: Uint8Array): ByteString => `"${bufferOf(bytes).toString('base64')}"`;

export function* base64Pieces(bytes: Uint8Array): Generator<ByteString> {
  yield '"';
  for (let from = 0; from < bytes.length; from += BASE64_PIECE_BYTES)
    yield bufferOf(bytes.subarray(from, from + BASE64_PIECE_BYTES)).toString('base64');
  yield '"';
}

function byteString(text: string): ByteString {
  const isAscii = Buffer.byteLength(text) === text.length;
  return isAscii ? text : Buffer.from(text).toString('latin1');
}

function* textPieces(text: string): Generator<ByteString> {
  const bytes = byteString(text);
  for (let from = 0; from < bytes.length; from += TEXT_PIECE_BYTES)
    yield bytes.slice(from, from + TEXT_PIECE_BYTES);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** A response in pieces of at most 256 KiB. */
export function* responsePieces(
  { before, after }: JsonAroundContent,
  content: Content | null,
): Generator<ByteString> {
  yield* textPieces(before);
  if (content === null) yield 'null';
  else if (content.encoding === 'base64') yield* base64Pieces(content.bytes);
  else yield* utf8Pieces(content.bytes);
  yield* textPieces(after);
}

function contentJson(content: Content | null): ByteString {
  if (content === null) return 'null';
  return content.encoding === 'utf-8' ? utf8Json(content.bytes) : base64Json(content.bytes);
}

/** The body of the answer to a scrape. If the status is not 200, it begins with the members of a problem (RFC 9457). */
export function replyBody(scrape: Scrape, answerJson: string, baseUrl: string): ByteString {
  const { before, after } = aroundContent(scrape, answerJson, baseUrl);
  return byteString(before) + contentJson(returnedContent(scrape)) + byteString(after);
}

/** The same as `replyBody`, as bytes. Better for large contents, because Node would copy the string twice more. */
export function replyBytes(scrape: Scrape, answerJson: string, baseUrl: string): Buffer {
  const { before, after } = aroundContent(scrape, answerJson, baseUrl);
  const content = contentJson(returnedContent(scrape));
  const contentStart = Buffer.byteLength(before);
  const contentEnd = contentStart + content.length;
  const bytes = Buffer.allocUnsafeSlow(contentEnd + Buffer.byteLength(after));
  bytes.write(before, 0);
  bytes.write(content, contentStart, 'latin1');
  bytes.write(after, contentEnd);
  return bytes;
}

/** The same as `replyBody`, in pieces of at most 256 KiB. For contents too large for one string. */
export function replyPieces(scrape: Scrape, answerJson: string, baseUrl: string): Generator<ByteString> {
  return responsePieces(aroundContent(scrape, answerJson, baseUrl), returnedContent(scrape));
}

function aroundContent(scrape: Scrape, answerJson: string, baseUrl: string): JsonAroundContent {
  const problem = scrape.httpStatus === 200 ? null : JSON.stringify(problemOf(scrape, baseUrl));
  return jsonAroundContent(answerParts(answerJson), returnedContent(scrape)?.encoding ?? null, problem);
}

/** The members of a problem (RFC 9457 §3.1), except `errors`, which a scrape response has anyway. */
function problemOf({ errors, httpStatus, requestId, sentOnce }: Scrape, baseUrl: string): ProblemMembers {
  const cause = errors[0];
  const code = cause?.code ?? 'service.internal';
  const { title, status, retryable } = FAILURES[code];
  return {
    type: `${baseUrl}/api/v1/errors/#${code}`,
    title,
    status: httpStatus ?? status ?? 500,
    detail: cause?.message ?? title,
    code,
    request_id: requestId,
    retryable: retryable && !sentOnce,
  };
}

interface ProblemOptions {
  /** Not empty. The first is the cause. */
  readonly errors: readonly Failure[];
  /** Number of all errors, if there are more. */
  readonly errorsTotal?: number | undefined;
  readonly requestId: string;
  readonly baseUrl: string;
  /** The steps that the router considered, if none can do the request (422). */
  readonly candidates?: readonly Candidate[] | undefined;
  /** The request was sent and must not be repeated, whatever the code says. */
  readonly sentOnce?: boolean;
}

/** The problem (RFC 9457) for a request that is refused before a scrape begins. */
export function problemJson({
  errors,
  errorsTotal,
  requestId,
  baseUrl,
  candidates,
  sentOnce = false,
}: ProblemOptions): string {
  const { code, message } = errors[0]!;
  const { title, status, retryable } = FAILURES[code];
  const problem: Written<typeof Problem> = {
    type: `${baseUrl}/api/v1/errors/#${code}`,
    title,
    status: status ?? 500,
    detail: message,
    code,
    request_id: requestId,
    retryable: retryable && !sentOnce,
    errors: errorEntries(errors),
    errors_total: errorsTotal,
    candidates: candidates?.map(candidateOf),
  };
  return JSON.stringify(problem);
}
