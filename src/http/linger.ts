import type { Socket } from 'node:net';

const LINGER_MS = 1_000;

/**
 * Ends a connection slowly (RFC 9112 §9.6): our side closes, and what still comes is thrown away for a second. Closed at
 * once, with unread bytes, the caller would get a reset that can wipe out the answer; left to the caller, it might never
 * end.
 * @param last what is still to be written
 */
export function endSlowly(socket: Socket, last = ''): void {
  socket.end(last);
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(late));
}

/** Makes an answer that says `Connection: close` end its connection slowly. */
export function linger(socket: Socket): void {
  // What Node calls after such an answer.
  socket.destroySoon = () => endSlowly(socket);
}
