import type { Failure } from '../../domain/failure.ts';
import type { AbsoluteForm } from '../connect-request.ts';
import { failureFromProxy, proxyFailure } from '../upstream/proxy-failure.ts';
import { HeadScanner } from './message-scanner.ts';
import type { RequestHead } from './request-head.ts';

const MAX_HEAD_LENGTH = 1024 * 1024;
/** Interim responses before the final one. They may be the target's: 102 says that it is still processing the request. */
const MAX_INTERIM_RESPONSES = 100;
const STATUS = /^HTTP\/\d\.\d[ \t]+(\d{3})/i;

/**
 * For a connection to an HTTP proxy that takes requests in absolute form. Adds the credentials to requests, and holds back
 * each response until its head is complete and known not to be an error of the proxy itself. Interim responses (1xx) are
 * released at once, as the client may wait for them; the response after them is checked, too.
 */
export class ResponseGuard {
  readonly #absoluteForm: AbsoluteForm;
  readonly #target: string;
  readonly #head = new HeadScanner(MAX_HEAD_LENGTH);
  #buffered: Buffer[] = [];
  /** Whether a request was sent since the last final head. Later responses to pipelined requests are not checked. */
  #awaitsResponse = false;
  /** Interim responses since the last final one. */
  #interimCount = 0;

  /** @param target `host:port` */
  constructor(form: AbsoluteForm, target: string) {
    this.#absoluteForm = form;
    this.#target = target;
  }

  /** The request head for the proxy: in absolute form, with credentials. */
  serializeRequest({ text, url }: Extract<RequestHead, { kind: 'plain' }>): string {
    this.#awaitsResponse = true;
    const [method, , version] = text.slice(0, text.indexOf('\r\n')).split(' ');
    const { authorization } = this.#absoluteForm;
    const authorizationLine = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    return `${method} ${url} ${version}\r\n${authorizationLine}${text.slice(text.indexOf('\r\n') + 2)}`;
  }

  /** Call it when the connection ends. @returns the failure if a response was expected; null: none was, or a second call */
  takeMissingResponseFailure(): Failure | null {
    if (!this.#awaitsResponse) return null;
    this.#awaitsResponse = false;
    if (this.#buffered.length > 0) return notHttpFailure();
    const target = this.#target;
    return proxyFailure(
      'protocol',
      'tunnel',
      `The proxy closed the connection without a response from ${target}.`,
    );
  }

  /** @returns bytes for the client; null: none yet; a failure: the response is an error of the proxy */
  filter(piece: Buffer): Buffer | Failure | null {
    if (!this.#awaitsResponse) return piece;
    this.#buffered.push(piece);
    /** The bytes of the piece up to here may be released. */
    let released = 0;
    // `end` is -1 while a head is incomplete. A head that is too long is cut and judged by its beginning.
    for (let end = this.#head.feed(piece, 0); ; end = this.#head.feed(piece, released)) {
      if (end === -1 && !this.#head.tooLong) return this.#releaseUpTo(piece, released);
      const head = this.#head.take();
      const cause = responseFailure(head, this.#target);
      if (cause !== null) return this.#finish(cause);
      if (!isInterim(head)) break;
      if (++this.#interimCount > MAX_INTERIM_RESPONSES)
        return this.#finish(
          proxyFailure('protocol', 'tunnel', 'The proxy sends interim responses without end.'),
        );
      // The head is too long: its end is not known.
      if (end === -1) return this.#finish(notHttpFailure());
      released = end;
    }
    return this.#finish(Buffer.concat(this.#buffered));
  }

  /** Stops checking until the next request. */
  #finish<T>(result: T): T {
    this.#awaitsResponse = false;
    this.#interimCount = 0;
    this.#buffered = [];
    return result;
  }

  /** The buffered bytes up to `end` in the last piece; null: `end` is 0, nothing may be released. */
  #releaseUpTo(piece: Buffer, end: number): Buffer | null {
    if (end === 0) return null;
    const before = this.#buffered.slice(0, -1);
    this.#buffered = end === piece.length ? [] : [piece.subarray(end)];
    return Buffer.concat([...before, piece.subarray(0, end)]);
  }
}

function isInterim(head: string): boolean {
  const status = Number(STATUS.exec(head)?.[1]);
  // After 101 another protocol follows: for this guard it is final.
  return status >= 100 && status < 200 && status !== 101;
}

function responseFailure(head: string, target: string): Failure | null {
  const [line = '', ...fields] = head.split(/\r?\n/);
  const status = STATUS.exec(line);
  if (status === null) return notHttpFailure();
  const headers = fields.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, Math.max(0, colon)).toLowerCase(), field.slice(colon + 1).trim()] as const;
  });
  return failureFromProxy({ status: Number(status[1]), headers }, target);
}

/** Stage `tunnel`: the response may be the target's, so the proxy is not blamed. */
const notHttpFailure = () => proxyFailure('protocol', 'tunnel', 'The response of the proxy is not HTTP.');
