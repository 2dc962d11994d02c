import type { CallOptions, Transport } from './transport.ts';
import type { SiteLimits as Limits, Prices, PricesView, SiteLimitsPatch } from './types.gen.ts';

/** What scrapes cost. Only administrators may change it. */
export class ScrapePrices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options?: CallOptions): Promise<PricesView> {
    return await this.#transport.json({ method: 'GET', path: '/api/v1/prices/' }, options);
  }

  async set(prices: Prices, options?: CallOptions): Promise<PricesView> {
    return await this.#transport.json({ method: 'PUT', path: '/api/v1/prices/', body: prices }, options);
  }

  /** From now on nothing has a price. */
  async delete(options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: '/api/v1/prices/' }, options);
  }
}

/** What a site allows. Only administrators may change it. */
export class SiteLimits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(host: string, options?: CallOptions): Promise<Limits> {
    return await this.#transport.json({ method: 'GET', path: limitsPath(host) }, options);
  }

  /** What is left out stays; null removes a limit. */
  async change(host: string, change: SiteLimitsPatch, options?: CallOptions): Promise<Limits> {
    return await this.#transport.json({ method: 'PATCH', path: limitsPath(host), body: change }, options);
  }
}

const limitsPath = (host: string): string => `/api/v1/sites/${encodeURIComponent(host)}/limits/`;
