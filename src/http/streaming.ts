import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { sleep } from '../base/wait.ts';

export interface TransferLimits {
  /** No piece (at most 256 KiB) may take longer to leave: the system's buffers drain in steps of up to a MiB. */
  readonly stallMs: number;
  /** After the grace an answer must have gone out at this pace, on average. */
  readonly bytesPerMs: number;
  readonly graceMs: number;
}

/** 128 kbit/s after the first minute. */
const TRANSFER_LIMITS: TransferLimits = { stallMs: 30_000, bytesPerMs: 16, graceMs: 60_000 };

/** Those that have a piece to write. */
const pendingWrites: (() => void)[] = [];

/** One piece in each turn of the event loop, whoever's: with hundreds of large answers, too, small ones get through. */
function scheduleWrite(write: () => void): void {
  pendingWrites.push(write);
  if (pendingWrites.length === 1) setImmediate(writeNext);
}

function writeNext(): void {
  pendingWrites[0]!();
  pendingWrites.shift();
  if (pendingWrites.length > 0) setImmediate(writeNext);
}

/**
 * Writes a large answer piece by piece (byte strings), the next one when the one before has left and it is its turn.
 * A caller who does not read is cut off: its answer holds memory that others wait for. Whoever holds that memory frees
 * it when the raw reply is closed.
 */
export function sendPieces(
  reply: FastifyReply,
  pieces: Iterator<string | Uint8Array>,
  pace = TRANSFER_LIMITS,
): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  const began = performance.now();
  let sent = 0;
  const cutOff = () => raw.destroy();
  const stall = setTimeout(cutOff, pace.stallMs);
  raw.once('close', () => clearTimeout(stall));
  const next = () => {
    if (raw.destroyed) return;
    const elapsed = performance.now() - began;
    if (elapsed > pace.graceMs && sent < elapsed * pace.bytesPerMs) return void cutOff();
    stall.refresh();
    let piece: IteratorResult<string | Uint8Array>;
    try {
      piece = pieces.next();
    } catch (error) {
      raw.destroy(error as Error);
      return;
    }
    if (piece.done === true) {
      raw.end();
      return;
    }
    sent += piece.value.length;
    raw.write(piece.value, 'latin1', (error) => {
      if (error == null) scheduleWrite(next);
    });
  };
  // A failed write closes the reply; nobody else listens.
  raw.on('error', () => {});
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  scheduleWrite(next);
  return reply;
}

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
      if (next.value !== '') await writeAndWait(raw, next.value, stallMs);
      await sleep(PAUSE_MS);
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
function writeAndWait(raw: ServerResponse, piece: string, stallMs: number): Promise<void> {
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
