import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { nearestNames } from '../../base/nearest-name.ts';
import { ANNOTATION_KEYWORDS, isObject } from '../../domain/json-schema.ts';
import {
  addProblem,
  addValueProblem,
  childPointer,
  MAX_PROBLEMS,
  orList,
  type Problems,
  quote,
  withArticle,
} from './problems.ts';

const LONG_LIST = 100;

/** The part of JSON Schema that our schemas use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/**
 * Adds why `value` does not fit, at most ten reasons. Ajv's list of all errors is not used: it blames every branch of a union,
 * and grows with the value (a body of 5 MiB can hold a million wrong items).
 */
function explain(schema: Schema, value: unknown, pointer: string, problems: Problems): void {
  if (problems.length >= MAX_PROBLEMS) return;
  if (schema.anyOf !== undefined) {
    explainUnion(schema.anyOf, value, pointer, problems);
    return;
  }
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    addValueProblem(problems, pointer, `must be ${orList(types.map(withArticle))}`, value);
    return;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    addValueProblem(problems, pointer, enumMessage(schema.enum, value), value);
    return;
  }
  if (schema.const !== undefined && schema.const !== value) {
    addValueProblem(problems, pointer, `must be ${JSON.stringify(schema.const)}`, value);
    return;
  }
  if (typeof value === 'string') explainString(schema, value, pointer, problems);
  else if (typeof value === 'number') explainNumber(schema, value, pointer, problems);
  else if (Array.isArray(value)) explainArray(schema, value, pointer, problems);
  else if (isObject(value)) explainObject(schema, value, pointer, problems);
}

/** Of a long list, only the names near to the value are shown. */
function enumMessage(allowed: readonly unknown[], value: unknown): string {
  const names = allowed.map(String);
  if (names.length <= LONG_LIST) return `must be one of ${names.join(', ')}`;
  const near = nearestNames(String(value).slice(0, 100), names, 5);
  const words = near.length === 0 ? `such as ${names.slice(0, 3).join(', ')}` : `near are ${near.join(', ')}`;
  return `must be one of ${names.length} names (${words})`;
}

/** Explains the branch whose JSON type fits. If there is none, the message lists the types. */
function explainUnion(
  branches: readonly Schema[],
  value: unknown,
  pointer: string,
  problems: Problems,
): void {
  const fitting = branches.filter((branch) => {
    const types = typesOf(branch);
    return types.length === 0 || types.some((type) => isOfType(value, type));
  });
  if (fitting.length === 0) {
    const names = new Set(branches.flatMap(typesOf).map(withArticle));
    const literals = branches.filter((branch) => branch.const !== undefined);
    const words = [...literals.map((branch) => JSON.stringify(branch.const)), ...names];
    addValueProblem(problems, pointer, `must be ${orList(words)}`, value);
    return;
  }
  let best: Problems | null = null;
  for (const branch of fitting) {
    const found: Problems = [];
    explain(branch, value, pointer, found);
    if (found.length === 0) return;
    if (best === null || found.length < best.length) best = found;
  }
  const described = fitting.every((branch) => branch.const !== undefined || branch.enum !== undefined);
  if (described && fitting.length > 1) {
    const allowed = fitting.flatMap((branch) => branch.enum ?? [branch.const]).map(String);
    addValueProblem(problems, pointer, `must be one of ${allowed.join(', ')}`, value);
    return;
  }
  for (const problem of best ?? []) if (problems.length < MAX_PROBLEMS) problems.push(problem);
}

function explainString(schema: Schema, value: string, pointer: string, problems: Problems): void {
  const { minLength, maxLength, pattern } = schema;
  if (minLength !== undefined && value.length < minLength) {
    addProblem(
      problems,
      pointer,
      minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
    );
  } else if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength) {
    addProblem(problems, pointer, `must have at most ${maxLength} characters, got ${codePoints(value)}`);
  } else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    addValueProblem(problems, pointer, schema.description ?? `must match ${pattern}`, value);
  }
}

function explainNumber(schema: Schema, value: number, pointer: string, problems: Problems): void {
  const { minimum, maximum } = schema;
  const low = minimum !== undefined && value < minimum;
  const high = maximum !== undefined && value > maximum;
  if (!low && !high) return;
  const range =
    minimum === undefined
      ? `at most ${maximum}`
      : maximum === undefined
        ? `at least ${minimum}`
        : `between ${minimum} and ${maximum}`;
  addValueProblem(problems, pointer, `must be ${range}`, value);
}

