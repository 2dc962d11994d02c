import type { FastifyInstance } from 'fastify';
import type { InjectOptions } from 'light-my-request';
import type { ApiReply, CallApi } from '../../ports/api.ts';

/**
 * Calls the endpoints of `app`. The promise rejects with the reason of `signal` if that ends the call. It uses the library of
 * `app.inject` directly, because with that the signal has no effect once the body of the request has been read.
 */
export const callApiOf =
  (app: FastifyInstance): CallApi =>
  async ({ method, path, key, body, headers, remoteAddress, signal }): Promise<ApiReply> => {
    signal?.throwIfAborted();
    const options: InjectOptions = {
      method,
      url: path,
      headers: {
        ...headers,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    };
    const { default: inject } = await import('light-my-request');
    let disconnect = () => {};
    try {
      const reply = await inject((request, response) => {
        disconnect = () => response.destroy(signal!.reason);
        signal?.addEventListener('abort', disconnect);
        app.routing(request, response);
      }, options);
      const texts = Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as const);
      return { status: reply.statusCode, headers: Object.fromEntries(texts), body: reply.rawPayload };
    } finally {
      signal?.removeEventListener('abort', disconnect);
    }
  };
