import { Ajv2020 } from 'ajv/dist/2020.js';
import { childPointer } from '../schema/problems.ts';
import { openapiDocument } from './document.ts';
import { operations } from './operations.ts';

const ROOT = 'openapi';
let ajv: Ajv2020 | undefined;

function compiler(): Ajv2020 {
  if (ajv !== undefined) return ajv;
  // Not strict: the document has more keywords than JSON Schema.
  ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  ajv.addSchema({ $id: ROOT, ...openapiDocument({ version: '0.0.0' }) });
  return ajv;
}

/** For a parsed body, what does not fit; empty: all of it fits. */
export type Validator = (body: unknown) => readonly string[];

/**
 * Checks bodies of answers against the OpenAPI document: for tests, so that no answer drifts from it.
 * @throws TypeError when the document has no such operation, or it no JSON answer with that status
 */
export function responseValidator(operationId: string, status: number): Validator {
  const operation = operations.find((one) => one.operationId === operationId);
  const content = operation?.responses[String(status)]?.content ?? {};
  const type = Object.keys(content).find((name) => name.endsWith('json'));
  if (operation === undefined || type === undefined) {
    throw new TypeError(`the document has no JSON answer ${status} of ${operationId}`);
  }
  const steps = [
    'paths',
    operation.path,
    operation.method,
    'responses',
    String(status),
    'content',
    type,
    'schema',
  ];
  return validatorAt(steps);
}

/** The same for a component: `Problem`, for refusals that belong to no operation (404, 405). */
export function componentValidator(name: string): Validator {
  return validatorAt(['components', 'schemas', name]);
}

function validatorAt(steps: readonly string[]): Validator {
  const pointer = steps.reduce<string>((at, step) => childPointer(at, step), '');
  // A fragment is a URI: what a pointer may hold and a URI not is encoded.
  const validate = compiler().compile({ $ref: `${ROOT}#${encodeURI(pointer)}` });
  return (body) => {
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
