import { type ByteRoom, SMALL_BYTES } from '../../../../base/byte-room.ts';
import { DEADLINE } from '../../../../base/deadline.ts';
import { type Failure, failure } from '../../../../domain/failure.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Answer } from './answer.ts';
import { fieldOf } from './header-lines.ts';

/**
 * A browser answers a read when all of it is there: what comes slowly is read in small pieces, so that it is not lost
 * when the time is up.
 */
const LEAST = 64;
const MOST = 256 * 1024;
const STEP = 8;
const FAST_MS = 10;

export interface RawAsk {
  readonly limit: number;
  readonly room: ByteRoom;
  readonly signal: AbortSignal;
}

/** The bytes of a paused answer, decoded, as far as they come; a failure when there was no room for them. */
export async function readRaw(
  cdp: CdpSession,
  requestId: string,
  answer: Answer,
  { limit, room, signal }: RawAsk,
): Promise<{ body: Uint8Array; cut: Failure | null } | Failure> {
  const pieces: Buffer[] = [];
  let length = 0;
  let size = LEAST;
  let cut: Failure | null = null;
  try {
    const { stream } = await cdp.send('Fetch.takeResponseBodyAsStream', { requestId });
    for (;;) {
      if (signal.aborted) {
        if (signal.reason === DEADLINE)
          cut = failure('timeout.total', 'The request timed out before the whole body was received.');
        else return failure('request.cancelled', 'The client disconnected.');
        break;
      }
      const asked = performance.now();
      const { data, base64Encoded, eof } = await orAborted(
        cdp.send('IO.read', { handle: stream, size }),
        signal,
      );
      const piece = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
      if (length + piece.length > SMALL_BYTES) {
        const waits = room.reserve(length + piece.length, limit, signal);
        if (waits !== null && !(await waits))
          return failure(
            'service.unavailable',
            'The request timed out while it waited for memory for the body.',
          );
      }
      size = performance.now() - asked < FAST_MS ? Math.min(MOST, size * STEP) : Math.max(LEAST, size / STEP);
      pieces.push(piece);
      length += piece.length;
      if (length > limit) {
        cut = failure('content.truncated', `The content was cut at ${limit} bytes.`);
        break;
      }
      if (eof) break;
    }
  } catch {
    if (signal.aborted && signal.reason !== DEADLINE)
      return failure('request.cancelled', 'The client disconnected.');
    cut = signal.aborted
      ? failure('timeout.total', 'The request timed out before the whole body was received.')
      : failure('content.incomplete', 'The response body ended early.');
  }
  const all = Buffer.concat(pieces, length);
  const body = new Uint8Array(all.subarray(0, limit));
  if (body.length > SMALL_BYTES) room.adopt(body);
  return { body, cut: cut ?? shortOf(answer, length) };
}

/** The browser tells the end of a broken body like any other: its length tells more. */
function shortOf({ headers, method, status }: Answer, length: number): Failure | null {
  if (method === 'HEAD' || status === 204 || status === 205 || status === 304) return null;
  const told = Number(fieldOf(headers, 'content-length') ?? Number.NaN);
  if (!(told > 0)) return null;
  const coded = fieldOf(headers, 'content-encoding') !== null;
  if (coded)
    return length === 0
      ? failure('content.decode_failed', 'The content coding of the response is broken.')
      : null;
  return length < told
    ? failure('content.incomplete', `The response body ended early, after ${length} bytes.`)
    : null;
}

export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  if (signal.aborted) throw signal.reason;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
