import type { FastifyReply, FastifyRequest } from 'fastify';
import { freeBuffer, type MemoryBudget } from '../../base/memory-budget.ts';
import { deadlineUnder } from '../../base/time.ts';
import { returnedContent, type Scrape } from '../../domain/scrape.ts';
import type { AnsweredScrape } from '../../pipeline/pipeline.ts';
import { StorageError } from '../../ports/store.ts';
import { replyBody, replyBytes, replyPieces } from '../../wire/answer/reply.ts';
import { hasLinks, type LinkUrlOf, withLinks } from '../../wire/answer/signed-links.ts';
import { keptHead, MAX_KEPT_BYTES } from '../core/idempotency.ts';
import { MEMORY_WAIT_MS, memoryOf } from '../core/request-resources.ts';
import { sendPieces } from '../core/streaming.ts';

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
  const size = returnedContent(scrape)?.bytes.length ?? 0;
  // `answerJson` may be large, too: it contains pictures and files that are not stored.
  if (size > MAX_WHOLE_BYTES || answerJson.length > MAX_WHOLE_BYTES)
    return { answered, body: replyPieces(scrape, answerJson, baseUrl) };
  const createBody = size <= MAX_STRING_BYTES ? replyBody : replyBytes;
  return { answered, body: createBody(scrape, answerJson, baseUrl) };
}

/**
 * Keeps the response for repeated requests with the same Idempotency-Key (contract §8), or gives the key free if the request did
 * not reach the target.
 */
export async function keepScrape(
  links: AnswerLinks & { readonly memory: MemoryBudget },
  request: FastifyRequest,
  reply: FastifyReply,
  { answered, body }: PreparedScrape,
): Promise<void> {
  const run = request.idempotentRun!;
  request.idempotentRun = null;
  const { scrape } = answered;
  setHead(reply, scrape);
  try {
    if (!scrape.sent) return await run.release();
    if (scrape.httpStatus === null || UNKEPT_STATUS.has(scrape.httpStatus))
      return await (run.isRepeatable ? run.release() : run.lose());
    const bytes =
      typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.isBuffer(body) ? body : null;
    if (bytes !== null) return await run.keep(keptHead(reply), bytes);
    const large = await joinPieces(request, links, answered);
    await (large === null ? run.lose() : run.keep(keptHead(reply), large));
  } catch (error) {
    // The caller gets the response. The key is lost when the time of its run is over.
    if (!(error instanceof StorageError)) throw error;
  }
}

/** Responses that tell of a temporary problem of the service. */
const UNKEPT_STATUS: ReadonlySet<number> = new Set([429, 503]);

/** The pieces of a large response; null: it is too large to be kept, or there is no memory for it. */
async function joinPieces(
  request: FastifyRequest,
  links: AnswerLinks & { readonly memory: MemoryBudget },
  answered: AnsweredScrape,
): Promise<Buffer | null> {
  const size = (returnedContent(answered.scrape)?.bytes.length ?? 0) + answered.answerJson.length;
  if (size > MAX_KEPT_BYTES) return null;
  const reservation = memoryOf(request, links.memory);
  using deadline = deadlineUnder(MEMORY_WAIT_MS, new AbortController().signal);
  // For the response and its compressed form.
  const waiting = reservation.reserve(2 * size, 2 * MAX_KEPT_BYTES, deadline.signal);
  if (waiting !== null && !(await waiting)) return null;
  const pieces: Buffer[] = [];
  let length = 0;
  // Created anew, because the pieces of the prepared response are created while it is sent.
  for (const piece of prepareScrape(answered, links).body as Iterable<string | Uint8Array>) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece);
    length += bytes.length;
    if (length > MAX_KEPT_BYTES) return null;
    pieces.push(bytes);
  }
  return Buffer.concat(pieces, length);
}

/** Sends the response to a scrape: 200, or problem details that also have the members of a response. */
export function sendScrape(reply: FastifyReply, { answered, body }: PreparedScrape): FastifyReply {
  const { scrape } = answered;
  setHead(reply, scrape);
  if (typeof body === 'string') return sendWhole(reply, body);
  if (!Buffer.isBuffer(body)) return sendPieces(reply, body);
  // At `finish` the operating system has all bytes. The memory is freed at once instead of by the garbage collector.
  reply.raw.once('finish', () => {
    freeBuffer(body);
    freeBuffer(scrape.delivered!.content!.bytes);
  });
  return sendWhole(reply, body);
}

function setHead(reply: FastifyReply, scrape: Scrape): void {
  // null: the caller has disconnected, so nobody reads the response.
  const status = scrape.httpStatus ?? 503;
  reply.code(status);
  reply.header(
    'content-type',
    status === 200 ? 'application/json; charset=utf-8' : 'application/problem+json',
  );
  if (status === 503 || status === 429) reply.header('retry-after', retryAfter(scrape));
  if (scrape.id !== null) reply.header('x-scrape-id', scrape.id);
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

/** `Retry-After` in seconds: the pause that the site asked for, or that its limits ask for; otherwise 5. */
export function retryAfter({ errors }: Scrape): string {
  const { code, details } = errors[0]!;
  return code === 'route.paced' || code === 'limit.site' ? String(details!.retry_after_s) : '5';
}
