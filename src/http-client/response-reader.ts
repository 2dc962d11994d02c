import type { BodyMemory } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import { type BodyDecoder, createBodyDecoder, type DecodedBody } from '../content/codings/body-decoder.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { ResponseHead } from './response-head.ts';

/**
 * Why a body is incomplete; null: it is complete. If compressed data ends early, the cause is the lost connection, if there was
 * one; if it is invalid, the data itself is the cause.
 * @param transportFailure why the transfer ended early; null: it did not
 */
function bodyFailure(body: DecodedBody, transportFailure: Failure | null, limit: number): Failure | null {
  switch (body.state) {
    case 'whole':
      return transportFailure;
    case 'over_limit':
      return failure('content.truncated', `The content was cut after ${limit} bytes.`, {
        details: { limit },
      });
    case 'decode_failed':
      return transportFailure?.code === 'timeout.total' ? transportFailure : decodeFailure(body);
    case 'decode_truncated':
      return transportFailure ?? decodeFailure(body);
  }
}

function decodeFailure(body: DecodedBody): Failure {
  const detail = body.detail ?? 'The coded data ends too early.';
  return failure('content.decode_failed', `The body cannot be decoded. ${detail}`);
}

/** The connection or stream from which a response comes. */
export interface ResponseSource {
  pause(): void;
  resume(): void;
  /** Ends the exchange at once; nothing more is reported to the reader. */
  cancel(): void;
}

export type ResponseResult =
  | {
      readonly failure: null;
      readonly head: ResponseHead;
      /** null: a redirect that is followed; its body is not read. */
      readonly body: DecodedBody | null;
      /** Why the body is incomplete; null: it is complete. */
      /** Why the body is incomplete; null: it is complete. */
      readonly cut: Failure | null;
    }
  | {
      readonly failure: Failure;
      readonly head: null;
      /**
       * Why the request may succeed on another connection. `unprocessed`: the target has not acted on the request. `silent`: no byte
       * came; `malformed`: no HTTP response came. The last two may be the fault of a pooled connection. null: another connection would not help.
       */
      readonly retryableAs: 'unprocessed' | 'silent' | 'malformed' | null;
    };

export interface ResponseOptions {
  /** Limit of decoded bytes. */
  readonly maxBytes: number;
  /** Provides memory for large bodies. While a body waits for memory, nothing is read. */
  readonly memory: BodyMemory;
  /** Whether the response is a redirect that will be followed. */
  readonly followsRedirect: (head: ResponseHead) => boolean;
  /** Called for a head that is not a followed redirect: this response becomes the page. */
  readonly onFinalHead: () => void;
}

/** The deadline has ended during a wait for memory (contract §8 e). */
const NO_MEMORY = failure(
  'service.unavailable',
  'The request timed out while it waited for memory for the page; other scrapes use it.',
);

const EMPTY_BODY: DecodedBody = { bytes: new Uint8Array(0), state: 'whole', undecoded: false, detail: null };

/**
 * Reads the response to one request, over HTTP/1 or HTTP/2. The source reports what it receives through the `on…` methods;
 * the `DeadlineWatcher` may `abort`. `result` settles at the first end and never rejects.
 */
export class ResponseReader {
  readonly result: Promise<ResponseResult>;
  readonly #options: ResponseOptions;
  readonly #clock: Clock;
  #settle!: (result: ResponseResult) => void;
  #source: ResponseSource | null = null;
  #head: ResponseHead | null = null;
  #decoder: BodyDecoder | null = null;
  /** A push to the decoder has not settled yet; further pieces are queued. */
  #decoderBusy = false;
  #queue: Buffer[] = [];
  /** The body has ended, or nothing more of it is needed: further input is ignored. */
  #inputEnded = false;
  /** `end` of the decoder was called. */
  #decoderEnded = false;
  #transportFailure: Failure | null = null;
  #settled = false;
  #sentAt = 0;
  #firstByteAt = 0;
  /** Bytes of head and body so far, before decoding. */
  bytesIn = 0;
  /** ms from sending the request to the first byte of the response. */
  ttfb: number | null = null;
  /** ms from the first byte to the end of the response. */
  download: number | null = null;

