import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiCall, ApiReply, CallApi } from '../../ports/api.ts';
import { BadRequest } from './bad-request.ts';
import type { Json } from './members.ts';

/** Calls our API as the caller of a request. */
export interface Caller {
  /** The reply, whatever its status. */
  readonly send: (call: Omit<ApiCall, 'key' | 'remoteAddress' | 'signal'>) => Promise<ApiReply>;
  /** The body of a reply with 2xx. @throws ApiRefusal */
  readonly get: (path: string) => Promise<Json>;
  readonly post: (path: string, body: unknown, headers?: ApiCall['headers']) => Promise<Json>;
}

/** A reply of our API that is no success. */
export class ApiRefusal extends Error {
  readonly reply: ApiReply;

  constructor(reply: ApiReply) {
    super(`status ${reply.status}`);
    this.reply = reply;
  }
}

/**
 * @param key null: the request has none
 * @param trace headers of the trace that the request belongs to
 */
export function callerOf(
  callApi: CallApi,
  key: string | null,
  remoteAddress: string,
  signal: AbortSignal,
  trace: Readonly<Record<string, string>> = {},
): Caller {
  const send: Caller['send'] = (call) =>
    callApi({ ...call, key, remoteAddress, signal, headers: { ...trace, ...call.headers } });
  const body = async (call: Parameters<Caller['send']>[0]): Promise<Json> => {
    const reply = await send(call);
    if (reply.status >= 300) throw new ApiRefusal(reply);
    return jsonOf(reply);
  };
  return {
    send,
    get: (path) => body({ method: 'GET', path }),
    post: (path, json, headers = {}) => body({ method: 'POST', path, body: json, headers }),
  };
}

/** The body as JSON; an empty object if there is none. */
export const jsonOf = ({ body }: ApiReply): Json =>
  body.length === 0 ? {} : (JSON.parse(body.toString()) as Json);

/** The key of `Authorization: Bearer …`; null: there is none. */
export function bearerKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Codes of Firecrawl, which programs may look for. All others are ours. */
const CODES: Readonly<Record<string, string>> = {
  'dns.not_found': 'SCRAPE_DNS_RESOLUTION_ERROR',
  'tls.invalid': 'SCRAPE_SSL_ERROR',
  'timeout.total': 'SCRAPE_TIMEOUT',
  'timeout.attempt': 'SCRAPE_TIMEOUT',
  'request.validation': 'BAD_REQUEST',
};

/** 422: what the request asks for is not there. 502: the client would send the request again. 504: their timeout. */
const STATUSES: Readonly<Record<number, number>> = { 422: 400, 502: 500, 504: 408 };

/** The members of our problems that are read here. */
interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
  readonly errors?: readonly { readonly message: string; readonly pointer?: string }[];
}

/** An error in the form of Firecrawl. */
export function errorOf({ code = '', detail, title, errors = [] }: Problem): Json {
  const messages = [...new Set([detail, ...errors.map(({ message }) => message)])];
  const error = messages.filter((text) => text !== undefined).join(' ');
  return { success: false, code: CODES[code] ?? code, error: error || title || 'The request failed.' };
}

/** Sends `{success: false, error, code}`. */
export function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof BadRequest)
    return reply.code(error.status).send({ success: false, code: error.code, error: error.message });
  if (!(error instanceof ApiRefusal)) throw error;
  const { status, headers } = error.reply;
  for (const name of ['retry-after', 'x-scrape-id'])
    if (headers[name] !== undefined) reply.header(name, headers[name]);
  return reply.code(STATUSES[status] ?? status).send(errorOf(jsonOf(error.reply)));
}
