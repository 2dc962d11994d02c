import type { FastifyReply } from 'fastify';
import { freeBuffer } from '../base/memory-budget.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { AnsweredScrape } from '../pipeline/pipeline.ts';
import { replyBody, replyBytes, replyPieces } from '../wire/answer/reply.ts';
import { hasLinks, type LinkUrlOf, withLinks } from '../wire/answer/signed-links.ts';
import { sendPieces } from './streaming.ts';

/** Larger responses are written in pieces, with back-pressure. */
const MAX_WHOLE_BYTES = 256 * 1024;
/** Up to this size, Node writes headers and body as one string, which is faster than two buffers. */
const MAX_STRING_BYTES = 16 * 1024;

/** A response that is ready to be sent. */
export interface PreparedScrape {
  readonly answered: AnsweredScrape;
  /** A latin1 string with one character per byte, or bytes; for a large response its pieces. */
  readonly body: string | Buffer | Iterator<string | Uint8Array>;
}

export interface AnswerLinks {
  readonly baseUrl: () => string;
  readonly linkUrl: LinkUrlOf;
}

/** Creates the body of the response to a scrape. The pieces of a large one are created while it is sent. */
export function prepareScrape(answered: AnsweredScrape, links: AnswerLinks): PreparedScrape {
  const { scrape } = answered;
  const baseUrl = links.baseUrl();
  const answerJson = hasLinks(scrape)
    ? withLinks(answered.answerJson, scrape.id, links.linkUrl)
    : answered.answerJson;
  const size = scrape.delivered?.content?.bytes.length ?? 0;
  // `answerJson` may be large, too: it contains pictures and files that are not stored.
  if (size > MAX_WHOLE_BYTES || answerJson.length > MAX_WHOLE_BYTES)
    return { answered, body: replyPieces(scrape, answerJson, baseUrl) };
  const createBody = size <= MAX_STRING_BYTES ? replyBody : replyBytes;
  return { answered, body: createBody(scrape, answerJson, baseUrl) };
}

/** Sends the response to a scrape: 200, or problem details that also have the members of a response. */
export function sendScrape(reply: FastifyReply, { answered, body }: PreparedScrape): FastifyReply {
  const { scrape } = answered;
  // null: the caller has disconnected, so nobody reads the response.
  const status = scrape.httpStatus ?? 503;
  reply.code(status);
  reply.header(
    'content-type',
    status === 200 ? 'application/json; charset=utf-8' : 'application/problem+json',
  );
  if (status === 503) reply.header('retry-after', retryAfter(scrape));
  if (scrape.id !== null) reply.header('x-scrape-id', scrape.id);
  if (typeof body === 'string') return sendWhole(reply, body);
  if (!Buffer.isBuffer(body)) return sendPieces(reply, body);
  // At `finish` the operating system has all bytes. The memory is freed at once instead of by the garbage collector.
  reply.raw.once('finish', () => {
    freeBuffer(body);
    freeBuffer(scrape.delivered!.content!.bytes);
  });
  return sendWhole(reply, body);
}

/**
 * Sends without `reply.send`, whose hooks are not needed here and take time.
 * @param body a latin1 string with one character per byte, or bytes
 */
function sendWhole(reply: FastifyReply, body: string | Uint8Array): FastifyReply {
  reply.hijack();
  reply.header('content-length', body.length);
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end(body, 'latin1');
  return reply;
}

/** `Retry-After` in seconds: the pause that the site asked for, otherwise 5. */
function retryAfter({ errors }: Scrape): string {
  const { code, details } = errors[0]!;
  return code === 'route.paced' ? String(details!.retry_after_s) : '5';
}
