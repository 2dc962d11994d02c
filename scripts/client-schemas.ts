/** What the generated types of all clients are made from. */
import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import { VERSION } from '../src/base/version.ts';
import { apiDocument } from '../src/http/server/endpoints.ts';

/** A JSON schema, as far as the generators look at it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The description of the API, as a copy that may be changed. */
export const openApiDocument = (): ApiDocument =>
  JSON.parse(JSON.stringify(apiDocument({ version: VERSION }))) as ApiDocument;

/** Groups of endpoints that the SDKs have types for; their other endpoints are called with `request`. */
const SDK_TAGS = ['Scrapes', 'Jobs', 'Monitors', 'Schedules', 'Channels', 'Profiles', 'Datasets', 'Webhooks'];
/** Endpoints of other groups that the SDKs have methods for. */
const SDK_OPERATIONS = ['getSiteLimits', 'changeSiteLimits', 'getPrices', 'setPrices', 'deletePrices'];

/**
 * The schemas that the SDKs use, by name, in the order of their names: those of `SDK_TAGS` and `SDK_OPERATIONS` with all that they refer to, and the
 * query parameters of each operation as `<OperationId>Query`.
 */
export function sdkSchemas(): Readonly<Record<string, JsonSchema>> {
  const { paths, components } = openApiDocument();
  const found: Record<string, JsonSchema> = {};
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as JsonSchema;
    const name = typeof $ref === 'string' ? refName($ref) : undefined;
    if (name !== undefined && found[name] === undefined) {
      found[name] = components.schemas[name]!;
      visit(found[name]);
    }
    for (const member of Object.values(value)) visit(member);
  };
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { tags, operationId } = operation;
    if (!SDK_TAGS.includes(tags[0]!) && !SDK_OPERATIONS.includes(operationId)) continue;
    visit(operation);
    const query = querySchema(operation);
    if (query !== null) found[`${operation.operationId.replace(/^./, (c) => c.toUpperCase())}Query`] = query;
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The name in `#/components/schemas/<name>`. */
export const refName = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The query parameters of an operation as an object; null: it has none. */
function querySchema({ parameters = [] }: Operation): JsonSchema | null {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return null;
  const properties = inQuery.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description === undefined ? {} : { description }) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** TypeScript types of a description of the API. */
export async function typescriptTypes(document: unknown, options: OpenAPITSOptions = {}): Promise<string> {
  const types = await openapiTS(document as OpenAPI3, {
    alphabetize: true,
    defaultNonNullable: false,
    ...options,
  });
  return astToString(types);
}
