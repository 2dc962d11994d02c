import { systemClock } from '../../../../base/clock.ts';
import type { AnswerTap, TapHandle } from '../../../../egress/gateway/gateway.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { AnswerHead } from '../../http/answer-head.ts';
import { ResponseParser, type ResponseSink } from '../../http/h1/response-parser.ts';
import { Hop, type HopResult } from '../../http/hop.ts';
import { Watch } from '../../http/watch.ts';
import type { Purpose } from './shown-type.ts';

const GZIP = /^(?:x-)?gzip$/i;
/** What each body of that coding begins with (RFC 1952 §2.3.1). */
const GZIP_BEGINS = 0x1f;

/**
 * The answer to a request that goes in the clear, read where it passes: exactly what the scraper `http` would make of
 * it. Bodies that the browser shows are left to it, but for those that are not in the coding that they name.
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
  /** The browser would show it, if it begins as its coding does. */
  #looks = false;
  #handle: TapHandle | null = null;
  /** The answer came without a connection (from a cache), or is not wanted: the next one for its URL is another's. */
  #over = false;

  /**
   * @param onTaken called when the body is to be read here, with the head; browsers may tell of it much later, or never
   */
  constructor(
    method: string,
    { job, room, deadline }: FetchOrder,
    on: { purpose: (head: AnswerHead) => Purpose; onTaken: () => void },
  ) {
    this.#method = method;
    this.#purpose = on.purpose;
    this.#onTaken = on.onTaken;
    this.#watch = new Watch(deadline, null);
    const where = { room, signal: deadline.signal };
    const limit = job.options.maxContentBytes;
    const follows = () => !this.taken && !this.#looks;
    this.#hop = new Hop({ limit, where, follows, onPage: () => {} }, systemClock);
    this.#watch.watch(this.#hop);
    void this.#hop.done.then(() => this.#watch.dispose());
  }

  /** For `GatewayUse.tap`. */
  readonly open = (handle: TapHandle): AnswerTap => {
    if (this.#over) return { feed: () => {}, end: () => {} };
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
    this.#over = true;
    this.#watch.dispose();
    this.#parser.stop();
    this.#handle?.release();
  }

  onHead(head: AnswerHead): void {
    this.head = head;
    const purpose = this.#purpose(head);
    this.#looks = purpose === 'show' && GZIP.test(head.contentEncoding ?? '');
    this.taken = purpose === 'take';
    if (!this.#hop.onHead(head)) this.#leave();
    else if (this.taken) this.#take();
  }

  onBody(piece: Buffer): void {
    if (this.#looks) {
      this.#looks = false;
      if (piece[0] === GZIP_BEGINS) {
        this.#leave();
        this.#hop.onWhole();
        return;
      }
      this.#take();
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
