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

/**
 * Notes in the JSON schemas for programs that make a form of them; they forbid nothing by themselves.
 * `x-sluice-unavailable`: why this version refuses any use of the member, or `{value: why}` for single values.
 * `x-sluice-needs`: what must be there for it, such as `browser`.
 * `x-sluice-shorthand`: the member of a page action that the value of its one-key form stands for.
 */
export const ANNOTATION_KEYWORDS = ['x-sluice-unavailable', 'x-sluice-needs', 'x-sluice-shorthand'] as const;

const REASON = 'Not available in this version.';

/** A member that is known, but refused. */
export const UNAVAILABLE = { 'x-sluice-unavailable': REASON };

/** Single values that are known, but refused, each with the reason. */
const unavailableValues = (why: Readonly<Record<string, string>>) => ({ 'x-sluice-unavailable': why });

/** The same, of values that this version lacks. */
export const valuesNotYetAvailable = (...values: readonly string[]) =>
  unavailableValues(Object.fromEntries(values.map((value) => [value, REASON])));

/** The action may be written as `{type: value of this member}`. */
export const shorthandFor = (member: string) => ({ 'x-sluice-shorthand': member });

/** A member that only a browser can honour; a form for browsers leaves the last sentence out. */
export const browserOnly = (description: string) => ({
  description: `${description} Browser only.`,
  'x-sluice-needs': 'browser',
});
