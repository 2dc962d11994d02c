import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import { type FastifyInstance, fastify } from 'fastify';
import { failure } from '../domain/failure.ts';
import type { Events } from '../observe/events.ts';
import type { Logger } from '../observe/logger.ts';
import { problemJson } from '../wire/problem.ts';
import { addJsonParser, BODY_LIMIT } from './json-body.ts';
import { rememberMethods } from './methods.ts';
import { Refusal } from './problem.ts';
import { refusalOf, sendRefusal } from './replies.ts';

export interface ServerParts {
  readonly baseUrl: () => string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[] | 'any' | 'off';
  readonly events: Events;
  readonly logger: Logger;
}

/** A request head and body must have arrived by then (408), unless nothing of it is wrong but its pace. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the keep-alive of the usual reverse proxies, so that it is they who close (no race for a 502). */
const KEEP_ALIVE_MS = 75_000;

/** The HTTP server without routes: hooks, errors in one form, request ids. The caller adds routes and closes it. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 1_000 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    trustProxy: parts.trustedProxies.length === 0 ? false : [...parts.trustedProxies],
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    clientErrorHandler: (error, socket) => refuseRaw(error, socket, parts.baseUrl()),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendRefusal(refusalOf(error) ?? internal(), request, reply, parts.baseUrl());
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.decorateRequest('principal', null);
  app.decorateRequest('work', null);
  app.decorateRequest('cancel', null);
  const noRoute = rememberMethods(app);
  addJsonParser(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  if (parts.corsOrigins !== 'off') await addCors(app, parts.corsOrigins);
  app.setNotFoundHandler((request, reply) =>
    refuse(noRoute(request.method, new URL(request.url, 'http://x').pathname), request, reply),
  );
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal === null) parts.logger.error({ err: error, request_id: request.id }, 'internal error');
    return refuse(refusal ?? internal(), request, reply);
  });
  const refuse = (
    refusal: Refusal,
    request: Parameters<typeof sendRefusal>[1],
    reply: Parameters<typeof sendRefusal>[2],
  ) => {
    const sent = sendRefusal(refusal, request, reply, parts.baseUrl());
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

const internal = (): Refusal =>
  new Refusal([failure('service.internal', 'Something went wrong inside the service; its log tells more.')]);

async function addCors(app: FastifyInstance, origins: readonly string[] | 'any'): Promise<void> {
  await app.register(cors, {
    origin: origins === 'any' ? '*' : [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Request-Id'],
    exposedHeaders: ['X-Request-Id', 'X-Scrape-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
    maxAge: 600,
  });
}

/** A caller's own id is kept, so that a request can be followed through several services; else one is made. */
function requestId(given: string | string[] | undefined): string {
  if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given;
  return nextId();
}

const stem = randomBytes(6).toString('hex');
let count = 0;
const nextId = (): string => `${stem}-${(++count).toString(36)}`;

/** What is not even an HTTP request, or came too slowly: answered on the bare socket, which then ends. */
function refuseRaw(error: Error & { code?: string }, socket: Socket, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const cause = slow
    ? failure('request.slow', `The request had not arrived whole within ${REQUEST_TIMEOUT_MS / 1000} s.`)
    : failure('request.invalid_json', 'This is not a well-formed HTTP request.');
  const id = nextId();
  const body = problemJson({ errors: [cause], requestId: id, baseUrl });
  const line = slow ? '408 Request Timeout' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
}