  constructor(options: ResponseOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The request is sent now, and the response will come from this source. Another call restarts the time to first byte. */
  onSent(source: ResponseSource): void {
    this.#source = source;
    this.#sentAt = this.#clock.monotonic();
  }

  onBytes(count: number): void {
    if (this.bytesIn === 0) {
      this.#firstByteAt = this.#clock.monotonic();
      this.ttfb = this.#firstByteAt - this.#sentAt;
    }
    this.bytesIn += count;
  }

  /** @returns false when the body is not needed: the reader has settled */
  onHead(head: ResponseHead): boolean {
    if (this.#inputEnded) return false;
    this.#head = head;
    if (this.#options.followsRedirect(head)) {
      this.#finish({ failure: null, head, body: null, cut: null });
      return false;
    }
    this.#options.onFinalHead();
    return true;
  }

  /** @param shared the piece is in a shared buffer, and must be copied to keep it */
  onBody(piece: Buffer, shared = false): void {
    if (this.#inputEnded) return;
    if (this.#decoderBusy) this.#queue.push(shared ? Buffer.from(piece) : piece);
    else this.#push(piece, shared);
  }

  /** The decoder has copied all pieces so far, so their memory may be freed. */
  get piecesCopied(): boolean {
    return !this.#decoderBusy && this.#decoder?.copiesInput === true;
  }

  onComplete(): void {
    this.#endInput(null);
  }

  /**
   * The connection ended or was lost.
   * @param unprocessed the target says that it has not processed the request
   * @param cause the failure, if it is more specific than `connect.reset`
   */
  onConnectionLost(
    message: string,
    {
      unprocessed = false,
      cause = null,
    }: { readonly unprocessed?: boolean; readonly cause?: Failure | null } = {},
  ): void {
    if (this.#head !== null) {
      this.#endInput(failure('content.incomplete', `The response body ended early: ${message}`));
      return;
    }
    const retryableAs = unprocessed ? 'unprocessed' : this.bytesIn === 0 ? 'silent' : null;
    this.#fail(cause ?? failure('connect.reset', message), retryableAs);
  }

  /**
   * The response is not valid HTTP.
   * @param message a sentence about it: `It has …` @param cause the failure, if the target is not to blame
   */
  onProtocolError(message: string, cause: Failure | null = null): void {
    if (this.#head !== null) {
      this.#endInput(failure('content.incomplete', `The response body ended early: ${message}`));
      return;
    }
    const invalid = failure('http.protocol', `The response of the target is not valid HTTP. ${message}`);
    this.#fail(cause ?? invalid, 'malformed');
  }

  /** A deadline has ended, or the client disconnected. At the deadline of the request, the received part is still a result. */
  abort(cause: Failure): void {
    if (this.#settled) return;
    const timedOut = cause.code === 'timeout.total';
    const starved = timedOut && this.#options.memory.reservation.starved;
    if (this.#inputEnded && timedOut && !starved) return;
    this.#source?.cancel();
    if (starved) this.#fail(NO_MEMORY, null);
    else if (timedOut && this.#head !== null) this.#endInput(cause);
    else this.#fail(cause, null);
  }

  #push(piece: Buffer, shared = false): void {
    this.#decoder ??= this.#createDecoder();
    const mustCopy = shared && !this.#decoder.copiesImmediately(piece.length);
    const pushed = this.#decoder.push(mustCopy ? Buffer.from(piece) : piece);
    if (pushed === 'more') return;
    if (pushed === 'full') {
      this.#stopReading();
      return;
    }
    this.#decoderBusy = true;
    this.#source?.pause();
    pushed.then(
      (state) => this.#onPushed(state),
      () => this.#onPushed('full'),
    );
  }

  #createDecoder(): BodyDecoder {
    const { contentEncoding, contentLength, transferEncoding } = this.#head!;
    const lengthKnown = transferEncoding === null && contentLength !== null && /^\d+$/.test(contentLength);
    return createBodyDecoder(
      contentEncoding,
      this.#options.maxBytes,
      this.#options.memory,
      lengthKnown ? Number(contentLength) : null,
    );
  }

  #onPushed(state: 'more' | 'full'): void {
    this.#decoderBusy = false;
    if (this.#settled) return;
    if (state === 'full') {
      this.#stopReading();
      return;
    }
    while (this.#queue.length > 0 && !this.#decoderBusy) {
      this.#push(this.#queue.shift()!);
      if (this.#settled) return;
    }
    if (this.#decoderBusy) return;
    if (this.#inputEnded) this.#endDecoder();
    else this.#source?.resume();
  }

  /** The body has reached its limit: no more input is needed. */
  #stopReading(): void {
    this.#queue = [];
    if (!this.#inputEnded) {
      this.#inputEnded = true;
      this.#source?.cancel();
    }
    this.#endDecoder();
  }

  #endInput(cut: Failure | null): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    this.#transportFailure = cut;
    // The source must no longer be cancelled: its connection may already serve another request.
    this.#source = null;
    if (!this.#decoderBusy) this.#endDecoder();
  }

  #endDecoder(): void {
    if (this.#decoderEnded) return;
    this.#decoderEnded = true;
    const body = this.#decoder === null ? EMPTY_BODY : this.#decoder.end();
    if (body instanceof Promise) body.then((ended) => this.#onDecoded(ended));
    else this.#onDecoded(body);
  }

  #onDecoded(body: DecodedBody): void {
    if (this.#settled) return;
    this.#finish({
      failure: null,
      head: this.#head!,
      body,
      cut: bodyFailure(body, this.#transportFailure, this.#options.maxBytes),
    });
  }

  #fail(cause: Failure, retryableAs: Extract<ResponseResult, { head: null }>['retryableAs']): void {
    if (this.#settled) return;
    this.#decoder?.destroy();
    this.#queue = [];
    this.#finish({ failure: cause, head: null, retryableAs });
  }

  #finish(result: ResponseResult): void {
    this.#inputEnded = true;
    this.#settled = true;
    if (this.bytesIn > 0) this.download = this.#clock.monotonic() - this.#firstByteAt;
    this.#source = null;
    this.#settle(result);
  }
}
