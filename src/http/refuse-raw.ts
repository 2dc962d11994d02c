import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failure } from '../domain/failure.ts';
import { problemJson } from '../wire/problem.ts';
import { endSlowly } from './linger.ts';

/** A request head must have arrived by then, and the whole request by then (408). */
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;

/** The answer begun last on each connection. */
const answers = new WeakMap<Socket, ServerResponse<IncomingMessage>>();

/** To be called for every request, so that a refusal below never runs into an answer. */
export function rememberAnswer(answer: ServerResponse<IncomingMessage>): void {
  answers.set(answer.req.socket, answer);
}

/** What is not even an HTTP request, or came too slowly: answered on the bare socket, which then ends. */
export function refuseRaw(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  baseUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || !mayAnswer(socket)) {
    socket.destroy();
    return;
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const cause = slow
    ? failure(
        'request.slow',
        `The request came too slowly: its head must be here within ${HEADERS_TIMEOUT_MS / 1000} s, all of it within ${REQUEST_TIMEOUT_MS / 1000} s.`,
      )
    : failure('request.validation', wrongWith(error.code));
  const body = problemJson({ errors: [cause], requestId, baseUrl });
  const line = slow ? '408 Request Timeout' : '400 Bad Request';
  endSlowly(
    socket,
    `HTTP/1.1 ${line}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Whether an answer on the bare socket would be read as the answer to what is wrong: not while an earlier request waits
 * for its own, nor in the middle of one.
 */
function mayAnswer(socket: Socket): boolean {
  const last = answers.get(socket);
  if (last === undefined) return true;
  // The last request came whole: what is wrong is behind it.
  if (last.req.complete) return last.writableFinished;
  return last.socket === socket && !last.headersSent;
}

function wrongWith(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The head of the request is too large: at most 16 KiB are read.';
  return 'This is not a well-formed HTTP request.';
}
