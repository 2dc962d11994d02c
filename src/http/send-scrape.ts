import type { FastifyReply } from 'fastify';
import { freeBuffer } from '../base/memory-budget.ts';
import { picturesOf } from '../domain/record.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { AnsweredScrape } from '../pipeline/pipeline.ts';
import { type PictureUrlOf, withPictureUrls } from '../wire/answer/picture-links.ts';
import { replyBody, replyBytes, replyPieces } from '../wire/answer/reply.ts';
import { sendPieces } from './streaming.ts';

/** Larger answers are written in pieces, with back-pressure. */
const MAX_WHOLE_BYTES = 256 * 1024;
/** Up to here one string of headers and body is cheaper than two buffers. */
const MAX_STRING_BYTES = 16 * 1024;

/** An answer that is ready to leave. */
export interface PreparedScrape {
  readonly answered: AnsweredScrape;
  /** A byte string, or bytes; of a large answer its pieces. */
  readonly body: string | Buffer | Iterator<string | Uint8Array>;
}

export interface AnswerLinks {
  readonly baseUrl: () => string;
  readonly pictureUrl: PictureUrlOf;
}

/** Makes the body of the answer to a scrape; of a large one its pieces are made when they are sent. */
export function prepareScrape(answered: AnsweredScrape, links: AnswerLinks): PreparedScrape {
  const { scrape } = answered;
  const baseUrl = links.baseUrl();
  const answerJson = hasPictures(scrape)
    ? withPictureUrls(answered.answerJson, scrape.id, links.pictureUrl)
    : answered.answerJson;
  const size = scrape.delivered?.content?.bytes.length ?? 0;
  // Pictures that are not stored are in the answer itself.
  if (size > MAX_WHOLE_BYTES || answerJson.length > MAX_WHOLE_BYTES)
    return { answered, body: replyPieces(scrape, answerJson, baseUrl) };
  const make = size <= MAX_STRING_BYTES ? replyBody : replyBytes;
  return { answered, body: make(scrape, answerJson, baseUrl) };
}

/** Sends the answer to a scrape: 200, or a problem that has every member of the response too. */
export function sendScrape(reply: FastifyReply, { answered, body }: PreparedScrape): FastifyReply {
  const { scrape } = answered;
  // null: the caller has hung up, and nobody reads this.
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
  // The operating system has all of it then. The memory is freed now, and not by the next garbage collection.
  reply.raw.once('finish', () => {
    freeBuffer(body);
    freeBuffer(scrape.delivered!.content!.bytes);
  });
  return sendWhole(reply, body);
}

const hasPictures = ({ delivered }: AnsweredScrape['scrape']): boolean =>
  delivered !== null && picturesOf(delivered.page).length > 0;

/**
 * Not with `reply.send`, whose hooks are not needed here.
 * @param body a byte string, or bytes
 */
function sendWhole(reply: FastifyReply, body: string | Uint8Array): FastifyReply {
  reply.hijack();
  reply.header('content-length', body.length);
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end(body, 'latin1');
  return reply;
}

/** In seconds: as long as the site asked for, or a moment. */
function retryAfter({ errors }: Scrape): string {
  const { code, details } = errors[0]!;
  return code === 'route.paced' ? String(details!.retry_after_s) : '5';
}
