import type { Socket } from 'node:net';
import { type Failure, failure } from '../../domain/failure.ts';
import { connectFailure } from '../connect-failure.ts';
import type { SlotSession } from './gateway-session.ts';
import { BodyScanner, HeadScanner } from './message-scanner.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';
import { ResponseGuard } from './response-guard.ts';
import { ActiveTap, ResponseTracker, type TargetConnection } from './target-connection.ts';

const BAD_REQUEST = '400 Bad Request';
const HEAD_TOO_LARGE = '431 Request Header Fields Too Large';

/** Status code and reason phrase for a failure. They only help with debugging; the cause is in the connection log. */
function refusalStatus({ code }: Failure): string {
  if (code.startsWith('policy.')) return '403 Forbidden';
  if (code === 'service.unavailable') return '503 Service Unavailable';
  return code === 'connect.timeout' ? '504 Gateway Timeout' : '502 Bad Gateway';
}

/**
 * A response of the gateway itself, which ends the connection. Its two different lengths make it invalid (RFC 9112 §6.3): the
 * client reports a network error and does not retry. For a lost connection it would retry. A page cannot read it, and
 * no response of a target can be mistaken for it.
 */
function refusalResponse(status: string): string {
  return `HTTP/1.1 ${status}\r\nCache-Control: no-store\r\nContent-Length: 0\r\nContent-Length: 1\r\nConnection: close\r\n\r\n`;
}

/** In characters. Enough for the 300 cookies of 4 KiB that a scrape may have. */
const MAX_HEAD_LENGTH = 2 * 1024 * 1024;
/** Bytes. While a client waits, its socket is read up to this limit: a paused socket would not report that the client left. */
const MAX_BUFFERED = 64 * 1024;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const MALFORMED_REQUEST = failure(
  'service.internal',
  'The browser or HTTP client sent the gateway a request that cannot be read.',
);

/**
 * A connection from a client. It is connected to one target at a time, and forwards the bytes of the target unchanged. When
 * the target closes its connection, this one is closed, too. A plain request for another target waits until all earlier
 * responses are complete; then a new connection replaces the one to the old target.
 */
export class ClientConnection {
  readonly #client: Socket;
  readonly #session: SlotSession;
  readonly #head = new HeadScanner(MAX_HEAD_LENGTH);
  readonly #body = new BodyScanner('request');
  /** Ends a dial whose client has closed its connection. */
  readonly #clientClosed = new AbortController();
  #target: TargetConnection | null = null;
  /** A head that was parsed, but not handled yet. */
  #pendingHead: RequestHead | null = null;
  /** Why bytes of the client are buffered: a dial for a plain request or for a tunnel, or earlier responses are incomplete. */
  #waitingFor: 'dial' | 'tunnel' | 'responses' | null = null;
  /** The last request asked for an upgrade, and the target has not responded yet. */
  #upgrading = false;
  /** Bytes are forwarded without parsing: in a tunnel, or after an upgrade. */
  #tunnelled = false;
  /** A refusal was sent, or the connection was destroyed: further bytes of the client are ignored. */
  #refused = false;
  /** Bytes of the client that were not handled yet. */
  #buffered: Buffer | null = null;
  /** The client has ended its side. */
  #clientEnded = false;

