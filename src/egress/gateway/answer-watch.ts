import { BodyCutter, CHUNKED, UNTIL_CLOSE } from './body-cutter.ts';
import { HeadScan } from './head-scan.ts';

/** More than any engine reads; beyond it the answer is passed on without being followed. */
const MAX_HEAD = 1024 * 1024;
const STATUS = /^HTTP\/(\d)\.(\d)[ \t]+(\d{3})/i;

interface Expected {
  readonly isHead: boolean;
  readonly upgrade: boolean;
}

/**
 * Follows the answers on a connection, to know when one is over; they pass unchanged. What cannot be followed goes on
 * until the connection ends, as it does for a browser (RFC 9112 §6.3).
 */
export class AnswerWatch {
  readonly #expected: Expected[] = [];
  readonly #head = new HeadScan(MAX_HEAD);
  readonly #body = new BodyCutter(false);
  #inBody = false;
  #blind = false;
  #switched = false;

  expect(request: Expected): void {
    this.#expected.push(request);
  }

  /** Every answer that was asked for has come wholly. */
  get idle(): boolean {
    return this.#expected.length === 0 && !this.#inBody && !this.#blind;
  }

  /** The target took an upgrade: what follows is another protocol, both ways. */
  get switched(): boolean {
    return this.#switched;
  }

  /** How many bytes of the piece answer something. What comes after them, nobody has asked for. */
  feed(piece: Buffer): number {
    let at = 0;
    while (at < piece.length && !this.#blind) {
      if (this.#inBody) {
        at = this.#body.feed(piece, at);
        if (this.#body.broken) this.#blind = true;
        else if (this.#body.done) this.#inBody = false;
      } else if (this.#expected.length === 0) {
        // Stray line ends between answers do no harm: every client passes over them.
        if (piece[at] !== 0x0d && piece[at] !== 0x0a) return at;
        at++;
      } else {
        const end = this.#head.feed(piece, at);
        if (end === -1) {
          this.#blind = this.#head.tooLong;
          return piece.length;
        }
        at = end;
        this.#readHead(this.#head.take());
      }
    }
    return piece.length;
  }

  #readHead(head: string): void {
    const line = STATUS.exec(head);
    const { isHead, upgrade } = this.#expected[0]!;
    const status = Number(line?.[3]);
    if (status >= 100 && status < 200 && status !== 101) return;
    this.#expected.shift();
    if (line === null || status === 101) {
      this.#blind = true;
      this.#switched = status === 101 && upgrade;
      return;
    }
    if (isHead || status === 204 || status === 304) return;
    const http11 = Number(line[1]) * 10 + Number(line[2]) >= 11;
    const length = bodyLength(head, http11);
    if (length === UNTIL_CLOSE) this.#blind = true;
    else {
      this.#body.begin(length);
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
