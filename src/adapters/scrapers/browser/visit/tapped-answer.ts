import { systemClock } from '../../../../base/clock.ts';
import type { Failure } from '../../../../domain/failure.ts';
import type { AnswerTap, TapHandle } from '../../../../egress/gateway/gateway.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { AnswerHead } from '../../http/answer-head.ts';
import { ResponseParser, type ResponseSink } from '../../http/h1/response-parser.ts';
import { Hop, type HopResult } from '../../http/hop.ts';
import { Watch } from '../../http/watch.ts';
import type { Purpose } from './shown-type.ts';

/** Browsers ask for these in the clear, and take the end of what is coded for the end of the page. */
const CODED = /^(?:(?:x-)?gzip|deflate)$/i;
/** Of a body that the browser shows, so much is looked at: it is decoded at once, and nobody waits for that. */
const MOST_LOOKED_AT = 64 * 1024;

/**
 * The answer to a request that goes in the clear, read where it passes: exactly what the scraper `http` would make of
 * it. Bodies that the browser shows are left to it, but for those that it could not decode.
 */
export class TappedAnswer implements ResponseSink {
  head: AnswerHead | null = null;
  /** The body is read here. */
  taken = false;
  readonly #hop: Hop;
  readonly #watch: Watch;
  readonly #parser = new ResponseParser(this);
  readonly #method: string;
  readonly #purpose: (head: AnswerHead) => Purpose;
  readonly #onTaken: () => void;
  /** Bytes of a body that were looked at while the browser shows it; null: it is not looked at. */
  #lookedAt: number | null = null;
  #handle: TapHandle | null = null;

  /**
   * @param onTaken called when the body is to be read here, with the head; browsers may tell of it much later, or never
   * @param onBroken told why a body that is shown is not whole, where the browser does not know
   */
  constructor(
    method: string,
    { job, room, deadline }: FetchOrder,
    on: { purpose: (head: AnswerHead) => Purpose; onTaken: () => void; onBroken: (why: Failure) => void },
  ) {
    this.#method = method;
    this.#purpose = on.purpose;
    this.#onTaken = on.onTaken;
    this.#watch = new Watch(deadline, null);
    const where = { room, signal: deadline.signal };
    const limit = job.options.maxContentBytes;
    this.#hop = new Hop(
      { limit, where, follows: () => !this.taken && this.#lookedAt === null, onPage: () => {} },
      systemClock,
    );
    this.#watch.watch(this.#hop);
    void this.#hop.done.then((result) => {
      this.#watch.dispose();
      if (this.taken || result.failure !== null || result.cut?.code !== 'content.decode_failed') return;
      if (result.body?.undecoded === true) this.#take();
      else on.onBroken(result.cut);
    });
  }

  /** For `GatewayUse.tap`. */
  readonly open = (handle: TapHandle): AnswerTap => {
    this.#handle = handle;
    this.#parser.start(this.#method);
    this.#hop.onSent({ pause: handle.pause, resume: handle.resume, cut: handle.release });
    return {
      feed: (piece) => {
        this.#hop.onBytes(piece.length);
        this.#parser.feed(piece);
      },
      end: (broken) => {
        if (broken) this.#parser.broken('The target reset the connection.');
        else this.#parser.end();
      },
    };
  };

  /** Settles with the body, when it was taken, or with the deadline. */
  get done(): Promise<HopResult> {
    return this.#hop.done;
  }

  get downloadMs(): number | null {
    return this.#hop.download;
  }

  /** Lets go of what is not needed any more. */
  dispose(): void {
    this.#watch.dispose();
    this.#parser.stop();
    this.#handle?.release();
  }

  onHead(head: AnswerHead): void {
    this.head = head;
    const purpose = this.#purpose(head);
    const looks = purpose === 'show' && CODED.test(head.contentEncoding ?? '');
    if (looks) this.#lookedAt = 0;
    this.taken = purpose === 'take';
    if (!this.#hop.onHead(head)) this.#leave();
    else if (this.taken) this.#take();
  }

  onBody(piece: Buffer): void {
    if (this.#lookedAt !== null && !this.taken) {
      // What does not begin as gzip does (RFC 1952 §2.3.1) is none.
      if (this.#lookedAt === 0 && /gzip/i.test(this.head!.contentEncoding!) && piece[0] !== 0x1f)
        this.#take();
      this.#lookedAt += piece.length;
      if (this.#lookedAt > MOST_LOOKED_AT && !this.taken) {
        this.#leave();
        return;
      }
    }
    this.#hop.onBody(piece);
  }

  #take(): void {
    this.taken = true;
    this.#handle!.divert();
    this.#onTaken();
  }

  #leave(): void {
    this.#parser.stop();
    this.#handle!.release();
  }

  onWhole(): void {
    this.#handle!.release();
    this.#hop.onWhole();
  }

  onUnreadable(why: string): void {
    this.#handle!.release();
    this.#hop.onUnreadable(why);
  }

  onBroken(why: string): void {
    this.#hop.onBroken(why);
  }
}
