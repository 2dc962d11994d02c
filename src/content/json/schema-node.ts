import type { CallerSchema } from '../../domain/json-extraction.ts';
import { isObject } from '../../domain/json-schema.ts';

export type ScalarKind = 'string' | 'number' | 'integer' | 'boolean';
export type ScalarChoice = string | number | boolean;

/** What one subschema of the caller's schema asks for, with all references resolved. */
export interface SchemaNode {
  /** `scalar`: a text, number or boolean. */
  readonly shape: 'object' | 'array' | 'scalar';
  /** Of a scalar; empty: any. */
  readonly kinds: readonly ScalarKind[];
  readonly nullable: boolean;
  readonly format: string | null;
  /** Values of `enum` or `const`; null: any value. */
  readonly choices: readonly ScalarChoice[] | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** Of an array; null: nothing is known about its items. */
  readonly items: SchemaNode | null;
}

/** References may be recursive, and a short schema may expand to a tree without end. */
const MAX_NODES = 2000;
const MAX_DEPTH = 8;
const MAX_REFERENCES = 20;
const SCALARS: readonly string[] = ['string', 'number', 'integer', 'boolean'];

/** The tree of what the schema asks for. What is beyond the limits is left out, so it is never extracted. */
export function readSchema(schema: CallerSchema): SchemaNode {
  return new SchemaReader(schema).node(schema, 0) ?? nodeOf({}, {});
}

class SchemaReader {
  readonly #root: CallerSchema;
  #remaining = MAX_NODES;

  constructor(root: CallerSchema) {
    this.#root = root;
  }

  node(schema: unknown, depth: number): SchemaNode | null {
    if (depth > MAX_DEPTH || --this.#remaining < 0) return null;
    const merged = this.#merged(schema, 0);
    const properties = new Map<string, SchemaNode>();
    for (const [name, property] of Object.entries(isObject(merged.properties) ? merged.properties : {})) {
      const node = this.node(property, depth + 1);
      if (node !== null) properties.set(name, node);
    }
    const items = isObject(merged.items) ? this.node(merged.items, depth + 1) : null;
    return nodeOf(merged, { properties, items });
  }

  /**
   * The schema with its references, and with the first branch of `anyOf` and `oneOf` that is not just null. Its type is any
   * type of the branches, but if one is an object or array, only that of the chosen branch or null.
   */
  #merged(schema: unknown, depth: number): CallerSchema {
    if (!isObject(schema) || depth > MAX_REFERENCES) return {};
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    let merged: CallerSchema = own;
    if (typeof $ref === 'string') merged = combined(this.#merged(this.#target($ref), depth + 1), merged);
    for (const part of listOf(allOf)) merged = combined(merged, this.#merged(part, depth + 1));
    for (const branches of [listOf(anyOf), listOf(oneOf)]) {
      const read = branches.map((branch) => this.#merged(branch, depth + 1));
      const values = read.filter((branch) => branch.type !== 'null' && branch.const !== null);
      if (values.length === 0) continue;
      const types = read.every(({ type }) => type === undefined || !isNested(type))
        ? read.flatMap(({ type }) => listOf(type))
        : [...listOf(values[0]!.type), ...(values.length < read.length ? ['null'] : [])];
      merged = { ...combined(merged, values[0]!), ...(types.length > 0 ? { type: types } : {}) };
    }
    return merged;
  }

  #target(reference: string): unknown {
    if (reference === '#') return this.#root;
    if (!reference.startsWith('#/')) return null;
    let target: unknown = this.#root;
    for (const step of reference.slice(2).split('/')) {
      const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (!isObject(target) || !Object.hasOwn(target, name)) return null;
      target = target[name];
    }
    return target;
  }
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const isNested = (type: unknown): boolean => listOf(type).some((one) => one === 'object' || one === 'array');

function combined(first: CallerSchema, second: CallerSchema): CallerSchema {
  const objects = (name: string) => ({
    ...(isObject(first[name]) ? first[name] : {}),
    ...(isObject(second[name]) ? second[name] : {}),
  });
  const both = { ...first, ...second };
  return {
    ...both,
    ...(both.properties === undefined ? {} : { properties: objects('properties') }),
    ...(both.required === undefined
      ? {}
      : { required: [...listOf(first.required), ...listOf(second.required)] }),
  };
}

function nodeOf(
  schema: CallerSchema,
  { properties = new Map(), items = null }: Partial<Pick<SchemaNode, 'properties' | 'items'>>,
): SchemaNode {
  const types = listOf(schema.type);
  const choices = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : null;
  const text = (name: string) => (typeof schema[name] === 'string' ? (schema[name] as string) : null);
  return {
    shape: shapeOf(types, schema),
    kinds: types.filter((type): type is ScalarKind => SCALARS.includes(type as string)),
    nullable: types.includes('null') || choices?.includes(null) === true,
    format: text('format'),
    choices: choices?.filter(isScalar) ?? null,
    title: text('title'),
    description: text('description'),
    properties,
    required: new Set(listOf(schema.required).filter((name) => typeof name === 'string')),
    items,
  };
}

const isScalar = (value: unknown): value is ScalarChoice =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function shapeOf(types: readonly unknown[], schema: CallerSchema): SchemaNode['shape'] {
  if (types.includes('object')) return 'object';
  if (types.includes('array')) return 'array';
  if (types.length > 0) return 'scalar';
  if (isObject(schema.properties)) return 'object';
  return schema.items === undefined ? 'scalar' : 'array';
}
