import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Clock } from '../../base/time.ts';
import { portOf } from '../../base/url-patterns.ts';
import { isFailure } from '../../domain/failure.ts';
import type { Egress } from '../../egress/egress.ts';
import { post } from '../../http-client/post.ts';
import { TlsContexts, TlsSessionCache } from '../../http-client/tls.ts';
import type { WebhookSender } from '../../ports/webhooks.ts';

interface WebhookSenderOptions {
  /** Judges addresses at each connection. */
  readonly guard: Pick<Egress, 'connect' | 'checkTarget'>;
  /** Certificates (PEM) trusted besides the authorities of Node; null: none. */
  readonly ca: readonly string[] | null;
  readonly memory: MemoryBudget;
  readonly clock: Clock;
}

const MAX_ANSWER_BYTES = 2048;

export function createWebhookSender({ guard, ca, memory, clock }: WebhookSenderOptions): WebhookSender {
  const contexts = new TlsContexts(ca);
  const sessions = new TlsSessionCache();
  const closing = new AbortController();
  const deps = { egress: guard, contexts, sessions, memory, clock };
  return {
    check: (url, signal) => guard.checkTarget({ host: url.hostname, port: portOf(url), signal }),
    async send({ url, headers, body }, signal) {
      const target = new URL(url);
      const ends = AbortSignal.any([signal, closing.signal]);
      const response = await post(
        { url: target, headers, body, maxBytes: MAX_ANSWER_BYTES, signal: ends },
        deps,
      );
      return isFailure(response) ? response : { status: response.status, answer: response.body };
    },
    close: () => closing.abort(),
  };
}
