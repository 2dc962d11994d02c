import type { Clock } from '../base/time.ts';
import type { BodyMemory } from '../content/codings/body-buffer.ts';
import { type BodyDecoder, createBodyDecoder, type DecodedBody } from '../content/codings/body-decoder.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { ResponseHead } from './response-head.ts';

/**
 * Why a body is not whole; null: it is. A body that broke off on the wire explains coded data that ends early, but not
 * coded data that is wrong.
 * @param wire what happened on the wire; null: all of it came
 */
function bodyFailure(body: DecodedBody, wire: Failure | null, limit: number): Failure | null {
  switch (body.state) {
    case 'whole':
      return wire;
    case 'over_limit':
      return failure('content.truncated', `The content was cut after ${limit} bytes.`, {
        details: { limit },
      });
    case 'decode_failed':
      return wire?.code === 'timeout.total' ? wire : decodeFailure(body);
    case 'decode_truncated':
      return wire ?? decodeFailure(body);
  }
}

function decodeFailure(body: DecodedBody): Failure {
  const detail = body.detail ?? 'The coded data ends too early.';
  return failure('content.decode_failed', `The body cannot be decoded. ${detail}`);
}

/** What carries the request and the answer: an HTTP/1 connection or an HTTP/2 stream. */
export interface ResponseSource {
  pause(): void;
  resume(): void;
  /** Ends the exchange at once; nothing more is reported to the hop. */
  cancel(): void;
}

export type ResponseResult =
  | {
      readonly failure: null;
      readonly head: ResponseHead;
      /** null: a redirect that is followed; its body is of no interest. */
      readonly body: DecodedBody | null;
      readonly cut: Failure | null;
    }
  | {
      readonly failure: Failure;
      readonly head: null;
      /**
       * The target has certainly not acted on the request; or nothing came, or nothing that is an answer, which may be
       * the fault of a connection that stood: a safe request may be repeated on a fresh one.
       */
      readonly unanswered: 'refused' | 'silent' | 'garbled' | null;
    };

export interface ResponseOptions {
  /** Most decoded bytes. */
  readonly maxBytes: number;
  /** Whom a large body asks for memory; while it waits, nothing more is read. */
  readonly memory: BodyMemory;
  /** Whether this head is a redirect that is followed. */
  readonly followsRedirect: (head: ResponseHead) => boolean;
  /** Called when a head has come that is not followed: the page exists from now on. */
  readonly onPage: () => void;
}

/** Contract §8 (e): the time of the request went into waiting. */
const NO_MEMORY = failure(
  'service.unavailable',
  'The request timed out while it waited for memory for the page; other scrapes use it.',
);

const EMPTY_BODY: DecodedBody = { bytes: new Uint8Array(0), state: 'whole', undecoded: false, detail: null };

/**
 * One request and its answer, whatever carries them. The carrier reports what comes, the watch may `abort`; whichever
 * ends it first, `done` settles once and never rejects.
 */
export class ResponseReader {
  readonly result: Promise<ResponseResult>;
  readonly #options: ResponseOptions;
  readonly #clock: Clock;
  #settle!: (result: ResponseResult) => void;
  #source: ResponseSource | null = null;
  #head: ResponseHead | null = null;
  #decoder: BodyDecoder | null = null;
  /** A push that is under way, and what came meanwhile. */
  #decoding = false;
  #queue: Buffer[] = [];
  #ending = false;
  /** The decoder has been told that nothing more comes. */
  #decoderEnded = false;
  #wireFailure: Failure | null = null;
  #settled = false;
  #sentAt = 0;
  #firstAt = 0;
  bytesIn = 0;
  ttfb: number | null = null;
  download: number | null = null;

