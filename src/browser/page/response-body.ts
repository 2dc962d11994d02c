import { type MemoryReservation, SMALL_BYTES } from '../../base/memory-budget.ts';
import { DEADLINE_EXCEEDED, systemClock } from '../../base/time.ts';
import { orAborted } from '../../base/wait.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { ResponseTap, TapHandle } from '../../egress/gateway/gateway.ts';
import { DeadlineWatcher } from '../../http-client/deadline-watcher.ts';
import { ResponseParser, type ResponseSink } from '../../http-client/http1-parser.ts';
import type { ResponseHead } from '../../http-client/response-head.ts';
import { ResponseReader, type ResponseResult } from '../../http-client/response-reader.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import { headerValue, type NavigationResponse, type ResponseHandling } from './response.ts';

/**
 * Bounds for the size of a read. The browser returns a chunk only when it is full, so a slow body is read in small chunks: then
 * little is lost at the deadline.
 */
const MIN_READ_BYTES = 64;
const MAX_READ_BYTES = 256 * 1024;
/** The size changes by this factor after each read: it grows after a fast one, and shrinks after a slow one. */
const READ_SIZE_FACTOR = 8;
const FAST_READ_MS = 10;

interface ReadBodyOptions {
  readonly maxBytes: number;
  readonly memory: MemoryReservation;
  readonly signal: AbortSignal;
}

/** Reads the decoded body of a paused response until its end, `maxBytes` or the deadline. Fails if there is no memory for it. */
export async function readResponseBody(
  cdp: CdpSession,
  requestId: string,
  response: NavigationResponse,
  { maxBytes, memory, signal }: ReadBodyOptions,
): Promise<{ body: Uint8Array; cut: Failure | null } | Failure> {
  const pieces: Buffer[] = [];
  let length = 0;
  let size = MIN_READ_BYTES;
  let cut: Failure | null = null;
  try {
    const { stream } = await cdp.send('Fetch.takeResponseBodyAsStream', { requestId });
    for (;;) {
      if (signal.aborted) {
        if (signal.reason === DEADLINE_EXCEEDED)
          cut = failure('timeout.total', 'The request timed out before the whole body was received.');
        else return failure('request.cancelled', 'The client disconnected.');
        break;
      }
      const requestedAt = performance.now();
      const { data, base64Encoded, eof } = await orAborted(
        cdp.send('IO.read', { handle: stream, size }),
        signal,
      );
      const piece = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
      if (length + piece.length > SMALL_BYTES) {
        const reserved = memory.reserve(length + piece.length, maxBytes, signal);
        if (reserved !== null && !(await reserved))
          return failure(
            'service.unavailable',
            'The request timed out while it waited for memory for the body.',
          );
      }
      size =
        performance.now() - requestedAt < FAST_READ_MS
          ? Math.min(MAX_READ_BYTES, size * READ_SIZE_FACTOR)
          : Math.max(MIN_READ_BYTES, size / READ_SIZE_FACTOR);
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) {
        cut = failure('content.truncated', `The content was cut at ${maxBytes} bytes.`);
        break;
      }
      if (eof) break;
    }
  } catch {
    if (signal.aborted && signal.reason !== DEADLINE_EXCEEDED)
      return failure('request.cancelled', 'The client disconnected.');
    cut = signal.aborted
      ? failure('timeout.total', 'The request timed out before the whole body was received.')
      : failure('content.incomplete', 'The response body ended early.');
  }
  const all = Buffer.concat(pieces, length);
  const body = new Uint8Array(all.subarray(0, maxBytes));
  if (body.length > SMALL_BYTES) memory.adopt(body);
  return { body, cut: cut ?? lengthMismatch(response, length) };
}

/** Whether the body ended early or could not be decoded: the browser does not report that, but the length shows it. */
function lengthMismatch({ headers, method, status }: NavigationResponse, length: number): Failure | null {
  if (method === 'HEAD' || status === 204 || status === 205 || status === 304) return null;
  const expected = Number(headerValue(headers, 'content-length') ?? Number.NaN);
  if (!(expected > 0)) return null;
  const isEncoded = headerValue(headers, 'content-encoding') !== null;
  if (isEncoded)
    return length === 0
      ? failure('content.decode_failed', 'The content coding of the response is broken.')
      : null;
  return length < expected
    ? failure('content.incomplete', `The response body ended early, after ${length} bytes.`)
    : null;
}

