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

/** Messages list the allowed values only up to this number. */
const MAX_LISTED_VALUES = 100;

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
 * Adds the reasons why `value` does not match the schema, at most `MAX_PROBLEMS`. Ajv's list of all errors is not used: it
 * has errors for every branch of a union, and no limit (a body of 5 MiB can have a million wrong items).
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

/** Shows all allowed names, or of a long list only the names most similar to the value. */
function enumMessage(allowed: readonly unknown[], value: unknown): string {
  const names = allowed.map(String);
  if (names.length <= MAX_LISTED_VALUES) return `must be one of ${names.join(', ')}`;
  const near = nearestNames(String(value).slice(0, 100), names, 5);
  const words =
    near.length === 0 ? `such as ${names.slice(0, 3).join(', ')}` : `the most similar are ${near.join(', ')}`;
  return `must be one of ${names.length} names (${words})`;
}

/**
 * Of the branches whose JSON type matches, adds the problems of the one with the fewest. If no branch has the type of the
 * value, one problem lists the types.
 */
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
  let fewestProblems: Problems | null = null;
  for (const branch of fitting) {
    const branchProblems: Problems = [];
    explain(branch, value, pointer, branchProblems);
    if (branchProblems.length === 0) return;
    if (fewestProblems === null || branchProblems.length < fewestProblems.length)
      fewestProblems = branchProblems;
  }
  const allLiterals = fitting.every((branch) => branch.const !== undefined || branch.enum !== undefined);
  if (allLiterals && fitting.length > 1) {
    const allowed = fitting.flatMap((branch) => branch.enum ?? [branch.const]).map(String);
    addValueProblem(problems, pointer, `must be one of ${allowed.join(', ')}`, value);
    return;
  }
  for (const problem of fewestProblems ?? []) if (problems.length < MAX_PROBLEMS) problems.push(problem);
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
    // A description says more to people than a regular expression.
    addValueProblem(problems, pointer, schema.description ?? `must match ${pattern}`, value);
  }
}

function explainNumber(schema: Schema, value: number, pointer: string, problems: Problems): void {
  const { minimum, maximum } = schema;
  const tooLow = minimum !== undefined && value < minimum;
  const tooHigh = maximum !== undefined && value > maximum;
  if (!tooLow && !tooHigh) return;
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
    const itemSchema = prefixItems?.[i] ?? items;
    if (itemSchema !== undefined) explain(itemSchema, value[i], childPointer(pointer, i), problems);
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
    else if (additionalProperties === false) addUnknownMember(name, properties, pointer, problems);
    else if (typeof additionalProperties === 'object') {
      explain(additionalProperties, value[name], memberPointer, problems);
    }
  }
}

/** The message lists the known members. It suggests the known members that have a member of the unknown name. */
function addUnknownMember(
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
      // JSON.parse reads 1e999 as Infinity.
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** The length of a text in characters, as JSON Schema counts it, and not in UTF-16 code units. */
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

/** Configured to validate only: Ajv must not coerce types, add defaults or remove members. */
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
 * Checks a value against a schema. False: the value does not match, and the reasons have been added to `problems`.
 * @param pointer of the value; the pointers of the problems begin with it
 */
export type Check = (value: unknown, pointer: string, problems: Problems) => boolean;

/** The schema is compiled on the first check, to keep the start of the service fast. */
export function checker(schema: TSchema): Check {
  let validate: ValidateFunction | undefined;
  return (value, pointer, problems) => {
    validate ??= schemaCompiler().compile(schema);
    if (validate(value)) return true;
    const countBefore = problems.length;
    explain(schema as Schema, value, pointer, problems);
    // Ajv decides. If `explain` has no reason, its message is used.
    if (problems.length === countBefore) {
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
