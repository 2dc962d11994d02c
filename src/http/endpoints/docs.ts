import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { acceptedCoding, entityTag, matchesEntityTag } from '../request-headers.ts';
import { json, text } from '../responses.ts';
import { sendPieces } from '../streaming.ts';

const PIECE_BYTES = 64 * 1024;

export const OPENAPI = [
  endpoint({
    method: 'get',
    path: '/api/v1/openapi.json',
    operationId: 'getOpenapi',
    tag: 'Service',
    summary: 'Get the OpenAPI document',
    access: 'public',
    responses: { 200: json('The OpenAPI 3.1 document.', Type.Object({}, { additionalProperties: true })) },
    handler:
      ({ openapiText }) =>
      ({ reply }) =>
        reply.header('content-type', 'application/json; charset=utf-8').send(openapiText()),
  }),
];

/** A page to read and try the API that needs no other host. */
export const DOCS = [
  endpoint({
    method: 'get',
    path: '/docs',
    operationId: 'getDocs',
    tag: 'Service',
    summary: 'API reference as a web page',
    access: 'public',
    ownResponsesOnly: true,
    responses: { 200: text('The page.', 'text/html') },
    handler:
      ({ docsPages }) =>
      async ({ reply }) => {
        const { html, policy } = await docsPages();
        reply.header('content-security-policy', policy);
        return reply.header('content-type', 'text/html; charset=utf-8').send(html);
      },
  }),
  endpoint({
    method: 'get',
    path: '/docs/js/scalar.js',
    operationId: 'getDocsScript',
    tag: 'Service',
    summary: 'Script of the API reference',
    access: 'public',
    documented: false,
    responses: { 200: text('The script.', 'text/javascript') },
    handler:
      ({ docsPages }) =>
      async ({ request: { headers }, reply }) => {
        const { bytes, gzip, hash } = (await docsPages()).script;
        const coding = acceptedCoding(headers['accept-encoding'], ['gzip']);
        const etag = entityTag(hash, coding);
        // It changes with an update: the browser asks each time whether it has.
        reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
        if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
        if (coding !== null) reply.header('content-encoding', coding);
        const body = coding === null ? bytes : gzip;
        reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'content-length': body.length });
        return sendPieces(reply, piecesOf(body));
      },
  }),
];

/** Sent at once, the system would copy more than a MiB for each caller, and others would wait meanwhile. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
