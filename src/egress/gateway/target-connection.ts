import type { Duplex } from 'node:stream';
import type { OpenTap, ResponseTap, TapHandle } from './gateway.ts';
import type { LiveConnectionLog } from './gateway-session.ts';
import { BodyScanner, CHUNKED, HeadScanner, UNTIL_CLOSE } from './message-scanner.ts';
import type { ResponseGuard } from './response-guard.ts';

/** More than any engine reads; beyond it the answer is passed on without being followed. */
const MAX_HEAD_LENGTH = 1024 * 1024;
const STATUS_LINE = /^HTTP\/(\d)\.(\d)[ \t]+(\d{3})/i;

interface ExpectedResponse {
  readonly isHead: boolean;
  readonly upgrade: boolean;
}

/**
 * Follows the answers on a connection, to know when one is over; they pass unchanged. What cannot be followed goes on
 * until the connection ends, as it does for a browser (RFC 9112 §6.3).
 */
export class ResponseTracker {
  readonly #expected: ExpectedResponse[] = [];
  readonly #head = new HeadScanner(MAX_HEAD_LENGTH);
  readonly #body = new BodyScanner(false);
  #inBody = false;
  #untracked = false;
  #upgraded = false;

  expect(request: ExpectedResponse): void {
    this.#expected.push(request);
  }

  /** Every answer that was asked for has come wholly. */
  get idle(): boolean {
    return this.#expected.length === 0 && !this.#inBody && !this.#untracked;
  }

  /** The target took an upgrade: what follows is another protocol, both ways. */
  get upgraded(): boolean {
    return this.#upgraded;
  }

  /** How many bytes of the piece answer something. What comes after them, nobody has asked for. */
  feed(piece: Buffer): number {
    let at = 0;
    while (at < piece.length && !this.#untracked) {
      if (this.#inBody) {
        at = this.#body.feed(piece, at);
        if (this.#body.malformed) this.#untracked = true;
        else if (this.#body.done) this.#inBody = false;
      } else if (this.#expected.length === 0) {
        // Stray line ends between answers do no harm: every client passes over them.
        if (piece[at] !== 0x0d && piece[at] !== 0x0a) return at;
        at++;
      } else {
        const end = this.#head.feed(piece, at);
        if (end === -1) {
          this.#untracked = this.#head.tooLong;
          return piece.length;
        }
        at = end;
        this.#readHead(this.#head.take());
      }
    }
    return piece.length;
  }

  #readHead(head: string): void {
    const line = STATUS_LINE.exec(head);
    const { isHead, upgrade } = this.#expected[0]!;
    const status = Number(line?.[3]);
    if (status >= 100 && status < 200 && status !== 101) return;
    this.#expected.shift();
    if (line === null || status === 101) {
      this.#untracked = true;
      this.#upgraded = status === 101 && upgrade;
      return;
    }
    if (isHead || status === 204 || status === 304) return;
    const http11 = Number(line[1]) * 10 + Number(line[2]) >= 11;
    const length = bodyLength(head, http11);
    if (length === UNTIL_CLOSE) this.#untracked = true;
    else {
      this.#body.start(length);
      this.#inBody = !this.#body.done;
    }
  }
}

/** RFC 9112 §6.3 as browsers do it: chunked wins, and only counts from HTTP/1.1 on; lengths must agree. */
function bodyLength(head: string, http11: boolean): number {
  let length = UNTIL_CLOSE;
  for (const [, name, value] of head.matchAll(/^(content-length|transfer-encoding)[ \t]*:([^\r\n]*)/gim)) {
    if (name!.length === 'transfer-encoding'.length) {
      if (http11 && /(?:^|,)\s*chunked\s*(?:,|$)/i.test(value!)) return CHUNKED;
    } else {
      const digits = value!.trim();
      if (!/^\d{1,15}$/.test(digits) || (length !== UNTIL_CLOSE && length !== Number(digits)))
        length = Number.NaN;
      else length = Number(digits);
    }
  }
  return Number.isNaN(length) ? UNTIL_CLOSE : length;
}

/** Of a diverted answer an engine still gets so much: it looks at the beginning before it tells that there is a head. */
const MAX_DIVERTED_BYTES = 16 * 1024;

/** An answer that somebody reads beside the engine, or in its place. */
export class ActiveTap implements TapHandle {
  readonly #target: Duplex;
  #tap: ResponseTap | null;
  #diverted = false;
  #passed = 0;
  #paused = false;

  constructor(target: Duplex, open: OpenTap) {
    this.#target = target;
    this.#tap = open(this);
  }

  /** The engine has no say any more in how fast the target is read, or for how long. */
  get diverted(): boolean {
    return this.#diverted;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** @returns the part that goes on to the engine */
  feed(piece: Buffer): Buffer {
    const before = this.#diverted;
    this.#tap?.feed(piece);
    if (!before) return piece;
    const part = piece.subarray(0, Math.max(0, MAX_DIVERTED_BYTES - this.#passed));
    this.#passed += part.length;
    return part;
  }

  /** The target says nothing more. @param broken it was lost */
  end(broken: boolean): void {
    const tap = this.#tap;
    this.#tap = null;
    tap?.end(broken);
  }

  readonly divert = (): void => {
    this.#diverted = true;
  };

  readonly release = (): void => {
    this.#tap = null;
    if (this.#paused) this.resume();
  };

  readonly pause = (): void => {
    this.#paused = true;
    this.#target.pause();
  };

  readonly resume = (): void => {
    this.#paused = false;
    this.#target.resume();
  };
}

/** The way to a target, and how far its answers have come. */
export interface TargetConnection {
  readonly socket: Duplex;
  readonly log: LiveConnectionLog;
  /** Connections of one key are interchangeable. */
  readonly key: string;
  readonly tracker: ResponseTracker;
  /** Of the answer that is under way. */
  tap: ActiveTap | null;
  /** It leads to a proxy that takes whole URLs; null: to the target. */
  readonly guard: ResponseGuard | null;
}
