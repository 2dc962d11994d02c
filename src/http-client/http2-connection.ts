import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { trimOws } from '../base/http-syntax.ts';
import type { Clock } from '../base/time.ts';
import { failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import { ResponseHead } from './response-head.ts';
import type { ResponseReader, ResponseSource } from './response-reader.ts';
import { tlsFailureAfterHandshake } from './tls.ts';

const NO_ERROR = 0;
const CANCEL = 8;
const REFUSED_STREAM = 7;
/** Of Node: the library found no HTTP/2 in what came. */
const HTTP2_ERROR = 'ERR_HTTP2_ERROR';

/** One request on an HTTP/2 stream: reports to the hop what the stream brings. */
class Http2Exchange implements ResponseSource {
  readonly #stream: ClientHttp2Stream;
  readonly #method: string;
  /** Whether the peer has said (by GOAWAY) that it did not look at this stream. */
  readonly #unprocessed: (id: number) => boolean;
  #reader: ResponseReader | null;
  /** What is to come, when the answer says so and can have a body. */
  #length: number | null = null;
  #received = 0;
  #error: NodeJS.ErrnoException | null = null;

  constructor(
    stream: ClientHttp2Stream,
    hop: ResponseReader,
    method: string,
    unprocessed: (id: number) => boolean,
  ) {
    this.#stream = stream;
    this.#reader = hop;
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

  cancel(): void {
    this.#reader = null;
    this.#stream.close(CANCEL);
  }

  #onHead(raw: readonly string[]): void {
    const hop = this.#reader;
    if (hop === null) return;
    let status = 0;
    let bytes = 0;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      bytes += raw[i]!.length + raw[i + 1]!.length;
      if (raw[i] === ':status') status = Number(raw[i + 1]);
    }
    hop.onBytes(bytes);
    if (!(status >= 200 && status <= 999)) {
      this.cancel();
      hop.onProtocolError('It has no status.');
      return;
    }
    const head = new ResponseHead(status, false, false);
    for (let i = 0; i + 1 < raw.length; i += 2) {
      // Blanks around a value are wrong here (RFC 9113 §8.2.1); as in HTTP/1.1, they are no part of it.
      if (!raw[i]!.startsWith(':')) head.addField(raw[i]!, trimOws(raw[i + 1]!));
    }
    // A HEAD and a 304 tell the length of the page that they do not send (RFC 9110 §8.6).
    const bodiless = this.#method === 'HEAD' || status === 304;
    if (!bodiless && head.contentLength !== null && /^\d+$/.test(head.contentLength))
      this.#length = Number(head.contentLength);
    if (!hop.onHead(head)) this.cancel();
  }

  #onData(piece: Buffer): void {
    this.#received += piece.length;
    this.#reader?.onBytes(piece.length);
    this.#reader?.onBody(piece);
  }

  /** The answer may be whole before the request is (RFC 9113 §8.1): nobody reads the rest of that then. */
  #onEnd(): void {
    const hop = this.#reader;
    // A stream that is closed has ended without this being said, maybe.
    if (hop === null || this.#stream.closed || this.#stream.writableFinished || !this.#isComplete(hop))
      return;
    this.cancel();
    hop.onComplete();
  }

  /** Whether what has come is an answer, and as long as it says. */
  #isComplete({ bytesIn }: ResponseReader): boolean {
    return bytesIn > 0 && (this.#length === null || this.#received >= this.#length);
  }

  #onClose(): void {
    const hop = this.#reader;
    if (hop === null) return;
    this.#reader = null;
    const { rstCode, id } = this.#stream;
    // Closed without a head: the peer took the stream and said nothing.
    if (rstCode === NO_ERROR && this.#error === null && this.#isComplete(hop)) {
      hop.onComplete();
      return;
    }
    if (this.#error?.code === HTTP2_ERROR) {
      hop.onProtocolError(this.#error.message);
      return;
    }
    const refused = rstCode === REFUSED_STREAM || (id !== undefined && this.#unprocessed(id));
    const why = this.#error === null ? 'The target closed the HTTP/2 stream.' : this.#error.message;
    hop.onConnectionLost(why, refused, tlsFailureAfterHandshake(this.#error));
  }
}

/** Flow-control windows: large enough that a long way does not slow a page down. */
const STREAM_WINDOW = 1 << 20;
const SESSION_WINDOW = 8 << 20;
const DEFAULT_MAX_STREAMS = 100;

interface Http2Request {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** Without Host; names lower-case. */
  readonly fields: HeaderList;
  readonly body: Uint8Array | null;
}

/** One HTTP/2 connection, shared by requests. Ends by itself on any error; `onGone` is called once. */
export class Http2Connection {
  readonly key: string;
  /** null: a proxy knows. */
  readonly remoteIp: string | null;
  /** The monotonic instant since which no stream is open. */
  idleSince = 0;
  readonly #session: ClientHttp2Session;
  readonly #onIdle: (connection: Http2Connection) => void;
  #openStreams = 0;
  #lastProcessed = Number.POSITIVE_INFINITY;
  #closing = false;

  constructor(
    socket: TLSSocket,
    origin: string,
    identity: { readonly key: string; readonly remoteIp: string | null },
    owner: { onIdle(connection: Http2Connection): void; onClosed(connection: Http2Connection): void },
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
      this.#closing = true;
      this.#lastProcessed = last;
    });
    // The streams tell it to their hops.
    this.#session.on('error', () => {
      this.#closing = true;
    });
    this.#session.on('close', () => {
      this.#closing = true;
      owner.onClosed(this);
    });
    socket.on('error', () => this.destroy());
  }

  get openStreams(): number {
    return this.#openStreams;
  }

  /** Whether another request may go over it now. */
  get open(): boolean {
    const most = this.#session.remoteSettings?.maxConcurrentStreams ?? DEFAULT_MAX_STREAMS;
    return !this.#closing && !this.#session.closed && !this.#session.destroyed && this.#openStreams < most;
  }

  /** @returns whether it goes out; if it cannot, the hop is told */
  run(hop: ResponseReader, { method, scheme, authority, path, fields, body }: Http2Request): boolean {
    const head = [':method', method, ':authority', authority, ':scheme', scheme, ':path', path];
    for (const [name, value] of fields) head.push(name, value);
    let exchange: Http2Exchange;
    try {
      const stream = this.#session.request(head, { endStream: body === null });
      this.#openStreams++;
      exchange = new Http2Exchange(stream, hop, method, (id) => id > this.#lastProcessed);
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
    this.#closing = true;
    this.#session.destroy();
  }

  #ended(): void {
    this.#openStreams--;
    if (this.#openStreams > 0) return;
    if (this.#closing) this.destroy();
    else this.#onIdle(this);
  }
}

const MAX_IDLE_MS = 4_000;
const SWEEP_MS = 1_000;
/** Idle ones of one key; more come to be when many requests begin before the first handshake has ended. */
const MAX_IDLE_PER_KEY = 1;
/** Keys that are remembered to have spoken HTTP/2. */
const MAX_KNOWN_KEYS = 1_000;

/** The HTTP/2 connections by key. One timer, armed while there are any. */
export class Http2Pool {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Set<Http2Connection>>();
  readonly #http2Keys = new Set<string>();
  readonly #pending = new Map<string, Promise<unknown>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The first one that takes another request. */
  find(key: string): Http2Connection | null {
    const set = this.#byKey.get(key);
    if (set === undefined) return null;
    for (const connection of set) if (connection.open) return connection;
    return null;
  }

  /** A connection that is being opened where HTTP/2 was spoken before: worth waiting for; null: there is none. */
  pendingConnection(key: string): Promise<unknown> | null {
    return this.#pending.get(key) ?? null;
  }

  /** A connection of this key is being opened; `ended` never rejects. */
  addPendingConnection(key: string, ended: Promise<unknown>): void {
    if (!this.#http2Keys.has(key) || this.#pending.has(key)) return;
    this.#pending.set(key, ended);
    ended.then(() => this.#pending.delete(key));
  }

  add(socket: TLSSocket, origin: string, key: string, remoteIp: string | null): Http2Connection {
    const connection = new Http2Connection(
      socket,
      origin,
      { key, remoteIp },
      { onIdle: this.onIdle, onClosed: (gone) => this.onClosed(gone) },
    );
    let set = this.#byKey.get(key);
    if (set === undefined) {
      set = new Set();
      this.#byKey.set(key, set);
    }
    connection.idleSince = this.#clock.monotonic();
    set.add(connection);
    this.#http2Keys.delete(key);
    this.#http2Keys.add(key);
    if (this.#http2Keys.size > MAX_KNOWN_KEYS) this.#http2Keys.delete(this.#http2Keys.keys().next().value!);
    this.#timer ??= setTimeout(() => this.#sweep(), SWEEP_MS);
    return connection;
  }

  readonly onIdle = (connection: Http2Connection): void => {
    connection.idleSince = this.#clock.monotonic();
    let idle = 0;
    for (const one of this.#byKey.get(connection.key) ?? []) if (one.openStreams === 0 && one.open) idle++;
    if (idle > MAX_IDLE_PER_KEY) connection.destroy();
  };

  onClosed(connection: Http2Connection): void {
    const set = this.#byKey.get(connection.key);
    set?.delete(connection);
    if (set?.size === 0) this.#byKey.delete(connection.key);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const set of this.#byKey.values()) for (const connection of [...set]) connection.destroy();
  }

  #sweep(): void {
    this.#timer = null;
    const before = this.#clock.monotonic() - MAX_IDLE_MS;
    for (const set of this.#byKey.values()) {
      for (const connection of [...set]) {
        if (connection.openStreams === 0 && connection.idleSince <= before) connection.destroy();
      }
    }
    if (this.#byKey.size > 0) this.#timer = setTimeout(() => this.#sweep(), SWEEP_MS);
  }
}
