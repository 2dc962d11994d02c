import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { turnFor } from '../../base/turns.ts';
import { readJson } from '../../wire/schema/read-json.ts';
import { mayReadBody } from '../body-access.ts';
import type { DialectDeps, RegisterDialect } from '../dialect.ts';
import { callScrape, failedPart, isRefusal } from '../scrape-call.ts';
import { ExtractProblem } from './members.ts';
import { type ExtractError, errorOf, extractError } from './problems.ts';
import { extractReply } from './reply.ts';
import { translateExtract } from './translate.ts';

/** As theirs. */
const BODY_LIMIT = 5 * 1024 * 1024;

/** `POST /v1/extract` of Zyte API (contract §17). */
export const registerZyte: RegisterDialect = (app, deps) => {
  app.register((scope: FastifyInstance, _options, done) => {
    // So that a body which is no JSON is refused in their shape.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler((error: { code?: string }, _request, reply) => {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      return sendError(reply, extractError('tooLarge', `The body has more than ${BODY_LIMIT} bytes.`));
    });
    scope.post('/v1/extract', {
      onRequest: async (request, reply) => {
        const key = keyOf(request.headers.authorization);
        if (key !== null && (await mayReadBody(deps, request, key))) return;
        const cause =
          key === null
            ? extractError('noKey', 'Send the API key by Basic authentication, as the user name.')
            : extractError('wrongKey', 'The API key is not valid.');
        return sendError(reply, cause);
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
  reply.header('request-id', request.id);
  const key = keyOf(request.headers.authorization);
  try {
    const text = String(request.body ?? '');
    await turnFor(text.length);
    const body = readJson(text, 'The body is not JSON');
    if (body.problems !== null) {
      const { message, pointer } = body.problems[0]!;
      return sendError(reply, extractError(pointer === undefined ? 'invalidJson' : 'invalid', message));
    }
    const { request: scrape, wanted, sources } = translateExtract(body.value);
    const page = await callScrape(deps, request, reply, key, scrape);
    if (page === null) return reply;
    if (isRefusal(page)) {
      if (page.retryAfter !== null) reply.header('retry-after', page.retryAfter);
      if (page.scrapeId !== null) reply.header('sluice-scrape-id', page.scrapeId);
      return sendError(reply, errorOf(page, sources));
    }
    reply.header('sluice-scrape-id', page.id);
    if (page.router.outcome === 'blocked')
      return sendError(
        reply,
        extractError('ban', page.errors[0]?.message ?? 'The target blocked the request.'),
      );
    // Of actions that fail, the answer tells.
    const failed = failedPart(page, ['action.failed']);
    if (failed !== null) return sendError(reply, extractError('temporary', failed.message));
    const answer = await extractReply(deps, page, wanted);
    if (typeof answer === 'string') return sendError(reply, extractError('permanent', answer));
    return reply.send(answer);
  } catch (error) {
    if (error instanceof ExtractProblem)
      return sendError(
        reply,
        extractError(error.incompatible ? 'unprocessable' : 'invalid', `${error.message}.`),
      );
    throw error;
  }
}

/** The user name of Basic authentication (RFC 7617); null: there is none. */
function keyOf(authorization: string | undefined): string | null {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const user = Buffer.from(encoded, 'base64').toString('utf8').split(':')[0]!;
  return /^[\x21-\x7e]+$/.test(user) ? user : null;
}

function sendError(reply: FastifyReply, error: ExtractError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Basic realm="Sluice"');
  return reply.code(error.status).type('application/problem+json').send(error);
}
