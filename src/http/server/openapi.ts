import type { TSchema } from 'typebox';
import { RECURSIVE_SCHEMAS } from '../../wire/request/recursive-schemas.ts';
import type { ParameterSpec } from '../../wire/schema/query-reader.ts';
import {
  componentName,
  componentReference,
  membersWithReferences,
  withReferences,
} from '../../wire/schema/references.ts';
import { ACCESS_RULES } from '../core/access.ts';
import type { EndpointDescription } from '../core/endpoint.ts';
import { derivedRefusals, problem, type ResponseSpec, type Responses } from '../core/responses.ts';

const DESCRIPTION = `Sluice fetches web pages for you. Send the URL to \`POST /api/v1/scrape/\`; the response has the status, headers, cookies and content of the page. With \`"scraper": "auto"\` Sluice chooses the method (plain HTTP, HTTP with the fingerprint of a browser, or a real browser), detects block pages, and tries another method when one fails.

**Authentication.** Send an API key with every request: \`Authorization: Api-Key YOUR_KEY\`. \`Authorization: Bearer YOUR_KEY\` and \`X-API-Key: YOUR_KEY\` work too.

**Requests.** Field names are \`snake_case\`. Unknown fields return 400. \`null\` is the same as leaving a field out. Paths work with and without the trailing slash.

**Errors.** Error responses are problem details (RFC 9457) with a stable \`code\`. \`GET /api/v1/errors/\` lists all codes, each with what to do about it.`;

/** The sections of the document, in their order. */
const TAG_DESCRIPTIONS = {
  Scrapes: 'Scrape pages, and read stored results.',
  Jobs: 'Batches, crawls and maps: many pages by one request, scraped in the background.',
  Monitors: 'Scrape on a schedule, and tell what has changed.',
  Schedules: 'Start jobs on a schedule.',
  Datasets: 'Tables of what jobs extracted, over their runs.',
  Alerts: 'Rules that report when a figure passes a threshold.',
  Channels: 'Where people are told of changes, failures and ends, and what they were told.',
  Webhooks: 'Deliveries of results and changes to a URL of yours.',
  Templates: 'Named sets of request members.',
  Profiles: 'Cookies and storage of users at sites, kept under a name, so that one log-in lasts.',
  'Saved requests': 'Scrape requests under a name.',
  Keys: 'API keys.',
  Users: 'User accounts. For administrators.',
  Stats: 'Figures of recent scrapes.',
  Sites: 'What Sluice knows about each site and which method `auto` tries first.',
  Proxies: 'Proxy pools with their exits, and the proxies that requests may name.',
  Vendors: 'Scraping services of others, which fetch for Sluice.',
  System: 'Health, configuration, prices and state of the service.',
  Session: 'Sign-in with e-mail and password. Used by the dashboard; programs use API keys.',
} as const;

export type OperationTag = keyof typeof TAG_DESCRIPTIONS;

/** An endpoint with its section of the document. */
interface Operation extends EndpointDescription {
  readonly tag: OperationTag;
}

const TAGS = Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description }));

/** Separates the operations that only the dashboard uses from those for programs. */
const TAG_GROUPS = [
  { name: 'API', tags: TAGS.filter(({ name }) => name !== 'Session').map(({ name }) => name) },
  { name: 'Dashboard', tags: ['Session'] },
];

const SECURITY_SCHEMES = {
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
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key: `X-API-Key: YOUR_KEY`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sluice_session',
    description:
      'Session cookie of the dashboard. Methods other than GET also need the `Origin` of the service. If the request has an API key too, the key is used.',
  },
};

/**
 * The order of components in the document, which stays the same so that changes are easy to read. Components that are not
 * listed follow in the order of their first use; new ones need not be added here.
 */
const COMPONENT_ORDER =
  'ScrapeRequest ScraperOptions ProxySettings RouterAsk ExtractRuleObject ClickAction FillAction TypeAction PressAction SelectAction CheckAction UncheckAction HoverAction ScrollAction InfiniteScrollAction WaitAction WaitForSelectorAction WaitForLoadStateAction WaitForUrlAction WaitForResponseAction WaitForFunctionAction EvaluateAction GotoAction ReloadAction BackAction HideAction RemoveAction ScreenshotAction ExtractAction IfAction ScrapeResponse ScrapeRecord ScrapeProblem Problem RouterMeta ErrorEntry WarningEntry ErrorCode WarningCode Cookie Candidate Attempt ScraperData PageLink PageMetadata ActionResult CapturedExchange ScrapeSummary ScrapeList Stats StatsStep OutcomeCounts Site SiteStep SitePin System SystemBrowser SystemBrowserKind Proxies ProxyChoices ApiKey ApiKeyList CreatedApiKey ApiKeyCreate ApiKeyPatch ApiKeyRotate User UserList UserCreate UserPatch UserLink SignIn Session SessionEntry SessionList PasswordChange SetUpLinkCheck SetUpLink SetUp ScraperList ErrorsTable Health PageAction ExtractRule ExtractRules'.split(
    ' ',
  );

export interface ApiDocumentOptions {
  readonly version: string;
  /** Base URL of the service; default `/`, for the copy in the repository. */
  readonly baseUrl?: string;
}

