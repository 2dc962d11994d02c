import type { Socket } from 'node:net';
import { type Failure, failure } from '../../domain/failure.ts';
import { connectFailure } from '../connect-failure.ts';
import { AnswerGuard } from './answer-guard.ts';
import { AnswerWatch } from './answer-watch.ts';
import { BodyCutter } from './body-cutter.ts';
import { HeadScan } from './head-scan.ts';
import type { Link } from './link.ts';
import { MALFORMED, refusalReply, statusOf, TOO_LONG } from './refusal-reply.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';
import { Tapping } from './tapping.ts';
import type { Use } from './use.ts';

/** 300 cookies of 4 KiB, which a scrape may bring, and the rest. */
const MAX_HEAD = 2 * 1024 * 1024;
/** While an engine has to wait, so much more is read of it: else its hanging up would not be noticed. */
const MAX_WAITING = 64 * 1024;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const UNREADABLE = failure('service.internal', 'The engine sent the gateway a request that cannot be read.');

/**
 * One connection of an engine. It leads to one target at a time, and lives as long as the connection to that one; what
 * the target says passes byte by byte. When a plain request is for another target, and all answers have come, it is
 * connected anew.
 */
export class EngineConnection {
  readonly #engine: Socket;
  readonly #use: Use;
  readonly #head = new HeadScan(MAX_HEAD);
  readonly #body = new BodyCutter(true);
  /** Ends a dial whose engine has left. */
  readonly #left = new AbortController();
  #link: Link | null = null;
  /** A head that was read and not yet answered for. */
  #next: RequestHead | null = null;
  /** Why what the engine sends has to wait: a dial for a plain request or a tunnel, or answers that are still to come. */
  #hold: 'dial' | 'tunnel' | 'answers' | null = null;
  #upgrading = false;
  /** Bytes are no longer HTTP: a tunnel, or an upgraded connection. */
  #opaque = false;
  #refused = false;
  #waiting: Buffer | null = null;
  #engineEnded = false;

