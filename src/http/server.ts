import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { failure } from '../domain/failure.ts';
import type { Events } from '../observe/events.ts';
import type { Logger } from '../observe/logger.ts';
import { basePathOf, notFoundHtml, pageHeaders } from './dashboard-pages.ts';
import { addJsonParser, BODY_LIMIT } from './json-body.ts';
import { Refusal } from './refusal.ts';
import { headerCount } from './request-headers.ts';
import {
  HEADERS_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  refusalFromError,
  refuseOnSocket,
  rememberReply,
  sendRefusal,
} from './send-refusal.ts';

/** What is answered where no route took the request: 405 with `Allow` where another method would do, else 404. */
type NoRouteRefusal = (method: string, path: string) => Refusal;

/** Remembers the paths as they are registered. To be called before any route. */
function trackRoutes(app: FastifyInstance): NoRouteRefusal {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // What answers preflights takes all paths: that says nothing of what is there.
    if (url === '*') return;
    const key = url.replace(/\/$/, '');
    const entry = paths.get(key) ?? { pattern: pathPattern(key), methods: new Set() };
    paths.set(key, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  });
  return (method, path) => {
    for (const { pattern, methods } of paths.values()) {
      if (methods.has(method) || !pattern.test(path)) continue;
      const allow = [...methods].sort().join(', ');
      const message = `${method} is not allowed here; allowed: ${allow}.`;
      return new Refusal([failure('request.method', message)], { headers: { allow } });
    }
    return new Refusal([failure('request.not_found', `There is nothing at ${path.slice(0, 200)}.`)]);
  };
}

function pathPattern(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}/?$`);
}

interface ServerDeps {
  readonly baseUrl: () => string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[] | 'any' | 'off';
  readonly events: Events;
  readonly logger: Logger;
}

/** Longer than the keep-alive of the usual reverse proxies, so that it is they who close (no race for a 502). */
const KEEP_ALIVE_MS = 75_000;

/** The longest part of a path that means anything: a host name (253 characters) with a port. */
const MAX_PARAM_LENGTH = 260;

/** The HTTP server without routes: hooks, errors in one form, request ids. The caller adds routes and closes it. */
export async function createServer(parts: ServerDeps): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The Host field is checked below, where the refusal is a problem like any other.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    trustProxy: parts.trustedProxies.length === 0 ? false : [...parts.trustedProxies],
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    clientErrorHandler: (error, socket) => refuseOnSocket(error, socket, nextRequestId(), parts.baseUrl()),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendRefusal(refusalFromError(error, BODY_LIMIT) ?? internalRefusal(), request, reply, parts.baseUrl());
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  // Node would invite a body that is going to be refused; admission does it when the body is wanted. What else a caller
  // may expect is not known here and may be ignored (RFC 9110 §10.1.1).
  const expecting = (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response);
  app.server.on('checkContinue', expecting);
  app.server.on('checkExpectation', expecting);
  app.decorateRequest('principal', null);
  app.decorateRequest('session', null);
  app.decorateRequest('work', null);
  app.decorateRequest('cancel', null);
  app.decorateRequest('memory', null);
  const noRoute = trackRoutes(app);
  addJsonParser(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    rememberReply(reply);
    done(hostRefusal(request.raw) ?? undefined);
  });
  // Before CORS, whose route would else have the handler of the framework.
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFromError(error, request.routeOptions.bodyLimit ?? BODY_LIMIT);
    if (refusal === null) parts.logger.error({ err: error, request_id: request.id }, 'internal error');
    return refuse(refusal ?? internalRefusal(), request, reply);
  });
  if (parts.corsOrigins !== 'off') await addCors(app, parts.corsOrigins);
  // Behind CORS, so that a page of another origin may read it too, and before anything of a body is read.
  app.addHook('onRequest', (request, _reply, done) => {
    // The route of all paths is that of CORS, for preflights; what else comes there has none.
    const none = request.is404 || request.routeOptions.url === '*';
    done(none ? noRoute(request.method, pathOf(request.url)) : undefined);
  });
  const refuse = (
    refusal: Refusal,
    request: Parameters<typeof sendRefusal>[1],
    reply: Parameters<typeof sendRefusal>[2],
  ) => {
    const sent = wantsHtmlPage(refusal, request)
      ? sendNotFoundPage(reply, parts.baseUrl())
      : sendRefusal(refusal, request, reply, parts.baseUrl());
    parts.events.requestRefused({
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

/** A browser that asks for a path that does not exist; what asks the API gets JSON. */
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
  new Refusal([failure('service.internal', 'Internal error. The log of the service has the details.')]);

async function addCors(app: FastifyInstance, origins: readonly string[] | 'any'): Promise<void> {
  await app.register(cors, {
    origin: origins === 'any' ? '*' : [...origins],
    // It would take every OPTIONS for one.
    preflight: false,
    exposedHeaders: [
      ...['X-Request-Id', 'X-Scrape-Id', 'X-Searched-To'],
      ...['RateLimit', 'RateLimit-Policy', 'Retry-After'],
    ],
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPreflight(request.raw)) return done();
    reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });
}

/** Of the answer to a preflight. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id',
  'access-control-max-age': '600',
  // Without it some browsers wait for a body.
  'content-length': '0',
};

/** Fetch standard, "CORS-preflight request". */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** A caller's own id is kept, so that a request can be followed through several services; else one is made. */
function requestId(given: string | string[] | undefined): string {
  if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given;
  return nextRequestId();
}

const requestIdPrefix = randomBytes(6).toString('hex');
let requestCount = 0;
const nextRequestId = (): string => `${requestIdPrefix}-${(++requestCount).toString(36)}`;

/** Of a request target in origin-form or absolute-form (RFC 9112 §3.2). */
const pathOf = (target: string): string =>
  target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

/** RFC 9112 §3.2: exactly one Host field, in HTTP/1.1. Nothing here believes what it says. */
function hostRefusal(raw: IncomingMessage): Refusal | null {
  if (raw.httpVersionMinor === 0 || headerCount(raw, 'host') === 1) return null;
  return new Refusal([failure('request.validation', 'The request must have exactly one Host header.')], {
    headers: { connection: 'close' },
  });
}
