import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ActiveSession } from '../account/account-directory.ts';
import type { MemoryBudget, MemoryReservation } from '../base/memory-budget.ts';
import { CLIENT_DISCONNECTED, deadlineIn } from '../base/time.ts';
import type { Principal } from '../domain/account.ts';
import { failure } from '../domain/failure.ts';
import type { Permit } from '../ports/permits.ts';
import type { BlobStore } from '../ports/store.ts';
import { Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null: the endpoint is public. */
    principal: Principal | null;
    /** null: the caller uses a key, or the endpoint is public. */
    session: ActiveSession | null;
    /** What must settle before the permit is given back, even when nobody waits for the answer. */
    work: Promise<unknown> | null;
    /** Aborts the work when the caller hangs up. */
    cancel: AbortController | null;
    /** Memory that is held until the answer has been written. */
    memory: MemoryReservation | null;
  }
}

/**
 * The one place that gives a permit and memory back. Fastify's `onResponse` does not run when a caller hangs up; the raw
 * reply's `close` does, in every ending. The slot is free when the work has settled too, also if nobody waits for it.
 */
export function releaseOnClose(permit: Permit | null, request: FastifyRequest, reply: FastifyReply): void {
  const release = () => {
    permit?.release();
    request.memory?.close();
  };
  const onClose = () => {
    if (!reply.raw.writableFinished) request.cancel?.abort(CLIENT_DISCONNECTED);
    if (request.work === null) release();
    else request.work.then(release, release);
  };
  if (reply.raw.closed) onClose();
  else reply.raw.once('close', onClose);
}

/**
 * The memory of a request. It is given back when the answer has been written, or the caller has hung up. For a caller
 * that has hung up already the reservation is closed at once: its `close` event will not come again.
 */
export function memoryOf(request: FastifyRequest, budget: MemoryBudget): MemoryReservation {
  request.memory ??= budget.open();
  if (request.raw.socket.destroyed) request.memory.close();
  return request.memory;
}

/** How long the reader of a large content waits for memory. */
export const MEMORY_WAIT_MS = 10_000;

/** A blob in memory that is freed when the answer has been written; null: there is no such blob any more. */
export async function readBlob(
  request: FastifyRequest,
  key: string,
  size: number,
  { memory, blobs }: { readonly memory: MemoryBudget; readonly blobs: BlobStore },
): Promise<Uint8Array | null> {
  const reservation = memoryOf(request, memory);
  request.cancel ??= new AbortController();
  using deadline = deadlineIn(MEMORY_WAIT_MS, request.cancel.signal);
  // It is decompressed in pieces, which are then joined.
  const waiting = reservation.reserve(2 * size, 2 * size, deadline.signal);
  if (waiting !== null && !(await waiting)) throw outOfMemoryRefusal();
  const bytes = await blobs.get(key);
  if (bytes !== null) reservation.adopt(bytes);
  reservation.shrink(size, size);
  return bytes;
}

export const outOfMemoryRefusal = (): Refusal =>
  new Refusal([
    failure('service.unavailable', 'There is not enough memory for this content now; retry soon.'),
  ]);
