import { componentized, componentSchemas } from './components.ts';
import type { Operation, ResponseObject } from './operation.ts';
import { operations } from './operations.ts';

const DESCRIPTION = `Sluice fetches web pages for you. Send the URL to \`POST /api/v1/scrape/\`; the response has the status, headers, cookies and content of the page. With \`"scraper": "auto"\` Sluice chooses the method (plain HTTP, HTTP with the fingerprint of a browser, or a real browser), detects block pages, and tries another method when one fails.

**Authentication.** Send an API key with every request: \`Authorization: Api-Key YOUR_KEY\`. \`Authorization: Bearer YOUR_KEY\` works too.

**Requests.** Field names are \`snake_case\`. Unknown fields return 400. \`null\` is the same as leaving a field out. Paths work with and without the trailing slash.

**Errors.** Error responses are problem details (RFC 9457) with a stable \`code\`. \`GET /api/v1/errors/\` lists all codes, each with what to do about it.`;

const TAGS = [
  { name: 'Scrapes', description: 'Scrape pages, and read stored results.' },
  { name: 'Keys', description: 'API keys.' },
  { name: 'Users', description: 'User accounts. For administrators.' },
  { name: 'Stats', description: 'Figures of recent scrapes.' },
  { name: 'Sites', description: 'What Sluice knows about each site and which method `auto` tries first.' },
  { name: 'Service', description: 'Health, configuration and state of the service.' },
  {
    name: 'Session',
    description: 'Sign-in with e-mail and password. Used by the dashboard; programs use API keys.',
  },
];

/** Keeps what only the dashboard calls apart from what programs call. */
const TAG_GROUPS = [
  { name: 'API', tags: TAGS.filter(({ name }) => name !== 'Session').map(({ name }) => name) },
  { name: 'Dashboard', tags: ['Session'] },
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
    'x-tagGroups': TAG_GROUPS,
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'An API key: `Authorization: Api-Key YOUR_KEY`.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer YOUR_KEY`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sluice_session',
          description:
            'Session cookie of the dashboard. Methods other than GET also need the `Origin` of the service. If the request has an API key too, the key is used.',
        },
      },
      schemas: componentSchemas(),
    },
  };
}

function needs(scope: Operation['scope']): string | undefined {
  if (scope === null) return undefined;
  return scope === 'session'
    ? 'Needs a session; API keys are not accepted.'
    : `Needs the scope \`${scope}\`.`;
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
  'X-Request-Id': { description: 'Id of this request in the logs.', schema: { type: 'string' } },
};

function responseObject({ description, content, headers, example }: ResponseObject): unknown {
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
