import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { failure } from '../../domain/failure.ts';
import type { Events } from '../../observe/events.ts';
import type { Logger } from '../../observe/logger.ts';
import { addIdempotencyHook } from '../core/idempotency.ts';
import { addJsonParser, addLinesParser, BODY_LIMIT } from '../core/json-body.ts';
import { Refusal } from '../core/refusal.ts';
import { headerCount } from '../core/request-headers.ts';
import { nextRequestId, requestId } from '../core/request-id.ts';
import {
  closeIfUnread,
  HEADERS_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  refusalFromError,
  refuseOnSocket,
  rememberReplyOfSocket,
  sendRefusal,
} from '../core/send-refusal.ts';
import { basePathOf, notFoundHtml, pageHeaders } from '../docs/dashboard-pages.ts';

/** The refusal if no route matches: 405 with `Allow` if another method is possible, otherwise 404. */
type NoRouteRefusal = (method: string, path: string) => Refusal;

/** Collects the paths of all routes. To be called before routes are added. */
function trackRoutes(app: FastifyInstance): NoRouteRefusal {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // The plugin for CORS adds a route for all paths.
    if (url === '*') return;
    const path = url.replace(/\/$/, '');
    const entry = paths.get(path) ?? { pattern: pathPattern(path), methods: new Set() };
    paths.set(path, entry);
    for (const name of [method].flat()) entry.methods.add(name);
  });
  return (method, path) => {
    for (const { pattern, methods } of paths.values()) {
      if (methods.has(method) || !pattern.test(path)) continue;
      const allow = [...methods].sort().join(', ');
      const message = `${method} is not allowed here; allowed: ${allow}.`;
      return new Refusal([failure('request.method', message)], { headers: { allow } });
    }
    return Refusal.of('request.not_found', `There is nothing at ${path.slice(0, 200)}.`);
  };
}

