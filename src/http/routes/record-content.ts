import type { FastifyInstance, FastifyReply } from 'fastify';
import { deadlineIn } from '../../base/time.ts';
import { failure } from '../../domain/failure.ts';
import { displayableContent, type TypedContent, typedContent } from '../../pipeline/stored-content.ts';
import { contentFacts, fileName } from '../../wire/record/record-json.ts';
import { type QueryParameters, QueryReader } from '../../wire/schema/query-reader.ts';
import { admissionHook } from '../access.ts';
import { Refusal } from '../refusal.ts';
import { MEMORY_WAIT_MS, memoryOf, outOfMemoryRefusal, readBlob } from '../request-resources.ts';
import { sendPieces } from '../streaming.ts';
import { type ById, found, idOf, type StoredParts, visibleTo } from './records.ts';

/** Nothing of it runs, and nothing of it reaches anybody. */
const SANDBOX = "sandbox; default-src 'none'";
/** The same, but it may look as it was meant to, as far as it brings that along, and stand in a frame of ours. */
const SHOWN = `${SANDBOX}; img-src data:; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'self'`;
const PIECE_BYTES = 128 * 1024;

/** What a target sent, as a download, or to be shown in a sandboxed frame. */
export function recordContentRoute(app: FastifyInstance, parts: StoredParts): void {
  const reading = { onRequest: admissionHook(parts.gate, { scope: 'read' }) };
  app.get<ById>('/api/v1/scrape/:id/content', reading, async (request, reply) => {
    const query = new QueryReader(request.query as QueryParameters, ['view']);
    const view = query.oneOf('view', ['1']) !== null;
    if (query.problems.length > 0) throw new Refusal(query.problems);
    const record = await found(parts.records.get(idOf(request), visibleTo(request)));
    const bytes = record.contentInBlob
      ? await readBlob(request, record.id, record.contentBytes ?? 0, parts)
      : record.content;
    if (bytes === null || record.contentEncoding === null) throw noContent();
    const stored = { bytes, encoding: record.contentEncoding, ...contentFacts(record) };
    if (!view) {
      const typed = typedContent(stored);
      reply.header('content-disposition', `attachment; filename="${fileName(record.id, typed.essence)}"`);
      return send(reply, typed, SANDBOX);
    }
    const reservation = memoryOf(request, parts.memory);
    using deadline = deadlineIn(MEMORY_WAIT_MS, request.cancel?.signal ?? new AbortController().signal);
    const typed = await displayableContent(stored, { reservation, signal: deadline.signal });
    if (typed === 'full') throw outOfMemoryRefusal();
    if (typed === 'unfit') throw unfit();
    return send(reply, typed, SHOWN);
  });
}

function send(reply: FastifyReply, { bytes, type }: TypedContent, policy: string): FastifyReply {
  reply.headers({
    'content-type': type,
    'content-length': bytes.length,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  });
  return bytes.length <= PIECE_BYTES
    ? reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    : sendPieces(reply, piecesOf(bytes));
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const noContent = (): Refusal =>
  new Refusal([
    failure('request.not_found', 'The record has no content: there was none, or it was not kept.'),
  ]);

const unfit = (): Refusal =>
  new Refusal([
    failure(
      'request.validation',
      '`/view` is for HTML, text and images; this content is something else. Download it without `view`.',
      { pointer: '/view' },
    ),
  ]);
