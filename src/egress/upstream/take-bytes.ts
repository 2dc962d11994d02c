import type { Socket } from 'node:net';

export interface Talk<T> {
  readonly socket: Socket;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /**
   * Called with all that has come and was not taken.
   * @returns null: more is needed; else what it came to, and how many bytes belong to it
   */
  readonly read: (bytes: Buffer) => { readonly value: T; readonly length: number } | null;
}

/** Why there is no answer: `closed` also stands for an error of the socket. */
export type NoAnswer = 'closed' | 'timeout' | 'left';

/**
 * Reads from a socket until what came makes sense; what came beyond it stays in the socket. Without listeners on the
 * socket afterwards. Never rejects.
 */
export function takeBytes<T>({ socket, signal, limitMs, read }: Talk<T>): Promise<{ value: T } | NoAnswer> {
  return new Promise((resolve) => {
    let come: Buffer = Buffer.alloc(0);
    const settle = (result: { value: T } | NoAnswer) => {
      clearTimeout(timer);
      socket.removeListener('readable', onReadable);
      socket.removeListener('end', onClosed);
      socket.removeListener('close', onClosed);
      socket.removeListener('error', onClosed);
      signal.removeEventListener('abort', onLeft);
      resolve(result);
    };
    const onReadable = () => {
      for (let piece = socket.read() as Buffer | null; piece !== null; piece = socket.read()) {
        come = come.length === 0 ? piece : Buffer.concat([come, piece]);
        const end = read(come);
        if (end === null) continue;
        if (end.length < come.length) socket.unshift(come.subarray(end.length));
        return settle({ value: end.value });
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
