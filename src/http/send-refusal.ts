import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURES, failure } from '../domain/failure.ts';
import { StorageError } from '../ports/store.ts';
import { problemJson } from '../wire/answer/reply.ts';
import { tooLargeRefusal } from './json-body.ts';
import { Refusal } from './refusal.ts';

const LINGER_MS = 1_000;

/**
 * Ends a connection slowly (RFC 9112 §9.6): our side closes, and what still comes is thrown away for a second. Closed at
 * once, with unread bytes, the caller would get a reset that can wipe out the answer; left to the caller, it might never
 * end.
 * @param last what is still to be written
 */
function lingeringClose(socket: Socket, last = ''): void {
  socket.end(last);
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(late));
}

/** Makes an answer that says `Connection: close` end its connection slowly. */
function closeWithLinger(socket: Socket): void {
  // What Node calls after such an answer.
  socket.destroySoon = () => lingeringClose(socket);
}

/** A body up to this length that is not wanted is thrown away, and the connection kept. */
const MAX_DISCARDED_BODY = 65_536;

/** Seconds, for what passes by itself. */
const RETRY_AFTER_S = '5';

/** Turns a refusal into problem+json with the headers that belong to its code. */
export function sendRefusal(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): FastifyReply {
  const { errors, candidates, headers } = refusal;
  const status = FAILURES[refusal.code].status ?? 500;
  reply.headers(headers);
  if (status === 401) reply.header('www-authenticate', 'Api-Key');
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_S);
  if (hasUnreadBody(request.raw)) {
    reply.header('connection', 'close');
    closeWithLinger(request.raw.socket);
  }
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .send(problemJson({ errors, candidates, requestId: request.id, baseUrl }));
}

/** Whether more of the body is still to come than is worth reading to keep the connection. */
function hasUnreadBody(raw: IncomingMessage): boolean {
  if (raw.complete) return false;
  const { headers } = raw;
  if (headers.expect !== undefined || headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BODY;
}

/** What Fastify itself refuses, in our words; null: it is a bug of ours. @param limit of the body, bytes */
export function refusalFromError(error: unknown, limit: number): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof StorageError)
    return new Refusal([failure('service.storage', 'Stored data cannot be read or changed at the moment.')]);
  switch ((error as Partial<FastifyError>).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLargeRefusal(limit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal([
        failure('request.media_type', 'The body must be sent with Content-Type: application/json.'),
      ]);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal([
        failure('request.invalid_json', 'The body is shorter or longer than its Content-Length.'),
      ]);
    case 'ECONNRESET':
      // Node's word for a caller that hung up in the middle of its body; nobody reads the answer.
      return new Refusal([
        failure('request.invalid_json', 'The connection ended before the whole body was received.'),
      ]);
    case 'FST_ERR_BAD_URL':
      return new Refusal([failure('request.not_found', 'The path cannot be decoded.')]);
    case 'FST_ERR_MAX_PARAM_LENGTH':
      // Longer than any id or host name.
      return new Refusal([failure('request.not_found', 'There is nothing at this path.')]);
    default:
      return null;
  }
}

/** A request head must have arrived by then, and the whole request by then (408). */
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;

/** The answer begun last on each connection. */
const lastReplies = new WeakMap<Socket, FastifyReply>();

/** To be called for every request, so that a refusal below never runs into an answer, and tells what it would have told. */
export function rememberReply(reply: FastifyReply): void {
  lastReplies.set(reply.request.raw.socket, reply);
}

/** What is not even an HTTP request, or came too slowly: answered on the bare socket, which then ends. */
export function refuseOnSocket(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  baseUrl: string,
): void {
  const last = lastReplies.get(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || !canAnswer(socket, last)) {
    socket.destroy();
    return;
  }
  const begun = last === undefined || last.request.raw.complete ? null : last;
  const id = begun?.request.id ?? requestId;
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const cause = slow
    ? failure(
        'request.slow',
        `The request was too slow: send its headers within ${HEADERS_TIMEOUT_MS / 1000} s and all of it within ${REQUEST_TIMEOUT_MS / 1000} s.`,
      )
    : failure('request.validation', clientErrorMessage(error.code));
  const body = problemJson({ errors: [cause], requestId: id, baseUrl });
  const line = slow ? '408 Request Timeout' : '400 Bad Request';
  lingeringClose(
    socket,
    `HTTP/1.1 ${line}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n${begun === null ? '' : inheritedHeaders(begun)}\r\n${body}`,
  );
}

/**
 * Whether an answer on the bare socket would be read as the answer to what is wrong: not while an earlier request waits
 * for its own, nor in the middle of one.
 */
function canAnswer(socket: Socket, last: FastifyReply | undefined): boolean {
  if (last === undefined) return true;
  const { request, raw } = last;
  // The last request came whole: what is wrong is behind it.
  if (request.raw.complete) return raw.writableFinished;
  return raw.socket === socket && !raw.headersSent;
}

/** What stands in every answer to a request whose head was let in: the limits of its caller, and CORS. */
function inheritedHeaders(reply: FastifyReply): string {
  return Object.entries(reply.getHeaders())
    .filter(([name]) => /^(?:ratelimit|access-control-|vary$)/.test(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function clientErrorMessage(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request headers are too large: at most 16 KiB are allowed.';
  return 'This is not a well-formed HTTP request.';
}
