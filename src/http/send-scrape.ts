import type { FastifyReply } from 'fastify';
import { freeWhole } from '../base/free-whole.ts';
import type { Answered } from '../pipeline/pipeline.ts';
import { replyBody, replyBytes, replyPieces } from '../wire/answer/reply.ts';
import { sendPieces } from './send-pieces.ts';

/** Larger answers are written in pieces, with back-pressure, never as one string. */
const IN_ONE_PIECE_BYTES = 256 * 1024;
/** Up to here one string of head and body is cheaper than two pieces of memory. */
const AS_TEXT_BYTES = 16 * 1024;

/** An answer that is ready to leave. */
export interface ReadyScrape {
  readonly answered: Answered;
  /** A byte string, or bytes; null: too large to be made at once. */
  readonly body: string | Buffer | null;
}

/** Makes the body of the answer to a scrape, if it is not too large. */
export function readyScrape(answered: Answered, baseUrl: string): ReadyScrape {
  const { scrape, answerJson } = answered;
  const size = scrape.delivered?.content?.bytes.length ?? 0;
  if (size <= AS_TEXT_BYTES) return { answered, body: replyBody(scrape, answerJson, baseUrl) };
  if (size <= IN_ONE_PIECE_BYTES) return { answered, body: replyBytes(scrape, answerJson, baseUrl) };
  return { answered, body: null };
}

/** The answer to a scrape: 200, or a problem that carries every field of the scrape too. */
export function sendScrape(reply: FastifyReply, ready: ReadyScrape, baseUrl: string): FastifyReply {
  const { scrape, answerJson } = ready.answered;
  // The caller has hung up: nobody reads this.
  const status = scrape.httpStatus ?? 503;
  reply.code(status);
  reply.header(
    'content-type',
    status === 200 ? 'application/json; charset=utf-8' : 'application/problem+json',
  );
  if (status === 503) reply.header('retry-after', '5');
  if (scrape.id !== null) reply.header('x-scrape-id', scrape.id);
  const { body } = ready;
  if (body === null) return sendPieces(reply, replyPieces(scrape, answerJson, baseUrl));
  if (typeof body !== 'string') {
    // All is with the operating system then: the memory goes now, not when the garbage collector comes by.
    reply.raw.once('finish', () => {
      freeWhole(body);
      freeWhole(scrape.delivered!.content!.bytes);
    });
  }
  return sendWhole(reply, body);
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
