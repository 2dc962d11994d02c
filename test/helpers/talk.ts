import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What came back over one connection. */
export interface TalkResult {
  /** Everything received, in Latin-1. */
  readonly text: string;
  /** Status codes of the responses, in order. */
  readonly statuses: readonly number[];
  /** Whether the other side has closed the connection. */
  readonly closed: boolean;
  /** Duration of the call. */
  readonly ms: number;
}

/** How long a response may take on a busy machine. */
const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * Sends the pieces over one TCP connection to loopback, with `gapMs` after each. Then receives until the other side
 * closes, or until `ms` have passed and a response has arrived.
 * @param waitForResponse false: does not wait for a response after `ms`
 */
export async function talk(
  port: number,
  pieces: readonly (string | Uint8Array)[],
  {
    ms = 400,
    gapMs = 30,
    waitForResponse = true,
  }: { readonly ms?: number; readonly gapMs?: number; readonly waitForResponse?: boolean } = {},
): Promise<TalkResult> {
  const begun = performance.now();
  let text = '';
  let closed = false;
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.on('data', (bytes: string) => {
    text += bytes;
  });
  socket.on('error', () => {});
  const close = new Promise<void>((resolve) => {
    socket.once('close', () => {
      closed = true;
      resolve();
    });
  });
  for (const piece of pieces) {
    if (closed) break;
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    await pause(gapMs);
  }
  const statuses = () =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n/g)].map((found) => Number(found[1]));
  await Promise.race([close, pause(ms, undefined, { ref: false })]);
  // An interim response (1xx) does not count.
  const answered = () => statuses().some((status) => status >= 200);
  for (
    const end = begun + RESPONSE_TIMEOUT_MS;
    waitForResponse && !closed && !answered() && performance.now() < end;
  )
    await pause(10);
  const closedByPeer = closed;
  socket.destroy();
  return { text, statuses: statuses(), closed: closedByPeer, ms: performance.now() - begun };
}
