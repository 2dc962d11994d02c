import type { FastifyReply } from 'fastify';
import { freeBuffer } from '../base/memory-budget.ts';
import { picturesOf } from '../domain/record.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { AnsweredScrape } from '../pipeline/pipeline.ts';
import { type PictureUrlOf, withPictureUrls } from '../wire/answer/picture-links.ts';
import { replyBody, replyBytes, replyPieces } from '../wire/answer/reply.ts';
import { sendPieces } from './streaming.ts';

/** Larger answers are written in pieces, with back-pressure, never as one string. */
const IN_ONE_PIECE_BYTES = 256 * 1024;
/** Up to here one string of head and body is cheaper than two pieces of memory. */
const AS_TEXT_BYTES = 16 * 1024;

/** An answer that is ready to leave. */
export interface PreparedScrape {
  readonly answered: AnsweredScrape;
  /** A byte string, or bytes; where it is too large to be made at once, its pieces. */
  readonly body: string | Buffer | Iterator<string | Uint8Array>;
}

export interface AnswerLinks {
  readonly baseUrl: () => string;
  readonly pictureUrl: PictureUrlOf;
}

/** Makes the body of the answer to a scrape, if it is not too large. */
export function prepareScrape(answered: AnsweredScrape, links: AnswerLinks): PreparedScrape {
  const { scrape, answerJson: marked } = answered;
  const baseUrl = links.baseUrl();
  const answerJson = hasPictures(scrape) ? withPictureUrls(marked, scrape.id, links.pictureUrl) : marked;
  const size = scrape.delivered?.content?.bytes.length ?? 0;
  // Pictures that are not kept are in the answer itself.
  if (size > IN_ONE_PIECE_BYTES || answerJson.length > IN_ONE_PIECE_BYTES)
    return { answered, body: replyPieces(scrape, answerJson, baseUrl) };
  const make = size <= AS_TEXT_BYTES ? replyBody : replyBytes;
  return { answered, body: make(scrape, answerJson, baseUrl) };
}

/** The answer to a scrape: 200, or a problem that carries every field of the scrape too. */
export function sendScrape(reply: FastifyReply, { answered, body }: PreparedScrape): FastifyReply {
  const { scrape } = answered;
  // The caller has hung up: nobody reads this.
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
  // All is with the operating system then: the memory goes now, not when the garbage collector comes by.
  reply.raw.once('finish', () => {
    freeBuffer(body);
    freeBuffer(scrape.delivered!.content!.bytes);
  });
  return sendWhole(reply, body);
}

const hasPictures = ({ delivered }: AnsweredScrape['scrape']): boolean =>
  delivered !== null && picturesOf(delivered.page).length > 0;

/**
 * What Fastify's own way adds, such as hooks after it, nobody uses here.
 * @param body a byte string, or bytes
 */
function sendWhole(reply: FastifyReply, body: string | Uint8Array): FastifyReply {
  reply.hijack();
  reply.header('content-length', body.length);
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end(body, 'latin1');
  return reply;
}

/** Seconds: what the site asked for, or a moment. */
function retryAfter({ errors }: Scrape): string {
  const { code, details } = errors[0]!;
  return code === 'route.paced' ? String(details!.retry_after_s) : '5';
}
