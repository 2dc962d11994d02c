import type { Socket } from 'node:net';
import { freeBuffer } from '../base/memory-budget.ts';
import type { Clock } from '../base/time.ts';
import type { Failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import { ResponseParser, type ResponseSink } from './http1-parser.ts';
import type { ProxyGuard } from './proxy-guard.ts';
import type { ResponseHead } from './response-head.ts';
import type { ResponseReader, ResponseSource } from './response-reader.ts';
import { tlsFailureAfterHandshake } from './tls.ts';

/** A serialised request. */
interface Http1Request {
  /** Request line and fields, with the empty line at the end; one character per byte. */
  readonly head: string;
  readonly body: Uint8Array | null;
}

/** @param fields in the order in which they are sent; values are byte strings */
export function serializeRequestHead(method: string, target: string, fields: HeaderList): string {
  let text = `${method} ${target} HTTP/1.1\r\n`;
  for (const field of fields) text += `${field[0]}: ${field[1]}\r\n`;
  return `${text}\r\n`;
}

/** Up to this size, head and body are sent in one write. */
const MAX_SINGLE_WRITE = 65_536;
const SLICE_BYTES = 65_536;

/**
 * Writes a request. A large body is written in slices, each after the previous one has been sent, so that writing can stop when
 * an early response arrives.
 * @param onWritten called when the last slice has been sent
 * @returns a function that stops writing; null: all was written at once, and `onWritten` is not called
 */
function writeRequest(
  socket: Socket,
  { head, body }: Http1Request,
  onWritten: () => void,
): (() => void) | null {
  if (body === null || body.length === 0) {
    socket.write(head, 'latin1');
    return null;
  }
  const firstLength = Math.min(body.length, Math.max(0, MAX_SINGLE_WRITE - head.length));
  const bytes = Buffer.allocUnsafe(head.length + firstLength);
  bytes.write(head, 0, 'latin1');
  bytes.set(firstLength === body.length ? body : body.subarray(0, firstLength), head.length);
  if (firstLength === body.length) {
    socket.write(bytes);
    return null;
  }
  return writeInSlices(socket, bytes, body, firstLength, onWritten);
}

function writeInSlices(
  socket: Socket,
  firstBytes: Uint8Array,
  body: Uint8Array,
  from: number,
  onWritten: () => void,
): () => void {
  let offset = from;
  let stopped = false;
  const writeNext = (error?: Error | null) => {
    if (stopped || error) return;
    if (offset >= body.length) return onWritten();
    const slice = body.subarray(offset, Math.min(body.length, offset + SLICE_BYTES));
    offset += slice.length;
    socket.write(slice, writeNext);
  };
  socket.write(firstBytes, writeNext);
  return () => {
    stopped = true;
  };
}

/** How long a connection may be idle; many servers close it after 5 s. */
const MAX_IDLE_MS = 4_000;
/** How much of a redirect's body is read so that its connection can be used again. */
const MAX_DISCARDED_BODY = 65_536;

interface Http1ConnectionOwner {
  /** The connection is idle, and can take another request within `idleMs`. */
  onIdle(connection: Http1Connection, idleMs: number): void;
  /** Called once, also when the connection was idle. */
  onClosed(connection: Http1Connection): void;
}

/**
 * An HTTP/1.1 connection with one request at a time. It closes when bytes arrive while it is idle, and after a malformed
 * response.
 */
export class Http1Connection implements ResponseSource, ResponseSink {
  readonly key: string;
  /** null: only a proxy knows the address. */
  readonly remoteIp: string | null;
  /** For a connection to a proxy that takes requests in absolute form; null: it leads to the target. */
  readonly guard: ProxyGuard | null;
  /** Set by the pool: the monotonic time (ms) from which the idle connection must not be used. */
  idleUntil = 0;
  readonly #socket: Socket;
  readonly #owner: Http1ConnectionOwner;
  readonly #parser: ResponseParser;
  /** The socket reads into a shared buffer: bytes must be copied to keep them. */
  #sharedRead = false;
  #reader: ResponseReader | null = null;
  /** How many more bytes of a followed redirect's body are discarded; -1: none, so any byte closes the connection. */
  #discardable = -1;
  #idleMs = MAX_IDLE_MS;
  #stopWriting: (() => void) | null = null;
  /** The TLS error that ended the connection. */
  #tlsFailure: Failure | null = null;
  #closed = false;

  constructor(
    socket: Socket,
    { key, remoteIp, guard }: Pick<Http1Connection, 'key' | 'remoteIp' | 'guard'>,
    owner: Http1ConnectionOwner,
  ) {
    this.#socket = socket;
    this.remoteIp = remoteIp;
    this.key = key;
    this.guard = guard;
    this.#owner = owner;
    this.#parser = new ResponseParser(this);
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#tlsFailure = tlsFailureAfterHandshake(error);
      this.#onLost(lossMessage(error));
    });
    socket.on('close', () => this.#onLost('The connection was closed.'));
    // A socket with shared reads is paused until now.
    socket.resume();
  }

  /** Not closed, as far as this side knows: the target may just have closed it. */
  get open(): boolean {
    return !this.#closed;
  }

  /** Sends a request; its response goes to the reader. Must not be called before the previous exchange has ended. */
  run(reader: ResponseReader, method: string, request: Http1Request): void {
    this.#reader = reader;
    this.#parser.start(method);
    reader.onSent(this);
    this.#stopWriting = writeRequest(this.#socket, request, () => {
      this.#stopWriting = null;
    });
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  cancel(): void {
    this.#reader = null;
    this.#parser.stop();
    this.destroy();
  }

  /** Closes the connection if the body of a followed redirect is still incomplete. */
  cancelUnreadBody(): void {
    if (this.#discardable >= 0) this.destroy();
  }

  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopWriting?.();
    this.#socket.destroy();
    this.#owner.onClosed(this);
  }

  onHead(head: ResponseHead): void {
    this.#idleMs = head.keepAlive === null ? MAX_IDLE_MS : keepAliveMs(head.keepAlive);
    const proxyFailure = this.guard?.responseFailure(head) ?? null;
    if (proxyFailure !== null) {
      const reader = this.#reader!;
      this.cancel();
      reader.onConnectionLost(proxyFailure.message, { cause: proxyFailure });
      return;
    }
    if (this.#reader!.onHead(head)) return;
    this.#reader = null;
    this.#discardable = MAX_DISCARDED_BODY;
  }

  onBody(piece: Buffer): void {
    this.#reader?.onBody(piece, this.#sharedRead);
  }

  onComplete(reusable: boolean): void {
    const reader = this.#reader;
    this.#reader = null;
    this.#discardable = -1;
    // While the request is still being written, the connection cannot be used for the next one.
    if (reusable && this.#stopWriting === null && this.#idleMs > 0 && !this.#closed) {
      this.#socket.resume();
      this.#owner.onIdle(this, this.#idleMs);
    } else this.destroy();
    reader?.onComplete();
  }

  onProtocolError(message: string): void {
    const reader = this.#reader;
    this.#reader = null;
    this.destroy();
    reader?.onProtocolError(message, this.guard?.malformedResponseFailure() ?? null);
  }

  onConnectionLost(message: string): void {
    const reader = this.#reader;
    this.#reader = null;
    this.destroy();
    const cause = this.#tlsFailure ?? this.guard?.noResponseFailure() ?? null;
    reader?.onConnectionLost(message, { cause });
  }

  /** Receives bytes that the socket has read into the shared buffer. */
  onSocketRead(bytes: Buffer): void {
    this.#sharedRead = true;
    this.#onData(bytes);
  }

  #onData(bytes: Buffer): void {
    if (this.#reader !== null) this.#reader.onBytes(bytes.length);
    else {
      this.#discardable -= bytes.length;
      if (this.#discardable < 0) {
        this.destroy();
        return;
      }
    }
    this.#parser.feed(bytes);
    if (!this.#sharedRead && this.#reader?.piecesCopied === true) freeBuffer(bytes);
  }

  #onEnd(): void {
    if (this.#reader !== null) this.#parser.end();
    this.destroy();
  }

  #onLost(message: string): void {
    if (this.#reader !== null) this.#parser.connectionLost(message);
    this.destroy();
  }
}

function lossMessage(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The target reset the connection.';
    case 'ETIMEDOUT':
      return 'The target stopped responding, and the connection timed out.';
    default:
      return `The connection was lost (${error.code ?? error.message}).`;
  }
}