function explainArray(schema: Schema, value: readonly unknown[], pointer: string, problems: Problems): void {
  const { minItems, maxItems, prefixItems, items } = schema;
  if (minItems !== undefined && value.length < minItems) {
    addProblem(problems, pointer, `must have at least ${minItems} elements, got ${value.length}`);
    return;
  }
  if (maxItems !== undefined && value.length > maxItems) {
    addProblem(problems, pointer, `must have at most ${maxItems} elements, got ${value.length}`);
    return;
  }
  for (let i = 0; i < value.length && problems.length < MAX_PROBLEMS; i++) {
    const schemaOfItem = prefixItems?.[i] ?? items;
    if (schemaOfItem !== undefined) explain(schemaOfItem, value[i], childPointer(pointer, i), problems);
  }
}

function explainObject(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  problems: Problems,
): void {
  const { properties = {}, required = [], additionalProperties, maxProperties } = schema;
  for (const name of required) {
    if (!Object.hasOwn(value, name)) addProblem(problems, childPointer(pointer, name), 'is required');
  }
  if (maxProperties !== undefined && Object.keys(value).length > maxProperties) {
    addProblem(
      problems,
      pointer,
      `must have at most ${maxProperties} members, got ${Object.keys(value).length}`,
    );
  }
  for (const name of Object.keys(value)) {
    if (problems.length >= MAX_PROBLEMS) return;
    const memberPointer = childPointer(pointer, name);
    if (Object.hasOwn(properties, name)) explain(properties[name]!, value[name], memberPointer, problems);
    else if (additionalProperties === false) unknownMember(name, properties, pointer, problems);
    else if (typeof additionalProperties === 'object') {
      explain(additionalProperties, value[name], memberPointer, problems);
    }
  }
}

/** A misspelt member, or one that belongs a level deeper: the message says where it is known, and what is known here. */
function unknownMember(
  name: string,
  properties: Readonly<Record<string, Schema>>,
  pointer: string,
  problems: Problems,
): void {
  const deeper = Object.keys(properties)
    .filter((member) => hasMember(properties[member]!, name))
    .map((member) => `\`${childPointer(childPointer(pointer, member), name)}\``);
  const hint = deeper.length === 0 ? 'known here' : `did you mean ${deeper.join(' or ')}? Known here`;
  const known = Object.keys(properties).join(', ');
  addProblem(problems, childPointer(pointer, name), `is unknown (${quote(name)}); ${hint} are ${known}`);
}

function hasMember({ anyOf, properties }: Schema, name: string): boolean {
  if (properties !== undefined && Object.hasOwn(properties, name)) return true;
  return anyOf?.some((branch) => hasMember(branch, name)) === true;
}

function typesOf(schema: Schema): readonly string[] {
  if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : schema.type;
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      // JSON.parse makes Infinity of 1e999.
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** JSON Schema counts characters, not UTF-16 units. */
function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (!isLowSurrogate(text, i)) count++;
  return count;
}

function isLowSurrogate(text: string, i: number): boolean {
  if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00 || i === 0) return false;
  return (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
}

let ajv: Ajv2020 | undefined;

/** Ajv coerces, adds and removes nothing: it checks what was sent. */
function schemaCompiler(): Ajv2020 {
  ajv ??= new Ajv2020({
    strict: true,
    allErrors: false,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    validateFormats: false,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    keywords: [...ANNOTATION_KEYWORDS],
  });
  return ajv;
}

/**
 * Checks a value against a schema. True: it fits. False: the reasons have been added to `problems`, with pointers that begin
 * with `pointer`. The schema is compiled at the first call.
 */
export type Check = (value: unknown, pointer: string, problems: Problems) => boolean;

export function checker(schema: TSchema): Check {
  let validate: ValidateFunction | undefined;
  return (value, pointer, problems) => {
    validate ??= schemaCompiler().compile(schema);
    if (validate(value)) return true;
    const before = problems.length;
    explain(schema as Schema, value, pointer, problems);
    // If `explain` finds nothing wrong, Ajv still decides, and its message is used.
    if (problems.length === before) {
      const first = validate.errors?.[0];
      addProblem(
        problems,
        `${pointer}${first?.instancePath ?? ''}`,
        first?.message ?? 'does not fit the schema',
      );
    }
    return false;
  };
}
