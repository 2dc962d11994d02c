import fc from './fast-check.ts';

/** The part of JSON Schema that our OpenAPI file uses for requests. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** Below this depth, objects have only their required members, so that recursive schemas end. */
const MAX_DEPTH = 5;
/** Most optional members of an object: with all of them, nearly every request would be refused. */
const MAX_OPTIONAL = 3;

/** Generates values that a schema allows. @param find returns the schema that a `$ref` names */
export function valuesOf(
  schema: JsonSchema,
  find: (reference: string) => JsonSchema,
  depth = 0,
): fc.Arbitrary<unknown> {
  const values = (inner: JsonSchema) => valuesOf(inner, find, depth + 1);
  if (schema.$ref !== undefined) return values(find(schema.$ref));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    const allowed = depth > MAX_DEPTH ? branches.slice(0, 1) : branches;
    return fc.nat(allowed.length - 1).chain((index) => values(allowed[index]!));
  }
  switch (schema.type) {
    case 'string':
      return strings(schema);
    case 'integer':
      return fc.integer({ min: bound(schema.minimum, -1000), max: bound(schema.maximum, 100_000) });
    case 'number': {
      const range = { min: schema.minimum ?? -1000, max: schema.maximum ?? 100_000, noNaN: true };
      return fc.oneof(fc.double(range), fc.integer({ min: bound(range.min, 0), max: bound(range.max, 0) }));
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      if (schema.prefixItems !== undefined) return fc.tuple(...schema.prefixItems.map(values));
      if (depth > MAX_DEPTH) return fc.constant([]);
      return fc.array(
        // Lazily, because schemas may be recursive.
        fc.constant(null).chain(() => values(schema.items ?? {})),
        { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 3) },
      );
    case 'object':
      return objects(schema, values, depth);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function objects(
  schema: JsonSchema,
  values: (inner: JsonSchema) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (Object.keys(properties).length === 0 && typeof additionalProperties === 'object') {
    if (depth > MAX_DEPTH) return fc.constant({});
    const inner = fc.constant(null).chain(() => values(additionalProperties));
    return fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 10 }), inner, { maxKeys: 3 });
  }
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return fc
    .subarray(optional, { maxLength: depth > MAX_DEPTH ? 0 : Math.min(MAX_OPTIONAL, optional.length) })
    .chain((names) =>
      fc.record(Object.fromEntries([...required, ...names].map((name) => [name, values(properties[name]!)]))),
    );
}

function strings(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  const length = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 20, 20) };
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', ...length }),
    fc.string({ unit: 'binary', ...length }),
    fc.constantFrom('a', 'GET', 'b=c', 'application/json', 'http', 'http/datacenter', 'h1', '$.items[0]'),
  );
}

/** A limit of a schema as an integer that fast-check accepts. */
const bound = (limit: number | undefined, defaultLimit: number): number =>
  limit === undefined ? defaultLimit : Math.round(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, limit)));

/** Generates values with one change: a member is replaced, deleted or added, or text is appended to it. */
export function withOneChange(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .record({
      value,
      position: fc.nat(1000),
      change: fc.constantFrom('replace', 'delete', 'add', 'grow'),
      newValue: fc.jsonValue({ maxDepth: 2 }),
      name: fc.constantFrom('__proto__', 'constructor', 'URL', 'timeout', 'type', 'x', '', '$json', '/'),
    })
    .map(({ value, position, change, newValue, name }) => {
      const copy = structuredClone(value);
      const places: [holder: Record<string, unknown>, key: string][] = [];
      const walk = (holder: unknown): void => {
        if (typeof holder !== 'object' || holder === null) return;
        for (const key of Object.keys(holder)) {
          places.push([holder as Record<string, unknown>, key]);
          walk((holder as Record<string, unknown>)[key]);
        }
      };
      walk(copy);
      if (places.length === 0) return newValue;
      const [holder, key] = places[position % places.length]!;
      const set = (member: string, to: unknown) =>
        Object.defineProperty(holder, member, {
          value: to,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      if (change === 'delete' && !Array.isArray(holder)) delete holder[key];
      else if (change === 'add' && !Array.isArray(holder)) set(name, newValue);
      else if (change === 'grow') set(key, `${String(holder[key])}${'é\0\r\n'.repeat(position)}`);
      else set(key, newValue);
      return copy;
    });
}