/** The timeout of a `Keep-Alive: timeout=5` field in ms, less half a second, so that the next request arrives in time. */
function keepAliveMs(value: string): number {
  const timeout = /timeout\s*=\s*"?(\d{1,6})/i.exec(value);
  return timeout === null ? MAX_IDLE_MS : Math.min(MAX_IDLE_MS, Number(timeout[1]) * 1000 - 500);
}

const MAX_IDLE_PER_KEY = 64;
/** Limit over all keys. */
const MAX_IDLE = 512;
const SWEEP_MS = 1_000;

/**
 * Idle connections by key. The most recently used one is taken first, because the target is least likely to have closed it.
 * While there are idle connections, a timer removes those that have expired.
 */
export class Http1Pool implements Http1ConnectionOwner {
  readonly #clock: Clock;
  readonly #idle = new Map<string, Http1Connection[]>();
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#count;
  }

  take(key: string): Http1Connection | null {
    const list = this.#idle.get(key);
    if (list === undefined) return null;
    const now = this.#clock.monotonic();
    for (;;) {
      const connection = list.pop();
      if (connection === undefined) return null;
      this.#count--;
      if (connection.open && connection.idleUntil > now) return connection;
      connection.destroy();
    }
  }

  onIdle(connection: Http1Connection, idleMs: number): void {
    let list = this.#idle.get(connection.key);
    if (list === undefined) {
      list = [];
      this.#idle.set(connection.key, list);
    }
    if (this.#closed || this.#count >= MAX_IDLE || list.length >= MAX_IDLE_PER_KEY) {
      connection.destroy();
      return;
    }
    connection.idleUntil = this.#clock.monotonic() + idleMs;
    list.push(connection);
    this.#count++;
    this.#timer ??= setTimeout(() => this.#sweep(), SWEEP_MS);
  }

  onClosed(connection: Http1Connection): void {
    const list = this.#idle.get(connection.key);
    const index = list === undefined ? -1 : list.indexOf(connection);
    if (index === -1) return;
    list!.splice(index, 1);
    this.#count--;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const list of this.#idle.values()) for (const connection of [...list]) connection.destroy();
    this.#idle.clear();
  }

  #sweep(): void {
    this.#timer = null;
    const now = this.#clock.monotonic();
    for (const [key, list] of this.#idle) {
      for (const connection of list.filter(({ idleUntil }) => idleUntil <= now)) connection.destroy();
      if (list.length === 0) this.#idle.delete(key);
    }
    if (this.#count > 0) this.#timer = setTimeout(() => this.#sweep(), SWEEP_MS);
  }
}