  constructor(ask: ResponseOptions, clock: Clock) {
    this.#options = ask;
    this.#clock = clock;
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The request goes out now, by this carrier. */
  onSent(carrier: ResponseSource): void {
    this.#source = carrier;
    this.#sentAt = this.#clock.monotonic();
  }

  onBytes(count: number): void {
    if (this.bytesIn === 0) {
      this.#firstAt = this.#clock.monotonic();
      this.ttfb = this.#firstAt - this.#sentAt;
    }
    this.bytesIn += count;
  }

  /** @returns false when the body is of no interest: the hop is over then */
  onHead(head: ResponseHead): boolean {
    if (this.#ending) return false;
    this.#head = head;
    if (this.#options.followsRedirect(head)) {
      this.#finish({ failure: null, head, body: null, cut: null });
      return false;
    }
    this.#options.onPage();
    return true;
  }

  /** @param lent what is kept of it has to be copied */
  onBody(piece: Buffer, lent = false): void {
    if (this.#ending) return;
    if (this.#decoding) this.#queue.push(lent ? Buffer.from(piece) : piece);
    else this.#push(piece, lent);
  }

  /** Whether the pieces of the body that were reported so far may be given up. */
  get piecesCopied(): boolean {
    return !this.#decoding && this.#decoder?.copiesInput === true;
  }

  onComplete(): void {
    this.#endOfWire(null);
  }

  /**
   * The connection ended or was lost.
   * @param refused the peer says it has not looked at the request
   * @param known what it is, if there is more to say than `connect.reset`
   */
  onConnectionLost(why: string, refused = false, known: Failure | null = null): void {
    if (this.#head !== null) {
      this.#endOfWire(failure('content.incomplete', `The response body ended early: ${why}`));
      return;
    }
    const unanswered = refused ? 'refused' : this.bytesIn === 0 ? 'silent' : null;
    this.#fail(known ?? failure('connect.reset', why), unanswered);
  }

  /** @param known what it is, if it is not the target's */
  onProtocolError(why: string, known: Failure | null = null): void {
    if (this.#head !== null) {
      this.#endOfWire(failure('content.incomplete', `The response body ended early: ${why}`));
      return;
    }
    const unreadable = `The response of the target is not valid HTTP. ${why}`;
    this.#fail(known ?? failure('http.protocol', unreadable), 'garbled');
  }

  /** The time is up, or the caller hung up. A spent budget still gives what has come of a page. */
  abort(why: Failure): void {
    if (this.#settled) return;
    const late = why.code === 'timeout.total';
    const starved = late && this.#options.memory.reservation.starved;
    if (this.#ending && late && !starved) return;
    this.#source?.cancel();
    if (starved) this.#fail(NO_MEMORY, null);
    else if (late && this.#head !== null) this.#endOfWire(why);
    else this.#fail(why, null);
  }

  #push(piece: Buffer, lent = false): void {
    this.#decoder ??= this.#newDecoder();
    const keeps = lent && !this.#decoder.copiesImmediately(piece.length);
    const pushed = this.#decoder.push(keeps ? Buffer.from(piece) : piece);
    if (pushed === 'more') return;
    if (pushed === 'full') {
      this.#stopReading();
      return;
    }
    this.#decoding = true;
    this.#source?.pause();
    pushed.then(
      (state) => this.#pushed(state),
      () => this.#pushed('full'),
    );
  }

  #newDecoder(): BodyDecoder {
    const { contentEncoding, contentLength, transferEncoding } = this.#head!;
    const told = transferEncoding === null && contentLength !== null && /^\d+$/.test(contentLength);
    return createBodyDecoder(
      contentEncoding,
      this.#options.maxBytes,
      this.#options.memory,
      told ? Number(contentLength) : null,
    );
  }

  #pushed(state: 'more' | 'full'): void {
    this.#decoding = false;
    if (this.#settled) return;
    if (state === 'full') {
      this.#stopReading();
      return;
    }
    while (this.#queue.length > 0 && !this.#decoding) {
      this.#push(this.#queue.shift()!);
      if (this.#settled) return;
    }
    if (this.#decoding) return;
    if (this.#ending) this.#end();
    else this.#source?.resume();
  }

  /** Nothing that may still come changes the result. */
  #stopReading(): void {
    this.#queue = [];
    if (!this.#ending) {
      this.#ending = true;
      this.#source?.cancel();
    }
    this.#end();
  }

  #endOfWire(cut: Failure | null): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#wireFailure = cut;
    // It may carry another request already.
    this.#source = null;
    if (!this.#decoding) this.#end();
  }

  #end(): void {
    if (this.#decoderEnded) return;
    this.#decoderEnded = true;
    const body = this.#decoder === null ? EMPTY_BODY : this.#decoder.end();
    if (body instanceof Promise) body.then((ended) => this.#ended(ended));
    else this.#ended(body);
  }

  #ended(body: DecodedBody): void {
    if (this.#settled) return;
    this.#finish({
      failure: null,
      head: this.#head!,
      body,
      cut: bodyFailure(body, this.#wireFailure, this.#options.maxBytes),
    });
  }

  #fail(why: Failure, unanswered: Extract<ResponseResult, { head: null }>['unanswered']): void {
    if (this.#settled) return;
    this.#decoder?.destroy();
    this.#queue = [];
    this.#finish({ failure: why, head: null, unanswered });
  }

  #finish(result: ResponseResult): void {
    this.#ending = true;
    this.#settled = true;
    if (this.bytesIn > 0) this.download = this.#clock.monotonic() - this.#firstAt;
    this.#source = null;
    this.#settle(result);
  }
}