/** The OpenAPI 3.1 document of these endpoints. A path has the position of its first endpoint. */
export function openapiDocument(
  endpoints: readonly Operation[],
  { version, baseUrl = '/' }: ApiDocumentOptions,
) {
  const paths: Record<string, Record<string, unknown>> = {};
  const components = new Components();
  for (const endpoint of endpoints) {
    if (endpoint.documented === false) continue;
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method]: operationObject(endpoint, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      summary: 'A self-hosted scraping router',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: TAGS,
    'x-tagGroups': TAG_GROUPS,
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: components.schemas() },
  };
}

/** Collects the schemas with a title, which become components of that name. */
class Components {
  readonly #found = new Map<string, object>();

  /** The schema with references instead of schemas with a title. */
  use(schema: TSchema): unknown {
    this.#collect(schema);
    return withReferences(schema, componentReference);
  }

  #collect(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null) return;
    const name = Array.isArray(schema) ? null : componentName(schema);
    if (name !== null) {
      // If the component is recursive, `schema` may be a placeholder with the title of the component.
      const component = RECURSIVE_SCHEMAS[name] ?? schema;
      const earlier = this.#found.get(name);
      if (earlier !== undefined) {
        if (earlier !== component && JSON.stringify(earlier) !== JSON.stringify(component))
          throw new Error(`two different schemas have the title ${name}: rename one of them`);
        return;
      }
      this.#found.set(name, component);
      if (component !== schema) this.#collect(component);
    }
    for (const member of Object.values(schema)) this.#collect(member);
  }

  /** `components.schemas` of the document. */
  schemas(): Readonly<Record<string, unknown>> {
    const names = [...this.#found.keys()];
    names.sort((a, b) => orderOf(a) - orderOf(b));
    return Object.fromEntries(
      names.map((name) => [name, membersWithReferences(this.#found.get(name)!, componentReference)]),
    );
  }
}

function orderOf(name: string): number {
  const index = COMPONENT_ORDER.indexOf(name);
  return index === -1 ? COMPONENT_ORDER.length : index;
}

function operationObject(endpoint: Operation, components: Components): unknown {
  const { access, params = {}, query, body } = endpoint;
  const parameters = [
    ...parameterObjects('path', params, components),
    ...parameterObjects('query', query?.parameters ?? {}, components),
    ...(endpoint.idempotent === true ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, neededAccess(endpoint)].filter(Boolean).join(' '),
    security: SECURITY[ACCESS_RULES[access].credential],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: {
              'application/json': {
                schema: components.use(body.schema),
                examples: Object.fromEntries(
                  Object.entries(body.examples).map(([name, value]) => [name, { value }]),
                ),
              },
              ...(body.lines === undefined
                ? {}
                : {
                    'application/x-ndjson': {
                      schema: { type: 'string', description: body.lines.description },
                    },
                  }),
            },
          },
        }),
    responses: Object.fromEntries(
      Object.entries(allResponses(endpoint)).map(([status, response]) => [
        status,
        responseObject(response, components),
      ]),
    ),
  };
}

const SECURITY = {
  none: [],
  originOnly: [],
  session: [{ session: [] }],
  key: [{ apiKey: [] }, { bearer: [] }, { apiKeyHeader: [] }, { session: [] }],
} as const;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your choice for this request. If the request is sent again with the same key within 24 hours, the response to the first one is returned, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

const IDEMPOTENCY_REFUSALS: Responses = {
  409: problem(
    'A request with this `Idempotency-Key` is running (`idempotency.conflict`), or its result is not known (`idempotency.unknown`).',
  ),
};

function neededAccess({ access }: EndpointDescription): string | undefined {
  const { credential, scope } = ACCESS_RULES[access];
  if (credential === 'session') return 'Needs a session; API keys are not accepted.';
  return scope === null ? undefined : `Needs the scope \`${scope}\`.`;
}

/** Sorted by status: JavaScript enumerates integer keys in ascending order. */
function allResponses({
  path,
  access,
  query,
  body,
  responses,
  ownResponsesOnly,
  idempotent,
}: EndpointDescription): Responses {
  if (ownResponsesOnly === true) return responses;
  const derived = derivedRefusals({
    access,
    readsBody: body !== undefined,
    readsQuery: query?.read !== undefined,
    hasPathParameter: path.includes('{'),
  });
  return { ...derived, ...(idempotent === true ? IDEMPOTENCY_REFUSALS : {}), ...responses };
}

const parameterObjects = (
  location: 'path' | 'query',
  parameters: Readonly<Record<string, ParameterSpec>>,
  components: Components,
) =>
  Object.entries(parameters).map(([name, { description, schema }]) => ({
    name,
    in: location,
    description,
    schema: components.use(schema),
    required: location === 'path',
  }));

const REQUEST_ID = {
  'X-Request-Id': { description: 'Id of this request in the logs.', schema: { type: 'string' } },
};

function responseObject(
  { description, content, headers, example }: ResponseSpec,
  components: Components,
): unknown {
  const types = Object.entries(content).map(([type, schema]) => [
    type,
    {
      schema: components.use(schema),
      ...(example === undefined || !type.endsWith('json')
        ? {}
        : { examples: { example: { value: example } } }),
    },
  ]);
  return {
    description,
    headers: { ...REQUEST_ID, ...headers },
    ...(types.length === 0 ? {} : { content: Object.fromEntries(types) }),
  };
}
