import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURES, failure } from '../../domain/failure.ts';
import { CoordinationError } from '../../ports/coordination.ts';
import { StorageError } from '../../ports/store.ts';
import { problemJson } from '../../wire/answer/reply.ts';
import { tooLargeRefusal } from './json-body.ts';
import { Refusal } from './refusal.ts';

/** How long unread input is discarded after the response, before the connection is closed. A busy caller needs seconds. */
const LINGER_MS = 3_000;

/**
 * Closes a connection in stages (RFC 9112 §9.6): sends FIN, and destroys the socket after `LINGER_MS`. If a socket with unread
 * input were closed at once, a reset could destroy the response before the caller reads it.
 * @param lastBytes written before the FIN
 */
export function lingeringClose(socket: Socket, lastBytes = ''): void {
  socket.end(lastBytes);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Lets a response with `Connection: close` end its connection by `lingeringClose`. */
export function closeWithLinger(socket: Socket): void {
  // Node calls `destroySoon` after such a response.
  socket.destroySoon = () => lingeringClose(socket);
}

/** After a refusal, a body up to this length is read and discarded, so that the connection can be used again. */
const MAX_DISCARDED_BODY = 65_536;

/** `Retry-After` in seconds, for temporary problems of unknown duration. */
export const RETRY_AFTER_S = '5';

/** Sends a refusal as problem+json with the headers for its status. */
export function sendRefusal(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): FastifyReply {
  const { errors, errorsTotal, candidates, headers } = refusal;
  const status = FAILURES[refusal.code].status ?? 500;
  reply.headers(headers);
  if (status === 401) reply.header('www-authenticate', 'Api-Key');
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_S);
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .send(problemJson({ errors, errorsTotal, candidates, requestId: request.id, baseUrl }));
}

/**
 * To be called before every response: if a long body was not read, the connection is closed after the response, in stages. Fastify
 * itself closes it at once when a body is too long.
 */
export function closeIfUnread(request: FastifyRequest, reply: FastifyReply): void {
  if (!hasUnreadBody(request.raw)) return;
  reply.header('connection', 'close');
  closeWithLinger(request.raw.socket);
}

/** Whether the rest of the body is too long, or of unknown length, so that the connection is closed instead. */
function hasUnreadBody(raw: IncomingMessage): boolean {
  if (raw.complete) return false;
  const { headers } = raw;
  if (headers.expect !== undefined || headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BODY;
}

/** Translates an error of Fastify or of the storage; null: the error is a bug. @param limit of the body, bytes */
export function refusalFromError(error: unknown, limit: number): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof CoordinationError) return Refusal.of('service.unavailable', error.message);
  if (error instanceof StorageError)
    return Refusal.of('service.storage', 'Stored data cannot be read or changed at the moment.');
  switch ((error as Partial<FastifyError>).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLargeRefusal(limit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return Refusal.of('request.media_type', 'The body must be sent with Content-Type: application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return Refusal.of('request.invalid_json', 'The body is shorter or longer than its Content-Length.');
    case 'ECONNRESET':
      // The caller has disconnected while it sent the body. Nobody reads the response; it is only logged.
      return Refusal.of('request.invalid_json', 'The connection ended before the whole body was received.');
    case 'FST_ERR_BAD_URL':
      return Refusal.of('request.not_found', 'The path cannot be decoded.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      // Longer than any id or host name.
      return Refusal.of('request.not_found', 'There is nothing at this path.');
    default:
      return null;
  }
}

/** Time limits for receiving the headers and the whole request (408). */
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;

/** The last reply on each connection. */
const lastReplies = new WeakMap<Socket, FastifyReply>();

/** To be called for every request: `refuseOnSocket` must not write into a running response, and copies some of its headers. */
export function rememberReplyOfSocket(reply: FastifyReply): void {
  lastReplies.set(reply.request.raw.socket, reply);
}

/** Answers a malformed or too slow request, for which there is no reply of Fastify, and closes the connection. */
export function refuseOnSocket(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  baseUrl: string,
): void {
  const last = lastReplies.get(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || !mayWriteRefusal(socket, last)) {
    socket.destroy();
    return;
  }
  // The reply to the faulty request, if its headers were received before the error.
  const ownReply = last === undefined || last.request.raw.complete ? null : last;
  const id = ownReply?.request.id ?? requestId;
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const cause = slow
    ? failure(
        'request.slow',
        `The request was too slow: send its headers within ${HEADERS_TIMEOUT_MS / 1000} s and all of it within ${REQUEST_TIMEOUT_MS / 1000} s.`,
      )
    : failure('request.validation', clientErrorMessage(error.code));
  const body = problemJson({ errors: [cause], requestId: id, baseUrl });
  const statusLine = slow ? '408 Request Timeout' : '400 Bad Request';
  lingeringClose(
    socket,
    `HTTP/1.1 ${statusLine}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n${ownReply === null ? '' : inheritedHeaders(ownReply)}\r\n${body}`,
  );
}

/**
 * Whether the caller would take a response on the socket for the response to the faulty request: not while an earlier
 * request waits for its response, and not within a response.
 */
function mayWriteRefusal(socket: Socket, last: FastifyReply | undefined): boolean {
  if (last === undefined) return true;
  const { request, raw } = last;
  // The last request is complete, so the fault is in the bytes after it.
  if (request.raw.complete) return raw.writableFinished;
  return raw.socket === socket && !raw.headersSent;
}

/** The headers that hooks have set for every response to the request: limits of the caller, and CORS. */
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