/** Matches the paths of a route, with or without a final slash. @param url of the route, in Fastify's syntax */
function pathPattern(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    return segment === '*' ? '.*' : segment.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}/?$`);
}

interface ServerDeps {
  readonly baseUrl: () => string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[] | 'any' | 'off';
  readonly events: Pick<Events, 'requestRefused'>;
  readonly logger: Logger;
}

/** Longer than in common reverse proxies, so that they close first. Otherwise a request could meet a closing socket (502). */
const KEEP_ALIVE_MS = 75_000;

/** The longest valid path parameter: a host name (253 characters) with a port. */
const MAX_PARAM_LENGTH = 260;

const noCompiler = (): never => {
  throw new Error('schemas of Fastify are not used');
};

/** Creates the HTTP server with hooks, error handling and request ids. The caller adds the routes and closes it. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // `hostRefusal` checks Host, so that the response is problem+json.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      // Other upgrades are ignored, which RFC 9110 §7.8 allows; Node would no longer read their requests as requests.
      shouldUpgradeCallback: ({ headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && app.server.listenerCount('upgrade') > 0,
    },
    // The endpoints check requests themselves. The compilers of Fastify would be loaded although no route has a schema.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    clientErrorHandler: (error, socket) => refuseOnSocket(error, socket, nextRequestId(), deps.baseUrl()),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      // Hooks do not run for these.
      closeIfUnread(request, reply);
      sendRefusal(refusalFromError(error, BODY_LIMIT) ?? internalRefusal(), request, reply, deps.baseUrl());
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  // Node would send 100 (Continue) even if the body will be refused; `admit` sends it when the body may be read. Other
  // expectations are ignored, which RFC 9110 §10.1.1 allows.
  const handleAsRequest = (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response);
  app.server.on('checkContinue', handleAsRequest);
  app.server.on('checkExpectation', handleAsRequest);
  app.decorateRequest('principal', null);
  app.decorateRequest('session', null);
  app.decorateRequest('permit', null);
  app.decorateRequest('work', null);
  app.decorateRequest('cancel', null);
  app.decorateRequest('memory', null);
  const noRoute = trackRoutes(app);
  addIdempotencyHook(app);
  addJsonParser(app);
  addLinesParser(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // For `refuseOnSocket`.
    rememberReplyOfSocket(reply);
    done(hostRefusal(request.raw) ?? undefined);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    closeIfUnread(request, reply);
    done(null, payload);
  });
  // Before CORS is added, because its route keeps the error handler of that moment.
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFromError(error, request.routeOptions.bodyLimit ?? BODY_LIMIT);
    if (refusal === null) deps.logger.error({ err: error, request_id: request.id }, 'internal error');
    return refuse(refusal ?? internalRefusal(), request, reply);
  });
  if (deps.corsOrigins !== 'off') await addCors(app, deps.corsOrigins);
  // After CORS, so that pages of other origins can read the refusal; and before a body is read.
  app.addHook('onRequest', (request, _reply, done) => {
    // `*` is the route of CORS, for preflights. Other requests that reach it have no route.
    const hasNoRoute = request.is404 || request.routeOptions.url === '*';
    done(hasNoRoute ? noRoute(request.method, pathOf(request.url)) : undefined);
  });
  const refuse = (
    refusal: Refusal,
    request: Parameters<typeof sendRefusal>[1],
    reply: Parameters<typeof sendRefusal>[2],
  ) => {
    const sent = wantsHtmlPage(refusal, request)
      ? sendNotFoundPage(reply, deps.baseUrl())
      : sendRefusal(refusal, request, reply, deps.baseUrl());
    deps.events.requestRefused({
      requestId: request.id,
      code: refusal.code,
      status: reply.statusCode,
      method: request.method,
      path: request.url,
      userId: request.principal?.userId ?? null,
      keyId: request.principal?.keyId ?? null,
    });
    return sent;
  };
  return app;
}

/** Whether a person with a browser requested a path that does not exist. Requests to the API get JSON. */
function wantsHtmlPage({ code }: Refusal, { method, url, headers }: FastifyRequest): boolean {
  return (
    code === 'request.not_found' &&
    (method === 'GET' || method === 'HEAD') &&
    !url.startsWith('/api/') &&
    /\btext\/html\b/.test(headers.accept ?? '')
  );
}

function sendNotFoundPage(reply: FastifyReply, baseUrl: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(404)
    .headers(pageHeaders(nonce))
    .send(notFoundHtml(nonce, basePathOf(baseUrl)));
}

const internalRefusal = (): Refusal =>
  Refusal.of('service.internal', 'Internal error. The log of the service has the details.');

async function addCors(app: FastifyInstance, origins: readonly string[] | 'any'): Promise<void> {
  await app.register(cors, {
    origin: origins === 'any' ? '*' : [...origins],
    // The plugin would take every OPTIONS request for a preflight.
    preflight: false,
    exposedHeaders: [
      ...['Idempotent-Replayed', 'Mcp-Session-Id', 'X-Request-Id', 'X-Scrape-Id', 'X-Searched-To'],
      ...['RateLimit', 'RateLimit-Policy', 'Retry-After'],
    ],
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPreflight(request.raw)) return done();
    reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });
}

/** Headers of the response to a preflight. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Prefer, X-API-Key, X-Request-Id',
  'access-control-max-age': '600',
  // Without Content-Length, some browsers wait for a body.
  'content-length': '0',
};

/** Fetch standard, "CORS-preflight request". */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** The path of a request target in origin-form or absolute-form (RFC 9112 §3.2). */
const pathOf = (target: string): string =>
  target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

/** RFC 9112 §3.2 requires exactly one Host field in HTTP/1.1. The service trusts its value nowhere. */
function hostRefusal(raw: IncomingMessage): Refusal | null {
  if (raw.httpVersionMinor === 0 || headerCount(raw, 'host') === 1) return null;
  return new Refusal([failure('request.validation', 'The request must have exactly one Host header.')], {
    headers: { connection: 'close' },
  });
}
