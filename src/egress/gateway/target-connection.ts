import type { Duplex } from 'node:stream';
import type { OpenTap, ResponseTap, TapHandle } from './gateway.ts';
import type { LiveConnectionLog } from './gateway-session.ts';
import { BodyScanner, CHUNKED, HeadScanner, UNTIL_CLOSE } from './message-scanner.ts';
import type { ResponseGuard } from './response-guard.ts';

/** Characters, more than any client accepts. A response with a longer head is forwarded without being tracked. */
const MAX_HEAD_LENGTH = 1024 * 1024;
const STATUS_LINE = /^HTTP\/(\d)\.(\d)[ \t]+(\d{3})/i;

interface ExpectedResponse {
  readonly isHead: boolean;
  readonly upgrade: boolean;
}

/**
 * Tracks the responses on a connection, to know when each is complete; it changes nothing. A response whose end cannot be
 * found lasts until the connection ends, as for browsers (RFC 9112 §6.3).
 */
export class ResponseTracker {
  readonly #expected: ExpectedResponse[] = [];
  readonly #head = new HeadScanner(MAX_HEAD_LENGTH);
  readonly #body = new BodyScanner('response');
  #inBody = false;
  /** The current response lasts until the connection ends. */
  #untracked = false;
  #upgraded = false;

  expect(request: ExpectedResponse): void {
    this.#expected.push(request);
  }

  /** All expected responses are complete. */
  get idle(): boolean {
    return this.#expected.length === 0 && !this.#inBody && !this.#untracked;
  }

  /** The target has accepted an upgrade: both sides speak another protocol from now on. */
  get upgraded(): boolean {
    return this.#upgraded;
  }

  /** @returns how many bytes of the piece belong to expected responses */
  feed(piece: Buffer): number {
    let index = 0;
    while (index < piece.length && !this.#untracked) {
      if (this.#inBody) {
        index = this.#body.feed(piece, index);
        if (this.#body.malformed) this.#untracked = true;
        else if (this.#body.done) this.#inBody = false;
      } else if (this.#expected.length === 0) {
        // Empty lines between responses are harmless: all clients skip them.
        if (piece[index] !== 0x0d && piece[index] !== 0x0a) return index;
        index++;
      } else {
        const end = this.#head.feed(piece, index);
        if (end === -1) {
          this.#untracked = this.#head.tooLong;
          return piece.length;
        }
        index = end;
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

/** RFC 9112 §6.3 as browsers apply it: chunked coding takes precedence, but only from HTTP/1.1 on; lengths must agree. */
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

/** The client gets this much of a diverted response, because it reads the beginning of the body before it reports the head. */
const MAX_DIVERTED_BYTES = 16 * 1024;

/** A response that a tap reads, along with the client or instead of it. */
export class ActiveTap implements TapHandle {
  readonly #target: Duplex;
  #tap: ResponseTap | null;
  #diverted = false;
  #forwardedBytes = 0;
  #paused = false;

  constructor(target: Duplex, open: OpenTap) {
    this.#target = target;
    this.#tap = open(this);
  }

  /** Only the tap reads the response: backpressure and disconnects of the client are ignored. */
  get diverted(): boolean {
    return this.#diverted;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** @returns the part for the client */
  feed(piece: Buffer): Buffer {
    const wasDiverted = this.#diverted;
    this.#tap?.feed(piece);
    if (!wasDiverted) return piece;
    const part = piece.subarray(0, Math.max(0, MAX_DIVERTED_BYTES - this.#forwardedBytes));
    this.#forwardedBytes += part.length;
    return part;
  }

  /**
   * Tells the tap once that the response ends.
   * @param lost true: the connection was closed; false: the target ended its side
   */
  end({ lost }: { readonly lost: boolean }): void {
    const tap = this.#tap;
    this.#tap = null;
    tap?.end(lost);
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

/** A connection to a target or a proxy, with the state of its responses. */
export interface TargetConnection {
  readonly socket: Duplex;
  readonly log: LiveConnectionLog;
  /** `host:port` of the target. */
  readonly key: string;
  readonly tracker: ResponseTracker;
  /** Tap of the current response. */
  tap: ActiveTap | null;
  /** For a connection to a proxy that takes requests in absolute form; null: it leads to the target. */
  readonly guard: ResponseGuard | null;
}
