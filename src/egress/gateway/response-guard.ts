import type { Failure } from '../../domain/failure.ts';
import type { AbsoluteForm } from '../connect-request.ts';
import { failureFromProxy, proxyFailure } from '../upstream/proxy-failure.ts';
import { HeadScanner } from './message-scanner.ts';
import type { RequestHead } from './request-head.ts';

const MAX_HEAD_LENGTH = 1024 * 1024;
/** Interim heads before the final one: they may be the target's, who says by them that it is still at work (102). */
const MAX_INTERIM_RESPONSES = 100;
const STATUS = /^HTTP\/\d\.\d[ \t]+(\d{3})/i;

/**
 * Stands on a connection to an HTTP proxy that takes whole URLs. Requests get their credentials here; an answer reaches
 * the engine only when its head has come and is not the proxy's own word. An interim one (1xx) is not the last word: it
 * goes on at once, for the engine may wait for it, and what follows is judged as well.
 */
export class ResponseGuard {
  readonly #absoluteForm: AbsoluteForm;
  readonly #target: string;
  readonly #head = new HeadScanner(MAX_HEAD_LENGTH);
  #buffered: Buffer[] = [];
  /** Of the requests sent, how many heads were not looked at yet. */
  #expected = 0;
  /** Interim heads since the last final one. */
  #interim = 0;

  /** @param target `host:port` */
  constructor(form: AbsoluteForm, target: string) {
    this.#absoluteForm = form;
    this.#target = target;
  }

  /** The request as the proxy gets it. */
  serializeRequest({ text, url }: Extract<RequestHead, { kind: 'plain' }>): string {
    this.#expected++;
    const [method, , version] = text.slice(0, text.indexOf('\r\n')).split(' ');
    const { authorization } = this.#absoluteForm;
    const allowed = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    return `${method} ${url} ${version}\r\n${allowed}${text.slice(text.indexOf('\r\n') + 2)}`;
  }

  /** Why there is no answer, when the connection ends now; null: none was awaited. */
  missingResponseFailure(): Failure | null {
    if (this.#expected === 0) return null;
    this.#expected = 0;
    if (this.#buffered.length > 0) return notHttpFailure();
    const target = this.#target;
    return proxyFailure(
      'protocol',
      'tunnel',
      `The proxy closed the connection without a response from ${target}.`,
    );
  }

  /** What goes on to the engine; null: nothing yet; a failure: it is not the target's. */
  filter(piece: Buffer): Buffer | Failure | null {
    if (this.#expected === 0) return piece;
    this.#buffered.push(piece);
    /** Where in the piece ends what may go on. */
    let passed = 0;
    for (let end = this.#head.feed(piece, 0); ; end = this.#head.feed(piece, passed)) {
      if (end === -1 && !this.#head.tooLong) return this.#release(piece, passed);
      const head = this.#head.take();
      const own = responseFailure(head, this.#target);
      if (own !== null) return this.#end(own);
      if (!isInterim(head)) break;
      if (++this.#interim > MAX_INTERIM_RESPONSES)
        return this.#end(
          proxyFailure('protocol', 'tunnel', 'The proxy sends interim responses without end.'),
        );
      // Too long, so that nobody knows where it ends.
      if (end === -1) return this.#end(notHttpFailure());
      passed = end;
    }
    return this.#end(Buffer.concat(this.#buffered));
  }

  /** Nothing more is awaited. */
  #end<T>(result: T): T {
    this.#expected = 0;
    this.#interim = 0;
    this.#buffered = [];
    return result;
  }

  /** What is held, up to here in the last piece; null: nothing of that may go on. */
  #release(piece: Buffer, passed: number): Buffer | null {
    if (passed === 0) return null;
    const before = this.#buffered.slice(0, -1);
    this.#buffered = passed === piece.length ? [] : [piece.subarray(passed)];
    return Buffer.concat([...before, piece.subarray(0, passed)]);
  }
}

function isInterim(head: string): boolean {
  const status = Number(STATUS.exec(head)?.[1]);
  // After 101 it is another protocol.
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

/** It may be what the target said. */
const notHttpFailure = () => proxyFailure('protocol', 'tunnel', 'The response of the proxy is not HTTP.');
