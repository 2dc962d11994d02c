import type { FastifyReply } from 'fastify';

export interface Pace {
  /** No piece (at most 256 KiB) may take longer to leave: the system's buffers drain in steps of up to a MiB. */
  readonly stallMs: number;
  /** After the grace an answer must have gone out at this pace, on average. */
  readonly bytesPerMs: number;
  readonly graceMs: number;
}

/** 128 kbit/s after the first minute. */
const PACE: Pace = { stallMs: 30_000, bytesPerMs: 16, graceMs: 60_000 };

/** Those that have a piece to write. */
const waiting: (() => void)[] = [];

/** One piece in each turn of the event loop, whoever's: with hundreds of large answers, too, small ones get through. */
function inTurn(write: () => void): void {
  waiting.push(write);
  if (waiting.length === 1) setImmediate(writeOne);
}

function writeOne(): void {
  waiting[0]!();
  waiting.shift();
  if (waiting.length > 0) setImmediate(writeOne);
}

/**
 * Writes a large answer piece by piece (byte strings), the next one when the one before has left and it is its turn.
 * A caller who does not read is cut off: its answer holds memory that others wait for. Whoever holds that memory frees
 * it when the raw reply is closed.
 */
export function sendPieces(
  reply: FastifyReply,
  pieces: Iterator<string | Uint8Array>,
  pace = PACE,
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
      if (error == null) inTurn(next);
    });
  };
  // A failed write closes the reply; nobody else listens.
  raw.on('error', () => {});
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  inTurn(next);
  return reply;
}
