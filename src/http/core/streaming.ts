import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { sleep } from '../../base/wait.ts';

export interface TransferLimits {
  /** Time limit for sending one piece (at most 256 KiB). Long, because the system's buffers drain in steps of up to a MiB. */
  readonly stallMs: number;
  /** Minimum average rate of the whole response, checked after `graceMs`. */
  readonly bytesPerMs: number;
  readonly graceMs: number;
}

/** 128 kbit/s after the first minute. */
const TRANSFER_LIMITS: TransferLimits = { stallMs: 30_000, bytesPerMs: 16, graceMs: 60_000 };

/** Responses with a piece to write, in the order of their turns. */
const pendingWrites: (() => void)[] = [];

/** Writes one piece in each turn of the event loop, so that hundreds of large responses do not delay small ones. */
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
 * Sends a large response piece by piece. When a piece has been sent, the next one takes its turn in `scheduleWrite`. A caller
 * that reads too slowly is disconnected, because the response occupies memory that other requests wait for. The memory is
 * freed at the event `close` of the raw reply.
 * @param pieces bytes, or latin1 strings with one character per byte
 */
export function sendPieces(
  reply: FastifyReply,
  pieces: Iterator<string | Uint8Array>,
  limits = TRANSFER_LIMITS,
): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  writePieces(reply.raw, pieces, limits);
  return reply;
}

/** The same for a response whose head is written. */
export function writePieces(
  raw: ServerResponse,
  pieces: Iterator<string | Uint8Array>,
  limits = TRANSFER_LIMITS,
): void {
  const startedAt = performance.now();
  let sent = 0;
  const disconnect = () => raw.destroy();
  const stall = setTimeout(disconnect, limits.stallMs);
  raw.once('close', () => clearTimeout(stall));
  const next = () => {
    if (raw.destroyed) return;
    const elapsed = performance.now() - startedAt;
    if (elapsed > limits.graceMs && sent < elapsed * limits.bytesPerMs) return void disconnect();
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
  // A failed write closes the reply. Without a listener, the error would end the process.
  raw.on('error', () => {});
  scheduleWrite(next);
}

/** Time limit for sending one piece (at most a few hundred KiB). A slower caller is disconnected. */
const STALL_MS = 30_000;
/** Pause between two pieces, because creating them without pause would take half of this thread's time. */
const PAUSE_MS = 4;

/**
 * Sends pieces, each created when the one before has been sent. Stops when the caller disconnects. Rejects if the first piece
 * fails; a later error closes the connection, because the status has been sent already.
 * @param onTrouble gets the error of a later piece
 */
export async function sendStream(
  reply: FastifyReply,
  pieces: AsyncGenerator<string | Uint8Array>,
  onTrouble: (error: unknown) => void,
  stallMs = STALL_MS,
): Promise<FastifyReply> {
  let next = await pieces.next();
  reply.hijack();
  const { raw } = reply;
  // A failed write closes the reply. Without a listener, the error would end the process.
  raw.on('error', () => {});
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  raw.flushHeaders();
  try {
    while (next.done !== true && !raw.destroyed) {
      if (next.value.length > 0) await writeAndWait(raw, next.value, stallMs);
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

/** Resolves when the operating system has the piece, or when the connection is closed. */
function writeAndWait(raw: ServerResponse, piece: string | Uint8Array, stallMs: number): Promise<void> {
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