const GZIP = /^(?:x-)?gzip$/i;
/** The first byte of every gzip body (RFC 1952 §2.3.1). */
const GZIP_FIRST_BYTE = 0x1f;

/**
 * A response over http, whose bytes the gateway passes on ("taps"). It is parsed here, with the same result as in the scraper
 * `http`. The body is read here if the browser will not show it, or if it is not gzip although it is declared to be.
 */
export class TappedResponse implements ResponseSink {
  head: ResponseHead | null = null;
  /** The body is read here, and withheld from the browser. */
  takesBody = false;
  readonly #reader: ResponseReader;
  readonly #watcher: DeadlineWatcher;
  readonly #parser = new ResponseParser(this);
  readonly #method: string;
  readonly #handling: (head: ResponseHead) => ResponseHandling;
  readonly #onTaken: () => void;
  /** The first byte of the body decides: the browser shows it if it is gzip. */
  #checksCoding = false;
  #handle: TapHandle | null = null;
  /** The response came from a cache, or is not needed: the next response for this URL belongs to another request. */
  #closed = false;

  /**
   * @param callbacks `handling` decides, from the head, who reads the body. `onTaken` is called when it is read here: the browser
   * may then report the response much later, or never.
   */
  constructor(
    method: string,
    { task, reservation, deadline }: FetchRequest,
    callbacks: { handling: (head: ResponseHead) => ResponseHandling; onTaken: () => void },
  ) {
    this.#method = method;
    this.#handling = callbacks.handling;
    this.#onTaken = callbacks.onTaken;
    this.#watcher = new DeadlineWatcher(deadline, null);
    const memory = { reservation, signal: deadline.signal };
    const maxBytes = task.options.maxContentBytes;
    // For the reader, a body that is not read here is like that of a followed redirect: it ends with the head.
    const followsRedirect = () => !this.takesBody && !this.#checksCoding;
    this.#reader = new ResponseReader(
      { maxBytes, memory, followsRedirect, onFinalHead: () => {} },
      systemClock,
    );
    this.#watcher.watch(this.#reader);
    void this.#reader.result.then(() => this.#watcher.dispose());
  }

  /** For `GatewaySession.tap`. */
  readonly open = (handle: TapHandle): ResponseTap => {
    if (this.#closed) return { feed: () => {}, end: () => {} };
    this.#handle = handle;
    this.#parser.start(this.#method);
    this.#reader.onSent({ pause: handle.pause, resume: handle.resume, cancel: handle.release });
    return {
      feed: (piece) => {
        this.#reader.onBytes(piece.length);
        this.#parser.feed(piece);
      },
      end: (lost) => {
        if (lost) this.#parser.connectionLost('The target reset the connection.');
        else this.#parser.end();
      },
    };
  };

  /** Settles with the body if it is read here, or at the deadline. */
  get result(): Promise<ResponseResult> {
    return this.#reader.result;
  }

  get downloadMs(): number | null {
    return this.#reader.download;
  }

  dispose(): void {
    this.#closed = true;
    this.#watcher.dispose();
    this.#parser.stop();
    this.#handle?.release();
  }

  onHead(head: ResponseHead): void {
    this.head = head;
    const handling = this.#handling(head);
    this.#checksCoding = handling === 'show' && GZIP.test(head.contentEncoding ?? '');
    this.takesBody = handling === 'take';
    if (!this.#reader.onHead(head)) this.#release();
    else if (this.takesBody) this.#take();
  }

  onBody(piece: Buffer): void {
    if (this.#checksCoding) {
      this.#checksCoding = false;
      if (piece[0] === GZIP_FIRST_BYTE) {
        this.#release();
        this.#reader.onComplete();
        return;
      }
      this.#take();
    }
    this.#reader.onBody(piece);
  }

  /** From now on, the bytes of the body go to the reader, not to the browser. */
  #take(): void {
    this.takesBody = true;
    this.#handle!.divert();
    this.#onTaken();
  }

  /** From now on, the gateway passes the bytes to the browser alone. */
  #release(): void {
    this.#parser.stop();
    this.#handle!.release();
  }

  onComplete(): void {
    this.#handle!.release();
    this.#reader.onComplete();
  }

  onProtocolError(message: string): void {
    this.#handle!.release();
    this.#reader.onProtocolError(message);
  }

  onConnectionLost(message: string): void {
    this.#reader.onConnectionLost(message);
  }
}
