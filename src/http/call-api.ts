import type { FastifyInstance, InjectOptions } from 'fastify';
import type { ApiReply, CallApi } from '../ports/api.ts';

/** Calls the endpoints of `app`. The promise rejects with the reason of `signal` if that ends the call. */
export const callApiOf =
  (app: FastifyInstance): CallApi =>
  async ({ method, path, key, body, headers, remoteAddress, signal }): Promise<ApiReply> => {
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
      ...(signal === undefined ? {} : { signal }),
    };
    const reply = await app.inject(options);
    const texts = Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: reply.statusCode, headers: Object.fromEntries(texts), body: reply.rawPayload };
  };
