import type { FastifyInstance } from 'fastify';
import { errorsHtml, errorsTable } from '../../wire/errors-table.ts';
import { openapiDocument } from '../../wire/openapi/document.ts';
import { type DocsPages, makeDocsPages } from '../docs-pages.ts';
import { acceptedCoding, entityTag, matchesEntityTag } from '../request-headers.ts';
import { sendPieces } from '../streaming.ts';

const PIECE_BYTES = 64 * 1024;

export interface DocsParts {
  readonly baseUrl: () => string;
  readonly version: string;
}

/** What the API is: its description, the table of errors, and a page to read and try it that needs no other host. */
export function docsRoutes(app: FastifyInstance, { baseUrl, version }: DocsParts): void {
  let text: string | null = null;
  app.get('/api/v1/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(openapiDocument({ baseUrl: baseUrl(), version }));
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
  app.get('/api/v1/errors', async (request, reply) => {
    reply.header('vary', 'accept');
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return errorsTable();
    return reply.header('content-type', 'text/html; charset=utf-8').send(errorsHtml());
  });

  // Made at the first look, and once: the script alone has 4 MB.
  let made: Promise<DocsPages> | null = null;
  const pages = () => (made ??= makeDocsPages(new URL(baseUrl()).pathname.replace(/\/$/, '')));
  app.get('/docs', async (_request, reply) => {
    const { html, policy } = await pages();
    reply.header('content-security-policy', policy);
    return reply.header('content-type', 'text/html; charset=utf-8').send(html);
  });
  app.get('/docs/js/scalar.js', async ({ headers }, reply) => {
    const { bytes, gzip, hash } = (await pages()).script;
    const coding = acceptedCoding(headers['accept-encoding'], ['gzip']);
    const etag = entityTag(hash, coding);
    // It changes with an update: the browser asks each time whether it has.
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
    if (coding !== null) reply.header('content-encoding', coding);
    const body = coding === null ? bytes : gzip;
    reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'content-length': body.length });
    return sendPieces(reply, piecesOf(body));
  });
}

/** At once, the system would copy a MiB and more of it for everybody who asks, and others would wait meanwhile. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
