import { systemClock } from '../../../../base/clock.ts';
import type { AnswerTap, TapHandle } from '../../../../egress/gateway/gateway.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { AnswerHead } from '../../http/answer-head.ts';
import { ResponseParser, type ResponseSink } from '../../http/h1/response-parser.ts';
import { Hop, type HopResult } from '../../http/hop.ts';
import { Watch } from '../../http/watch.ts';

/**
 * The answer to a request that goes in the clear, read where it passes: exactly what the scraper `http` would make of
 * it. Bodies that the browser shows are left to it.
 */
export class TappedAnswer implements ResponseSink {
  head: AnswerHead | null = null;
  /** The body is read here. */
  taken = false;
  readonly #hop: Hop;
  readonly #watch: Watch;
  readonly #parser = new ResponseParser(this);
  readonly #method: string;
  readonly #wants: (head: AnswerHead) => boolean;
  readonly #onTaken: () => void;
  #handle: TapHandle | null = null;

  /**
   * @param wants whether the body of this answer is to be read
   * @param onTaken called when it is, with the head; browsers may tell of it much later, or never
   */
  constructor(
    method: string,
    { job, room, deadline }: FetchOrder,
    { wants, onTaken }: { wants: (head: AnswerHead) => boolean; onTaken: () => void },
  ) {
    this.#method = method;
    this.#wants = wants;
    this.#onTaken = onTaken;
    this.#watch = new Watch(deadline, null);
    const where = { room, signal: deadline.signal };
    const limit = job.options.maxContentBytes;
    this.#hop = new Hop({ limit, where, follows: () => !this.taken, onPage: () => {} }, systemClock);
    this.#watch.watch(this.#hop);
    void this.#hop.done.then(() => this.#watch.dispose());
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
    this.taken = this.#wants(head);
    if (this.taken) this.#handle!.divert();
    if (this.#hop.onHead(head)) this.#onTaken();
    else {
      this.#parser.stop();
      this.#handle!.release();
    }
  }

  onBody(piece: Buffer): void {
    this.#hop.onBody(piece);
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
