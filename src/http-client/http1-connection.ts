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

/** A request as it goes out over HTTP/1.1. */
interface Http1Request {
  /** Request line and header, the empty line at the end included; each character is one byte. */
  readonly head: string;
  readonly body: Uint8Array | null;
}

/** @param fields in order, names as they are to be written; values are byte strings. The first one is Host. */
export function serializeRequestHead(method: string, target: string, fields: HeaderList): string {
  let text = `${method} ${target} HTTP/1.1\r\n`;
  for (const field of fields) text += `${field[0]}: ${field[1]}\r\n`;
  return `${text}\r\n`;
}

/** Up to this size head and body leave in one write. */
const MAX_SINGLE_WRITE = 65_536;
const SLICE_BYTES = 65_536;

/**
 * Writes a request; a large body goes in slices, each when the one before has left, so that an early answer is seen in
 * between.
 * @param done called when all is with the system, never for a request that went at once
 * @returns stops writing; null when all went at once
 */
function writeRequest(socket: Socket, { head, body }: Http1Request, done: () => void): (() => void) | null {
  if (body === null || body.length === 0) {
    socket.write(head, 'latin1');
    return null;
  }
  const first = Math.min(body.length, Math.max(0, MAX_SINGLE_WRITE - head.length));
  const bytes = Buffer.allocUnsafe(head.length + first);
  bytes.write(head, 0, 'latin1');
  bytes.set(first === body.length ? body : body.subarray(0, first), head.length);
  if (first === body.length) {
    socket.write(bytes);
    return null;
  }
  return writeInSlices(socket, bytes, body, first, done);
}

function writeInSlices(
  socket: Socket,
  start: Uint8Array,
  body: Uint8Array,
  from: number,
  done: () => void,
): () => void {
  let at = from;
  let stopped = false;
  const next = (error?: Error | null) => {
    if (stopped || error) return;
    if (at >= body.length) return done();
    const slice = body.subarray(at, Math.min(body.length, at + SLICE_BYTES));
    at += slice.length;
    socket.write(slice, next);
  };
  socket.write(start, next);
  return () => {
    stopped = true;
  };
}

/** Longest time a connection is kept idle; servers commonly close at 5 s. */
const MAX_IDLE_MS = 4_000;
/** How much of the body of a redirect is read to keep its connection. */
const MAX_UNREAD_BODY = 65_536;

interface Http1ConnectionOwner {
  /** The connection may carry another request, for `idleMs`. */
  onIdle(connection: Http1Connection, idleMs: number): void;
  /** It is gone; asked at most once, also while it is idle. */
  onClosed(connection: Http1Connection): void;
}

/**
 * One HTTP/1.1 connection: one request at a time, listeners attached once. Anything that comes while it is idle, and
 * anything odd in an answer, ends it.
 */
export class Http1Connection implements ResponseSource, ResponseSink {
  readonly key: string;
  /** null: a proxy knows. */
  readonly remoteIp: string | null;
  /** Of a connection to a proxy that takes whole URLs; null: it leads to the target. */
  readonly guard: ProxyGuard | null;
  /** Set by the owner while it is idle: the monotonic instant at which it is no longer used. */
  idleUntil = 0;
  readonly #socket: Socket;
  readonly #owner: Http1ConnectionOwner;
  readonly #parser: ResponseParser;
  /** The bytes that are being read are lent: what is kept of them has to be copied. */
  #sharedRead = false;
  #reader: ResponseReader | null = null;
  /** Bytes that may still come of an answer that nobody waits for; -1: there is none. */
  #unreadBody = -1;
  #idleMs = MAX_IDLE_MS;
  #writing: (() => void) | null = null;
  /** What TLS said when it ended the connection. */
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
    // One that lends what it reads has waited for this.
    socket.resume();
  }

  /** Whether it can still be used as far as this side knows. */
  get open(): boolean {
    return !this.#closed;
  }

  /** Sends the request and reports its answer to the hop. Only while no other one is under way. */
  run(hop: ResponseReader, method: string, request: Http1Request): void {
    this.#reader = hop;
    this.#parser.start(method);
    hop.onSent(this);
    this.#writing = writeRequest(this.#socket, request, () => {
      this.#writing = null;
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

  /** Ends what is still to come of an answer that nobody waits for. */
  cancelUnreadBody(): void {
    if (this.#unreadBody >= 0) this.destroy();
  }

  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#writing?.();
    this.#socket.destroy();
    this.#owner.onClosed(this);
  }

  onHead(head: ResponseHead): void {
    this.#idleMs = head.keepAlive === null ? MAX_IDLE_MS : keepAliveMs(head.keepAlive);
    const proxys = this.guard?.responseFailure(head) ?? null;
    if (proxys !== null) {
      const hop = this.#reader!;
      this.cancel();
      hop.onConnectionLost(proxys.message, false, proxys);
      return;
    }
    if (this.#reader!.onHead(head)) return;
    this.#reader = null;
    this.#unreadBody = MAX_UNREAD_BODY;
  }

  onBody(piece: Buffer): void {
    this.#reader?.onBody(piece, this.#sharedRead);
  }

  onComplete(reusable: boolean): void {
    const hop = this.#reader;
    this.#reader = null;
    this.#unreadBody = -1;
    // A request that is still going out would run into the next one.
    if (reusable && this.#writing === null && this.#idleMs > 0 && !this.#closed) {
      this.#socket.resume();
      this.#owner.onIdle(this, this.#idleMs);
    } else this.destroy();
    hop?.onComplete();
  }

  onProtocolError(why: string): void {
    const hop = this.#reader;
    this.#reader = null;
    this.destroy();
    hop?.onProtocolError(why, this.guard?.invalidResponseFailure() ?? null);
  }

  onConnectionLost(why: string): void {
    const hop = this.#reader;
    this.#reader = null;
    this.destroy();
    hop?.onConnectionLost(why, false, this.#tlsFailure ?? this.guard?.noResponseFailure() ?? null);
  }

  /** What the socket has read, in memory that will have been used again when this has returned. */
  onSocketRead(bytes: Buffer): void {
    this.#sharedRead = true;
    this.#onData(bytes);
  }

  #onData(bytes: Buffer): void {
    if (this.#reader !== null) this.#reader.onBytes(bytes.length);
    else {
      this.#unreadBody -= bytes.length;
      if (this.#unreadBody < 0) {
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

  #onLost(why: string): void {
    if (this.#reader !== null) this.#parser.connectionLost(why);
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

/** `Keep-Alive: timeout=5` (seconds), less half a second for the way. */
function keepAliveMs(value: string): number {
  const found = /timeout\s*=\s*"?(\d{1,6})/i.exec(value);
  return found === null ? MAX_IDLE_MS : Math.min(MAX_IDLE_MS, Number(found[1]) * 1000 - 500);
}

const MAX_IDLE_PER_KEY = 64;
const MAX_IDLE = 512;
const SWEEP_MS = 1_000;

/**
 * Idle connections by key, last in first out: the freshest is the least likely to be closed by the peer meanwhile.
 * One timer, armed while anything is idle.
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
    const at = list === undefined ? -1 : list.indexOf(connection);
    if (at === -1) return;
    list!.splice(at, 1);
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
      for (const connection of list.filter((one) => one.idleUntil <= now)) connection.destroy();
      if (list.length === 0) this.#idle.delete(key);
    }
    if (this.#count > 0) this.#timer = setTimeout(() => this.#sweep(), SWEEP_MS);
  }
}
