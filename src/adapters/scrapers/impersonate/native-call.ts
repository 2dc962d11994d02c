import { freeWhole } from '../../../base/free-whole.ts';
import type { Failure } from '../../../domain/failure.ts';
import type { Dialled } from '../../../egress/dialled.ts';
import { AnswerHead } from '../http/answer-head.ts';
import type { ConnectTimes } from '../http/connect.ts';
import type { Carrier, Hop } from '../http/hop.ts';
import type { Binding, NativeAnswer, NativeRequest } from './binding.ts';
import type { Caller, WayBytes, WayOut } from './way-out.ts';

/** How much of the body of a redirect is read to keep its connection. */
const LEFTOVER = 65_536;

const NO_WAY = { out: 0, back: 0 };

/** What it says of its own accord: how the call ended before there was a head. */
export interface NoAnswer {
  /** The library's sentence. */
  readonly why: string;
  /** Why there is no connection, as the gateway saw it; null: there was one, or none was wanted. */
  readonly refusal: Failure | null;
}

/** One request of the library and its answer, reported to a hop. */
export class NativeCall implements Carrier, Caller {
  readonly place: string;
  readonly #binding: Binding;
  readonly #way: WayOut;
  readonly #hop: Hop;
  readonly #leaves: () => void;
  #handle = 0;
  #body: number | null = null;
  #dialled: Dialled | null = null;
  #wayBytes: WayBytes | null = null;
  #tlsMs: number | null = null;
  /** How long the body is said to be; null: nothing is said, or there is none by nature. */
  #length: number | null = null;
  #received = 0;
  #paused = false;
  #wake: (() => void) | null = null;
  #over = false;

  /** @param leaves called when the request may leave on a connection that was opened for it */
  constructor(place: string, hop: Hop, way: WayOut, binding: Binding, leaves: () => void) {
    this.place = place;
    this.#hop = hop;
    this.#way = way;
    this.#binding = binding;
    this.#leaves = leaves;
  }

  /** Whether a connection was opened for it, or tried. */
  get dialled(): boolean {
    return this.#dialled !== null;
  }

  /** A request of it may have reached the target. */
  get mayHaveSent(): boolean {
    return this.#dialled === null || this.#dialled.failure === null;
  }

  get remoteIp(): string | null {
    const dialled = this.#dialled;
    return dialled === null || dialled.failure !== null ? this.#way.addressOf(this.place) : dialled.remoteIp;
  }

  /** What it took to open its connection through a proxy; 0 on one that stood. */
  get way(): { readonly out: number; readonly back: number } {
    return this.#wayBytes ?? NO_WAY;
  }

  get times(): ConnectTimes {
    const dialled = this.#dialled;
    return {
      dnsMs: dialled?.dnsMs ?? null,
      connectMs: dialled === null || dialled.failure !== null ? null : dialled.connectMs,
      tlsMs: this.#tlsMs,
    };
  }

  /** Settles when there is a head, or none: then tells why, but not after `cut`. */
  async run(request: NativeRequest): Promise<NoAnswer | null> {
    this.#hop.onSent(this);
    this.#way.waits(this);
    let answer: NativeAnswer;
    try {
      const { handle, promise } = this.#binding.request(request);
      this.#handle = handle;
      answer = await promise;
    } catch (error) {
      if (this.#over) return null;
      return { why: (error as Error).message, refusal: this.#dialled?.failure ?? null };
    } finally {
      this.#way.stands(this);
    }
    this.#body = answer.bodyHandle;
    if (this.#over) this.#giveUp();
    else void this.#take(answer, request.method);
    return null;
  }

  onDialled(dialled: Dialled, way: WayBytes | null): void {
    this.#dialled = dialled;
    this.#wayBytes = way;
    // What comes before the request could leave is told by itself.
    if (!this.#over) this.#hop.onSent(this);
  }

  onHandshake(ms: number): void {
    this.#tlsMs = ms;
    if (this.#over) return;
    this.#hop.onSent(this);
    this.#leaves();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#wakeUp();
  }

  cut(): void {
    if (this.#over) return;
    this.#over = true;
    this.#giveUp();
    this.#wakeUp();
  }

  /** Ends what is still to come of an answer that nobody waits for. */
  abandon(): void {
    this.cut();
  }

  #giveUp(): void {
    if (this.#body === null) this.#binding.cancelRequest(this.#handle);
    else this.#binding.cancelBody(this.#body);
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = null;
  }

  async #take(answer: NativeAnswer, method: string): Promise<void> {
    if (answer.status < 200) {
      this.cut();
      this.#hop.onUnreadable('It switches to another protocol, which was not requested.');
      return;
    }
    const head = new AnswerHead(answer.status, false, false);
    let bytes = 15;
    for (const [name, value] of answer.headers) {
      head.add(name, value);
      bytes += name.length + value.length + 4;
    }
    this.#hop.onBytes(bytes);
    // What has no body tells the length of another one at most (RFC 9110 §8.6), and what is chunked none (RFC 9112 §6.3).
    const { status, contentLength, transferEncoding } = head;
    const unframed = method === 'HEAD' || status === 304 || status === 204 || transferEncoding !== null;
    if (!unframed && contentLength !== null && /^\d+$/.test(contentLength))
      this.#length = Number(contentLength);
    if (!this.#hop.onHead(head)) await this.#passOver();
    else await this.#read();
  }

  async #read(): Promise<void> {
    for (;;) {
      if (this.#paused) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#over) return;
      let piece: Awaited<ReturnType<Binding['readBodyChunk']>>;
      try {
        piece = await this.#binding.readBodyChunk(this.#body!);
      } catch {
        if (this.#over) return;
        this.#over = true;
        this.#hop.onBroken('the target closed the connection, or sent something that is not HTTP.');
        return;
      }
      if (this.#over) return;
      if (piece.done) {
        this.#over = true;
        // Over HTTP/2 the library calls it the end, too, when the target resets the stream without an error.
        if (this.#length === null || this.#received >= this.#length) this.#hop.onWhole();
        else this.#hop.onBroken('the target closed the connection before its end.');
        return;
      }
      this.#received += piece.chunk.length;
      this.#hop.onBytes(piece.chunk.length);
      this.#hop.onBody(piece.chunk);
      if (this.#hop.copies) freeWhole(piece.chunk);
    }
  }

  /** Reads the body of a redirect to its end, if that is near: the connection can be used again then. */
  async #passOver(): Promise<void> {
    let left = LEFTOVER;
    while (!this.#over) {
      try {
        const { chunk, done } = await this.#binding.readBodyChunk(this.#body!);
        if (done) this.#over = true;
        left -= chunk.length;
      } catch {
        this.#over = true;
      }
      if (left < 0) this.cut();
    }
  }
}
