import type { Clock } from '../../../base/clock.ts';
import type { BodyDecoder, BodyRoom, DecodedBody } from '../../../content/body-decoder.ts';
import { createBodyDecoder } from '../../../content/body-decoder.ts';
import type { Failure } from '../../../domain/failure.ts';
import { failure } from '../../../domain/failure.ts';
import type { AnswerHead } from './answer-head.ts';
import { cutOf } from './cut-of.ts';

/** What carries the request and the answer: an HTTP/1 connection or an HTTP/2 stream. */
export interface Carrier {
  pause(): void;
  resume(): void;
  /** Ends the exchange at once; nothing more is reported to the hop. */
  cut(): void;
}

export type HopResult =
  | {
      readonly failure: null;
      readonly head: AnswerHead;
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

export interface HopAsk {
  /** Most decoded bytes. */
  readonly limit: number;
  /** Whom a large body asks for memory; while it waits, nothing more is read. */
  readonly where: BodyRoom;
  /** Whether this head is a redirect that is followed. */
  readonly follows: (head: AnswerHead) => boolean;
  /** Called when a head has come that is not followed: the page exists from now on. */
  readonly onPage: () => void;
}

/** Contract §8 (e): the time of the request went into waiting. */
const NO_ROOM = failure(
  'service.unavailable',
  'The request timed out while it waited for memory for the page; other scrapes use it.',
);

const NOTHING: DecodedBody = { bytes: new Uint8Array(0), state: 'whole', undecoded: false, detail: null };

/**
 * One request and its answer, whatever carries them. The carrier reports what comes, the watch may `abort`; whichever
 * ends it first, `done` settles once and never rejects.
 */
export class Hop {
  readonly done: Promise<HopResult>;
  readonly #ask: HopAsk;
  readonly #clock: Clock;
  #settle!: (result: HopResult) => void;
  #carrier: Carrier | null = null;
  #head: AnswerHead | null = null;
  #decoder: BodyDecoder | null = null;
  /** A push that is under way, and what came meanwhile. */
  #busy = false;
  #queue: Buffer[] = [];
  #ending = false;
  /** The decoder has been told that nothing more comes. */
  #closing = false;
  #wireCut: Failure | null = null;
  #settled = false;
  #sentAt = 0;
  #firstAt = 0;
  bytesIn = 0;
  ttfb: number | null = null;
  download: number | null = null;

  constructor(ask: HopAsk, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
    this.done = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The request goes out now, by this carrier. */
  onSent(carrier: Carrier): void {
    this.#carrier = carrier;
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
  onHead(head: AnswerHead): boolean {
    if (this.#ending) return false;
    this.#head = head;
    if (this.#ask.follows(head)) {
      this.#finish({ failure: null, head, body: null, cut: null });
      return false;
    }
    this.#ask.onPage();
    return true;
  }

  /** @param lent what is kept of it has to be copied */
  onBody(piece: Buffer, lent = false): void {
    if (this.#ending) return;
    if (this.#busy) this.#queue.push(lent ? Buffer.from(piece) : piece);
    else this.#push(piece, lent);
  }

  /** Whether the pieces of the body that were reported so far may be given up. */
  get copies(): boolean {
    return !this.#busy && this.#decoder?.copies === true;
  }

  onWhole(): void {
    this.#endOfWire(null);
  }

  /**
   * The connection ended or was lost.
   * @param refused the peer says it has not looked at the request
   * @param known what it is, if there is more to say than `connect.reset`
   */
  onBroken(why: string, refused = false, known: Failure | null = null): void {
    if (this.#head !== null) {
      this.#endOfWire(failure('content.incomplete', `The response body ended early: ${why}`));
      return;
    }
    const unanswered = refused ? 'refused' : this.bytesIn === 0 ? 'silent' : null;
    this.#fail(known ?? failure('connect.reset', why), unanswered);
  }

  /** @param known what it is, if it is not the target's */
  onUnreadable(why: string, known: Failure | null = null): void {
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
    const starved = late && this.#ask.where.room.starved;
    if (this.#ending && late && !starved) return;
    this.#carrier?.cut();
    if (starved) this.#fail(NO_ROOM, null);
    else if (late && this.#head !== null) this.#endOfWire(why);
    else this.#fail(why, null);
  }

  #push(piece: Buffer, lent = false): void {
    this.#decoder ??= this.#newDecoder();
    const keeps = lent && !this.#decoder.copiesNow(piece.length);
    const pushed = this.#decoder.push(keeps ? Buffer.from(piece) : piece);
    if (pushed === 'more') return;
    if (pushed === 'full') {
      this.#full();
      return;
    }
    this.#busy = true;
    this.#carrier?.pause();
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
      this.#ask.limit,
      this.#ask.where,
      told ? Number(contentLength) : null,
    );
  }

  #pushed(state: 'more' | 'full'): void {
    this.#busy = false;
    if (this.#settled) return;
    if (state === 'full') {
      this.#full();
      return;
    }
    while (this.#queue.length > 0 && !this.#busy) {
      this.#push(this.#queue.shift()!);
      if (this.#settled) return;
    }
    if (this.#busy) return;
    if (this.#ending) this.#end();
    else this.#carrier?.resume();
  }

  /** Nothing that may still come changes the result. */
  #full(): void {
    this.#queue = [];
    if (!this.#ending) {
      this.#ending = true;
      this.#carrier?.cut();
    }
    this.#end();
  }

  #endOfWire(cut: Failure | null): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#wireCut = cut;
    // It may carry another request already.
    this.#carrier = null;
    if (!this.#busy) this.#end();
  }

  #end(): void {
    if (this.#closing) return;
    this.#closing = true;
    const body = this.#decoder === null ? NOTHING : this.#decoder.end();
    if (body instanceof Promise) body.then((ended) => this.#ended(ended));
    else this.#ended(body);
  }

  #ended(body: DecodedBody): void {
    if (this.#settled) return;
    this.#finish({
      failure: null,
      head: this.#head!,
      body,
      cut: cutOf(body, this.#wireCut, this.#ask.limit),
    });
  }

  #fail(why: Failure, unanswered: Extract<HopResult, { head: null }>['unanswered']): void {
    if (this.#settled) return;
    this.#decoder?.destroy();
    this.#queue = [];
    this.#finish({ failure: why, head: null, unanswered });
  }

  #finish(result: HopResult): void {
    this.#ending = true;
    this.#settled = true;
    if (this.bytesIn > 0) this.download = this.#clock.monotonic() - this.#firstAt;
    this.#carrier = null;
    this.#settle(result);
  }
}
