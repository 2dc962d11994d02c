import type { Failure } from '../../../domain/failure.ts';
import type { HeaderList } from '../../../domain/fetched.ts';
import type { AbsoluteForm } from '../../../egress/dialled.ts';
import { ownWord } from '../../../egress/upstream/proxy-answer.ts';
import { proxyFailed } from '../../../egress/upstream/proxy-failure.ts';
import type { AnswerHead } from './answer-head.ts';

/** Stands on a connection to an HTTP proxy that takes whole URLs: what the proxy says is not taken for the target's word. */
export class ProxyGuard {
  readonly #form: AbsoluteForm;
  readonly #target: string;

  /** @param target `host:port` */
  constructor(form: AbsoluteForm, target: string) {
    this.#form = form;
    this.#target = target;
  }

  /** As they leave: what is for the proxy stands after Host, and nobody else is told of it. */
  withCredentials(fields: HeaderList): HeaderList {
    const { authorization } = this.#form;
    if (authorization === null) return fields;
    return [fields[0]!, ['Proxy-Authorization', authorization], ...fields.slice(1)];
  }

  /** Why this answer is none of the target; null: it may be. */
  judge(head: AnswerHead): Failure | null {
    return ownWord(head, this.#target);
  }

  /** It ended the connection without an answer. */
  silent(): Failure {
    return proxyFailed(
      'protocol',
      'tunnel',
      `The proxy closed the connection without a response from ${this.#target}.`,
    );
  }

  unreadable(): Failure {
    // It may be what the target said.
    return proxyFailed('protocol', 'tunnel', 'The response of the proxy is not HTTP.');
  }
}
