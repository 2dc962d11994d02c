import { type Page, Pages } from './pages.ts';
import type { CallOptions, Query, Transport } from './transport.ts';
import type { ListWebhookDeliveriesQuery, Webhook, WebhookDelivery } from './types.gen.ts';

/** Deliveries of webhooks. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Deliveries of the last 30 days, newest first. */
  list(query: ListWebhookDeliveriesQuery = {}, options?: CallOptions): Pages<WebhookDelivery> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<WebhookDelivery>>(
        { method: 'GET', path: '/api/v1/webhooks/', query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  async redeliver(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    const path = `/api/v1/webhooks/${encodeURIComponent(id)}/redeliver/`;
    return await this.#transport.json({ method: 'POST', path }, options);
  }

  /** Sends one message of the type `webhook.test`. */
  async test(webhook: Webhook, options?: CallOptions): Promise<WebhookDelivery> {
    return await this.#transport.json(
      { method: 'POST', path: '/api/v1/webhooks/test/', body: webhook },
      options,
    );
  }
}
