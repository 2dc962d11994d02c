import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ByteBudget } from '../../base/byte-budget.ts';
import { deadlineIn } from '../../base/deadline.ts';
import { uuidBytes } from '../../base/uuid7.ts';
import { failure } from '../../domain/failure.ts';
import type { StoredRecord } from '../../domain/record.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { RecordStore } from '../../ports/store.ts';
import { decodeCursor, encodeCursor, filterHash } from '../../wire/record/cursor.ts';
import { listJson } from '../../wire/record/list-json.ts';
import { parseListQuery } from '../../wire/record/list-query.ts';
import { recordJson, recordPieces } from '../../wire/record/record-json.ts';
import { admission, type Gate } from '../admission.ts';
import { Refusal } from '../problem.ts';
import { sendPieces } from '../send-pieces.ts';

export interface RecordRouteParts {
  readonly gate: Gate;
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly memory: ByteBudget;
  /** Signs cursors. */
  readonly secret: string;
}

/** How long the reader of a large record waits for memory. */
const WAIT_MS = 10_000;

const JSON_TYPE = 'application/json; charset=utf-8';

type ById = { Params: { id: string } };

/** The stored scrapes: one, its request, the list, and away with one. */
export function recordRoutes(app: FastifyInstance, parts: RecordRouteParts): void {
  const { gate, records, blobs, secret } = parts;
  const reading = { onRequest: admission(gate, { scope: 'read' }) };
  const deleting = { onRequest: admission(gate, { scope: 'scrape' }) };

  app.get('/api/v1/scrape', reading, async (request, reply) => {
    const { ask, problems } = parseListQuery(request.query as Record<string, string>, ownerOf(request));
    if (ask === null) throw new Refusal(problems);
    const bound = filterHash(ask.filter);
    const after = ask.cursor === null ? null : decodeCursor(ask.cursor, bound, secret);
    if (ask.cursor !== null && after === null) throw badCursor();
    const page = await records.list(ask.filter, ask.limit, after);
    reply.header('content-type', JSON_TYPE);
    return listJson(page.items, page.next === null ? null : encodeCursor(page.next, bound, secret));
  });

  app.get<ById>('/api/v1/scrape/:id', reading, async (request, reply) => {
    const record = await found(records.get(idOf(request), ownerOf(request)));
    reply.header('content-type', JSON_TYPE);
    if (!record.contentInBlob) return recordJson(record, record.content);
    return sendPieces(reply, recordPieces(record, await largeContent(record, request, parts)));
  });

  app.get<ById>('/api/v1/scrape/:id/request', reading, async (request, reply) => {
    reply.header('content-type', JSON_TYPE);
    return await found(records.request(idOf(request), ownerOf(request)));
  });

  app.delete<ById>('/api/v1/scrape/:id', deleting, async (request, reply) => {
    const { contentInBlob } = await found(records.delete(idOf(request), ownerOf(request)));
    if (contentInBlob) await blobs.delete(request.params.id.toLowerCase());
    return reply.code(204).send();
  });
}

/** Whose records: a key shows those of its own user, whatever the role. */
const ownerOf = (request: FastifyRequest): string => request.principal!.userId;

function idOf(request: FastifyRequest<ById>): string {
  const { id } = request.params;
  if (uuidBytes(id) === null) throw gone();
  return id.toLowerCase();
}

async function found<T>(looked: Promise<T | null>): Promise<T> {
  const value = await looked;
  if (value === null) throw gone();
  return value;
}

/** The blob, in memory that is freed when the answer has been written. */
async function largeContent(
  record: StoredRecord,
  request: FastifyRequest,
  { memory, blobs }: RecordRouteParts,
): Promise<Uint8Array | null> {
  const room = memory.open();
  request.room = room;
  request.cancel = new AbortController();
  using deadline = deadlineIn(WAIT_MS, request.cancel.signal);
  const size = record.contentBytes ?? 0;
  // It is unpacked in pieces, which are then joined.
  const waits = room.reserve(2 * size, 2 * size, deadline.signal);
  if (waits !== null && !(await waits)) throw noRoom();
  const content = await blobs.get(record.id);
  if (content !== null) room.adopt(content);
  room.settle(size, size);
  return content;
}

const noRoom = (): Refusal =>
  new Refusal([failure('service.unavailable', 'There is no memory for this content now; ask again soon.')]);

const gone = (): Refusal =>
  new Refusal([
    failure('request.not_found', 'There is no such record: it was deleted, has expired, or is not yours.'),
  ]);

const badCursor = (): Refusal =>
  new Refusal([
    failure('request.validation', 'The cursor was not made here for these filters; begin again without it.', {
      pointer: '/cursor',
    }),
  ]);
