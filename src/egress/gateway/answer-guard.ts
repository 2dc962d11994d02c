import type { Failure } from '../../domain/failure.ts';
import type { AbsoluteForm } from '../dialled.ts';
import { ownWord } from '../upstream/proxy-answer.ts';
import { proxyFailed } from '../upstream/proxy-failure.ts';
import { HeadScan } from './head-scan.ts';
import type { RequestHead } from './request-head.ts';

const MOST_HEAD = 1024 * 1024;
const STATUS = /^HTTP\/\d\.\d[ \t]+(\d{3})/i;

/**
 * Stands on a connection to an HTTP proxy that takes whole URLs. Requests get their credentials here; an answer reaches
 * the engine only when its head has come and is not the proxy's own word.
 */
export class AnswerGuard {
  readonly #form: AbsoluteForm;
  readonly #target: string;
  readonly #head = new HeadScan(MOST_HEAD);
  #held: Buffer[] = [];
  /** Of the requests sent, how many heads were not looked at yet. */
  #expected = 0;

  /** @param target `host:port` */
  constructor(form: AbsoluteForm, target: string) {
    this.#form = form;
    this.#target = target;
  }

  /** The request as the proxy gets it. */
  request({ text, url }: Extract<RequestHead, { kind: 'plain' }>): string {
    this.#expected++;
    const [method, , version] = text.slice(0, text.indexOf('\r\n')).split(' ');
    const { authorization } = this.#form;
    const allowed = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    return `${method} ${url} ${version}\r\n${allowed}${text.slice(text.indexOf('\r\n') + 2)}`;
  }

  /** Why there is no answer, when the connection ends now; null: none was awaited. */
  silence(): Failure | null {
    if (this.#expected === 0) return null;
    this.#expected = 0;
    if (this.#held.length > 0)
      return proxyFailed('protocol', 'tunnel', 'What the proxy answered is not HTTP.');
    const target = this.#target;
    return proxyFailed(
      'protocol',
      'tunnel',
      `The proxy closed the connection without an answer of ${target}.`,
    );
  }

  /** What goes on to the engine; null: nothing yet; a failure: it is not the target's. */
  pass(piece: Buffer): Buffer | Failure | null {
    if (this.#expected === 0) return piece;
    this.#held.push(piece);
    const end = this.#head.feed(piece, 0);
    if (end === -1 && !this.#head.tooLong) return null;
    const head = this.#head.take();
    this.#expected = 0;
    const held = Buffer.concat(this.#held);
    this.#held = [];
    return judge(head, this.#target) ?? held;
  }
}

function judge(head: string, target: string): Failure | null {
  const [line = '', ...fields] = head.split(/\r?\n/);
  const status = STATUS.exec(line);
  // It may be what the target said.
  if (status === null) return proxyFailed('protocol', 'tunnel', 'What the proxy answered is not HTTP.');
  const headers = fields.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, Math.max(0, colon)).toLowerCase(), field.slice(colon + 1).trim()] as const;
  });
  return ownWord({ status: Number(status[1]), headers }, target);
}
