import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../../domain/failure.ts';
import { keyOfCall, type TranslatedCall, translateCall } from '../../wire/import/scrapingbee.ts';
import { mayReadBody } from '../body-access.ts';
import type { DialectDeps, RegisterDialect } from '../dialect.ts';
import {
  callScrape,
  failedPart,
  inTheirWords,
  isRefusal,
  type ScrapedPage,
  type ScrapeRefusal,
} from '../scrape-call.ts';
import { bodyOf, setPageHeaders } from './reply.ts';

/** In Base64 the body must fit into a scrape request, which has at most 5 MiB. */
const BODY_LIMIT = 3_500_000;

/** The API of ScrapingBee, with the parameters of ScraperAPI, ScrapingAnt and Scrape.do as synonyms (contract §17). */
export const registerScrapingBee: RegisterDialect = (app, deps) => {
  app.register((scope: FastifyInstance, _options, done) => {
    // The body is not read, but sent on.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler((error: { code?: string }, _request, reply) => {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      return sendProblem(reply, 413, `The body is too large: at most ${BODY_LIMIT} bytes are sent on.`);
    });
    scope.route({
      method: ['GET', 'POST', 'PUT'],
      url: '/api/v1/',
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const { key } = callOf(request);
        if (key === null) throw deps.refusal(failure('request.not_found', 'There is nothing at /api/v1/.'));
        if (!(await mayReadBody(deps, request, key))) return sendProblem(reply, 401, 'Invalid api key.');
      },
      handler: (request, reply) => handle(deps, request, reply),
    });
    done();
  });
};

async function handle(
  deps: DialectDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { query, key } = callOf(request);
  const call = translateCall({
    query,
    method: request.method,
    // The key is not for the target.
    headers: pairs(request.raw.rawHeaders).filter(([, value]) => !value.endsWith(key!)),
    body: Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null,
  });
  if ('problem' in call)
    return sendProblem(reply, 400, `The parameter \`${call.parameter}\` ${call.problem}.`, call.parameter);
  const answer = await callScrape(deps, request, reply, key, call.request);
  if (answer === null) return reply;
  return isRefusal(answer) ? sendRefused(reply, answer, call) : sendPage(deps, reply, answer, call);
}

function callOf({ url, headers }: FastifyRequest) {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
  return { query, key: keyOfCall(query, headers.authorization) };
}

const pairs = (raw: readonly string[]): (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]!] as const] : []));

async function sendPage(
  deps: DialectDeps,
  reply: FastifyReply,
  page: ScrapedPage,
  { reply: options }: TranslatedCall,
): Promise<FastifyReply> {
  setPageHeaders(reply, page);
  const status = page.status_code ?? 0;
  const { outcome } = page.router;
  if (!options.transparent && !(status === 404 || (status >= 200 && status < 300)))
    return sendFailure(reply, `Server responded with ${status}`, 'The target did not send the page.');
  if (!options.transparent && outcome === 'blocked')
    return sendFailure(
      reply,
      'Blocked by the target',
      page.errors[0]?.message ?? 'The target blocked the request.',
    );
  // With `strict: false`, instructions of a scenario may fail.
  const failed = failedPart(page, ['action.failed', 'target.blocked']);
  if (failed !== null) return sendFailure(reply, failed.code, failed.message);
  const body = await bodyOf(deps, page, options);
  if ('missing' in body) return sendFailure(reply, 'Nothing to return', body.missing);
  // A body belongs to no such status.
  const code = status === 204 || status === 304 || status < 200 ? 200 : status;
  return reply.code(code).type(body.type).send(body.bytes);
}

/** Statuses of ours that mean the same to these clients; all others from 500 on are 500. */
const SAME = new Set([400, 401, 402, 403, 404, 413, 429, 503]);

function sendRefused(reply: FastifyReply, refusal: ScrapeRefusal, call: TranslatedCall): FastifyReply {
  const { status, code, retryAfter, scrapeId } = refusal;
  const { name, detail } = inTheirWords(refusal, call.sources);
  if (scrapeId !== null) reply.header('sluice-scrape-id', scrapeId);
  if (retryAfter !== null) reply.header('retry-after', retryAfter);
  if (status === 401) return sendProblem(reply, 401, `Invalid api key: ${detail}`);
  // What no scraper or proxy of ours can do.
  const theirs = status === 422 ? 400 : status;
  if (theirs >= 500 && !SAME.has(theirs)) return sendFailure(reply, code, detail);
  return sendProblem(reply, SAME.has(theirs) ? theirs : 400, detail, name ?? undefined);
}

/** The call is at fault. */
const sendProblem = (
  reply: FastifyReply,
  status: number,
  message: string,
  parameter?: string,
): FastifyReply =>
  reply.code(status).send({
    message,
    ...(parameter !== undefined && { errors: { query: { [parameter]: [message] } } }),
  });

/** The scrape failed. */
const sendFailure = (reply: FastifyReply, reason: string, error: string): FastifyReply =>
  reply.code(500).send({
    error,
    reason,
    help: 'Send the call again, with render_js=true or premium_proxy=true if it did not have them. The record of the scrape says what happened.',
  });
