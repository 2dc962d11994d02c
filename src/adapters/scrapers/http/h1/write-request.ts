import type { Socket } from 'node:net';
import type { RequestBytes } from './request-text.ts';

/** Up to this size head and body leave in one write. */
const SMALL = 65_536;
const SLICE = 65_536;

/**
 * Writes a request; a large body goes in slices, each when the one before has left, so that an early answer is seen in
 * between.
 * @param done called when all is with the system, never for a request that went at once
 * @returns stops writing; null when all went at once
 */
export function writeRequest(
  socket: Socket,
  { head, body }: RequestBytes,
  done: () => void,
): (() => void) | null {
  if (body === null || body.length === 0) {
    socket.write(head, 'latin1');
    return null;
  }
  const first = Math.min(body.length, Math.max(0, SMALL - head.length));
  const bytes = Buffer.allocUnsafe(head.length + first);
  bytes.write(head, 0, 'latin1');
  bytes.set(first === body.length ? body : body.subarray(0, first), head.length);
  if (first === body.length) {
    socket.write(bytes);
    return null;
  }
  return writeSlices(socket, bytes, body, first, done);
}

function writeSlices(
  socket: Socket,
  start: Uint8Array,
  body: Uint8Array,
  from: number,
  done: () => void,
): () => void {
  let at = from;
  let stopped = false;
  const next = (error?: Error | null) => {
    if (stopped || error) return;
    if (at >= body.length) return done();
    const slice = body.subarray(at, Math.min(body.length, at + SLICE));
    at += slice.length;
    socket.write(slice, next);
  };
  socket.write(start, next);
  return () => {
    stopped = true;
  };
}
