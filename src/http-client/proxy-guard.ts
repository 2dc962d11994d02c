import type { Failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import type { AbsoluteForm } from '../egress/connect-request.ts';
import { failureFromProxy, proxyFailure } from '../egress/upstream/proxy-failure.ts';
import type { ResponseHead } from './response-head.ts';

/** Stands on a connection to an HTTP proxy that takes whole URLs: what the proxy says is not taken for the target's word. */
export class ProxyGuard {
  readonly #absoluteForm: AbsoluteForm;
  readonly #target: string;

  /** @param target `host:port` */
  constructor(form: AbsoluteForm, target: string) {
    this.#absoluteForm = form;
    this.#target = target;
  }

  /** As they leave: what is for the proxy stands after Host, and nobody else is told of it. */
  withCredentials(fields: HeaderList): HeaderList {
    const { authorization } = this.#absoluteForm;
    if (authorization === null) return fields;
    return [fields[0]!, ['Proxy-Authorization', authorization], ...fields.slice(1)];
  }

  /** Why this answer is none of the target; null: it may be. */
  responseFailure(head: ResponseHead): Failure | null {
    return failureFromProxy(head, this.#target);
  }

  /** It ended the connection without an answer. */
  noResponseFailure(): Failure {
    return proxyFailure(
      'protocol',
      'tunnel',
      `The proxy closed the connection without a response from ${this.#target}.`,
    );
  }

  invalidResponseFailure(): Failure {
    // It may be what the target said.
    return proxyFailure('protocol', 'tunnel', 'The response of the proxy is not HTTP.');
  }
}
