import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURES, failure } from '../domain/failure.ts';
import { StorageError } from '../ports/storage-error.ts';
import { problemJson } from '../wire/problem.ts';
import { tooLarge } from './json-body.ts';
import { linger } from './linger.ts';
import { Refusal } from './problem.ts';

/** A body up to this length that is not wanted is thrown away, and the connection kept. */
const KEEP_BYTES = 65_536;

/** Seconds, for what passes by itself. */
export const RETRY_AFTER_S = '5';

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
  if (leavesBody(request.raw)) {
    reply.header('connection', 'close');
    linger(request.raw.socket);
  }
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .send(problemJson({ errors, candidates, requestId: request.id, baseUrl }));
}

/** Whether more of the body is still to come than is worth reading to keep the connection. */
function leavesBody(raw: IncomingMessage): boolean {
  if (raw.complete) return false;
  const { headers } = raw;
  if (headers.expect !== undefined || headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > KEEP_BYTES;
}

/** What Fastify itself refuses, in our words; null: it is a bug of ours. @param limit of the body, bytes */
export function refusalOf(error: unknown, limit: number): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof StorageError)
    return new Refusal([failure('service.storage', 'Stored data cannot be read or changed at the moment.')]);
  switch ((error as Partial<FastifyError>).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(limit);
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
