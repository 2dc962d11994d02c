import type { Failure } from '../domain/failure.ts';
import type { HeaderList } from '../domain/fetch-result.ts';
import type { AbsoluteForm } from '../egress/connect-request.ts';
import { failureFromProxy, proxyFailure } from '../egress/upstream/proxy-failure.ts';
import type { ResponseHead } from './response-head.ts';

/** For connections to an HTTP proxy that takes requests in absolute form: tells errors of the proxy from the target's responses. */
export class ProxyGuard {
  readonly #absoluteForm: AbsoluteForm;
  readonly #target: string;

  /** @param target `host:port` */
  constructor(absoluteForm: AbsoluteForm, target: string) {
    this.#absoluteForm = absoluteForm;
    this.#target = target;
  }

  /** The fields with `Proxy-Authorization` after `Host`, as they are sent. They must not be shown to the caller. */
  withCredentials(fields: HeaderList): HeaderList {
    const { authorization } = this.#absoluteForm;
    if (authorization === null) return fields;
    return [fields[0]!, ['Proxy-Authorization', authorization], ...fields.slice(1)];
  }

  /** The error of the proxy that this response reports; null: it may be the target's response. */
  responseFailure(head: ResponseHead): Failure | null {
    return failureFromProxy(head, this.#target);
  }

  /** The failure when the proxy closes the connection without a response. */
  noResponseFailure(): Failure {
    return proxyFailure(
      'protocol',
      'tunnel',
      `The proxy closed the connection without a response from ${this.#target}.`,
    );
  }

  /** The failure when the response is not HTTP. */
  malformedResponseFailure(): Failure {
    // Stage `tunnel`: the response may be the target's.
    return proxyFailure('protocol', 'tunnel', 'The response of the proxy is not HTTP.');
  }
}
