import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { trimOws } from '../base/http-syntax.ts';
import type { Clock } from '../base/time.ts';
import { failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import { ResponseHead } from './response-head.ts';
import type { ResponseReader, ResponseSource } from './response-reader.ts';
import { tlsFailureAfterHandshake } from './tls.ts';

/** Error codes of HTTP/2 (RFC 9113 §7). */
const NO_ERROR = 0;
const CANCEL = 8;
const REFUSED_STREAM = 7;
/** Error code of Node for a peer that violates HTTP/2. */
const HTTP2_ERROR = 'ERR_HTTP2_ERROR';

/** One request on an HTTP/2 stream, whose response goes to the reader. */
class Http2Exchange implements ResponseSource {
  readonly #stream: ClientHttp2Stream;
  readonly #method: string;
  /** Whether the peer has said, by GOAWAY, that it did not process this stream. */
  readonly #isUnprocessed: (id: number) => boolean;
  #reader: ResponseReader | null;
  /** Length of the body by `Content-Length`; null: unknown, or there is no body. */
  #expectedLength: number | null = null;
  #received = 0;
  #error: NodeJS.ErrnoException | null = null;

  constructor(
    stream: ClientHttp2Stream,
    reader: ResponseReader,
    method: string,
    isUnprocessed: (id: number) => boolean,
  ) {
    this.#stream = stream;
    this.#reader = reader;
    this.#method = method;
    this.#isUnprocessed = isUnprocessed;
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
    const reader = this.#reader;
    if (reader === null) return;
    let status = 0;
    let bytes = 0;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      bytes += raw[i]!.length + raw[i + 1]!.length;
      if (raw[i] === ':status') status = Number(raw[i + 1]);
    }
    reader.onBytes(bytes);
    if (!(status >= 200 && status <= 999)) {
      this.cancel();
      reader.onProtocolError('It has no status.');
      return;
    }
    const head = new ResponseHead(status);
    for (let i = 0; i + 1 < raw.length; i += 2) {
      // Blanks around a value are invalid in HTTP/2 (RFC 9113 §8.2.1); they are removed as in HTTP/1.1.
      if (!raw[i]!.startsWith(':')) head.addField(raw[i]!, trimOws(raw[i + 1]!));
    }
    // The response to HEAD and a 304 have the length of a body that they do not send (RFC 9110 §8.6).
    const bodiless = this.#method === 'HEAD' || status === 304;
    if (!bodiless && head.contentLength !== null && /^\d+$/.test(head.contentLength))
      this.#expectedLength = Number(head.contentLength);
    if (!reader.onHead(head)) this.cancel();
  }

  #onData(piece: Buffer): void {
    this.#received += piece.length;
    this.#reader?.onBytes(piece.length);
    this.#reader?.onBody(piece);
  }

  /** A response may be complete before its request is sent (RFC 9113 §8.1): then the rest of the request is cancelled. */
  #onEnd(): void {
    const reader = this.#reader;
    // If the response is incomplete, or the stream has closed or sent its request, `#onClose` decides by the error code.
    // Without a reader, the request was cancelled.
    if (reader === null || this.#stream.closed || this.#stream.writableFinished || !this.#isComplete(reader))
      return;
    this.cancel();
    reader.onComplete();
  }

  /** Whether the head has arrived, and the body in the length that it announced. */
  #isComplete({ bytesIn }: ResponseReader): boolean {
    return bytesIn > 0 && (this.#expectedLength === null || this.#received >= this.#expectedLength);
  }

  #onClose(): void {
    const reader = this.#reader;
    if (reader === null) return;
    this.#reader = null;
    const { rstCode, id } = this.#stream;
    // A stream that is closed without an error, but before it is complete, counts as a lost connection.
    if (rstCode === NO_ERROR && this.#error === null && this.#isComplete(reader)) {
      reader.onComplete();
      return;
    }
    if (this.#error?.code === HTTP2_ERROR) {
      reader.onProtocolError(this.#error.message);
      return;
    }
    const refused = rstCode === REFUSED_STREAM || (id !== undefined && this.#isUnprocessed(id));
    const message = this.#error === null ? 'The target closed the HTTP/2 stream.' : this.#error.message;
    reader.onConnectionLost(message, {
      unprocessed: refused,
      cause: tlsFailureAfterHandshake(this.#error),
    });
  }
}

/** Flow-control windows, large enough that a long round-trip time does not slow a page down. */
const STREAM_WINDOW = 1 << 20;
const SESSION_WINDOW = 8 << 20;
/** How many streams are opened until the peer's SETTINGS arrive. RFC 9113 §6.5.2 recommends that peers allow at least 100 streams. */
const DEFAULT_MAX_STREAMS = 100;
/** The same limit as over HTTP/1.1. */
const MAX_HEAD_BYTES = 262_144;

interface Http2Request {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** Without Host; names lower-case. */
  readonly fields: HeaderList;
  readonly body: Uint8Array | null;
}

/** An HTTP/2 connection, shared by requests. Closes on any error; the owner's `onClosed` is called once. */
export class Http2Connection {
  /** By `connectionKey` of exchange.ts: requests with the same key may share connections. */
  readonly key: string;
  /** null: only a proxy knows the address. */
  readonly remoteIp: string | null;
  /** The monotonic time (ms) since which no stream is open. */
  idleSince = 0;
  readonly #session: ClientHttp2Session;
  readonly #onIdle: (connection: Http2Connection) => void;
  #openStreams = 0;
  /** Id of the last stream that the peer may have processed, by its GOAWAY. */
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
      // So high that only `maxHeaderListSize` limits the fields. Node's default would be reached first.
      maxHeaderListPairs: 8_000,
      // In MB.
      maxSessionMemory: 64,
      // Servers send values with blanks around them, which are removed as over HTTP/1.1.
      strictFieldWhitespaceValidation: false,
      // A caller may repeat any field, as over HTTP/1.1.
      strictSingleValueFields: false,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: MAX_HEAD_BYTES },
    } as Parameters<typeof connect>[1]);
    this.#session.setLocalWindowSize(SESSION_WINDOW);
    this.#session.on('goaway', (_code, lastStreamId) => {
      this.#closing = true;
      this.#lastProcessed = lastStreamId;
    });
    // The streams report the error to their readers.
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

  /** Whether this connection can take another request now. */
  get open(): boolean {
    const maxStreams = this.#session.remoteSettings?.maxConcurrentStreams ?? DEFAULT_MAX_STREAMS;
    return (
      !this.#closing && !this.#session.closed && !this.#session.destroyed && this.#openStreams < maxStreams
    );
  }

  /** Sends a request; its response goes to the reader. @returns false: it cannot be sent, and the reader has failed */
  run(reader: ResponseReader, { method, scheme, authority, path, fields, body }: Http2Request): boolean {
    const rawHeaders = [':method', method, ':authority', authority, ':scheme', scheme, ':path', path];
    for (const [name, value] of fields) rawHeaders.push(name, value);
    let exchange: Http2Exchange;
    try {
      const stream = this.#session.request(rawHeaders, { endStream: body === null });
      this.#openStreams++;
      exchange = new Http2Exchange(stream, reader, method, (id) => id > this.#lastProcessed);
      stream.once('close', () => this.#onStreamClosed());
      if (body !== null) stream.end(body);
    } catch (error) {
      reader.abort(
        failure('http.protocol', `The request cannot be sent over HTTP/2: ${(error as Error).message}`),
      );
      return false;
    }
    reader.onSent(exchange);
    return true;
  }

  destroy(): void {
    this.#closing = true;
    this.#session.destroy();
  }

  #onStreamClosed(): void {
    this.#openStreams--;
    if (this.#openStreams > 0) return;
    if (this.#closing) this.destroy();
    else this.#onIdle(this);
  }
}

/** How long a connection without streams is kept; many servers close it after 5 s. */
const MAX_IDLE_MS = 4_000;
const SWEEP_MS = 1_000;
/** Requests that begin during the first handshake open connections of their own; surplus ones are closed when idle. */
const MAX_IDLE_PER_KEY = 1;
/** For how many keys the pool remembers that the target speaks HTTP/2. */
const MAX_KNOWN_KEYS = 1_000;

/** HTTP/2 connections by key. While there are any, a timer closes those that are idle for too long. */
export class Http2Pool {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Set<Http2Connection>>();
  /** Keys whose target has spoken HTTP/2; the most recent come last. */
  readonly #http2Keys = new Set<string>();
  /** By key: settles when the connection that is being opened is open, or has failed. */
  readonly #pending = new Map<string, Promise<unknown>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The first connection that can take another request. */
  find(key: string): Http2Connection | null {
    const set = this.#byKey.get(key);
    if (set === undefined) return null;
    for (const connection of set) if (connection.open) return connection;
    return null;
  }

  /**
   * A connection that is being opened to an origin that spoke HTTP/2 before, so that it can probably be shared. Settles when it is
   * opened or has failed. null: there is none.
   */
  pendingConnection(key: string): Promise<unknown> | null {
    return this.#pending.get(key) ?? null;
  }

  /** @param connecting settles when the connection is opened or has failed; never rejects */
  addPendingConnection(key: string, connecting: Promise<unknown>): void {
    if (!this.#http2Keys.has(key) || this.#pending.has(key)) return;
    this.#pending.set(key, connecting);
    connecting.then(() => this.#pending.delete(key));
  }

  add(socket: TLSSocket, origin: string, key: string, remoteIp: string | null): Http2Connection {
    const connection = new Http2Connection(
      socket,
      origin,
      { key, remoteIp },
      { onIdle: this.onIdle, onClosed: (closed) => this.onClosed(closed) },
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
    for (const other of this.#byKey.get(connection.key) ?? [])
      if (other.openStreams === 0 && other.open) idle++;
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
    const idleBefore = this.#clock.monotonic() - MAX_IDLE_MS;
    for (const set of this.#byKey.values()) {
      for (const connection of [...set]) {
        if (connection.openStreams === 0 && connection.idleSince <= idleBefore) connection.destroy();
      }
    }
    if (this.#byKey.size > 0) this.#timer = setTimeout(() => this.#sweep(), SWEEP_MS);
  }
}