  constructor(engine: Socket, use: Use) {
    this.#engine = engine;
    this.#use = use;
    use.hold(engine);
    engine.on('data', (piece: Buffer) => this.#fromEngine(piece));
    engine.on('end', () => {
      this.#engineEnded = true;
      if (this.#hold === null) this.#endLink();
      // Who has nothing to say through a tunnel that is still being made has left: no protocol begins so.
      else if (this.#hold === 'tunnel' && this.#waiting === null) engine.destroy();
    });
    engine.on('drain', () => {
      if (this.#link?.tapping?.paused !== true) this.#link?.socket.resume();
    });
    engine.on('error', ignore);
    engine.on('close', () => {
      this.#left.abort();
      if (this.#link?.tapping?.diverted !== true) this.#link?.socket.destroy();
    });
  }

  #fromEngine(piece: Buffer): void {
    if (this.#refused) return;
    if (this.#opaque && this.#hold === null) {
      if (!this.#link!.socket.write(piece)) this.#engine.pause();
      return;
    }
    this.#waiting = this.#waiting === null ? piece : Buffer.concat([this.#waiting, piece]);
    this.#proceed();
  }

  /** Takes what the engine has sent as far as it goes. */
  #proceed(): void {
    while (this.#hold === null && (this.#next !== null || this.#waiting !== null)) {
      if (this.#next !== null) this.#begin(this.#next);
      else if (this.#opaque) this.#pass(this.#waiting!.length);
      else if (!this.#body.done) this.#passBody();
      else if (this.#upgrading) this.#awaitUpgrade();
      else if (!this.#readHead()) break;
    }
    if (this.#refused || this.#engine.destroyed) return;
    if (this.#hold === null) {
      if (this.#link?.socket.writableNeedDrain !== true) this.#engine.resume();
      if (this.#engineEnded) this.#endLink();
    } else if ((this.#waiting?.length ?? 0) >= MAX_WAITING) this.#engine.pause();
  }

  /** Goes on after a wait. */
  #release(): void {
    this.#hold = null;
    this.#proceed();
  }

  /** @returns whether anything is to be done after it */
  #readHead(): boolean {
    const piece = this.#waiting!;
    const end = this.#head.feed(piece, 0);
    this.#take(end === -1 ? piece.length : end);
    if (this.#head.tooLong) this.#refuseUnread(TOO_LONG);
    if (end === -1 || this.#refused) return false;
    const head = parseRequestHead(this.#head.take());
    if (head === null) this.#refuseUnread(MALFORMED);
    else this.#next = head;
    return head !== null;
  }

  #begin(head: RequestHead): void {
    const key = `${head.place.host}:${head.place.port}`;
    const link = this.#link;
    const same =
      head.kind === 'plain' && link !== null && link.key === key && (link.guard === null || !head.upgrade);
    if (!same && link !== null && !link.watch.idle) {
      this.#hold = 'answers';
      return;
    }
    this.#next = null;
    const cause = this.#use.judge(head.url);
    if (cause !== null) {
      // Answers that are still under way would be mixed up with ours.
      if (link !== null && !link.watch.idle) {
        this.#next = head;
        this.#hold = 'answers';
        return;
      }
      this.#use.refuse(head.kind, head.place, cause);
      this.#refuse(statusOf(cause));
    } else if (same) this.#send(head, link);
    else {
      if (link !== null) {
        this.#link = null;
        link.socket.destroy();
      }
      this.#hold = head.kind === 'tunnel' ? 'tunnel' : 'dial';
      void this.#dial(head, key);
    }
  }

  async #dial(head: RequestHead, key: string): Promise<void> {
    const { dialled, trip } = await this.#use.dial(head, this.#left.signal, this.#fromLent);
    if (this.#engine.destroyed) {
      dialled.socket?.destroy();
      return;
    }
    if (dialled.failure !== null) {
      this.#hold = null;
      return this.#refuse(statusOf(dialled.failure));
    }
    const socket = dialled.through ?? dialled.socket;
    const guard = dialled.absolute === undefined ? null : new AnswerGuard(dialled.absolute, key);
    const link: Link = { socket, trip, key, watch: new AnswerWatch(), tapping: null, guard };
    this.#link = link;
    this.#listen(link, `${head.place.host}:${head.place.port}`);
    if (head.kind === 'plain') this.#send(head, link);
    else {
      this.#opaque = true;
      this.#engine.write(ESTABLISHED);
      socket.resume();
    }
    this.#release();
  }

  #listen(link: Link, target: string): void {
    const { socket, trip } = link;
    // A target may end its side and still be told something.
    socket.allowHalfOpen = true;
    socket.on('data', (piece: Buffer) => this.#fromTarget(piece, link));
    socket.on('drain', () => {
      if (this.#hold === null) this.#engine.resume();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A target may drop a connection that has nothing more to bring.
      const busy = this.#link === link && (this.#opaque || !link.watch.idle);
      if (busy) trip.cause = connectFailure(error.code, target);
    });
    socket.on('end', () => {
      link.tapping?.end(false);
      if (this.#link === link && !this.#silent(link)) this.#engine.end();
    });
    socket.on('close', () => {
      link.tapping?.end(true);
      if (this.#link !== link || this.#silent(link)) return;
      // After an end in good order there would be no telling a body that broke off from one that is whole.
      if (socket.errored !== null) this.#engine.write('', () => this.#engine.resetAndDestroy());
      else this.#engine.destroySoon();
    });
  }

  /** A proxy ended the connection where an answer was awaited. */
  #silent(link: Link): boolean {
    const cause = link.guard?.silence() ?? null;
    if (cause !== null) this.#distrust(link, cause);
    return cause !== null;
  }

  #distrust({ trip }: Link, cause: Failure): void {
    this.#use.distrust(trip, cause);
    this.#refuse(statusOf(cause));
  }

  #send(head: Extract<RequestHead, { kind: 'plain' }>, link: Link): void {
    const tap = this.#use.takeTap(head.url);
    link.tapping = tap === null ? null : new Tapping(link.socket, tap);
    link.watch.expect(head);
    this.#body.begin(head.bodyLength);
    this.#upgrading = head.upgrade;
    const text = link.guard === null ? head.text : link.guard.request(head);
    if (!link.socket.write(text, 'latin1')) this.#engine.pause();
  }

  /** Until the target has said whether it takes the upgrade, nobody knows what the next bytes are. */
  #awaitUpgrade(): void {
    const { watch } = this.#link!;
    if (watch.switched) this.#opaque = true;
    else if (!watch.idle) {
      this.#hold = 'answers';
      return;
    }
    this.#upgrading = false;
  }

  #passBody(): void {
    const end = this.#body.feed(this.#waiting!, 0);
    if (this.#body.broken) this.#refuseUnread(MALFORMED);
    else this.#pass(end);
  }

  #pass(length: number): void {
    const piece = this.#waiting!;
    this.#take(length);
    const { socket } = this.#link!;
    if (!socket.write(length === piece.length ? piece : piece.subarray(0, length))) this.#engine.pause();
  }

  #take(length: number): void {
    const piece = this.#waiting!;
    this.#waiting = length === piece.length ? null : piece.subarray(length);
  }

  /** Copies what there is: a stream would take memory for the longest read each time. */
  readonly #fromLent = (bytes: Buffer): void => {
    if (this.#link !== null) this.#fromTarget(Buffer.from(bytes), this.#link);
  };

  #fromTarget(come: Buffer, link: Link): void {
    if (this.#link !== link) return;
    const piece = link.guard === null ? come : link.guard.pass(come);
    if (piece === null) return;
    if (!Buffer.isBuffer(piece)) {
      this.#distrust(link, piece);
      return;
    }
    const length = this.#opaque ? piece.length : link.watch.feed(piece);
    const answer = length === piece.length ? piece : piece.subarray(0, length);
    const part = link.tapping?.feed(answer) ?? answer;
    if (part.length > 0 && !this.#engine.write(part) && link.tapping?.diverted !== true) link.socket.pause();
    if (length < piece.length) {
      // Unasked bytes would be taken for the answer to the next request.
      this.#refuse(null);
    } else if (this.#hold === 'answers' && (link.watch.idle || link.watch.switched)) this.#release();
  }

  /** The engine has no more to say. */
  #endLink(): void {
    const link = this.#link;
    if (link !== null && (this.#opaque || !link.watch.idle)) link.socket.end();
    else if (!this.#refused) this.#engine.destroySoon();
  }

  #refuseUnread(status: string): void {
    this.#use.refuse('plain', null, UNREADABLE);
    if (this.#link?.watch.idle === false) this.#breakOff();
    else this.#refuse(status);
  }

  /** Where an answer of ours would stand in the middle of another one. */
  #breakOff(): void {
    this.#refused = true;
    this.#waiting = null;
    this.#engine.destroy();
  }

  /** The last that the engine hears, null: nothing; what it still sends, a body or bytes for an upgrade, is thrown away. */
  #refuse(status: string | null): void {
    const link = this.#link;
    this.#link = null;
    link?.socket.destroy();
    this.#refused = true;
    this.#waiting = null;
    this.#engine.end(status === null ? '' : refusalReply(status), 'latin1');
    this.#engine.resume();
  }
}

function ignore(): void {}
