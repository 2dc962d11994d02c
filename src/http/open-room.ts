import type { FastifyRequest } from 'fastify';
import type { ByteBudget } from '../base/byte-budget.ts';
import type { ByteRoom } from '../base/byte-room.ts';

/**
 * The memory of a request, which is given back when the answer has left, or its caller. For a caller who has left
 * already it is closed, and gives nothing: what gives back has run then, and would not come again.
 */
export function openRoom(request: FastifyRequest, memory: ByteBudget): ByteRoom {
  request.room ??= memory.open();
  if (request.raw.socket.destroyed) request.room.close();
  return request.room;
}
