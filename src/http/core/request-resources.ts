import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ActiveSession } from '../../account/account-directory.ts';
import type { MemoryBudget, MemoryReservation } from '../../base/memory-budget.ts';
import { CLIENT_DISCONNECTED, deadlineUnder, HOLDING_LOST } from '../../base/time.ts';
import type { Principal } from '../../domain/account.ts';
import type { Permit } from '../../ports/permits.ts';
import type { BlobStore } from '../../ports/store.ts';
import { Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null: the endpoint is public, or the request has a signed link. */
    principal: Principal | null;
    /** null: the caller uses a key, or the endpoint is public. */
    session: ActiveSession | null;
    /** null: the request needs none. */
    permit: Permit | null;
    /** The permit is released only when this has settled, even if the caller has disconnected. */
    work: Promise<unknown> | null;
    /** Aborts the work when the caller disconnects. */
    cancel: AbortController | null;
    /** Memory that is reserved until the response has been written. */
    memory: MemoryReservation | null;
  }
}

/**
 * Releases the permit and the memory of a request when its response is closed and its work has settled. Fastify's
 * `onResponse` does not run if the caller disconnects; the event `close` of the raw response is always emitted.
 * @param permit null: the request needs none
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

/** The controller that aborts the work of a request when the caller disconnects or the service stops. */
export function cancelOf(request: FastifyRequest, reply: FastifyReply): AbortController {
  const cancel = new AbortController();
  // While the body was received.
  if (request.permit?.signal.aborted === true) cancel.abort(HOLDING_LOST);
  // With an Idempotency-Key the caller will ask again for the result, so the scrape continues.
  if (request.idempotentRun === null) {
    request.cancel = cancel;
    if (reply.raw.destroyed) cancel.abort(CLIENT_DISCONNECTED);
  }
  return cancel;
}

/**
 * The memory reservation of a request. `releaseOnClose` closes it. If the caller has disconnected already, it is closed at
 * once, because the event `close` has passed.
 */
export function memoryOf(request: FastifyRequest, budget: MemoryBudget): MemoryReservation {
  request.memory ??= budget.open();
  if (request.raw.socket.destroyed) request.memory.close();
  return request.memory;
}

/** How long a request for a stored content waits for memory. */
export const MEMORY_WAIT_MS = 10_000;

/**
 * Reads a blob into memory that is freed when the response has been written. Throws a Refusal if there is not enough memory.
 * @param size of the decompressed blob, in bytes
 * @returns null: the blob was deleted
 */
export async function readBlob(
  request: FastifyRequest,
  key: string,
  size: number,
  { memory, blobs }: { readonly memory: MemoryBudget; readonly blobs: BlobStore },
): Promise<Uint8Array | null> {
  const reservation = memoryOf(request, memory);
  request.cancel ??= new AbortController();
  using deadline = deadlineUnder(MEMORY_WAIT_MS, request.cancel.signal);
  // Twice the size, because the blob is decompressed into pieces, which are then joined. It does not grow any further.
  const maxSize = 2 * size;
  const waiting = reservation.reserve(maxSize, maxSize, deadline.signal);
  if (waiting !== null && !(await waiting)) throw outOfMemoryRefusal();
  const bytes = await blobs.get(key);
  if (bytes !== null) reservation.adopt(bytes);
  reservation.shrink(size, size);
  return bytes;
}

export const outOfMemoryRefusal = (): Refusal =>
  Refusal.of('service.unavailable', 'There is not enough memory for this content now; retry soon.');
