import { isObject, type Json } from './json.ts';
import { labelOf } from './labels.ts';

/** The subset of JSON Schema that the OpenAPI description uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: Json;
  readonly title?: string;
  readonly description?: string;
  /** Why this build refuses the member, or some of its values, by value. */
  readonly 'x-sluice-unavailable'?: string | Readonly<Record<string, string>>;
  /** `browser`: only a browser supports the member. */
  readonly 'x-sluice-needs'?: string;
  /** Of a page action: the member for which a single value may be given instead of an object. */
  readonly 'x-sluice-shorthand'?: string;
}

export type Components = Readonly<Record<string, JsonSchema>>;

/** The kind of control for a schema; `json`: there is none, the value is edited as JSON. */
export type ControlKind =
  | 'text'
  | 'number'
  | 'switch'
  | 'choice'
  | 'choices'
  | 'tags'
  | 'numbers'
  | 'map'
  | 'object'
  | 'list'
  | 'variants'
  | 'json';

const REF = '#/components/schemas/';

/** The schema to which a reference leads. Members beside the reference override those of its target. */
export function resolved(schema: JsonSchema, components: Components): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...rest } = schema;
  const target = $ref.startsWith(REF) ? components[$ref.slice(REF.length)] : undefined;
  return target === undefined ? rest : { ...resolved(target, components), ...rest };
}

/** The note at the end of the descriptions of members that only a browser supports; `x-sluice-needs` says the same. */
const BROWSER_ONLY = / ?\bBrowser only\.$/;

/** The schemas with translated descriptions, and with labels as titles: of members, and of kinds of objects by their tag. */
export function translated<T>(schemas: T, translate: (text: string) => string): T {
  if (Array.isArray(schemas)) return schemas.map((one) => translated(one, translate)) as T;
  if (typeof schemas !== 'object' || schemas === null) return schemas;
  const title = (name: string) => ({ title: translate(labelOf(name).label) });
  const entries = Object.entries(schemas).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'properties' && isObject(value)) {
      const members = Object.entries(translated(value, translate) as Record<string, JsonSchema>);
      const labelled = members.map(([member, schema]) => [member, { ...schema, ...title(member) }]);
      return [[name, Object.fromEntries(labelled)]];
    }
    if (name !== 'description' || typeof value !== 'string') return [[name, translated(value, translate)]];
    const text = value.replace(BROWSER_ONLY, '');
    return text === '' ? [] : [[name, translate(text)]];
  });
  const { type: tag } = (schemas as JsonSchema).properties ?? {};
  const kind = typeof tag?.const === 'string' ? title(tag.const) : {};
  return { ...kind, ...Object.fromEntries(entries) } as T;
}

/** All allowed values if the schema lists them; else null. */
export function choicesOf(schema: JsonSchema): readonly Json[] | null {
  if (schema.enum !== undefined) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  if (schema.type === 'boolean') return [true, false];
  if (schema.anyOf === undefined) return null;
  const all = schema.anyOf.map(choicesOf);
  return all.some((choices) => choices === null) ? null : (all.flat() as readonly Json[]);
}

/** The kind of control that edits a value of this schema. @param schema without a reference */
export function controlKind(schema: JsonSchema, components: Components): ControlKind {
  if (schema.type === 'boolean') return 'switch';
  if (choicesOf(schema) !== null) return 'choice';
  if (schema.oneOf !== undefined && schema.discriminator !== undefined) return 'variants';
  if (schema.anyOf !== undefined) return kindOfUnion(schema.anyOf, components);
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return kindOfArray(schema, components);
    case 'object':
      if (Object.keys(schema.properties ?? {}).length > 0) return 'object';
      return isTextMap(schema) ? 'map' : 'json';
    default:
      return 'json';
  }
}

/**
 * A union is edited as the first of these kinds that one of its branches has: a map before a text, which is its shorthand.
 * Values of other branches are shown as JSON.
 */
function kindOfUnion(branches: readonly JsonSchema[], components: Components): ControlKind {
  const kinds = branches.map((branch) => controlKind(resolved(branch, components), components));
  return (['map', 'text', 'number', 'object'] as const).find((kind) => kinds.includes(kind)) ?? 'json';
}

function kindOfArray(schema: JsonSchema, components: Components): ControlKind {
  const items = resolved(schema.items ?? {}, components);
  const kind = controlKind(items, components);
  if (kind === 'choice') return 'choices';
  if (kind === 'text') return items.anyOf === undefined ? 'tags' : 'json';
  if (kind === 'number') return 'numbers';
  return kind === 'object' || kind === 'variants' ? 'list' : 'json';
}

function isTextMap({ additionalProperties }: JsonSchema): boolean {
  return isObject(additionalProperties) && takesText(additionalProperties as JsonSchema);
}

const takesText = (schema: JsonSchema): boolean =>
  schema.type === 'string' || (schema.anyOf?.some(takesText) ?? false);

/** The branch of a union that the control edits. A choice offers the values of all branches. */
export function branchOf(schema: JsonSchema, kind: ControlKind, components: Components): JsonSchema {
  if (schema.anyOf === undefined || kind === 'choice') return schema;
  const branch = schema.anyOf
    .map((branch) => resolved(branch, components))
    .find((branch) => controlKind(branch, components) === kind);
  return branch === undefined
    ? schema
    : {
        ...branch,
        ...(schema.title !== undefined && { title: schema.title }),
        ...(schema.description !== undefined && { description: schema.description }),
      };
}

/** Whether a control of this kind can show the value. If not, it is shown as JSON. */
export function isShownBy(
  kind: ControlKind,
  value: Json | undefined,
  choices: readonly Json[] | null,
): boolean {
  if (value === undefined) return true;
  const isListOf = (type: string) => Array.isArray(value) && value.every((item) => typeof item === type);
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'switch':
      return typeof value === 'boolean';
    case 'choice':
      return choices?.includes(value) ?? false;
    case 'choices':
    case 'tags':
      return isListOf('string');
    case 'numbers':
      return isListOf('number');
    case 'map':
      return isObject(value) && Object.values(value).every(isShownInMap);
    case 'list':
      return Array.isArray(value) && value.every(isObject);
    case 'object':
    case 'variants':
      return isObject(value);
    case 'json':
      return true;
  }
}

const isScalar = (value: Json): boolean => value !== null && typeof value !== 'object';

/** Each row of the map is a name and a value. Repeated names make a list; a list of one would become a plain value. */
const isShownInMap = (value: Json): boolean =>
  isScalar(value) || (Array.isArray(value) && value.length > 1 && value.every(isScalar));

/** Why this build refuses the member, or this value of the member; undefined: it is accepted. */
export function refusalOf(schema: JsonSchema, value?: Json): string | undefined {
  const note = schema['x-sluice-unavailable'];
  if (typeof note !== 'object') return note;
  return typeof value === 'string' && Object.hasOwn(note, value) ? note[value] : undefined;
}