  constructor(client: Socket, session: SlotSession) {
    this.#client = client;
    this.#session = session;
    session.trackSocket(client);
    client.on('data', (piece: Buffer) => this.#onClientData(piece));
    client.on('end', () => {
      this.#clientEnded = true;
      if (this.#waitingFor === null) this.#endSending();
      // Nothing was sent through the tunnel, and clients speak first in HTTP and TLS: this client gave it up.
      else if (this.#waitingFor === 'tunnel' && this.#buffered === null) client.destroy();
    });
    client.on('drain', () => {
      if (this.#target?.tap?.paused !== true) this.#target?.socket.resume();
    });
    client.on('error', ignore);
    client.on('close', () => {
      this.#clientClosed.abort();
      if (this.#target?.tap?.diverted !== true) this.#target?.socket.destroy();
    });
  }

  #onClientData(piece: Buffer): void {
    if (this.#refused) return;
    if (this.#tunnelled && this.#waitingFor === null) {
      if (!this.#target!.socket.write(piece)) this.#client.pause();
      return;
    }
    this.#buffered = this.#buffered === null ? piece : Buffer.concat([this.#buffered, piece]);
    this.#proceed();
  }

  /** Handles buffered bytes of the client until there are none, or something has to be waited for. */
  #proceed(): void {
    while (this.#waitingFor === null && (this.#pendingHead !== null || this.#buffered !== null)) {
      if (this.#pendingHead !== null) this.#handleHead(this.#pendingHead);
      else if (this.#tunnelled) this.#forward(this.#buffered!.length);
      else if (!this.#body.done) this.#forwardBody();
      else if (this.#upgrading) this.#awaitUpgrade();
      else if (!this.#readHead()) break;
    }
    if (this.#refused || this.#client.destroyed) return;
    if (this.#waitingFor === null) {
      if (this.#target?.socket.writableNeedDrain !== true) this.#client.resume();
      if (this.#clientEnded) this.#endSending();
    } else if ((this.#buffered?.length ?? 0) >= MAX_BUFFERED) this.#client.pause();
  }

  #stopWaiting(): void {
    this.#waitingFor = null;
    this.#proceed();
  }

  /** Reads a request head into `#pendingHead`. @returns false: it is incomplete, or was refused */
  #readHead(): boolean {
    const piece = this.#buffered!;
    const end = this.#head.feed(piece, 0);
    this.#consume(end === -1 ? piece.length : end);
    if (this.#head.tooLong) this.#refuseMalformed(HEAD_TOO_LARGE);
    if (end === -1 || this.#refused) return false;
    const head = parseRequestHead(this.#head.take());
    if (head === null) this.#refuseMalformed(BAD_REQUEST);
    else this.#pendingHead = head;
    return head !== null;
  }

  #handleHead(head: RequestHead): void {
    const key = `${head.target.host}:${head.target.port}`;
    const connection = this.#target;
    // With a guard, the connection leads to an upstream HTTP proxy that gets requests in absolute form. An upgrade must not go
    // that way: it gets a new connection, on which the proxy opens a tunnel.
    const sameTarget =
      head.kind === 'plain' &&
      connection !== null &&
      connection.key === key &&
      (connection.guard === null || !head.upgrade);
    if (!sameTarget && connection !== null && !connection.tracker.idle) {
      this.#waitingFor = 'responses';
      return;
    }
    this.#pendingHead = null;
    const cause = this.#session.checkUrl(head.url);
    if (cause !== null) {
      // A refusal now would be taken for a part of an earlier response.
      if (connection !== null && !connection.tracker.idle) {
        this.#pendingHead = head;
        this.#waitingFor = 'responses';
        return;
      }
      this.#session.logRefusal(head.kind, head.target, cause);
      this.#refuse(refusalStatus(cause));
    } else if (sameTarget) this.#sendHead(head, connection);
    else {
      if (connection !== null) {
        this.#target = null;
        connection.socket.destroy();
      }
      this.#waitingFor = head.kind === 'tunnel' ? 'tunnel' : 'dial';
      void this.#dial(head, key);
    }
  }

  async #dial(head: RequestHead, key: string): Promise<void> {
    const { result, log } = await this.#session.dial(head, this.#clientClosed.signal, this.#onSharedRead);
    if (this.#client.destroyed) {
      result.socket?.destroy();
      return;
    }
    if (result.failure !== null) {
      this.#waitingFor = null;
      return this.#refuse(refusalStatus(result.failure));
    }
    const socket = result.clientStream ?? result.socket;
    const guard = result.absoluteForm === undefined ? null : new ResponseGuard(result.absoluteForm, key);
    const connection: TargetConnection = {
      socket,
      log,
      key,
      tracker: new ResponseTracker(),
      tap: null,
      guard,
    };
    this.#target = connection;
    this.#attachTarget(connection);
    if (head.kind === 'plain') this.#sendHead(head, connection);
    else {
      this.#tunnelled = true;
      this.#client.write(ESTABLISHED);
      socket.resume();
    }
    this.#stopWaiting();
  }

  #attachTarget(connection: TargetConnection): void {
    const { socket, log } = connection;
    // A target may end its side and still receive data.
    socket.allowHalfOpen = true;
    socket.on('data', (piece: Buffer) => this.#onTargetData(piece, connection));
    socket.on('drain', () => {
      if (this.#waitingFor === null) this.#client.resume();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A target may drop an idle connection; that is not a failure.
      const busy = this.#target === connection && (this.#tunnelled || !connection.tracker.idle);
      if (busy) log.cause = connectFailure(error.code, connection.key);
    });
    socket.on('end', () => {
      connection.tap?.end({ lost: false });
      if (this.#target === connection && !this.#rejectIfUnanswered(connection)) this.#client.end();
    });
    socket.on('close', () => {
      connection.tap?.end({ lost: true });
      if (this.#target !== connection || this.#rejectIfUnanswered(connection)) return;
      // A reset, because after a normal end the client could take an incomplete body for a complete one.
      if (socket.errored !== null) this.#client.write('', () => this.#client.resetAndDestroy());
      else this.#client.destroySoon();
    });
  }

  /** @returns whether a proxy has ended the connection before a response */
  #rejectIfUnanswered(connection: TargetConnection): boolean {
    const cause = connection.guard?.takeMissingResponseFailure() ?? null;
    if (cause !== null) this.#rejectResponse(connection, cause);
    return cause !== null;
  }

  #rejectResponse({ log }: TargetConnection, cause: Failure): void {
    this.#session.logFailure(log, cause);
    this.#refuse(refusalStatus(cause));
  }

  #sendHead(head: Extract<RequestHead, { kind: 'plain' }>, connection: TargetConnection): void {
    const tap = this.#session.takeTap(head.url);
    connection.tap = tap === null ? null : new ActiveTap(connection.socket, tap);
    connection.tracker.expect(head);
    this.#body.start(head.bodyLength);
    this.#upgrading = head.upgrade;
    const text = connection.guard === null ? head.text : connection.guard.serializeRequest(head);
    if (!connection.socket.write(text, 'latin1')) this.#client.pause();
  }

  /** Until the target accepts or rejects the upgrade, it is not known which protocol the next bytes are. */
  #awaitUpgrade(): void {
    const { tracker } = this.#target!;
    if (tracker.upgraded) this.#tunnelled = true;
    else if (!tracker.idle) {
      this.#waitingFor = 'responses';
      return;
    }
    this.#upgrading = false;
  }

  #forwardBody(): void {
    const end = this.#body.feed(this.#buffered!, 0);
    if (this.#body.malformed) this.#refuseMalformed(BAD_REQUEST);
    else this.#forward(end);
  }

  #forward(length: number): void {
    const piece = this.#buffered!;
    this.#consume(length);
    const { socket } = this.#target!;
    if (!socket.write(length === piece.length ? piece : piece.subarray(0, length))) this.#client.pause();
  }

  #consume(length: number): void {
    const piece = this.#buffered!;
    this.#buffered = length === piece.length ? null : piece.subarray(length);
  }

  /** Copies the bytes. This is still cheaper than a stream, which allocates 64 KiB for each read. */
  readonly #onSharedRead = (bytes: Buffer): void => {
    if (this.#target !== null) this.#onTargetData(Buffer.from(bytes), this.#target);
  };

  #onTargetData(received: Buffer, connection: TargetConnection): void {
    if (this.#target !== connection) return;
    const piece = connection.guard === null ? received : connection.guard.filter(received);
    if (piece === null) return;
    if (!Buffer.isBuffer(piece)) {
      this.#rejectResponse(connection, piece);
      return;
    }
    const length = this.#tunnelled ? piece.length : connection.tracker.feed(piece);
    const response = length === piece.length ? piece : piece.subarray(0, length);
    const forClient = connection.tap?.feed(response) ?? response;
    const clientIsFull = forClient.length > 0 && !this.#client.write(forClient);
    if (clientIsFull && connection.tap?.diverted !== true) connection.socket.pause();
    if (length < piece.length) {
      // The client would take the further bytes for the response to its next request.
      this.#refuse(null);
    } else if (this.#waitingFor === 'responses' && (connection.tracker.idle || connection.tracker.upgraded))
      this.#stopWaiting();
  }

  /** The client has ended its side: tells the target, or closes the connection if no response is expected. */
  #endSending(): void {
    const connection = this.#target;
    if (connection !== null && (this.#tunnelled || !connection.tracker.idle)) connection.socket.end();
    else if (!this.#refused) this.#client.destroySoon();
  }

  #refuseMalformed(status: string): void {
    this.#session.logRefusal('plain', null, MALFORMED_REQUEST);
    if (this.#target?.tracker.idle === false) this.#destroyClient();
    else this.#refuse(status);
  }

  /** Closes the connection without a refusal, because an earlier response is incomplete. */
  #destroyClient(): void {
    this.#refused = true;
    this.#buffered = null;
    this.#client.destroy();
  }

  /** Ends the connection and discards what the client still sends. @param status null: no response is sent */
  #refuse(status: string | null): void {
    this.#target?.socket.destroy();
    this.#target = null;
    this.#refused = true;
    this.#buffered = null;
    this.#client.end(status === null ? '' : refusalResponse(status), 'latin1');
    this.#client.resume();
  }
}

function ignore(): void {}
