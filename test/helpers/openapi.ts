import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ROOT } from './repository.ts';

interface Content {
  readonly schema?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string;
        readonly headers?: Readonly<Record<string, unknown>>;
        readonly content?: Readonly<Record<string, Content>>;
      }
    >
  >;
}
export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

let loaded: { readonly document: OpenApi; readonly ajv: Ajv2020 } | undefined;
const validators = new Map<string, ValidateFunction | null>();

/** The committed OpenAPI file. */
export function openApi(): OpenApi {
  return load().document;
}

function load() {
  if (loaded === undefined) {
    const document: OpenApi = JSON.parse(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8'));
    // A separate validator, not that of the service: the file is read as any client would read it.
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      validateSchema: false,
      allErrors: true,
    });
    ajv.addSchema(document, 'openapi');
    loaded = { document, ajv };
  }
  return loaded;
}

/** Escapes a token of a JSON pointer (RFC 6901 §3). */
const token = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** The path template of the document that a request path fits; of several, that with the fewest parameters. */
function templateOf(path: string): string | null {
  const bare = path.replace(/\?.*$/s, '').replace(/\/$/, '');
  const fits = Object.keys(load().document.paths).filter((template) =>
    new RegExp(
      `^${template
        .replace(/\/$/, '')
        .replaceAll('.', '\\.')
        .replace(/\{[^}]+\}/g, '[^/]+')}$`,
    ).test(bare),
  );
  fits.sort((a, b) => a.split('{').length - b.split('{').length);
  return fits[0] ?? null;
}

/**
 * An error message if a response does not fit docs/openapi.json, else null. For a path or method that the document does
 * not have, only the statuses 404, 405 and 503 fit.
 */
export function responseProblem(actual: {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}): string | null {
  const { document } = load();
  const template = templateOf(actual.path);
  const operation = template === null ? undefined : document.paths[template]?.[actual.method.toLowerCase()];
  if (template === null || operation === undefined) {
    if (actual.method === 'HEAD' || actual.method === 'OPTIONS') return null;
    if (actual.status === 404 || actual.status === 405 || actual.status === 503) return null;
    return `docs/openapi.json has no ${actual.method} ${actual.path}, whose response has status ${actual.status}`;
  }
  const { responses } = operation;
  const key = [String(actual.status), `${String(actual.status)[0]}XX`, 'default'].find(
    (status) => responses[status] !== undefined,
  );
  if (key === undefined) return `${actual.method} ${template} has no response ${actual.status}`;
  let base = `#/paths/${token(template)}/${actual.method.toLowerCase()}/responses/${key}`;
  let response = responses[key]!;
  if (response.$ref !== undefined) {
    base = response.$ref;
    const [, , group, name] = response.$ref.split('/');
    response = document.components[group!]![name!] as typeof response;
  }
  const content = response.content ?? {};
  if (actual.mediaType === '') {
    return Object.keys(content).length === 0
      ? null
      : `${actual.method} ${template} ${key}: the body is missing`;
  }
  // `*/*`: the bytes of whatever a target sent.
  const type = actual.mediaType in content ? actual.mediaType : '*/*';
  const entry = content[type];
  if (entry === undefined)
    return `${actual.method} ${template} ${key} has ${Object.keys(content).join(', ') || 'no body'}, not ${actual.mediaType}`;
  if (entry.schema === undefined) return null;
  const pointer = `openapi${base}/content/${token(type)}/schema`;
  let validate = validators.get(pointer);
  if (validate === undefined) {
    validate = load().ajv.compile({ $ref: encodeURI(pointer) });
    validators.set(pointer, validate);
  }
  if (validate === null || validate(actual.body)) return null;
  const first = (validate.errors ?? []).slice(0, 5);
  return `${actual.method} ${template} ${key}: ${first.map((e) => `${e.instancePath || '/'} ${e.message} ${JSON.stringify(e.params)}`).join('; ')}`;
}

/** Returns an error message for each part of a parsed body that does not fit the schema. */
export type Validator = (body: unknown) => readonly string[];

/**
 * A validator for the JSON responses of an operation with this status.
 * @throws TypeError if the document has no such operation, or the operation has no JSON response with this status
 */
export function responseValidator(operationId: string, status: number): Validator {
  for (const [path, methods] of Object.entries(openApi().paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== operationId) continue;
      const type = Object.keys(operation.responses[status]?.content ?? {}).find((name) =>
        name.endsWith('json'),
      );
      if (type !== undefined)
        return validatorAt(
          `#/paths/${token(path)}/${method}/responses/${status}/content/${token(type)}/schema`,
        );
    }
  }
  throw new TypeError(`the document has no JSON response ${status} of ${operationId}`);
}

/** A validator for a component, such as `Problem` for refusals that belong to no operation (404, 405). */
export const componentValidator = (name: string): Validator =>
  validatorAt(`#/components/schemas/${token(name)}`);

function validatorAt(pointer: string): Validator {
  const validate = load().ajv.compile({ $ref: encodeURI(`openapi${pointer}`) });
  return (body) => {
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
