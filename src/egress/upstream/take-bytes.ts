import type { Socket } from 'node:net';

export interface Talk<T> {
  readonly socket: Socket;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /**
   * Called with all that has come and was not taken. What it throws is `unreadable`.
   * @returns null: more is needed; else what it came to, and how many bytes belong to it
   */
  readonly read: (bytes: Buffer) => { readonly value: T; readonly length: number } | null;
}

/** Why there is no answer: `closed` also stands for an error of the socket. */
export type NoAnswer = 'closed' | 'timeout' | 'left' | 'unreadable';

interface Come {
  readonly room: Buffer;
  readonly length: number;
}

const NOTHING = Buffer.alloc(0);

/**
 * Reads from a socket until what came makes sense; what came beyond it stays in the socket. Without listeners on the
 * socket afterwards. Never rejects.
 */
export function takeBytes<T>({ socket, signal, limitMs, read }: Talk<T>): Promise<{ value: T } | NoAnswer> {
  return new Promise((resolve) => {
    let come: Come = { room: NOTHING, length: 0 };
    const settle = (result: { value: T } | NoAnswer) => {
      clearTimeout(timer);
      socket.removeListener('readable', onReadable);
      socket.removeListener('end', onClosed);
      socket.removeListener('close', onClosed);
      socket.removeListener('error', onClosed);
      signal.removeEventListener('abort', onLeft);
      resolve(result);
    };
    const readOn = () => {
      for (let piece = socket.read() as Buffer | null; piece !== null; piece = socket.read()) {
        come = joined(come, piece);
        const bytes = come.room.subarray(0, come.length);
        const end = read(bytes);
        if (end === null) continue;
        if (end.length < bytes.length) socket.unshift(bytes.subarray(end.length));
        return settle({ value: end.value });
      }
    };
    const onReadable = () => {
      try {
        readOn();
      } catch {
        // Thrown out of a listener it would end the process, and what came is the peer's to choose.
        settle('unreadable');
      }
    };
    const onClosed = () => settle('closed');
    const onLeft = () => settle('left');
    const timer = setTimeout(() => settle('timeout'), limitMs);
    if (signal.aborted) return settle('left');
    signal.addEventListener('abort', onLeft, { once: true });
    socket.on('readable', onReadable);
    socket.once('end', onClosed);
    socket.once('close', onClosed);
    socket.once('error', onClosed);
    if (socket.destroyed) onClosed();
  });
}

/** Doubles its room, so that a peer that sends byte by byte costs no copy of everything for each. */
function joined({ room, length }: Come, piece: Buffer): Come {
  const sum = length + piece.length;
  if (length === 0) return { room: piece, length: sum };
  let larger = room;
  if (sum > room.length) {
    larger = Buffer.allocUnsafe(2 * sum);
    room.copy(larger, 0, 0, length);
  }
  piece.copy(larger, length);
  return { room: larger, length: sum };
}
