import { componentized, componentSchemas } from './components.ts';
import type { Content, Operation } from './operation.ts';
import { operations } from './operations.ts';

const DESCRIPTION =
  'One endpoint in front of every way to fetch a page. Paths work with and without the last slash. Members are `snake_case`; an unknown one is refused with 400; null for an optional one is as if it were left out.';

const TAGS = [
  { name: 'Scrapes', description: 'Fetch pages, and look at what was fetched.' },
  { name: 'Keys', description: 'API keys.' },
  { name: 'Users', description: 'Users; for administrators.' },
  { name: 'Session', description: 'Signing in to the dashboard, and out.' },
  { name: 'Stats', description: 'What was scraped lately, in figures.' },
  { name: 'Sites', description: 'What is known of sites, and what `auto` begins with there.' },
  { name: 'Service', description: 'The service about itself.' },
];

/** The OpenAPI 3.1 document. @param baseUrl of the service; `/` when it is not known */
export function openapiDocument(ask: { readonly version: string; readonly baseUrl?: string }) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: ask.version,
      summary: 'A self-hosted scraping router',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: ask.baseUrl ?? '/' }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Authorization: Api-Key <key>`',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sluice_session',
          description:
            'The session of the dashboard. Other methods than GET then need our own `Origin`. A key counts before it.',
        },
      },
      schemas: componentSchemas(),
    },
  };
}

function needs(scope: Operation['scope']): string | undefined {
  if (scope === null) return undefined;
  return scope === 'session' ? 'By session only.' : `Scope \`${scope}\`.`;
}

function securityOf(scope: Operation['scope']): readonly object[] {
  if (scope === null) return [];
  return scope === 'session' ? [{ session: [] }] : [{ apiKey: [] }, { bearer: [] }, { session: [] }];
}

function operationObject(operation: Operation): unknown {
  const { request, parameters, scope, description } = operation;
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [description, needs(scope)].filter(Boolean).join(' '),
    security: securityOf(scope),
    ...(parameters === undefined
      ? {}
      : {
          parameters: parameters.map((one) => ({
            ...one,
            required: one.in === 'path',
            schema: componentized(one.schema, undefined, false),
          })),
        }),
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: request.required,
            content: {
              'application/json': {
                schema: componentized(request.schema, undefined, false),
                examples: Object.fromEntries(
                  Object.entries(request.examples).map(([name, value]) => [name, { value }]),
                ),
              },
            },
          },
        }),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, content]) => [status, responseObject(content)]),
    ),
  };
}

const REQUEST_ID = {
  'X-Request-Id': { description: 'Names this request in logs.', schema: { type: 'string' } },
};

function responseObject({ description, content, headers, example }: Content): unknown {
  const types = Object.entries(content).map(([type, schema]) => [
    type,
    {
      schema: componentized(schema, undefined, false),
      ...(example === undefined ? {} : { examples: { example: { value: example } } }),
    },
  ]);
  return {
    description,
    headers: { ...REQUEST_ID, ...headers },
    ...(types.length === 0 ? {} : { content: Object.fromEntries(types) }),
  };
}
