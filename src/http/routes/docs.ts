import { type FastifyInstance, fastify } from 'fastify';
import { errorsHtml } from '../../wire/errors-html.ts';
import { errorsTable } from '../../wire/errors-table.ts';
import { openapiDocument } from '../../wire/openapi/document.ts';

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

  // Loaded at the first look: its script alone has 4 MB.
  let page: Promise<FastifyInstance> | null = null;
  const showPage = async (url: string) => {
    page ??= docsApp(version);
    const { statusCode, headers, rawPayload } = await (await page).inject(url);
    return { statusCode, type: headers['content-type'], rawPayload };
  };
  for (const path of ['/docs', '/docs/js/scalar.js'])
    app.get(path, async (request, reply) => {
      const { statusCode, type, rawPayload } = await showPage(
        request.url === '/docs' ? '/docs/' : request.url,
      );
      return reply.code(statusCode).header('content-type', type).send(rawPayload);
    });
}

async function docsApp(version: string): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      content: openapiDocument({ version }),
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
    },
  });
  await app.ready();
  return app;
}
