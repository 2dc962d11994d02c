import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorise, readAuthorization } from '../../account/authenticate.ts';
import { disconnectSignal } from '../../base/disconnect.ts';
import { traceHeaders } from '../../base/trace-context.ts';
import type { McpCaller, McpOverHttp } from '../../mcp/over-http.ts';
import type { Logger } from '../../observe/logger.ts';
import type { CallApi } from '../../ports/api.ts';
import { type AdmissionControl, authenticateKey } from '../core/access.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';
import { StreamSlots } from '../core/stream-slots.ts';

interface McpDeps {
  readonly control: AdmissionControl;
  readonly callApi: CallApi;
  /** Origins whose pages may call the API, besides those of the service. */
  readonly corsOrigins: readonly string[] | 'any' | 'off';
  readonly version: string;
  readonly logger: Logger;
}

/**
 * `POST /mcp`. The requests that tools make hold permits and are limited as all requests are; the call itself holds none,
 * because a key with one permit could not make a scrape then. A user has at most as many open calls as requests in flight.
 * Other methods get 405, as for every route.
 */
export function registerMcp(app: FastifyInstance, deps: McpDeps): void {
  const { control, callApi, version, logger } = deps;
  // Loaded at the first call: the library takes 35 MB and half a second.
  let loading: Promise<McpOverHttp> | null = null;
  const load = async () => {
    const { createMcpOverHttp } = await import('../../mcp/over-http.ts');
    return createMcpOverHttp(version, (error) => logger.debug({ err: error }, 'mcp'));
  };
  const slots = new StreamSlots();
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const unavailable = control.unavailable();
    if (unavailable !== null) throw unavailable;
    checkOrigin(request, deps);
    const caller = await authenticateKey(control.accounts, authorizationOf(request));
    // The requests that tools make are checked one by one.
    refuseIf(authorise(caller, request.ip, null, 'read'));
    const { principal } = caller;
    slots.take(principal.userId, principal.concurrency, reply);
    request.principal = principal;
  };
  app.post('/mcp', { onRequest }, async (request, reply) => {
    const { keyId } = request.principal!;
    const key = readAuthorization(authorizationOf(request)!);
    const caller: McpCaller = {
      id: keyId!,
      callService: (call) =>
        callApi({
          ...call,
          key,
          remoteAddress: request.ip,
          headers: { ...call.headers, ...traceHeaders(request.headers) },
        }),
    };
    loading ??= load();
    const mcp = await loading;
    return sendResponse(await mcp.handle(webRequest(request, reply), request.body, caller), reply);
  });
}

/** Pages of other sites may not use a key that a browser or a program on the same machine has (DNS rebinding). */
function checkOrigin({ headers: { origin }, host }: FastifyRequest, { control, corsOrigins }: McpDeps): void {
  if (origin === undefined || corsOrigins === 'any') return;
  if (corsOrigins !== 'off' && corsOrigins.includes(origin)) return;
  if (origin === (control.origin ?? new URL(control.baseUrl()).origin)) return;
  const received = JSON.stringify(origin.slice(0, 100));
  throw Refusal.of(
    'auth.origin',
    `Pages of ${received} may not call ${host}: the operator can allow them with SLUICE_CORS_ORIGINS.`,
  );
}

const authorizationOf = ({ headers }: FastifyRequest): string | undefined => {
  const { authorization, 'x-api-key': apiKey } = headers;
  return authorization ?? (apiKey === undefined ? undefined : `Api-Key ${String(apiKey)}`);
};

/** The request without its body, which has been read. Its signal aborts when the caller disconnects. */
function webRequest({ url, headers, raw }: FastifyRequest, reply: FastifyReply): Request {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Request(new URL(url, 'http://localhost'), {
    method: raw.method!,
    headers: texts,
    signal: disconnectSignal(reply.raw),
  });
}

function sendResponse({ status, headers, body }: Response, reply: FastifyReply): FastifyReply {
  reply.code(status).headers(Object.fromEntries(headers));
  return reply.send(body === null ? undefined : Readable.fromWeb(body as ReadableStream));
}
