import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  Type,
} from 'typebox';

/** An object that takes no other members: a misspelt name must never pass silently. */
export function closed<P extends TProperties>(properties: P, options: TSchemaOptions = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/**
 * An object whose member names are the caller's. (Type.Record makes `patternProperties` with `^.*$`, and `.` leaves out
 * names with a line break, whose values would then pass unchecked.)
 */
export function mapOf<T extends TSchema>(value: T, options: TSchemaOptions = {}) {
  return Type.Unsafe<Readonly<Record<string, Static<T>>>>({
    type: 'object',
    additionalProperties: value,
    ...options,
  });
}

/** A pair as an array of two (JSON Schema 2020-12 `prefixItems`; TypeBox writes the older form). */
export function pairOf<A extends TSchema, B extends TSchema>(first: A, second: B) {
  return Type.Unsafe<readonly [Static<A>, Static<B>]>({
    type: 'array',
    prefixItems: [first, second],
    minItems: 2,
    maxItems: 2,
  });
}

export function orNull<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/**
 * Stands for a schema that is recursive, or chosen by a table: validated by code that knows it, and in the OpenAPI
 * document replaced by a reference to the component of that name.
 */
export function placeholder<T>(component: string, type: string | readonly string[]) {
  return Type.Unsafe<T>({ title: component, type });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
