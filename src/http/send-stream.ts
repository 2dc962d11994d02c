import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** A caller that takes a piece (a few hundred KiB at most) no faster than this is cut off. */
const STALL_MS = 30_000;
/** Between two pieces others get their turn, however fast the caller is: making them would take half of this thread. */
const PAUSE_MS = 4;

/**
 * Sends what is still being made, the next piece when the one before has left. No more is made once the caller has
 * hung up. What the first piece throws is thrown; later there is no way to say it but to break the connection.
 * @param onTrouble told of what a later piece threw
 */
export async function sendStream(
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
  onTrouble: (error: unknown) => void,
  stallMs = STALL_MS,
): Promise<FastifyReply> {
  let next = await pieces.next();
  reply.hijack();
  const { raw } = reply;
  // A failed write closes the reply; nobody else listens.
  raw.on('error', () => {});
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  try {
    while (next.done !== true && !raw.destroyed) {
      if (next.value !== '') await written(raw, next.value, stallMs);
      await pause(PAUSE_MS);
      if (!raw.destroyed) next = await pieces.next();
    }
    raw.end();
  } catch (error) {
    onTrouble(error);
    raw.destroy();
  } finally {
    await pieces.return(undefined);
  }
  return reply;
}

/** Settles when the piece is with the operating system, or never will be. */
function written(raw: ServerResponse, piece: string, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stall = setTimeout(() => raw.destroy(), stallMs);
    const done = () => {
      clearTimeout(stall);
      raw.off('close', done);
      resolve();
    };
    raw.once('close', done);
    raw.write(piece, done);
  });
}
