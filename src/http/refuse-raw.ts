import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { failure } from '../domain/failure.ts';
import { problemJson } from '../wire/problem.ts';
import { endSlowly } from './linger.ts';

/** A request head must have arrived by then, and the whole request by then (408). */
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;

/** The answer begun last on each connection. */
const answers = new WeakMap<Socket, FastifyReply>();

/** To be called for every request, so that a refusal below never runs into an answer, and tells what it would have told. */
export function rememberAnswer(reply: FastifyReply): void {
  answers.set(reply.request.raw.socket, reply);
}

/** What is not even an HTTP request, or came too slowly: answered on the bare socket, which then ends. */
export function refuseRaw(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  baseUrl: string,
): void {
  const last = answers.get(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || !mayAnswer(socket, last)) {
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
    : failure('request.validation', wrongWith(error.code));
  const body = problemJson({ errors: [cause], requestId: id, baseUrl });
  const line = slow ? '408 Request Timeout' : '400 Bad Request';
  endSlowly(
    socket,
    `HTTP/1.1 ${line}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n${begun === null ? '' : toldBy(begun)}\r\n${body}`,
  );
}

/**
 * Whether an answer on the bare socket would be read as the answer to what is wrong: not while an earlier request waits
 * for its own, nor in the middle of one.
 */
function mayAnswer(socket: Socket, last: FastifyReply | undefined): boolean {
  if (last === undefined) return true;
  const { request, raw } = last;
  // The last request came whole: what is wrong is behind it.
  if (request.raw.complete) return raw.writableFinished;
  return raw.socket === socket && !raw.headersSent;
}

/** What stands in every answer to a request whose head was let in: the limits of its caller, and CORS. */
function toldBy(reply: FastifyReply): string {
  return Object.entries(reply.getHeaders())
    .filter(([name]) => /^(?:ratelimit|access-control-|vary$)/.test(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function wrongWith(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request headers are too large: at most 16 KiB are allowed.';
  return 'This is not a well-formed HTTP request.';
}
