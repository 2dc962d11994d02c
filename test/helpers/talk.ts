import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Talk {
  /** Latin-1 of all that came. */
  readonly text: string;
  /** Status codes of the answers in it, in order. */
  readonly statuses: readonly number[];
  /** The other side closed; false: it was still open when the time was up. */
  readonly closed: boolean;
  readonly ms: number;
}

/** A machine that is busy may take so long for an answer. */
const PATIENCE_MS = 10_000;

/**
 * Says the parts over one plain connection with a pause between them, and listens until the other side closes, or has
 * answered and `ms` have passed since the last part.
 * @param answer false: it is not waited for
 */
export async function talk(
  port: number,
  parts: readonly (string | Uint8Array)[],
  {
    ms = 400,
    gapMs = 30,
    answer = true,
  }: { readonly ms?: number; readonly gapMs?: number; readonly answer?: boolean } = {},
): Promise<Talk> {
  const begun = performance.now();
  let text = '';
  let closed = false;
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.on('data', (bytes: string) => {
    text += bytes;
  });
  socket.on('error', () => {});
  const end = new Promise<void>((resolve) => {
    socket.once('close', () => {
      closed = true;
      resolve();
    });
  });
  for (const part of parts) {
    if (closed) break;
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    await pause(gapMs);
  }
  const statuses = () =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n/g)].map((found) => Number(found[1]));
  await Promise.race([end, pause(ms, undefined, { ref: false })]);
  // What invites to go on (1xx) is no answer.
  const answered = () => statuses().some((status) => status >= 200);
  for (const late = begun + PATIENCE_MS; answer && !closed && !answered() && performance.now() < late; )
    await pause(10);
  const ended = closed;
  socket.destroy();
  return { text, statuses: statuses(), closed: ended, ms: performance.now() - begun };
}
