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

/** The status line's end for a failure. It is for people who look on; the cause is told by the trip. */
function refusalStatus({ code }: Failure): string {
  if (code.startsWith('policy.')) return '403 Forbidden';
  if (code === 'service.unavailable') return '503 Service Unavailable';
  return code === 'connect.timeout' ? '504 Gateway Timeout' : '502 Bad Gateway';
}

/**
 * An answer of the gateway's own, which ends the connection. To an engine it is none: its two lengths make it an error that
 * cannot be recovered from (RFC 9112 §6.3), and that is not tried again as a lost connection is. So a page learns of it no
 * more than that nothing came, and no answer of a target can be taken for one of these.
 */
function refusalResponse(status: string): string {
  return `HTTP/1.1 ${status}\r\nCache-Control: no-store\r\nContent-Length: 0\r\nContent-Length: 1\r\nConnection: close\r\n\r\n`;
}

/** 300 cookies of 4 KiB, which a scrape may bring, and the rest. */
const MAX_HEAD_LENGTH = 2 * 1024 * 1024;
/** While an engine has to wait, so much more is read of it: else its hanging up would not be noticed. */
const MAX_BUFFERED = 64 * 1024;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const UNREADABLE_REQUEST = failure(
  'service.internal',
  'The engine sent the gateway a request that cannot be read.',
);

/**
 * One connection of an engine. It leads to one target at a time, and lives as long as the connection to that one; what
 * the target says passes byte by byte. When a plain request is for another target, and all answers have come, it is
 * connected anew.
 */
export class EngineConnection {
  readonly #engine: Socket;
  readonly #session: SlotSession;
  readonly #head = new HeadScanner(MAX_HEAD_LENGTH);
  readonly #body = new BodyScanner(true);
  /** Ends a dial whose engine has left. */
  readonly #engineLeft = new AbortController();
  #target: TargetConnection | null = null;
  /** A head that was read and not yet answered for. */
  #pendingHead: RequestHead | null = null;
  /** Why what the engine sends has to wait: a dial for a plain request or a tunnel, or answers that are still to come. */
  #waitingFor: 'dial' | 'tunnel' | 'answers' | null = null;
  #upgrading = false;
  /** Bytes are no longer HTTP: a tunnel, or an upgraded connection. */
  #tunnelled = false;
  #refused = false;
  #buffered: Buffer | null = null;
  #engineEnded = false;

