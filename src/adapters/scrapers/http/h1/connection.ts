import type { Socket } from 'node:net';
import { freeWhole } from '../../../../base/free-whole.ts';
import type { Failure } from '../../../../domain/failure.ts';
import type { AnswerHead } from '../answer-head.ts';
import type { Carrier, Hop } from '../hop.ts';
import type { ProxyGuard } from '../proxy-guard.ts';
import { brokenTls } from '../tls/broken-tls.ts';
import type { RequestBytes } from './request-text.ts';
import { ResponseParser, type ResponseSink } from './response-parser.ts';
import { writeRequest } from './write-request.ts';

/** Longest time a connection is kept idle; servers commonly close at 5 s. */
const IDLE_MS = 4_000;
/** How much of the body of a redirect is read to keep its connection. */
const LEFTOVER = 65_536;

export interface ConnectionOwner {
  /** The connection may carry another request, for `idleMs`. */
  onIdle(connection: H1Connection, idleMs: number): void;
  /** It is gone; asked at most once, also while it is idle. */
  onGone(connection: H1Connection): void;
}

/**
 * One HTTP/1.1 connection: one request at a time, listeners attached once. Anything that comes while it is idle, and
 * anything odd in an answer, ends it.
 */
export class H1Connection implements Carrier, ResponseSink {
  readonly key: string;
  /** null: a proxy knows. */
  readonly remoteIp: string | null;
  /** Of a connection to a proxy that takes whole URLs; null: it leads to the target. */
  readonly guard: ProxyGuard | null;
  /** Set by the owner while it is idle: the monotonic instant at which it is no longer used. */
  idleUntil = 0;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #parser: ResponseParser;
  /** The bytes that are being read are lent: what is kept of them has to be copied. */
  #lent = false;
  #hop: Hop | null = null;
  /** Bytes that may still come of an answer that nobody waits for; -1: there is none. */
  #leftover = -1;
  #idleMs = IDLE_MS;
  #writing: (() => void) | null = null;
  /** What TLS said when it ended the connection. */
  #tls: Failure | null = null;
  #gone = false;

  constructor(
    socket: Socket,
    { key, remoteIp, guard }: Pick<H1Connection, 'key' | 'remoteIp' | 'guard'>,
    owner: ConnectionOwner,
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
      this.#tls = brokenTls(error);
      this.#onLost(lost(error));
    });
    socket.on('close', () => this.#onLost('The connection was closed.'));
    // One that lends what it reads has waited for this.
    socket.resume();
  }

  /** Whether it can still be used as far as this side knows. */
  get open(): boolean {
    return !this.#gone;
  }

  /** Sends the request and reports its answer to the hop. Only while no other one is under way. */
  run(hop: Hop, method: string, request: RequestBytes): void {
    this.#hop = hop;
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

  cut(): void {
    this.#hop = null;
    this.#parser.stop();
    this.destroy();
  }

  /** Ends what is still to come of an answer that nobody waits for. */
  abandon(): void {
    if (this.#leftover >= 0) this.destroy();
  }

  destroy(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#writing?.();
    this.#socket.destroy();
    this.#owner.onGone(this);
  }

  onHead(head: AnswerHead): void {
    this.#idleMs = head.keepAlive === null ? IDLE_MS : idleOf(head.keepAlive);
    const proxys = this.guard?.judge(head) ?? null;
    if (proxys !== null) {
      const hop = this.#hop!;
      this.cut();
      hop.onBroken(proxys.message, false, proxys);
      return;
    }
    if (this.#hop!.onHead(head)) return;
    this.#hop = null;
    this.#leftover = LEFTOVER;
  }

  onBody(piece: Buffer): void {
    this.#hop?.onBody(piece, this.#lent);
  }

  onWhole(reusable: boolean): void {
    const hop = this.#hop;
    this.#hop = null;
    this.#leftover = -1;
    // A request that is still going out would run into the next one.
    if (reusable && this.#writing === null && this.#idleMs > 0 && !this.#gone) {
      this.#socket.resume();
      this.#owner.onIdle(this, this.#idleMs);
    } else this.destroy();
    hop?.onWhole();
  }

  onUnreadable(why: string): void {
    const hop = this.#hop;
    this.#hop = null;
    this.destroy();
    hop?.onUnreadable(why, this.guard?.unreadable() ?? null);
  }

  onBroken(why: string): void {
    const hop = this.#hop;
    this.#hop = null;
    this.destroy();
    hop?.onBroken(why, false, this.#tls ?? this.guard?.silent() ?? null);
  }

  /** What the socket has read, in memory that will have been used again when this has returned. */
  onLent(bytes: Buffer): void {
    this.#lent = true;
    this.#onData(bytes);
  }

  #onData(bytes: Buffer): void {
    if (this.#hop !== null) this.#hop.onBytes(bytes.length);
    else {
      this.#leftover -= bytes.length;
      if (this.#leftover < 0) {
        this.destroy();
        return;
      }
    }
    this.#parser.feed(bytes);
    if (!this.#lent && this.#hop?.copies === true) freeWhole(bytes);
  }

  #onEnd(): void {
    if (this.#hop !== null) this.#parser.end();
    this.destroy();
  }

  #onLost(why: string): void {
    if (this.#hop !== null) this.#parser.broken(why);
    this.destroy();
  }
}

function lost(error: NodeJS.ErrnoException): string {
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
function idleOf(value: string): number {
  const found = /timeout\s*=\s*"?(\d{1,6})/i.exec(value);
  return found === null ? IDLE_MS : Math.min(IDLE_MS, Number(found[1]) * 1000 - 500);
}
