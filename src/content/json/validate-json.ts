import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { CallerSchema, JsonResult } from '../../domain/json-extraction.ts';

/** Of the schema as JSON text. A larger one takes too long to compile. */
const MAX_SCHEMA_LENGTH = 32_768;
const MAX_SCHEMA_DEPTH = 50;
const MAX_INVALID = 100;

const loadPackage = createRequire(import.meta.url);

interface Validator {
  readonly Ajv: typeof Ajv2020;
  readonly addFormats: typeof import('ajv-formats').default;
}
let loaded: Validator | null = null;

/** Loaded with the first schema, because loading takes longer than reading most pages. */
export function loadValidator(): Validator {
  loaded ??= {
    Ajv: loadPackage('ajv/dist/2020.js').Ajv2020,
    addFormats: loadPackage('ajv-formats'),
  };
  return loaded;
}

function compiled(schema: CallerSchema, validateSchema: boolean): ValidateFunction {
  const { Ajv, addFormats } = loadValidator();
  // References are not inlined: they could multiply the code without limit.
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, validateSchema, logger: false });
  addFormats(ajv);
  return ajv.compile(schema);
}

/** Why this is no schema that a page can be read by, as the end of a sentence; null: it is one. */
export function jsonSchemaProblem(schema: CallerSchema): string | null {
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_LENGTH) return `is longer than ${MAX_SCHEMA_LENGTH} characters`;
  if (depthOf(schema) > MAX_SCHEMA_DEPTH) return `is nested deeper than ${MAX_SCHEMA_DEPTH} levels`;
  const { $schema: dialect } = schema;
  if (
    dialect !== undefined &&
    !/^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(String(dialect))
  )
    return 'must be JSON Schema 2020-12; leave `$schema` out';
  try {
    compiled(schema, true);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `is not a valid JSON Schema: ${message.slice(0, 300)}`;
  }
}

function depthOf(value: unknown): number {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_SCHEMA_DEPTH) return depth;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return depth;
  }
  return 0;
}

/** Whether the value matches the schema, and what does not match. A required member that is missing is in `missing`. */
export function validate(value: unknown, schema: CallerSchema): Pick<JsonResult, 'valid' | 'invalid'> {
  const check = compiled(schema, false);
  if (check(value)) return { valid: true, invalid: [] };
  const invalid = (check.errors ?? [])
    .filter(({ keyword }) => keyword !== 'required')
    .slice(0, MAX_INVALID)
    .map(({ instancePath, message }) => ({ pointer: instancePath, message: message ?? 'is not valid' }));
  return { valid: false, invalid };
}
