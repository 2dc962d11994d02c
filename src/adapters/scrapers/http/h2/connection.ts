import type { ClientHttp2Session } from 'node:http2';
import { connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { failure } from '../../../../domain/failure.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';
import type { Hop } from '../hop.ts';
import { StreamExchange } from './stream-exchange.ts';

/** Flow-control windows: large enough that a long way does not slow a page down. */
const STREAM_WINDOW = 1 << 20;
const SESSION_WINDOW = 8 << 20;
const MOST_STREAMS = 100;

export interface H2Request {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** Without Host; names lower-case. */
  readonly fields: HeaderList;
  readonly body: Uint8Array | null;
}

/** One HTTP/2 connection, shared by requests. Ends by itself on any error; `onGone` is called once. */
export class H2Connection {
  readonly key: string;
  /** null: a proxy knows. */
  readonly remoteIp: string | null;
  /** The monotonic instant since which no stream is open. */
  idleSince = 0;
  readonly #session: ClientHttp2Session;
  readonly #onIdle: (connection: H2Connection) => void;
  #streams = 0;
  #lastProcessed = Number.POSITIVE_INFINITY;
  #leaving = false;

  constructor(
    socket: TLSSocket,
    origin: string,
    identity: { readonly key: string; readonly remoteIp: string | null },
    owner: { onIdle(connection: H2Connection): void; onGone(connection: H2Connection): void },
  ) {
    this.key = identity.key;
    this.remoteIp = identity.remoteIp;
    this.#onIdle = owner.onIdle;
    this.#session = connect(origin, {
      createConnection: () => socket,
      // More do not fit into the length.
      maxHeaderListPairs: 8_000,
      maxSessionMemory: 64,
      strictFieldWhitespaceValidation: false,
      // A caller may say what it likes as often as it likes, as over HTTP/1.1.
      strictSingleValueFields: false,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: 262_144 },
    } as Parameters<typeof connect>[1]);
    this.#session.setLocalWindowSize(SESSION_WINDOW);
    this.#session.on('goaway', (_code, last) => {
      this.#leaving = true;
      this.#lastProcessed = last;
    });
    // The streams tell it to their hops.
    this.#session.on('error', () => {
      this.#leaving = true;
    });
    this.#session.on('close', () => {
      this.#leaving = true;
      owner.onGone(this);
    });
    socket.on('error', () => this.destroy());
  }

  get streams(): number {
    return this.#streams;
  }

  /** Whether another request may go over it now. */
  get open(): boolean {
    const most = this.#session.remoteSettings?.maxConcurrentStreams ?? MOST_STREAMS;
    return !this.#leaving && !this.#session.closed && !this.#session.destroyed && this.#streams < most;
  }

  /** @returns whether it goes out; if it cannot, the hop is told */
  run(hop: Hop, { method, scheme, authority, path, fields, body }: H2Request): boolean {
    const head = [':method', method, ':authority', authority, ':scheme', scheme, ':path', path];
    for (const [name, value] of fields) head.push(name, value);
    let exchange: StreamExchange;
    try {
      const stream = this.#session.request(head, { endStream: body === null });
      this.#streams++;
      exchange = new StreamExchange(stream, hop, method, (id) => id > this.#lastProcessed);
      stream.once('close', () => this.#ended());
      if (body !== null) stream.end(body);
    } catch (error) {
      hop.abort(
        failure('http.protocol', `The request cannot be sent over HTTP/2: ${(error as Error).message}`),
      );
      return false;
    }
    hop.onSent(exchange);
    return true;
  }

  destroy(): void {
    this.#leaving = true;
    this.#session.destroy();
  }

  #ended(): void {
    this.#streams--;
    if (this.#streams > 0) return;
    if (this.#leaving) this.destroy();
    else this.#onIdle(this);
  }
}
