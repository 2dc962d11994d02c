import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { disconnectSignal } from '../../base/disconnect.ts';
import { traceHeaders } from '../../base/trace-context.ts';
import { mayReadBody } from '../body-access.ts';
import type { DialectDeps, RegisterDialect } from '../dialect.ts';
import { BadRequest } from './bad-request.ts';
import { startBatch } from './batch.ts';
import { bearerKey, callerOf, errorOf, sendError } from './caller.ts';
import { previewCrawl, startCrawl } from './crawl.ts';
import type { DialectCall } from './dialect-call.ts';
import { extractStatus, startExtract } from './extract.ts';
import { activeCrawls, cancelJob, JOB_KINDS, jobErrors, jobStatus } from './jobs.ts';
import { map } from './map.ts';
import type { Json } from './members.ts';
import {
  createMonitor,
  deleteMonitor,
  getCheck,
  getMonitor,
  listChecks,
  listMonitors,
  runMonitor,
  updateMonitor,
} from './monitors.ts';
import { scrape } from './scrape.ts';
import { concurrency, creditUsage, queueStatus, tokenUsage } from './usage.ts';
import { mapV1, scrapeV1, startCrawlV1 } from './v1.ts';
import { addWatchers } from './watch.ts';

type Answer = (call: DialectCall) => Json | Promise<Json>;

const { crawl, batch } = JOB_KINDS;

const refusedPath =
  (what: string): Answer =>
  () => {
    throw new BadRequest(`${what} is not supported by this service.`);
  };

/** By method and path, as Fastify writes it. */
const ROUTES: Readonly<Record<string, Answer>> = {
  'POST /v2/scrape': scrape,
  'POST /v2/batch/scrape': startBatch,
  'GET /v2/batch/scrape/:id': jobStatus(batch),
  'DELETE /v2/batch/scrape/:id': cancelJob(batch),
  'GET /v2/batch/scrape/:id/errors': jobErrors(batch),
  'POST /v2/crawl': startCrawl,
  'GET /v2/crawl/active': activeCrawls,
  'POST /v2/crawl/params-preview': previewCrawl,
  'GET /v2/crawl/:id': jobStatus(crawl),
  'DELETE /v2/crawl/:id': cancelJob(crawl),
  'GET /v2/crawl/:id/errors': jobErrors(crawl),
  'POST /v2/map': map,
  'POST /v2/extract': startExtract,
  'GET /v2/extract/:id': extractStatus,
  'GET /v2/team/credit-usage': creditUsage,
  'GET /v2/team/token-usage': tokenUsage,
  'GET /v2/team/credit-usage/historical': refusedPath('The usage of earlier days'),
  'GET /v2/team/token-usage/historical': refusedPath('The usage of earlier days'),
  'GET /v2/concurrency-check': concurrency,
  'GET /v2/team/queue-status': queueStatus,
  'POST /v2/monitor': createMonitor,
  'GET /v2/monitor': listMonitors,
  'GET /v2/monitor/:id': getMonitor,
  'PATCH /v2/monitor/:id': updateMonitor,
  'DELETE /v2/monitor/:id': deleteMonitor,
  'POST /v2/monitor/:id/run': runMonitor,
  'GET /v2/monitor/:id/checks': listChecks,
  'GET /v2/monitor/:id/checks/:check': getCheck,
  'POST /v1/scrape': scrapeV1,
  'POST /v1/crawl': startCrawlV1,
  'GET /v1/crawl/:id': jobStatus(crawl),
  'DELETE /v1/crawl/:id': cancelJob(crawl),
  'POST /v1/map': mapV1,
};

export const registerFirecrawl: RegisterDialect = (app, deps) => {
  for (const [name, answer] of Object.entries(ROUTES)) addRoute(app, deps, name, answer);
  for (const url of ['/v1/*', '/v2/*'])
    app.route({
      method: ['GET', 'POST', 'PATCH', 'DELETE'],
      url,
      // Before a body is read, which may be of a type that this service does not know.
      onRequest: async ({ method, url: asked }, reply) => {
        const path = asked.replace(/\?.*$/s, '').slice(0, 200);
        const error = `${method} ${path} is not supported by this service.`;
        return reply.code(404).send({ success: false, code: 'NOT_FOUND', error });
      },
      handler: (_, reply) => reply,
    });
  addWatchers(app, deps);
};

function addRoute(app: FastifyInstance, deps: DialectDeps, name: string, answer: Answer): void {
  const [method, url] = name.split(' ') as [string, string];
  app.route({
    method,
    url,
    // Before a body is read for nothing.
    onRequest: async (request, reply) => {
      const key = bearerKey(request);
      if (key !== null && (await mayReadBody(deps, request, key))) return;
      return sendUnauthorized(reply);
    },
    // Refusals of the server itself, such as of a body that is no JSON.
    onSend: async (_, reply, payload) =>
      String(reply.getHeader('content-type')).startsWith('application/problem+json')
        ? JSON.stringify(errorOf(JSON.parse(String(payload))))
        : payload,
    handler: async (request, reply) => {
      const ended = disconnectSignal(reply.raw);
      const caller = callerOf(
        deps.callApi,
        bearerKey(request),
        request.ip,
        ended,
        traceHeaders(request.headers),
      );
      try {
        return reply.send(await answer(callOf(request, caller, deps)));
      } catch (error) {
        if (ended.aborted) return reply;
        return sendError(error, reply);
      }
    },
  });
}

const sendUnauthorized = (reply: FastifyReply): FastifyReply =>
  reply.code(401).header('www-authenticate', 'Bearer').send({
    success: false,
    code: 'UNAUTHORIZED',
    error: 'Unauthorized: send an API key as `Authorization: Bearer …`.',
  });

function callOf(request: FastifyRequest, caller: DialectCall['caller'], deps: DialectDeps): DialectCall {
  const idempotency = request.headers['x-idempotency-key'];
  return {
    params: request.params as DialectCall['params'],
    query: request.query as DialectCall['query'],
    body: request.body,
    caller,
    deps,
    idempotency: typeof idempotency === 'string' ? { 'idempotency-key': idempotency } : {},
  };
}
