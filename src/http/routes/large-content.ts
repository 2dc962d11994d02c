import type { FastifyRequest } from 'fastify';
import type { MemoryBudget } from '../../base/memory-budget.ts';
import { deadlineIn } from '../../base/time.ts';
import { failure } from '../../domain/failure.ts';
import type { StoredRecord } from '../../domain/record.ts';
import type { BlobStore } from '../../ports/store.ts';
import { memoryOf } from '../access.ts';
import { Refusal } from '../refusal.ts';

/** How long the reader of a large record waits for memory. */
export const WAIT_MS = 10_000;

/** The blob of a record, in memory that is freed when the answer has been written; null: it is gone. */
export async function contentOf(
  record: StoredRecord,
  request: FastifyRequest,
  { memory, blobs }: { readonly memory: MemoryBudget; readonly blobs: BlobStore },
): Promise<Uint8Array | null> {
  const room = memoryOf(request, memory);
  request.cancel = new AbortController();
  using deadline = deadlineIn(WAIT_MS, request.cancel.signal);
  const size = record.contentBytes ?? 0;
  // It is unpacked in pieces, which are then joined.
  const waits = room.reserve(2 * size, 2 * size, deadline.signal);
  if (waits !== null && !(await waits)) throw noRoom();
  const content = await blobs.get(record.id);
  if (content !== null) room.adopt(content);
  room.shrink(size, size);
  return content;
}

export const noRoom = (): Refusal =>
  new Refusal([
    failure('service.unavailable', 'There is not enough memory for this content now; retry soon.'),
  ]);
