import type { FastifyInstance } from 'fastify';
import { errorsHtml } from '../../wire/errors-html.ts';
import { errorsTable } from '../../wire/errors-table.ts';
import { openapiDocument } from '../../wire/openapi/document.ts';
import { type DocsPages, makeDocsPages } from '../docs-page.ts';

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
  app.get('/docs/js/scalar.js', async (_request, reply) => {
    const { script } = await pages();
    return reply.header('content-type', 'text/javascript; charset=utf-8').send(script);
  });
}
