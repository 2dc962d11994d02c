import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURES, failure } from '../domain/failure.ts';
import { problemJson } from '../wire/problem.ts';
import { tooLarge } from './json-body.ts';
import { Refusal } from './problem.ts';

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
  // The rest of a body that is not wanted is not read: the connection ends here.
  if (status === 413 || status === 408) reply.header('connection', 'close');
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .send(problemJson({ errors, candidates, requestId: request.id, baseUrl }));
}

/** What Fastify itself refuses, in our words; null: it is a bug of ours. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  switch ((error as Partial<FastifyError>).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge();
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal([
        failure('request.media_type', 'The body must be sent with Content-Type: application/json.'),
      ]);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal([
        failure('request.invalid_json', 'The body is shorter or longer than its Content-Length.'),
      ]);
    case 'FST_ERR_BAD_URL':
      return new Refusal([failure('request.not_found', 'The path cannot be decoded.')]);
    default:
      return null;
  }
}
