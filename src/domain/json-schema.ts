import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  Type,
} from 'typebox';

/** An object without other members, so that a misspelt name is an error and not ignored. */
export function closed<P extends TProperties>(properties: P, options: TSchemaOptions = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** The members with each of them optional. */
export const optional = <P extends TProperties>(members: P) =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as unknown as { readonly [Name in keyof P]: TOptional<P[Name]> };

/**
 * An object with any member names. Not `Type.Record`: its pattern `^.*$` does not match names with a line break, so
 * their values would not be validated.
 */
export function mapOf<T extends TSchema>(value: T, options: TSchemaOptions = {}) {
  return Type.Unsafe<Readonly<Record<string, Static<T>>>>({
    type: 'object',
    additionalProperties: value,
    ...options,
  });
}

/** An array of two items. `Type.Tuple` writes the older form with `items`; OpenAPI 3.1 needs `prefixItems`. */
export function pairOf<A extends TSchema, B extends TSchema>(first: A, second: B) {
  return Type.Unsafe<readonly [Static<A>, Static<B>]>({
    type: 'array',
    prefixItems: [first, second],
    minItems: 2,
    maxItems: 2,
  });
}

/** A whole number from 0 on. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A point in time (RFC 3339). */
export const dateTime = (description: string) => Type.String({ format: 'date-time', description });

export function orNull<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

export const textOrNull = (description: string) => orNull(Type.String(), { description });
export const amountOrNull = (description: string) => orNull(Type.Number({ minimum: 0 }), { description });
export const dateTimeOrNull = (description: string) =>
  orNull(Type.String({ format: 'date-time' }), { description });

/**
 * Stands for a schema that is recursive, or depends on another member. The parser of the member, in `wire/request`,
 * validates its value; the OpenAPI document has a reference to the component with this name.
 */
export function placeholder<T>(component: string, type: string | readonly string[]) {
  return Type.Unsafe<T>({ title: component, type });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Annotations for programs that make a form from the JSON schemas. Validation ignores them.
 * `x-sluice-unavailable`: why this version refuses the member, or `{value: reason}` for single values.
 * `x-sluice-needs`: what the member needs, such as `browser`.
 * `x-sluice-shorthand`: the member of a page action that is the value in its short form: `{"click": "#a"}`.
 */
export const ANNOTATION_KEYWORDS = ['x-sluice-unavailable', 'x-sluice-needs', 'x-sluice-shorthand'] as const;

const REASON = 'Not available in this version.';

/** Marks a member that is known, but refused. */
export const UNAVAILABLE = { 'x-sluice-unavailable': REASON };

/** The action may be written as `{<type>: <value of this member>}`. */
export const shorthandFor = (member: string) => ({ 'x-sluice-shorthand': member });

/** Describes a member that only browsers honour. The dashboard hides "Browser only." if a browser is chosen. */
export const browserOnly = (description: string) => ({
  description: `${description} Browser only.`,
  'x-sluice-needs': 'browser',
});
