import type { ClientHttp2Stream } from 'node:http2';
import { trimBlanks } from '../../../../base/trim-blanks.ts';
import { AnswerHead } from '../answer-head.ts';
import type { Carrier, Hop } from '../hop.ts';
import { brokenTls } from '../tls/broken-tls.ts';

const NO_ERROR = 0;
const CANCEL = 8;
const REFUSED_STREAM = 7;
/** Of Node: the library found no HTTP/2 in what came. */
const UNREADABLE = 'ERR_HTTP2_ERROR';

/** One request on an HTTP/2 stream: reports to the hop what the stream brings. */
export class StreamExchange implements Carrier {
  readonly #stream: ClientHttp2Stream;
  readonly #method: string;
  /** Whether the peer has said (by GOAWAY) that it did not look at this stream. */
  readonly #unprocessed: (id: number) => boolean;
  #hop: Hop | null;
  /** What is to come, when the answer says so and can have a body. */
  #length: number | null = null;
  #received = 0;
  #error: NodeJS.ErrnoException | null = null;

  constructor(stream: ClientHttp2Stream, hop: Hop, method: string, unprocessed: (id: number) => boolean) {
    this.#stream = stream;
    this.#hop = hop;
    this.#method = method;
    this.#unprocessed = unprocessed;
    stream.on('response', (_headers, _flags, raw) => this.#onHead(raw as unknown as readonly string[]));
    stream.on('data', (piece: Buffer) => this.#onData(piece));
    stream.on('end', () => this.#onEnd());
    stream.on('error', (error: Error) => {
      this.#error = error;
    });
    stream.on('close', () => this.#onClose());
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  cut(): void {
    this.#hop = null;
    this.#stream.close(CANCEL);
  }

  #onHead(raw: readonly string[]): void {
    const hop = this.#hop;
    if (hop === null) return;
    let status = 0;
    let bytes = 0;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      bytes += raw[i]!.length + raw[i + 1]!.length;
      if (raw[i] === ':status') status = Number(raw[i + 1]);
    }
    hop.onBytes(bytes);
    if (!(status >= 200 && status <= 999)) {
      this.cut();
      hop.onUnreadable('It has no status.');
      return;
    }
    const head = new AnswerHead(status, false, false);
    for (let i = 0; i + 1 < raw.length; i += 2) {
      // Blanks around a value are wrong here (RFC 9113 §8.2.1); as in HTTP/1.1, they are no part of it.
      if (!raw[i]!.startsWith(':')) head.add(raw[i]!, trimBlanks(raw[i + 1]!));
    }
    // A HEAD and a 304 tell the length of the page that they do not send (RFC 9110 §8.6).
    const bodiless = this.#method === 'HEAD' || status === 304;
    if (!bodiless && head.contentLength !== null && /^\d+$/.test(head.contentLength))
      this.#length = Number(head.contentLength);
    if (!hop.onHead(head)) this.cut();
  }

  #onData(piece: Buffer): void {
    this.#received += piece.length;
    this.#hop?.onBytes(piece.length);
    this.#hop?.onBody(piece);
  }

  /** The answer may be whole before the request is (RFC 9113 §8.1): nobody reads the rest of that then. */
  #onEnd(): void {
    const hop = this.#hop;
    // A stream that is closed has ended without this being said, maybe.
    if (hop === null || this.#stream.closed || this.#stream.writableFinished || !this.#whole(hop)) return;
    this.cut();
    hop.onWhole();
  }

  /** Whether what has come is an answer, and as long as it says. */
  #whole({ bytesIn }: Hop): boolean {
    return bytesIn > 0 && (this.#length === null || this.#received >= this.#length);
  }

  #onClose(): void {
    const hop = this.#hop;
    if (hop === null) return;
    this.#hop = null;
    const { rstCode, id } = this.#stream;
    // Closed without a head: the peer took the stream and said nothing.
    if (rstCode === NO_ERROR && this.#error === null && this.#whole(hop)) {
      hop.onWhole();
      return;
    }
    if (this.#error?.code === UNREADABLE) {
      hop.onUnreadable(this.#error.message);
      return;
    }
    const refused = rstCode === REFUSED_STREAM || (id !== undefined && this.#unprocessed(id));
    const why = this.#error === null ? 'The target closed the HTTP/2 stream.' : this.#error.message;
    hop.onBroken(why, refused, brokenTls(this.#error));
  }
}
