import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MemoryBudget } from '../../base/memory-budget.ts';
import { uuid7Time, uuidBytes } from '../../base/uuid7.ts';
import { failure } from '../../domain/failure.ts';
import type { BlobStore, RecordStore } from '../../ports/store.ts';
import type { PictureUrlOf } from '../../wire/answer/picture-links.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { recordJson, recordPieces } from '../../wire/record/record-json.ts';
import { listJson } from '../../wire/record/record-list.ts';
import {
  decodeCursor,
  encodeCursor,
  filterHash,
  parseListQuery,
  seesAllUsers,
} from '../../wire/record/record-query.ts';
import type { QueryParameters } from '../../wire/schema/query-reader.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';
import { Refusal } from '../refusal.ts';
import { readBlob } from '../request-resources.ts';
import { sendPieces } from '../streaming.ts';

export interface StoredParts {
  readonly gate: AdmissionControl;
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly memory: MemoryBudget;
}

export interface RecordRouteParts extends StoredParts {
  /** Signs cursors. */
  readonly secret: string;
  readonly pictureUrl: PictureUrlOf;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export type ById = { Params: { id: string } };

/** The stored scrapes: one, its request, the list, and away with one. */
export function recordRoutes(app: FastifyInstance, parts: RecordRouteParts): void {
  const { gate, records, blobs, secret, pictureUrl } = parts;
  const reading = { onRequest: admissionHook(gate, { scope: 'read' }) };
  const deleting = { onRequest: admissionHook(gate, { scope: 'scrape' }) };

  app.get('/api/v1/scrape', reading, async (request, reply) => {
    const who = request.principal!;
    const { ask, problems } = parseListQuery(request.query as QueryParameters, who);
    if (ask === null) throw new Refusal(problems);
    const bound = filterHash(ask.filter);
    const after = ask.cursor === null ? null : decodeCursor(ask.cursor, bound, secret);
    if (ask.cursor !== null && after === null) throw badCursor();
    const page = await records.list(ask.filter, ask.limit, after);
    reply.header('content-type', JSON_TYPE);
    if (page.next !== null) reply.header('x-searched-to', formatDateTime(uuid7Time(page.next)));
    const next = page.next === null ? null : encodeCursor(page.next, bound, secret);
    return listJson(page.items, next, seesAllUsers(who));
  });

  app.get<ById>('/api/v1/scrape/:id', reading, async (request, reply) => {
    const record = await found(records.get(idOf(request), visibleTo(request)));
    reply.header('content-type', JSON_TYPE);
    const withUser = seesAllUsers(request.principal!);
    if (!record.contentInBlob) return recordJson(record, record.content, pictureUrl, withUser);
    const content = await readBlob(request, record.id, record.contentBytes ?? 0, parts);
    return sendPieces(reply, recordPieces(record, content, pictureUrl, withUser));
  });

  app.get<ById>('/api/v1/scrape/:id/request', reading, async (request, reply) => {
    reply.header('content-type', JSON_TYPE);
    return await found(records.request(idOf(request), visibleTo(request)));
  });

  app.delete<ById>('/api/v1/scrape/:id', deleting, async (request, reply) => {
    const deleted = await found(records.delete(idOf(request), visibleTo(request)));
    for (const key of deleted.blobs) await blobs.delete(key);
    return reply.code(204).send();
  });
}

/** Whose records; null: everybody's. */
export function visibleTo(request: FastifyRequest): string | null {
  const who = request.principal!;
  return seesAllUsers(who) ? null : who.userId;
}

export function idOf(request: FastifyRequest<ById>): string {
  const { id } = request.params;
  if (uuidBytes(id) === null) throw gone();
  return id.toLowerCase();
}

export async function found<T>(looked: Promise<T | null>): Promise<T> {
  const value = await looked;
  if (value === null) throw gone();
  return value;
}

const gone = (): Refusal =>
  new Refusal([
    failure('request.not_found', 'There is no such record: it was deleted, has expired, or is not yours.'),
  ]);

const badCursor = (): Refusal =>
  new Refusal([
    failure('request.validation', 'The cursor does not belong to these filters; start again without it.', {
      pointer: '/cursor',
    }),
  ]);
