import type { FastifyReply } from 'fastify';
import { freeWhole } from '../base/free-whole.ts';
import type { Answered } from '../pipeline/pipeline.ts';
import { replyBody, replyBytes, replyPieces } from '../wire/answer/reply.ts';
import { sendPieces } from './send-pieces.ts';

/** Larger answers are written in pieces, with back-pressure, never as one string. */
const IN_ONE_PIECE_BYTES = 256 * 1024;
/** Up to here one string of head and body is cheaper than two pieces of memory. */
const AS_TEXT_BYTES = 16 * 1024;

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
  const size = content?.bytes.length ?? 0;
  if (size <= AS_TEXT_BYTES) return sendWhole(reply, replyBody(scrape, answerJson, baseUrl));
  if (size <= IN_ONE_PIECE_BYTES) {
    const bytes = replyBytes(scrape, answerJson, baseUrl);
    // All is with the operating system then: the memory goes now, not when the garbage collector comes by.
    reply.raw.once('finish', () => {
      freeWhole(bytes);
      freeWhole(content!.bytes);
    });
    return sendWhole(reply, bytes);
  }
  return sendPieces(reply, replyPieces(scrape, answerJson, baseUrl));
}

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
