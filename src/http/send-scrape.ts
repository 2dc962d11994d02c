import type { FastifyReply } from 'fastify';
import type { Answered } from '../pipeline/pipeline.ts';
import { replyBody, replyPieces } from '../wire/answer/reply.ts';
import { sendPieces } from './send-pieces.ts';

/** Larger answers are written in pieces, with back-pressure, never as one string. */
const IN_ONE_PIECE_BYTES = 256 * 1024;

/** The answer to a scrape: 200, or a problem that carries every field of the scrape too. */
export function sendScrape(
  reply: FastifyReply,
  { scrape, answerJson }: Answered,
  baseUrl: string,
): FastifyReply {
  // The caller has hung up: nobody reads this.
  const status = scrape.httpStatus ?? 503;
  reply.code(status);
  reply.header(
    'content-type',
    status === 200 ? 'application/json; charset=utf-8' : 'application/problem+json',
  );
  if (status === 503) reply.header('retry-after', '5');
  if (scrape.id !== null) reply.header('x-scrape-id', scrape.id);
  const content = scrape.delivered?.content;
  if (content == null || content.bytes.length <= IN_ONE_PIECE_BYTES)
    return reply.send(replyBody(scrape, answerJson, baseUrl));
  return sendPieces(reply, replyPieces(scrape, answerJson, baseUrl));
}
