import { type Page, Pages } from './pages.ts';
import type { CallOptions, Query, Transport } from './transport.ts';
import type {
  Channel,
  ChannelChange,
  ChannelRequest,
  ChannelTestResult,
  DeleteChannelQuery,
  ListChannelsQuery,
} from './types.gen.ts';

const path = (id: string, rest = ''): string => `/api/v1/channels/${encodeURIComponent(id)}/${rest}`;

/** Places where people are told: Slack, e-mail and webhooks. */
export class Channels {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(request: ChannelRequest, options?: CallOptions): Promise<Channel> {
    return await this.#transport.json({ method: 'POST', path: '/api/v1/channels/', body: request }, options);
  }

  list(query: ListChannelsQuery = {}, options?: CallOptions): Pages<Channel> {
    const load = (cursor: string | undefined) =>
      this.#transport.json<Page<Channel>>(
        { method: 'GET', path: '/api/v1/channels/', query: { ...query, cursor } as Query },
        options,
      );
    return new Pages(load, { cursor: query.cursor });
  }

  async get(id: string, options?: CallOptions): Promise<Channel> {
    return await this.#transport.json({ method: 'GET', path: path(id) }, options);
  }

  async change(id: string, change: ChannelChange, options?: CallOptions): Promise<Channel> {
    return await this.#transport.json({ method: 'PATCH', path: path(id), body: change }, options);
  }

  /** Deletes a channel that nothing uses; with `detach: '1'` also from what uses it. */
  async delete(id: string, query: DeleteChannelQuery = {}, options?: CallOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: path(id), query: query as Query }, options);
  }

  /** Sends a message at once. */
  async test(id: string, options?: CallOptions): Promise<ChannelTestResult> {
    return await this.#transport.json({ method: 'POST', path: path(id, 'test/') }, options);
  }

  /** Sends again by a paused channel. */
  async resume(id: string, options?: CallOptions): Promise<Channel> {
    return await this.#transport.json({ method: 'POST', path: path(id, 'resume/') }, options);
  }
}
