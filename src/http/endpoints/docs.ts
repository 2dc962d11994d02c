import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { acceptedCoding, entityTag, matchesEntityTag } from '../core/request-headers.ts';
import { json, text } from '../core/responses.ts';
import { sendPieces } from '../core/streaming.ts';
import { pageHeaders } from '../docs/dashboard-pages.ts';

const PIECE_BYTES = 64 * 1024;

export const OPENAPI = [
  endpoint({
    method: 'get',
    path: '/api/v1/openapi.json',
    operationId: 'getOpenapi',
    summary: 'Get the OpenAPI document',
    access: 'public',
    responses: { 200: json('The OpenAPI 3.1 document.', Type.Object({}, { additionalProperties: true })) },
    handler: ({ reply }, { openapiText }) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(openapiText()),
  }),
];

const NO_SUCH_PAGE = 'There is no such page of the documentation.';

/** A page of the site, or a file that its pages load. @param path see `DocsSite` */
async function sendSiteFile(
  { docsSite }: Pick<EndpointDeps, 'docsSite'>,
  path: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = (await docsSite()).get(path);
  if (file === undefined) throw Refusal.of('request.not_found', NO_SUCH_PAGE);
  const etag = entityTag(file.hash, null);
  reply.headers({
    ...pageHeaders(randomBytes(16).toString('base64')),
    etag,
    // The site changes with an update of Sluice, so browsers must revalidate it each time.
    'cache-control': 'no-cache',
    'content-type': `${file.type}; charset=utf-8`,
  });
  if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.send(file.body);
}

const PAGE = { name: { description: 'Name of the page.', schema: Type.String() } };

/** The pages in a folder of docs/. */
const folderPage = (folder: string, operationId: string, summary: string) =>
  endpoint({
    method: 'get',
    path: `/docs/${folder}/{name}`,
    operationId,
    summary,
    access: 'public',
    documented: false,
    params: PAGE,
    responses: { 200: text('The page.', 'text/html') },
    handler: ({ params, request, reply }, deps) =>
      sendSiteFile(deps, `${folder}/${params.name}`, request, reply),
  });

/** The documentation. The pages load nothing from other hosts. */
export const DOCS = [
  endpoint({
    method: 'get',
    path: '/docs',
    operationId: 'getDocs',
    summary: 'Documentation as a web site',
    access: 'public',
    ownResponsesOnly: true,
    responses: { 200: text('The page.', 'text/html') },
    handler: ({ request, reply }, deps) => sendSiteFile(deps, '', request, reply),
  }),
  endpoint({
    method: 'get',
    path: '/docs/{name}',
    operationId: 'getDocsPage',
    summary: 'Page of the documentation',
    access: 'public',
    documented: false,
    params: PAGE,
    responses: { 200: text('The page.', 'text/html') },
    handler: ({ params, request, reply }, deps) => sendSiteFile(deps, params.name, request, reply),
  }),
  folderPage('guides', 'getDocsGuide', 'Guide'),
  folderPage('recipes', 'getDocsRecipe', 'Recipe'),
  endpoint({
    method: 'get',
    path: '/docs/api',
    operationId: 'getDocsApi',
    summary: 'API reference as a web page',
    access: 'public',
    ownResponsesOnly: true,
    responses: { 200: text('The page.', 'text/html') },
    handler: async ({ reply }, { docsPages }) => {
      const { html, policy } = await docsPages();
      reply.header('content-security-policy', policy);
      return reply.header('content-type', 'text/html; charset=utf-8').send(html);
    },
  }),
  endpoint({
    method: 'get',
    path: '/docs/js/scalar.js',
    operationId: 'getDocsScript',
    summary: 'Script of the API reference',
    access: 'public',
    documented: false,
    responses: { 200: text('The script.', 'text/javascript') },
    handler: async ({ request: { headers }, reply }, { docsPages }) => {
      const { bytes, gzip, hash } = (await docsPages()).script;
      const coding = acceptedCoding(headers['accept-encoding'], ['gzip']);
      const etag = entityTag(hash, coding);
      // The script changes with an update of Sluice, so browsers must revalidate it each time.
      reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
      if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
      if (coding !== null) reply.header('content-encoding', coding);
      const body = coding === null ? bytes : gzip;
      reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'content-length': body.length });
      return sendPieces(reply, piecesOf(body));
    },
  }),
];

/** Pieces for streaming: written at once, more than a MiB would be copied for each caller, which would delay others. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    yield bytes.subarray(start, start + PIECE_BYTES);
}