  constructor(engine: Socket, use: SlotSession) {
    this.#engine = engine;
    this.#session = use;
    use.trackSocket(engine);
    engine.on('data', (piece: Buffer) => this.#fromEngine(piece));
    engine.on('end', () => {
      this.#engineEnded = true;
      if (this.#waitingFor === null) this.#endLink();
      // Who has nothing to say through a tunnel that is still being made has left: no protocol begins so.
      else if (this.#waitingFor === 'tunnel' && this.#buffered === null) engine.destroy();
    });
    engine.on('drain', () => {
      if (this.#target?.tap?.paused !== true) this.#target?.socket.resume();
    });
    engine.on('error', ignore);
    engine.on('close', () => {
      this.#engineLeft.abort();
      if (this.#target?.tap?.diverted !== true) this.#target?.socket.destroy();
    });
  }

  #fromEngine(piece: Buffer): void {
    if (this.#refused) return;
    if (this.#tunnelled && this.#waitingFor === null) {
      if (!this.#target!.socket.write(piece)) this.#engine.pause();
      return;
    }
    this.#buffered = this.#buffered === null ? piece : Buffer.concat([this.#buffered, piece]);
    this.#proceed();
  }

  /** Takes what the engine has sent as far as it goes. */
  #proceed(): void {
    while (this.#waitingFor === null && (this.#pendingHead !== null || this.#buffered !== null)) {
      if (this.#pendingHead !== null) this.#begin(this.#pendingHead);
      else if (this.#tunnelled) this.#forward(this.#buffered!.length);
      else if (!this.#body.done) this.#forwardBody();
      else if (this.#upgrading) this.#awaitUpgrade();
      else if (!this.#readHead()) break;
    }
    if (this.#refused || this.#engine.destroyed) return;
    if (this.#waitingFor === null) {
      if (this.#target?.socket.writableNeedDrain !== true) this.#engine.resume();
      if (this.#engineEnded) this.#endLink();
    } else if ((this.#buffered?.length ?? 0) >= MAX_BUFFERED) this.#engine.pause();
  }

  /** Goes on after a wait. */
  #release(): void {
    this.#waitingFor = null;
    this.#proceed();
  }

  /** @returns whether anything is to be done after it */
  #readHead(): boolean {
    const piece = this.#buffered!;
    const end = this.#head.feed(piece, 0);
    this.#consume(end === -1 ? piece.length : end);
    if (this.#head.tooLong) this.#refuseUnread(HEAD_TOO_LARGE);
    if (end === -1 || this.#refused) return false;
    const head = parseRequestHead(this.#head.take());
    if (head === null) this.#refuseUnread(BAD_REQUEST);
    else this.#pendingHead = head;
    return head !== null;
  }

  #begin(head: RequestHead): void {
    const key = `${head.place.host}:${head.place.port}`;
    const link = this.#target;
    const same =
      head.kind === 'plain' && link !== null && link.key === key && (link.guard === null || !head.upgrade);
    if (!same && link !== null && !link.tracker.idle) {
      this.#waitingFor = 'answers';
      return;
    }
    this.#pendingHead = null;
    const cause = this.#session.judge(head.url);
    if (cause !== null) {
      // Answers that are still under way would be mixed up with ours.
      if (link !== null && !link.tracker.idle) {
        this.#pendingHead = head;
        this.#waitingFor = 'answers';
        return;
      }
      this.#session.logRefusal(head.kind, head.place, cause);
      this.#refuse(refusalStatus(cause));
    } else if (same) this.#send(head, link);
    else {
      if (link !== null) {
        this.#target = null;
        link.socket.destroy();
      }
      this.#waitingFor = head.kind === 'tunnel' ? 'tunnel' : 'dial';
      void this.#dial(head, key);
    }
  }

  async #dial(head: RequestHead, key: string): Promise<void> {
    const { result, log } = await this.#session.dial(head, this.#engineLeft.signal, this.#onSharedRead);
    if (this.#engine.destroyed) {
      result.socket?.destroy();
      return;
    }
    if (result.failure !== null) {
      this.#waitingFor = null;
      return this.#refuse(refusalStatus(result.failure));
    }
    const socket = result.engineStream ?? result.socket;
    const guard = result.absolute === undefined ? null : new ResponseGuard(result.absolute, key);
    const link: TargetConnection = { socket, log, key, tracker: new ResponseTracker(), tap: null, guard };
    this.#target = link;
    this.#listen(link, `${head.place.host}:${head.place.port}`);
    if (head.kind === 'plain') this.#send(head, link);
    else {
      this.#tunnelled = true;
      this.#engine.write(ESTABLISHED);
      socket.resume();
    }
    this.#release();
  }

  #listen(link: TargetConnection, target: string): void {
    const { socket, log } = link;
    // A target may end its side and still be told something.
    socket.allowHalfOpen = true;
    socket.on('data', (piece: Buffer) => this.#fromTarget(piece, link));
    socket.on('drain', () => {
      if (this.#waitingFor === null) this.#engine.resume();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A target may drop a connection that has nothing more to bring.
      const busy = this.#target === link && (this.#tunnelled || !link.tracker.idle);
      if (busy) log.cause = connectFailure(error.code, target);
    });
    socket.on('end', () => {
      link.tap?.end(false);
      if (this.#target === link && !this.#silent(link)) this.#engine.end();
    });
    socket.on('close', () => {
      link.tap?.end(true);
      if (this.#target !== link || this.#silent(link)) return;
      // After an end in good order there would be no telling a body that broke off from one that is whole.
      if (socket.errored !== null) this.#engine.write('', () => this.#engine.resetAndDestroy());
      else this.#engine.destroySoon();
    });
  }

  /** A proxy ended the connection where an answer was awaited. */
  #silent(link: TargetConnection): boolean {
    const cause = link.guard?.missingResponseFailure() ?? null;
    if (cause !== null) this.#rejectResponse(link, cause);
    return cause !== null;
  }

  #rejectResponse({ log }: TargetConnection, cause: Failure): void {
    this.#session.logProxyFailure(log, cause);
    this.#refuse(refusalStatus(cause));
  }

  #send(head: Extract<RequestHead, { kind: 'plain' }>, link: TargetConnection): void {
    const tap = this.#session.takeTap(head.url);
    link.tap = tap === null ? null : new ActiveTap(link.socket, tap);
    link.tracker.expect(head);
    this.#body.start(head.bodyLength);
    this.#upgrading = head.upgrade;
    const text = link.guard === null ? head.text : link.guard.serializeRequest(head);
    if (!link.socket.write(text, 'latin1')) this.#engine.pause();
  }

  /** Until the target has said whether it takes the upgrade, nobody knows what the next bytes are. */
  #awaitUpgrade(): void {
    const { tracker } = this.#target!;
    if (tracker.upgraded) this.#tunnelled = true;
    else if (!tracker.idle) {
      this.#waitingFor = 'answers';
      return;
    }
    this.#upgrading = false;
  }

  #forwardBody(): void {
    const end = this.#body.feed(this.#buffered!, 0);
    if (this.#body.malformed) this.#refuseUnread(BAD_REQUEST);
    else this.#forward(end);
  }

  #forward(length: number): void {
    const piece = this.#buffered!;
    this.#consume(length);
    const { socket } = this.#target!;
    if (!socket.write(length === piece.length ? piece : piece.subarray(0, length))) this.#engine.pause();
  }

  #consume(length: number): void {
    const piece = this.#buffered!;
    this.#buffered = length === piece.length ? null : piece.subarray(length);
  }

  /** Copies what there is: a stream would take memory for the longest read each time. */
  readonly #onSharedRead = (bytes: Buffer): void => {
    if (this.#target !== null) this.#fromTarget(Buffer.from(bytes), this.#target);
  };

  #fromTarget(come: Buffer, link: TargetConnection): void {
    if (this.#target !== link) return;
    const piece = link.guard === null ? come : link.guard.filter(come);
    if (piece === null) return;
    if (!Buffer.isBuffer(piece)) {
      this.#rejectResponse(link, piece);
      return;
    }
    const length = this.#tunnelled ? piece.length : link.tracker.feed(piece);
    const answer = length === piece.length ? piece : piece.subarray(0, length);
    const part = link.tap?.feed(answer) ?? answer;
    if (part.length > 0 && !this.#engine.write(part) && link.tap?.diverted !== true) link.socket.pause();
    if (length < piece.length) {
      // Unasked bytes would be taken for the answer to the next request.
      this.#refuse(null);
    } else if (this.#waitingFor === 'answers' && (link.tracker.idle || link.tracker.upgraded))
      this.#release();
  }

  /** The engine has no more to say. */
  #endLink(): void {
    const link = this.#target;
    if (link !== null && (this.#tunnelled || !link.tracker.idle)) link.socket.end();
    else if (!this.#refused) this.#engine.destroySoon();
  }

  #refuseUnread(status: string): void {
    this.#session.logRefusal('plain', null, UNREADABLE_REQUEST);
    if (this.#target?.tracker.idle === false) this.#breakOff();
    else this.#refuse(status);
  }

  /** Where an answer of ours would stand in the middle of another one. */
  #breakOff(): void {
    this.#refused = true;
    this.#buffered = null;
    this.#engine.destroy();
  }

  /** The last that the engine hears, null: nothing; what it still sends, a body or bytes for an upgrade, is thrown away. */
  #refuse(status: string | null): void {
    const link = this.#target;
    this.#target = null;
    link?.socket.destroy();
    this.#refused = true;
    this.#buffered = null;
    this.#engine.end(status === null ? '' : refusalResponse(status), 'latin1');
    this.#engine.resume();
  }
}

function ignore(): void {}
